//! Reading large results off the threads that serve requests: a page of Trino's, or the rows of a long answer, would keep one
//! of them busy for a good part of a second.

use crate::lanes::{Lanes, Share, Sizes};
use inlay_contract::ids::ConnectionId;
use std::{
    future::pending,
    num::NonZero,
    panic::resume_unwind,
    thread,
    time::{Duration, Instant},
};

/// From how many bytes on something is read on a thread of its own. Less takes a few milliseconds.
pub(crate) const LARGE: usize = 256 << 10;

/// The threads on which large results are read: as many as the machine has processors, and half of them for one source. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Parsers {
    lanes: Lanes,
    share: Share,
}

impl Default for Parsers {
    fn default() -> Self {
        let processors = thread::available_parallelism().map_or(2, NonZero::get).max(2);
        Self { lanes: Lanes::new(Sizes::half(processors, usize::MAX)), share: 0 }
    }
}

impl Parsers {
    /// The same threads, in turn with the other sources.
    pub(crate) fn of(&self, source: ConnectionId) -> Self {
        Self { lanes: self.lanes.clone(), share: source.0.as_u128() }
    }

    /// Does work on this many bytes: here if they are few, otherwise on a thread of its own once there is a place. The query's
    /// time limit ends the waiting. The place is held until the work ends, also when the caller has left.
    pub(crate) async fn read<T: Send + 'static>(&self, bytes: usize, work: impl FnOnce() -> T + Send + 'static) -> T {
        if bytes < LARGE {
            return work();
        }
        let begun = Instant::now();
        let place = self.lanes.enter(self.share, Duration::MAX).await;
        metrics::histogram!("inlay_result_reading_wait_seconds").record(begun.elapsed());
        let work = move || {
            let made = work();
            drop(place);
            made
        };
        match tokio::task::spawn_blocking(work).await.map_err(tokio::task::JoinError::try_into_panic) {
            Ok(made) => made,
            Err(Ok(panic)) => resume_unwind(panic),
            // The runtime ends, and this with it.
            Err(Err(_)) => pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn only_what_is_large_is_read_on_a_thread_of_its_own() {
        let (parsers, here) = (Parsers::default(), thread::current().id());
        assert_eq!(parsers.read(LARGE - 1, || thread::current().id()).await, here);
        assert_ne!(parsers.read(LARGE, || thread::current().id()).await, here);
    }

    #[tokio::test]
    async fn one_source_leaves_places_to_the_others_also_when_its_caller_has_left() {
        let all = Parsers { lanes: Lanes::new(Sizes::half(2, usize::MAX)), share: 0 };
        let (greedy, other) = (all.of(ConnectionId::generate()), all.of(ConnectionId::generate()));
        let (go_on, told) = mpsc::channel::<()>();
        let endless = greedy.clone();
        let caller = tokio::spawn(async move { endless.read(LARGE, move || told.recv().is_ok()).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        caller.abort();
        let soon = Duration::from_millis(100);
        assert!(tokio::time::timeout(soon, greedy.read(LARGE, || ())).await.is_err(), "its half is taken");
        tokio::time::timeout(soon * 20, other.read(LARGE, || ())).await.expect("the others are read");
        drop(go_on);
        tokio::time::timeout(soon * 20, greedy.read(LARGE, || ())).await.expect("its places are free again");
    }

    #[tokio::test]
    #[should_panic(expected = "unreadable")]
    async fn a_panic_is_the_caller_s() {
        Parsers::default().read(LARGE, || panic!("unreadable")).await;
    }
}
