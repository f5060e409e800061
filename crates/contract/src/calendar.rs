//! Days and times as the data writes them (`2001-01-31`, `2001-01-31T12:30:00`), without a zone: a chart shows what the query
//! answered. Counted in milliseconds since 1970 as if in UTC.

/// Milliseconds of a day.
pub const DAY: i64 = 86_400_000;
/// Milliseconds of a minute.
pub const MINUTE: i64 = 60_000;

/// A moment taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Civil {
    /// The year.
    pub year: i64,
    /// 1–12.
    pub month: u32,
    /// 1–31.
    pub day: u32,
    /// 0–23.
    pub hour: u32,
    /// 0–59.
    pub minute: u32,
}

impl Civil {
    /// Takes a moment apart (Howard Hinnant, "chrono-compatible low-level date algorithms").
    #[must_use]
    pub fn from_millis(millis: i64) -> Self {
        let shifted = millis.div_euclid(DAY) + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 } as u32;
        let minutes = millis.rem_euclid(DAY) / MINUTE;
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: (day_of_year - (153 * march_month + 2) / 5 + 1) as u32,
            hour: (minutes / 60) as u32,
            minute: (minutes % 60) as u32,
        }
    }

    /// The moment; a month or day beyond its range runs over into the next.
    #[must_use]
    pub fn to_millis(self) -> i64 {
        let months = self.year * 12 + i64::from(self.month) - 1;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let march_year = year - i64::from(month <= 2);
        let era = march_year.div_euclid(400);
        let year_of_era = march_year.rem_euclid(400);
        let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + i64::from(self.day) - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        let days = era * 146_097 + day_of_era - 719_468;
        days * DAY + (i64::from(self.hour) * 60 + i64::from(self.minute)) * MINUTE
    }

    /// The start of a day.
    #[must_use]
    pub const fn date(year: i64, month: u32, day: u32) -> Self {
        Self { year, month, day, hour: 0, minute: 0 }
    }
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
    let (year, month) = (i64::from(digits(0, 4)?), digits(5, 7)?);
    let day = if bytes.len() == 7 { 1 } else { digits(8, 10)? };
    let start = Civil::date(year, month, day).to_millis();
    if !(1..=12).contains(&month) || Civil::from_millis(start) != Civil::date(year, month, day) {
        return None;
    }
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
        let civil = || moments.iter().map(|moment| Civil::from_millis(*moment));
        if moments.iter().any(|moment| moment.rem_euclid(DAY) != 0) {
            return Self::Minute;
        }
        if civil().any(|at| at.day != 1) || moments.is_empty() {
            let weekly = moments.len() > 1 && moments.windows(2).all(|pair| (pair[1] - pair[0]) % (7 * DAY) == 0);
            return if weekly { Self::Week } else { Self::Day };
        }
        if moments.len() == 1 {
            return Self::Month;
        }
        match () {
            () if civil().all(|at| at.month == 1) => Self::Year,
            () if civil().all(|at| at.month % 3 == 1) => Self::Quarter,
            () => Self::Month,
        }
    }
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
    let months = |moment: i64| {
        let at = Civil::from_millis(moment);
        at.year * 12 + i64::from(at.month) - 1
    };
    let first = if Civil::date(Civil::from_millis(from).year, Civil::from_millis(from).month, 1).to_millis() < from {
        months(from) + 1
    } else {
        months(from)
    };
    let steps: &[i64] = match grain {
        Grain::Year => &[],
        Grain::Quarter => &[3, 6],
        _ => &[1, 2, 3, 6],
    };
    let years = [12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12_000];
    let step = steps.iter().copied().chain(years).find(|step| (months(to) - first) / step < MOST_TICKS).unwrap_or(60_000);
    let starts = (first..=months(to)).filter(|month| month % step == 0);
    let moments = starts.map(|month| Civil::date(month.div_euclid(12), month.rem_euclid(12) as u32 + 1, 1).to_millis());
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
            let civil = Civil::from_millis(at(text));
            assert_eq!(format!("{:04}-{:02}-{:02}", civil.year, civil.month, civil.day), text);
            assert_eq!(civil.to_millis(), at(text));
        }
        assert_eq!(at("1970-01-02T03:04:05.678Z"), DAY + 3 * 60 * MINUTE + 4 * MINUTE + 5000);
        assert_eq!(at("2001-02"), at("2001-02-01"));
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
                    let civil = Civil::from_millis(moment);
                    format!("{}-{}-{}", civil.year, civil.month, civil.day)
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
