//! The migration in the store.

use super::{
    Counts,
    calls::{LastCall, V1Caller},
    tenants::{Left, ListedTenant},
};
use crate::{
    concepts::customers::properties::Properties,
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, RoleId},
    permissions::RolePermissions,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// The time of a caller's last v1 call.
    pub(crate) struct V1WriteRow in "v1_writes" {
        organization_id: OrganizationId,
        actor_kind: String,
        actor_id: Uuid,
        call: String,
        last_at: Timestamp,
    }
}

#[derive(FromRow)]
struct FoundCall {
    actor_kind: String,
    actor_name: Option<String>,
    call: String,
    last_at: Timestamp,
}

#[derive(FromRow)]
struct WithoutRole {
    editing_permissions: Json<RolePermissions>,
    tenants: i64,
}

#[derive(FromRow)]
struct FoundTenant {
    project_id: ProjectId,
    display_name: String,
    tenant_key: String,
    prefilters: Json<Properties>,
    customer_id: Option<CustomerId>,
    customer_name: Option<String>,
    user_id: Option<ProjectUserId>,
    user_name: Option<String>,
    role_id: Option<RoleId>,
    role_name: Option<String>,
    editing_permissions: Json<RolePermissions>,
    dashboards: i64,
}

impl From<FoundTenant> for ListedTenant {
    fn from(row: FoundTenant) -> Self {
        Self {
            project: row.project_id,
            name: row.display_name,
            key: row.tenant_key,
            prefilters: row.prefilters.0,
            customer: row.customer_id.zip(row.customer_name),
            user: row.user_id.zip(row.user_name),
            role: row.role_id.zip(row.role_name),
            permissions: row.editing_permissions.0,
            dashboards: row.dashboards,
        }
    }
}

/// The numbers of an organization's objects.
pub async fn counts(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Counts> {
    const SQL: [&str; 8] = [
        "SELECT COUNT(*) FROM tenants t JOIN projects p ON p.id = t.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM tenants t JOIN projects p ON p.id = t.project_id \
            LEFT JOIN project_users u ON u.id = t.project_user_id WHERE p.organization_id = $1 AND u.customer_id IS NULL",
        "SELECT COUNT(*) FROM customers c JOIN projects p ON p.id = c.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM project_users u JOIN projects p ON p.id = u.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            JOIN projects p ON p.id = a.project_id WHERE p.organization_id = $1",
        "SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            JOIN projects p ON p.id = a.project_id WHERE p.organization_id = $1 AND d.owner_id IS NULL AND d.tenant_id IS NOT NULL",
        "SELECT COUNT(*) FROM dashboards d JOIN applications a ON a.id = d.application_id \
            JOIN projects p ON p.id = a.project_id WHERE p.organization_id = $1 AND d.owner_id IS NOT NULL",
        "SELECT COUNT(*) FROM charts c JOIN projects p ON p.id = c.project_id WHERE p.organization_id = $1",
    ];
    let mut found = [0_i64; SQL.len()];
    for (sql, count) in SQL.iter().zip(&mut found) {
        *count = on!(conn, |c| sqlx::query_scalar(*sql).bind(organization).fetch_one(c).await)?;
    }
    let [tenants, unmapped_tenants, customers, project_users, dashboards, tenant_dashboards, user_dashboards, charts] = found;
    Ok(Counts { tenants, unmapped_tenants, customers, project_users, dashboards, tenant_dashboards, user_dashboards, charts })
}

/// Marks an organization's migration as finalized.
pub(super) async fn finalize(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<()> {
    const SQL: &str = "UPDATE organizations SET migration_finalized_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

// Once a tenant has a user, the user's role counts: hosts may change it.
macro_rules! of_tenants {
    ($select:literal, $rest:literal) => {
        concat!(
            $select,
            " FROM tenants t JOIN projects p ON p.id = t.project_id LEFT JOIN project_users u ON u.id = t.project_user_id \
            LEFT JOIN customers c ON c.id = u.customer_id \
            LEFT JOIN roles r ON r.id = CASE WHEN u.id IS NULL THEN t.role_id ELSE u.role_id END WHERE p.organization_id = $1 ",
            $rest
        )
    };
}

/// A page of an organization's tenants whose name or key contains a text, oldest first.
pub(super) async fn tenants(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    text: &str,
    left: Left,
    (after, most): (i64, i64),
) -> Result<Vec<ListedTenant>> {
    const SQL: &str = of_tenants!(
        "SELECT t.project_id, t.display_name, t.tenant_key, t.prefilters, c.id AS customer_id, c.name AS customer_name, \
        u.id AS user_id, u.name AS user_name, r.id AS role_id, r.name AS role_name, t.editing_permissions, \
        (SELECT COUNT(*) FROM dashboards d WHERE d.tenant_id = t.id OR d.owner_id = t.project_user_id) AS dashboards",
        "AND ($2 = '' OR LOWER(t.display_name) LIKE $2 OR LOWER(t.tenant_key) LIKE $2) \
        AND ($3 = 0 OR u.customer_id IS NULL) AND ($4 = 0 OR r.id IS NULL) ORDER BY t.created_at, t.id LIMIT $5 OFFSET $6"
    );
    let text = text.trim().to_lowercase().replace(['%', '_', '\\'], "");
    let pattern = if text.is_empty() { text } else { format!("%{text}%") };
    let (without_user, without_role) = (i64::from(left == Left::User), i64::from(left == Left::Role));
    let rows = on!(conn, |c| {
        let query = sqlx::query_as::<_, FoundTenant>(SQL).bind(organization).bind(&pattern).bind(without_user);
        query.bind(without_role).bind(most).bind(after).fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(ListedTenant::from).collect())
}

/// The permissions of tenants without a role, each set with the number of its tenants.
pub(super) async fn permissions_without_role(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
) -> Result<Vec<(RolePermissions, i64)>> {
    const SQL: &str =
        of_tenants!("SELECT t.editing_permissions, COUNT(*) AS tenants", "AND r.id IS NULL GROUP BY t.editing_permissions");
    let rows = on!(conn, |c| sqlx::query_as::<_, WithoutRole>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.editing_permissions.0, row.tenants)).collect())
}

/// Stores the time of a caller's last v1 call.
pub(super) async fn note_call(conn: &mut Conn<'_>, caller: &V1Caller, at: Timestamp) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(V1WriteRow),
        " ON CONFLICT (organization_id, actor_kind, actor_id, call) DO UPDATE SET last_at = excluded.last_at \
        WHERE v1_writes.last_at < excluded.last_at"
    );
    let row = V1WriteRow {
        organization_id: caller.organization,
        actor_kind: caller.kind.to_owned(),
        actor_id: caller.id,
        call: caller.call.to_owned(),
        last_at: at,
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// The last v1 calls, newest first.
pub(super) async fn last_calls(conn: &mut Conn<'_>, organization: OrganizationId, most: i64) -> Result<Vec<LastCall>> {
    const SQL: &str = "SELECT w.actor_kind, COALESCE((SELECT k.label FROM api_keys k WHERE k.id = w.actor_id), \
        (SELECT a.email FROM members m JOIN accounts a ON a.id = m.account_id WHERE m.id = w.actor_id)) AS actor_name, w.call, w.last_at \
        FROM v1_writes w WHERE w.organization_id = $1 ORDER BY w.last_at DESC, w.call LIMIT $2";
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundCall>(SQL).bind(organization).bind(most).fetch_all(c).await)?;
    let called = |FoundCall { actor_kind, actor_name, call, last_at }: FoundCall| LastCall {
        kind: actor_kind,
        name: actor_name,
        call,
        at: last_at,
    };
    Ok(rows.into_iter().map(called).collect())
}
