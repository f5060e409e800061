//! Signing keys (docs/spec/contract.md, section 2): several are valid at once, one signs, and rotation keeps issued tokens valid.

use crate::ground::{
    error::{Error, Result},
    time::Timestamp,
};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

/// How long a retired key still verifies: as long as the longest-lived token that it may have signed.
pub const KEPT_AFTER_RETIREMENT: Duration = Duration::from_secs(8 * 24 * 3600);

/// A new key, before it is encrypted and stored.
pub struct Generated {
    /// Its `kid`.
    pub id: Uuid,
    /// The raw public key.
    pub public: Vec<u8>,
    /// The private key as PKCS #8.
    pub private: Vec<u8>,
}

/// Generates a key.
pub fn generate() -> Result<Generated> {
    let pair = Ed25519KeyPair::generate().map_err(Error::internal)?;
    let private = pair.to_pkcs8v1().map_err(Error::internal)?;
    Ok(Generated { id: Uuid::now_v7(), public: pair.public_key().as_ref().to_vec(), private: private.as_ref().to_vec() })
}

/// A key ready for use. `Debug` omits its private part.
#[derive(Clone)]
pub struct SigningKey {
    /// Its `kid`.
    pub id: Uuid,
    /// The raw public key.
    pub public: Vec<u8>,
    /// For signing.
    pub encoding: EncodingKey,
    /// For verifying.
    pub decoding: DecodingKey,
    /// When it begins to sign: later than it is published, so that every node knows it by then. `None` for at once.
    pub signs_from: Option<Timestamp>,
    /// When it stops signing.
    pub retired_at: Option<Timestamp>,
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SigningKey({})", self.id)
    }
}

impl SigningKey {
    /// Creates a key from its parts.
    pub fn new(id: Uuid, public: &[u8], private: &[u8]) -> Self {
        Self {
            id,
            public: public.to_vec(),
            encoding: EncodingKey::from_ed_der(private),
            decoding: DecodingKey::from_ed_der(public),
            signs_from: None,
            retired_at: None,
        }
    }
}

/// The valid keys, oldest first.
#[derive(Debug, Default)]
pub struct Keyring(Vec<SigningKey>);

impl Keyring {
    /// Creates a keyring from keys, oldest first.
    pub const fn new(keys: Vec<SigningKey>) -> Self {
        Self(keys)
    }

    /// All keys, oldest first.
    pub fn keys(&self) -> &[SigningKey] {
        &self.0
    }

    /// The signing key: the newest one whose time has come.
    pub fn active(&self, now: Timestamp) -> Result<&SigningKey> {
        let signs = |key: &&SigningKey| key.signs_from.is_none_or(|from| from <= now);
        self.0.iter().rev().find(signs).ok_or_else(|| Error::internal("no signing key is active"))
    }

    /// The key with a `kid`.
    pub fn verifying(&self, id: Uuid) -> Option<&DecodingKey> {
        self.0.iter().find(|key| key.id == id).map(|key| &key.decoding)
    }

    /// Whether a token names a key that is not among these. The name is not verified.
    pub fn misses_key_of(&self, token: &str) -> bool {
        let header = jsonwebtoken::decode_header(token).ok().filter(|header| header.alg == Algorithm::EdDSA);
        let named = header.and_then(|header| header.kid?.parse().ok());
        named.is_some_and(|id| self.verifying(id).is_none())
    }

    /// The public keys as a JSON Web Key Set.
    pub fn public_set(&self) -> Value {
        let key = |key: &SigningKey| {
            json!({
                "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig",
                "kid": key.id.to_string(), "x": URL_SAFE_NO_PAD.encode(&key.public),
            })
        };
        json!({ "keys": self.0.iter().map(key).collect::<Vec<_>>() })
    }
}
