//! Recently verified tokens. Verifying a signature takes longer than everything else that a cached response needs.

use super::{Claims, Known, expired, verify};
use crate::ground::{config::Settings, error::Result, state::Part, time::Timestamp};
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use std::{sync::Arc, time::Duration};

/// The maximum number of cached tokens.
const MOST: u64 = 10_000;
/// How long a token stays in the cache.
const KEPT: Duration = Duration::from_secs(60);

/// The claims of tokens that were verified with the keys of one configuration version, by a hash of the whole token.
#[derive(Debug)]
pub struct Verified(Cache<(i64, [u8; 32]), Arc<Claims>>);

impl Default for Verified {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MOST).time_to_live(KEPT).build())
    }
}

impl Verified {
    /// The claims of a token, as [`verify`] returns them. Expiry is checked each time; revocation is not checked here.
    pub fn claims(&self, known: &Known, issuer: &str, token: &str, now: Timestamp) -> Result<Arc<Claims>> {
        let key = (known.version, Sha256::digest(token).into());
        if let Some(claims) = self.0.get(&key) {
            return if claims.is_over(now) { Err(expired()) } else { Ok(claims) };
        }
        let claims = Arc::new(verify(&known.keyring, issuer, token, now)?);
        self.0.insert(key, Arc::clone(&claims));
        Ok(claims)
    }
}

impl Part for Verified {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            Audience, Granted, Subject, issue,
            keyring::{Keyring, SigningKey, generate},
        },
        *,
    };
    use inlay_contract::{
        ids::{OrganizationId, ProjectId},
        lifetime::Lifetime,
        permissions::Permissions,
    };
    use uuid::Uuid;

    const ISSUER: &str = "https://inlay.test";

    fn known(version: i64) -> Known {
        let key = generate().expect("a key");
        let key = SigningKey::new(key.id, &key.public, &key.private);
        Known { version, keyring: Keyring::new(vec![key]).into(), revocations: Arc::default() }
    }

    fn token(known: &Known) -> String {
        let subject = Subject {
            id: Uuid::now_v7(),
            audience: Audience::Embed,
            organization: OrganizationId::generate(),
            project: ProjectId::generate(),
            customer: None,
            role: None,
            permissions: Permissions::without_role(),
            key: None,
            member: None,
            edits: None,
        };
        issue(&known.keyring, ISSUER, &subject, Lifetime::FiveMinutes, Granted { at: Timestamp::now(), version: None })
            .expect("issued")
            .token
    }

    fn code(found: Result<Arc<Claims>>) -> Option<&'static str> {
        found.err().map(|refused| refused.code.as_str())
    }

    #[test]
    fn a_remembered_token_is_the_same_token_under_the_same_keys() {
        let (verified, known_now) = (Verified::default(), known(1));
        let (one, other) = (token(&known_now), token(&known_now));
        let first = verified.claims(&known_now, ISSUER, &one, Timestamp::now()).expect("valid");
        assert!(Arc::ptr_eq(&first, &verified.claims(&known_now, ISSUER, &one, Timestamp::now()).expect("remembered")));
        assert_ne!(verified.claims(&known_now, ISSUER, &other, Timestamp::now()).expect("valid").sub, first.sub);
        for odd in [&one[..one.len() - 2], &format!("{one}x"), ""] {
            assert_eq!(code(verified.claims(&known_now, ISSUER, odd, Timestamp::now())), Some("INVALID_TOKEN"), "{odd}");
        }
        // Another version of the configuration has other keys.
        assert_eq!(code(verified.claims(&known(2), ISSUER, &one, Timestamp::now())), Some("INVALID_TOKEN"));
    }

    #[test]
    fn the_time_of_a_remembered_token_ends() {
        let (verified, known) = (Verified::default(), known(1));
        let token = token(&known);
        let claims = verified.claims(&known, ISSUER, &token, Timestamp::now()).expect("valid");
        let over = Claims { exp: Timestamp::now().seconds() - 1, ..Claims::clone(&claims) };
        verified.0.insert((known.version, Sha256::digest(&token).into()), Arc::new(over));
        assert_eq!(code(verified.claims(&known, ISSUER, &token, Timestamp::now())), Some("TOKEN_EXPIRED"));
    }
}
