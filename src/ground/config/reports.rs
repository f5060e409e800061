//! Scheduled reports and alerts.

use clap::Args;
use std::time::Duration;

/// Limits on reports and alerts.
#[derive(Args, Clone, Debug)]
pub struct ReportSettings {
    /// Maximum number of reports in progress, on all nodes together; 0 makes none
    #[arg(long, env = "INLAY_REPORTS_AT_ONCE", global = true, default_value_t = 4)]
    pub reports_at_once: u32,

    /// Allow owners to turn scheduled reports on in the console; otherwise only the operator can turn them on
    #[arg(long, env = "INLAY_REPORTS_BY_OWNERS", global = true)]
    pub reports_by_owners: bool,

    /// Maximum number of recipients of a report
    #[arg(long, env = "INLAY_REPORT_RECIPIENTS", global = true, default_value_t = 20)]
    pub report_recipients: usize,

    /// Maximum number of report mails sent for a user per day (UTC)
    #[arg(long, env = "INLAY_REPORT_MAILS_A_DAY", global = true, default_value_t = 500)]
    pub report_mails_a_day: u32,

    /// Maximum number of reports and alerts of a user
    #[arg(long, env = "INLAY_REPORTS_OF_USER", global = true, default_value_t = 50)]
    pub reports_of_user: usize,

    /// Minimum time between two runs of a report or alert, in minutes
    #[arg(long, env = "INLAY_REPORT_LEAST_MINUTES", global = true, default_value_t = 15)]
    pub report_least_minutes: u32,

    /// Days for which a report's link works
    #[arg(long, env = "INLAY_REPORT_LINK_DAYS", global = true, default_value_t = 30)]
    pub report_link_days: u64,

    /// Days for which report runs and webhook messages stay in the history
    #[arg(long, env = "INLAY_HISTORY_DAYS", global = true, default_value_t = 90)]
    pub history_days: u64,
}

const DAY: u64 = 24 * 3600;

impl ReportSettings {
    /// How long a report's link works.
    pub const fn link_life(&self) -> Duration {
        Duration::from_secs(self.report_link_days.saturating_mul(DAY))
    }

    /// How long history entries are kept.
    pub const fn history(&self) -> Duration {
        Duration::from_secs(self.history_days.saturating_mul(DAY))
    }

    /// The minimum time between two runs.
    pub fn least_pause(&self) -> Duration {
        Duration::from_secs(u64::from(self.report_least_minutes) * 60)
    }
}
