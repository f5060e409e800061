//! Key checks: whether the keys that the semantic model joins along are unique. Where a project allows it, a check runs each night
//! as a job. The last result is kept, shown beside the model, and measured.

mod counting;

#[cfg(test)]
mod tests;

use crate::{
    concepts::{
        key_checks::{self, Check, Choice, Findings, Outcome},
        organizations::members::{Member, Reads, Works},
        projects,
    },
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        jobs::{self, Handler, Job, JobKind, NewJob, Outcome as JobOutcome, Places},
        night,
        periodic::Periodic,
        state::App,
        time::Timestamp,
    },
};
use async_trait::async_trait;
use inlay_contract::ids::ProjectId;
use std::time::Duration;

/// How many projects are planned at a time. The next round plans the next ones.
const AT_A_TIME: i64 = 100;
/// How many nodes may start a check before it is given up.
const MOST_ATTEMPTS: i64 = 3;

/// The handler of key checks. One runs at a time, on all nodes together, so that the sources are not asked by many.
#[derive(Debug)]
pub struct Counting;

#[async_trait]
impl Handler for Counting {
    fn kind(&self) -> JobKind {
        JobKind::Keys
    }

    fn places(&self, _: &App) -> Places {
        Places { all: 1, beside_others: 1, alone: 1, of_queue: 1 }
    }

    async fn plan(&self, app: &App) -> Result<()> {
        match night::begun(app.now(), app.settings.key_checks.key_check_hour) {
            Some(night) => plan(app, night).await,
            None => Ok(()),
        }
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<JobOutcome> {
        if job.attempt > MOST_ATTEMPTS {
            give_up(app, job, "The check was interrupted too often.").await?;
            return Ok(JobOutcome::Done);
        }
        let id = ProjectId(job.subject);
        let choice = key_checks::choice(&mut app.db.read().await?.conn(), id).await?;
        let Some(choice) = choice.filter(|choice| choice.allowed) else { return Ok(JobOutcome::Done) };
        let Some(project) = projects::by_id(app, id).await? else { return Ok(JobOutcome::Done) };
        let before = choice.last.map(|last| last.findings.repeated).unwrap_or_default();
        let findings = counting::count(app, &project, app.settings.key_checks.limit(), &before).await?;
        keep(app, findings, job).await?;
        Ok(JobOutcome::Done)
    }

    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()> {
        give_up(app, job, problem).await
    }
}

/// Adds a job for each project that allows checks, once a night.
async fn plan(app: &App, night: Timestamp) -> Result<()> {
    let due = key_checks::due(&mut app.db.read().await?.conn(), night, AT_A_TIME).await?;
    for (project, organization) in due {
        let mut tx = app.db.write().await?;
        let conn = &mut tx.conn();
        if key_checks::take(conn, project, night).await? {
            let (kind, subject, queue) = (JobKind::Keys, project.0, project.0);
            jobs::store::add(conn, &NewJob { kind, subject, organization, queue, due_at: Timestamp::now() }).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// Records a check that was not finished. The keys that were not unique before stay.
async fn give_up(app: &App, job: &Job, why: &str) -> Result<()> {
    let choice = key_checks::choice(&mut app.db.read().await?.conn(), ProjectId(job.subject)).await?;
    let repeated = choice.and_then(|choice| choice.last).map(|last| last.findings.repeated).unwrap_or_default();
    let mut findings = Findings { repeated, ..Findings::default() };
    findings.gap(String::new(), why);
    keep(app, findings, job).await
}

/// Keeps a result while this node holds the job, and tells the operator's log.
async fn keep(app: &App, findings: Findings, job: &Job) -> Result<()> {
    let project = ProjectId(job.subject);
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !jobs::store::holds(conn, job).await? {
        return Ok(());
    }
    let check = Check { ended_at: Timestamp::now(), findings };
    key_checks::record(conn, project, &check).await?;
    tx.commit().await?;
    let Findings { counted, gaps, repeated, .. } = &check.findings;
    match check.findings.outcome() {
        Outcome::Passed => tracing::info!(%project, counted, "a key check passed"),
        Outcome::Incomplete => tracing::warn!(%project, counted, gaps, "a key check is incomplete"),
        Outcome::Repeated => {
            let places: Vec<String> = repeated.iter().take(5).map(|one| one.key.place()).collect();
            tracing::warn!(%project, counted, gaps, keys = repeated.len(), ?places, "a key check found keys that are not unique");
        }
    }
    Ok(())
}

/// A project's choice with its last check, for its members.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn choice(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<Option<Choice>> {
    projects::of_organization(app, by.organization, project).await?;
    key_checks::choice(&mut app.db.read().await?.conn(), project).await
}

/// Allows or forbids checks of a project.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn allow(app: &App, by: &Member<impl Works>, project: ProjectId, allowed: bool) -> Result<()> {
    let project = projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    key_checks::allow(&mut tx.conn(), &by.actor(), project.id, &project.name, allowed).await?;
    tx.commit().await
}

/// Starts a check in the background. One that is already waiting or running is not started again.
///
/// # Errors
/// 404 for a project of another organization, 409 `KEY_CHECK_NOT_ALLOWED`.
pub async fn start(app: &App, by: &Member<impl Works>, project: ProjectId) -> Result<()> {
    let project = projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !key_checks::is_allowed(conn, project.id).await? {
        return Err(Error::new(Code::KeyCheckNotAllowed, "This project does not allow key checks. Allow them first."));
    }
    let (kind, subject, queue, organization) = (JobKind::Keys, project.id.0, project.id.0, project.organization);
    jobs::store::add(conn, &NewJob { kind, subject, organization, queue, due_at: Timestamp::now() }).await?;
    let deed = Deed::new("keyCheck.started", project.id.0).in_project(project.id).named(&project.name);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await
}

/// Measures the last checks of all projects. Each node tells the same.
pub const MEASURING: Periodic = Periodic {
    failure: "key checks could not be measured",
    every: Duration::from_secs(60),
    at_stop: false,
    run: |app| Box::pin(async move { measure(&app).await }),
};

async fn measure(app: &App) -> Result<()> {
    let found = key_checks::overview(&mut app.db.read().await?.conn()).await?;
    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    let [projects, repeated, incomplete] = [found.projects, found.repeated, found.incomplete].map(|count| count as f64);
    metrics::gauge!("inlay_key_check_projects").set(projects);
    metrics::gauge!("inlay_key_check_repeated").set(repeated);
    metrics::gauge!("inlay_key_check_incomplete").set(incomplete);
    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    metrics::gauge!("inlay_key_check_last_complete_seconds").set(Timestamp(found.oldest_complete).seconds() as f64);
    Ok(())
}
