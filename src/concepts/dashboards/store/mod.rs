//! Dashboards in the store: their rows, charts and filters, and their names in a project file.

mod file;
mod filters;
mod listed;
mod seen;
mod tiles;

pub use file::{hold, of_file, rewrite, update};
pub use filters::{filters_in_use, filters_of_project, set_filters};
pub use listed::{Slot, count_of_tenant, count_of_user, count_own, count_shared, seen_by, shared_of};
pub use seen::{Seen, SeenDashboard, seen};
#[cfg(test)]
pub(crate) use tiles::DashboardChartRow;
pub use tiles::{Place, chart_counts, charts_of_file, charts_on, name_chart, place, places_on, shows_chart, unplace};

use super::{Dashboard, Owner};
use crate::{
    concepts::{charts, saved_views},
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
    filter::FilterDefinition,
    ids::{ApplicationId, CustomerId, DashboardId, ProjectId, ProjectUserId, TenantId},
    permissions::{Permissions, RolePermissions},
};
use sqlx::{FromRow, types::Json};

row! {
    /// A dashboard, without its charts. `customer_id` is that of the owner; the store sets what is missing, and follows the owner.
    pub(crate) struct DashboardRow in "dashboards" {
        id: DashboardId,
        application_id: ApplicationId,
        legacy_id: Option<DashboardId>,
        name: String,
        owner_id: Option<ProjectUserId>,
        tenant_id: Option<TenantId>,
        customer_id: Option<CustomerId>,
        replaces_id: Option<DashboardId>,
        filters: Json<Vec<FilterDefinition>>,
        shared_name: Option<String>,
        position: i64,
        version: i64,
        created_at: Timestamp,
        updated_at: Timestamp,
        refresh_seconds: Option<i64>,
    }
}

row! {
    /// A user's default dashboard in an application.
    pub(crate) struct DefaultDashboardRow in "default_dashboards" {
        user_id: ProjectUserId,
        application_id: ApplicationId,
        dashboard_id: DashboardId,
    }
}

#[derive(FromRow)]
struct FoundDashboard {
    #[sqlx(flatten)]
    row: DashboardRow,
    /// The customer of the owner.
    owners_customer: Option<CustomerId>,
    /// The tenant that became the owner.
    owners_tenant: Option<TenantId>,
}

impl From<FoundDashboard> for Dashboard {
    fn from(FoundDashboard { row, owners_customer, owners_tenant }: FoundDashboard) -> Self {
        let tenant = row.tenant_id.or(owners_tenant);
        let owner = Owner::of(row.owner_id, owners_customer, tenant);
        Self {
            id: row.id,
            application: row.application_id,
            legacy_id: row.legacy_id,
            name: row.name,
            owner,
            replaces: row.replaces_id,
            filters: row.filters.0,
            refresh: row.refresh_seconds.and_then(|seconds| u32::try_from(seconds).ok()),
            created_at: row.created_at,
        }
    }
}

/// What is read of a dashboard's owner beside its row.
const OWNERS: &str = ", u.customer_id AS owners_customer, \
    (SELECT t.id FROM tenants t WHERE t.project_user_id = d.owner_id LIMIT 1) AS owners_tenant";

const SELECT: &str =
    sql!("SELECT ", columns!(DashboardRow as d), OWNERS, " FROM dashboards d LEFT JOIN project_users u ON u.id = d.owner_id");

/// A dashboard by its v1 or v2 id.
pub async fn find(conn: &mut Conn<'_>, id: DashboardId) -> Result<Option<Dashboard>> {
    const SQL: &str = sql!(SELECT, " WHERE d.id = $1 OR d.legacy_id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundDashboard>(SQL).bind(id).fetch_optional(c).await)?.map(Dashboard::from))
}

/// A user's copy that replaces a shared dashboard.
pub async fn copy_of(conn: &mut Conn<'_>, user: ProjectUserId, shared: DashboardId) -> Result<Option<Dashboard>> {
    const SQL: &str = sql!(SELECT, " WHERE d.owner_id = $1 AND d.replaces_id = $2");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundDashboard>(SQL).bind(user).bind(shared).fetch_optional(c).await)?
        .map(Dashboard::from))
}

/// Every dashboard of an application, whoever sees it, in the navigation's order.
#[cfg(test)]
pub async fn of_application(conn: &mut Conn<'_>, application: ApplicationId) -> Result<Vec<Dashboard>> {
    const SQL: &str = sql!(SELECT, " WHERE d.application_id = $1 ORDER BY d.position, d.created_at, d.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundDashboard>(SQL).bind(application).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Dashboard::from).collect())
}

/// The origin and the position of a dashboard.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// Its name in a project file.
    pub shared_name: Option<&'a str>,
    /// Its position in the navigation. Dashboards from the page or the API come last.
    pub position: i64,
}

impl Origin<'_> {
    /// Created on the page or by the API: after those of the project file.
    pub const LAST: Self = Self { shared_name: None, position: i64::MAX };
}

/// Stores a new dashboard, without charts.
pub async fn insert(conn: &mut Conn<'_>, dashboard: &Dashboard, origin: Origin<'_>) -> Result<()> {
    let (owner, customer, tenant) = match dashboard.owner {
        Owner::Shared => (None, None, None),
        Owner::User { user, customer, .. } => (Some(user), customer, None),
        Owner::Tenant(tenant) => (None, None, Some(tenant)),
    };
    let row = DashboardRow {
        id: dashboard.id,
        application_id: dashboard.application,
        legacy_id: dashboard.legacy_id,
        name: dashboard.name.clone(),
        owner_id: owner,
        tenant_id: tenant,
        customer_id: customer,
        replaces_id: dashboard.replaces,
        filters: Json(dashboard.filters.clone()),
        shared_name: origin.shared_name.map(str::to_owned),
        position: origin.position,
        version: 1,
        created_at: dashboard.created_at,
        updated_at: dashboard.created_at,
        refresh_seconds: dashboard.refresh.map(i64::from),
    };
    Ok(rows::insert(conn, row).await?)
}

/// Updates a dashboard's version and locks it against other writers until this transaction ends. Returns whether it exists.
pub async fn touch(conn: &mut Conn<'_>, id: DashboardId) -> Result<bool> {
    const SQL: &str = "UPDATE dashboards SET version = version + 1, updated_at = $2 WHERE id = $1";
    let touch =
        on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(|done| done.rows_affected()));
    Ok(touch? == 1)
}

/// A dashboard's version. `None` when it is deleted.
pub async fn version(conn: &mut Conn<'_>, id: DashboardId) -> Result<Option<i64>> {
    const SQL: &str = "SELECT version FROM dashboards WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// Updates the name and filters of a dashboard that still has this version, and locks it against other writers until this
/// transaction ends. Returns whether it had the version.
pub async fn save(
    conn: &mut Conn<'_>,
    id: DashboardId,
    version: i64,
    name: &str,
    filters: &[FilterDefinition],
) -> Result<bool> {
    const SQL: &str = "UPDATE dashboards SET name = $3, filters = $4, version = version + 1, updated_at = $5 \
        WHERE id = $1 AND version = $2";
    let saved = on!(conn, |c| {
        let save = sqlx::query(SQL).bind(id).bind(version).bind(name).bind(Json(filters)).bind(Timestamp::now());
        save.execute(c).await.map(|done| done.rows_affected())
    });
    Ok(saved? == 1)
}

/// A user's default dashboard in an application.
pub async fn default_of(conn: &mut Conn<'_>, user: ProjectUserId, application: ApplicationId) -> Result<Option<DashboardId>> {
    const SQL: &str = "SELECT dashboard_id FROM default_dashboards WHERE user_id = $1 AND application_id = $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(user).bind(application).fetch_optional(c).await)?)
}

/// Sets a user's default dashboard.
pub async fn set_default(
    conn: &mut Conn<'_>,
    user: ProjectUserId,
    application: ApplicationId,
    dashboard: DashboardId,
) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(DefaultDashboardRow),
        " ON CONFLICT (user_id, application_id) DO UPDATE SET dashboard_id = excluded.dashboard_id"
    );
    let row = DefaultDashboardRow { user_id: user, application_id: application, dashboard_id: dashboard };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes another dashboard the default of the users who chose this one.
pub async fn move_default(conn: &mut Conn<'_>, from: DashboardId, to: DashboardId) -> Result<()> {
    const SQL: &str = "UPDATE default_dashboards SET dashboard_id = $2 WHERE dashboard_id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(from).bind(to).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets a dashboard's position in the navigation.
pub async fn set_position(conn: &mut Conn<'_>, id: DashboardId, position: i64) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET position = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(position).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets a dashboard's v1 id.
pub async fn set_legacy_id(conn: &mut Conn<'_>, id: DashboardId, legacy: DashboardId) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET legacy_id = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(legacy).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a dashboard.
pub async fn delete(conn: &mut Conn<'_>, id: DashboardId) -> Result<()> {
    const SQL: &str = "DELETE FROM dashboards WHERE id = $1";
    charts::all_unplaced(conn, id).await?;
    saved_views::move_to_copies(conn, id).await?;
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The current permissions of a user's role. `None` when the user is deleted.
pub async fn permissions_of_user(conn: &mut Conn<'_>, project: ProjectId, user: ProjectUserId) -> Result<Option<Permissions>> {
    const SQL: &str = "SELECT r.permissions FROM project_users u LEFT JOIN roles r ON r.id = u.role_id \
        WHERE u.id = $1 AND u.project_id = $2";
    type Role = Option<Json<RolePermissions>>;
    let found = on!(conn, |c| sqlx::query_scalar::<_, Role>(SQL).bind(user).bind(project).fetch_optional(c).await)?;
    Ok(found.map(|role| role.map_or_else(Permissions::without_role, |Json(role)| role.resolve())))
}
