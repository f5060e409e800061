//! Periodic work of a node beside its jobs.

use std::{
    sync::Mutex,
    time::{Duration, Instant},
};

/// The interval.
const EVERY: Duration = Duration::from_secs(3600);

/// Becomes due once an hour, and at the first check.
#[derive(Debug, Default)]
pub struct Hourly(Mutex<Option<Instant>>);

impl Hourly {
    /// Whether it is due. Returning `true` starts the next hour.
    pub fn is_due(&self) -> bool {
        self.is_due_at(Instant::now())
    }

    fn is_due_at(&self, now: Instant) -> bool {
        let Ok(mut last) = self.0.lock() else { return false };
        let due = last.is_none_or(|last| now.duration_since(last) >= EVERY);
        if due {
            *last = Some(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_time_once_an_hour() {
        let (hourly, start) = (Hourly::default(), Instant::now());
        let after = |minutes: u64| hourly.is_due_at(start + Duration::from_secs(60 * minutes));
        assert_eq!([0, 0, 59, 60, 61, 120].map(after), [true, false, false, true, false, true]);
    }
}
