//! Evaluation: a version's own examples are asked of whoever answers its questions, and the rows of each answer are held against those
//! of the example's SQL. It goes on in the background, as a job; what it came to is kept, so that a version can be compared with the
//! one before it goes into production.

pub mod question_set;

mod running;
mod store;

#[cfg(test)]
mod tests;

pub use running::Evaluating;

#[cfg(test)]
pub(crate) use store::EvaluationRow;

use crate::{
    concepts::{
        organizations::members::{self, Member, Reads, Works},
        workspaces::{Example, Version},
    },
    flows::management::{people, workspaces},
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        jobs::{self, Kind, NewJob},
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::ids::{MemberId, OrganizationId, ProjectId, ProjectUserId, WorkspaceId};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use uuid::Uuid;

/// The most examples of one evaluation.
const MOST: usize = 50;
/// How many evaluations an organization may have under way.
const MOST_UNDER_WAY: i64 = 3;
/// How many evaluations of a workspace are listed.
const LISTED: i64 = 20;

/// How far an evaluation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No node has begun it.
    Waiting,
    /// Its questions are being asked.
    Running,
    /// All of them were answered.
    Done,
    /// It could not go on, and says why.
    Failed,
    /// The nodes that did it went away too often.
    Interrupted,
    /// A member ended it.
    Cancelled,
}

impl State {
    const ALL: [Self; 6] = [Self::Waiting, Self::Running, Self::Done, Self::Failed, Self::Interrupted, Self::Cancelled];

    /// Its name in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Cancelled => "cancelled",
        }
    }

    /// Whether more is to come.
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Waiting | Self::Running)
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|state| state.name() == name).ok_or_else(|| format!("`{name}` is no state of an evaluation"))
    }
}

/// An evaluation of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Its id.
    pub id: Uuid,
    /// The version.
    pub version: i64,
    /// How far it is.
    pub state: State,
    /// Why it could not go on.
    pub problem: Option<String>,
    /// The model's name; the built-in analyst when empty, and not known while it waits.
    pub answered_by: String,
    /// How many questions it has.
    pub of: i64,
    /// What came of them so far.
    pub tally: Tally,
    /// Who wants it: their email address; none for somebody who is no member any more.
    pub wanted_by: Option<String>,
    /// As whom it asks: their name; none for a user who is gone.
    pub user: Option<String>,
    /// Since when it is wanted.
    pub at: Timestamp,
}

/// What came of an evaluation's questions so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many were answered.
    pub asked: i64,
    /// How many of those were right.
    pub right: i64,
    /// The others.
    pub misses: Vec<Miss>,
}

/// An answer that was not right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Miss {
    /// What was asked.
    pub question: String,
    /// What was wrong.
    pub why: String,
}

/// An evaluation as the job that does it reads it.
#[derive(Clone, Debug)]
pub struct Run {
    id: Uuid,
    organization: OrganizationId,
    project: ProjectId,
    workspace: WorkspaceId,
    /// The workspace's name.
    name: String,
    version: i64,
    state: State,
    answered_by: String,
    tally: Tally,
    /// Who wants it.
    member: Option<MemberId>,
    /// As whom it asks.
    user: Option<ProjectUserId>,
    started_at: Option<Timestamp>,
}

/// The newest evaluations of a workspace, newest first.
///
/// # Errors
/// 404 when the project has no such workspace.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId, id: WorkspaceId) -> Result<Vec<Evaluation>> {
    workspaces::find(app, by, project, id).await?;
    store::list(&mut app.db.read().await?.conn(), id, LISTED).await
}

/// Lets the examples of a version be asked in the background as a user of the project, over that user's rows. The evaluation's id.
///
/// # Errors
/// 404 for a workspace, version or user of another project; 400 when the version has no examples; 409 `EVALUATION_UNDER_WAY` while
/// the version is being evaluated, 409 `TOO_MANY_EVALUATIONS` while the organization has as many under way as it may.
pub async fn start(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: WorkspaceId,
    number: i64,
    user: ProjectUserId,
) -> Result<Uuid> {
    let (latest, versions) = workspaces::find(app, by, project, id).await?;
    let version = versions.iter().find(|version| version.number == number).ok_or_else(|| Error::not_found("Version"))?;
    let of = examples(version).len();
    if of == 0 {
        return Err(Error::invalid("number", "names a version without examples; write some into a draft first"));
    }
    people::user(app, by, project, user).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    // One press after another: both of the looks below are then true until the end.
    members::lock_organization(conn, by.organization).await?;
    if store::is_under_way(conn, id, number).await? {
        let told = format!("Version {number} is being evaluated already. How far it is stands below.");
        return Err(Error::new(Code::EvaluationUnderWay, told));
    }
    if store::count_under_way(conn, by.organization).await? >= MOST_UNDER_WAY {
        let told = format!("{MOST_UNDER_WAY} evaluations of your organization are under way. Wait for one, or cancel one.");
        return Err(Error::new(Code::TooManyEvaluations, told));
    }
    let (evaluation, now) = (Uuid::now_v7(), Timestamp::now());
    store::add(conn, evaluation, id, number, of, by.id, user, now).await?;
    jobs::store::add(conn, &NewJob { kind: Kind::Evaluation, subject: evaluation, due_at: now }).await?;
    let deed = Deed::new("workspace.evaluationStarted", id.0).in_project(project).named(&latest.name).with("version", number);
    audit::record(conn, &by.actor(), deed.with("userId", user.to_string())).await?;
    tx.commit().await?;
    Ok(evaluation)
}

/// Ends an evaluation that is under way. What was answered until then stays, and what it took counts.
///
/// # Errors
/// 404 when the workspace has no such evaluation, 409 `EVALUATION_OVER` when it has ended already.
pub async fn cancel(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, evaluation: Uuid) -> Result<()> {
    let (latest, _) = workspaces::find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let run = store::find(conn, evaluation).await?.filter(|run| run.workspace == id);
    let run = run.ok_or_else(|| Error::not_found("Evaluation"))?;
    if !store::end(conn, evaluation, State::Cancelled, None, Timestamp::now()).await? {
        return Err(Error::new(Code::EvaluationOver, "This evaluation has ended already."));
    }
    let deed = Deed::new("workspace.evaluationCancelled", id.0).in_project(project).named(&latest.name);
    audit::record(conn, &by.actor(), deed.with("version", run.version)).await?;
    tx.commit().await
}

/// The examples of a version that an evaluation asks.
fn examples(version: &Version) -> &[Example] {
    let all = &version.settings.examples;
    &all[..all.len().min(MOST)]
}

/// 504 for a set of questions that was stopped.
pub(super) fn too_long() -> Error {
    Error::new(Code::EvaluationTimeout, "The questions took too long to answer.")
}
