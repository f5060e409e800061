//! A customer's database and how to reach it.

use crate::{
    dialect::dialect,
    name::{TableKey, fold},
    property::PropertyPath,
};
use inlay_contract::ids::ConnectionId;
pub use inlay_contract::source::{SourceKind, UnknownKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Properties of a kind of database for setting up connections.
pub trait SourceKindExt {
    /// Whether this build supports it.
    fn is_built_in(&self) -> bool;

    /// Whether its databases are files.
    fn is_file(&self) -> bool;

    /// The possible beginnings of its URLs.
    fn address_prefixes(self) -> &'static [&'static str];

    /// Whether the database takes two names of columns, as it lists them, for one.
    fn same_name(&self, one: &str, other: &str) -> bool;

    /// How the database reads a table's name in the catalogue: schema and table, folded for comparison. The schema is empty if the
    /// connection's URL sets the default one. `None` if a catalogue cannot contain the name.
    fn table_key(&self, name: &str) -> Option<(String, String)>;
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

    fn same_name(&self, one: &str, other: &str) -> bool {
        fold(*self, one) == fold(*self, other)
    }

    fn table_key(&self, name: &str) -> Option<(String, String)> {
        TableKey::of_name(*self, name).map(|key| (key.schema, key.table))
    }
}

/// A customer's database.
#[derive(Clone)]
pub struct Source {
    /// The connection's id.
    pub id: ConnectionId,
    /// The connection's name, for messages to the operator.
    pub name: String,
    /// The kind of database.
    pub kind: SourceKind,
    /// Its URL: a secret. SQLite paths are absolute.
    pub url: String,
    /// How the database's own row security gets the viewer, if it is used.
    pub database_auth: Option<DatabaseAuth>,
    /// The limits of this source that differ from the engine's.
    pub limits: SourceLimits,
}

/// The limits of a source. Missing ones are the engine's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceLimits {
    /// How long a result is cached, in seconds. 0 disables the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_seconds: Option<u32>,
    /// The most connections at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_connections: Option<u32>,
    /// How old a result may be that is shown while the source does not answer, in seconds. Without it, an error is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_seconds: Option<u32>,
}

impl SourceLimits {
    /// The most connections to a source.
    pub const MOST_CONNECTIONS: u32 = 200;
    /// The longest time that a source's results are reused, in seconds: a day.
    pub const MOST_CACHE_SECONDS: u32 = 24 * 60 * 60;
    /// The oldest result that is shown while a source does not answer, in seconds: a day. Columns are known for as long.
    pub const MOST_STALE_SECONDS: u32 = 24 * 60 * 60;
}

impl Source {
    /// A source without `databaseAuth`.
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

/// What a connection does with `dbAuthToken`. With one of these, no query runs without a token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DatabaseAuth {
    /// The token must equal a property of the viewer. It is then put into the setting.
    Equals {
        /// The database's setting, such as `app.tenant_id`.
        setting: String,
        /// The property.
        property: PropertyPath,
    },
    /// The database verifies the token itself. It is put into the setting unchanged.
    VerifiedByDatabase {
        /// The database's setting.
        setting: String,
    },
}

impl DatabaseAuth {
    /// The setting for the token.
    #[must_use]
    pub fn setting(&self) -> &str {
        let (Self::Equals { setting, .. } | Self::VerifiedByDatabase { setting }) = self;
        setting
    }

    /// Whether a kind of database has this setting and it is a custom one: a viewer's token must not change which user the
    /// database runs as.
    #[must_use]
    pub fn fits(&self, kind: SourceKind) -> bool {
        dialect(kind).takes_token_in(self.setting())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_table_have_one_key() {
        let key = |kind: SourceKind, name: &str| kind.table_key(name);
        for (kind, one, other) in [
            (SourceKind::Postgres, "orders", "public.orders"),
            (SourceKind::Sqlite, "Orders", "main.orders"),
            (SourceKind::Mysql, "orders", "orders"),
        ] {
            assert_eq!(key(kind, one), key(kind, other), "{kind:?}");
        }
        assert_ne!(key(SourceKind::Postgres, "orders"), key(SourceKind::Postgres, "Orders"));
        assert_eq!(key(SourceKind::Mysql, "orders").map(|(schema, _)| schema), Some(String::new()));
        assert_eq!(key(SourceKind::Sqlite, "a.b.c"), None);
    }
}
