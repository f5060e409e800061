//! The connections to sources. Each source has its own pool, so that a slow or dead source does not block the others.

use super::breaker::Breaker;
use crate::{
    address::{Addresses, RefusedAddress, Route},
    cache::{Fingerprint, of_source},
    dialect::dialect,
    error::QueryError,
    limits::Limits,
    source::Source,
    sources::Pool,
};
use inlay_contract::ids::ConnectionId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The connections to all sources.
pub(super) struct Connections {
    addresses: Arc<Addresses>,
    held: Mutex<HashMap<ConnectionId, Arc<Held>>>,
}

/// The connections to one source.
pub(super) struct Held {
    fingerprint: Fingerprint,
    most: u32,
    pub(super) pool: Pool,
    pub(super) breaker: Breaker,
    places: Arc<Semaphore>,
    /// Lives as long as the connections.
    route: Route,
}

impl Connections {
    pub(super) fn new(addresses: Addresses) -> Self {
        Self { addresses: Arc::new(addresses), held: Mutex::default() }
    }

    pub(super) const fn addresses(&self) -> &Arc<Addresses> {
        &self.addresses
    }

    /// The connections to a source. New ones are created if its URL or limit has changed.
    pub(super) async fn of(&self, source: &Source, limits: &Limits) -> Result<Arc<Held>, QueryError> {
        let refused = |problem: RefusedAddress| {
            QueryError::unavailable(format!("the address of connection {} is refused: {problem}", source.name))
        };
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
        let pool = dialect(source.kind).open(source, &route, limits)?;
        let places = Arc::new(Semaphore::new(limits.waiting));
        let breaker = Breaker::default();
        let held = Arc::new(Held { fingerprint, most: limits.connections, pool, breaker, places, route });
        all.insert(source.id, Arc::clone(&held));
        Ok(held)
    }

    fn known(&self, id: ConnectionId) -> Option<Arc<Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }
}

impl Held {
    /// Takes a slot for a query that runs or waits. When all are taken, further queries are refused at once: queries that queue
    /// for a dead source would only use memory.
    pub(super) fn enter(&self, source: &Source) -> Result<OwnedSemaphorePermit, QueryError> {
        let full = |_| QueryError::unavailable(format!("too many queries wait for connection {}", source.name));
        Arc::clone(&self.places).try_acquire_owned().map_err(full)
    }
}
