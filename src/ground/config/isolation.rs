//! Isolation checks.

use clap::{Args, value_parser};
use std::time::Duration;

/// When isolation checks run, for how long, and how long their results are kept.
#[derive(Args, Clone, Debug)]
pub struct IsolationSettings {
    /// Hour of the day (UTC) at which the isolation checks of all projects begin
    #[arg(long, env = "INLAY_ISOLATION_HOUR", global = true, default_value_t = 2, value_parser = value_parser!(u8).range(0..=23))]
    pub isolation_hour: u8,

    /// Maximum duration of an isolation check of a project, in minutes
    #[arg(long, env = "INLAY_ISOLATION_MINUTES", global = true, default_value_t = 30, value_parser = value_parser!(u16).range(1..=180))]
    pub isolation_minutes: u16,

    /// Days for which the results of isolation checks are kept; 0 keeps them for ever
    #[arg(long, env = "INLAY_ISOLATION_DAYS", global = true, default_value_t = 400)]
    pub isolation_days: u64,
}

impl IsolationSettings {
    /// How long a check of a project may take.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(u64::from(self.isolation_minutes) * 60)
    }
}
