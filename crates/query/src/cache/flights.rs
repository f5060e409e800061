//! Shares one run among concurrent identical requests. The run belongs to all who wait for it. When the last of them leaves, it
//! is dropped, which cancels it in the source.

use super::Fingerprint;
use futures::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
};

/// The runs in progress.
pub(crate) struct Flights<T: Clone>(Arc<Board<T>>);

/// A shared run.
type Flight<T> = BoxFuture<'static, T>;

/// The runs with their numbers.
type Running<T> = HashMap<Fingerprint, (u64, WeakShared<Flight<T>>)>;

struct Board<T: Clone> {
    next: AtomicU64,
    running: Mutex<Running<T>>,
}

impl<T: Clone> Default for Flights<T> {
    fn default() -> Self {
        Self(Arc::new(Board { next: AtomicU64::new(0), running: Mutex::default() }))
    }
}

impl<T: Clone + Send + Sync + 'static> Flights<T> {
    /// Joins the run of this key or starts one. Returns whether it was already in progress.
    pub(crate) fn join(&self, key: Fingerprint, start: impl Future<Output = T> + Send + 'static) -> (Shared<Flight<T>>, bool) {
        let mut running = self.0.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = running.get(&key).and_then(|(_, flight)| flight.upgrade()) {
            return (flight, true);
        }
        let number = self.0.next.fetch_add(1, Ordering::Relaxed);
        let entry = Entry { board: Arc::downgrade(&self.0), key, number };
        let flight = async move {
            let _entry = entry;
            start.await
        }
        .boxed()
        .shared();
        if let Some(weak) = flight.downgrade() {
            running.insert(key, (number, weak));
        }
        (flight, false)
    }

    /// The number of runs in progress.
    #[cfg(test)]
    fn count(&self) -> usize {
        self.0.running.lock().expect("a lock").len()
    }
}

/// A run's entry, removed when it is complete or dropped.
struct Entry<T: Clone> {
    board: Weak<Board<T>>,
    key: Fingerprint,
    number: u64,
}

impl<T: Clone> Drop for Entry<T> {
    fn drop(&mut self) {
        let Some(board) = self.board.upgrade() else { return };
        let mut running = board.running.lock().unwrap_or_else(PoisonError::into_inner);
        // A new run may have replaced a dropped one.
        if running.get(&self.key).is_some_and(|(number, _)| *number == self.number) {
            running.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::atomic::AtomicUsize, time::Duration};
    use tokio::sync::oneshot;

    const KEY: Fingerprint = [7; 32];

    /// Counts the runs that were started, and those that were dropped before they completed.
    #[derive(Clone, Default)]
    struct Counts(Arc<(AtomicUsize, AtomicUsize)>);

    impl Counts {
        fn run(&self, gate: oneshot::Receiver<u32>) -> impl Future<Output = u32> + Send + 'static {
            struct Dropped(Counts, bool);
            impl Drop for Dropped {
                fn drop(&mut self) {
                    self.0.0.1.fetch_add(usize::from(!self.1), Ordering::SeqCst);
                }
            }
            let counts = self.clone();
            async move {
                counts.0.0.fetch_add(1, Ordering::SeqCst);
                let mut dropped = Dropped(counts, false);
                let answer = gate.await.unwrap_or_default();
                dropped.1 = true;
                answer
            }
        }

        fn seen(&self) -> (usize, usize) {
            (self.0.0.load(Ordering::SeqCst), self.0.1.load(Ordering::SeqCst))
        }
    }

    #[tokio::test]
    async fn those_who_come_meanwhile_share_one_run() {
        let (flights, counts) = (Flights::default(), Counts::default());
        let (open, gate) = oneshot::channel();
        let (first, joined) = flights.join(KEY, counts.run(gate));
        assert!(!joined);
        let mut waiting = vec![tokio::spawn(first)];
        for _ in 0..9 {
            let (flight, joined) = flights.join(KEY, counts.run(oneshot::channel().1));
            assert!(joined);
            waiting.push(tokio::spawn(flight));
        }
        open.send(42).expect("somebody waits");
        for flight in waiting {
            assert_eq!(flight.await.expect("no panic"), 42);
        }
        assert_eq!((counts.seen(), flights.count()), ((1, 0), 0));
    }

    #[tokio::test]
    async fn the_run_ends_with_the_last_who_waits() {
        let (flights, counts) = (Flights::default(), Counts::default());
        let (_open, gate) = oneshot::channel();
        let (first, _) = flights.join(KEY, counts.run(gate));
        let (second, _) = flights.join(KEY, counts.run(oneshot::channel().1));
        let (first, second) = (tokio::spawn(first), tokio::spawn(second));
        tokio::time::sleep(Duration::from_millis(20)).await;
        first.abort();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!((counts.seen(), flights.count()), ((1, 0), 1), "somebody still waits");
        second.abort();
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!((counts.seen(), flights.count()), ((1, 1), 0));
    }

    #[tokio::test]
    async fn the_second_carries_on_when_the_first_leaves() {
        let (flights, counts) = (Flights::default(), Counts::default());
        let (open, gate) = oneshot::channel();
        let (first, _) = flights.join(KEY, counts.run(gate));
        let first = tokio::spawn(first);
        tokio::time::sleep(Duration::from_millis(20)).await;
        let (second, joined) = flights.join(KEY, counts.run(oneshot::channel().1));
        first.abort();
        open.send(5).expect("somebody waits");
        assert_eq!((joined, second.await, counts.seen()), (true, 5, (1, 0)));
    }

    #[tokio::test]
    async fn a_flight_that_was_given_up_is_not_joined() {
        let (flights, counts) = (Flights::default(), Counts::default());
        drop(flights.join(KEY, counts.run(oneshot::channel().1)));
        let (open, gate) = oneshot::channel();
        let (flight, joined) = flights.join(KEY, counts.run(gate));
        open.send(1).expect("the new one waits");
        assert_eq!((joined, flight.await, flights.count()), (false, 1, 0));
    }
}
