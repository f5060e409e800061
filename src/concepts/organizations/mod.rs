//! Organizations, their members and API keys.

pub mod api_keys;
pub mod keys;
pub mod links;
pub mod members;
pub mod password;
pub mod passwords;
pub mod secret;
pub mod sessions;
pub mod setup;
pub mod sign_in;
mod store;

#[cfg(test)]
pub(crate) use store::{AccountRow, ApiKeyRow, MemberRow, OrganizationRow};
pub use store::{
    account_of_member, all, create, find, find_held, find_key, first, insert_key, name, organizations_of_key, put_member,
    revoke_key,
};

use inlay_contract::ids::OrganizationId;
use std::str::FromStr;

/// An organization.
#[derive(Clone, Debug)]
pub struct Organization {
    /// Its id.
    pub id: OrganizationId,
    /// Whether the v1 → v2 migration is finalized.
    pub migration_finalized: bool,
}

/// The role of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberRole {
    /// Everything.
    Owner,
    /// Everything except managing owners.
    Admin,
    /// Works with projects.
    Member,
    /// Reads only.
    Viewer,
}

impl MemberRole {
    /// Every role, highest first.
    pub const ALL: [Self; 4] = [Self::Owner, Self::Admin, Self::Member, Self::Viewer];

    /// Its name in the store and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
            Self::Viewer => "viewer",
        }
    }

    /// The rank: a higher one has more rights.
    pub const fn rank(self) -> u8 {
        match self {
            Self::Owner => 3,
            Self::Admin => 2,
            Self::Member => 1,
            Self::Viewer => 0,
        }
    }

    /// Whether API keys of such a member work: owner, admin or member (docs/spec/service.md, "Authentication", rule 4).
    pub const fn may_use_keys(self) -> bool {
        !matches!(self, Self::Viewer)
    }
}

impl FromStr for MemberRole {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.name() == name)
            .ok_or_else(|| "must be owner, admin, member or viewer".to_owned())
    }
}
