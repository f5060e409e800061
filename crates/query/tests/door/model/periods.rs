//! Earlier periods and periods of the calendar, by the rules of docs/model.md.

use chrono::{Datelike, Days, Months, NaiveDate};
use inlay_contract::chart::question::Grain;

/// How far an earlier period lies back.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shift {
    Days(u64),
    Months(u32),
}

impl Shift {
    /// Whether a day belongs to the period so far before another. By months, its last day stands for all that the month lacks.
    pub(super) fn holds(self, day: NaiveDate, from: NaiveDate, to: NaiveDate) -> bool {
        let there = self.forth(day);
        let whole = from.day() == 1 && to.day() == 1;
        match self {
            Self::Months(_) if whole => day >= self.back(from) && day < self.back(to),
            _ => there >= from && there < to,
        }
    }

    pub(super) fn back(self, day: NaiveDate) -> NaiveDate {
        match self {
            Self::Days(days) => day - Days::new(days),
            Self::Months(months) => day - Months::new(months),
        }
    }

    pub(super) fn forth(self, day: NaiveDate) -> NaiveDate {
        match self {
            Self::Days(days) => day + Days::new(days),
            Self::Months(months) => day + Months::new(months),
        }
    }
}

pub(super) fn first_of(grain: Grain, day: NaiveDate) -> NaiveDate {
    let month = |month: u32| NaiveDate::from_ymd_opt(day.year(), month, 1).expect("a day");
    match grain {
        Grain::Day => day,
        Grain::Week => day - Days::new(day.weekday().num_days_from_monday().into()),
        Grain::Month => month(day.month()),
        Grain::Quarter => month(day.month0() / 3 * 3 + 1),
        Grain::Year => month(1),
    }
}
