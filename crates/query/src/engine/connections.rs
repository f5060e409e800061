//! The connections to sources. Each source has its own pool, so that a slow or dead source does not block the others, and its
//! places are given out in turn, so that a customer's slow questions do not block another's.

use super::{breaker::Breaker, failures::Failures};
use crate::{
    address::{Addresses, RefusedAddress, Route, SourceLocation, Unheard},
    cache::{Fingerprint, of_source},
    dialect::dialect,
    error::QueryError,
    lanes::{Lanes, NoPlace, Place, Sizes},
    limits::Limits,
    source::{Source, SourceKind},
    sources::Pool,
};
use futures::FutureExt;
use inlay_contract::ids::ConnectionId;
use std::{
    collections::HashMap,
    num::NonZero,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// How long the connections to a source are kept after its last question.
const KEPT: Duration = Duration::from_secs(15 * 60);
/// How often those that are not used are looked for.
const SWEEP_EVERY: Duration = Duration::from_secs(60);
/// The longest wait for a place.
const LONGEST_WAIT: Duration = Duration::from_secs(10);
/// How long a server may take before it is looked whether it is there at all. A pool tries a closed port again and again.
const BEFORE_KNOCKING: Duration = Duration::from_secs(1);

/// The connections to all sources.
pub(super) struct Connections {
    addresses: Arc<Addresses>,
    held: Mutex<HashMap<ConnectionId, Arc<Held>>>,
    /// The places of each server, by host and port: many connections may lead to one.
    servers: Mutex<HashMap<(String, u16), Lanes>>,
    /// The places for questions about files, which this machine's processors answer.
    files: Lanes,
    failures: Failures,
    swept: Mutex<Instant>,
}

/// The connections to one source.
pub(super) struct Held {
    kind: SourceKind,
    fingerprint: Fingerprint,
    most: u32,
    pub(super) pool: Pool,
    breaker: Breaker,
    places: Lanes,
    beyond: Option<Beyond>,
    addresses: Arc<Addresses>,
    failures: Failures,
    heard: AtomicU8,
    used: Mutex<Instant>,
    /// Lives as long as the connections.
    route: Route,
}

/// What several sources share.
enum Beyond {
    Server(Lanes),
    Files(Lanes),
}

/// The places that a question holds.
pub(super) struct Entered {
    _own: Place,
    _beyond: Option<Place>,
}

/// A question that waits for its places, until this is dropped.
struct Waiting(&'static str);

impl Waiting {
    fn begin(kind: SourceKind) -> Self {
        metrics::gauge!("inlay_source_queries_waiting", "kind" => kind.name()).increment(1.0);
        Self(kind.name())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!("inlay_source_queries_waiting", "kind" => self.0).decrement(1.0);
    }
}

/// The last thing that was heard of a source.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Nothing,
    Answer,
    Silence,
}

impl Connections {
    pub(super) fn new(addresses: Addresses) -> Self {
        let processors = thread::available_parallelism().map_or(2, NonZero::get);
        // One processor is left to everything else. Below three places, one customer's long question would be all that runs.
        let files = Sizes::half(processors.saturating_sub(1).max(3), usize::MAX);
        Self {
            addresses: Arc::new(addresses),
            held: Mutex::default(),
            servers: Mutex::default(),
            files: Lanes::new(files),
            failures: Failures::default(),
            swept: Mutex::new(Instant::now()),
        }
    }

    pub(super) const fn addresses(&self) -> &Arc<Addresses> {
        &self.addresses
    }

    /// Since when sources have failed.
    pub(super) const fn failures(&self) -> &Failures {
        &self.failures
    }

    /// The connections to a source. New ones are created if its URL or limit has changed.
    pub(super) async fn of(&self, source: &Source, limits: &Limits) -> Result<Arc<Held>, QueryError> {
        let held = self.found(source, limits).await;
        if held.is_err() {
            self.failures.note(source.id, &held);
        }
        held
    }

    async fn found(&self, source: &Source, limits: &Limits) -> Result<Arc<Held>, QueryError> {
        let refused = |problem: RefusedAddress| {
            let detail = format!("the address of connection {} is refused: {problem}", source.name);
            if problem.may_be_away() { QueryError::unavailable(detail) } else { QueryError::refused(detail) }
        };
        self.sweep_now_and_then();
        let fingerprint = of_source(source);
        let fits = |held: &Held| held.fingerprint == fingerprint && held.most == limits.connections;
        if let Some(held) = self.known(source.id).filter(|held| fits(held)) {
            // A file may have been replaced by a link.
            if held.route.file().is_some() {
                self.addresses.check(source).await.map_err(refused)?;
            }
            return Ok(held);
        }
        let judged = tokio::time::timeout(limits.timeout, self.addresses.route(source)).await;
        let late = |_| QueryError::unavailable(format!("the host of connection {} was not found in time", source.name));
        let route = judged.map_err(late)?.map_err(refused)?;
        let mut all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = all.get(&source.id).filter(|held| fits(held)) {
            return Ok(Arc::clone(held));
        }
        let most = usize::try_from(limits.connections).unwrap_or(usize::MAX);
        let held = Arc::new(Held {
            kind: source.kind,
            fingerprint,
            most: limits.connections,
            pool: dialect(source.kind).open(source, &route, limits)?,
            breaker: Breaker::default(),
            places: Lanes::new(Sizes::half(most, limits.waiting)),
            beyond: self.beyond(source, &route, limits),
            addresses: Arc::clone(&self.addresses),
            failures: self.failures.clone(),
            heard: AtomicU8::new(Heard::Nothing as u8),
            used: Mutex::new(Instant::now()),
            route,
        });
        all.insert(source.id, Arc::clone(&held));
        Ok(held)
    }

    /// The places that a source shares with others.
    fn beyond(&self, source: &Source, route: &Route, limits: &Limits) -> Option<Beyond> {
        if route.file().is_some() {
            return Some(Beyond::Files(self.files.clone()));
        }
        let Ok(SourceLocation::Server(server)) = SourceLocation::of(source) else { return None };
        let most = usize::try_from(limits.server_connections).unwrap_or(usize::MAX);
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        let lanes = servers.entry((server.host, server.port));
        let lanes = lanes.or_insert_with(|| Lanes::new(Sizes::half(most, usize::MAX)));
        Some(Beyond::Server(lanes.clone()))
    }

    /// The kind of each source with the connections that are in use and idle.
    pub(super) fn counted(&self) -> Vec<(SourceKind, u64, u64)> {
        let all = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = |held: &Arc<Held>| {
            let (used, idle) = held.pool.counted();
            (held.kind, used, idle)
        };
        all.values().map(counted).collect()
    }

    fn known(&self, id: ConnectionId) -> Option<Arc<Held>> {
        let held = self.held.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()?;
        *held.used.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Some(held)
    }

    /// Closes the connections to a source, and forgets its failures.
    pub(super) fn forget(&self, id: ConnectionId) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        self.failures.forget(id);
    }

    fn sweep_now_and_then(&self) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.elapsed() >= SWEEP_EVERY {
            *swept = Instant::now();
            drop(swept);
            self.sweep(KEPT);
        }
    }

    /// Closes the connections that were not used for this long.
    fn sweep(&self, kept: Duration) {
        let unused = |held: &Arc<Held>| {
            Arc::strong_count(held) == 1 && held.used.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= kept
        };
        self.held.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, held| !unused(held));
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, lanes| !lanes.is_alone());
    }
}

impl Held {
    /// Waits for a place among those of the source, in turn with the other customers. Returns it with what is left of the limits.
    pub(super) async fn enter(&self, source: &Source, share: u128, limits: Limits) -> Result<(Entered, Limits), QueryError> {
        let full = |NoPlace| QueryError::unavailable(format!("too many queries wait for connection {}", source.name));
        let _waiting = Waiting::begin(source.kind);
        let (begun, patience) = (Instant::now(), limits.timeout.min(LONGEST_WAIT));
        let own = self.places.enter(share, patience).await.map_err(full)?;
        let patience = patience.saturating_sub(begun.elapsed());
        let beyond = match &self.beyond {
            None => None,
            Some(Beyond::Server(lanes)) => Some(lanes.enter(source.id.0.as_u128(), patience).await.map_err(full)?),
            Some(Beyond::Files(lanes)) => Some(lanes.enter(source.id.0.as_u128() ^ share, patience).await.map_err(full)?),
        };
        let left = limits.timeout.saturating_sub(begun.elapsed()).max(limits.timeout / 4);
        Ok((Entered { _own: own, _beyond: beyond }, Limits { timeout: left, ..limits }))
    }

    /// Asks the source, unless it has stopped answering or is not there.
    pub(super) async fn ask<T>(
        &self,
        source: &Source,
        limits: &Limits,
        question: impl Future<Output = Result<T, QueryError>> + Send,
    ) -> Result<T, QueryError> {
        let asked = async {
            tokio::select! {
                biased;
                told = question => told,
                () = self.is_closed(source) => Err(QueryError::unavailable(format!(
                    "connection {} was refused: no server listens on its host and port",
                    source.name
                ))),
            }
        };
        let told = self.breaker.ask(source, limits, asked.boxed()).await;
        let heard = if matches!(told, Err(QueryError::SourceUnavailable(_) | QueryError::Refused(_))) {
            Heard::Silence
        } else {
            Heard::Answer
        };
        self.heard.store(heard as u8, Ordering::Relaxed);
        self.failures.note(source.id, &told);
        told
    }

    /// Ends once it is certain that no server listens.
    async fn is_closed(&self, source: &Source) {
        let heard = self.heard.load(Ordering::Relaxed);
        if self.pool.may_knock(heard == Heard::Answer as u8) {
            if heard != Heard::Silence as u8 {
                tokio::time::sleep(BEFORE_KNOCKING).await;
            }
            if self.addresses.knock(source).await == Err(Unheard::Closed) {
                return;
            }
        }
        std::future::pending::<()>().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn connections_that_nobody_uses_are_closed() {
        let path = std::env::temp_dir().join(format!("inlay-unused-{}.db", std::process::id()));
        std::fs::write(&path, "").expect("a file");
        let connections = Connections::new(Addresses::default());
        let (limits, count) = (Limits::default(), |connections: &Connections| connections.counted().len());
        let source = Source::new(ConnectionId::generate(), "s", SourceKind::Sqlite, format!("sqlite:{}", path.display()));
        let held = connections.of(&source, &limits).await.expect("connections");
        connections.sweep(Duration::ZERO);
        assert_eq!(count(&connections), 1, "a question holds them");
        drop(held);
        connections.sweep(KEPT);
        assert_eq!(count(&connections), 1, "they were used a moment ago");
        connections.sweep(Duration::ZERO);
        assert_eq!(count(&connections), 0);
        std::fs::remove_file(path).expect("removed");
    }
}
