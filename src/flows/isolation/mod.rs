//! Isolation checks: two made-up customers, whose properties match no row, ask for data by every way there is. Neither may see
//! a row of a table with a rule. Where a project allows it, a check runs each night as a job. Its result is kept, measured, and
//! can be downloaded as a signed report.

mod judging;
pub mod report;
mod rounds;
mod rounds_of_charts;
mod rounds_of_models;
mod rounds_of_workspaces;
mod strangers;
pub mod ways;

#[cfg(test)]
mod tests;

use crate::{
    concepts::{
        dashboards::data,
        isolation::{self, Choice, Finding, Findings, Outcome, Run},
        organizations::members::{Member, Reads, Works},
        projects::{self, Project},
    },
    ground::{
        audit::{self, Actor, Deed},
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
use judging::Check;
use std::{collections::HashSet, sync::Arc, time::Duration};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

/// How many projects are planned at a time. The next round plans the next ones.
const AT_A_TIME: i64 = 100;
/// How many nodes may start a check before it is given up.
const MOST_ATTEMPTS: i64 = 3;
/// The number of results in the list.
const LISTED: i64 = 30;

/// The handler of isolation checks. One runs at a time, on all nodes together, so that the sources are not asked by many.
#[derive(Debug)]
pub struct Checking;

#[async_trait]
impl Handler for Checking {
    fn kind(&self) -> JobKind {
        JobKind::Isolation
    }

    fn places(&self, _: &App) -> Places {
        Places { all: 1, beside_others: 1, alone: 1, of_queue: 1 }
    }

    async fn plan(&self, app: &App) -> Result<()> {
        match night::begun(app.now(), app.settings.isolation.isolation_hour) {
            Some(night) => plan(app, night).await,
            None => Ok(()),
        }
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<JobOutcome> {
        let id = ProjectId(job.subject);
        if !isolation::is_allowed(&mut app.db.read().await?.conn(), id).await? {
            return Ok(JobOutcome::Done);
        }
        let Some(project) = projects::by_id(app, id).await? else { return Ok(JobOutcome::Done) };
        let run = match job.attempt {
            ..=MOST_ATTEMPTS => run(app, project, app.settings.isolation.limit()).await?,
            _ => interrupted(id, "The check was interrupted too often."),
        };
        keep(app, &run, Some(job)).await?;
        Ok(JobOutcome::Done)
    }

    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()> {
        keep(app, &interrupted(ProjectId(job.subject), problem), Some(job)).await
    }
}

/// Adds a job for each project that allows checks, once a night.
async fn plan(app: &App, night: Timestamp) -> Result<()> {
    let due = isolation::due(&mut app.db.read().await?.conn(), night, AT_A_TIME).await?;
    for (project, organization) in due {
        let mut tx = app.db.write().await?;
        let conn = &mut tx.conn();
        if isolation::take(conn, project, night).await? {
            let (kind, subject, queue) = (JobKind::Isolation, project.0, project.0);
            jobs::store::add(conn, &NewJob { kind, subject, organization, queue, due_at: Timestamp::now() }).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// The result of a check that was not finished.
fn interrupted(project: ProjectId, why: &str) -> Run {
    let mut findings = Findings::default();
    findings.gap(Finding { way: String::new(), place: String::new(), what: why.to_owned() });
    let now = Timestamp::now();
    Run { id: Uuid::now_v7(), project, began_at: now, ended_at: now, outcome: findings.outcome(), findings }
}

/// Checks a project within a time.
async fn run(app: &App, project: Arc<Project>, limit: Duration) -> Result<Run> {
    let (id, began_at, deadline) = (project.id, Timestamp::now(), Instant::now() + limit);
    let mut findings = Findings::default();
    let entered = timeout_at(deadline, strangers::enter(app, &project, &mut findings)).await;
    let findings = match entered {
        Ok(entered) => {
            let (scenes, strangers) = entered?;
            let (app, today, seen) = (app.clone(), data::today(None, &project), HashSet::new());
            let mut check = Check { app, project, today, deadline, scenes, strangers, findings, seen };
            check.go().await?;
            check.findings
        }
        Err(_) => interrupted(id, strangers::SILENT).findings,
    };
    Ok(Run { id: Uuid::now_v7(), project: id, began_at, ended_at: Timestamp::now(), outcome: findings.outcome(), findings })
}

/// Keeps a result, and tells the operator's log of a leak. A job's result is kept only while this node holds the job.
async fn keep(app: &App, run: &Run, job: Option<&Job>) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if let Some(job) = job
        && !jobs::store::holds(conn, job).await?
    {
        return Ok(());
    }
    isolation::record(conn, run).await?;
    tx.commit().await?;
    let (project, check, findings) = (run.project, run.id, &run.findings);
    match run.outcome {
        Outcome::Passed => tracing::info!(%project, %check, "an isolation check passed"),
        Outcome::Incomplete => tracing::warn!(%project, %check, gaps = findings.gaps, "an isolation check is incomplete"),
        Outcome::Leaked => {
            let places: Vec<String> =
                findings.leaked.iter().take(5).map(|leak| format!("{}: {}", leak.way, leak.place)).collect();
            tracing::error!(%project, %check, leaks = findings.leaks, ?places, "an isolation check found a leak");
        }
    }
    Ok(())
}

/// Checks a project now, and keeps the result.
///
/// # Errors
/// 409 `ISOLATION_NOT_ALLOWED` where the project does not allow checks; an error of the store.
pub async fn check_now(app: &App, actor: &Actor, project: Arc<Project>) -> Result<Run> {
    {
        let mut tx = app.db.write().await?;
        let conn = &mut tx.conn();
        require_allowed(conn, project.id).await?;
        audit::record(conn, actor, started(&project)).await?;
        tx.commit().await?;
    }
    let run = run(app, project, app.settings.isolation.limit()).await?;
    keep(app, &run, None).await?;
    Ok(run)
}

fn started(project: &Project) -> Deed<'_> {
    Deed::new("isolation.started", project.id.0).in_project(project.id).named(&project.name)
}

async fn require_allowed(conn: &mut crate::ground::store::Conn<'_>, project: ProjectId) -> Result<()> {
    if isolation::is_allowed(conn, project).await? {
        return Ok(());
    }
    Err(Error::new(Code::IsolationNotAllowed, "This project does not allow isolation checks. Allow them first."))
}

/// A project's choice and its newest results, for its members.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn list(app: &App, by: &Member<impl Reads>, project: ProjectId) -> Result<(Option<Choice>, Vec<Run>)> {
    projects::of_organization(app, by.organization, project).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    Ok((isolation::choice(conn, project).await?, isolation::newest(conn, project, LISTED).await?))
}

/// A result of a project, for its members.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn find(app: &App, by: &Member<impl Reads>, project: ProjectId, id: Uuid) -> Result<Option<Run>> {
    projects::of_organization(app, by.organization, project).await?;
    isolation::find(&mut app.db.read().await?.conn(), project, id).await
}

/// Allows or forbids checks of a project.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn allow(app: &App, by: &Member<impl Works>, project: ProjectId, allowed: bool) -> Result<()> {
    let project = projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    isolation::allow(&mut tx.conn(), &by.actor(), project.id, &project.name, allowed).await?;
    tx.commit().await
}

/// Starts a check in the background. One that is already waiting or running is not started again.
///
/// # Errors
/// 404 for a project of another organization, 409 `ISOLATION_NOT_ALLOWED`.
pub async fn start(app: &App, by: &Member<impl Works>, project: ProjectId) -> Result<()> {
    let project = projects::of_organization(app, by.organization, project).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    require_allowed(conn, project.id).await?;
    let (kind, subject, queue, organization) = (JobKind::Isolation, project.id.0, project.id.0, project.organization);
    jobs::store::add(conn, &NewJob { kind, subject, organization, queue, due_at: Timestamp::now() }).await?;
    audit::record(conn, &by.actor(), started(&project)).await?;
    tx.commit().await
}

/// Measures the last checks of all projects. Each node tells the same.
pub const MEASURING: Periodic = Periodic {
    failure: "isolation checks could not be measured",
    every: Duration::from_secs(60),
    at_stop: false,
    run: |app| Box::pin(async move { measure(&app).await }),
};

async fn measure(app: &App) -> Result<()> {
    let found = isolation::overview(&mut app.db.read().await?.conn()).await?;
    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    let [projects, leaking, incomplete] = [found.projects, found.leaking, found.incomplete].map(|count| count as f64);
    metrics::gauge!("inlay_isolation_projects").set(projects);
    metrics::gauge!("inlay_isolation_leaking").set(leaking);
    metrics::gauge!("inlay_isolation_incomplete").set(incomplete);
    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    metrics::gauge!("inlay_isolation_last_success_seconds").set(Timestamp(found.oldest_pass).seconds() as f64);
    Ok(())
}
