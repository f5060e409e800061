//! Filters from outside of a query, such as a dashboard's. A filter reaches a query if each of its numbers is gathered from rows
//! that belong to one row of the filter's table. Those rows are left out whose row there does not pass.

use super::{
    Made, Model, NoMeaning, condition,
    fiscal::YearStart,
    groups::{Joined, Place},
    own::{self, Own},
    plan::Plan,
};
use crate::source::{SourceKind, SourceKindExt};
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
    /// A condition on the default time of each measure's table. Each table must have one.
    pub time: Option<FilterValue>,
    /// The period that takes the place of the query's own. Only for queries that compare: their filter of the time says which
    /// period is compared.
    pub period: Option<FilterValue>,
    /// How many days of the compared period have data, from its first. The earlier period then has as many. `None`: all, or it is
    /// not known.
    pub elapsed: Option<u32>,
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
    /// What a condition on the default time of each measure's table does, if each has one.
    pub time: Option<TimeReach>,
}

/// What a condition on the default time of each measure's table does to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeReach {
    /// It leaves out rows.
    Narrows,
    /// It says which period is compared with an earlier one.
    Compares,
}

impl Reach {
    /// Where filters reach a query.
    ///
    /// # Errors
    /// The query has no meaning in this model.
    pub fn of(kind: SourceKind, model: &Model, query: &ModelQuery, today: NaiveDate) -> Result<Self, NoMeaning> {
        let own = Own::of(kind, model, query, today)?;
        let plan = Plan::narrowed(kind, model, &own, query, Narrowing::default(), today)?;
        let mut tables: BTreeSet<String> = model.tables.keys().cloned().collect();
        for fact in &plan.facts {
            let (taken, open) = (taken(&plan, fact.table), model.reached_by_one_way(fact.table));
            tables.retain(|table| match taken.get(table).map(BTreeSet::len) {
                None => open.contains(table.as_str()),
                Some(ways) => ways == 1,
            });
        }
        let facts: BTreeSet<&str> = plan.facts.iter().map(|fact| fact.table).collect();
        let compared = facts.first().filter(|_| facts.len() == 1 && plan.compares()).and_then(|fact| {
            let time = model.tables.get(*fact)?.model.time.clone()?;
            Some(((*fact).to_owned(), time))
        });
        let has_time = |fact: &&str| model.tables.get(*fact).is_some_and(|table| table.model.time.is_some());
        let reach = if plan.compares() { TimeReach::Compares } else { TimeReach::Narrows };
        let time = facts.iter().all(has_time).then_some(reach);
        Ok(Self { tables, compared, time })
    }

    /// Whether a filter on a column or dimension defines the period that is compared with an earlier one. Applied to the rows, it
    /// would leave none of the earlier.
    #[must_use]
    pub fn is_compared(&self, kind: SourceKind, table: &str, column: &str, value: &FilterValue) -> bool {
        let is_time = |time: &str| kind.same_name(time, column);
        let on_time = self.compared.as_ref().is_some_and(|(compared, time)| compared == table && is_time(time));
        on_time && !matches!(value, FilterValue::AnyOf(_))
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
        conditions.push(condition::kept(plan, at, &expression, value, YearStart::default())?);
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
    match taken(plan, fact).remove(table) {
        None => plan.model.way("filters", fact, table, None).ok(),
        Some(mut ways) if ways.len() == 1 => ways.pop_first(),
        Some(_) => None,
    }
}

/// The tables that the query's own dimensions and filters lead through, and those of its own measures, each with the ways that they
/// take.
fn taken(plan: &Plan<'_>, fact: &str) -> BTreeMap<String, BTreeSet<Vec<String>>> {
    let mut taken = BTreeMap::from([(fact.to_owned(), BTreeSet::from([Vec::new()]))]);
    let groups = plan.query.dimensions.iter().map(|one| (&one.name, &one.via));
    let filters = plan.query.filters.iter().map(|one| (&one.dimension, &one.via));
    // A plan has looked all of them up.
    let places = groups.chain(filters).filter_map(|(name, via)| Place::of(plan.model, "", fact, name, via.as_deref()).ok());
    let measures = plan.bases.iter().filter(|base| base.table == fact);
    let places = places.chain(measures.flat_map(|base| own::places(plan.model, base)));
    for place in places {
        for length in 1..=place.way.len() {
            let way = &place.way[..length];
            if let Some(reference) = plan.model.reference(fact, way) {
                taken.entry(reference.table.clone()).or_default().insert(way.to_vec());
            }
        }
    }
    taken
}
