//! The check of verified answers: each night, and after a change of what their queries read. A query that does not run any more is
//! not used until it is corrected or runs again. The databases are asked for no row.

use super::{checked, served};
use crate::{
    concepts::{chat::checking::Checked, projects, verified_answers, workspaces},
    ground::{
        error::Result,
        jobs::{self, Handler, Job, JobKind, Outcome, Places},
        night,
        state::App,
        time::Timestamp,
    },
};
use async_trait::async_trait;
use inlay_contract::ids::WorkspaceId;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// How many answers are looked at to find the workspaces to check. The next round finds the next ones.
const AT_A_TIME: i64 = 500;
/// How many nodes may start a check before it is given up.
const MOST_ATTEMPTS: i64 = 3;
/// How many checks all nodes together run at once.
const AT_ONCE: i64 = 4;
/// The maximum duration of a check of a workspace.
const LONGEST: Duration = Duration::from_secs(600);

/// The handler of checks of verified answers.
#[derive(Debug)]
pub struct Verifying;

#[async_trait]
impl Handler for Verifying {
    fn kind(&self) -> JobKind {
        JobKind::Verified
    }

    fn places(&self, _: &App) -> Places {
        Places::half(AT_ONCE)
    }

    async fn plan(&self, app: &App) -> Result<()> {
        match night::begun(app.now(), app.settings.key_checks.key_check_hour) {
            Some(night) => plan(app, night).await,
            None => Ok(()),
        }
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome> {
        if job.attempt <= MOST_ATTEMPTS {
            check(app, job).await?;
        } else {
            settle(app, job).await?;
        }
        Ok(Outcome::Done)
    }

    async fn give_up(&self, app: &App, job: &Job, _: &str) -> Result<()> {
        settle(app, job).await
    }
}

/// Adds a job for each workspace with an answer that was not checked since the night began.
pub(super) async fn plan(app: &App, night: Timestamp) -> Result<()> {
    let due = verified_answers::due(&mut app.db.read().await?.conn(), night, AT_A_TIME).await?;
    if due.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.write().await?;
    for (workspace, organization) in due {
        verified_answers::plan(&mut tx.conn(), workspace, organization).await?;
    }
    tx.commit().await
}

/// Checks the answers of a workspace, and stores the results while this node holds the job.
async fn check(app: &App, job: &Job) -> Result<()> {
    let id = WorkspaceId(job.subject);
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let Some(workspace) = workspaces::find(conn, id).await? else { return Ok(()) };
    let Some(served) = served(conn, id).await? else { return Ok(()) };
    let answers = verified_answers::list(conn, id).await?;
    drop(lease);
    let Some(project) = projects::by_id(app, workspace.project).await? else { return Ok(()) };
    let deadline = Instant::now() + LONGEST;
    let mut results = Vec::new();
    for answer in &answers {
        match timeout_at(deadline, checked(app, &project, &served, &answer.query)).await {
            Ok(Ok(Checked::Runs)) => results.push((answer, None)),
            Ok(Ok(Checked::Refused(why))) => results.push((answer, Some(why))),
            Ok(Err(problem)) => return Err(problem),
            // The others wait for the next night, too.
            Ok(Ok(Checked::Unasked)) | Err(_) => break,
        }
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !jobs::store::holds(conn, job).await? {
        return Ok(());
    }
    let now = Timestamp::now();
    for (answer, problem) in &results {
        verified_answers::record(conn, answer.id, answer.updated_at, problem.as_deref(), now).await?;
    }
    verified_answers::settle(conn, id, now).await?;
    tx.commit().await?;
    let broken = results.iter().filter(|(_, problem)| problem.is_some()).count();
    let (total, unchecked) = (answers.len(), answers.len() - results.len());
    if broken + unchecked > 0 {
        tracing::warn!(workspace = %id, total, broken, unchecked, "verified answers were checked");
    } else {
        tracing::info!(workspace = %id, total, "verified answers were checked");
    }
    Ok(())
}

/// Ends a check that was interrupted too often. The results of before stay.
async fn settle(app: &App, job: &Job) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if jobs::store::holds(conn, job).await? {
        verified_answers::settle(conn, WorkspaceId(job.subject), Timestamp::now()).await?;
    }
    tx.commit().await
}
