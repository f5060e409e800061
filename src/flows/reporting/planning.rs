//! Making runs of what has fallen due. Each moment of a schedule has one run, whichever node makes it. A service that stood still for
//! days makes one run for all that it missed, late rather than never.

use crate::{
    concepts::reports::{self, StoredReport, cadence::Cadence, runs},
    ground::{
        error::Result,
        jobs::{self, Kind, NewJob},
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::ids::{ReportId, RunId};
use std::time::Duration;

/// How many reports are looked at at a time; the next look takes the next ones.
const AT_A_TIME: i64 = 200;

/// Makes runs of the reports that are due.
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

/// When a report runs next. What was a cadence when it was saved still is one, however often it may come by now.
pub(super) fn next(report: &StoredReport, after: Timestamp) -> Option<Timestamp> {
    let cadence = Cadence::read(&report.edit.cron, &report.edit.timezone, Duration::ZERO, after);
    cadence.ok()?.next(after)
}

/// Makes a run and the job that does it; none when that moment has one.
pub(super) async fn begin(conn: &mut Conn<'_>, report: ReportId, at: Timestamp, by_hand: bool) -> Result<Option<RunId>> {
    let made = runs::insert(conn, report, at, by_hand).await?;
    if let Some(run) = made {
        let job = NewJob { kind: Kind::Report, subject: run.0, due_at: Timestamp::now() };
        jobs::store::add(conn, &job).await?;
    }
    Ok(made)
}

/// The day that a moment is on (UTC).
pub(super) fn day(at: Timestamp) -> String {
    at.to_utc().date_naive().to_string()
}

/// Forgets what is too old to be of use.
pub(super) async fn tidy(app: &App) -> Result<()> {
    let now = Timestamp::now();
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    runs::forget(conn, now, now.minus(app.settings.reports.history())).await?;
    runs::forget_counts(conn, &day(now)).await?;
    tx.commit().await
}
