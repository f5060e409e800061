//! Hears of changes from PostgreSQL as they are committed. Nothing depends on it: a node looks for changes at intervals as
//! well, so a connection for hearing that the network has forgotten, or a pooler that passes nothing on, only makes it hear
//! later.

use super::{Db, version::CHANNEL};
use crate::ground::error::Result;
use sqlx_postgres::{PgListener, PgPoolOptions};

/// A connection that hears of changes.
#[derive(Debug)]
pub struct Listening(PgListener);

impl Listening {
    /// Begins to listen. `None` for the embedded store, which tells nothing.
    ///
    /// # Errors
    /// The store cannot be reached.
    pub async fn begin(db: &Db) -> Result<Option<Self>> {
        let Db::Postgres(pool) = db else { return Ok(None) };
        let options = pool.connect_options().as_ref().clone();
        let own = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None).connect_lazy_with(options);
        let mut listener = PgListener::connect_with(&own).await?;
        listener.listen(CHANNEL).await?;
        Ok(Some(Self(listener)))
    }

    /// Waits until something has changed, or may have, because the connection was lost and made anew.
    ///
    /// # Errors
    /// The store cannot be reached.
    pub async fn changed(&mut self) -> Result<()> {
        self.0.try_recv().await?;
        // One look serves for all.
        while self.0.next_buffered().is_some() {}
        Ok(())
    }
}
