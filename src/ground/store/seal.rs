//! Encryption of secrets in the store: XChaCha20-Poly1305 with the service's secret key, bound to the row of the secret.

use crate::ground::error::{Error, Result};
use aws_lc_rs::hmac;
use chacha20poly1305::{
    Key, KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use sha2::{Digest, Sha256};
use uuid::Uuid;

const VERSION: u8 = 1;
const NONCE: usize = 24;

/// Encrypts and decrypts secrets. `Debug` omits the key.
#[derive(Clone)]
pub struct Sealer {
    cipher: XChaCha20Poly1305,
    /// Of further keys, which decrypt alone.
    others: Vec<XChaCha20Poly1305>,
    derived: hmac::Key,
}

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealer(…)")
    }
}

impl Sealer {
    /// A sealer for the service's secret key (`INLAY_SECRET_KEY`).
    pub fn new(secret_key: &str) -> Self {
        let derived = Sha256::new().chain_update(b"inlay: derived keys, version 1\0").chain_update(secret_key).finalize();
        Self { cipher: cipher(secret_key), others: Vec::new(), derived: hmac::Key::new(hmac::HMAC_SHA256, &derived) }
    }

    /// Also decrypts what was encrypted with these keys, while the secret key changes (`INLAY_OTHER_SECRET_KEYS`).
    #[must_use]
    pub fn accepting(mut self, others: &[String]) -> Self {
        self.others = others.iter().map(|key| cipher(key)).collect();
        self
    }

    /// Derives a key of 64 hexadecimal digits from the service's secret key, for one purpose and one object. It cannot be
    /// computed without the secret key and does not reveal it.
    pub fn derive(&self, purpose: &str, thing: &[&[u8]]) -> String {
        let mut context = hmac::Context::with_key(&self.derived);
        for part in std::iter::once(purpose.as_bytes()).chain(thing.iter().copied()) {
            // The length before each part keeps parts from being confused.
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let tag = context.sign();
        hex::encode(tag)
    }

    /// Encrypts a secret of a row: version, nonce, ciphertext.
    pub fn seal(&self, row: Uuid, secret: &[u8]) -> Result<Vec<u8>> {
        let mut nonce = [0_u8; NONCE];
        getrandom::fill(&mut nonce).map_err(Error::internal)?;
        let payload = Payload { msg: secret, aad: row.as_bytes() };
        let sealed = self.cipher.encrypt(&XNonce::from(nonce), payload).map_err(Error::internal)?;
        Ok([&[VERSION][..], &nonce, &sealed].concat())
    }

    /// Decrypts a secret of the same row.
    ///
    /// # Errors
    /// The secret key is a different one, or the bytes were changed or moved to another row.
    pub fn open(&self, row: Uuid, sealed: &[u8]) -> Result<Vec<u8>> {
        let mut ciphers = std::iter::once(&self.cipher).chain(&self.others);
        let wrong = "a stored secret cannot be decrypted: neither INLAY_SECRET_KEY nor INLAY_OTHER_SECRET_KEYS is the key that encrypted it";
        ciphers.find_map(|cipher| opened(cipher, row, sealed)).ok_or_else(|| Error::internal(wrong))
    }

    /// Whether a secret of this row is encrypted with the secret key, rather than with one of the others.
    pub fn is_newest(&self, row: Uuid, sealed: &[u8]) -> bool {
        opened(&self.cipher, row, sealed).is_some()
    }
}

fn cipher(secret_key: &str) -> XChaCha20Poly1305 {
    let key = Sha256::new().chain_update(b"inlay: secrets at rest, version 1\0").chain_update(secret_key).finalize();
    XChaCha20Poly1305::new(&Key::try_from(key.as_slice()).expect("SHA-256 has the length of a key"))
}

fn opened(cipher: &XChaCha20Poly1305, row: Uuid, sealed: &[u8]) -> Option<Vec<u8>> {
    let (version, rest) = sealed.split_first()?;
    let (nonce, text) = rest.split_at_checked(NONCE).filter(|_| *version == VERSION)?;
    cipher.decrypt(&XNonce::try_from(nonce).ok()?, Payload { msg: text, aad: row.as_bytes() }).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derived_keys_differ_by_purpose_thing_and_secret_key() {
        let sealer = Sealer::new("one key");
        let key = sealer.derive("link", &[b"ab", b"c"]);
        assert_eq!((key.len(), &key), (64, &Sealer::new("one key").derive("link", &[b"ab", b"c"])));
        assert_ne!(key, sealer.derive("link", &[b"a", b"bc"]));
        assert_ne!(key, sealer.derive("other", &[b"ab", b"c"]));
        assert_ne!(key, Sealer::new("another key").derive("link", &[b"ab", b"c"]));
    }

    #[test]
    fn opens_for_the_same_key_and_row_alone() {
        let (sealer, row) = (Sealer::new("one key"), Uuid::now_v7());
        let sealed = sealer.seal(row, b"postgres://secret").expect("sealed");
        assert_eq!(sealer.open(row, &sealed).expect("opens"), b"postgres://secret");
        assert!(sealer.open(Uuid::now_v7(), &sealed).is_err(), "another row");
        let another = Sealer::new("another key");
        assert!(another.open(row, &sealed).is_err(), "another key");
        let both = another.accepting(&["a third".to_owned(), "one key".to_owned()]);
        assert_eq!(both.open(row, &sealed).expect("opens"), b"postgres://secret");
        assert!(!both.is_newest(row, &sealed) && both.is_newest(row, &both.seal(row, b"x").expect("sealed")));
        for position in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[position] ^= 1;
            assert!(sealer.open(row, &changed).is_err(), "byte {position}");
        }
    }
}
