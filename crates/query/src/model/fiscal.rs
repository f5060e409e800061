//! Years that begin in another month than January.

use super::{Made, NoMeaning, definition::Model, groups::Place, tree::Tree};
use chrono::{Months, NaiveDate};
use inlay_contract::{
    chart::question::Grain,
    filter::{Period, Unit},
    model::ModelFilter,
};
use sqlparser::ast::Expr;

/// How many months after January a year begins: 0 to 11.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct YearStart(u8);

impl YearStart {
    /// That of a table's dates.
    pub(super) fn of_table(model: &Model, table: &str) -> Self {
        let month = model.tables.get(table).and_then(|table| table.model.fiscal_year_start);
        Self(month.filter(|month| (1..=12).contains(month)).map_or(0, |month| month - 1))
    }

    /// That of the dates that a filter is on.
    pub(super) fn of_filter(model: &Model, fact: &str, filter: &ModelFilter) -> Self {
        let place = Place::of(model, "filters", fact, &filter.dimension, filter.via.as_deref());
        place.map_or(Self::default(), |place| Self::of_table(model, place.table()))
    }

    /// The one that several tables share.
    pub(super) fn shared(at: &str, model: &Model, tables: &[&str]) -> Made<Self> {
        let mut starts = tables.iter().map(|table| (*table, Self::of_table(model, table)));
        let Some((first, start)) = starts.next() else { return Ok(Self::default()) };
        match starts.find(|(_, other)| *other != start) {
            None => Ok(start),
            Some((other, _)) => {
                let why = format!(
                    "the years of {first} and {other} begin in different months; gather into months, or give both the same `fiscalYearStart`"
                );
                Err(NoMeaning::new(at, why))
            }
        }
    }

    /// The first day of the period that holds a moment.
    pub(super) fn period(self, tree: Tree, grain: Grain, moment: &Expr) -> Made<Expr> {
        let dialect = tree.dialect();
        let months = i64::from(self.0);
        if months == 0 || !matches!(grain, Grain::Quarter | Grain::Year) {
            return tree.around(|text| dialect.period(grain, text), moment);
        }
        // Put back by as many months as January is before, the period is one of the calendar.
        let back = tree.around(|text| dialect.months_later(text, -months), moment)?;
        let first = tree.around(|text| dialect.period(grain, text), &back)?;
        tree.around(|text| dialect.months_later(text, months), &first)
    }

    /// The days of a relative period: its first day, and the first day after it.
    pub(super) fn days(self, period: Period, today: NaiveDate) -> (NaiveDate, NaiveDate) {
        let months = Months::new(self.0.into());
        match period {
            Period::This(Unit::Quarter | Unit::Year) | Period::Previous(Unit::Quarter | Unit::Year) => {
                let (from, to) = period.days(today - months);
                (from + months, to + months)
            }
            _ => period.days(today),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_and_quarters_of_relative_periods_begin_in_their_month() {
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        for (month, period, today, from, to) in [
            (4, "this_year", "2025-02-11", "2024-04-01", "2025-04-01"),
            (4, "this_year", "2025-04-01", "2025-04-01", "2026-04-01"),
            (4, "previous_year", "2025-02-11", "2023-04-01", "2024-04-01"),
            (2, "this_quarter", "2025-02-11", "2025-02-01", "2025-05-01"),
            (2, "previous_quarter", "2025-05-31", "2025-02-01", "2025-05-01"),
            (12, "this_year", "2024-12-31", "2024-12-01", "2025-12-01"),
            (4, "this_month", "2025-02-11", "2025-02-01", "2025-03-01"),
            (4, "last_30_days", "2025-02-11", "2025-01-13", "2025-02-12"),
            (1, "this_year", "2025-02-11", "2025-01-01", "2026-01-01"),
        ] {
            let found = YearStart(month - 1).days(period.parse().expect("a period"), day(today));
            assert_eq!(found, (day(from), day(to)), "{month} {period} {today}");
        }
    }
}
