//! The kinds of databases.

use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The kind of a connection's database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// SQLite 3, a file.
    Sqlite,
    /// PostgreSQL and compatible databases: Redshift, Timescale, Citus, `CockroachDB`.
    Postgres,
    /// MySQL, `MariaDB` and compatible databases: `TiDB`, `StarRocks`, Doris.
    Mysql,
    /// `ClickHouse`, over HTTP.
    Clickhouse,
    /// Trino, over its REST API.
    Trino,
    /// `DuckDB`: a database file, or a folder of Parquet and CSV files. Only with the cargo feature `duckdb`.
    Duckdb,
}

impl SourceKind {
    /// All kinds, in the order in which people see them.
    pub const ALL: [Self; 6] = [Self::Sqlite, Self::Postgres, Self::Mysql, Self::Clickhouse, Self::Trino, Self::Duckdb];

    /// The name in JSON and in project files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::Mysql => "mysql",
            Self::Clickhouse => "clickhouse",
            Self::Trino => "trino",
            Self::Duckdb => "duckdb",
        }
    }

    /// The name of the product.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
            Self::Mysql => "MySQL",
            Self::Clickhouse => "ClickHouse",
            Self::Trino => "Trino",
            Self::Duckdb => "DuckDB",
        }
    }

    /// Whether it has no type for days and times: they are texts, and only their values show what they are.
    #[must_use]
    pub const fn keeps_times_as_text(self) -> bool {
        matches!(self, Self::Sqlite)
    }
}

impl fmt::Display for SourceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that is not the name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a connection's kind is {}", listed())]
pub struct UnknownKind;

/// `sqlite, postgres, … or duckdb`
fn listed() -> String {
    let [rest @ .., last] = SourceKind::ALL.map(SourceKind::name);
    format!("{} or {last}", rest.join(", "))
}

impl FromStr for SourceKind {
    type Err = UnknownKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or(UnknownKind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_one_name_in_json_in_text_and_in_print() {
        for kind in SourceKind::ALL {
            assert_eq!(serde_json::to_value(kind).expect("JSON"), kind.name());
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.to_string(), kind.name());
        }
    }

    #[test]
    fn an_unknown_kind_is_answered_with_the_known_ones() {
        let problem = "oracle".parse::<SourceKind>().expect_err("no such kind");
        assert_eq!(problem.to_string(), "a connection's kind is sqlite, postgres, mysql, clickhouse, trino or duckdb");
    }
}
