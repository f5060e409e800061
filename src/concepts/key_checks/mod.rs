//! Key checks: whether a project allows them, and what the last one found. `flows::key_checks` runs them. Findings hold names and
//! counts, never values of rows.

mod store;

#[cfg(test)]
pub(crate) use store::KeyCheckRow;
pub use store::{choice, due, is_allowed, overview, record, take};

use crate::ground::{
    audit::{self, Actor, Deed},
    error::Result,
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::ProjectId;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The maximum number of gaps that findings list. Further ones are counted.
pub const MOST_LISTED: usize = 20;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every key was counted, and each is unique.
    Passed,
    /// A key is not unique.
    Repeated,
    /// No such key was found, but some could not be counted.
    Incomplete,
}

impl Outcome {
    const ALL: [Self; 3] = [Self::Passed, Self::Repeated, Self::Incomplete];

    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Repeated => "repeated",
            Self::Incomplete => "incomplete",
        }
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|outcome| outcome.name() == name);
        found.ok_or_else(|| format!("`{name}` is not the outcome of a key check"))
    }
}

/// A key of a table: declared, or referred to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// The name of the connection.
    pub connection: String,
    /// The table.
    pub table: String,
    /// The columns.
    pub columns: Vec<String>,
}

impl Key {
    /// The key for the log: `shop.customers(id)`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}.{}({})", self.connection, self.table, self.columns.join(", "))
    }
}

/// A key that is not unique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Repeated {
    /// The key.
    pub key: Key,
    /// The number of its values that several rows share.
    pub values: u64,
    /// When they were counted. Earlier than the check if the key could not be counted since.
    pub counted_at: Timestamp,
}

/// A key, or all keys of a connection, that could not be counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gap {
    /// The key or the connection.
    pub place: String,
    /// Why.
    pub why: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// The number of keys that were counted.
    pub counted: u64,
    /// The keys that are not unique.
    pub repeated: Vec<Repeated>,
    /// The number of gaps.
    pub gaps: u64,
    /// The first gaps.
    pub missing: Vec<Gap>,
}

impl Findings {
    /// Adds a gap.
    pub fn gap(&mut self, place: String, why: &str) {
        self.gaps += 1;
        if self.missing.len() < MOST_LISTED {
            self.missing.push(Gap { place, why: why.to_owned() });
        }
    }

    /// The outcome.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match (self.repeated.is_empty(), self.gaps) {
            (false, _) => Outcome::Repeated,
            (true, 0) => Outcome::Passed,
            (true, _) => Outcome::Incomplete,
        }
    }
}

/// A check that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// When it ended.
    pub ended_at: Timestamp,
    /// What it found.
    pub findings: Findings,
}

/// A project's choice, and its last check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Whether checks are allowed.
    pub allowed: bool,
    /// When they were last allowed.
    pub allowed_at: Timestamp,
    /// The last check since they were allowed. `None` before the first.
    pub last: Option<Check>,
    /// When a check last counted every key.
    pub complete_at: Option<Timestamp>,
}

/// The last checks of all projects together, for metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Overview {
    /// The projects that allow checks.
    pub projects: i64,
    /// Those whose last check found a key that is not unique.
    pub repeated: i64,
    /// Those whose last check was incomplete.
    pub incomplete: i64,
    /// Of each such project the time of its last complete check, or since when checks are allowed: the oldest. 0 without projects.
    pub oldest_complete: i64,
}

/// Allows or forbids checks of a project, and writes the audit event. Nothing happens where that is so already.
pub async fn allow(conn: &mut Conn<'_>, actor: &Actor, project: ProjectId, name: &str, allowed: bool) -> Result<()> {
    if !store::set_allowed(conn, project, allowed, Timestamp::now()).await? {
        return Ok(());
    }
    let action = if allowed { "keyCheck.allowed" } else { "keyCheck.forbidden" };
    audit::record(conn, actor, Deed::new(action, project.0).in_project(project).named(name)).await
}
