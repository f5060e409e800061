//! How long what is stored is kept, and how much of it.

use clap::Args;

/// Days for which usage is kept by project, dashboard and chart, and the usage of models.
pub const USAGE_DAYS: u64 = 400;

/// Days for which usage is kept by customer.
pub const CUSTOMER_USAGE_DAYS: u64 = 100;

/// Retention. What people wrote or rely on is kept for ever unless the operator sets a time; 0 means for ever.
#[derive(Args, Clone, Debug)]
pub struct Retention {
    /// Days for which the audit log is kept; 0 keeps it for ever
    #[arg(long, env = "INLAY_AUDIT_DAYS", global = true, default_value_t = 0)]
    pub audit_days: u64,

    /// Days after its last question for which a chat is kept; 0 keeps it for ever
    #[arg(long, env = "INLAY_CHAT_DAYS", global = true, default_value_t = 0)]
    pub chat_days: u64,

    /// Days for which a user's chart is kept after it was taken off its dashboard; 0 keeps it for ever
    #[arg(long, env = "INLAY_CHART_DAYS", global = true, default_value_t = 0)]
    pub chart_days: u64,

    /// Number of versions kept of a chart, at least 100; 0 keeps all
    #[arg(long, env = "INLAY_CHART_VERSIONS", global = true, default_value_t = 1_000)]
    pub chart_versions: u64,

    /// Number of pages kept of a report, for its links; 0 keeps all
    #[arg(long, env = "INLAY_REPORT_PAGES", global = true, default_value_t = 3_000)]
    pub report_pages: u64,

    /// Maximum size of all stored report pages of an organization, in bytes; the oldest go first; 0 removes the limit
    #[arg(long, env = "INLAY_REPORT_BYTES", global = true, default_value_t = 5 * 1024 * 1024 * 1024)]
    pub report_bytes: u64,

    /// Maximum size of the results that nodes share through PostgreSQL, in bytes; those that expire first go first
    #[arg(long, env = "INLAY_SHARED_ANSWERS_BYTES", global = true, default_value_t = 1024 * 1024 * 1024)]
    pub shared_answers_bytes: u64,

    /// Maximum number of charts that a user saves from chats
    #[arg(long, env = "INLAY_SAVED_CHARTS_OF_USER", global = true, default_value_t = 2_000)]
    pub saved_charts_of_user: usize,

    /// Maximum size of the thumbnails of the charts that a user saves from chats, in bytes; further charts are stored without one
    #[arg(long, env = "INLAY_THUMBNAIL_BYTES_OF_USER", global = true, default_value_t = 64 * 1024 * 1024)]
    pub thumbnail_bytes_of_user: u64,

    /// Maximum number of chats of a user in a workspace
    #[arg(long, env = "INLAY_CHATS_OF_USER", global = true, default_value_t = 2_000)]
    pub chats_of_user: usize,

    /// Maximum number of a user's own dashboards
    #[arg(long, env = "INLAY_DASHBOARDS_OF_USER", global = true, default_value_t = 500)]
    pub dashboards_of_user: usize,
}
