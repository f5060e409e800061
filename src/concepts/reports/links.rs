//! The keys in the links of a report's mail. They are derived from the service's secret key, the run and the recipient, so that
//! a second attempt sends the same links, and the store holds only their hashes.

use crate::{concepts::organizations::secret::hash, ground::store::seal::Sealer};
use inlay_contract::ids::RunId;

/// The keys of one mail.
#[derive(Debug)]
pub struct Keys {
    /// Opens the report's page.
    pub link: String,
    /// Ends the mails to this recipient.
    pub unsubscribe: String,
}

impl Keys {
    /// The keys of a run's mail to an address.
    pub fn of(sealer: &Sealer, run: RunId, address: &str) -> Self {
        let key = |purpose: &str| sealer.derive(purpose, &[run.0.as_bytes(), address.as_bytes()]);
        Self { link: key("report link"), unsubscribe: key("report unsubscribe") }
    }

    /// The hashes for the store.
    pub fn hashes(&self) -> (Vec<u8>, Vec<u8>) {
        (hash(&self.link), hash(&self.unsubscribe))
    }
}

/// The URL of a report's page.
pub fn page(embed_url: &str, key: &str) -> String {
    format!("{embed_url}/share/report?key={key}")
}

/// The URL to unsubscribe a recipient.
pub fn unsubscribe(embed_url: &str, key: &str) -> String {
    format!("{embed_url}/share/report/unsubscribe?key={key}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_same_again_and_differ_from_all_others() {
        let sealer = Sealer::new("0123456789abcdef0123456789abcdef");
        let (run, other) = (RunId::generate(), RunId::generate());
        let keys = Keys::of(&sealer, run, "a@b.test");
        assert_eq!(keys.link, Keys::of(&sealer, run, "a@b.test").link);
        assert_ne!(keys.link, keys.unsubscribe);
        assert_ne!(keys.link, Keys::of(&sealer, other, "a@b.test").link);
        assert_ne!(keys.link, Keys::of(&sealer, run, "c@b.test").link);
        assert_ne!(keys.link, Keys::of(&Sealer::new("another key of the service ......."), run, "a@b.test").link);
        assert_eq!((keys.link.len(), keys.hashes().0.len()), (64, 32));
    }
}
