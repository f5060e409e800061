//! Formats moments in the viewer's time zone.

use chrono::{DateTime, FixedOffset, LocalResult, NaiveDateTime, SecondsFormat, TimeZone, Utc};
use chrono_tz::Tz;

/// A moment in a zone, with its UTC offset, or `Z` for UTC.
pub(super) fn written(moment: DateTime<Utc>, zone: Tz) -> String {
    if zone == Tz::UTC {
        moment.to_rfc3339_opts(SecondsFormat::AutoSi, true)
    } else {
        moment.with_timezone(&zone).to_rfc3339_opts(SecondsFormat::AutoSi, false)
    }
}

/// An ISO 8601 moment in a zone. Other text is unchanged.
pub(super) fn shown(text: &str, zone: Tz) -> String {
    DateTime::parse_from_rfc3339(text).map_or_else(|_| text.to_owned(), |moment| written(moment.to_utc(), zone))
}

/// Parses `2001-01-31 12:30:00.000 Europe/Berlin`, or with `+02:00` in place of the zone.
pub(super) fn of_named(text: &str) -> Option<DateTime<Utc>> {
    let (local, zone) = text.rsplit_once(' ')?;
    let local = NaiveDateTime::parse_from_str(local, "%Y-%m-%d %H:%M:%S%.f").ok()?;
    if let Ok(offset) = zone.parse::<FixedOffset>() {
        return offset.from_local_datetime(&local).single().map(|moment| moment.to_utc());
    }
    at(local, zone.parse().ok()?)
}

/// The moment of a local time in a zone. If it occurs twice, the first one. If it is skipped, the moment without the clock
/// change.
pub(crate) fn at(local: NaiveDateTime, zone: Tz) -> Option<DateTime<Utc>> {
    match zone.from_local_datetime(&local) {
        LocalResult::Single(moment) | LocalResult::Ambiguous(moment, _) => Some(moment.to_utc()),
        LocalResult::None => {
            let before = zone.from_local_datetime(&(local - chrono::Duration::hours(3))).earliest()?;
            Some((before + chrono::Duration::hours(3)).to_utc())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(text: &str) -> DateTime<Utc> {
        text.parse().expect("a moment")
    }

    #[test]
    fn moments_are_shown_by_the_viewers_clock() {
        let moment = utc("2024-07-01T22:30:00.250Z");
        assert_eq!(written(moment, Tz::UTC), "2024-07-01T22:30:00.250Z");
        assert_eq!(written(moment, Tz::Europe__Berlin), "2024-07-02T00:30:00.250+02:00");
        assert_eq!(shown("2024-07-01T22:30:00+00:00", Tz::UTC), "2024-07-01T22:30:00Z");
        assert_eq!(shown("infinity", Tz::Europe__Berlin), "infinity");
    }

    #[test]
    fn named_zones_and_distances_are_read() {
        for text in ["2024-07-02 00:30:00.000 Europe/Berlin", "2024-07-02 00:30:00 +02:00", "2024-07-01 22:30:00.0 UTC"] {
            assert_eq!(of_named(text), Some(utc("2024-07-01T22:30:00Z")), "{text}");
        }
        assert_eq!(of_named("2024-07-01 22:30:00"), None);
    }

    #[test]
    fn days_begin_where_the_clock_is_put() {
        let local = |text: &str| NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").expect("a time");
        let berlin = |text: &str| at(local(text), Tz::Europe__Berlin).expect("a moment");
        assert_eq!(berlin("2024-03-31 02:30"), utc("2024-03-31T01:30:00Z"));
        assert_eq!(berlin("2024-10-27 02:30"), utc("2024-10-27T00:30:00Z"));
        assert_eq!(berlin("2024-10-27 00:00"), utc("2024-10-26T22:00:00Z"));
    }
}
