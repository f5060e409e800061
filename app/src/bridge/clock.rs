//! The clock of a page's token: it tells when the host should send another, and when nothing more can be asked.

use super::{lifetime::Lifetime, message::Outgoing};
use leptos::prelude::*;

/// Times the newest token; the clock of one that was replaced is ignored.
#[derive(Clone, Copy)]
pub struct TokenClock(StoredValue<u32>);

impl TokenClock {
    /// A clock that times nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self(StoredValue::new(0))
    }

    /// Times this token from now on: `post` tells the host, `expired` is called at its end. What is no token is not timed.
    pub fn start(self, token: &str, post: impl Fn(&Outgoing) + Copy + 'static, expired: impl FnOnce() + 'static) {
        self.stop();
        let number = self.0.get_value();
        let Some(lifetime) = Lifetime::of(token) else { return };
        let is_current = move || self.0.try_get_value() == Some(number);
        set_timeout(
            move || {
                if is_current() {
                    post(&Outgoing::Session { state: "expiring" });
                }
            },
            lifetime.expiring,
        );
        set_timeout(
            move || {
                if is_current() {
                    post(&Outgoing::Session { state: "expired" });
                    expired();
                }
            },
            lifetime.expired,
        );
    }

    /// Times no token any more.
    pub fn stop(self) {
        self.0.update_value(|tokens| *tokens += 1);
    }
}

impl Default for TokenClock {
    fn default() -> Self {
        Self::new()
    }
}
