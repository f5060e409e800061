//! Since when sources have failed, as far as this node saw it.

use crate::error::QueryError;
use inlay_contract::ids::ConnectionId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// For how many sources this is known at most. Further ones are not recorded.
const MOST: usize = 10_000;
/// How long a failure is remembered of a source that nobody asks again, such as a deleted one.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// When each failing source first failed since its last response.
#[derive(Clone, Default)]
pub(super) struct Failures(Arc<Mutex<HashMap<ConnectionId, Failing>>>);

struct Failing {
    first: Instant,
    last: Instant,
    /// Whether it refused, its login or its address, since its last response.
    refused: bool,
}

impl Failures {
    fn all(&self) -> MutexGuard<'_, HashMap<ConnectionId, Failing>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records what a source returned. An error of the database is a response; a time limit may be the query's own fault.
    pub(super) fn note<T>(&self, source: ConnectionId, told: &Result<T, QueryError>) {
        match told {
            Err(QueryError::SourceUnavailable(_)) => self.failed(source, false, Instant::now()),
            Err(QueryError::Refused(_)) => self.failed(source, true, Instant::now()),
            Err(QueryError::Timeout(_) | QueryError::Busy(_)) => {}
            _ => drop(self.all().remove(&source)),
        }
    }

    /// Records a failure, and whether it is a refusal.
    pub(super) fn failed(&self, source: ConnectionId, refused: bool, now: Instant) {
        let mut all = self.all();
        if let Some(failing) = all.get_mut(&source) {
            failing.last = now;
            failing.refused |= refused;
            return;
        }
        if all.len() >= MOST {
            all.retain(|_, failing| now.duration_since(failing.last) < KEPT);
        }
        if all.len() < MOST {
            all.insert(source, Failing { first: now, last: now, refused });
        }
    }

    /// Forgets a source.
    pub(super) fn forget(&self, source: ConnectionId) {
        self.all().remove(&source);
    }

    /// How many sources fail.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.all().len()
    }

    /// How long a source has been failing. `None` if it responded last, or was not asked.
    pub(super) fn failing_for(&self, source: ConnectionId, now: Instant) -> Option<Duration> {
        self.all().get(&source).map(|failing| now.duration_since(failing.first))
    }

    /// Whether a source has refused, and not responded since. Also true where it cannot be known because too many sources fail.
    pub(super) fn refuses(&self, source: ConnectionId) -> bool {
        let all = self.all();
        all.get(&source).map_or(all.len() >= MOST, |failing| failing.refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn a_source_fails_since_its_first_failure_after_a_response() {
        let (failures, source, now) = (Failures::default(), ConnectionId::generate(), Instant::now());
        assert_eq!(failures.failing_for(source, now), None);
        failures.failed(source, false, now);
        failures.failed(source, false, now + MINUTE);
        assert_eq!(failures.failing_for(source, now + 2 * MINUTE), Some(2 * MINUTE));
        assert_eq!(failures.failing_for(ConnectionId::generate(), now), None, "another source");
        for unclear in [QueryError::timeout("too slow"), QueryError::unavailable("away")] {
            failures.note(source, &Err::<(), _>(unclear));
            assert!(failures.failing_for(source, now + 2 * MINUTE).is_some());
        }
        failures.note(source, &Err::<(), _>(QueryError::failed("no such column")));
        assert_eq!(failures.failing_for(source, now + 2 * MINUTE), None, "an error of the database is a response");
        failures.failed(source, false, now + 3 * MINUTE);
        assert_eq!(failures.failing_for(source, now + 4 * MINUTE), Some(MINUTE));
        failures.note(source, &Ok(()));
        assert_eq!(failures.failing_for(source, now + 4 * MINUTE), None);
    }

    #[test]
    fn a_refusal_lasts_until_the_source_responds() {
        let (failures, source) = (Failures::default(), ConnectionId::generate());
        let note = |told: Result<(), QueryError>| {
            failures.note(source, &told);
            failures.refuses(source)
        };
        assert!(!note(Err(QueryError::unavailable("away"))));
        assert!(note(Err(QueryError::refused("the password is wrong"))));
        assert!(note(Err(QueryError::unavailable("it rests"))));
        assert!(note(Err(QueryError::timeout("too slow"))));
        assert!(!failures.refuses(ConnectionId::generate()), "another source");
        assert!(!note(Err(QueryError::failed("no such column"))));
        assert!(note(Err(QueryError::refused("the password is wrong"))));
        assert!(!note(Ok(())));
    }

    #[test]
    fn no_more_than_a_number_of_sources_are_known_and_old_ones_make_room() {
        let (failures, now) = (Failures::default(), Instant::now());
        let first = ConnectionId::generate();
        failures.failed(first, false, now);
        for _ in 1..MOST {
            failures.failed(ConnectionId::generate(), false, now);
        }
        let late = ConnectionId::generate();
        failures.failed(late, false, now + MINUTE);
        assert_eq!(failures.failing_for(late, now + MINUTE), None);
        assert_eq!((failures.refuses(late), failures.refuses(first)), (true, false), "nobody knows of the late one");
        failures.failed(first, false, now + KEPT);
        failures.failed(late, false, now + KEPT);
        assert_eq!(failures.failing_for(late, now + KEPT), Some(Duration::ZERO));
        assert_eq!((failures.failing_for(first, now + KEPT), failures.all().len()), (Some(KEPT), 2));
    }
}
