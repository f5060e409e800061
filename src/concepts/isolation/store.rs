//! Isolation checks in the store.

mod tidy;

pub use tidy::TIDY;

use super::{Choice, Findings, Overview, Run};
use crate::{
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use sqlx::types::Json;
use uuid::Uuid;

row! {
    /// A project that allows isolation checks, or did so.
    pub(crate) struct IsolationProjectRow in "isolation_projects" {
        project_id: ProjectId,
        allowed: bool,
        allowed_at: Timestamp,
        planned_for: Timestamp,
        outcome: Option<String>,
        ended_at: Option<Timestamp>,
        passed_at: Option<Timestamp>,
    }
}

row! {
    /// A check that has ended.
    pub(crate) struct IsolationRunRow in "isolation_runs" {
        id: Uuid,
        project_id: ProjectId,
        began_at: Timestamp,
        ended_at: Timestamp,
        outcome: String,
        findings: Json<Findings>,
    }
}

impl TryFrom<IsolationRunRow> for Run {
    type Error = Error;

    fn try_from(row: IsolationRunRow) -> Result<Self> {
        let IsolationRunRow { id, project_id, began_at, ended_at, outcome, findings } = row;
        let outcome = outcome.parse().map_err(Error::internal)?;
        Ok(Self { id, project: project_id, began_at, ended_at, outcome, findings: findings.0 })
    }
}

/// A project's choice. `None` where nobody ever allowed checks.
pub async fn choice(conn: &mut Conn<'_>, project: ProjectId) -> Result<Option<Choice>> {
    const SQL: &str = sql!("SELECT ", columns!(IsolationProjectRow), " FROM isolation_projects WHERE project_id = $1");
    let found = on!(conn, |c| sqlx::query_as::<_, IsolationProjectRow>(SQL).bind(project).fetch_optional(c).await)?;
    let Some(row) = found else { return Ok(None) };
    let outcome = row.outcome.map(|outcome| outcome.parse().map_err(Error::internal)).transpose()?;
    Ok(Some(Choice { allowed: row.allowed, allowed_at: row.allowed_at, outcome, passed_at: row.passed_at }))
}

/// Whether a project allows checks.
pub async fn is_allowed(conn: &mut Conn<'_>, project: ProjectId) -> Result<bool> {
    Ok(choice(conn, project).await?.is_some_and(|choice| choice.allowed))
}

/// Allows or forbids checks of a project. Returns `false` when nothing changes.
pub async fn set_allowed(conn: &mut Conn<'_>, project: ProjectId, allowed: bool, now: Timestamp) -> Result<bool> {
    const ALLOW: &str = sql!(
        inserts!(IsolationProjectRow),
        " ON CONFLICT (project_id) DO UPDATE SET allowed = TRUE, allowed_at = excluded.allowed_at, \
        planned_for = 0, outcome = NULL, ended_at = NULL, passed_at = NULL WHERE isolation_projects.allowed = FALSE"
    );
    const FORBID: &str = "UPDATE isolation_projects SET allowed = FALSE WHERE project_id = $1 AND allowed = TRUE";
    let row = IsolationProjectRow {
        project_id: project,
        allowed: true,
        allowed_at: now,
        planned_for: Timestamp(0),
        outcome: None,
        ended_at: None,
        passed_at: None,
    };
    let changed = if allowed {
        on!(conn, |c| rows::query(ALLOW, row).execute(c).await.map(|done| done.rows_affected()))?
    } else {
        on!(conn, |c| sqlx::query(FORBID).bind(project).execute(c).await.map(|done| done.rows_affected()))?
    };
    Ok(changed == 1)
}

/// The projects whose check of this night is not planned yet, at most so many.
pub async fn due(conn: &mut Conn<'_>, night: Timestamp, most: i64) -> Result<Vec<(ProjectId, OrganizationId)>> {
    const SQL: &str = "SELECT i.project_id, p.organization_id FROM isolation_projects i JOIN projects p ON p.id = i.project_id \
        WHERE i.allowed = TRUE AND i.planned_for < $1 ORDER BY i.planned_for LIMIT $2";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(night).bind(most).fetch_all(c).await)?)
}

/// Plans the check of this night. Returns `false` when another node has done so.
pub async fn take(conn: &mut Conn<'_>, project: ProjectId, night: Timestamp) -> Result<bool> {
    const SQL: &str =
        "UPDATE isolation_projects SET planned_for = $2 WHERE project_id = $1 AND allowed = TRUE AND planned_for < $2";
    let rows = on!(conn, |c| sqlx::query(SQL).bind(project).bind(night).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Stores the result of a check.
pub async fn record(conn: &mut Conn<'_>, run: &Run) -> Result<()> {
    const LAST: &str = "UPDATE isolation_projects SET outcome = $2, ended_at = $3, \
        passed_at = CASE WHEN $2 = 'passed' THEN $3 ELSE passed_at END WHERE project_id = $1";
    let row = IsolationRunRow {
        id: run.id,
        project_id: run.project,
        began_at: run.began_at,
        ended_at: run.ended_at,
        outcome: run.outcome.name().to_owned(),
        findings: Json(run.findings.clone()),
    };
    rows::insert(&mut *conn, row).await?;
    on!(conn, |c| {
        let last = sqlx::query(LAST).bind(run.project).bind(run.outcome.name()).bind(run.ended_at);
        last.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The newest results of a project, newest first.
pub async fn newest(conn: &mut Conn<'_>, project: ProjectId, most: i64) -> Result<Vec<Run>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(IsolationRunRow),
        " FROM isolation_runs WHERE project_id = $1 ORDER BY ended_at DESC, id DESC LIMIT $2"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, IsolationRunRow>(SQL).bind(project).bind(most).fetch_all(c).await)?;
    rows.into_iter().map(Run::try_from).collect()
}

/// A result of a project.
pub async fn find(conn: &mut Conn<'_>, project: ProjectId, id: Uuid) -> Result<Option<Run>> {
    const SQL: &str = sql!("SELECT ", columns!(IsolationRunRow), " FROM isolation_runs WHERE id = $1 AND project_id = $2");
    let row = on!(conn, |c| sqlx::query_as::<_, IsolationRunRow>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    row.map(Run::try_from).transpose()
}

/// The last checks of all projects together.
pub async fn overview(conn: &mut Conn<'_>) -> Result<Overview> {
    const SQL: &str = "SELECT COUNT(*) AS projects, COUNT(CASE WHEN outcome = 'leaked' THEN 1 END) AS leaking, \
        COUNT(CASE WHEN outcome = 'incomplete' THEN 1 END) AS incomplete, \
        COALESCE(MIN(COALESCE(passed_at, allowed_at)), 0) AS oldest_pass FROM isolation_projects WHERE allowed = TRUE";
    Ok(on!(conn, |c| sqlx::query_as(SQL).fetch_one(c).await)?)
}
