//! Revocation (docs/spec/contract.md, section 2): within a second every node refuses tokens that were issued before a
//! revocation. Tokens of a revoked API key are refused whenever they were issued.
//!
//! What was before what is told by the configuration's version, not by clocks: a token holds the version that was the newest
//! when it was issued, and a revocation the one that it made. Only what holds no version is compared by time: a report's grant,
//! and tokens of nodes of an older version.

use super::{Audience, Claims};
use crate::ground::{
    error::{Code, Error, Result},
    time::Timestamp,
};
use inlay_contract::ids::{CustomerId, ProjectUserId};
use std::{
    collections::HashMap,
    sync::{PoisonError, RwLock},
};
use uuid::Uuid;

/// The kinds of revocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubjectKind {
    /// An API key, with the tokens that it issued.
    Key,
    /// A project user's tokens.
    User,
    /// A v1 tenant's tokens. Its id and that of a project user of another organization can be the same, because hosts may choose those.
    Tenant,
    /// The tokens of all users of a customer.
    Customer,
    /// The tokens of all users of a project.
    Project,
}

impl SubjectKind {
    const ALL: [Self; 5] = [Self::Key, Self::User, Self::Tenant, Self::Customer, Self::Project];

    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::User => "user",
            Self::Tenant => "tenant",
            Self::Customer => "customer",
            Self::Project => "project",
        }
    }

    /// The kind with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A revocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutoff {
    /// When it was, by the store's clock.
    pub at: Timestamp,
    /// The configuration's version that it made. `None` when a node of an older version made it.
    pub version: Option<i64>,
}

impl Cutoff {
    fn reaches(&self, granted: Granted) -> bool {
        match (self.version, granted.version) {
            (Some(made), Some(knew)) => knew < made,
            _ => granted.at <= self.at,
        }
    }
}

/// When something was granted.
#[derive(Clone, Copy, Debug)]
pub struct Granted {
    /// By the store's clock.
    pub at: Timestamp,
    /// The configuration's version then.
    pub version: Option<i64>,
}

/// The revocations that this node knows.
#[derive(Debug, Default)]
pub struct Revocations(RwLock<HashMap<(SubjectKind, Uuid), Cutoff>>);

/// Revocations as they are read.
pub type Cutoffs = Vec<((SubjectKind, Uuid), Cutoff)>;

impl Revocations {
    /// Learns further ones.
    pub fn learn(&self, cutoffs: Cutoffs) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).extend(cutoffs);
    }

    /// Learns all.
    pub fn replace(&self, cutoffs: Cutoffs) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = cutoffs.into_iter().collect();
    }

    /// Refuses a revoked token.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED`.
    pub fn check(&self, claims: &Claims) -> Result<()> {
        let kind = match claims.aud {
            Audience::Embed => SubjectKind::User,
            Audience::Tenant => SubjectKind::Tenant,
        };
        let subjects = [
            claims.azp.map(|key| (SubjectKind::Key, key.0)),
            Some((kind, claims.sub)),
            claims.customer.map(|customer| (SubjectKind::Customer, customer.0)),
            Some((SubjectKind::Project, claims.project.0)),
        ];
        self.check_since(claims.granted(), subjects.into_iter().flatten())
    }

    /// Refuses a tenant's token when its project user, or that user's customer, is revoked.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED`.
    pub fn check_as(&self, claims: &Claims, user: ProjectUserId, customer: CustomerId) -> Result<()> {
        self.check_since(claims.granted(), [(SubjectKind::User, user.0), (SubjectKind::Customer, customer.0)])
    }

    /// Refuses a grant when one of its subjects was revoked since.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED`.
    pub fn check_since(&self, granted: Granted, subjects: impl IntoIterator<Item = (SubjectKind, Uuid)>) -> Result<()> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        // A revoked key stays revoked: tokens that a node issues with it before it learns of the revocation are invalid too.
        let is_over = |kind: SubjectKind, cutoff: &Cutoff| kind == SubjectKind::Key || cutoff.reaches(granted);
        let cut_off = |subject: (SubjectKind, Uuid)| known.get(&subject).is_some_and(|cutoff| is_over(subject.0, cutoff));
        if subjects.into_iter().any(cut_off) { Err(revoked()) } else { Ok(()) }
    }
}

/// 401 for a revoked token.
pub fn revoked() -> Error {
    Error::new(Code::TokenRevoked, "The token has been revoked. Sign the user in again.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_decide_where_both_have_one_and_times_else() {
        let cutoff = |version| Cutoff { at: Timestamp(1_000), version };
        let granted = |at, version| Granted { at: Timestamp(at), version };
        assert!(cutoff(Some(5)).reaches(granted(6_000, Some(4))), "a clock that is ahead");
        assert!(!cutoff(Some(5)).reaches(granted(-4_000, Some(5))), "a clock that is behind");
        for (made, knew) in [(None, Some(9)), (Some(9), None), (None, None)] {
            assert!(cutoff(made).reaches(granted(1_000, knew)) && !cutoff(made).reaches(granted(1_001, knew)));
        }
    }
}
