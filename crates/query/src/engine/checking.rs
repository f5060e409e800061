//! Whether a source responds, and since when it does not.

use super::Engine;
use crate::{
    address::{RefusedAddress, Unheard},
    error::QueryError,
    source::Source,
};
use futures::FutureExt as _;
use inlay_contract::ids::ConnectionId;
use std::time::{Duration, Instant};

impl Engine {
    /// Checks whether a source responds.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`]
    pub async fn check(&self, source: &Source) -> Result<(), QueryError> {
        async move {
            let checked = self.checked(source).await;
            self.0.connections.failures().note(source.id, &checked);
            checked
        }
        .boxed()
        .await
    }

    /// Checks whether a source responds whose address is not stored yet. It has an id of its own meanwhile, of which nothing is kept: what
    /// comes of it says nothing about a stored source, and closes none of its connections.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`]
    pub async fn try_out(&self, source: &Source) -> Result<(), QueryError> {
        let tried = Source { id: ConnectionId::generate(), ..source.clone() };
        let checked = self.checked(&tried).boxed().await;
        self.0.connections.forget(tried.id);
        checked
    }

    async fn checked(&self, source: &Source) -> Result<(), QueryError> {
        let limits = self.0.limits_of(source);
        let held = self.0.connections.of(source, &limits).await?;
        // A connection pool would retry a closed port until its timeout.
        match self.0.connections.addresses().knock(source).await {
            Ok(()) => held.pool.check(&limits).await,
            Err(Unheard::Closed) => Err(QueryError::unavailable("connection refused: no server listens on this host and port")),
            Err(Unheard::Silent) => Err(QueryError::unavailable("timed out: this host and port do not respond")),
        }
    }

    /// Records that a source did not respond to a check that its caller gave up.
    pub fn gave_up(&self, source: &Source) {
        self.0.connections.failures().failed(source.id, false, Instant::now());
    }

    /// How long a source has been failing: since the first failure after its last response, as far as this node saw it. `None` if
    /// it responded last, or was not asked.
    #[must_use]
    pub fn failing_for(&self, source: &Source) -> Option<Duration> {
        self.0.connections.failures().failing_for(source.id, Instant::now())
    }

    /// Checks whether a source's address is allowed, as far as can be said now. Each connection is checked again.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn check_address(&self, source: &Source) -> Result<(), RefusedAddress> {
        self.0.connections.addresses().check(source).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{limits::Limits, source::SourceKind};
    use inlay_contract::ids::ConnectionId;

    #[tokio::test]
    async fn a_source_fails_from_its_first_failure_to_its_next_response() {
        let path = std::env::temp_dir().join(format!("inlay-failing-{}.db", std::process::id()));
        let engine = Engine::new(Limits::default());
        let source = Source::new(ConnectionId::generate(), "s", SourceKind::Sqlite, format!("sqlite:{}", path.display()));
        assert_eq!(engine.failing_for(&source), None);
        assert!(engine.check(&source).await.is_err());
        let first = engine.failing_for(&source).expect("it fails");
        assert!(engine.describe(&source, "orders").await.is_err());
        assert!(engine.failing_for(&source).is_some_and(|later| later > first), "a later failure begins nothing");
        std::fs::write(&path, "").expect("a file");
        engine.check(&source).await.expect("it responds");
        assert_eq!(engine.failing_for(&source), None);
        engine.gave_up(&source);
        assert!(engine.failing_for(&source).is_some());
        std::fs::remove_file(path).expect("removed");
    }

    #[tokio::test]
    async fn nothing_is_kept_of_a_source_that_is_tried() {
        let path = std::env::temp_dir().join(format!("inlay-tried-{}.db", std::process::id()));
        let engine = Engine::new(Limits::default());
        let source = Source::new(ConnectionId::generate(), "s", SourceKind::Sqlite, format!("sqlite:{}", path.display()));
        let kept = || (engine.0.connections.counted().len(), engine.0.connections.failures().count());
        assert!(engine.try_out(&source).await.is_err());
        assert_eq!((engine.failing_for(&source), kept()), (None, (0, 0)));
        std::fs::write(&path, "").expect("a file");
        engine.try_out(&source).await.expect("it responds");
        assert_eq!(kept(), (0, 0));
        std::fs::remove_file(path).expect("removed");
    }
}
