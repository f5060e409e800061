//! The night: checks that read much from customers' databases begin at an hour of a setting.

use crate::ground::time::Timestamp;
use chrono::{Days, NaiveTime};
use std::time::Duration;

/// How long after the hour a check may still begin.
const LONG: Duration = Duration::from_secs(4 * 3600);

/// When the night that it is now began, at this hour (UTC). `None` during the day.
pub fn begun(now: Timestamp, hour: u8) -> Option<Timestamp> {
    let now = now.to_utc();
    let begun = now.date_naive().and_time(NaiveTime::from_hms_opt(u32::from(hour), 0, 0)?).and_utc();
    let begun = if begun <= now { begun } else { begun.checked_sub_days(Days::new(1))? };
    let since = (now - begun).to_std().ok()?;
    (since < LONG).then(|| Timestamp(begun.timestamp_millis()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_begins_in_the_night_and_never_by_day() {
        let at = |text: &str| Timestamp(text.parse::<chrono::DateTime<chrono::Utc>>().expect("a time").timestamp_millis());
        let night = |now: &str, hour| begun(at(now), hour).map(|night| night.to_string());
        assert_eq!(night("2026-11-22T01:59:59Z", 2), None);
        assert_eq!(night("2026-11-22T02:00:00Z", 2).as_deref(), Some("2026-11-22T02:00:00.000Z"));
        assert_eq!(night("2026-11-22T05:59:59Z", 2).as_deref(), Some("2026-11-22T02:00:00.000Z"));
        assert_eq!(night("2026-11-22T06:00:00Z", 2), None);
        assert_eq!(night("2026-11-22T01:30:00Z", 23).as_deref(), Some("2026-11-21T23:00:00.000Z"));
        assert_eq!(night("2026-11-22T12:00:00Z", 2), None);
    }
}
