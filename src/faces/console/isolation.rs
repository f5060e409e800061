//! Isolation checks of a project.

use super::{
    answer::{Page, Refused},
    submission::Submission,
    visit::Visit,
};
use crate::{
    concepts::{
        isolation::{Finding, Findings, Outcome, Run},
        organizations::members::Worker,
    },
    flows::isolation::{
        self, report,
        ways::{Way, says},
    },
    ground::error::Error,
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use inlay_console::{
    Section,
    pages::isolation::{self as views, CheckRow, Ended, FindingRow, Isolation, LastCheck, WayRow},
};
use uuid::Uuid;

/// `GET /console/projects/{project}/isolation`
pub async fn show(visit: Visit) -> Page {
    let project = visit.project()?;
    let (choice, runs) = isolation::list(visit.app(), &visit.member, project.id).await?;
    let page = Isolation {
        project: visit.at(""),
        name: project.name.clone(),
        allowed: choice.is_some_and(|choice| choice.allowed),
        hour: visit.app().settings.isolation.isolation_hour,
        passed_at: choice.and_then(|choice| choice.passed_at).map(|at| at.to_string()),
        last: runs.first().map(|run| last(&run.findings)),
        checks: runs.iter().map(check_row).collect(),
        may_change: visit.is::<Worker>(),
    };
    visit.page("Isolation checks", Section::Overview, || views::draw(&page)).await
}

fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn check_row(run: &Run) -> CheckRow {
    let ended = match run.outcome {
        Outcome::Passed => Ended::Passed,
        Outcome::Leaked => Ended::Leaked,
        Outcome::Incomplete => Ended::Incomplete,
    };
    let (leaks, gaps) = (whole(run.findings.leaks), whole(run.findings.gaps));
    CheckRow { id: run.id.to_string(), at: run.ended_at.to_string(), ended, leaks, gaps }
}

fn last(findings: &Findings) -> LastCheck {
    let row = |way: &&Way| {
        let tally = findings.ways.get(way.name())?;
        let counts = [tally.asked, tally.empty, tally.compared, tally.refused, tally.shared].map(whole);
        Some(WayRow { name: says(way.name()).to_owned(), counts })
    };
    let finding = |is_leak: bool| {
        move |found: &Finding| {
            let (way, place, what) = (says(&found.way).to_owned(), found.place.clone(), found.what.clone());
            FindingRow { is_leak, way, place, what }
        }
    };
    let tables = &findings.tables;
    LastCheck {
        tables: vec![
            ("No row", tables.ruled.clone()),
            ("Every row: no rule", tables.open.clone()),
            ("Perhaps some rows: not judged", tables.partly.clone()),
            ("Closed", tables.closed.clone()),
        ],
        ways: Way::ALL.iter().filter_map(|way| row(&way)).collect(),
        findings: findings.leaked.iter().map(finding(true)).chain(findings.missing.iter().map(finding(false))).collect(),
    }
}

/// `POST /console/projects/{project}/isolation`
pub async fn allow(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let allowed = typed.get("allowed") == "on";
    isolation::allow(visit.app(), &visit.member, visit.project()?.id, allowed).await?;
    let told = if allowed { "Isolation checks allowed." } else { "Isolation checks forbidden." };
    Ok(visit.done(&visit.at("isolation"), told))
}

/// `POST …/isolation/check`
pub async fn check(Submission { visit, .. }: Submission<Visit<Worker>>) -> Page {
    isolation::start(visit.app(), &visit.member, visit.project()?.id).await?;
    Ok(visit.done(&visit.at("isolation"), "The check has started. Reload the page to see its result."))
}

/// `GET …/isolation/{check}/download`
pub async fn download(visit: Visit) -> Result<Response, Refused> {
    let (project, id) = (visit.project()?, visit.person.id::<Uuid>("check")?);
    let run = isolation::find(visit.app(), &visit.member, project.id, id).await?;
    let signed = report::sign(visit.app(), project, &run.ok_or_else(|| Error::not_found("Check"))?)?;
    let headers = [
        (header::CONTENT_TYPE, "application/jose"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"isolation-report.jws\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, signed).into_response())
}
