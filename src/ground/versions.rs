//! The versions of the configuration that a node knows: the newest one, and for each organization and account the one that changed it last.

use super::store::version::{Scope, Seen};
use std::collections::HashMap;

/// How many changed organizations and accounts are told apart. Beyond that everything counts as changed once.
const MOST_APART: usize = 50_000;

/// When a node read something: the number that it knew, and how often everything had changed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Since {
    number: i64,
    everything: u64,
}

/// What a node knows. Nothing before its first look.
#[derive(Clone, Debug, Default)]
pub struct Versions {
    known: Option<Known>,
    /// How often everything changed.
    everything: u64,
    changed: HashMap<Scope, i64>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    number: i64,
    untold: i64,
}

impl Versions {
    /// The newest number.
    pub fn number(&self) -> i64 {
        self.known.map_or(0, |known| known.number)
    }

    /// Now, for something that is read from here on.
    pub fn now(&self) -> Since {
        Since { number: self.number(), everything: self.everything }
    }

    /// The number since which changes are to be read. `None` when everything is: at the first look, and when a node of an older
    /// version, which does not tell what it changes, has changed something, or the store was put back.
    pub fn read_since(&self, seen: &Seen) -> Option<i64> {
        self.known.filter(|known| known.untold == seen.untold && known.number <= seen.number).map(|known| known.number)
    }

    /// Learns what changed up to the number that was seen.
    pub fn learn(&mut self, seen: &Seen, changes: Vec<(Scope, i64)>) {
        if self.read_since(seen).is_none() || self.changed.len() + changes.len() > MOST_APART {
            self.everything += 1;
            self.changed.clear();
        }
        self.changed.extend(changes);
        self.known = Some(Known { number: seen.number, untold: seen.untold });
    }

    /// Whether nothing of these has changed since then.
    pub fn are_unchanged(&self, scopes: &[Scope], since: Since) -> bool {
        let changed = |scope| self.changed.get(scope).is_some_and(|number| *number > since.number);
        self.everything == since.everything && !scopes.iter().any(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::time::Timestamp;
    use inlay_contract::ids::OrganizationId;

    fn seen(number: i64, untold: i64) -> Seen {
        Seen { number, untold, clock: Timestamp(0) }
    }

    #[test]
    fn a_change_of_one_leaves_the_others_and_an_untold_one_leaves_nothing() {
        let [one, other] = [OrganizationId::generate(), OrganizationId::generate()].map(Scope::from);
        let mut versions = Versions::default();
        assert_eq!(versions.read_since(&seen(7, 3)), None);
        versions.learn(&seen(7, 3), Vec::new());
        let at_7 = versions.now();
        assert!(versions.are_unchanged(&[one, other], at_7));
        assert_eq!(versions.read_since(&seen(9, 3)), Some(7));
        versions.learn(&seen(9, 3), vec![(one, 8)]);
        assert!(!versions.are_unchanged(&[one, other], at_7) && versions.are_unchanged(&[other], at_7));
        let at_9 = versions.now();
        assert!(versions.are_unchanged(&[one, other], at_9));
        assert_eq!(versions.read_since(&seen(10, 4)), None, "a node of an older version");
        versions.learn(&seen(10, 4), Vec::new());
        assert!(!versions.are_unchanged(&[other], at_9) && versions.are_unchanged(&[one, other], versions.now()));
    }

    #[test]
    fn a_store_that_was_put_back_is_read_anew() {
        let mut versions = Versions::default();
        versions.learn(&seen(7, 3), Vec::new());
        let before = versions.now();
        assert_eq!(versions.read_since(&seen(5, 3)), None);
        versions.learn(&seen(5, 3), Vec::new());
        assert!(!versions.are_unchanged(&[], before));
    }
}
