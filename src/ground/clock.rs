//! The store's clock, as a node knows it. Times that several nodes compare (when a token was issued, when it expires) are the
//! store's, because the clocks of machines differ.

use super::time::Timestamp;
use std::sync::atomic::{AtomicI64, Ordering};

/// What a node knows of the store's clock: by how much it is ahead of the node's own, in milliseconds.
#[derive(Debug, Default)]
pub struct Clock {
    ahead: AtomicI64,
    /// By how much a test has moved the node's own clock.
    #[cfg(test)]
    moved: AtomicI64,
}

impl Clock {
    /// The store's time now.
    pub fn now(&self) -> Timestamp {
        Timestamp(self.own().0.saturating_add(self.ahead()))
    }

    /// The node's own time.
    pub fn own(&self) -> Timestamp {
        let now = Timestamp::now();
        #[cfg(test)]
        let now = Timestamp(now.0 + self.moved.load(Ordering::SeqCst));
        now
    }

    /// By how many milliseconds the store's clock is ahead of the node's own; negative when it is behind.
    pub fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }

    /// Learns from a time that the store told between two times of the node's own clock. A slow answer says little, so what is
    /// known stays as far as the answer allows it.
    pub fn learn(&self, asked: Timestamp, told: Timestamp, answered: Timestamp) {
        let (least, most) = (told.0 - answered.0.max(asked.0), told.0 - asked.0.min(answered.0));
        self.ahead.store(self.ahead().clamp(least, most), Ordering::Relaxed);
    }

    /// Moves the node's own clock.
    #[cfg(test)]
    pub(crate) fn shift(&self, milliseconds: i64) {
        self.moved.store(milliseconds, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quick_answer_teaches_and_a_slow_one_unteaches_nothing() {
        let clock = Clock::default();
        let learned = |asked: i64, told: i64, answered: i64| {
            clock.learn(Timestamp(asked), Timestamp(told), Timestamp(answered));
            clock.ahead()
        };
        assert_eq!(learned(1_000, 6_005, 1_010), 4_995, "the store is between 4,995 and 5,005 ms ahead");
        assert_eq!(learned(2_000, 7_000, 3_500), 4_995, "nothing that the slow answer contradicts");
        assert_eq!(learned(3_000, 2_000, 3_002), -1_000, "the store's clock was set back");
    }
}
