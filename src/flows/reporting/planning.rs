//! Creates runs for reports that are due. Each scheduled time has one run, whichever node creates it. After days of downtime, a
//! report has one late run for everything that it missed.

use crate::{
    concepts::reports::{self, StoredReport, cadence::Cadence, runs},
    ground::{
        error::Result,
        jobs::{self, JobKind, NewJob},
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::ids::{ReportId, RunId};
use std::time::Duration;

/// How many reports are read at a time. The next round reads the next ones.
const AT_A_TIME: i64 = 200;

/// Creates runs of the reports that are due.
pub(super) async fn plan(app: &App) -> Result<()> {
    let now = Timestamp::now();
    let due = reports::due(&mut app.db.read().await?.conn(), now, AT_A_TIME).await?;
    for report in due {
        let Some(at) = report.next_at else { continue };
        let mut tx = app.db.write().await?;
        let conn = &mut tx.conn();
        if reports::move_on(conn, report.id, at, next(&report, now)).await? {
            begin(conn, report.id, at, false).await?;
        }
        tx.commit().await?;
    }
    Ok(())
}

/// When a report runs next. A saved schedule stays valid, even if it runs more often than is allowed now.
pub(super) fn next(report: &StoredReport, after: Timestamp) -> Option<Timestamp> {
    let cadence = Cadence::read(&report.edit.cron, &report.edit.timezone, Duration::ZERO, after);
    cadence.ok()?.next(after)
}

/// Creates a run and its job. `None` when this scheduled time already has a run.
pub(super) async fn begin(conn: &mut Conn<'_>, report: ReportId, at: Timestamp, by_hand: bool) -> Result<Option<RunId>> {
    let made = runs::insert(conn, report, at, by_hand).await?;
    if let Some(run) = made {
        let (organization, owner) = reports::owned_by(conn, report).await?;
        let (subject, queue) = (run.0, owner.0);
        let job = NewJob { kind: JobKind::Report, subject, organization, queue, due_at: Timestamp::now() };
        jobs::store::add(conn, &job).await?;
    }
    Ok(made)
}

/// The day of a time (UTC).
pub(super) fn day(at: Timestamp) -> String {
    at.to_utc().date_naive().to_string()
}
