//! What rows are gathered by, and which of it a row of the answer shows.

use super::{
    expression::{column_of, is_of_one_row, mentions, without_parentheses},
    lineage::{Lineage, Place, named, output},
};
use crate::{
    behind::{Compared, MarkCondition, MarkPlace},
    name::fold_ident,
    source::SourceKind,
};
use inlay_contract::{chart::question::Grain, data::ColumnType, filter::FilterValue};
use sqlparser::ast::{Expr, GroupByExpr, Select, SelectItem, Value};

/// A column of the answer that rows are gathered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the answer.
    pub name: String,
    /// Its place in the answer, from 0.
    pub at: usize,
    /// The period that it gathers the days of its place into.
    pub grain: Option<Grain>,
    /// The SQL that makes it of a row.
    expression: String,
    /// The relation, as the query calls it, and its column, where it is one or a period of its days.
    pub(super) place: Option<(String, String)>,
    /// The column of a table that stands at the place.
    lineage: Option<Lineage>,
}

impl Group {
    pub(super) fn new(name: String, at: usize, expression: &Expr, place: Option<Place>) -> Self {
        let expression = expression.to_string();
        match place {
            None => Self { name, at, grain: None, expression, place: None, lineage: None },
            Some(Place { relation, column, grain, lineage }) => {
                Self { name, at, grain, expression, place: Some((relation, column)), lineage }
            }
        }
    }

    /// The column of a table that the group is made of, with the period that its days are gathered into.
    #[must_use]
    pub fn column(&self) -> Option<Lineage> {
        let lineage = self.lineage.clone()?;
        match (self.grain, lineage.grain) {
            // A period of a period: its days are not known.
            (Some(_), Some(_)) => None,
            (grain, inner) => Some(Lineage { grain: grain.or(inner), ..lineage }),
        }
    }

    /// Whether the place holds a column as its table has it, so that its type is known.
    #[must_use]
    pub fn is_column(&self) -> bool {
        self.lineage.as_ref().is_some_and(|lineage| lineage.grain.is_none())
    }

    /// The condition that keeps the rows whose place has a value of the answer, a column of this type; of a period, the rows whose
    /// days are in a range. No value: the rows without one.
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

/// Something that rows are gathered by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub expression: Expr,
    /// The same for SQL.
    pub sql: String,
    /// The column of the answer that shows it, if one does.
    pub shown: Option<usize>,
}

impl Key {
    fn new(expression: &Expr, shown: Option<usize>) -> Self {
        Self { expression: expression.clone(), sql: expression.to_string(), shown }
    }
}

/// What a `SELECT` gathers its rows by; nothing where it gathers none, or all of them into one. None where that cannot be said.
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

/// What is gathered by: an item of the answer, named by its place there, its name or as it is; or something that it does not show.
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
            // Where a column and what is made of it have one name, the column is meant.
            _ => is_named && !mentions(kind, expression, &name),
        }
    };
    match projection.iter().position(shows) {
        Some(at) => named(&projection[at]).map(|(_, expression)| Key::new(expression, Some(at))),
        None => (is_of_one_row(kind, by) && !matches!(by, Expr::Tuple(_))).then(|| Key::new(by, None)),
    }
}
