//! The store's part of deleting a project.

use super::{Held, Lately};
use crate::{
    ground::{
        error::Result,
        store::{Conn, version},
    },
    on,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use sqlx::FromRow;

#[derive(FromRow)]
struct DeletedProject {
    resource_id: ProjectId,
    name: String,
}

/// The number of objects in a project.
pub async fn held(conn: &mut Conn<'_>, id: ProjectId) -> Result<Held> {
    const SQL: &str = "SELECT \
        (SELECT COUNT(*) FROM connections WHERE project_id = $1) AS connections, \
        (SELECT COUNT(*) FROM catalog_tables t JOIN connections c ON c.id = t.connection_id WHERE c.project_id = $1) AS tables, \
        (SELECT COUNT(*) FROM roles WHERE project_id = $1) AS roles, \
        (SELECT COUNT(*) FROM charts WHERE project_id = $1) AS charts, \
        (SELECT COUNT(*) FROM applications WHERE project_id = $1) AS applications, \
        (SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            WHERE a.project_id = $1 AND d.owner_id IS NULL AND d.tenant_id IS NULL) AS dashboards, \
        (SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            WHERE a.project_id = $1 AND (d.owner_id IS NOT NULL OR d.tenant_id IS NOT NULL)) AS own_dashboards, \
        (SELECT COUNT(*) FROM workspaces WHERE project_id = $1) AS workspaces, \
        (SELECT COUNT(*) FROM chat_threads t JOIN workspaces w ON w.id = t.workspace_id WHERE w.project_id = $1) AS threads, \
        (SELECT COUNT(*) FROM reports WHERE project_id = $1) AS reports, \
        (SELECT COUNT(*) FROM customers WHERE project_id = $1) AS customers, \
        (SELECT COUNT(*) FROM project_users WHERE project_id = $1) AS users, \
        (SELECT COUNT(*) FROM tenants WHERE project_id = $1) AS tenants, \
        (SELECT COUNT(*) FROM webhooks WHERE project_id = $1) AS webhooks";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(id).fetch_one(c).await)?)
}

/// The usage of a project since a day.
pub async fn lately(conn: &mut Conn<'_>, id: ProjectId, first: &str) -> Result<Lately> {
    const SQL: &str = "SELECT \
        (SELECT CAST(COALESCE(SUM(events), 0) AS BIGINT) FROM usage_days WHERE project_id = $1 AND day >= $2 \
            AND kind = 'view' AND customer_id = $3) AS opened, \
        (SELECT COUNT(DISTINCT customer_id) FROM usage_days WHERE project_id = $1 AND day >= $2 \
            AND kind IN ('view', 'signIn') AND customer_id <> $3) AS customers, \
        (SELECT CAST(COALESCE(SUM(q.questions), 0) AS BIGINT) FROM chat_usage q JOIN project_users u ON u.id = q.user_id \
            WHERE u.project_id = $1 AND q.day >= $2) AS questions";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(id).bind(first).bind(uuid::Uuid::nil()).fetch_one(c).await)?)
}

/// Deletes a project and all rows that refer to it, in every table except the audit log. Runs in the transaction that writes
/// the audit event.
pub async fn delete(conn: &mut Conn<'_>, organization: OrganizationId, id: ProjectId) -> Result<()> {
    // Usage of evaluations still counts for the organization's days.
    const SPENT: &str = "INSERT INTO evaluation_usage (organization_id, day, input_tokens, output_tokens, cost) \
        SELECT $2, day, CAST(SUM(input_tokens) AS BIGINT), CAST(SUM(output_tokens) AS BIGINT), CAST(SUM(cost) AS BIGINT) FROM ( \
            SELECT q.day, q.input_tokens, q.output_tokens, q.cost FROM chat_usage q JOIN project_users u ON u.id = q.user_id \
                WHERE u.project_id = $1 UNION ALL \
            SELECT day, input_tokens, output_tokens, cost FROM project_evaluation_usage WHERE project_id = $1) AS used \
        WHERE TRUE GROUP BY day ON CONFLICT (organization_id, day) DO UPDATE SET \
        input_tokens = evaluation_usage.input_tokens + excluded.input_tokens, \
        output_tokens = evaluation_usage.output_tokens + excluded.output_tokens, cost = evaluation_usage.cost + excluded.cost";
    const EVALUATED: &str = "DELETE FROM project_evaluation_usage WHERE project_id = $1";
    const PROJECT: &str = "DELETE FROM projects WHERE id = $1";
    on!(conn, |c| sqlx::query(SPENT).bind(id).bind(organization).execute(c).await.map(drop))?;
    on!(conn, |c| sqlx::query(EVALUATED).bind(id).execute(c).await.map(drop))?;
    on!(conn, |c| sqlx::query(PROJECT).bind(id).execute(c).await.map(drop))?;
    forget_followers(conn).await?;
    version::bump(conn, &[organization.into()]).await.map(drop)
}

/// Deletes rows that refer to deleted objects by id without a foreign key. Runs after the deletion, which has waited for
/// concurrent writers of such rows.
async fn forget_followers(conn: &mut Conn<'_>) -> Result<()> {
    const FOLLOWERS: [&str; 10] = [
        "DELETE FROM jobs WHERE kind = 'report' AND NOT EXISTS (SELECT 1 FROM report_runs r WHERE r.id = jobs.subject_id)",
        "DELETE FROM jobs WHERE kind = 'webhook' AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.id = jobs.subject_id)",
        "DELETE FROM jobs WHERE kind = 'evaluation' \
            AND NOT EXISTS (SELECT 1 FROM workspace_evaluations e WHERE e.id = jobs.subject_id)",
        "DELETE FROM jobs WHERE kind IN ('isolation', 'keys') AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = jobs.subject_id)",
        "DELETE FROM jobs WHERE kind = 'verified' AND NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = jobs.subject_id)",
        "DELETE FROM job_queues WHERE kind = 'webhook' AND NOT EXISTS (SELECT 1 FROM webhooks w WHERE w.id = job_queues.queue_id)",
        "DELETE FROM revocations WHERE subject_kind = 'project' \
            AND NOT EXISTS (SELECT 1 FROM projects p WHERE p.id = revocations.subject_id)",
        "DELETE FROM revocations WHERE subject_kind = 'customer' \
            AND NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = revocations.subject_id)",
        "DELETE FROM revocations WHERE subject_kind = 'user' \
            AND NOT EXISTS (SELECT 1 FROM project_users u WHERE u.id = revocations.subject_id) \
            AND NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = revocations.subject_id)",
        "DELETE FROM revocations WHERE subject_kind = 'tenant' \
            AND NOT EXISTS (SELECT 1 FROM tenants t WHERE t.id = revocations.subject_id)",
    ];
    for sql in FOLLOWERS {
        on!(&mut *conn, |c| sqlx::query(sql).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// An organization's deleted projects and their names, newest deletion first.
pub async fn all_deleted(conn: &mut Conn<'_>, organization: OrganizationId, most: i64) -> Result<Vec<(ProjectId, String)>> {
    const SQL: &str = "SELECT resource_id, COALESCE(resource_name, '') AS name FROM audit_events \
        WHERE organization_id = $1 AND action = 'project.deleted' ORDER BY at DESC LIMIT $2";
    let rows = on!(conn, |c| sqlx::query_as::<_, DeletedProject>(SQL).bind(organization).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.resource_id, row.name)).collect())
}

/// The name of a project that an organization has deleted. `None` if the audit log has no such deletion.
pub async fn deleted(conn: &mut Conn<'_>, organization: OrganizationId, id: ProjectId) -> Result<Option<String>> {
    const SQL: &str = "SELECT resource_name FROM audit_events \
        WHERE organization_id = $1 AND resource_id = $2 AND action = 'project.deleted'";
    let found: Option<Option<String>> =
        on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).bind(id).fetch_optional(c).await)?;
    Ok(found.map(Option::unwrap_or_default))
}
