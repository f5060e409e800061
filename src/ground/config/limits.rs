//! Limits (docs/spec/contract.md, section 11).

use clap::Args;
use std::time::Duration;

/// The default maximum length of a chat message, in characters.
pub const CHAT_MESSAGE_CHARACTERS: usize = 8_000;

/// Limits on callers and queries; each has a generous default.
#[derive(Args, Clone, Debug)]
pub struct Limits {
    /// Maximum number of open connections; when all are taken, the one that is idle longest is closed
    #[arg(long, env = "INLAY_MAX_CONNECTIONS", global = true, default_value_t = 10_000)]
    pub max_connections: usize,

    /// Maximum size of a request body, in bytes
    #[arg(long, env = "INLAY_MAX_BODY_BYTES", global = true, default_value_t = 1024 * 1024)]
    pub max_body_bytes: usize,

    /// Maximum nesting of a JSON body
    #[arg(long, env = "INLAY_MAX_JSON_DEPTH", global = true, default_value_t = 64)]
    pub max_json_depth: usize,

    /// Maximum number of values in a JSON body
    #[arg(long, env = "INLAY_MAX_JSON_VALUES", global = true, default_value_t = 100_000)]
    pub max_json_values: usize,

    /// Memory that the node may use, in MiB; beyond it, callers wait and are answered with 503 [default: half of the machine's
    /// or container's]
    #[arg(long, env = "INLAY_MEMORY_MB", global = true)]
    pub memory_mb: Option<u64>,

    /// Memory for remembered results, in MiB [default: 8 % of `INLAY_MEMORY_MB`, at most 64]
    #[arg(long, env = "INLAY_QUERY_CACHE_MB", global = true)]
    pub query_cache_mb: Option<u64>,

    /// Maximum number of items in `charts` and `chartIds`
    #[arg(long, env = "INLAY_MAX_CHARTS", global = true, default_value_t = 500)]
    pub max_charts: usize,

    /// Maximum requests per second of an API key or member; 0 removes the limit
    #[arg(long, env = "INLAY_KEY_REQUESTS_PER_SECOND", global = true, default_value_t = 1_000)]
    pub key_requests_per_second: u32,

    /// Maximum burst of requests of an API key or member
    #[arg(long, env = "INLAY_KEY_BURST", global = true, default_value_t = 2_000)]
    pub key_burst: u32,

    /// Maximum requests per second of a project user or tenant; 0 removes the limit
    #[arg(long, env = "INLAY_USER_REQUESTS_PER_SECOND", global = true, default_value_t = 50)]
    pub user_requests_per_second: u32,

    /// Maximum burst of requests of a project user or tenant
    #[arg(long, env = "INLAY_USER_BURST", global = true, default_value_t = 200)]
    pub user_burst: u32,

    /// Maximum number of characters in a chat message
    #[arg(long, env = "INLAY_CHAT_MESSAGE_CHARACTERS", global = true, default_value_t = CHAT_MESSAGE_CHARACTERS)]
    pub chat_message_characters: usize,

    /// Maximum number of chat answers in progress for a project user, on all nodes together
    #[arg(long, env = "INLAY_CHAT_ANSWERS_AT_ONCE", global = true, default_value_t = 3)]
    pub chat_answers_at_once: usize,

    /// Timeout of a query, in seconds
    #[arg(long, env = "INLAY_QUERY_TIMEOUT_SECONDS", global = true, default_value_t = 30)]
    pub query_timeout_seconds: u64,

    /// Maximum number of rows in a result
    #[arg(long, env = "INLAY_QUERY_MAX_ROWS", global = true, default_value_t = 50_000)]
    pub query_max_rows: usize,

    /// Maximum size of a result, in bytes
    #[arg(long, env = "INLAY_QUERY_MAX_BYTES", global = true, default_value_t = 16 * 1024 * 1024)]
    pub query_max_bytes: usize,

    /// Maximum number of queries that a node runs at once on one database server, for all its connections together
    #[arg(long, env = "INLAY_QUERY_SERVER_CONNECTIONS", global = true, default_value_t = 64)]
    pub query_server_connections: u32,

    /// Seconds for which a result is reused; 0 turns the result cache off
    #[arg(long, env = "INLAY_QUERY_CACHE_SECONDS", global = true, default_value_t = 30)]
    pub query_cache_seconds: u64,

    /// Milliseconds for which the first HTML waits for charts; the page requests the others
    #[arg(long, env = "INLAY_PAGE_WAIT_MS", global = true, default_value_t = 2_000)]
    pub page_wait_ms: u64,
}

impl Limits {
    /// The limits of queries.
    pub fn for_queries(&self) -> inlay_query::Limits {
        inlay_query::Limits {
            timeout: Duration::from_secs(self.query_timeout_seconds),
            rows: self.query_max_rows,
            bytes: self.query_max_bytes,
            server_connections: self.query_server_connections,
            cache_ttl: Duration::from_secs(self.query_cache_seconds),
            ..inlay_query::Limits::default()
        }
    }

    /// How long the first HTML waits for charts.
    pub const fn page_wait(&self) -> Duration {
        Duration::from_millis(self.page_wait_ms)
    }
}

#[cfg(test)]
impl Limits {
    /// The default limits.
    pub(crate) fn in_tests() -> Self {
        #[derive(clap::Parser)]
        struct Given {
            #[command(flatten)]
            limits: Limits,
        }
        <Given as clap::Parser>::parse_from(["inlay"]).limits
    }
}
