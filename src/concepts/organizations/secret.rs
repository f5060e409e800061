//! Secrets in cookies and links: random, and stored only as a hash.

use crate::ground::error::{Error, Result};
use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// A new secret.
pub struct Secret {
    /// The secret for its holder, in hexadecimal.
    pub text: String,
    /// The hash for the store.
    pub hash: Vec<u8>,
}

impl Secret {
    /// Generates a secret.
    pub fn generate() -> Result<Self> {
        let mut random = [0_u8; BYTES];
        getrandom::fill(&mut random).map_err(Error::internal)?;
        let text = hex::encode(random);
        let hash = hash(&text);
        Ok(Self { text, hash })
    }
}

/// The hash of a secret.
pub fn hash(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

/// A value derived from a secret for one purpose. It does not reveal the secret.
pub fn derived(purpose: &str, secret: &str) -> String {
    let digest = Sha256::new().chain_update(purpose).chain_update([0]).chain_update(secret).finalize();
    hex::encode(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_stored_as_hashes() {
        let (one, other) = (Secret::generate().expect("a secret"), Secret::generate().expect("a secret"));
        assert_ne!(one.text, other.text);
        assert_eq!(one.hash, hash(&one.text));
        assert_eq!((one.text.len(), one.hash.len()), (64, 32));
        assert_ne!(derived("form", &one.text), derived("cookie", &one.text));
    }
}
