//! What runs for users: charts, reports and alerts, webhooks, and the language model.

use super::{
    Health, Level, Look, Moment, Place,
    words::{count, one_or_several},
};
use crate::{
    concepts::{
        dashboards::{self, Owner},
        language_models::{
            self, Choice,
            manage::{self as models, ModelOwner},
        },
        organizations::members::Reads,
        reports::{self, StoredReport},
        usage::manage::{self as usage, FailingChart, Lately, ModelAnswers},
        webhooks::manage::{self as webhooks_of, Standing},
    },
    ground::{error::Result, time::Timestamp},
};
use inlay_contract::report::ReportState;

/// A chart with this many failures and nothing else does not work. Fewer may be one user's.
const NEVER_ANSWERS: i64 = 3;

/// How many reports are listed.
const MOST_REPORTS: i64 = 10;

/// The charts that users asked for since yesterday.
pub(super) async fn charts<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    let lately = usage::lately(&mut look.app.db.read().await?.conn(), look.project.id, look.now).await?;
    Ok(fared(&lately))
}

pub(super) fn fared(Lately { shown, failing }: &Lately) -> Health {
    let mut health = Health::default();
    let (never, sometimes): (Vec<&FailingChart>, Vec<&FailingChart>) =
        failing.iter().partition(|chart| chart.failures >= chart.ran.max(NEVER_ANSWERS));
    let called = |charts: &[&FailingChart]| -> Vec<String> { charts.iter().map(|chart| chart.name.clone()).collect() };
    let last = |charts: &[&FailingChart]| -> Option<Moment> {
        charts.iter().map(|chart| chart.failed_at).max().map(|at| ("Last failed", at))
    };
    if let Some(first) = never.first() {
        let (failures, several) = (first.failures, never.len());
        let text = one_or_several(
            &called(&never),
            |name| format!("Chart {name} does not work: all {failures} of its queries since yesterday (UTC) failed."),
            |all| format!("{several} charts do not work: all of their queries since yesterday (UTC) failed. They are {all}."),
        );
        health.find(Level::Broken, text, last(&never), Place::Usage);
    }
    if let Some(FailingChart { ran, failures, .. }) = sometimes.first() {
        let several = sometimes.len();
        let text = one_or_several(
            &called(&sometimes),
            |name| format!("Chart {name} failed: {failures} of {ran} queries since yesterday (UTC)."),
            |all| format!("{several} charts failed at times since yesterday (UTC): {all}."),
        );
        health.find(Level::Warning, text, last(&sometimes), Place::Usage);
    }
    let answered = usize::try_from(*shown).unwrap_or_default().saturating_sub(failing.len());
    if answered > 0 {
        health.fine(format!("{} answered since yesterday (UTC)", count(answered, "chart")), None);
    }
    health
}

/// The last runs of reports and alerts that are not paused.
pub(super) async fn reports<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    let mut lease = look.app.db.read().await?;
    let conn = &mut lease.conn();
    let project = look.project.id;
    let well = reports::ran_well(conn, project).await?;
    let failing = reports::failing(conn, project, MOST_REPORTS + 1).await?;
    let mut health = Health::default();
    for (at, (id, failed_at)) in (0..).zip(&failing) {
        let Some(report) = reports::find(conn, *id).await? else { continue };
        let (level, text) = failed(&report);
        if at < MOST_REPORTS {
            let moment = failed_at.map(|at: Timestamp| ("Last run", at));
            health.find(level, text, moment, Place::User(report.grant.user));
            let dashboard = dashboards::find(conn, report.dashboard).await?;
            let shared = dashboard.filter(|dashboard| dashboard.owner == Owner::Shared);
            health.shown_also_at(shared.map(|dashboard| Place::Dashboard(dashboard.application, dashboard.id)));
        } else {
            // Those that failed come before those that were stopped.
            health.find(level, "More reports and alerts failed or were stopped.", None, Place::Customers);
        }
    }
    if well > 0 {
        let none = if failing.is_empty() { ", none failed" } else { "" };
        health.fine(format!("Reports and alerts: {well} ran{none}"), None);
    }
    Ok(health)
}

/// What is told about a report that was stopped, or whose last run has failed.
fn failed(report: &StoredReport) -> (Level, String) {
    let what = if report.edit.condition.is_some() { "Alert" } else { "Report" };
    let name = &report.edit.name;
    match (report.state, &report.problem) {
        (ReportState::Stopped, Some(why)) => (Level::Warning, format!("{what} {name} was stopped. {why}")),
        (ReportState::Stopped, None) => (Level::Warning, format!("{what} {name} was stopped.")),
        _ => (Level::Broken, format!("{what} {name} failed at its last run.")),
    }
}

/// The active webhooks.
pub(super) async fn webhooks<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    Ok(delivered(&webhooks_of::standing(look.app, look.project.id).await?))
}

pub(super) fn delivered(all: &[Standing]) -> Health {
    let mut health = Health::default();
    for Standing { host, rests } in all {
        let Some((failures, until)) = rests else { continue };
        let text = format!("The webhook at {host} rejects deliveries: the last {failures} attempts failed.");
        health.find(Level::Broken, text, (until.0 > 0).then_some(("Next attempt", *until)), Place::Webhooks);
        health.shown_also_at(Some(Place::WebhookChanges));
    }
    let accepting = all.iter().filter(|one| one.rests.is_none()).count();
    if accepting > 0 {
        health.fine(format!("{} without repeated failures", count(accepting, "webhook")), None);
    }
    health
}

/// The language model: its budget, and its answers since yesterday. The budgets of single users and customers do not count.
pub(super) async fn language_model<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    let (app, project) = (look.app, look.project.id);
    let Choice { model, spent } = language_models::choose_for_organization(app, look.by.organization, project).await?;
    let mut health = Health::default();
    if model.is_none() && !spent {
        return Ok(health);
    }
    let own = models::find(app, look.by, ModelOwner::Project(project)).await?;
    let place = if own.is_some() { Place::ProjectsModel } else { Place::OrganizationsModel };
    if spent {
        let text = "The language model's budget for today is used up. The built-in analyst answers until 00:00 UTC.";
        health.find(Level::Warning, text, None, place);
    } else {
        health.fine("Language model: today's budget is not used up", None);
    }
    let lately = usage::answers_of_models(&mut app.db.read().await?.conn(), project, look.now).await?;
    health.add(answered(&lately, place));
    Ok(health)
}

pub(super) fn answered(&ModelAnswers { answers, failures, failed_at }: &ModelAnswers, place: Place) -> Health {
    let mut health = Health::default();
    let Some(at) = failed_at else {
        if failures == 0 && answers > 0 {
            let all = count(usize::try_from(answers).unwrap_or_default(), "answer");
            health.fine(format!("{all} of the language model since yesterday (UTC), none failed"), None);
        }
        return health;
    };
    let (level, text) = if failures >= answers.max(NEVER_ANSWERS) {
        let told = format!("The language model does not answer: all {failures} of its answers since yesterday (UTC) failed.");
        (Level::Broken, format!("{told} The built-in analyst answers while it cannot be reached."))
    } else {
        (Level::Warning, format!("The language model failed for {failures} of {answers} answers since yesterday (UTC)."))
    };
    health.find(level, text, Some(("Last failed", at)), place);
    health
}
