//! Secrets that people hold in cookies and links: random, and stored as a hash alone.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};

const BYTES: usize = 32;

/// A new secret.
pub struct Secret {
    /// What its holder gets, in hexadecimal.
    pub text: String,
    /// What is stored.
    pub hash: Vec<u8>,
}

impl Secret {
    /// Makes one.
    pub fn generate() -> Result<Self> {
        let mut random = [0_u8; BYTES];
        getrandom::fill(&mut random).map_err(Error::internal)?;
        let text = hex::encode(random);
        let hash = hash(&text);
        Ok(Self { text, hash })
    }
}

/// What is stored of a secret.
pub fn hash(text: &str) -> Vec<u8> {
    Sha256::digest(text.as_bytes()).to_vec()
}

/// A value that follows from a secret for one purpose and tells nothing of it.
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
