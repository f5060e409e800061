//! The shape of a chart's query, for follow-up queries: its groups, its measures and its source. Only a `SELECT` has a shape,
//! over tables, `WITH` or subqueries. For any other query there is none, so that nobody is shown rows that are not behind a
//! mark.

mod expression;
mod group;
mod lineage;
mod listing;

use crate::{
    catalog::Catalog,
    dialect::{Backslash, dialect},
    error::QueryError,
    name::{fold, quote},
    source::SourceKind,
    sql::{
        check::{Author, check},
        on_deep_stack, parse,
    },
};
use expression::{aggregates, is_determined, is_of_one_row};
pub use group::Group;
use group::{Key, keys};
pub use lineage::Lineage;
use lineage::{Part, Relations, named, standing_alone};
pub use listing::Listing;
use sqlparser::ast::{Distinct, Expr, JoinOperator, Query, Select, SelectItem, SetExpr, Statement};

/// The shape of a chart's query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The groups. For a query that does not group, every column.
    pub groups: Vec<Group>,
    /// Whether a row of the result stands for several rows.
    pub gathers: bool,
    /// Whether the groups identify a row of the result completely.
    complete: bool,
    /// The grouping expressions, shown or not.
    keys: Vec<Key>,
    /// The measures: the name in the result, and the SQL.
    measures: Vec<(String, String)>,
    /// `WITH …` and a space, or nothing.
    with: String,
    /// `FROM` and `WHERE`.
    origin: String,
    /// The first relation: its table in the catalogue, if it is one, and its name in the query.
    first: (Option<String>, String),
    /// The shape of the query that grouped this one's rows, if each of these rows is a group there.
    beneath: Option<Box<Shape>>,
    kind: SourceKind,
}

impl Shape {
    /// The table whose rows are listed, as named in the catalogue. `None` if they come from `WITH` or a subquery.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        self.first.0.as_deref()
    }

    /// The shape whose rows a mark stands for, given the result columns that identify the mark. If the mark identifies a whole
    /// group of the query beneath, that query's; otherwise this one's. `None` if the mark does not identify enough.
    #[must_use]
    pub fn behind(&self, tells: impl Fn(usize) -> bool) -> Option<&Self> {
        let told = |shape: &&Self| shape.groups.iter().all(|group| tells(group.at));
        self.beneath.as_deref().filter(told).or_else(|| self.complete.then_some(self))
    }

    /// Whether marks can filter the dashboard: all groups must be columns of tables.
    #[must_use]
    pub fn narrows(&self) -> bool {
        let shape = self.beneath.as_deref().unwrap_or(self);
        let is_shown = |key: &Key| key.shown.is_some();
        let is_column = |group: &Group| group.column().is_some();
        shape.gathers && !shape.groups.is_empty() && shape.groups.iter().all(is_column) && shape.keys.iter().all(is_shown)
    }

    /// The shape of all rows together, of all groups.
    #[must_use]
    pub fn whole(&self) -> Self {
        Self { groups: Vec::new(), keys: Vec::new(), beneath: None, complete: true, ..self.clone() }
    }

    /// A query that returns a row for each group that matches a mark, up to the limit, to check that the conditions match as
    /// expected. `None` if these result columns are all groups, so that no check is needed.
    #[must_use]
    pub fn kept_groups(&self, tells: impl Fn(usize) -> bool, limit: usize) -> Option<String> {
        let known = self.keys.iter().all(|key| key.shown.is_some_and(&tells));
        let name = |at: usize| quote(self.kind, &format!("marked_{at}"));
        let keys: Vec<String> = self.keys.iter().enumerate().map(|(at, key)| format!("{} AS {}", key.sql, name(at))).collect();
        (!known).then(|| self.select(&format!("DISTINCT {}", keys.join(", ")), &format!("LIMIT {limit}")))
    }

    fn select(&self, columns: &str, rest: &str) -> String {
        format!("{}SELECT {columns} {} {rest}", self.with, self.origin)
    }
}

/// The shape of a chart's query, if it has one.
///
/// # Errors
/// The query is not allowed.
pub fn shape(kind: SourceKind, sql: &str, catalog: &Catalog) -> Result<Option<Shape>, QueryError> {
    on_deep_stack(|| {
        let statement = parse(kind, sql)?;
        check(kind, Author::Chart, &statement)?;
        Ok(of_statement(kind, &statement, catalog))
    })
}

/// The shape of a checked query.
pub(crate) fn of_statement(kind: SourceKind, statement: &Statement, catalog: &Catalog) -> Option<Shape> {
    let Statement::Query(query) = statement else { return None };
    // Its parts are printed and parsed again, and escapes in texts are not printed as they were written.
    if dialect(kind).lexis().backslash != Backslash::Letter && query.to_string().contains('\\') {
        return None;
    }
    of_query(kind, query, catalog, &[], 0)
}

/// The shape of a query, with the parts of `WITH` in its scope and its nesting depth.
fn of_query(kind: SourceKind, query: &Query, catalog: &Catalog, seen: &[Part<'_>], depth: u8) -> Option<Shape> {
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    if matches!(select.distinct, Some(Distinct::On(_))) || select.qualify.is_some() {
        return None;
    }
    let relations = Relations::of(kind, catalog, query, seen, depth)?;
    let keys = keys(kind, select)?;
    let has_keys = !keys.is_empty();
    let (mut groups, mut measures, mut others) = (Vec::new(), Vec::new(), 0);
    for (at, item) in select.projection.iter().enumerate() {
        let (name, expression) = named(item)?;
        let place = relations.place_of(expression);
        // Besides groups, only columns that depend on them and expressions of them are allowed.
        let is_group = match &place {
            Some(place) if place.grain.is_none() => true,
            Some(_) => !has_keys || is_determined(expression, keys.iter().map(|key| &key.expression)),
            None => {
                is_of_one_row(kind, expression)
                    && (!has_keys || is_determined(expression, keys.iter().map(|key| &key.expression)))
            }
        };
        if is_group {
            groups.push(Group::new(name, at, expression, place));
        } else if aggregates(kind, expression) {
            measures.push((name, expression.to_string()));
        } else {
            others += 1;
        }
    }
    // A measure of all rows cannot be next to a column of one. A row of a grouping query is identified by its groups.
    if !has_keys && !groups.is_empty() && !measures.is_empty() || has_keys && groups.is_empty() {
        return None;
    }
    let gathers = has_keys || !measures.is_empty();
    let beneath = if gathers { None } else { beneath(kind, select, catalog, &relations, depth) };
    let shape = Shape {
        groups,
        gathers,
        complete: gathers && select.distinct.is_none() || others == 0,
        keys,
        measures,
        with: standing_alone(kind, query, seen)?,
        origin: origin(select),
        first: relations.first(),
        beneath: beneath.map(Box::new),
        kind,
    };
    (shape.complete || shape.beneath.is_some()).then_some(shape)
}

/// The shape of the query that grouped the rows of a `SELECT` that does not group, with the groups' names from this one.
fn beneath(kind: SourceKind, select: &Select, catalog: &Catalog, relations: &Relations<'_>, depth: u8) -> Option<Shape> {
    // The other side of these joins may have no row.
    let keeps = |join: &JoinOperator| {
        matches!(
            join,
            JoinOperator::Join(_)
                | JoinOperator::Inner(_)
                | JoinOperator::Left(_)
                | JoinOperator::LeftOuter(_)
                | JoinOperator::CrossJoin(_)
        )
    };
    if !select.from.iter().flat_map(|item| &item.joins).all(|join| keeps(&join.join_operator)) {
        return None;
    }
    let (query, seen) = relations.first_query()?;
    let inner = of_query(kind, query, catalog, seen, depth + 1)?;
    let mut shape = if inner.gathers { inner } else { *inner.beneath? };
    for group in &mut shape.groups {
        let column = fold(kind, &group.name);
        let shows = |item: &SelectItem| named(item).is_some_and(|(_, expression)| relations.is_of_first(expression, &column));
        let at = select.projection.iter().position(shows)?;
        let (name, _) = named(&select.projection[at])?;
        shape.keys.iter_mut().filter(|key| key.shown == Some(group.at)).for_each(|key| key.shown = Some(at));
        (group.name, group.at) = (name, at);
    }
    Some(shape)
}

fn origin(select: &Select) -> String {
    let from: Vec<String> = select.from.iter().map(ToString::to_string).collect();
    let filter = select.selection.as_ref().map(|filter: &Expr| format!(" WHERE {filter}")).unwrap_or_default();
    format!("FROM {}{filter}", from.join(", "))
}

#[cfg(test)]
mod tests;
