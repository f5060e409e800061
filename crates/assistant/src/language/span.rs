//! Periods of time in words, and their days.

use super::grain::Grain;
use chrono::{Datelike, Days, Months, NaiveDate};

/// A range of days. The end is exclusive. `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    /// Its unit, if it is a whole day, month, ….
    pub grain: Option<Grain>,
}

/// A period as written. Years and quarters may be missing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Spoken {
    Day(NaiveDate),
    /// The day, the month.
    DayOfMonth(u32, u32),
    Month(u32, Option<i32>),
    /// "Sep 24": the month, and a number that is a year where there are rows of it, else a day.
    MonthOrDay(u32, u32),
    /// 1 is the first seven days, 2 the next, …; 5 is the last seven. Then the month.
    WeekOfMonth(u32, u32),
    Quarter(u32, Option<i32>),
    /// First or second.
    Half(u32, Option<i32>),
    Year(i32),
    /// A part of a year that is said beside this one: "July last year". 0 is this year, -1 the one before.
    OfYear(Box<Spoken>, i32),
    /// 0 is the current one, -1 the one before.
    Around(Grain, i32),
    /// This many, up to today.
    Last(u32, Grain),
    /// This many, up to the newest day with rows.
    Newest(u32, Grain),
    /// 0 is today, -1 yesterday.
    FromToday(i64),
    /// Both ends are included.
    Range(Box<Spoken>, Box<Spoken>),
    Since(Box<Spoken>),
    After(Box<Spoken>),
    Before(Box<Spoken>),
    Until(Box<Spoken>),
}

impl Spoken {
    /// The days of the period. Without a year, the newest such period that begins by `anchor`, the newest day with data.
    pub(crate) fn resolve(&self, today: NaiveDate, anchor: NaiveDate) -> Option<Span> {
        let whole =
            |from: NaiveDate, grain: Grain| Some(Span { from: Some(from), to: Some(next(from, grain)?), grain: Some(grain) });
        let newest = |month: u32, day: u32| {
            let date = |year| NaiveDate::from_ymd_opt(year, month, day);
            date(anchor.year()).filter(|date| *date <= anchor).or_else(|| date(anchor.year() - 1))
        };
        let start = |month: u32, year: &Option<i32>| match year {
            Some(year) => NaiveDate::from_ymd_opt(*year, month, 1),
            None => newest(month, 1),
        };
        match self {
            Self::Day(day) => whole(*day, Grain::Day),
            Self::DayOfMonth(day, month) => whole(newest(*month, *day)?, Grain::Day),
            Self::Month(month, year) => whole(start(*month, year)?, Grain::Month),
            Self::MonthOrDay(month, number) => {
                let year = 2000 + i32::try_from(*number).ok()?;
                if (anchor.year() - 4..=anchor.year()).contains(&year) {
                    Self::Month(*month, Some(year)).resolve(today, anchor)
                } else {
                    Self::DayOfMonth(*number, *month).resolve(today, anchor)
                }
            }
            Self::WeekOfMonth(week, month) => {
                let first = newest(*month, 1)?;
                let from = match week {
                    5 => next(first, Grain::Month)?.checked_sub_days(Days::new(7))?,
                    week => first.checked_add_days(Days::new(7 * u64::from(week - 1)))?,
                };
                Some(Span { from: Some(from), to: from.checked_add_days(Days::new(7)), grain: None })
            }
            Self::Quarter(quarter, year) => whole(start(quarter * 3 - 2, year)?, Grain::Quarter),
            Self::Half(half, year) => {
                let from = start(half * 6 - 5, year)?;
                Some(Span { from: Some(from), to: from.checked_add_months(Months::new(6)), grain: None })
            }
            Self::Year(year) => whole(NaiveDate::from_ymd_opt(*year, 1, 1)?, Grain::Year),
            Self::OfYear(part, steps) => part.of_year(today.year().checked_add(*steps)?)?.resolve(today, anchor),
            Self::Around(grain, steps) => whole(shifted(first_day(today, *grain), *grain, *steps)?, *grain),
            Self::Last(count, grain) => last(*count, *grain, today),
            Self::Newest(count, grain) => last(*count, *grain, anchor),
            Self::FromToday(days) => whole(today.checked_add_signed(chrono::TimeDelta::try_days(*days)?)?, Grain::Day),
            Self::Range(from, to) => range(from, to, today, anchor),
            Self::Since(point) => Some(Span { from: point.resolve(today, anchor)?.from, to: None, grain: None }),
            Self::After(point) => Some(Span { from: point.resolve(today, anchor)?.to, to: None, grain: None }),
            Self::Before(point) => Some(Span { from: None, to: point.resolve(today, anchor)?.from, grain: None }),
            Self::Until(point) => Some(Span { from: None, to: point.resolve(today, anchor)?.to, grain: None }),
        }
    }

    /// The same part of a given year. `None` of what is no part of a year.
    fn of_year(&self, year: i32) -> Option<Self> {
        Some(match self {
            Self::DayOfMonth(day, month) => Self::Day(NaiveDate::from_ymd_opt(year, *month, *day)?),
            Self::Month(month, _) => Self::Month(*month, Some(year)),
            Self::Quarter(quarter, _) => Self::Quarter(*quarter, Some(year)),
            Self::Half(half, _) => Self::Half(*half, Some(year)),
            _ => return None,
        })
    }

    /// Whether the days depend on today rather than on a date.
    pub(crate) const fn is_relative(&self) -> bool {
        matches!(self, Self::Around(..) | Self::Last(..) | Self::FromToday(_))
    }
}

fn last(count: u32, grain: Grain, today: NaiveDate) -> Option<Span> {
    let to = today.succ_opt()?;
    let from = match grain {
        Grain::Week => to.checked_sub_days(Days::new(7 * u64::from(count)))?,
        Grain::Month => to.checked_sub_months(Months::new(count))?,
        Grain::Quarter => to.checked_sub_months(Months::new(count.checked_mul(3)?))?,
        Grain::Year => to.checked_sub_months(Months::new(count.checked_mul(12)?))?,
        _ => to.checked_sub_days(Days::new(u64::from(count)))?,
    };
    Some(Span { from: Some(from), to: Some(to), grain: None })
}

/// Both ends are included. An end without a year takes the other's, or is the next one after the start.
fn range(from: &Spoken, to: &Spoken, today: NaiveDate, anchor: NaiveDate) -> Option<Span> {
    let end = to.resolve(today, anchor)?;
    let start = from.resolve(today, end.to?.pred_opt()?.min(anchor.max(end.from?)))?;
    let (from, to) = (start.from?, end.to?);
    (from < to).then_some(Span { from: Some(from), to: Some(to), grain: None })
}

/// The first day of the period that contains a day.
pub(crate) fn first_day(day: NaiveDate, grain: Grain) -> NaiveDate {
    let month = |month: u32| NaiveDate::from_ymd_opt(day.year(), month, 1).unwrap_or(day);
    match grain {
        Grain::Week => day - Days::new(u64::from(day.weekday().num_days_from_monday())),
        Grain::Month => month(day.month()),
        Grain::Quarter => month((day.month0() / 3) * 3 + 1),
        Grain::Year => month(1),
        _ => day,
    }
}

fn next(day: NaiveDate, grain: Grain) -> Option<NaiveDate> {
    shifted(day, grain, 1)
}

/// The day so many periods later.
pub(crate) fn shifted(day: NaiveDate, grain: Grain, steps: i32) -> Option<NaiveDate> {
    let months = |each: u32| {
        let months = Months::new(steps.unsigned_abs().checked_mul(each)?);
        if steps < 0 { day.checked_sub_months(months) } else { day.checked_add_months(months) }
    };
    match grain {
        Grain::Month => months(1),
        Grain::Quarter => months(3),
        Grain::Year => months(12),
        Grain::Week => day.checked_add_signed(chrono::TimeDelta::try_weeks(steps.into())?),
        _ => day.checked_add_signed(chrono::TimeDelta::try_days(steps.into())?),
    }
}

impl Span {
    /// The same days a year before.
    pub(crate) fn year_before(&self) -> Option<Self> {
        let back = |day: Option<NaiveDate>| match day {
            Some(day) => shifted(day, Grain::Year, -1).map(Some),
            None => Some(None),
        };
        Some(Self { from: back(self.from)?, to: back(self.to)?, ..*self })
    }

    /// The longest periods of which each span lies in one of its own.
    pub(crate) fn apart(spans: &[Self]) -> Option<Grain> {
        let fits = |grain: &Grain| {
            let mut begun: Vec<NaiveDate> = Vec::new();
            spans.iter().all(|span| {
                let (Some(from), Some(last)) = (span.from, span.to.and_then(|to| to.pred_opt())) else { return false };
                let first = first_day(from, *grain);
                let own = first == first_day(last, *grain) && !begun.contains(&first);
                begun.push(first);
                own
            })
        };
        [Grain::Year, Grain::Quarter, Grain::Month, Grain::Week, Grain::Day].into_iter().find(fits)
    }

    /// The period of the same length just before.
    pub(crate) fn before(&self) -> Option<Self> {
        let (from, to) = (self.from?, self.to?);
        let start = match self.grain {
            Some(grain) => shifted(from, grain, -1)?,
            None => from.checked_sub_signed(to - from)?,
        };
        Some(Self { from: Some(start), to: Some(from), grain: self.grain })
    }

    /// The period of the same length just after.
    pub(crate) fn after(&self) -> Option<Self> {
        let (from, to) = (self.from?, self.to?);
        let end = match self.grain {
            Some(grain) => shifted(to, grain, 1)?,
            None => to.checked_add_signed(to - from)?,
        };
        Some(Self { from: Some(to), to: Some(end), grain: self.grain })
    }

    /// The period so many of a grain later.
    pub(crate) fn moved(&self, grain: Grain, steps: i32) -> Option<Self> {
        let moved = |day| shifted(day, grain, steps);
        Some(Self { from: Some(moved(self.from?)?), to: Some(moved(self.to?)?), grain: self.grain })
    }

    /// The whole period of a grain in which it begins.
    pub(crate) fn around(&self, grain: Grain) -> Option<Self> {
        let from = first_day(self.from?, grain);
        Some(Self { from: Some(from), to: Some(shifted(from, grain, 1)?), grain: Some(grain) })
    }

    /// The period in a sentence, with its preposition: "in May 2001", "from 1 to 14 February 2001".
    pub(crate) fn words(&self) -> String {
        let day = |date: NaiveDate| date.format("%-d %B %Y").to_string();
        match (self.from, self.to.and_then(|to| to.pred_opt())) {
            (Some(from), Some(_)) if self.grain == Some(Grain::Month) => format!("in {}", from.format("%B %Y")),
            (Some(from), Some(_)) if self.grain == Some(Grain::Year) => format!("in {}", from.year()),
            (Some(from), Some(_)) if self.grain == Some(Grain::Quarter) => {
                format!(
                    "in the {} quarter of {}",
                    ["first", "second", "third", "fourth"][from.month0() as usize / 3],
                    from.year()
                )
            }
            (Some(from), Some(to)) if from == to => format!("on {}", day(from)),
            (Some(from), Some(to)) => format!("from {} to {}", day(from), day(to)),
            (Some(from), None) => format!("since {}", day(from)),
            (None, Some(to)) => format!("until {}", day(to)),
            (None, None) => "at any time".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn days(spoken: &Spoken) -> String {
        let span = spoken.resolve(date("2001-06-30"), date("2001-06-29")).unwrap();
        let text = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        format!("{}..{}", text(span.from), text(span.to))
    }

    #[test]
    fn periods_are_days_with_an_exclusive_end() {
        for (spoken, expected) in [
            (Spoken::Month(3, None), "2001-03-01..2001-04-01"),
            (Spoken::Month(7, None), "2000-07-01..2000-08-01"),
            (Spoken::MonthOrDay(3, 24), "2001-03-24..2001-03-25"),
            (Spoken::WeekOfMonth(1, 6), "2001-06-01..2001-06-08"),
            (Spoken::WeekOfMonth(5, 6), "2001-06-24..2001-07-01"),
            (Spoken::Quarter(2, None), "2001-04-01..2001-07-01"),
            (Spoken::Quarter(4, Some(1999)), "1999-10-01..2000-01-01"),
            (Spoken::Half(1, None), "2001-01-01..2001-07-01"),
            (Spoken::OfYear(Box::new(Spoken::Month(7, None)), -1), "2000-07-01..2000-08-01"),
            (Spoken::OfYear(Box::new(Spoken::Quarter(1, None)), 0), "2001-01-01..2001-04-01"),
            (Spoken::OfYear(Box::new(Spoken::DayOfMonth(4, 7)), -1), "2000-07-04..2000-07-05"),
            (Spoken::Around(Grain::Month, -1), "2001-05-01..2001-06-01"),
            (Spoken::Around(Grain::Week, 0), "2001-06-25..2001-07-02"),
            (Spoken::Last(7, Grain::Day), "2001-06-24..2001-07-01"),
            (Spoken::Last(2, Grain::Week), "2001-06-17..2001-07-01"),
            (Spoken::FromToday(-1), "2001-06-29..2001-06-30"),
            (Spoken::DayOfMonth(14, 2), "2001-02-14..2001-02-15"),
            (Spoken::After(Box::new(Spoken::DayOfMonth(15, 5))), "2001-05-16.."),
            (Spoken::Before(Box::new(Spoken::Month(3, None))), "..2001-03-01"),
            (Spoken::Until(Box::new(Spoken::Month(3, None))), "..2001-04-01"),
        ] {
            assert_eq!(days(&spoken), expected, "{spoken:?}");
        }
    }

    #[test]
    fn a_number_behind_a_month_is_a_year_of_the_data_or_a_day() {
        let day = |text| date(text);
        let span = Spoken::MonthOrDay(9, 24).resolve(day("2024-10-01"), day("2024-09-30")).unwrap();
        assert_eq!((span.from, span.to), (Some(day("2024-09-01")), Some(day("2024-10-01"))));
        let span = Spoken::MonthOrDay(9, 28).resolve(day("2024-10-01"), day("2024-09-30")).unwrap();
        assert_eq!(span.from, Some(day("2024-09-28")));
    }

    #[test]
    fn a_range_may_cross_new_year_and_keeps_both_ends() {
        let month = |month| Box::new(Spoken::Month(month, None));
        assert_eq!(days(&Spoken::Range(month(1), month(3))), "2001-01-01..2001-04-01");
        assert_eq!(days(&Spoken::Range(month(11), month(2))), "2000-11-01..2001-03-01");
        let dates = Spoken::Range(Box::new(Spoken::DayOfMonth(1, 2)), Box::new(Spoken::DayOfMonth(15, 2)));
        assert_eq!(days(&dates), "2001-02-01..2001-02-16");
    }

    #[test]
    fn spans_are_said_with_their_preposition() {
        let words = |spoken: Spoken| spoken.resolve(date("2001-06-30"), date("2001-06-30")).unwrap().words();
        assert_eq!(words(Spoken::Month(5, None)), "in May 2001");
        assert_eq!(words(Spoken::Quarter(1, None)), "in the first quarter of 2001");
        assert_eq!(words(Spoken::FromToday(0)), "on 30 June 2001");
        assert_eq!(words(Spoken::Last(7, Grain::Day)), "from 24 June 2001 to 30 June 2001");
        assert_eq!(words(Spoken::Since(Box::new(Spoken::Month(6, None)))), "since 1 June 2001");
    }
}
