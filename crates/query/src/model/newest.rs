//! Periods that count from the newest row: the last 30 days of the data, however old it is.

use super::{
    Made, NoMeaning,
    compare::{Distance, Shift, months_of},
    condition,
    fiscal::YearStart,
    plan::Plan,
    tree::Tree,
};
use chrono::NaiveDate;
use inlay_contract::{
    chart::question::Grain,
    filter::{FilterValue, Period, Scalar, Unit},
    model::{Compare, ModelFilter},
};
use sqlparser::ast::Expr;

/// Whether the newest rows that filters count from are those of one table, and the filters have a period.
pub(super) fn check(plan: &Plan<'_>) -> Made<()> {
    for (place, filter) in plan.query.filters.iter().enumerate().filter(|(_, filter)| filter.newest) {
        let wrong = |why: &str| Err(NoMeaning::new(format!("filters[{place}].newest"), why));
        if !matches!(filter.value, FilterValue::Relative(_)) {
            return wrong("needs a relative period as the value, such as last_30_days");
        }
        if filter.not || filter.cycle.is_some() {
            return wrong("does not go with `not` or `cycle`");
        }
        if plan.facts.iter().any(|fact| fact.table != plan.facts[0].table) {
            return wrong("the newest rows of several tables lie in different periods; ask for measures of one table");
        }
    }
    Ok(())
}

/// How far the period before one that counts from the newest row lies back. `None` if its parts would be others.
pub(super) fn distance(compare: Compare, value: &FilterValue, grain: Option<Grain>) -> Option<Distance> {
    let FilterValue::Relative(period) = value else { return None };
    let (days, unit) = match period {
        Period::Today | Period::Yesterday => (1, None),
        Period::LastDays(count) => (*count, None),
        Period::LastWeeks(count) => (count * 7, None),
        Period::This(unit) | Period::Previous(unit) => (7, Some(*unit)),
        // It has as many days as its months, which the newest row says.
        Period::LastMonths(_) => return None,
    };
    let months = unit.and_then(|unit| months_of(grain_of(unit)));
    match (compare, months) {
        (Compare::Previous, None) => {
            let fits = match grain {
                None | Some(Grain::Day) => true,
                Some(Grain::Week) => days % 7 == 0,
                Some(_) => false,
            };
            fits.then_some(Distance::Days(days))
        }
        (Compare::Year, None) => (unit == Some(Unit::Week) && grain <= Some(Grain::Week)).then_some(Distance::Days(364)),
        (_, Some(_)) if grain == Some(Grain::Week) => None,
        (Compare::Year, Some(_)) => Some(Distance::Months(12)),
        (Compare::Previous, Some(months)) => {
            let own = grain.and_then(months_of).unwrap_or(1);
            months.is_multiple_of(own).then_some(Distance::Months(months))
        }
    }
}

/// The ends of a period, from the newest moment.
pub(super) struct Bounds<'a> {
    period: Period,
    back: Option<Shift>,
    /// The period from outside within which the rows lie.
    outside: Option<&'a FilterValue>,
    year: YearStart,
}

impl<'a> Bounds<'a> {
    /// The bounds of a filter's period, or of the one so far before it.
    pub(super) fn of(plan: &'a Plan<'_>, at: &str, fact: &str, filter: &ModelFilter, back: Option<Shift>) -> Made<Self> {
        let FilterValue::Relative(period) = filter.value else {
            return Err(NoMeaning::new(at, "needs a relative period, such as last_30_days"));
        };
        let year = YearStart::of_filter(plan.model, fact, filter);
        Ok(Self { period, back, outside: plan.narrowing.period.as_ref(), year })
    }

    /// Its first day.
    pub(super) fn first(&self, tree: Tree, newest: Expr) -> Made<Expr> {
        let first = match self.period {
            Period::Today => days(tree, newest, 0),
            Period::Yesterday => days(tree, newest, -1),
            Period::LastDays(count) => days(tree, newest, 1 - i64::from(count)),
            Period::LastWeeks(count) => days(tree, newest, 1 - 7 * i64::from(count)),
            Period::LastMonths(count) => months(tree, days(tree, newest, 1)?, -i64::from(count)),
            Period::This(unit) => self.begin(tree, unit, &newest),
            Period::Previous(unit) => later(tree, unit, self.begin(tree, unit, &newest)?, -1),
        }?;
        self.earlier(tree, first)
    }

    /// The day after its last.
    pub(super) fn end(&self, tree: Tree, newest: Expr) -> Made<Expr> {
        let end = match self.period {
            Period::Today | Period::LastDays(_) | Period::LastWeeks(_) | Period::LastMonths(_) => days(tree, newest, 1),
            Period::Yesterday => days(tree, newest, 0),
            Period::This(unit) => later(tree, unit, self.begin(tree, unit, &newest)?, 1),
            Period::Previous(unit) => self.begin(tree, unit, &newest),
        }?;
        self.earlier(tree, end)
    }

    /// The first day of the unit that holds a moment.
    fn begin(&self, tree: Tree, unit: Unit, moment: &Expr) -> Made<Expr> {
        self.year.period(tree, grain_of(unit), moment)
    }

    fn earlier(&self, tree: Tree, day: Expr) -> Made<Expr> {
        match self.back.map(Shift::by) {
            None => Ok(day),
            Some(Distance::Days(count)) => days(tree, day, -i64::from(count)),
            Some(Distance::Months(count)) => months(tree, day, -i64::from(count)),
        }
    }

    /// What the period from outside asks of the moments among which the newest is looked for.
    pub(super) fn until(&self, plan: &Plan<'_>, at: &str, moment: &Expr) -> Made<Option<Expr>> {
        let Some(FilterValue::Range { to: Some(to), .. }) = self.outside else { return Ok(None) };
        condition::kept(plan, at, moment, &FilterValue::Range { from: None, to: Some(to.clone()) }, self.year).map(Some)
    }

    /// What it asks of the rows: to lie behind its beginning, those of the earlier period as far before it.
    pub(super) fn since(&self, plan: &Plan<'_>, at: &str, moment: &Expr) -> Made<Option<Expr>> {
        let Some(FilterValue::Range { from: Some(from), .. }) = self.outside else { return Ok(None) };
        let from = match self.back.map(Shift::by) {
            None => from.clone(),
            Some(by) => {
                let day = if let Scalar::Text(text) = from { text.parse::<NaiveDate>().ok() } else { None };
                let back = day.and_then(|day| by.back(day));
                Scalar::Text(back.ok_or_else(|| NoMeaning::new(at, "needs days as its ends"))?.to_string())
            }
        };
        condition::kept(plan, at, moment, &FilterValue::Range { from: Some(from), to: None }, self.year).map(Some)
    }
}

fn days(tree: Tree, moment: Expr, count: i64) -> Made<Expr> {
    tree.around(|text| tree.dialect().days_later(text, count), &moment)
}

fn months(tree: Tree, moment: Expr, count: i64) -> Made<Expr> {
    tree.around(|text| tree.dialect().months_later(text, count), &moment)
}

/// The first day of a unit so many units later.
fn later(tree: Tree, unit: Unit, first: Expr, count: i64) -> Made<Expr> {
    match months_of(grain_of(unit)) {
        Some(own) => months(tree, first, count * i64::from(own)),
        None => days(tree, first, count * 7),
    }
}

const fn grain_of(unit: Unit) -> Grain {
    match unit {
        Unit::Week => Grain::Week,
        Unit::Month => Grain::Month,
        Unit::Quarter => Grain::Quarter,
        Unit::Year => Grain::Year,
    }
}
