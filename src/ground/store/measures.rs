//! Measures of the store's connections: who waits for one, for how long, and how many are in use.

use super::Db;
use std::time::Instant;

/// A caller who waits for a connection, until this is dropped.
pub(super) struct Waiting {
    purpose: &'static str,
    begun: Instant,
}

impl Waiting {
    pub(super) fn begin(purpose: &'static str) -> Self {
        metrics::gauge!("inlay_store_waiting").increment(1.0);
        Self { purpose, begun: Instant::now() }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!("inlay_store_waiting").decrement(1.0);
        metrics::histogram!("inlay_store_wait_seconds", "purpose" => self.purpose).record(self.begun.elapsed().as_secs_f64());
    }
}

impl Db {
    /// Sets the gauges of the connections.
    #[expect(clippy::cast_precision_loss, reason = "measures")]
    pub fn measure(&self) {
        let (used, idle, most) = match self {
            Self::Sqlite { readers, writer } => {
                let status = readers.status();
                let written = (writer.size() as usize).saturating_sub(writer.num_idle());
                let used = status.size.saturating_sub(status.available) + written;
                (used, status.available + writer.num_idle(), status.max_size + 1)
            }
            Self::Postgres(pool) => {
                let idle = pool.num_idle();
                ((pool.size() as usize).saturating_sub(idle), idle, pool.options().get_max_connections() as usize)
            }
        };
        metrics::gauge!("inlay_store_connections", "state" => "used").set(used as f64);
        metrics::gauge!("inlay_store_connections", "state" => "idle").set(idle as f64);
        metrics::gauge!("inlay_store_connections_limit").set(most as f64);
    }
}
