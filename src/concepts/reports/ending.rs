//! The end of a run: the results of its mails, the state of its alert, and the webhook message.

use super::{
    StoredReport,
    runs::{self, StoredRun},
    store,
};
use crate::{
    concepts::{
        reports::alert,
        webhooks::{self, EventKind},
    },
    ground::{error::Result, store::Conn},
};
use inlay_contract::report::RunState;
use serde_json::json;

/// Ends a run. Waiting mails fail with the `problem`. The run is done if one of its mails was sent; otherwise it ends as
/// `without_mail` says.
///
/// An alert keeps its new state unless all its mails failed: then the next check sends them again.
pub async fn conclude(conn: &mut Conn<'_>, run: &StoredRun, without_mail: RunState, problem: Option<&str>) -> Result<()> {
    // Read again: another run of the alert may have ended in the meantime.
    let Some(report) = store::find(conn, run.report).await? else { return Ok(()) };
    if let Some(problem) = problem {
        runs::store::fail_waiting(conn, run.id, problem).await?;
    }
    let mails = runs::store::deliveries(conn, run.id).await?;
    let sent = mails.iter().filter(|mail| mail.sent == Some(true)).count();
    let failed = mails.len() - sent;
    let state = if sent > 0 { RunState::Done } else { without_mail };
    let told = problem.map(str::to_owned);
    let told = told.or_else(|| (failed > 0).then(|| format!("{failed} of {} mails were not sent.", mails.len())));
    if !runs::store::end(conn, run.id, state, told.as_deref()).await? {
        return Ok(());
    }
    let before = report.raised;
    if let Some(raised) = run.raised
        && state != RunState::Failed
    {
        store::set_raised(conn, report.id, raised).await?;
    }
    match run.raised {
        Some(raised) if alert::tells(before, raised) => emit(conn, &report, run, EventKind::AlertChanged, (sent, failed)).await,
        None if sent > 0 => emit(conn, &report, run, EventKind::ReportSent, (sent, failed)).await,
        _ => Ok(()),
    }
}

async fn emit(
    conn: &mut Conn<'_>,
    report: &StoredReport,
    run: &StoredRun,
    kind: EventKind,
    (sent, failed): (usize, usize),
) -> Result<()> {
    let mut data = json!({
        "reportId": report.id,
        "runId": run.id,
        "name": report.edit.name,
        "dashboardId": report.dashboard,
        "applicationId": report.application,
        "projectUserId": report.grant.user,
        "sent": sent,
        "failed": failed,
    });
    if let Some(raised) = run.raised {
        data["raised"] = json!(raised);
    }
    webhooks::emit(conn, report.grant.project, kind, data).await
}
