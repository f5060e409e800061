//! Tenants in the store.

use super::{
    Tenant,
    twins::{RoleInUse, WithoutRole},
};
use crate::{
    concepts::{customers::properties::Properties, projects},
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
use inlay_contract::{
    ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, RoleId, TenantId},
    permissions::RolePermissions,
};
use serde_json::{Map, Value};
use sqlx::{FromRow, types::Json};

row! {
    /// A tenant of v1.
    pub(crate) struct TenantRow in "tenants" {
        id: TenantId,
        project_id: ProjectId,
        tenant_key: String,
        display_name: String,
        prefilters: Json<Properties>,
        editing_permissions: Json<RolePermissions>,
        custom_metadata: Json<Map<String, Value>>,
        project_user_id: Option<ProjectUserId>,
        role_id: Option<RoleId>,
        role_kept: bool,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

#[derive(FromRow)]
struct FoundTenant {
    #[sqlx(flatten)]
    row: TenantRow,
    customer_id: Option<CustomerId>,
}

impl From<FoundTenant> for Tenant {
    fn from(FoundTenant { row, customer_id }: FoundTenant) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            key: row.tenant_key,
            name: row.display_name,
            prefilters: row.prefilters.0,
            permissions: row.editing_permissions.0,
            metadata: row.custom_metadata.0,
            user: row.project_user_id.zip(customer_id),
            role: row.role_id,
            role_kept: row.role_kept,
        }
    }
}

/// Tenants of a project that were registered with the same permissions, as one row.
#[derive(FromRow)]
struct FoundSet {
    project_id: ProjectId,
    editing_permissions: Json<RolePermissions>,
    role_id: RoleId,
    role_permissions: Json<RolePermissions>,
}

impl From<FoundSet> for RoleInUse {
    fn from(row: FoundSet) -> Self {
        Self {
            project: row.project_id,
            tenants: row.editing_permissions.0.in_v1(),
            role: row.role_id,
            grants: row.role_permissions.0.resolve(),
        }
    }
}

/// A tenant without a role.
#[derive(FromRow)]
struct FoundWithoutRole {
    id: TenantId,
    project_id: ProjectId,
    editing_permissions: Json<RolePermissions>,
}

const SELECT: &str = sql!(
    "SELECT ",
    columns!(TenantRow as t),
    ", u.customer_id FROM tenants t LEFT JOIN project_users u ON u.id = t.project_user_id"
);

/// A tenant by its id.
pub(super) async fn find(conn: &mut Conn<'_>, id: TenantId) -> Result<Option<Tenant>> {
    const SQL: &str = sql!(SELECT, " WHERE t.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundTenant>(SQL).bind(id).fetch_optional(c).await)?.map(Tenant::from))
}

/// A tenant of a project by its key.
pub async fn find_by_key(conn: &mut Conn<'_>, project: ProjectId, key: &str) -> Result<Option<Tenant>> {
    const SQL: &str = sql!(SELECT, " WHERE t.project_id = $1 AND t.tenant_key = $2");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundTenant>(SQL).bind(project).bind(key).fetch_optional(c).await)?.map(Tenant::from))
}

/// The tenants of a project, oldest first.
pub async fn of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Tenant>> {
    const SQL: &str = sql!(SELECT, " WHERE t.project_id = $1 ORDER BY t.created_at, t.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundTenant>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Tenant::from).collect())
}

/// The tenants of an organization without a project user, oldest first.
pub async fn unmapped(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Tenant>> {
    const SQL: &str = sql!(
        SELECT,
        " JOIN projects p ON p.id = t.project_id WHERE p.organization_id = $1 AND u.customer_id IS NULL ORDER BY t.created_at, t.id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundTenant>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Tenant::from).collect())
}

/// Creates a tenant unless the project has one with the same key. Returns whether it was created.
pub async fn insert(conn: &mut Conn<'_>, tenant: &Tenant) -> Result<bool> {
    const SQL: &str = sql!(inserts!(TenantRow), " ON CONFLICT (project_id, tenant_key) DO NOTHING");
    let now = Timestamp::now();
    let row = TenantRow {
        id: tenant.id,
        project_id: tenant.project,
        tenant_key: tenant.key.clone(),
        display_name: tenant.name.clone(),
        prefilters: Json(tenant.prefilters.clone()),
        editing_permissions: Json(tenant.permissions.clone()),
        custom_metadata: Json(tenant.metadata.clone()),
        project_user_id: None,
        role_id: tenant.role,
        role_kept: tenant.role_kept,
        created_at: now,
        updated_at: now,
    };
    let made = on!(conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()));
    Ok(made.map_err(projects::adding)? == 1)
}

/// Locks a tenant against other writers until this transaction ends.
pub(super) async fn lock(conn: &mut Conn<'_>, project: ProjectId, key: &str) -> Result<()> {
    const SQL: &str = "UPDATE tenants SET tenant_key = tenant_key WHERE project_id = $1 AND tenant_key = $2";
    on!(conn, |c| sqlx::query(SQL).bind(project).bind(key).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates the fields that a registration may change.
pub async fn update(conn: &mut Conn<'_>, tenant: &Tenant) -> Result<()> {
    const SQL: &str = "UPDATE tenants SET display_name = $2, prefilters = $3, editing_permissions = $4, custom_metadata = $5, \
        role_id = $6, role_kept = $7, updated_at = $8 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(tenant.id).bind(&tenant.name).bind(Json(&tenant.prefilters));
        let update = update.bind(Json(&tenant.permissions)).bind(Json(&tenant.metadata)).bind(tenant.role);
        update.bind(tenant.role_kept).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The roles of an organization's tenants by their permissions, those of the oldest tenants first.
pub(super) async fn roles_in_use(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<RoleInUse>> {
    const SQL: &str = "SELECT t.project_id, t.editing_permissions, t.role_id, r.permissions AS role_permissions \
        FROM tenants t JOIN roles r ON r.id = t.role_id JOIN projects p ON p.id = t.project_id WHERE p.organization_id = $1 \
        GROUP BY t.project_id, t.editing_permissions, t.role_id, r.permissions ORDER BY MIN(t.created_at), t.role_id";
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundSet>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(RoleInUse::from).collect())
}

/// The tenants of an organization that have no role, and whose users' role the host has not set.
pub(super) async fn without_role(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<WithoutRole>> {
    const SQL: &str = "SELECT t.id, t.project_id, t.editing_permissions FROM tenants t JOIN projects p ON p.id = t.project_id \
        WHERE p.organization_id = $1 AND t.role_id IS NULL AND t.role_kept = FALSE ORDER BY t.created_at, t.id";
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundWithoutRole>(SQL).bind(organization).fetch_all(c).await)?;
    let without = |row: FoundWithoutRole| WithoutRole {
        id: row.id,
        project: row.project_id,
        permissions: row.editing_permissions.0.in_v1(),
    };
    Ok(rows.into_iter().map(without).collect())
}

/// Gives a tenant a role, and its user if that user has none.
pub(super) async fn give_role(conn: &mut Conn<'_>, id: TenantId, role: RoleId) -> Result<()> {
    const TENANT: &str = "UPDATE tenants SET role_id = $2, updated_at = $3 WHERE id = $1 AND role_id IS NULL";
    const USER: &str = "UPDATE project_users SET role_id = $2, updated_at = $3 \
        WHERE role_id IS NULL AND id = (SELECT project_user_id FROM tenants WHERE id = $1)";
    let now = Timestamp::now();
    for sql in [TENANT, USER] {
        on!(conn, |c| sqlx::query(sql).bind(id).bind(role).bind(now).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The tenant of a user whose role registrations may still change.
pub(super) async fn following(conn: &mut Conn<'_>, user: ProjectUserId) -> Result<Option<TenantId>> {
    const SQL: &str = "SELECT id FROM tenants WHERE project_user_id = $1 AND role_kept = FALSE";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(user).fetch_optional(c).await)?)
}

/// Whether a tenant's user has another role than the tenant, or none in place of one.
pub(super) async fn user_has_other_role(conn: &mut Conn<'_>, id: TenantId) -> Result<bool> {
    const SQL: &str = "SELECT COUNT(*) FROM tenants t JOIN project_users u ON u.id = t.project_user_id \
        WHERE t.id = $1 AND u.role_id IS DISTINCT FROM t.role_id";
    let other: i64 = on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_one(c).await)?;
    Ok(other > 0)
}

/// Notes that the host has set the role of the tenant's user.
pub(super) async fn keep_role(conn: &mut Conn<'_>, id: TenantId) -> Result<()> {
    const SQL: &str = "UPDATE tenants SET role_kept = TRUE, updated_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets the role of a tenant of a project and of its user. Returns whether the project has that tenant.
pub async fn set_role(conn: &mut Conn<'_>, project: ProjectId, id: TenantId, role: RoleId) -> Result<bool> {
    const TENANT: &str = "UPDATE tenants SET role_id = $3, updated_at = $4 WHERE id = $1 AND project_id = $2";
    const USER: &str = "UPDATE project_users SET role_id = $3, updated_at = $4 \
        WHERE project_id = $2 AND id = (SELECT project_user_id FROM tenants WHERE id = $1)";
    let now = Timestamp::now();
    let mut changed = 0;
    for sql in [TENANT, USER] {
        let rows = on!(conn, |c| {
            let update = sqlx::query(sql).bind(id).bind(project).bind(role).bind(now);
            update.execute(c).await.map(|done| done.rows_affected())
        })?;
        changed = changed.max(rows);
    }
    Ok(changed > 0)
}

/// Stores a tenant's project user, and moves the tenant's dashboards to that user. Returns how many.
pub(super) async fn set_user(conn: &mut Conn<'_>, id: TenantId, user: ProjectUserId) -> Result<u64> {
    const TENANT: &str = "UPDATE tenants SET project_user_id = $2, updated_at = $3 WHERE id = $1";
    on!(conn, |c| sqlx::query(TENANT).bind(id).bind(user).bind(Timestamp::now()).execute(c).await.map(drop))?;
    // The dashboards keep their tenant id, which v1 lists return.
    const DASHBOARDS: &str = "UPDATE dashboards SET owner_id = $2 WHERE tenant_id = $1 AND owner_id IS NULL";
    Ok(on!(conn, |c| sqlx::query(DASHBOARDS).bind(id).bind(user).execute(c).await.map(|done| done.rows_affected()))?)
}

/// Moves dashboards that an organization's tenants have created since to their users. Returns how many.
pub async fn hand_over_dashboards(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<u64> {
    const SQL: &str = "UPDATE dashboards SET owner_id = (SELECT project_user_id FROM tenants WHERE id = dashboards.tenant_id) \
        WHERE owner_id IS NULL AND tenant_id IN (SELECT t.id FROM tenants t JOIN projects p ON p.id = t.project_id \
        WHERE p.organization_id = $1 AND t.project_user_id IS NOT NULL)";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(organization).execute(c).await.map(|done| done.rows_affected()))?)
}
