//! Row rules: `origin = {{organization.airport}}`. A rule is a condition on one table's columns, with placeholders that become
//! bound values. It has its own allow-list, which is shorter than a query's: no subqueries, no aggregates.

mod conditions;
mod exact;
mod placeholders;
mod strangers;

pub(crate) use strangers::reach;
pub use strangers::{Wanted, unseen_value};

use crate::{
    bind::Binds,
    property::{PropertyPath, SecurityContext},
    schema::{Class, SourceColumn},
    source::SourceKind,
    sql::{Refusal, on_deep_stack, parse_condition},
};
use inlay_contract::data::Column;
use serde_json::{Value, json};
use sqlparser::ast::Expr;
use std::cell::RefCell;

/// A rule that no row meets.
pub(crate) const NO_ROW: &str = "1 = 0";

/// What is wrong with a rule, for its author.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidRule(pub(crate) String);

impl InvalidRule {
    fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// The result of reading a part of a rule.
type Made<T = Expr> = Result<T, InvalidRule>;

fn refuse<T>(reason: &str) -> Made<T> {
    Err(InvalidRule::new(reason))
}

/// Checks a rule when it is saved: it must parse, use columns of the table, and have placeholders only where a value can be
/// compared.
///
/// # Errors
/// A sentence for the operator.
pub fn validate_rule(rule: &str, kind: SourceKind, columns: &[Column]) -> Result<(), InvalidRule> {
    let columns: Vec<_> =
        columns.iter().map(|column| SourceColumn::new(column.name.clone(), Class::of_column_type(column.kind))).collect();
    on_deep_stack(|| resolve(rule, kind, &columns, &Values::Samples, &mut Binds::default()).map(drop))
}

/// The properties that a rule reads, in the order of its text. None for a rule whose placeholders cannot be read.
#[must_use]
pub fn properties_read(rule: &str, kind: SourceKind) -> Vec<PropertyPath> {
    placeholders::replace(kind, rule).map(|(_, properties)| properties).unwrap_or_default()
}

/// A rule's condition for a viewer.
#[derive(Debug)]
pub(crate) struct RowCondition {
    /// True for the rows that the viewer may see.
    pub expression: Expr,
    /// Whether its meaning could depend on the session's time zone.
    pub reads_times: bool,
}

/// Creates a rule's condition for a viewer.
pub(crate) fn condition(
    rule: &str,
    kind: SourceKind,
    columns: &[SourceColumn],
    viewer: &SecurityContext,
    binds: &mut Binds,
) -> Result<RowCondition, InvalidRule> {
    resolve(rule, kind, columns, &Values::Of(viewer), binds)
}

fn resolve(
    rule: &str,
    kind: SourceKind,
    columns: &[SourceColumn],
    values: &Values<'_>,
    binds: &mut Binds,
) -> Result<RowCondition, InvalidRule> {
    let (text, properties) = placeholders::replace(kind, rule)?;
    let expression = parse_condition(kind, &text).map_err(|Refusal(problem)| InvalidRule(problem))?;
    let mut conditions = conditions::Conditions { kind, columns, properties: &properties, values, binds, reads_times: false };
    let expression = conditions.condition(&expression)?;
    Ok(RowCondition { expression, reads_times: conditions.reads_times })
}

/// The source of the placeholders' values.
enum Values<'a> {
    /// The viewer's properties.
    Of(&'a SecurityContext),
    /// Sample values, if the rule is only checked.
    Samples,
    /// The same, and what they are compared with is noted.
    Noted(&'a RefCell<Vec<(PropertyPath, Class)>>),
}

impl Values<'_> {
    fn of(&self, path: &PropertyPath, class: Class) -> Result<Value, InvalidRule> {
        match self {
            Self::Of(viewer) => {
                let missing = || InvalidRule::new(format!("the viewer has no property {path}"));
                viewer.property(path).cloned().ok_or_else(missing)
            }
            Self::Noted(noted) => {
                noted.borrow_mut().push((path.clone(), class));
                Values::Samples.of(path, class)
            }
            Self::Samples => Ok(match class {
                Class::Integer | Class::Decimal | Class::Real | Class::Double => json!(1),
                Class::Boolean => json!(true),
                Class::Date | Class::Timestamp | Class::Moment => json!("2001-01-31"),
                Class::Uuid => json!("00000000-0000-0000-0000-000000000000"),
                Class::Text | Class::ByText | Class::Other => json!("x"),
            }),
        }
    }
}

#[cfg(test)]
mod tests;
