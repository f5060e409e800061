//! Revocation (docs/spec/contract.md, section 2): within a second every node refuses tokens that were issued before a revocation. Tokens of a revoked API
//! key are refused whenever they were issued.

use super::Claims;
use crate::ground::{
    error::{Code, Error, Result},
    time::Timestamp,
};
use inlay_contract::ids::{CustomerId, ProjectUserId};
use std::collections::HashMap;
use uuid::Uuid;

/// The kinds of revocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubjectKind {
    /// An API key, with the tokens that it issued.
    Key,
    /// A project user's or tenant's tokens.
    User,
    /// The tokens of all users of a customer.
    Customer,
    /// The tokens of all users of a project.
    Project,
}

impl SubjectKind {
    const ALL: [Self; 4] = [Self::Key, Self::User, Self::Customer, Self::Project];

    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::User => "user",
            Self::Customer => "customer",
            Self::Project => "project",
        }
    }

    /// The kind with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The revocations that this node knows.
#[derive(Debug, Default)]
pub struct Revocations(HashMap<(SubjectKind, Uuid), Timestamp>);

impl FromIterator<((SubjectKind, Uuid), Timestamp)> for Revocations {
    fn from_iter<I: IntoIterator<Item = ((SubjectKind, Uuid), Timestamp)>>(cutoffs: I) -> Self {
        Self(cutoffs.into_iter().collect())
    }
}

impl Revocations {
    /// Refuses a revoked token.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED`.
    pub fn check(&self, claims: &Claims) -> Result<()> {
        let subjects = [
            claims.azp.map(|key| (SubjectKind::Key, key.0)),
            Some((SubjectKind::User, claims.sub)),
            claims.customer.map(|customer| (SubjectKind::Customer, customer.0)),
            Some((SubjectKind::Project, claims.project.0)),
        ];
        self.none_of(claims, subjects.into_iter().flatten())
    }

    /// Refuses a tenant's token when its project user, or that user's customer, is revoked.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED`.
    pub fn check_as(&self, claims: &Claims, user: ProjectUserId, customer: CustomerId) -> Result<()> {
        self.none_of(claims, [(SubjectKind::User, user.0), (SubjectKind::Customer, customer.0)])
    }

    fn none_of(&self, claims: &Claims, subjects: impl IntoIterator<Item = (SubjectKind, Uuid)>) -> Result<()> {
        self.check_since(claims.issued_at(), subjects)
    }

    /// Refuses a grant of this time when one of its subjects was revoked since.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED`.
    pub fn check_since(&self, granted: Timestamp, subjects: impl IntoIterator<Item = (SubjectKind, Uuid)>) -> Result<()> {
        // A revoked key stays revoked: tokens that a node issues with it before it learns of the revocation are invalid too.
        let is_over = |kind: SubjectKind, cutoff: &Timestamp| kind == SubjectKind::Key || granted <= *cutoff;
        let cut_off = |subject: (SubjectKind, Uuid)| self.0.get(&subject).is_some_and(|cutoff| is_over(subject.0, cutoff));
        if subjects.into_iter().any(cut_off) { Err(revoked()) } else { Ok(()) }
    }
}

/// 401 for a revoked token.
pub fn revoked() -> Error {
    Error::new(Code::TokenRevoked, "The token has been revoked. Sign the user in again.")
}
