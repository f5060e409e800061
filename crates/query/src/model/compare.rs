//! The earlier period beside which numbers are put.

use super::{Made, Model, Narrowing, NoMeaning, fiscal::YearStart, groups::Place, newest, own, plan::Plan, tree::Tree};
use crate::source::SourceKind;
use chrono::{Datelike, Days, Months, NaiveDate};
use inlay_contract::{
    chart::question::Grain,
    filter::{FilterValue, Scalar},
    model::{Compare, ModelFilter, ModelQuery},
};
use sqlparser::ast::{BinaryOperator, Expr};
use std::collections::BTreeSet;

/// How far an earlier period lies back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shift {
    by: Distance,
    /// Leaves out the days that have no counterpart: 31 January has none in February, and must not be counted to another day.
    pub only_counterparts: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    Days(u32),
    Months(u32),
}

impl Distance {
    pub(super) fn back(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Days(days) => day.checked_sub_days(Days::new(days.into())),
            Self::Months(months) => day.checked_sub_months(Months::new(months)),
        }
    }

    pub(super) fn forth(self, day: NaiveDate) -> Option<NaiveDate> {
        match self {
            Self::Days(days) => day.checked_add_days(Days::new(days.into())),
            Self::Months(months) => day.checked_add_months(Months::new(months)),
        }
    }
}

impl Shift {
    pub(super) const fn by(self) -> Distance {
        self.by
    }

    /// The earlier period: its first day, and the day after its last. A month that is too short for a day neither begins the
    /// period before its first day nor ends it before its last.
    pub(super) fn period(self, from: NaiveDate, to: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
        let tomorrow = |day: NaiveDate| day.checked_add_days(Days::new(1));
        let first = self.by.back(from)?;
        let first = if self.by.forth(first)? < from { tomorrow(first)? } else { first };
        let end = if to.day() == 1 { self.by.back(to)? } else { tomorrow(self.by.back(to.pred_opt()?)?)? };
        Some((first, end))
    }

    /// The day that lies so far behind a moment's.
    pub(super) fn forth(self, tree: Tree, moment: &Expr) -> Made<Expr> {
        match self.by {
            Distance::Days(days) => tree.around(|text| tree.dialect().days_later(text, days.into()), moment),
            Distance::Months(months) => tree.around(|text| tree.dialect().months_later(text, months.into()), moment),
        }
    }

    /// Keeps the days that have a counterpart.
    pub(super) fn has_counterpart(self, tree: Tree, moment: &Expr) -> Made<Option<Expr>> {
        let Self { by: Distance::Months(months), only_counterparts: true } = self else { return Ok(None) };
        let there = self.forth(tree, moment)?;
        let back = tree.around(|text| tree.dialect().months_later(text, -i64::from(months)), &there)?;
        let day = tree.around(|text| tree.dialect().days_later(text, 0), moment)?;
        Ok(Some(super::tree::binary(back, BinaryOperator::Eq, day)))
    }
}

/// Finds the period of each fact, and how far the one before lies back. Then each fact is asked for both.
pub(super) fn prepare(plan: &mut Plan<'_>) -> Made<()> {
    let Some(compare) = plan.query.compare else { return Ok(()) };
    own::check_compared(plan)?;
    let mut shifts = Vec::new();
    for fact in &plan.facts {
        if fact.bases.is_empty() {
            return Err(NoMeaning::new("compare", "there is no measure to compare; name one in `measures`"));
        }
        shifts.push(shift(plan, fact.table, compare)?);
    }
    for (fact, shift) in plan.facts.iter_mut().zip(shifts) {
        fact.shift = Some(shift);
    }
    Ok(())
}

/// Gives a query that compares periods the one that is asked for from outside, in place of its own.
pub(super) fn replace_period(plan: &mut Plan<'_>) {
    let (Some(period), Some(_)) = (&plan.narrowing.period, plan.query.compare) else { return };
    let is_time = |filter: &ModelFilter| plan.facts.iter().all(|fact| is_on_time(plan, fact.table, filter));
    if let Some(own) = plan.query.filters.iter().position(is_time) {
        let filter = &mut plan.query.filters[own];
        // A period without one of its ends has no length. The query's own then ends within it.
        if !filter.newest || days(period, plan.today, YearStart::default()).is_some() {
            (filter.value, filter.newest) = (period.clone(), false);
        }
    }
}

/// The days of a filter, if it holds both ends.
pub(super) fn days(value: &FilterValue, today: NaiveDate, year: YearStart) -> Option<(NaiveDate, NaiveDate)> {
    let day = |end: &Option<Scalar>| match end {
        Some(Scalar::Text(text)) => text.parse::<NaiveDate>().ok(),
        _ => None,
    };
    match value {
        FilterValue::Range { from, to } => Some((day(from)?, day(to)?)).filter(|(from, to)| from < to),
        FilterValue::Relative(period) => Some(year.days(*period, today)),
        FilterValue::AnyOf(_) => None,
    }
}

/// The days of a period that have data.
pub(super) fn elapsed(plan: &Plan<'_>, (from, to): (NaiveDate, NaiveDate)) -> (NaiveDate, NaiveDate) {
    let end = plan.narrowing.elapsed.and_then(|days| from.checked_add_days(Days::new(days.into())));
    (from, end.map_or(to, |end| end.min(to)))
}

/// The period that a query compares with an earlier one.
#[derive(Clone, Debug)]
pub struct ComparedPeriod {
    /// The default times of the tables that its measures come from: the table, and a column or dimension.
    pub times: Vec<(String, String)>,
    value: FilterValue,
    newest: bool,
    year: YearStart,
    compare: Compare,
    grain: Option<Grain>,
}

impl ComparedPeriod {
    /// The period of a query. `None` if it compares none.
    ///
    /// # Errors
    /// The query has no meaning in this model.
    pub fn of(kind: SourceKind, model: &Model, query: &ModelQuery, today: NaiveDate) -> Result<Option<Self>, NoMeaning> {
        let own = own::Own::of(kind, model, query, today)?;
        let plan = Plan::narrowed(kind, model, &own, query, Narrowing::default(), today)?;
        let Some(compare) = plan.query.compare else { return Ok(None) };
        let Some(fact) = plan.facts.first().filter(|_| plan.compares()) else { return Ok(None) };
        let Some(filter) = plan.query.filters.iter().find(|filter| is_on_time(&plan, fact.table, filter)) else {
            return Ok(None);
        };
        let tables: BTreeSet<&str> = plan.facts.iter().map(|fact| fact.table).collect();
        let time = |table: &str| Some((table.to_owned(), model.tables.get(table)?.model.time.clone()?));
        Ok(Some(Self {
            times: tables.into_iter().filter_map(time).collect(),
            value: filter.value.clone(),
            newest: filter.newest,
            year: YearStart::of_filter(model, fact.table, filter),
            compare,
            grain: grain(&plan, fact.table)?,
        }))
    }

    /// How many days are compared with the first `elapsed` days of the period: fewer where a month is shorter.
    #[must_use]
    pub fn earlier_days(&self, narrowing: &Narrowing, today: NaiveDate, elapsed: u32) -> Option<u32> {
        let (from, to) = self.days(narrowing, today)?;
        let by = distance(self.compare, (from, to), self.grain)?;
        let end = from.checked_add_days(Days::new(elapsed.into()))?.min(to);
        let (first, end) = Shift { by, only_counterparts: false }.period(from, end)?;
        u32::try_from((end - first).num_days()).ok()
    }

    /// The first day of the period under filters from outside, and the day after its last. `None` if it counts from the newest row.
    #[must_use]
    pub fn days(&self, narrowing: &Narrowing, today: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
        match &narrowing.period {
            Some(period) => days(period, today, self.year),
            None => days(&self.value, today, self.year).filter(|_| !self.newest),
        }
    }
}

/// Whether a filter is on the default time dimension of a fact.
pub(super) fn is_on_time(plan: &Plan<'_>, fact: &str, filter: &ModelFilter) -> bool {
    let place = || Place::of(plan.model, "filters", fact, &filter.dimension, filter.via.as_deref());
    filter.cycle.is_none() && place().is_ok_and(|place| place.is_time)
}

fn shift(plan: &Plan<'_>, fact: &str, compare: Compare) -> Made<Shift> {
    let wrong = |why: String| NoMeaning::new("compare", why);
    let mut filters = plan.query.filters.iter().filter(|filter| is_on_time(plan, fact, filter));
    let (Some(filter), None) = (filters.next(), filters.next()) else {
        return Err(wrong(format!(
            "needs exactly one filter on the time of {fact}, so that the period and the one before are known: filter `time`"
        )));
    };
    let grain = grain(plan, fact)?;
    if filter.newest {
        let by = newest::distance(compare, &filter.value, grain);
        return by.map(|by| Shift { by, only_counterparts: grain == Some(Grain::Day) }).ok_or_else(|| {
            wrong(
                "a period that counts from the newest row has no earlier one of the same parts; take whole ones, or fixed days"
                    .to_owned(),
            )
        });
    }
    let Some((from, to)) =
        days(&filter.value, plan.today, YearStart::of_filter(plan.model, fact, filter)).filter(|_| !filter.not)
    else {
        return Err(wrong("needs a filter of the time with both ends, as days, or a relative period".to_owned()));
    };
    distance(compare, (from, to), grain)
        .map(|by| Shift { by, only_counterparts: grain == Some(Grain::Day) })
        .ok_or_else(|| {
            let name = grain.map_or("day", Grain::name);
            wrong(format!(
                "the period before {from} to {to} does not consist of the same {name}s; filter a number of whole {name}s, or gather into \
                 days"
            ))
        })
}

/// The longest periods by which the time is grouped.
fn grain(plan: &Plan<'_>, fact: &str) -> Made<Option<Grain>> {
    let mut grain = None;
    for (place, group) in plan.groups.iter().enumerate() {
        let (asked, at) = super::groups::asked(&plan.query, place);
        if asked.cycle.is_none() && Place::of(plan.model, &at, fact, &asked.name, asked.via.as_deref())?.is_time {
            let Some(own) = group.grain else {
                return Err(NoMeaning::new(at, "gather the time into periods by `grain` to compare it with earlier ones"));
            };
            grain = grain.max(Some(own));
        }
    }
    Ok(grain)
}

/// How far back the period before lies. `None` if its parts would be others.
fn distance(compare: Compare, (from, to): (NaiveDate, NaiveDate), grain: Option<Grain>) -> Option<Distance> {
    if compare == Compare::Year {
        return Some(if grain == Some(Grain::Week) { Distance::Days(364) } else { Distance::Months(12) });
    }
    let days = u32::try_from((to - from).num_days()).ok()?;
    let whole = (from.day() == 1 && to.day() == 1).then(|| months_between(from, to));
    match (whole, grain) {
        (Some(months), None | Some(Grain::Day)) => Some(Distance::Months(months)),
        (_, None | Some(Grain::Day)) => Some(Distance::Days(days)),
        (_, Some(Grain::Week)) => days.is_multiple_of(7).then_some(Distance::Days(days)),
        (Some(months), Some(grain)) => {
            months_of(grain).filter(|own| months.is_multiple_of(*own)).map(|_| Distance::Months(months))
        }
        (None, Some(_)) => None,
    }
}

fn months_between(from: NaiveDate, to: NaiveDate) -> u32 {
    let months = |day: NaiveDate| i64::from(day.year()) * 12 + i64::from(day.month0());
    u32::try_from(months(to) - months(from)).unwrap_or_default()
}

/// The whole months of a period.
pub(super) const fn months_of(grain: Grain) -> Option<u32> {
    match grain {
        Grain::Day | Grain::Week => None,
        Grain::Month => Some(1),
        Grain::Quarter => Some(3),
        Grain::Year => Some(12),
    }
}
