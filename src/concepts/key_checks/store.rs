//! Key checks in the store.

use super::{Check, Choice, Findings, Overview};
use crate::{
    ground::{
        error::Result,
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

row! {
    /// A project that allows key checks, or did so, with what the last one found.
    pub(crate) struct KeyCheckRow in "key_checks" {
        project_id: ProjectId,
        allowed: bool,
        allowed_at: Timestamp,
        planned_for: Timestamp,
        outcome: Option<String>,
        ended_at: Option<Timestamp>,
        complete_at: Option<Timestamp>,
        findings: Option<Json<Findings>>,
    }
}

/// A project's choice. `None` where nobody ever allowed checks.
pub async fn choice(conn: &mut Conn<'_>, project: ProjectId) -> Result<Option<Choice>> {
    const SQL: &str = sql!("SELECT ", columns!(KeyCheckRow), " FROM key_checks WHERE project_id = $1");
    let found = on!(conn, |c| sqlx::query_as::<_, KeyCheckRow>(SQL).bind(project).fetch_optional(c).await)?;
    Ok(found.map(|row| {
        let KeyCheckRow { allowed, allowed_at, ended_at, complete_at, findings, .. } = row;
        let last = ended_at.zip(findings).map(|(ended_at, findings)| Check { ended_at, findings: findings.0 });
        Choice { allowed, allowed_at, last, complete_at }
    }))
}

/// Whether a project allows checks.
pub async fn is_allowed(conn: &mut Conn<'_>, project: ProjectId) -> Result<bool> {
    Ok(choice(conn, project).await?.is_some_and(|choice| choice.allowed))
}

/// Allows or forbids checks of a project. Returns `false` when nothing changes.
pub async fn set_allowed(conn: &mut Conn<'_>, project: ProjectId, allowed: bool, now: Timestamp) -> Result<bool> {
    const ALLOW: &str = sql!(
        inserts!(KeyCheckRow),
        " ON CONFLICT (project_id) DO UPDATE SET allowed = TRUE, allowed_at = excluded.allowed_at, planned_for = 0, \
        outcome = NULL, ended_at = NULL, complete_at = NULL, findings = NULL WHERE key_checks.allowed = FALSE"
    );
    const FORBID: &str = "UPDATE key_checks SET allowed = FALSE WHERE project_id = $1 AND allowed = TRUE";
    let row = KeyCheckRow {
        project_id: project,
        allowed: true,
        allowed_at: now,
        planned_for: Timestamp(0),
        outcome: None,
        ended_at: None,
        complete_at: None,
        findings: None,
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
    const SQL: &str = "SELECT k.project_id, p.organization_id FROM key_checks k JOIN projects p ON p.id = k.project_id \
        WHERE k.allowed = TRUE AND k.planned_for < $1 ORDER BY k.planned_for LIMIT $2";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(night).bind(most).fetch_all(c).await)?)
}

/// Plans the check of this night. Returns `false` when another node has done so.
pub async fn take(conn: &mut Conn<'_>, project: ProjectId, night: Timestamp) -> Result<bool> {
    const SQL: &str = "UPDATE key_checks SET planned_for = $2 WHERE project_id = $1 AND allowed = TRUE AND planned_for < $2";
    let rows = on!(conn, |c| sqlx::query(SQL).bind(project).bind(night).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(rows == 1)
}

/// Stores the result of a check in place of the one before.
pub async fn record(conn: &mut Conn<'_>, project: ProjectId, check: &Check) -> Result<()> {
    const SQL: &str = "UPDATE key_checks SET outcome = $2, ended_at = $3, findings = $4, \
        complete_at = CASE WHEN $5 THEN $3 ELSE complete_at END WHERE project_id = $1";
    let Check { ended_at, findings } = check;
    on!(conn, |c| {
        let kept = sqlx::query(SQL).bind(project).bind(findings.outcome().name()).bind(*ended_at);
        kept.bind(Json(findings)).bind(findings.gaps == 0).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The last checks of all projects together.
pub async fn overview(conn: &mut Conn<'_>) -> Result<Overview> {
    const SQL: &str = "SELECT COUNT(*) AS projects, COUNT(CASE WHEN outcome = 'repeated' THEN 1 END) AS repeated, \
        COUNT(CASE WHEN outcome = 'incomplete' THEN 1 END) AS incomplete, \
        COALESCE(MIN(COALESCE(complete_at, allowed_at)), 0) AS oldest_complete FROM key_checks WHERE allowed = TRUE";
    Ok(on!(conn, |c| sqlx::query_as(SQL).fetch_one(c).await)?)
}
