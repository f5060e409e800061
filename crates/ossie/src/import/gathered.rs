//! Aggregates as measures.

use super::{datasets::Datasets, fields::Meaning};
use crate::{expression::plain_call, names, sql};
use inlay_contract::model::{Aggregate, Measure};
use inlay_sql_walk::expressions_mut;
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, OrderByOptions, Value,
};
use std::ops::ControlFlow;

/// An aggregate as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gathered {
    aggregate: Aggregate,
    fraction: Option<f64>,
    /// None counts rows.
    of: Option<Expr>,
    condition: Option<Expr>,
}

/// The aggregate that an expression is, if it is one that a measure can be.
pub(super) fn gathered(expression: &Expr) -> Option<Gathered> {
    let Expr::Function(function) = sql::bare(expression) else { return None };
    if function.over.is_some() || function.null_treatment.is_some() || !matches!(function.parameters, FunctionArguments::None) {
        return None;
    }
    let (argument, distinct) = argument(function)?;
    let name = function.name.to_string().to_ascii_uppercase();
    let aggregate = match (name.as_str(), distinct) {
        ("COUNT", false) => Aggregate::Count,
        ("COUNT", true) => Aggregate::CountDistinct,
        ("SUM", false) => Aggregate::Sum,
        ("AVG", false) => Aggregate::Average,
        ("MIN", _) => Aggregate::Min,
        ("MAX", _) => Aggregate::Max,
        ("MEDIAN", false) => Aggregate::Median,
        ("PERCENTILE_CONT", false) => Aggregate::Percentile,
        _ => return None,
    };
    let (fraction, argument) = match (aggregate, function.within_group.as_slice()) {
        (Aggregate::Percentile, [by]) if by.options == OrderByOptions::default() && by.with_fill.is_none() => {
            (Some(fraction(argument.as_ref()?)?), Some(by.expr.clone()))
        }
        (Aggregate::Percentile, _) => return None,
        (_, []) => (None, argument),
        _ => return None,
    };
    let filter = function.filter.as_deref().cloned();
    let (of, condition) = match (argument.as_ref().and_then(filtered), filter) {
        (Some(_), Some(_)) => return None,
        (Some((of, condition)), None) => (Some(of), Some(condition)),
        (None, filter) => (argument, filter),
    };
    let of = of.filter(|of| aggregate != Aggregate::Count || !is_constant(of));
    (of.is_some() || aggregate == Aggregate::Count).then_some(Gathered { aggregate, fraction, of, condition })
}

/// The one argument, none for `*`, and whether only different values count.
fn argument(function: &Function) -> Option<(Option<Expr>, bool)> {
    let FunctionArguments::List(list) = &function.args else { return None };
    let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    match list.args.as_slice() {
        [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] if !distinct && list.clauses.is_empty() => Some((None, false)),
        [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] if list.clauses.is_empty() => {
            Some((Some(argument.clone()), distinct))
        }
        _ => None,
    }
}

fn fraction(argument: &Expr) -> Option<f64> {
    let Expr::Value(value) = argument else { return None };
    let Value::Number(digits, _) = &value.value else { return None };
    digits.parse().ok().filter(|fraction| *fraction > 0.0 && *fraction < 1.0)
}

/// The value and the condition of `CASE WHEN condition THEN value END`.
fn filtered(argument: &Expr) -> Option<(Expr, Expr)> {
    let Expr::Case { operand: None, conditions, else_result, .. } = sql::bare(argument) else { return None };
    let is_null = |one: &Expr| matches!(one, Expr::Value(value) if value.value == Value::Null);
    match conditions.as_slice() {
        [when] if else_result.as_deref().is_none_or(is_null) => Some((when.result.clone(), when.condition.clone())),
        _ => None,
    }
}

fn is_constant(of: &Expr) -> bool {
    let Expr::Value(value) = of else { return false };
    matches!(value.value, Value::Number(..) | Value::Boolean(true) | Value::SingleQuotedString(_))
}

/// The measure of an aggregate and its table, with columns in place of fields.
///
/// # Errors
/// Why it is no measure of one table.
pub(super) fn measure(gathered: &Gathered, datasets: &Datasets) -> Result<(String, Measure), String> {
    let mut owner = None;
    let mut own = |expression: &Option<Expr>| -> Result<Option<Expr>, String> {
        let Some(expression) = expression else { return Ok(None) };
        sql::of_one_row(expression)?;
        let mut made = expression.clone();
        resolve(&mut made, datasets, &mut owner)?;
        Ok(Some(made))
    };
    let (of, condition) = (own(&gathered.of)?, own(&gathered.condition)?);
    let table = match owner {
        Some(table) => table,
        None if datasets.count == 1 => datasets.read.values().next().ok_or("names no dataset that was read")?.table.clone(),
        None => return Err("names no column, so it could count any of the datasets".to_owned()),
    };
    let text = |expression: Option<Expr>| match expression {
        None => Ok(None),
        Some(one) => sql::printed(&one).map(Some).ok_or_else(|| "holds a text with a quote behind a backslash".to_owned()),
    };
    let of = text(of)?;
    let measure = Measure { condition: text(condition)?, fraction: gathered.fraction, ..Measure::new(gathered.aggregate, of) };
    Ok((table, measure))
}

/// Puts columns in place of fields. All must be of one table.
fn resolve(expression: &mut Expr, datasets: &Datasets, owner: &mut Option<String>) -> Result<(), String> {
    let found = expressions_mut(expression, |part: &mut Expr| {
        let parts = match part {
            Expr::Identifier(name) => vec![name.clone()],
            Expr::CompoundIdentifier(parts) => parts.clone(),
            _ => return ControlFlow::Continue(()),
        };
        match column(&parts, datasets) {
            Ok((table, _)) if owner.as_ref().is_some_and(|owner| *owner != table) => {
                let first = owner.clone().unwrap_or_default();
                ControlFlow::Break(format!("reads several tables ({first} and {table}) within one aggregate"))
            }
            Ok((table, made)) => {
                *owner = Some(table);
                *part = made;
                ControlFlow::Continue(())
            }
            Err(why) => ControlFlow::Break(why),
        }
    });
    match found {
        ControlFlow::Break(why) => Err(why),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// What `dataset.field` or `field` means, with its table.
fn column(parts: &[Ident], datasets: &Datasets) -> Result<(String, Expr), String> {
    let (read, name) = match parts {
        [dataset, name] => {
            let (_, read) =
                datasets.named(dataset).ok_or_else(|| format!("names `{dataset}`, which is not a dataset that was read"))?;
            (read, name)
        }
        [name] => {
            let has = |read: &&super::datasets::Read| read.fields.keys().any(|field| field.eq_ignore_ascii_case(&name.value));
            let mut owners = datasets.read.values().filter(|read| datasets.count == 1 || has(read));
            match (owners.next(), owners.next()) {
                (Some(read), None) => (read, name),
                _ => return Err(format!("names `{name}` without its dataset")),
            }
        }
        _ => return Err("names a column by more than its dataset".to_owned()),
    };
    let made = match read.meaning(name) {
        Meaning::Column(column) if names::is_listed(&column.value) => Expr::Identifier(column),
        Meaning::Computed(expression) => Expr::Nested(expression),
        Meaning::Column(_) | Meaning::Unknown => return Err(format!("names the field `{name}`, which was not read")),
    };
    Ok((read.table.clone(), made))
}

/// The number without `NULLIF(…, 0)` around it: our divisions by 0 are null anyway.
pub(super) fn divisor(expression: &Expr) -> &Expr {
    match plain_call(sql::bare(expression)) {
        Some((name, arguments)) => match (name.as_str(), arguments.as_slice()) {
            ("NULLIF", [inner, zero]) if sql::is_number(zero, 0.0) => sql::bare(inner),
            ("NULLIFZERO", [inner]) => sql::bare(inner),
            _ => sql::bare(expression),
        },
        None => sql::bare(expression),
    }
}
