//! The schedule of a report: a five-field cron expression in a time zone. When the clock is put forward, a skipped time runs at
//! the next existing one; when it is put back, a repeated time runs once.

use crate::ground::time::Timestamp;
use chrono_tz::Tz;
use croner::{
    Cron,
    parser::{CronParser, Seconds, Year},
};
use std::time::Duration;

/// How many upcoming runs are checked for the minimum time between runs: more than a day can have with the default minimum.
const LOOKED_AT: usize = 200;

/// How many different days are checked: a pattern repeats its times every day.
const DAYS: usize = 3;

/// The maximum length of a cron expression.
const LONGEST: usize = 100;

/// The schedule of a report.
#[derive(Clone, Debug)]
pub struct Cadence {
    cron: Cron,
    zone: Tz,
}

/// A problem of a schedule: the field, and text that completes «`field` …».
pub type CadenceProblem = (&'static str, String);

impl Cadence {
    /// Parses a schedule.
    ///
    /// # Errors
    /// The text is not a cron expression, never runs, or runs more often than allowed; the time zone is unknown.
    pub fn read(cron: &str, timezone: &str, least: Duration, now: Timestamp) -> Result<Self, CadenceProblem> {
        let zone = timezone.parse().map_err(|_| ("timezone", "must be an IANA time zone such as Europe/Berlin".to_owned()))?;
        let wrong =
            || ("cron", "must be a cron expression with five fields, such as `0 8 * * MON` for Mondays at 8:00".to_owned());
        if cron.len() > LONGEST || cron.trim().starts_with('@') {
            return Err(wrong());
        }
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let cadence = Self { cron: parser.parse(cron.trim()).map_err(|_| wrong())?, zone };
        let coming = cadence.looked_at(now);
        if coming.is_empty() {
            return Err(("cron", "never comes".to_owned()));
        }
        let least = i64::try_from(least.as_millis()).unwrap_or(i64::MAX);
        if coming.windows(2).any(|pair| pair[1].0 - pair[0].0 < least) {
            let minutes = least / 60_000;
            return Err(("cron", format!("must leave at least {minutes} minutes between two runs")));
        }
        Ok(cadence)
    }

    /// The first run after a time.
    pub fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let from = after.to_utc().with_timezone(&self.zone);
        let next = self.cron.find_next_occurrence(&from, false).ok()?;
        Some(Timestamp(next.timestamp_millis()))
    }

    /// The first runs after a time.
    pub fn coming(&self, after: Timestamp, count: usize) -> Vec<Timestamp> {
        std::iter::successors(self.next(after), |at| self.next(*at)).take(count).collect()
    }

    /// A time as text, in this schedule's time zone.
    pub fn words(&self, at: Timestamp) -> String {
        words(at, self.zone)
    }

    fn looked_at(&self, now: Timestamp) -> Vec<Timestamp> {
        let mut days = Vec::new();
        let runs = std::iter::successors(self.next(now), |at| self.next(*at)).take(LOOKED_AT);
        let within = runs.take_while(|at| {
            let day = at.to_utc().with_timezone(&self.zone).date_naive();
            if days.last() != Some(&day) {
                days.push(day);
            }
            days.len() <= DAYS
        });
        within.collect()
    }
}

/// A time as text, in a named time zone: `Mon 23 Nov 2026, 08:00 CET`.
pub fn in_words(at: Timestamp, timezone: &str) -> String {
    words(at, timezone.parse().unwrap_or(Tz::UTC))
}

fn words(at: Timestamp, zone: Tz) -> String {
    at.to_utc().with_timezone(&zone).format("%a %-d %b %Y, %H:%M %Z").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{TimeZone, Utc};

    const QUARTER: Duration = Duration::from_secs(15 * 60);

    fn at(year: i32, month: u32, day: u32, hour: u32, minute: u32) -> Timestamp {
        Timestamp(Utc.with_ymd_and_hms(year, month, day, hour, minute, 0).single().expect("a moment").timestamp_millis())
    }

    fn runs(cron: &str, zone: &str, from: Timestamp, count: usize) -> Vec<String> {
        let cadence = Cadence::read(cron, zone, QUARTER, from).expect("a cadence");
        cadence.coming(from, count).into_iter().map(|at| cadence.words(at)).collect()
    }

    #[test]
    fn runs_come_on_the_clock_of_the_zone() {
        assert_eq!(
            runs("0 8 * * MON-FRI", "Europe/Berlin", at(2026, 10, 22, 0, 0), 3),
            ["Thu 22 Oct 2026, 08:00 CEST", "Fri 23 Oct 2026, 08:00 CEST", "Mon 26 Oct 2026, 08:00 CET"]
        );
        assert_eq!(
            runs("30 17 L * *", "America/New_York", at(2028, 2, 1, 0, 0), 2),
            ["Tue 29 Feb 2028, 17:30 EST", "Fri 31 Mar 2028, 17:30 EDT"]
        );
    }

    #[test]
    fn a_time_that_is_skipped_comes_a_little_later_and_one_that_comes_twice_once() {
        // On 29 March 2026 Berlin's clocks go from 02:00 to 03:00, on 25 October from 03:00 to 02:00.
        assert_eq!(
            runs("30 2 * * *", "Europe/Berlin", at(2026, 3, 28, 0, 0), 3),
            ["Sat 28 Mar 2026, 02:30 CET", "Sun 29 Mar 2026, 03:00 CEST", "Mon 30 Mar 2026, 02:30 CEST"]
        );
        assert_eq!(
            runs("30 2 * * *", "Europe/Berlin", at(2026, 10, 24, 12, 0), 2),
            ["Sun 25 Oct 2026, 02:30 CEST", "Mon 26 Oct 2026, 02:30 CET"]
        );
    }

    #[test]
    fn what_is_no_cadence_is_refused() {
        let refused = |cron: &str, zone: &str| Cadence::read(cron, zone, QUARTER, at(2026, 1, 1, 0, 0)).map(drop);
        for (cron, zone, field) in [
            ("", "UTC", "cron"),
            ("every day", "UTC", "cron"),
            ("0 8 * *", "UTC", "cron"),
            ("0 0 8 * * *", "UTC", "cron"),
            ("@daily", "UTC", "cron"),
            ("61 8 * * *", "UTC", "cron"),
            ("0 0 31 2 *", "UTC", "cron"),
            ("* * * * *", "UTC", "cron"),
            ("*/10 * * * *", "UTC", "cron"),
            ("0,50 1-2 * * *", "UTC", "cron"),
            ("55 23 * * *", "Mars/Olympus", "timezone"),
            (&"0 8 * * 1,".repeat(40), "UTC", "cron"),
        ] {
            assert_eq!(refused(cron, zone).map_err(|(field, _)| field), Err(field), "{cron} {zone}");
        }
        for fine in ["*/15 * * * *", "0 8 1 1 *", "0 8 29 2 *", "0 8 * * SUN#1", "0 0,12 * * *"] {
            assert_eq!(refused(fine, "Asia/Kolkata"), Ok(()), "{fine}");
        }
    }
}
