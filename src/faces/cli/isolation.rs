//! `inlay isolation`

use super::{Failure, output::Output};
use crate::{
    concepts::{
        isolation::{self, Outcome, Run},
        projects::{self, Project},
    },
    faces::server,
    flows::isolation::{
        check_now,
        report::{self, Report},
        ways::says,
    },
    ground::{audit::Actor, config::Settings, state::App},
};
use clap::{Args, Subcommand};
use inlay_contract::ids::OrganizationId;
use serde_json::{Value, json};
use std::{fmt::Write, fs, path::PathBuf, sync::Arc};
use uuid::Uuid;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Allow checks of a project, each night and by this command
    Allow(Place),
    /// Forbid checks of a project
    Forbid(Place),
    /// Check a project now. Fails when a made-up customer saw rows, and when something could not be asked
    Check(Place),
    /// Print the signed report of a check
    Report(ReportArguments),
    /// Verify a signed report
    Verify(VerifyArguments),
}

#[derive(Args, Debug)]
pub(super) struct Place {
    /// The organization's id
    #[arg(long)]
    organization: OrganizationId,
    /// The project's name
    #[arg(long)]
    project: String,
}

#[derive(Args, Debug)]
pub(super) struct ReportArguments {
    #[command(flatten)]
    place: Place,
    /// The check's id [default: the newest]
    #[arg(long)]
    check: Option<Uuid>,
}

#[derive(Args, Debug)]
pub(super) struct VerifyArguments {
    /// The report
    file: PathBuf,
    /// The published keys, as `/.well-known/jwks.json` answered them [default: those of this installation's store]
    #[arg(long)]
    jwks: Option<PathBuf>,
}

pub async fn run(settings: Settings, command: Command, output: Output) -> Result<(), Failure> {
    match command {
        Command::Allow(place) => allow(settings, &place, true, output).await,
        Command::Forbid(place) => allow(settings, &place, false, output).await,
        Command::Check(place) => check(settings, &place, output).await,
        Command::Report(arguments) => write_report(settings, &arguments, output).await,
        Command::Verify(arguments) => verify(settings, &arguments, output).await,
    }
}

async fn find(app: &App, place: &Place) -> Result<Arc<Project>, Failure> {
    let id = projects::find_by_name(&mut app.db.read().await?.conn(), place.organization, &place.project).await?;
    let project = projects::by_id(app, id.ok_or("the organization has no project with this name")?).await?;
    Ok(project.ok_or("the organization has no project with this name")?)
}

async fn allow(settings: Settings, place: &Place, allowed: bool, output: Output) -> Result<(), Failure> {
    let app = server::prepare(settings).await?;
    let project = find(&app, place).await?;
    let mut tx = app.db.write().await?;
    let actor = Actor::operator(place.organization);
    isolation::allow(&mut tx.conn(), &actor, project.id, &project.name, allowed).await?;
    tx.commit().await?;
    let word = if allowed { "allowed" } else { "forbidden" };
    output.print(&json!({ "projectId": project.id, "allowed": allowed }), || format!("Isolation checks are {word}."))
}

async fn check(settings: Settings, place: &Place, output: Output) -> Result<(), Failure> {
    let app = server::prepare(settings).await?;
    let project = find(&app, place).await?;
    let run = check_now(&app, &Actor::operator(place.organization), project).await?;
    output.print(&answer(&run), || told(&run))?;
    match run.outcome {
        Outcome::Passed => Ok(()),
        Outcome::Leaked => Err("a made-up customer saw rows; see docs/operating/isolation.md".into()),
        Outcome::Incomplete => Err("not every way to data could be checked".into()),
    }
}

async fn write_report(settings: Settings, arguments: &ReportArguments, output: Output) -> Result<(), Failure> {
    let app = server::prepare(settings).await?;
    let project = find(&app, &arguments.place).await?;
    let found = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        match arguments.check {
            Some(id) => isolation::find(conn, project.id, id).await?,
            None => isolation::newest(conn, project.id, 1).await?.into_iter().next(),
        }
    };
    let run = found.ok_or("the project has no such check; run `inlay isolation check` first")?;
    let signed = report::sign(&app, &project, &run)?;
    output.print(&json!({ "checkId": run.id, "report": signed }), || signed.clone())
}

async fn verify(settings: Settings, arguments: &VerifyArguments, output: Output) -> Result<(), Failure> {
    let read = |path: &PathBuf| fs::read_to_string(path).map_err(|fault| format!("{}: {fault}", path.display()));
    let text = read(&arguments.file)?;
    let keys: Value = match &arguments.jwks {
        Some(path) => serde_json::from_str(&read(path)?).map_err(|fault| format!("{}: {fault}", path.display()))?,
        None => report::published_keys(&server::prepare(settings).await?),
    };
    let report = report::verify(&text, &keys)?;
    output.print(&report, || summary(&report))
}

fn summary(report: &Report) -> String {
    let Report { iss, project, check_id, ended_at, outcome, .. } = report;
    format!("The signature is valid.\n{iss}, project {project}, check {check_id} of {ended_at}: {outcome}")
}

fn answer(run: &Run) -> Value {
    json!({
        "checkId": run.id, "outcome": run.outcome, "beganAt": run.began_at, "endedAt": run.ended_at, "findings": run.findings,
    })
}

fn told(run: &Run) -> String {
    let findings = &run.findings;
    let mut text = format!("{}: {} leaks, {} gaps", run.outcome.name(), findings.leaks, findings.gaps);
    for (way, tally) in &findings.ways {
        let _ = write!(text, "\n{}: {} asked, {} empty, {} compared, ", says(way), tally.asked, tally.empty, tally.compared);
        let _ = write!(text, "{} refused, {} visible to everybody", tally.refused, tally.shared);
    }
    for (kind, list) in [("leak", &findings.leaked), ("gap", &findings.missing)] {
        for found in list {
            let _ = write!(text, "\n{kind}: {}, {}: {}", says(&found.way), found.place, found.what);
        }
    }
    text
}
