//! Measures and metrics as expressions in standard SQL.

use crate::{SemanticModel, Table, names::ident, sql};
use inlay_contract::model::{Aggregate, Measure, Metric};
use sqlparser::ast::{BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, UnaryOperator, Value};
use std::collections::{BTreeMap, BTreeSet};

/// A measure as an expression.
pub(crate) struct SaidMeasure {
    pub text: String,
    /// The columns that it reads, by the names in its own SQL.
    pub columns: Vec<Ident>,
}

/// The names of a table's columns, as far as the model says them.
pub(crate) fn known(table: &Table) -> BTreeSet<&str> {
    let own = &table.model;
    let taken = own.measures.values().filter_map(|measure| measure.take.as_ref());
    let taken = taken.flat_map(|take| take.over.iter().chain(&take.per));
    let time = own.time.iter().filter(|time| !own.dimensions.contains_key(*time));
    table.columns.keys().chain(&own.key).chain(time).chain(taken).map(String::as_str).collect()
}

/// A measure as an expression. None if Ossie cannot say it: with `take`, over SQL that is no standard SQL, or without any
/// column that tells which of several datasets it counts.
pub(crate) fn of_measure(dataset: &str, sole: bool, table: &Table, measure: &Measure) -> Option<SaidMeasure> {
    let Measure { aggregate, of, condition, fraction, take, .. } = measure;
    if take.is_some() || (*aggregate == Aggregate::Percentile) != fraction.is_some() {
        return None;
    }
    let known = known(table);
    let mut columns = Vec::new();
    let mut said = |text: &String| {
        let mut expression = sql::own(text, &known)?;
        sql::qualify(&mut expression, dataset, &mut columns);
        Some(expression.to_string())
    };
    let of = match of {
        Some(of) => Some(said(of)?),
        None if *aggregate == Aggregate::Count => None,
        None => return None,
    };
    let condition = condition.as_ref().map(|condition| said(condition).ok_or(())).transpose().ok()?;
    let counted = match (of, condition, table.model.key.first()) {
        (Some(of), Some(condition), _) => format!("CASE WHEN {condition} THEN {of} END"),
        (Some(of), None, _) => of,
        (None, Some(condition), _) => format!("CASE WHEN {condition} THEN 1 END"),
        // Each row has a key, and other than `*` it tells the dataset.
        (None, None, Some(key)) => {
            columns.push(ident(key));
            format!("{}.{}", ident(dataset), ident(key))
        }
        (None, None, None) => "*".to_owned(),
    };
    // Ossie would read the dimension, which the measure does not mean.
    let dimension = |column: &Ident| table.model.dimensions.keys().any(|name| name.eq_ignore_ascii_case(&column.value));
    if columns.iter().any(dimension) || (columns.is_empty() && !sole) {
        return None;
    }
    let text = match aggregate {
        Aggregate::Count => format!("COUNT({counted})"),
        Aggregate::CountDistinct => format!("COUNT(DISTINCT {counted})"),
        Aggregate::Sum => format!("SUM({counted})"),
        Aggregate::Average => format!("AVG({counted})"),
        Aggregate::Min => format!("MIN({counted})"),
        Aggregate::Max => format!("MAX({counted})"),
        Aggregate::Median => format!("MEDIAN({counted})"),
        Aggregate::Percentile => format!("PERCENTILE_CONT({}) WITHIN GROUP (ORDER BY {counted})", fraction.unwrap_or_default()),
    };
    sql::parse(&text).is_ok().then_some(SaidMeasure { text, columns })
}

/// A number as an expression.
#[derive(Clone, Debug)]
struct Said {
    text: String,
    /// Whether it can stand beside any operator as it is.
    whole: bool,
}

impl Said {
    fn inside(&self) -> String {
        if self.whole { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The expressions of a model's measures and metrics, each made once.
pub(crate) struct Expressions<'m> {
    metrics: &'m BTreeMap<String, Metric>,
    /// None while it is made, so that a metric made of itself has none.
    made: BTreeMap<&'m str, Option<Said>>,
}

/// The most metrics inside one another, as queries have it.
pub(crate) const DEEPEST: usize = 20;

impl<'m> Expressions<'m> {
    /// Makes those of the measures. `datasets` has the datasets' names by their tables.
    pub(crate) fn of(model: &'m SemanticModel, datasets: &BTreeMap<String, String>, sole: bool) -> Self {
        let mut made = BTreeMap::new();
        for (name, table) in &model.tables {
            let Some(dataset) = datasets.get(name) else { continue };
            for (name, measure) in &table.model.measures {
                let said = of_measure(dataset, sole, table, measure);
                made.entry(name.as_str()).or_insert_with(|| said.map(|said| Said { text: said.text, whole: true }));
            }
        }
        Self { metrics: &model.metrics, made }
    }

    /// A metric as an expression. None if it goes along a time, is made of what has no expression, or is too long.
    pub(crate) fn metric(&mut self, name: &str) -> Option<String> {
        self.named(name, 0).map(|said| said.text)
    }

    fn named(&mut self, name: &str, depth: usize) -> Option<Said> {
        if let Some(made) = self.made.get(name) {
            return made.clone();
        }
        let (name, metric) = self.metrics.get_key_value(name)?;
        self.made.insert(name, None);
        let Metric { ratio, formula, running, to_date, moving, total, share, only, .. } = metric;
        // What goes along a time, over several groups or over some rows has no expression.
        let is_more =
            [running.is_some(), to_date.is_some(), moving.is_some(), total.is_some(), share.is_some(), only.is_some()];
        let said = match (ratio, formula) {
            _ if depth >= DEEPEST || is_more.contains(&true) => None,
            (Some([of, by]), None) => self.ratio(of, by, depth + 1),
            (None, Some(formula)) => sql::parse(formula).ok().and_then(|tree| self.formula(&tree, depth + 1)),
            _ => None,
        };
        let said = said.filter(|said| said.text.len() <= sql::LONGEST && sql::parse(&said.text).is_ok());
        self.made.insert(name, said.clone());
        said
    }

    fn ratio(&mut self, of: &str, by: &str, depth: usize) -> Option<Said> {
        let (of, by) = (self.named(of, depth)?, self.named(by, depth)?);
        Some(divided(&of, &by))
    }

    fn formula(&mut self, tree: &Expr, depth: usize) -> Option<Said> {
        match tree {
            Expr::Nested(inner) => {
                let inner = self.formula(inner, depth)?;
                Some(Said { text: format!("({})", inner.text), whole: true })
            }
            Expr::Identifier(name) => {
                let named = self.named(&name.value, depth)?;
                Some(Said { text: named.inside(), whole: true })
            }
            Expr::Value(value) if matches!(value.value, Value::Number(..)) => {
                Some(Said { text: tree.to_string(), whole: true })
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                let inner = self.formula(expr, depth)?.inside();
                Some(Said { text: format!("-{inner}"), whole: false })
            }
            Expr::BinaryOp { left, op: BinaryOperator::Divide, right } => {
                let (left, right) = (self.formula(left, depth)?, self.formula(right, depth)?);
                Some(divided(&left, &right))
            }
            Expr::BinaryOp { left, op, right } if is_arithmetic(op) => {
                let (left, right) = (self.formula(left, depth)?, self.formula(right, depth)?);
                Some(Said { text: format!("{} {op} {}", left.text, right.text), whole: false })
            }
            Expr::Function(_) => {
                let numbers = coalesced(tree)?;
                let texts: Vec<String> =
                    numbers.into_iter().map(|one| Some(self.formula(one, depth)?.text)).collect::<Option<_>>()?;
                Some(Said { text: format!("COALESCE({})", texts.join(", ")), whole: true })
            }
            _ => None,
        }
    }
}

/// A division as ours: of numbers with decimals, and null by 0.
fn divided(left: &Said, right: &Said) -> Said {
    Said { text: format!("1.0 * {} / NULLIF({}, 0)", left.inside(), right.text), whole: false }
}

/// Whether formulas know an operator, apart from the division.
pub(crate) fn is_arithmetic(operator: &BinaryOperator) -> bool {
    matches!(operator, BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply)
}

/// The arguments of a function without anything besides, by its name.
pub(crate) fn plain_call(expression: &Expr) -> Option<(String, Vec<&Expr>)> {
    let Expr::Function(function) = expression else { return None };
    let FunctionArguments::List(list) = &function.args else { return None };
    let plain = function.over.is_none()
        && function.filter.is_none()
        && function.within_group.is_empty()
        && list.clauses.is_empty()
        && list.duplicate_treatment.is_none();
    let argument = |one| match one {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref value)) => Some(value),
        _ => None,
    };
    let arguments = list.args.iter().map(argument).collect::<Option<Vec<&Expr>>>()?;
    plain.then(|| (function.name.to_string().to_ascii_uppercase(), arguments))
}

/// The arguments of `coalesce`.
pub(crate) fn coalesced(expression: &Expr) -> Option<Vec<&Expr>> {
    let (name, arguments) = plain_call(expression)?;
    (name == "COALESCE" && arguments.len() > 1).then_some(arguments)
}
