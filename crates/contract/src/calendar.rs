//! Days and times as the data writes them (`2001-01-31`, `2001-01-31T12:30:00`), without a zone: a chart shows what the query
//! answered. Counted in milliseconds since 1970 as if in UTC.

use crate::chart::question::Grain as Period;
use chrono::{DateTime, Datelike, Months, NaiveDate, NaiveDateTime, NaiveTime};

/// Milliseconds of a day.
pub const DAY: i64 = 86_400_000;
/// Milliseconds of a minute.
pub const MINUTE: i64 = 60_000;

/// The day and time of a moment; the first of 1970 for one that is 262,000 years away.
#[must_use]
pub fn civil(moment: i64) -> NaiveDateTime {
    DateTime::from_timestamp_millis(moment).unwrap_or_default().naive_utc()
}

/// The moment at which a day begins.
#[must_use]
pub fn start(day: NaiveDate) -> i64 {
    day.and_time(NaiveTime::MIN).and_utc().timestamp_millis()
}

/// The day of a moment, as the data writes it.
#[must_use]
pub fn written(moment: i64) -> String {
    civil(moment).date().to_string()
}

/// Reads a day, a day and time, or a month (`2001-01`); an offset is ignored. None for anything else.
#[must_use]
pub fn parse(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| {
        let part = text.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok()).flatten()
    };
    if bytes.get(4) != Some(&b'-') || !matches!(bytes.get(7), None | Some(b'-')) {
        return None;
    }
    let day = if bytes.len() == 7 { 1 } else { digits(8, 10)? };
    let start = start(NaiveDate::from_ymd_opt(digits(0, 4)?.cast_signed(), digits(5, 7)?, day)?);
    match bytes.get(10) {
        None => Some(start),
        Some(b'T' | b' ') => {
            let (hour, minute) = (digits(11, 13)?, digits(14, 16)?);
            let second = if bytes.get(16) == Some(&b':') { digits(17, 19)? } else { 0 };
            let valid = bytes.get(13) == Some(&b':') && hour < 24 && minute < 60 && second < 61;
            valid.then(|| start + i64::from(hour * 60 + minute) * MINUTE + i64::from(second) * 1000)
        }
        Some(_) => None,
    }
}

/// How far apart the moments of a column are; decides how a period is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Grain {
    Minute,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Grain {
    /// The coarsest grain on which all of the moments lie. The moments are sorted and distinct.
    #[must_use]
    pub fn of(moments: &[i64]) -> Self {
        let days = || moments.iter().map(|moment| civil(*moment));
        if moments.iter().any(|moment| moment.rem_euclid(DAY) != 0) {
            return Self::Minute;
        }
        if days().any(|day| day.day() != 1) || moments.is_empty() {
            let weekly = moments.len() > 1 && moments.windows(2).all(|pair| (pair[1] - pair[0]) % (7 * DAY) == 0);
            return if weekly { Self::Week } else { Self::Day };
        }
        if moments.len() == 1 {
            return Self::Month;
        }
        match () {
            () if days().all(|day| day.month() == 1) => Self::Year,
            () if days().all(|day| day.month() % 3 == 1) => Self::Quarter,
            () => Self::Month,
        }
    }
}

/// The beginning of the period after one that begins at a moment. `None` beyond the calendar.
#[must_use]
pub fn following(moment: i64, period: Period) -> Option<i64> {
    let months = match period {
        Period::Day => return moment.checked_add(DAY),
        Period::Week => return moment.checked_add(7 * DAY),
        Period::Month => 1,
        Period::Quarter => 3,
        Period::Year => 12,
    };
    let next = civil(moment).checked_add_months(Months::new(months))?;
    Some(next.and_utc().timestamp_millis())
}

/// At most this many dates stand under an axis.
const MOST_TICKS: i64 = 7;

/// Where labels stand on an axis of time between two moments, on round dates, and how they are named.
#[must_use]
pub fn ticks(from: i64, to: i64, grain: Grain) -> (Vec<i64>, Grain) {
    let span = (to - from).max(1);
    if grain == Grain::Minute {
        let steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map(|minutes| minutes * MINUTE);
        if let Some(step) = steps.into_iter().find(|step| span / step < MOST_TICKS) {
            return (multiples(from, to, step, 0), Grain::Minute);
        }
    }
    if grain <= Grain::Week {
        // Weeks begin on Monday; the first Monday was 5 January 1970.
        let origin = 4 * DAY;
        let steps = if grain == Grain::Week { &[7, 14][..] } else { &[1, 2, 7, 14] };
        let step = steps.iter().map(|days| days * DAY).find(|step| span / step < MOST_TICKS);
        if let Some(step) = step {
            let origin = if grain == Grain::Week { from.rem_euclid(7 * DAY) } else { origin };
            return (multiples(from, to, step, origin), Grain::Day);
        }
    }
    // Months are counted from that of the year 0.
    let month_of = |moment: i64| {
        let day = civil(moment);
        i64::from(day.year()) * 12 + i64::from(day.month0())
    };
    let start_of = |month: i64| {
        let year = i32::try_from(month.div_euclid(12)).ok()?;
        NaiveDate::from_ymd_opt(year, month.rem_euclid(12) as u32 + 1, 1).map(start)
    };
    let (first, last) = (month_of(from), month_of(to));
    let first = if start_of(first) < Some(from) { first + 1 } else { first };
    let steps: &[i64] = match grain {
        Grain::Year => &[],
        Grain::Quarter => &[3, 6],
        _ => &[1, 2, 3, 6],
    };
    let years = [12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000];
    let step = steps.iter().copied().chain(years).find(|step| (last - first) / step < MOST_TICKS).unwrap_or(60_000);
    let moments = (first..=last).filter(|month| month % step == 0).filter_map(start_of);
    let named = match step {
        12.. => Grain::Year,
        3.. if grain == Grain::Quarter => Grain::Quarter,
        _ => Grain::Month,
    };
    (moments.collect(), named)
}

fn multiples(from: i64, to: i64, step: i64, origin: i64) -> Vec<i64> {
    let first = from + (origin - from).rem_euclid(step);
    (first..=to).step_by(step as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> i64 {
        parse(text).expect("a date")
    }

    #[test]
    fn moments_survive_the_round_trip() {
        for text in ["1970-01-01", "2000-02-29", "2001-12-31", "1899-03-01", "9999-12-31"] {
            assert_eq!(written(at(text)), text);
            assert_eq!(start(civil(at(text)).date()), at(text));
        }
        assert_eq!(at("1970-01-02T03:04:05.678Z"), DAY + 3 * 60 * MINUTE + 4 * MINUTE + 5000);
        assert_eq!(at("2001-02"), at("2001-02-01"));
    }

    #[test]
    fn moments_beyond_the_calendar_are_those_of_1970() {
        assert_eq!((written(i64::MAX), written(i64::MIN)), ("1970-01-01".to_owned(), "1970-01-01".to_owned()));
    }

    #[test]
    fn what_is_not_a_date_is_none() {
        for text in
            ["", "2001", "2001-13-01", "2001-02-30", "2001-1-1", "20010101", "2001-01-01x", "2001-01-01T25:00", "ATL-é2-x"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn grains_are_found() {
        let grain = |texts: &[&str]| Grain::of(&texts.iter().map(|text| at(text)).collect::<Vec<_>>());
        assert_eq!(grain(&["2001-01-01", "2002-01-01"]), Grain::Year);
        assert_eq!(grain(&["2001-01-01", "2001-04-01", "2001-07-01"]), Grain::Quarter);
        assert_eq!(grain(&["2001-01-01", "2001-02-01"]), Grain::Month);
        assert_eq!(grain(&["2001-01-01", "2001-01-08", "2001-01-15"]), Grain::Week);
        assert_eq!(grain(&["2001-01-01", "2001-01-02"]), Grain::Day);
        assert_eq!(grain(&["2001-01-01", "2001-01-01T06:30"]), Grain::Minute);
    }

    #[test]
    fn ticks_are_round_and_at_most_seven() {
        let named = |from: &str, to: &str, grain| {
            let (moments, named) = ticks(at(from), at(to), grain);
            assert!(moments.len() <= MOST_TICKS as usize, "{from} {to}: {}", moments.len());
            let dates: Vec<String> = moments
                .into_iter()
                .map(|moment| {
                    let day = civil(moment);
                    format!("{}-{}-{}", day.year(), day.month(), day.day())
                })
                .collect();
            (dates.join(" "), named)
        };
        let year = named("2001-01-01", "2001-12-31", Grain::Day);
        assert_eq!(year, ("2001-1-1 2001-3-1 2001-5-1 2001-7-1 2001-9-1 2001-11-1".to_owned(), Grain::Month));
        assert_eq!(named("2001-01-03", "2001-01-06", Grain::Day).0, "2001-1-3 2001-1-4 2001-1-5 2001-1-6");
        assert_eq!(named("2001-01-01", "2001-02-01", Grain::Day).0, "2001-1-1 2001-1-8 2001-1-15 2001-1-22 2001-1-29");
        assert_eq!(named("1995-01-01", "2002-01-01", Grain::Year).0, "1996-1-1 1998-1-1 2000-1-1 2002-1-1");
        assert_eq!(named("2001-01-01", "2001-10-01", Grain::Quarter).1, Grain::Quarter);
    }
}
