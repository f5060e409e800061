//! How much one query may cost.

use std::time::Duration;

/// Limits of one query and of the caches; the defaults are the contract's.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest that a query may run, waiting for a connection included.
    pub timeout: Duration,
    /// The most rows of an answer; more set `truncated`.
    pub rows: usize,
    /// The most bytes of an answer's values, written as JSON; more set `truncated`.
    pub bytes: usize,
    /// How long an answer is served again without asking the source.
    pub cache_ttl: Duration,
    /// How many bytes of answers the cache holds.
    pub cache_bytes: u64,
    /// How long a table's columns are remembered.
    pub schema_ttl: Duration,
    /// The most connections held for each source.
    pub connections: u32,
    /// The most questions that run or wait for one source; more are refused at once.
    pub waiting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            rows: 50_000,
            bytes: 16 << 20,
            cache_ttl: Duration::from_secs(30),
            cache_bytes: 64 << 20,
            schema_ttl: Duration::from_secs(60),
            connections: 8,
            waiting: 2_000,
        }
    }
}
