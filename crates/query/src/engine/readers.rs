//! The threads on which SQL is read and rewritten. A long text keeps one busy for a while: no thread that serves requests waits
//! for it, and one source never takes more than its share.

use crate::{
    error::QueryError,
    limits::Limits,
    source::Source,
    sql::{count_parses, for_another},
};
use inlay_contract::ids::ConnectionId;
use std::{
    collections::HashMap,
    num::NonZero,
    sync::{Arc, Mutex, PoisonError, Weak},
    thread,
    time::Instant,
};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

/// The places for readers: as many as the machine has processors.
pub(super) struct Readers {
    places: Arc<Semaphore>,
    /// The most places of one source.
    share: usize,
    shares: Mutex<HashMap<ConnectionId, Weak<Semaphore>>>,
}

impl Readers {
    pub(super) fn new() -> Self {
        Self::of(thread::available_parallelism().map_or(2, NonZero::get).max(2))
    }

    fn of(places: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(places)), share: places.div_ceil(2), shares: Mutex::default() }
    }

    /// Does work on a reader's thread, once there is a place for the source. The place is held until the work ends, also when
    /// the caller has left.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`]: no place within the time limit. Otherwise the work's own.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        source: &Source,
        limits: &Limits,
        work: impl FnOnce() -> Result<T, QueryError> + Send + 'static,
    ) -> Result<T, QueryError> {
        let begun = Instant::now();
        let place = tokio::time::timeout(limits.timeout, self.enter(source)).await;
        metrics::histogram!("inlay_sql_reading_wait_seconds").record(begun.elapsed());
        let busy = || QueryError::unavailable(format!("too many new queries of connection {} wait to be read", source.name));
        let place = place.map_err(|_| busy())?.map_err(|_| busy())?;
        let work = move || {
            let made = for_another(work);
            drop(place);
            made
        };
        let (made, parses) =
            tokio::task::spawn_blocking(work).await.map_err(|_| QueryError::failed("reading the SQL broke off"))?;
        count_parses(parses);
        made
    }

    /// A place of the source's share, and one of all.
    async fn enter(&self, source: &Source) -> Result<[OwnedSemaphorePermit; 2], AcquireError> {
        let own = self.share_of(source.id).acquire_owned().await?;
        Ok([own, Arc::clone(&self.places).acquire_owned().await?])
    }

    fn share_of(&self, id: ConnectionId) -> Arc<Semaphore> {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(share) = shares.get(&id).and_then(Weak::upgrade) {
            return share;
        }
        shares.retain(|_, share| share.strong_count() > 0);
        let share = Arc::new(Semaphore::new(self.share));
        shares.insert(id, Arc::downgrade(&share));
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceKind;
    use std::{sync::mpsc, time::Duration};

    fn source() -> Source {
        Source::new(ConnectionId::generate(), "s", SourceKind::Sqlite, "sqlite:/none")
    }

    /// Work that goes on until the sender is dropped.
    fn endless() -> (mpsc::Sender<()>, impl FnOnce() -> Result<(), QueryError> + Send + 'static) {
        let (sender, receiver) = mpsc::channel();
        let work = move || {
            let _ = receiver.recv();
            Ok(())
        };
        (sender, work)
    }

    #[tokio::test]
    async fn one_source_leaves_places_to_the_others() {
        let (readers, limits) = (Arc::new(Readers::of(4)), Limits { timeout: Duration::from_millis(50), ..Limits::default() });
        let (greedy, other) = (source(), source());
        let mut held = Vec::new();
        for _ in 0..2 {
            let (sender, work) = endless();
            let (readers, greedy, limits) = (Arc::clone(&readers), greedy.clone(), limits.clone());
            // The caller leaves; its work and its place stay.
            let caller = tokio::spawn(async move { readers.read(&greedy, &limits, work).await });
            tokio::time::sleep(Duration::from_millis(20)).await;
            caller.abort();
            held.push(sender);
        }
        let refused = readers.read(&greedy, &limits, || Ok(1)).await;
        assert!(matches!(refused, Err(QueryError::SourceUnavailable(_))), "{refused:?}");
        assert!(matches!(readers.read(&other, &limits, || Ok(1)).await, Ok(1)), "the others are read");
        held.clear();
        let later = Limits { timeout: Duration::from_secs(5), ..limits };
        assert!(matches!(readers.read(&greedy, &later, || Ok(1)).await, Ok(1)), "its places are free again");
    }

    #[tokio::test]
    async fn the_threads_that_serve_requests_are_not_used() {
        let here = thread::current().id();
        let there = Readers::new().read(&source(), &Limits::default(), || Ok(thread::current().id())).await;
        assert_ne!(there.expect("read"), here);
    }
}
