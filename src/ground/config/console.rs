//! Settings of the management console.

use clap::Args;
use std::time::Duration;

/// Sessions of the management console.
#[derive(Args, Clone, Debug)]
pub struct ConsoleSettings {
    /// Minutes without use after which a console session ends
    #[arg(long, env = "INLAY_CONSOLE_IDLE_MINUTES", global = true, default_value_t = 12 * 60)]
    pub console_idle_minutes: u64,

    /// Hours after which a console session ends, used or not
    #[arg(long, env = "INLAY_CONSOLE_SESSION_HOURS", global = true, default_value_t = 7 * 24)]
    pub console_session_hours: u64,
}

impl ConsoleSettings {
    /// The idle timeout of a session.
    pub const fn idle(&self) -> Duration {
        Duration::from_secs(self.console_idle_minutes.saturating_mul(60))
    }

    /// The maximum lifetime of a session.
    pub const fn longest(&self) -> Duration {
        Duration::from_secs(self.console_session_hours.saturating_mul(3600))
    }
}
