//! Reports in the store.

use super::StoredReport;
use crate::{
    concepts::access::Grant,
    ground::{
        error::Result,
        mail::Address,
        store::{
            Conn,
            rows::{self, columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    ids::{ApiKeyId, ApplicationId, DashboardId, OrganizationId, ProjectId, ProjectUserId, ReportId},
    report::{ReportEdit, ReportState},
};
use serde::{Deserialize, Serialize};
use sqlx::types::Json;

/// An organization's rules for scheduled reports.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rules {
    /// The allowed domains of recipients. Any domain if the list is empty.
    pub recipient_domains: Vec<String>,
}

impl Rules {
    /// Whether mail may go to an address.
    pub fn allows(&self, address: &Address) -> bool {
        self.recipient_domains.is_empty() || self.recipient_domains.iter().any(|domain| domain == address.domain())
    }
}

/// An organization's rules. `None` when scheduled reports are off.
pub async fn rules(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Option<Rules>> {
    const SQL: &str = "SELECT reports FROM organizations WHERE id = $1";
    type Found = Option<Json<Rules>>;
    let found = on!(conn, |c| sqlx::query_scalar::<_, Found>(SQL).bind(organization).fetch_optional(c).await)?;
    Ok(found.flatten().map(|Json(rules)| rules))
}

/// Turns an organization's scheduled reports on or off.
pub async fn put_rules(conn: &mut Conn<'_>, organization: OrganizationId, rules: Option<&Rules>) -> Result<()> {
    const SQL: &str = "UPDATE organizations SET reports = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).bind(rules.map(Json)).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// A report.
    pub(crate) struct ReportRow in "reports" {
        id: ReportId,
        project_id: ProjectId,
        application_id: ApplicationId,
        dashboard_id: DashboardId,
        owner_id: ProjectUserId,
        name: String,
        content: Json<ReportEdit>,
        state: String,
        problem: Option<String>,
        raised: Option<bool>,
        key_id: Option<ApiKeyId>,
        authorized_at: Timestamp,
        next_at: Option<Timestamp>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

row! {
    struct ReportContent of ReportRow { id: ReportId, content: Json<ReportEdit> }
}

impl From<ReportRow> for StoredReport {
    fn from(row: ReportRow) -> Self {
        let grant = Grant { project: row.project_id, user: row.owner_id, key: row.key_id, at: row.authorized_at };
        Self {
            id: row.id,
            application: row.application_id,
            dashboard: row.dashboard_id,
            grant,
            edit: row.content.0,
            state: ReportState::named(&row.state),
            problem: row.problem,
            raised: row.raised,
            next_at: row.next_at,
        }
    }
}

const SELECT: &str = sql!("SELECT ", columns!(ReportRow), " FROM reports");

/// A report.
pub async fn find(conn: &mut Conn<'_>, id: ReportId) -> Result<Option<StoredReport>> {
    const SQL: &str = sql!(SELECT, " WHERE id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, ReportRow>(SQL).bind(id).fetch_optional(c).await)?.map(StoredReport::from))
}

/// A report, locked against other writers until this transaction ends.
pub async fn locked(conn: &mut Conn<'_>, id: ReportId) -> Result<Option<StoredReport>> {
    const SQL: &str = sql!("UPDATE reports SET updated_at = updated_at WHERE id = $1 RETURNING ", columns!(ReportRow));
    Ok(on!(conn, |c| sqlx::query_as::<_, ReportRow>(SQL).bind(id).fetch_optional(c).await)?.map(StoredReport::from))
}

/// A user's reports on a dashboard, oldest first.
pub async fn of_owner(conn: &mut Conn<'_>, owner: ProjectUserId, dashboard: DashboardId) -> Result<Vec<StoredReport>> {
    const SQL: &str = sql!(SELECT, " WHERE owner_id = $1 AND dashboard_id = $2 ORDER BY id");
    let rows = on!(conn, |c| sqlx::query_as::<_, ReportRow>(SQL).bind(owner).bind(dashboard).fetch_all(c).await)?;
    Ok(rows.into_iter().map(StoredReport::from).collect())
}

/// The organization of a report, and its owner.
pub async fn owned_by(conn: &mut Conn<'_>, id: ReportId) -> Result<(OrganizationId, ProjectUserId)> {
    const SQL: &str =
        "SELECT p.organization_id, r.owner_id FROM reports r JOIN projects p ON p.id = r.project_id WHERE r.id = $1";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(id).fetch_one(c).await)?)
}

/// How many reports a user has.
pub async fn count(conn: &mut Conn<'_>, owner: ProjectUserId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM reports WHERE owner_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(owner).fetch_one(c).await)?)
}

/// Active reports that are due, the longest waiting first.
pub async fn due(conn: &mut Conn<'_>, now: Timestamp, most: i64) -> Result<Vec<StoredReport>> {
    const SQL: &str = sql!(SELECT, " WHERE state = 'active' AND next_at <= $1 ORDER BY next_at LIMIT $2");
    let rows = on!(conn, |c| sqlx::query_as::<_, ReportRow>(SQL).bind(now).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(StoredReport::from).collect())
}

/// Inserts a report.
pub async fn insert(conn: &mut Conn<'_>, report: &StoredReport) -> Result<()> {
    let StoredReport { id, application, dashboard, grant, edit, state, problem, raised, next_at } = report;
    let now = Timestamp::now();
    let row = ReportRow {
        id: *id,
        project_id: grant.project,
        application_id: *application,
        dashboard_id: *dashboard,
        owner_id: grant.user,
        name: edit.name.clone(),
        content: Json(edit.clone()),
        state: state.name().to_owned(),
        problem: problem.clone(),
        raised: *raised,
        key_id: grant.key,
        authorized_at: grant.at,
        next_at: *next_at,
        created_at: now,
        updated_at: now,
    };
    Ok(rows::insert(conn, row).await?)
}

/// Updates a report.
pub async fn update(conn: &mut Conn<'_>, report: &StoredReport) -> Result<()> {
    const SQL: &str = "UPDATE reports SET name = $2, content = $3, state = $4, problem = $5, raised = $6, key_id = $7, \
        authorized_at = $8, next_at = $9, updated_at = $10 WHERE id = $1";
    let StoredReport { id, grant, edit, state, problem, raised, next_at, .. } = report;
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(&edit.name).bind(Json(edit)).bind(state.name()).bind(problem.as_deref());
        let update = update.bind(raised).bind(grant.key).bind(grant.at).bind(next_at).bind(Timestamp::now());
        update.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Moves a due report on to its next time. Returns `false` when another node did so first, or its owner has changed it.
pub async fn move_on(conn: &mut Conn<'_>, id: ReportId, due: Timestamp, next: Option<Timestamp>) -> Result<bool> {
    const SQL: &str = "UPDATE reports SET next_at = $3 WHERE id = $1 AND next_at = $2 AND state = 'active'";
    let done = on!(conn, |c| sqlx::query(SQL).bind(id).bind(due).bind(next).execute(c).await.map(|done| done.rows_affected()))?;
    Ok(done == 1)
}

/// Stores an alert's state.
pub async fn set_raised(conn: &mut Conn<'_>, id: ReportId, raised: bool) -> Result<()> {
    const SQL: &str = "UPDATE reports SET raised = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(raised).execute(c).await.map(drop))?;
    Ok(())
}

/// Stops a report and stores the reason.
pub async fn stop(conn: &mut Conn<'_>, id: ReportId, problem: &str) -> Result<()> {
    const SQL: &str = "UPDATE reports SET state = 'stopped', problem = $2, next_at = NULL WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(problem).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a report with its runs.
pub async fn delete(conn: &mut Conn<'_>, id: ReportId) -> Result<()> {
    const SQL: &str = "DELETE FROM reports WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Reports that are not paused, each with its last run that has ended: the rest of a query behind its columns.
const LAST_RUNS: &str = " FROM reports r LEFT JOIN report_runs n ON n.id = (SELECT l.id FROM report_runs l \
    WHERE l.report_id = r.id AND l.state <> 'waiting' ORDER BY l.due_at DESC LIMIT 1) \
    WHERE r.project_id = $1 AND r.state <> 'paused'";

/// How many active reports of a project ran without a failure the last time.
pub async fn ran_well(conn: &mut Conn<'_>, project: ProjectId) -> Result<i64> {
    const SQL: &str = sql!("SELECT COUNT(*)", LAST_RUNS, " AND r.state = 'active' AND n.state IN ('done', 'quiet')");
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(project).fetch_one(c).await)?)
}

/// The reports of a project that were stopped, or whose last run has failed, with when it did. Oldest first.
pub async fn failing(conn: &mut Conn<'_>, project: ProjectId, most: i64) -> Result<Vec<(ReportId, Option<Timestamp>)>> {
    const SQL: &str = sql!(
        "SELECT r.id, n.ended_at",
        LAST_RUNS,
        " AND (r.state = 'stopped' OR n.state = 'failed') \
            ORDER BY CASE WHEN r.state = 'stopped' THEN 1 ELSE 0 END, r.id LIMIT $2"
    );
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(project).bind(most).fetch_all(c).await)?)
}

/// The addresses that unsubscribed from a report.
pub async fn unsubscribed(conn: &mut Conn<'_>, id: ReportId) -> Result<Vec<String>> {
    const SQL: &str = "SELECT address FROM report_unsubscribed WHERE report_id = $1 ORDER BY address";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_all(c).await)?)
}

/// The settings of every report of a project, locked against other writers until this transaction ends.
pub async fn contents_of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(ReportId, ReportEdit)>> {
    const SQL: &str =
        sql!("UPDATE reports SET updated_at = updated_at WHERE project_id = $1 RETURNING ", columns!(ReportContent));
    let rows = on!(conn, |c| sqlx::query_as::<_, ReportContent>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.id, row.content.0)).collect())
}

/// Updates a report's settings without a new grant.
pub async fn set_content(conn: &mut Conn<'_>, id: ReportId, edit: &ReportEdit) -> Result<()> {
    const SQL: &str = "UPDATE reports SET content = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Json(edit)).execute(c).await.map(drop))?;
    Ok(())
}
