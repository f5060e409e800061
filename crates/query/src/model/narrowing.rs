//! Filters from outside of a query, such as a dashboard's. A filter reaches a query if each of its numbers is gathered from rows
//! that belong to one row of the filter's table. Those rows are left out whose row there does not pass.

use super::{
    Made, Model, NoMeaning, condition,
    groups::{Joined, Place},
    plan::Plan,
};
use crate::source::SourceKind;
use chrono::NaiveDate;
use inlay_contract::{filter::FilterValue, model::ModelQuery};
use sqlparser::ast::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// What the filters from outside ask of a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Narrowing {
    /// The tables of which each row must have a row. Whoever asks the database filters these tables' rows.
    pub tables: BTreeSet<String>,
    /// Conditions on declared dimensions. Each table must be among those that the query reaches.
    pub dimensions: Vec<DimensionFilter>,
    /// The period that takes the place of the query's own. Only for queries that compare: their filter of the time says which
    /// period is compared.
    pub period: Option<FilterValue>,
}

/// A condition on a declared dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct DimensionFilter {
    /// The table, by the catalogue's name.
    pub table: String,
    /// The dimension.
    pub dimension: String,
    /// Which values pass.
    pub value: FilterValue,
}

/// Where filters from outside reach a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The tables whose columns and dimensions they can be on.
    pub tables: BTreeSet<String>,
    /// The table and column of the time whose periods the query compares, if it compares those of one table.
    pub compared: Option<(String, String)>,
}

impl Reach {
    /// Where filters reach a query.
    ///
    /// # Errors
    /// The query has no meaning in this model.
    pub fn of(kind: SourceKind, model: &Model, query: &ModelQuery, today: NaiveDate) -> Result<Self, NoMeaning> {
        let plan = Plan::of(kind, model, query, today)?;
        let reaches = |table: &&String| plan.facts.iter().all(|fact| way(&plan, fact.table, table).is_some());
        let tables = model.tables.keys().filter(reaches).cloned().collect();
        let facts: BTreeSet<&str> = plan.facts.iter().map(|fact| fact.table).collect();
        let compared = facts.first().filter(|_| facts.len() == 1 && plan.compares()).and_then(|fact| {
            let time = model.tables.get(*fact)?.model.time.clone()?;
            Some(((*fact).to_owned(), time))
        });
        Ok(Self { tables, compared })
    }
}

/// The conditions of a fact's rows.
pub(super) fn conditions(plan: &Plan<'_>, fact: &str, joined: &mut Joined<'_>) -> Made<Vec<Expr>> {
    let at = "filters";
    let mut conditions = Vec::new();
    for table in &plan.narrowing.tables {
        let way = plan.ways.of(fact, table)?;
        if !way.is_empty() {
            conditions.push(Expr::IsNotNull(Box::new(joined.key_of(at, way)?)));
        }
    }
    for DimensionFilter { table, dimension, value } in &plan.narrowing.dimensions {
        let way = plan.ways.of(fact, table)?.clone();
        let place = Place::along(plan.model, at, table, dimension, way)?;
        let expression = joined.expression(at, &place)?;
        conditions.push(condition::kept(plan, at, &expression, value)?);
    }
    Ok(conditions)
}

/// The ways from facts to the tables of filters from outside. Totals take those of their query's rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways(BTreeMap<(String, String), Vec<String>>);

impl Ways {
    pub(super) fn of_plan(plan: &Plan<'_>) -> Self {
        let Narrowing { tables, dimensions, .. } = &plan.narrowing;
        let tables: BTreeSet<&String> = tables.iter().chain(dimensions.iter().map(|one| &one.table)).collect();
        let pairs = plan.facts.iter().flat_map(|fact| tables.iter().map(move |table| (fact.table, *table)));
        let found = pairs.filter_map(|(fact, table)| Some(((fact.to_owned(), table.clone()), way(plan, fact, table)?)));
        Self(found.collect())
    }

    fn of(&self, fact: &str, table: &str) -> Made<&Vec<String>> {
        let way = self.0.get(&(fact.to_owned(), table.to_owned()));
        way.ok_or_else(|| NoMeaning::new("filters", format!("a filter on {table} does not reach {fact}")))
    }
}

/// The one way from a fact to a table: the way that the query takes itself, or the only one that there is. `None` if the query
/// takes several, since a filter could mean either.
fn way(plan: &Plan<'_>, fact: &str, table: &str) -> Option<Vec<String>> {
    let query = &plan.query;
    let groups = query.dimensions.iter().map(|one| (&one.name, &one.via));
    let filters = query.filters.iter().map(|one| (&one.dimension, &one.via));
    let mut taken = BTreeSet::new();
    if fact == table {
        taken.insert(Vec::new());
    }
    for (name, via) in groups.chain(filters) {
        let place = Place::of(plan.model, "filters", fact, name, via.as_deref()).ok()?;
        let parts = (1..=place.way.len()).map(|length| &place.way[..length]);
        let leads_there = |part: &&[String]| plan.model.reference(fact, part).is_some_and(|reference| reference.table == table);
        taken.extend(parts.filter(leads_there).map(<[String]>::to_vec));
    }
    match taken.len() {
        0 => plan.model.way("filters", fact, table, None).ok(),
        1 => taken.pop_first(),
        _ => None,
    }
}
