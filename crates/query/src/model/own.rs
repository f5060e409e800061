//! What a query declares for itself: metrics, and measures over dimensions. The latter hold no SQL, so whoever may query the model
//! may write them.

use super::{
    Made, NoMeaning, check, condition,
    definition::{Model, listed},
    groups::{Joined, Place, TIME},
    number::Base,
    plan::{MOST_PARTS, Plan},
    sentence,
    tree::{binary, number, when},
};
use crate::source::SourceKind;
use chrono::NaiveDate;
use inlay_contract::model::{Aggregate, Measure, Metric, ModelFilter, ModelQuery, QueryMeasure};
use sqlparser::ast::{BinaryOperator, Expr};
use std::collections::BTreeMap;

/// The most dimensions that a measure multiplies.
const MOST_FACTORS: usize = 8;

/// The most filters of all measures together. Each is looked up, and the way to it.
const MOST_FILTERS: usize = 1_000;

/// The metrics and measures of a query alone.
pub(super) struct Own<'a> {
    today: NaiveDate,
    pub metrics: &'a BTreeMap<String, Metric>,
    measures: BTreeMap<&'a str, (Measure, &'a QueryMeasure)>,
}

impl<'a> Own<'a> {
    pub(super) fn of(kind: SourceKind, model: &Model, query: &'a ModelQuery, today: NaiveDate) -> Made<Self> {
        for (part, count) in [("metrics", query.metrics.len()), ("aggregates", query.aggregates.len())] {
            if count > MOST_PARTS {
                return Err(NoMeaning::new(part, format!("must have at most {MOST_PARTS} items")));
            }
        }
        if query.aggregates.values().map(|asked| asked.filters.len()).sum::<usize>() > MOST_FILTERS {
            return Err(NoMeaning::new("aggregates", "must have at most 1,000 filters together"));
        }
        for name in query.metrics.keys() {
            check_name(kind, model, format!("metrics.{name}"), name)?;
        }
        let mut measures = BTreeMap::new();
        for (name, asked) in &query.aggregates {
            let at = field(name);
            check_name(kind, model, at.clone(), name)?;
            if query.metrics.contains_key(name) {
                return Err(NoMeaning::new(at, "the query has a metric of that name; choose another"));
            }
            check(model, &at, asked)?;
            let measure = Measure {
                fraction: asked.fraction,
                label: Some(asked.label.clone().unwrap_or_else(|| label(model, asked, today))),
                format: asked.format.clone(),
                ..Measure::new(asked.aggregate, None)
            };
            measures.insert(name.as_str(), (measure, asked));
        }
        Ok(Self { today, metrics: &query.metrics, measures })
    }

    /// A measure by its name.
    pub(super) fn measure(&'a self, name: &str) -> Option<Base<'a>> {
        let (name, (measure, asked)) = self.measures.get_key_value(name)?;
        Some(Base { table: &asked.table, name, measure, own: Some(asked), only: &[] })
    }

    /// Filters of a table's rows, in words.
    pub(super) fn conditions(&self, model: &Model, fact: &str, filters: &[ModelFilter]) -> String {
        conditions(model, fact, filters, self.today)
    }

    /// The names of all.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.measures.keys().copied().chain(self.metrics.keys().map(String::as_str))
    }
}

/// Where a measure is in the query.
fn field(name: &str) -> String {
    format!("aggregates.{name}")
}

fn check_name(kind: SourceKind, model: &Model, at: String, name: &str) -> Made<()> {
    if model.numbers().contains(name) {
        return Err(NoMeaning::new(at, "the project has a measure or metric of that name; choose another"));
    }
    check::name_of_number(kind, name).map_err(|why| NoMeaning::new(at, why))
}

/// What is wrong with a measure, whether the query shows it or not.
fn check(model: &Model, at: &str, asked: &QueryMeasure) -> Made<()> {
    let wrong = |part: &str, why: &str| Err(NoMeaning::new(format!("{at}.{part}"), why));
    let QueryMeasure { table, aggregate, of, .. } = asked;
    model.table(&format!("{at}.table"), table)?;
    match (aggregate, of.len()) {
        (Aggregate::Count, 0) => {}
        (_, 0) => return wrong("of", check::NO_VALUE),
        (Aggregate::CountDistinct, 2..) => return wrong("of", "must name one dimension: `countDistinct` counts its values"),
        (_, count) if count > MOST_FACTORS => return wrong("of", &format!("must have at most {MOST_FACTORS} items")),
        _ => {}
    }
    if let (Some(one), true) = (&asked.via, of.iter().all(|name| via(model, asked, name).is_none())) {
        return wrong("via", &format!("`{one}` is the way to a dimension of another table, and `of` names none"));
    }
    for (place, name) in of.iter().enumerate() {
        Place::of(model, &format!("{at}.of[{place}]"), table, name, via(model, asked, name))?;
    }
    if let Some(why) = check::wrong_fraction(*aggregate, asked.fraction) {
        return wrong("fraction", why);
    }
    if asked.filters.len() > MOST_PARTS {
        return wrong("filters", &format!("must have at most {MOST_PARTS} items"));
    }
    for (place, filter) in asked.filters.iter().enumerate() {
        let part = format!("filters[{place}]");
        if filter.newest {
            return wrong(
                &format!("{part}.newest"),
                "the newest row is that of the whole query; put this filter among the query's own `filters`",
            );
        }
        Place::of(model, &format!("{at}.{part}.dimension"), table, &filter.dimension, filter.via.as_deref())?;
    }
    Ok(())
}

/// The way to one of a measure's dimensions. `via` is that to another table, unless the measure's own refers to itself.
fn via<'q>(model: &Model, asked: &'q QueryMeasure, name: &str) -> Option<&'q str> {
    let table = asked.table.as_str();
    let is_own = name == TIME || name.rsplit_once('.').is_some_and(|(of, _)| of == table);
    asked.via.as_deref().filter(|one| !is_own || model.way("", table, table, Some(one)).is_ok())
}

/// Where a measure's dimensions and filters are.
pub(super) fn places<'m>(model: &'m Model, base: &Base<'_>) -> Vec<Place<'m>> {
    let of = base.own.into_iter().flat_map(|asked| asked.of.iter().map(move |name| (name, via(model, asked, name))));
    let filters = base.own.into_iter().flat_map(|asked| &asked.filters).chain(base.only);
    let filters = filters.map(|filter| (&filter.dimension, filter.via.as_deref()));
    // Each was looked up before.
    of.chain(filters).filter_map(|(name, via)| Place::of(model, "", base.table, name, via).ok()).collect()
}

/// `Average Delay where Status is late`
fn label(model: &Model, asked: &QueryMeasure, today: NaiveDate) -> String {
    let QueryMeasure { table, aggregate, of, filters, .. } = asked;
    let factor = |name: &String| {
        let place = Place::of(model, "", table, name, via(model, asked, name));
        place.map_or_else(|_| name.clone(), |place| place.label(model))
    };
    let what = of.iter().map(factor).collect::<Vec<_>>().join(" × ");
    let said = match aggregate {
        Aggregate::Count if of.is_empty() => {
            let label = model.tables.get(table).and_then(|known| known.label.as_ref());
            format!("Number of {}", label.unwrap_or(table))
        }
        Aggregate::Count => format!("Number of {what}"),
        Aggregate::CountDistinct => format!("Different {what}"),
        Aggregate::Sum => format!("Sum of {what}"),
        Aggregate::Average => format!("Average {what}"),
        Aggregate::Min => format!("Least {what}"),
        Aggregate::Max => format!("Greatest {what}"),
        Aggregate::Median => format!("Median {what}"),
        Aggregate::Percentile => {
            let hundredth = asked.fraction.unwrap_or_default() * 100.0;
            format!("Percentile {} of {what}", (hundredth * 100.0).round() / 100.0)
        }
    };
    match filters.is_empty() {
        true => said,
        false => format!("{said} where {}", conditions(model, table, filters, today)),
    }
}

fn conditions(model: &Model, fact: &str, filters: &[ModelFilter], today: NaiveDate) -> String {
    let all: Vec<String> = filters.iter().map(|filter| sentence::condition(model, fact, filter, today)).collect();
    listed(all.iter().map(String::as_str))
}

/// What a measure gathers of each row: null for rows that do not count. `None` where rows themselves are counted.
pub(super) fn gathered(plan: &Plan<'_>, joined: &mut Joined<'_>, name: &str, asked: &QueryMeasure) -> Made<Option<Expr>> {
    let mut value = None;
    for (place, of) in asked.of.iter().enumerate() {
        let at = format!("{}.of[{place}]", field(name));
        let (factor, _) = joined.dimension(&at, of, via(plan.model, asked, of))?;
        value = Some(match value {
            None => factor,
            Some(others) => binary(others, BinaryOperator::Multiply, factor),
        });
    }
    Ok(match counted(plan, joined, name, &asked.filters)? {
        None => value,
        Some(condition) => Some(when(condition, value.unwrap_or_else(|| number("1")))),
    })
}

/// The condition of the rows that count for a measure. The same in an earlier period, since none of it is about the compared time.
pub(super) fn counted(plan: &Plan<'_>, joined: &mut Joined<'_>, name: &str, filters: &[ModelFilter]) -> Made<Option<Expr>> {
    let mut all: Option<Expr> = None;
    for (place, filter) in filters.iter().enumerate() {
        let one = condition::of_filter(plan, joined, &format!("{}.filters[{place}]", field(name)), filter, None)?;
        all = Some(match all {
            None => one,
            Some(others) => binary(others, BinaryOperator::And, one),
        });
    }
    Ok(all)
}

/// A period that is compared is the whole query's. A measure that filters the same time would have no earlier rows.
pub(super) fn check_compared(plan: &Plan<'_>) -> Made<()> {
    for base in &plan.bases {
        let is_time = |filter: &&ModelFilter| super::compare::is_on_time(plan, base.table, filter);
        let filters = base.own.into_iter().flat_map(|asked| &asked.filters).chain(base.only);
        if let Some(place) = filters.enumerate().find(|(_, filter)| is_time(filter)).map(|(place, _)| place) {
            let why = format!(
                "is on the time of {}, whose periods `compare` puts side by side; put it among the query's own `filters`",
                base.table
            );
            return Err(NoMeaning::new(format!("{}.filters[{place}]", field(base.name)), why));
        }
    }
    Ok(())
}
