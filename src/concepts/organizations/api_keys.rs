//! API keys: `inlay_<id>_<secret>`, of which only a hash of the secret is stored (docs/spec/contract.md, section 2).

use super::MemberRole;
use crate::ground::{
    error::{Code, Error, Result},
    remembered::Kept,
    store::version::Scope,
};
use inlay_contract::ids::{AccountId, ApiKeyId, OrganizationId};
use sha2::{Digest, Sha256};
use std::num::NonZeroU32;
use subtle::ConstantTimeEq;

const PREFIX: &str = "inlay";
const SECRET_BYTES: usize = 32;

/// A new key, shown once.
pub struct NewKey {
    /// Its id.
    pub id: ApiKeyId,
    /// The whole key.
    pub text: String,
    /// The stored hash of the secret.
    pub secret_hash: Vec<u8>,
}

/// Generates a key.
pub fn generate() -> Result<NewKey> {
    let mut random = [0_u8; SECRET_BYTES];
    getrandom::fill(&mut random).map_err(Error::internal)?;
    let secret = hex::encode(random);
    let id = ApiKeyId::generate();
    Ok(NewKey { id, text: format!("{PREFIX}_{}_{secret}", id.0.simple()), secret_hash: hash(&secret) })
}

/// A parsed key from a request.
#[derive(Clone)]
pub struct PresentedKey {
    /// The id of the key that it claims to be.
    pub id: ApiKeyId,
    secret_hash: Vec<u8>,
}

impl PresentedKey {
    /// Parses a key. `None` when it has another form.
    pub fn parse(text: &str) -> Option<Self> {
        let (prefix, rest) = text.split_once('_')?;
        let (id, secret) = rest.split_once('_')?;
        let id = (prefix == PREFIX && id.len() == 32).then(|| id.parse().ok())??;
        Some(Self { id, secret_hash: hash(secret) })
    }
}

fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}

/// A stored key, with its owner's memberships.
#[derive(Clone, Debug)]
pub struct KeyRecord {
    /// Its id.
    pub id: ApiKeyId,
    /// Its owner.
    pub account: AccountId,
    /// The organization that it is bound to. `None` for a user-scoped key.
    pub organization: Option<OrganizationId>,
    /// The stored hash of the secret.
    pub secret_hash: Vec<u8>,
    /// Whether it has been revoked.
    pub revoked: bool,
    /// Its rate limit in requests per second, if lower than the service's.
    pub per_second: Option<NonZeroU32>,
    /// Its owner's organizations and roles.
    pub memberships: Vec<(OrganizationId, MemberRole)>,
}

impl Kept for KeyRecord {
    const MOST: u64 = 10_000;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.account.into()]
    }
}

impl KeyRecord {
    /// Whether a presented key equals this one and is not revoked. Takes the same time for every wrong secret.
    pub fn accepts(&self, presented: &PresentedKey) -> bool {
        let same = self.secret_hash.ct_eq(&presented.secret_hash);
        bool::from(same) && !self.revoked
    }

    /// The organization that a call acts for (docs/spec/service.md, "Authentication", rules 2 and 4).
    ///
    /// # Errors
    /// 400 when a user-scoped key is used without an organization, 403 when its owner may not use keys there.
    pub fn organization(&self, named: Option<OrganizationId>) -> Result<OrganizationId> {
        let organization = self.organization.or(named).ok_or_else(|| {
            Error::new(Code::OrganizationIdRequired, "organizationId is required when using a user-scoped API key")
        })?;
        if self.owner_may_use_it_for(organization) {
            return Ok(organization);
        }
        Err(Error::new(
            Code::KeyOwnerNotPermitted,
            "The API key's owner must be an owner, admin or member of the organization.",
        ))
    }

    /// Whether the tokens that it issued for an organization are still good: it is not revoked, and its owner is still a
    /// member. A member who became a viewer can issue no more, but ends no session of the host's users (docs/spec/contract.md,
    /// B1).
    pub fn stands_for(&self, organization: OrganizationId) -> bool {
        let reaches = self.organization.is_none_or(|bound| bound == organization);
        !self.revoked && reaches && self.memberships.iter().any(|(of, _)| *of == organization)
    }

    fn owner_may_use_it_for(&self, organization: OrganizationId) -> bool {
        self.memberships.iter().any(|(of, role)| *of == organization && role.may_use_keys())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(organization: Option<OrganizationId>, memberships: Vec<(OrganizationId, MemberRole)>) -> (KeyRecord, NewKey) {
        let key = generate().expect("a key");
        let record = KeyRecord {
            id: key.id,
            account: AccountId::generate(),
            organization,
            secret_hash: key.secret_hash.clone(),
            revoked: false,
            per_second: None,
            memberships,
        };
        (record, key)
    }

    #[test]
    fn only_the_exact_key_is_accepted() {
        let (mut record, key) = record(None, Vec::new());
        let accepts = |record: &KeyRecord, text: &str| PresentedKey::parse(text).is_some_and(|key| record.accepts(&key));
        assert!(accepts(&record, &key.text));
        let text = &key.text;
        for wrong in [&text[..text.len() - 1], &format!("{text}0"), &text.to_uppercase(), "hello", "", "inlay__", "inlay_1_2"] {
            assert!(!accepts(&record, wrong), "{wrong}");
        }
        record.revoked = true;
        assert!(!accepts(&record, &key.text));
    }

    #[test]
    fn a_bound_key_ignores_the_organization_that_is_named() {
        let (own, other) = (OrganizationId::generate(), OrganizationId::generate());
        let (key, _) = record(Some(own), vec![(own, MemberRole::Member), (other, MemberRole::Owner)]);
        assert_eq!(key.organization(Some(other)).expect("allowed"), own);
    }

    #[test]
    fn what_a_key_issued_ends_with_the_membership_or_the_key_and_not_with_the_rank() {
        let (own, other) = (OrganizationId::generate(), OrganizationId::generate());
        for bound in [None, Some(own)] {
            for role in [MemberRole::Owner, MemberRole::Admin, MemberRole::Member, MemberRole::Viewer] {
                let (mut key, _) = record(bound, vec![(own, role)]);
                assert!(key.stands_for(own) && !key.stands_for(other), "{role:?}");
                key.revoked = true;
                assert!(!key.stands_for(own));
            }
            assert!(!record(bound, Vec::new()).0.stands_for(own));
        }
    }

    #[test]
    fn a_user_scoped_key_needs_an_organization_that_its_owner_works_for() {
        let (own, read_only) = (OrganizationId::generate(), OrganizationId::generate());
        let (key, _) = record(None, vec![(own, MemberRole::Admin), (read_only, MemberRole::Viewer)]);
        assert_eq!(key.organization(Some(own)).expect("allowed"), own);
        assert_eq!(key.organization(None).expect_err("refused").code, Code::OrganizationIdRequired);
        for named in [read_only, OrganizationId::generate()] {
            assert_eq!(key.organization(Some(named)).expect_err("refused").code, Code::KeyOwnerNotPermitted);
        }
    }
}
