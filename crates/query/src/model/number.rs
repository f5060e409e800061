//! The numbers of a query: measures, and what metrics make of them.

use super::{
    Made, NoMeaning,
    definition::{Model, listed},
    groups::Place,
    own::Own,
};
use crate::{source::SourceKind, sql::parse_expression};
use inlay_contract::{
    chart::question::Grain,
    format::NumberFormat,
    model::{Measure, Metric, ModelFilter, Only, QueryMeasure, Whole},
};
use sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator, Value};

/// The most metrics inside one another.
const DEEPEST: usize = 20;
/// The most filters of one metric.
const MOST_FILTERS: usize = 100;
/// The longest formula, in bytes. Who asks may write one.
const LONGEST: usize = 4_000;
/// The most parts of the numbers of a query, metrics within metrics counted each time: a formula that names another twice
/// doubles it.
const MOST_PARTS: usize = 2_000;

/// A measure that a query needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base<'a> {
    pub table: &'a str,
    pub name: &'a str,
    pub measure: &'a Measure,
    /// What a measure of the query alone gathers.
    pub own: Option<&'a QueryMeasure>,
    /// Which rows count, beside the measure's own condition.
    pub only: &'a [ModelFilter],
}

/// How a number is made of measures, each by its place among those that the query needs.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Number {
    Base(usize),
    Constant(String),
    Operation(BinaryOperator, Box<Number>, Box<Number>),
    /// The sum of all periods up to each.
    Running(usize),
    /// The same, anew in each longer period.
    ToDate(usize, Grain),
    /// The mean of so many periods up to each.
    Moving(usize, u16),
    /// All groups together that are alike in these columns of the answer.
    Whole(usize, Vec<String>),
    /// The first that is not null.
    Either(Vec<Number>),
}

impl Number {
    /// Whether it goes along the periods of the answer.
    pub(super) fn goes_along(&self) -> bool {
        match self {
            Self::Base(_) | Self::Constant(_) | Self::Whole(..) => false,
            Self::Operation(_, left, right) => left.goes_along() || right.goes_along(),
            Self::Either(numbers) => numbers.iter().any(Self::goes_along),
            Self::Running(_) | Self::ToDate(..) | Self::Moving(..) => true,
        }
    }

    /// The shortest period with which a part of it begins anew.
    pub(super) fn begins_anew(&self) -> Option<Grain> {
        match self {
            Self::ToDate(_, grain) => Some(*grain),
            Self::Operation(_, left, right) => left.begins_anew().into_iter().chain(right.begins_anew()).min(),
            Self::Either(numbers) => numbers.iter().filter_map(Self::begins_anew).min(),
            _ => None,
        }
    }

    /// The columns of the answer that it names.
    pub(super) fn within(&self) -> Vec<&str> {
        match self {
            Self::Whole(_, within) => within.iter().map(String::as_str).collect(),
            Self::Operation(_, left, right) => [left.within(), right.within()].concat(),
            Self::Either(numbers) => numbers.iter().flat_map(Self::within).collect(),
            _ => Vec::new(),
        }
    }

    /// The moving means in it.
    pub(super) fn moving(&self, found: &mut Vec<(usize, u16)>) {
        match self {
            Self::Moving(base, periods) if !found.contains(&(*base, *periods)) => found.push((*base, *periods)),
            Self::Operation(_, left, right) => {
                left.moving(found);
                right.moving(found);
            }
            Self::Either(numbers) => numbers.iter().for_each(|number| number.moving(found)),
            _ => {}
        }
    }
}

/// A number that was asked for.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub name: String,
    pub label: String,
    pub format: Option<NumberFormat>,
    pub number: Number,
}

fn one_way(at: &str, name: &str) -> NoMeaning {
    let why =
        format!("the metric `{name}` must have exactly one of ratio, formula, running, toDate, moving, total, share and only");
    NoMeaning::new(at, why)
}

/// The arguments of `coalesce`.
fn coalesced(function: &Function) -> Option<Vec<&Expr>> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let plain =
        function.over.is_none() && function.filter.is_none() && list.clauses.is_empty() && list.duplicate_treatment.is_none();
    if !plain || list.args.len() < 2 || !function.name.to_string().eq_ignore_ascii_case("coalesce") {
        return None;
    }
    let argument = |one| match one {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref value)) => Some(value),
        _ => None,
    };
    list.args.iter().map(argument).collect()
}

/// Collects the measures that numbers need.
pub(super) struct Reader<'a> {
    pub kind: SourceKind,
    pub model: &'a Model,
    pub bases: Vec<Base<'a>>,
    /// The metrics and measures of the query alone.
    own: Option<&'a Own<'a>>,
    /// The metrics that are being read, for cycles.
    within: Vec<String>,
    /// Which rows count for the number that is being read.
    only: &'a [ModelFilter],
    parts: usize,
}

impl<'a> Reader<'a> {
    pub(super) const fn of(kind: SourceKind, model: &'a Model) -> Self {
        Self { kind, model, bases: Vec::new(), own: None, within: Vec::new(), only: &[], parts: 0 }
    }

    /// A reader that also knows the metrics and measures of a query alone.
    pub(super) const fn of_query(kind: SourceKind, model: &'a Model, own: &'a Own<'a>) -> Self {
        Self { kind, model, bases: Vec::new(), own: Some(own), within: Vec::new(), only: &[], parts: 0 }
    }

    fn metric_of(&self, name: &str) -> Option<&'a Metric> {
        self.model.metrics.get(name).or_else(|| self.own?.metrics.get(name))
    }

    fn measure_of(&self, name: &str) -> Option<Base<'a>> {
        let declared = self.model.measure(name);
        let declared = declared.map(|(table, name, measure)| Base { table, name, measure, own: None, only: &[] });
        declared.or_else(|| self.own?.measure(name))
    }

    /// The names of all numbers that can be asked for.
    pub(super) fn known(&self) -> String {
        listed(self.own.into_iter().flat_map(Own::names).chain(self.model.numbers()))
    }

    /// A measure or metric by its name.
    pub(super) fn asked(&mut self, at: &str, name: &str) -> Made<Asked> {
        let number = self.number(at, name)?;
        let (label, format) = self.shown(name);
        Ok(Asked { name: name.to_owned(), label: label.unwrap_or_else(|| name.to_owned()), format, number })
    }

    /// The label and format of a number. Those of some rows alone are the whole number's, with the filters.
    fn shown(&self, name: &str) -> (Option<String>, Option<NumberFormat>) {
        match (self.measure_of(name), self.metric_of(name)) {
            (Some(Base { measure, .. }), _) => (measure.label.clone(), measure.format.clone()),
            (None, Some(Metric { only: Some(only), label, format, .. })) => {
                let (of, its) = self.shown(&only.of);
                let conditions = |fact| self.own.map(|own| own.conditions(self.model, fact, &only.filters));
                let fact = self.bases.iter().find(|base| base.only == only.filters).and_then(|base| conditions(base.table));
                let narrowed = fact.map(|fact| format!("{} where {fact}", of.unwrap_or_else(|| only.of.clone())));
                (label.clone().or(narrowed), format.clone().or(its))
            }
            (None, Some(metric)) => (metric.label.clone(), metric.format.clone()),
            (None, None) => (None, None),
        }
    }

    pub(super) fn number(&mut self, at: &str, name: &str) -> Made<Number> {
        self.parts += 1;
        if self.parts > MOST_PARTS {
            return Err(NoMeaning::new(
                at,
                format!("metrics are made of more than {MOST_PARTS} parts together; ask for fewer"),
            ));
        }
        if self.measure_of(name).is_some() {
            return self.base(at, name).map(Number::Base);
        }
        let Some(metric) = self.metric_of(name) else {
            let known = self.known();
            return Err(NoMeaning::new(at, format!("there is no measure `{name}`; the measures are {known}")));
        };
        if self.within.iter().any(|one| one == name) {
            let way = self.within.join(" → ");
            return Err(NoMeaning::new(at, format!("the metric `{name}` is made of itself: {way} → {name}")));
        }
        if self.within.len() >= DEEPEST {
            return Err(NoMeaning::new(at, format!("metrics lie more than {DEEPEST} deep in one another")));
        }
        self.within.push(name.to_owned());
        let before = self.bases.len();
        let made = self.metric(at, name, metric);
        self.within.pop();
        if self.bases.is_empty() && before == 0 && made.is_ok() {
            return Err(NoMeaning::new(at, format!("the metric `{name}` names no measure")));
        }
        made
    }

    fn metric(&mut self, at: &str, name: &str, metric: &'a Metric) -> Made<Number> {
        let Metric { ratio, formula, running, to_date, moving, total, share, only, .. } = metric;
        let whole = match (total, share) {
            (None, None) => None,
            (Some(of), None) => Some((of, false)),
            (None, Some(of)) => Some((of, true)),
            (Some(_), Some(_)) => return Err(one_way(at, name)),
        };
        let is_made =
            [formula, running].into_iter().any(Option::is_some) || ratio.is_some() || to_date.is_some() || moving.is_some();
        match only {
            Some(_) if is_made || whole.is_some() => return Err(one_way(at, name)),
            Some(only) => return self.narrowed(at, name, only),
            None => {}
        }
        match (ratio, formula, running, to_date, moving) {
            (None, None, None, None, None) if let Some((of, is_share)) = whole => self.part(at, name, of, is_share),
            _ if whole.is_some() => Err(one_way(at, name)),
            (Some([of, by]), None, None, None, None) => {
                let (of, by) = (self.number(at, of)?, self.number(at, by)?);
                Ok(Number::Operation(BinaryOperator::Divide, Box::new(of), Box::new(by)))
            }
            (None, Some(formula), None, None, None) if formula.len() > LONGEST => {
                Err(NoMeaning::new(at, format!("the formula of `{name}` is too long: it may have {LONGEST} letters")))
            }
            (None, Some(formula), None, None, None) => {
                let tree = parse_expression(self.kind, formula)
                    .map_err(|refusal| NoMeaning::new(at, format!("the formula of `{name}` cannot be read: {}", refusal.0)))?;
                self.formula(at, name, &tree)
            }
            (None, None, Some(of), None, None) => Ok(Number::Running(self.summed(at, name, of)?)),
            (None, None, None, Some(to_date), None) => Ok(Number::ToDate(self.summed(at, name, &to_date.of)?, to_date.grain)),
            (None, None, None, None, Some(moving)) => {
                if !(2..=1000).contains(&moving.periods) {
                    return Err(NoMeaning::new(at, format!("the metric `{name}` moves over 2 to 1,000 periods")));
                }
                Ok(Number::Moving(self.summed(at, name, &moving.of)?, moving.periods))
            }
            _ => Err(one_way(at, name)),
        }
    }

    /// A number of the rows that meet filters: each of its measures counts these alone.
    fn narrowed(&mut self, at: &str, name: &str, only: &'a Only) -> Made<Number> {
        let wrong = |why: String| Err(NoMeaning::new(at, why));
        match only.filters.len() {
            0 => return wrong(format!("the metric `{name}` has no filters; say in `only` which rows count")),
            count if count > MOST_FILTERS => {
                return wrong(format!("the metric `{name}` has more than {MOST_FILTERS} filters"));
            }
            _ if !self.only.is_empty() => {
                return wrong(format!(
                    "the metric `{name}` has `only` within another metric's `only`; put all filters into one of them"
                ));
            }
            _ if only.filters.iter().any(|filter| filter.newest) => {
                return wrong(format!("the metric `{name}` filters the newest rows, which are those of a whole query"));
            }
            _ => {}
        }
        self.only = &only.filters;
        let made = self.number(at, &only.of);
        self.only = &[];
        made
    }

    /// A number of the whole, or the part of it that a group has.
    fn part(&mut self, at: &str, name: &str, asked: &Whole, is_share: bool) -> Made<Number> {
        let of = self.number(at, &asked.of)?;
        let whole = self.whole(at, name, asked, &of)?;
        Ok(if is_share { Number::Operation(BinaryOperator::Divide, Box::new(of), Box::new(whole)) } else { whole })
    }

    /// A number with the sums over the whole in place of its measures.
    fn whole(&self, at: &str, name: &str, asked: &Whole, of: &Number) -> Made<Number> {
        Ok(match of {
            Number::Base(base) => {
                let Base { name: measured, measure, .. } = self.bases[*base];
                if !measure.aggregate.adds_up() || measure.take.is_some() {
                    let why = format!(
                        "`{name}` adds up `{measured}` over the groups, but only sums and counts of all rows add up; use one of those"
                    );
                    return Err(NoMeaning::new(at, why));
                }
                Number::Whole(*base, asked.within.clone())
            }
            Number::Constant(digits) => Number::Constant(digits.clone()),
            Number::Operation(op, left, right) => {
                let (left, right) = (self.whole(at, name, asked, left)?, self.whole(at, name, asked, right)?);
                Number::Operation(op.clone(), Box::new(left), Box::new(right))
            }
            Number::Either(numbers) => {
                Number::Either(numbers.iter().map(|one| self.whole(at, name, asked, one)).collect::<Made<_>>()?)
            }
            Number::Running(_) | Number::ToDate(..) | Number::Moving(..) | Number::Whole(..) => {
                let why = format!(
                    "`{name}` cannot be of `{}`, which goes along a time or is itself of several groups; take a measure, a ratio or a formula",
                    asked.of
                );
                return Err(NoMeaning::new(at, why));
            }
        })
    }

    fn formula(&mut self, at: &str, name: &str, tree: &Expr) -> Made<Number> {
        match tree {
            Expr::Nested(inner) => self.formula(at, name, inner),
            Expr::Identifier(ident) => self.number(at, &ident.value),
            Expr::Value(value) if let Value::Number(digits, _) = &value.value => Ok(Number::Constant(digits.clone())),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                let zero = Number::Constant("0".to_owned());
                Ok(Number::Operation(BinaryOperator::Minus, Box::new(zero), Box::new(self.formula(at, name, expr)?)))
            }
            Expr::Function(function) if let Some(arguments) = coalesced(function) => {
                let numbers = arguments.into_iter().map(|one| self.formula(at, name, one)).collect::<Made<_>>()?;
                Ok(Number::Either(numbers))
            }
            Expr::BinaryOp { left, op, right }
                if matches!(
                    op,
                    BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Multiply | BinaryOperator::Divide
                ) =>
            {
                let (left, right) = (self.formula(at, name, left)?, self.formula(at, name, right)?);
                Ok(Number::Operation(op.clone(), Box::new(left), Box::new(right)))
            }
            _ => Err(NoMeaning::new(
                at,
                format!(
                    "the formula of `{name}` may hold names of measures, numbers, + - * /, coalesce and parentheses, not `{tree}`"
                ),
            )),
        }
    }

    fn base(&mut self, at: &str, name: &str) -> Made<usize> {
        let Some(measure) = self.measure_of(name) else {
            let known = self.known();
            return Err(NoMeaning::new(at, format!("there is no measure `{name}`; the measures are {known}")));
        };
        if let Some(known) = self.bases.iter().position(|base| base.name == name && base.only == self.only) {
            return Ok(known);
        }
        if !self.only.is_empty() && measure.measure.take.is_some() {
            let why = format!("`only` cannot narrow `{name}`, which takes the first or last rows; filter the whole query");
            return Err(NoMeaning::new(at, why));
        }
        for filter in self.only {
            Place::of(self.model, at, measure.table, &filter.dimension, filter.via.as_deref())?;
        }
        self.bases.push(Base { only: self.only, ..measure });
        Ok(self.bases.len() - 1)
    }

    /// A measure whose numbers may be added up.
    fn summed(&mut self, at: &str, name: &str, of: &str) -> Made<usize> {
        let base = self.base(at, of)?;
        let Base { measure, .. } = self.bases[base];
        if measure.aggregate.adds_up() && measure.take.is_none() {
            return Ok(base);
        }
        Err(NoMeaning::new(
            at,
            format!("`{name}` adds up `{of}` over time, but only sums and counts of whole periods add up; use one of those"),
        ))
    }
}
