//! The grouping of a query, and the columns of its result that show it.

use super::{
    expression::{column_of, is_of_one_row, mentions, without_parentheses},
    lineage::{ColumnOrigin, Lineage, named, output},
};
use crate::{
    drill_down::{Compared, MarkCondition, MarkPlace},
    name::fold_ident,
    source::SourceKind,
};
use inlay_contract::{chart::question::Grain, data::ColumnType, filter::FilterValue};
use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, Value};

/// A result column that rows are grouped by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the result.
    pub name: String,
    /// Its position in the result, from 0.
    pub at: usize,
    /// The period that its dates are truncated to.
    pub grain: Option<Grain>,
    /// Its SQL expression over a row.
    expression: String,
    /// The relation's name in the query and its column, if the expression is a column or a period of one.
    pub(super) place: Option<(String, String)>,
    /// The table's column behind it.
    lineage: Option<Lineage>,
}

impl Group {
    pub(super) fn new(name: String, at: usize, expression: &Expr, place: Option<ColumnOrigin>) -> Self {
        let expression = expression.to_string();
        match place {
            None => Self { name, at, grain: None, expression, place: None, lineage: None },
            Some(ColumnOrigin { relation, column, grain, lineage }) => {
                Self { name, at, grain, expression, place: Some((relation, column)), lineage }
            }
        }
    }

    /// The table's column that the group comes from, with the period that its dates are truncated to.
    #[must_use]
    pub fn column(&self) -> Option<Lineage> {
        let lineage = self.lineage.clone()?;
        match (self.grain, lineage.grain) {
            // A period of a period: the dates are not known.
            (Some(_), Some(_)) => None,
            (grain, inner) => Some(Lineage { grain: grain.or(inner), ..lineage }),
        }
    }

    /// Whether it is an unchanged column of a table, so that its type is known.
    #[must_use]
    pub fn is_column(&self) -> bool {
        self.lineage.as_ref().is_some_and(|lineage| lineage.grain.is_none())
    }

    /// The condition for the rows of a value in the result, in a column of this type. For a period, the rows with dates in a
    /// range. `None` means the rows without a value.
    #[must_use]
    pub fn condition(&self, value: Option<FilterValue>, kind: ColumnType) -> MarkCondition {
        let is_range = matches!(value, Some(FilterValue::Range { .. }));
        let place = self.place.as_ref().filter(|_| self.grain.is_none() || is_range);
        let unchanged = self.lineage.as_ref().filter(|lineage| place.is_some() && lineage.grain.is_none());
        MarkCondition {
            place: match place {
                Some((relation, column)) => MarkPlace::Column { relation: relation.clone(), column: column.clone() },
                None => MarkPlace::Expression(self.expression.clone()),
            },
            compared: match unchanged {
                Some(lineage) => Compared::As { table: lineage.table.clone(), column: lineage.column.clone() },
                None => Compared::Answered(kind),
            },
            value,
        }
    }
}

/// A grouping expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub expression: Expr,
    /// Its SQL.
    pub sql: String,
    /// The result column that shows it, if there is one.
    pub shown: Option<usize>,
}

impl Key {
    fn new(expression: &Expr, shown: Option<usize>) -> Self {
        Self { expression: expression.clone(), sql: expression.to_string(), shown }
    }
}

/// A `SELECT`'s grouping expressions. Empty if it does not group, or groups all rows into one. `None` if they cannot be
/// determined.
pub(super) fn keys(kind: SourceKind, select: &Select) -> Option<Vec<Key>> {
    let GroupByExpr::Expressions(by, modifiers) = &select.group_by else { return None };
    if !modifiers.is_empty() {
        return None;
    }
    if by.is_empty() && select.distinct.is_some() {
        let items = select.projection.iter().enumerate();
        return items.map(|(at, item)| named(item).map(|(_, expression)| Key::new(expression, Some(at)))).collect();
    }
    by.iter().map(|by| key(kind, by, &select.projection)).collect()
}

/// A grouping expression: a result column by position, by name or by its expression, or one that is not shown.
fn key(kind: SourceKind, by: &Expr, projection: &[SelectItem]) -> Option<Key> {
    if let Expr::Value(value) = by {
        let Value::Number(place, _) = &value.value else { return None };
        let at = place.parse::<usize>().ok()?.checked_sub(1)?;
        let (_, expression) = named(projection.get(at)?)?;
        return Some(Key::new(expression, Some(at)));
    }
    let by = without_parentheses(by);
    let shows = |item: &SelectItem| {
        let Some((_, expression)) = named(item) else { return false };
        let expression = without_parentheses(expression);
        let Expr::Identifier(name) = by else { return expression == by };
        let name = fold_ident(kind, name);
        let is_named = output(item).is_some_and(|output| fold_ident(kind, output) == name);
        match column_of(expression) {
            Some(column) if fold_ident(kind, column) == name => true,
            // If a column and a computed item have the same name, the column is meant.
            _ => is_named && !mentions(kind, expression, &name),
        }
    };
    match projection.iter().position(shows) {
        Some(at) => named(&projection[at]).map(|(_, expression)| Key::new(expression, Some(at))),
        None => (is_of_one_row(kind, by) && !matches!(by, Expr::Tuple(_))).then(|| Key::new(by, None)),
    }
}
