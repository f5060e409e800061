//! Evaluation: asks a version's own example questions, and compares the rows of each answer with those of the example's SQL. It
//! runs in the background as a job. Results are stored, so that a version can be compared with the one before it is promoted.

mod comparing;
pub mod question_set;
mod running;
mod store;

#[cfg(test)]
mod tests;

pub use comparing::{again, changes, fall, promote};
pub use running::Evaluating;
pub use store::TIDY;

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
        jobs::{self, JobKind, NewJob},
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::ids::{MemberId, OrganizationId, ProjectId, ProjectUserId, WorkspaceId};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use uuid::Uuid;

/// The maximum number of examples in one evaluation.
const MOST: usize = 50;
/// The maximum number of an organization's evaluations in progress.
const MOST_UNDER_WAY: i64 = 3;
/// The number of a workspace's evaluations in the list.
const LISTED: i64 = 20;

/// The state of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// No node has started it.
    Waiting,
    /// Its questions are being asked.
    Running,
    /// All questions were answered.
    Done,
    /// It failed; `problem` says why.
    Failed,
    /// The nodes that ran it failed too often.
    Interrupted,
    /// A member cancelled it.
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

    /// Whether it is in progress.
    #[must_use]
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Waiting | Self::Running)
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|state| state.name() == name)
            .ok_or_else(|| format!("`{name}` is not a state of an evaluation"))
    }
}

/// An evaluation of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Its id.
    pub id: Uuid,
    /// The version.
    pub version: i64,
    /// Its state.
    pub state: State,
    /// Why it failed.
    pub problem: Option<String>,
    /// The model's name. Empty for the built-in analyst, and while it waits.
    pub answered_by: String,
    /// The number of its questions.
    pub of: i64,
    /// The results so far.
    pub tally: Tally,
    /// The email address of the member who started it. `None` for a former member.
    pub wanted_by: Option<String>,
    /// The name of the user whose rows it uses. `None` for a deleted user.
    pub user: Option<String>,
    /// When it was started.
    pub at: Timestamp,
}

/// The results of an evaluation so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of answered questions.
    pub asked: i64,
    /// The number of right answers.
    pub right: i64,
    /// The wrong answers.
    pub misses: Vec<Miss>,
}

/// A wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Miss {
    /// The question.
    pub question: String,
    /// What was wrong.
    pub why: String,
}

/// An evaluation, as its job reads it.
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
    /// The member who started it.
    member: Option<MemberId>,
    /// The user whose rows it uses.
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

/// Starts an evaluation of a version in the background, with a project user's rows. Returns its id.
///
/// # Errors
/// 404 for a workspace, version or user of another project; 400 when the version has no examples; 409 `EVALUATION_UNDER_WAY`
/// while the version is being evaluated, 409 `TOO_MANY_EVALUATIONS` when the organization has reached its limit.
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
        return Err(Error::invalid("number", "names a version without examples; add examples to a draft first"));
    }
    people::user(app, by, project, user).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    // Concurrent requests wait here, so that both checks below hold until the transaction ends.
    members::lock_organization(conn, by.organization).await?;
    if store::is_under_way(conn, id, number).await? {
        let told = format!("Version {number} is already being evaluated. Its progress is below.");
        return Err(Error::new(Code::EvaluationUnderWay, told));
    }
    if store::count_under_way(conn, by.organization).await? >= MOST_UNDER_WAY {
        let told = format!(
            "Your organization has {MOST_UNDER_WAY} evaluations in progress, which is the limit. Wait for one or cancel one."
        );
        return Err(Error::new(Code::TooManyEvaluations, told));
    }
    let (evaluation, now) = (Uuid::now_v7(), Timestamp::now());
    store::add(conn, evaluation, id, number, of, by.id, user, now).await?;
    let (kind, organization) = (JobKind::Evaluation, by.organization);
    let job = NewJob { kind, subject: evaluation, organization, queue: id.0, due_at: now };
    jobs::store::add(conn, &job).await?;
    let deed = Deed::new("workspace.evaluationStarted", id.0).in_project(project).named(&latest.name).with("version", number);
    audit::record(conn, &by.actor(), deed.with("userId", user.to_string())).await?;
    tx.commit().await?;
    Ok(evaluation)
}

/// Cancels an evaluation in progress. Its results so far stay, and its usage counts.
///
/// # Errors
/// 404 when the workspace has no such evaluation, 409 `EVALUATION_OVER` when it has already ended.
pub async fn cancel(app: &App, by: &Member<impl Works>, project: ProjectId, id: WorkspaceId, evaluation: Uuid) -> Result<()> {
    let (latest, _) = workspaces::find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let run = store::find(conn, evaluation).await?.filter(|run| run.workspace == id);
    let run = run.ok_or_else(|| Error::not_found("Evaluation"))?;
    if !store::end(conn, evaluation, State::Cancelled, None, Timestamp::now()).await? {
        return Err(Error::new(Code::EvaluationOver, "This evaluation has already ended."));
    }
    let deed = Deed::new("workspace.evaluationCancelled", id.0).in_project(project).named(&latest.name);
    audit::record(conn, &by.actor(), deed.with("version", run.version)).await?;
    tx.commit().await
}

/// The examples of a version that an evaluation uses.
fn examples(version: &Version) -> &[Example] {
    let all = &version.settings.examples;
    &all[..all.len().min(MOST)]
}

/// 504 for a question set that took too long.
pub(super) fn too_long() -> Error {
    Error::new(Code::EvaluationTimeout, "The questions took too long to answer.")
}
