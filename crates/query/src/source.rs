//! A customer's database and how it is reached.

use crate::property::PropertyPath;
use inlay_contract::ids::ConnectionId;
pub use inlay_contract::source::{SourceKind, UnknownKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a kind of database means to those who set connections up.
pub trait SourceKindExt {
    /// Whether this build can reach such databases.
    fn is_built_in(self) -> bool;

    /// Whether its databases are files, whose addresses are paths.
    fn is_file(self) -> bool;

    /// What the addresses of its databases begin with, one of these.
    fn address_prefixes(self) -> &'static [&'static str];

    /// The schema that a table without one lives in; empty where the connection's address says it.
    fn default_schema(self) -> &'static str;
}

impl SourceKindExt for SourceKind {
    fn is_built_in(self) -> bool {
        !matches!(self, Self::Duckdb) || cfg!(feature = "duckdb")
    }

    fn is_file(self) -> bool {
        matches!(self, Self::Sqlite | Self::Duckdb)
    }

    fn address_prefixes(self) -> &'static [&'static str] {
        match self {
            Self::Sqlite => &["sqlite:/"],
            Self::Postgres => &["postgres://", "postgresql://"],
            Self::Mysql => &["mysql://", "mariadb://"],
            Self::Clickhouse => &["clickhouse://", "https://", "http://"],
            Self::Trino => &["trino://", "https://", "http://"],
            Self::Duckdb => &["duckdb:/"],
        }
    }

    fn default_schema(self) -> &'static str {
        match self {
            Self::Sqlite | Self::Duckdb => "main",
            Self::Postgres => "public",
            Self::Mysql | Self::Clickhouse | Self::Trino => "",
        }
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

    /// Whether a kind of database has such a setting, and it is a custom one (PostgreSQL: `prefix.name`; MySQL: a variable of
    /// the session; `ClickHouse`: `SQL_name`; Trino: the name of an extra credential). Built-in settings such as `role` are refused: a viewer's token must
    /// not choose who the database takes it for.
    #[must_use]
    pub fn fits(&self, kind: SourceKind) -> bool {
        let plain = |name: &str| {
            let letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '$');
            !name.is_empty() && name.len() <= 64 && name.chars().all(letter)
        };
        match kind {
            SourceKind::Sqlite | SourceKind::Duckdb => false,
            SourceKind::Postgres => self.has_custom_setting(),
            // What its servers take for custom settings by default; nothing that the server itself has begins so.
            SourceKind::Clickhouse => self.setting().starts_with("SQL_") && plain(self.setting()),
            // It goes as an extra credential, which only what the operator installed there reads.
            SourceKind::Trino => plain(self.setting()),
            // Variables of the session are custom by nature.
            SourceKind::Mysql => plain(self.setting().strip_prefix('@').unwrap_or_else(|| self.setting())),
        }
    }

    fn has_custom_setting(&self) -> bool {
        self.setting().split_once('.').is_some_and(|(prefix, name)| !prefix.is_empty() && !name.is_empty())
    }
}
