//! A customer's database and how it is reached.

use crate::{dialect::dialect, property::PropertyPath};
use inlay_contract::ids::ConnectionId;
pub use inlay_contract::source::{SourceKind, UnknownKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a kind of database means to those who set connections up.
pub trait SourceKindExt {
    /// Whether this build can reach such databases.
    fn is_built_in(&self) -> bool;

    /// Whether its databases are files, whose addresses are paths.
    fn is_file(&self) -> bool;

    /// What the addresses of its databases begin with, one of these.
    fn address_prefixes(self) -> &'static [&'static str];
}

impl SourceKindExt for SourceKind {
    fn is_built_in(&self) -> bool {
        dialect(*self).is_built_in()
    }

    fn is_file(&self) -> bool {
        dialect(*self).is_file()
    }

    fn address_prefixes(self) -> &'static [&'static str] {
        dialect(self).address_prefixes()
    }
}

/// A customer's database.
#[derive(Clone)]
pub struct Source {
    /// The connection's id.
    pub id: ConnectionId,
    /// The connection's name, for messages to the operator.
    pub name: String,
    /// Which database it is.
    pub kind: SourceKind,
    /// Its address: a secret. SQLite paths are absolute.
    pub url: String,
    /// How the database's own row security learns who asks, if it has any.
    pub database_auth: Option<DatabaseAuth>,
    /// What this source may cost, where it differs from the engine's limits.
    pub limits: SourceLimits,
}

/// Limits of one source; what is left out is the engine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceLimits {
    /// How long an answer may be served again, in seconds; 0 asks the source each time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_seconds: Option<u32>,
    /// The most connections held at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
}

impl Source {
    /// A source without a declaration of its own.
    #[must_use]
    pub fn new(id: ConnectionId, name: impl Into<String>, kind: SourceKind, url: impl Into<String>) -> Self {
        Self { id, name: name.into(), kind, url: url.into(), database_auth: None, limits: SourceLimits::default() }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("kind", &self.kind)
            .field("database_auth", &self.database_auth)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// What a connection does with `dbAuthToken`. A connection that declares one of these runs no query without a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DatabaseAuth {
    /// The token must equal a property of the viewer, and is then put into the setting.
    Equals {
        /// The database's setting, such as `app.tenant_id`.
        setting: String,
        /// The property that the token must equal.
        property: PropertyPath,
    },
    /// The database verifies the token itself; it is put into the setting as it came.
    VerifiedByDatabase {
        /// The database's setting.
        setting: String,
    },
}

impl DatabaseAuth {
    /// The database's setting that carries the token.
    #[must_use]
    pub fn setting(&self) -> &str {
        let (Self::Equals { setting, .. } | Self::VerifiedByDatabase { setting }) = self;
        setting
    }

    /// Whether a kind of database has such a setting, and it is a custom one: a viewer's token must not choose whom the database takes
    /// the connection for.
    #[must_use]
    pub fn fits(&self, kind: SourceKind) -> bool {
        dialect(kind).takes_token_in(self.setting())
    }
}
