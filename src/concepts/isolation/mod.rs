//! Isolation checks: whether a project allows them, and their results. `flows::isolation` runs them. Results hold names and
//! counts, never values of rows.

mod store;

#[cfg(test)]
pub(crate) use store::{IsolationProjectRow, IsolationRunRow};
pub use store::{TIDY, choice, due, find, is_allowed, newest, overview, record, take};

use crate::ground::{
    audit::{self, Actor, Deed},
    error::Result,
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::ProjectId;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, str::FromStr};
use uuid::Uuid;

/// The maximum number of leaks, and of gaps, that a result lists of each way. Further ones are counted.
pub const MOST_LISTED: usize = 10;

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Each way to data was asked, and no made-up customer saw a row of a table with a rule.
    Passed,
    /// A made-up customer saw rows.
    Leaked,
    /// No leak was found, but something could not be asked.
    Incomplete,
}

impl Outcome {
    const ALL: [Self; 3] = [Self::Passed, Self::Leaked, Self::Incomplete];

    /// Its name in the store and in answers.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Leaked => "leaked",
            Self::Incomplete => "incomplete",
        }
    }
}

impl FromStr for Outcome {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|outcome| outcome.name() == name);
        found.ok_or_else(|| format!("`{name}` is not the outcome of an isolation check"))
    }
}

/// What was asked by one way to data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// Answers that were judged or refused.
    pub asked: u64,
    /// Those without a value: no rows, or only nulls and zeros.
    pub empty: u64,
    /// Those with values that are also there when the tables with a rule are empty.
    pub compared: u64,
    /// Those that were refused, so that nobody saw a row.
    pub refused: u64,
    /// Those that read no table from which a rule keeps strangers. Everybody sees them, so they are not judged.
    pub shared: u64,
}

/// A place where something was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The way to data.
    pub way: String,
    /// The chart, table or workspace.
    pub place: String,
    /// What was found there.
    pub what: String,
}

/// The tables of a project, by what a stranger sees of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tables {
    /// Tables whose rule lets a stranger see no row.
    pub ruled: Vec<String>,
    /// Tables without a rule: visible to everybody.
    pub open: Vec<String>,
    /// Tables whose rule may let everybody see some rows, so that an answer cannot be judged.
    pub partly: Vec<String>,
    /// Tables that nobody may query.
    pub closed: Vec<String>,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Findings {
    /// The tables.
    pub tables: Tables,
    /// What was asked, by way to data.
    pub ways: BTreeMap<String, Tally>,
    /// The number of leaks.
    pub leaks: u64,
    /// The number of questions that could not be asked or judged.
    pub gaps: u64,
    /// The first leaks.
    pub leaked: Vec<Finding>,
    /// The first gaps.
    pub missing: Vec<Finding>,
}

impl Findings {
    /// Adds a leak.
    pub fn leak(&mut self, finding: Finding) {
        self.leaks += 1;
        list(&mut self.leaked, finding);
    }

    /// Adds a gap.
    pub fn gap(&mut self, finding: Finding) {
        self.gaps += 1;
        list(&mut self.missing, finding);
    }

    /// The outcome.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match (self.leaks, self.gaps) {
            (0, 0) => Outcome::Passed,
            (0, _) => Outcome::Incomplete,
            _ => Outcome::Leaked,
        }
    }
}

/// Lists a finding, unless it is listed already or its way has enough of them.
fn list(listed: &mut Vec<Finding>, finding: Finding) {
    let of_way = listed.iter().filter(|one| one.way == finding.way).count();
    if of_way < MOST_LISTED && !listed.contains(&finding) {
        listed.push(finding);
    }
}

/// A check that has ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Its id.
    pub id: Uuid,
    /// The project.
    pub project: ProjectId,
    /// When it began.
    pub began_at: Timestamp,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How it ended.
    pub outcome: Outcome,
    /// What it found.
    pub findings: Findings,
}

/// A project's choice, and how its last check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Whether checks are allowed.
    pub allowed: bool,
    /// When they were last allowed.
    pub allowed_at: Timestamp,
    /// How the last check ended. `None` before the first.
    pub outcome: Option<Outcome>,
    /// When the last check passed.
    pub passed_at: Option<Timestamp>,
}

/// The last checks of all projects together, for metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Overview {
    /// The projects that allow checks.
    pub projects: i64,
    /// Those whose last check found a leak.
    pub leaking: i64,
    /// Those whose last check was incomplete.
    pub incomplete: i64,
    /// Of each such project the time of its last passed check, or since when checks are allowed: the oldest. 0 without projects.
    pub oldest_pass: i64,
}

/// Allows or forbids checks of a project, and writes the audit event. Nothing happens where that is so already.
pub async fn allow(conn: &mut Conn<'_>, actor: &Actor, project: ProjectId, name: &str, allowed: bool) -> Result<()> {
    if !store::set_allowed(conn, project, allowed, Timestamp::now()).await? {
        return Ok(());
    }
    let action = if allowed { "isolation.allowed" } else { "isolation.forbidden" };
    audit::record(conn, actor, Deed::new(action, project.0).in_project(project).named(name)).await
}
