//! Key checks.

use clap::{Args, value_parser};
use std::time::Duration;

/// When key checks run, and for how long.
#[derive(Args, Clone, Debug)]
pub struct KeyCheckSettings {
    /// Hour of the day (UTC) at which the key checks of all projects begin
    #[arg(long, env = "INLAY_KEY_CHECK_HOUR", global = true, default_value_t = 3, value_parser = value_parser!(u8).range(0..=23))]
    pub key_check_hour: u8,

    /// Maximum duration of a key check of a project, in minutes
    #[arg(long, env = "INLAY_KEY_CHECK_MINUTES", global = true, default_value_t = 30, value_parser = value_parser!(u16).range(1..=180))]
    pub key_check_minutes: u16,
}

impl KeyCheckSettings {
    /// How long a check of a project may take.
    pub fn limit(&self) -> Duration {
        Duration::from_secs(u64::from(self.key_check_minutes) * 60)
    }
}
