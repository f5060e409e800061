//! Dashboards in the store.

use super::{Dashboard, Owner, PlacedChart, writer::Writer};
use crate::{charts::Chart, error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::{
    chart::definition::ChartDefinition,
    filter::FilterDefinition,
    grid::Place,
    ids::{ApplicationId, ChartId, ConnectionId, CustomerId, DashboardId, ProjectId, ProjectUserId, TenantId},
    permissions::{Permissions, RolePermissions},
};
use sqlx::{FromRow, types::Json};

#[derive(FromRow)]
struct Row {
    id: DashboardId,
    application_id: ApplicationId,
    legacy_id: Option<DashboardId>,
    name: String,
    owner_id: Option<ProjectUserId>,
    customer_id: Option<CustomerId>,
    tenant_id: Option<TenantId>,
    replaces_id: Option<DashboardId>,
    filters: Json<Vec<FilterDefinition>>,
    created_at: Timestamp,
}

impl From<Row> for Dashboard {
    fn from(row: Row) -> Self {
        let owner = match (row.owner_id, row.tenant_id) {
            (Some(user), tenant) => Owner::User { user, customer: row.customer_id, tenant },
            (None, Some(tenant)) => Owner::Tenant(tenant),
            (None, None) => Owner::Shared,
        };
        Self {
            id: row.id,
            application: row.application_id,
            legacy_id: row.legacy_id,
            name: row.name,
            owner,
            replaces: row.replaces_id,
            filters: row.filters.0,
            created_at: row.created_at,
        }
    }
}

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT d.id, d.application_id, d.legacy_id, d.name, d.owner_id, u.customer_id, d.replaces_id, d.filters, d.created_at, ",
            "COALESCE(d.tenant_id, (SELECT t.id FROM tenants t WHERE t.project_user_id = d.owner_id LIMIT 1)) AS tenant_id ",
            "FROM dashboards d LEFT JOIN project_users u ON u.id = d.owner_id ",
            $rest
        )
    };
}

/// A dashboard by its id of either generation.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: DashboardId) -> Result<Option<Dashboard>> {
    const SQL: &str = select!("WHERE d.id = $1 OR d.legacy_id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(Dashboard::from))
}

/// A user's copy that replaces a shared dashboard.
///
/// # Errors
/// The store is away.
pub async fn copy_of(conn: &mut Conn<'_>, user: ProjectUserId, shared: DashboardId) -> Result<Option<Dashboard>> {
    const SQL: &str = select!("WHERE d.owner_id = $1 AND d.replaces_id = $2");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(user).bind(shared).fetch_optional(c).await)?.map(Dashboard::from))
}

/// Every dashboard of an application, in the navigation's order.
///
/// # Errors
/// The store is away.
pub async fn of_application(conn: &mut Conn<'_>, application: ApplicationId) -> Result<Vec<Dashboard>> {
    const SQL: &str = select!("WHERE d.application_id = $1 ORDER BY d.position, d.created_at, d.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(application).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Dashboard::from).collect())
}

#[derive(FromRow)]
struct PlacedRow {
    id: ChartId,
    project_id: ProjectId,
    connection_id: ConnectionId,
    name: String,
    version: i64,
    definition: Json<ChartDefinition>,
    x: i64,
    y: i64,
    w: i64,
    h: i64,
}

/// The charts on a dashboard, in reading order.
///
/// # Errors
/// The store is away.
pub async fn charts_on(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<PlacedChart>> {
    const SQL: &str = "SELECT c.id, c.project_id, c.connection_id, c.name, c.version, c.definition, p.x, p.y, p.w, p.h \
        FROM dashboard_charts p JOIN charts c ON c.id = p.chart_id WHERE p.dashboard_id = $1 ORDER BY p.y, p.x, c.id";
    let rows = on!(conn, |c| sqlx::query_as::<_, PlacedRow>(SQL).bind(dashboard).fetch_all(c).await)?;
    let edge = |value: i64| u16::try_from(value).unwrap_or_default();
    let placed = |row: PlacedRow| PlacedChart {
        place: Place { x: edge(row.x), y: edge(row.y), w: edge(row.w), h: edge(row.h) },
        chart: Chart {
            id: row.id,
            project: row.project_id,
            connection: row.connection_id,
            name: row.name,
            version: row.version,
            definition: row.definition.0,
        },
    };
    Ok(rows.into_iter().map(placed).collect())
}

/// Where a dashboard comes from and stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin<'a> {
    /// The name under which a project file made it.
    pub file_name: Option<&'a str>,
    /// Its place in the navigation; dashboards made on the page or by the API come last.
    pub position: i64,
}

impl Origin<'_> {
    /// Made on the page or by the API: after the project file's.
    pub const LAST: Self = Self { file_name: None, position: i64::MAX };
}

/// Stores a new dashboard, without charts.
///
/// # Errors
/// The store is away.
pub async fn insert(conn: &mut Conn<'_>, dashboard: &Dashboard, origin: Origin<'_>) -> Result<()> {
    const SQL: &str = "INSERT INTO dashboards (id, application_id, legacy_id, name, owner_id, tenant_id, replaces_id, filters, \
        file_name, position, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)";
    let (owner, tenant) = match dashboard.owner {
        Owner::Shared => (None, None),
        Owner::User { user, .. } => (Some(user), None),
        Owner::Tenant(tenant) => (None, Some(tenant)),
    };
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(dashboard.id).bind(dashboard.application).bind(dashboard.legacy_id);
        let insert = insert.bind(&dashboard.name).bind(owner).bind(tenant).bind(dashboard.replaces);
        let insert = insert.bind(Json(&dashboard.filters)).bind(origin.file_name).bind(origin.position);
        insert.bind(dashboard.created_at).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Puts a chart on a dashboard, or moves it there.
///
/// # Errors
/// The store is away.
pub async fn place(
    conn: &mut Conn<'_>,
    dashboard: DashboardId,
    chart: ChartId,
    place: Place,
    file_name: Option<&str>,
) -> Result<()> {
    const SQL: &str = "INSERT INTO dashboard_charts (dashboard_id, chart_id, file_name, x, y, w, h) VALUES ($1, $2, $3, $4, $5, $6, $7) \
        ON CONFLICT (dashboard_id, chart_id) DO UPDATE SET x = excluded.x, y = excluded.y, w = excluded.w, h = excluded.h";
    on!(conn, |c| {
        let put = sqlx::query(SQL).bind(dashboard).bind(chart).bind(file_name);
        let put = put.bind(i64::from(place.x)).bind(i64::from(place.y)).bind(i64::from(place.w)).bind(i64::from(place.h));
        put.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Writes the name by which a project file finds a chart on a dashboard.
///
/// # Errors
/// The store is away.
pub async fn name_chart(conn: &mut Conn<'_>, dashboard: DashboardId, chart: ChartId, file_name: &str) -> Result<()> {
    const SQL: &str = "UPDATE dashboard_charts SET file_name = $3 WHERE dashboard_id = $1 AND chart_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).bind(file_name).execute(c).await.map(drop))?;
    Ok(())
}

/// Notes a change of a dashboard, which makes other writers of it wait until this transaction ends; whether it is there.
///
/// # Errors
/// The store is away.
pub async fn touch(conn: &mut Conn<'_>, id: DashboardId) -> Result<bool> {
    const SQL: &str = "UPDATE dashboards SET version = version + 1, updated_at = $2 WHERE id = $1";
    let touch =
        on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(|done| done.rows_affected()));
    Ok(touch? == 1)
}

/// A dashboard's version; none when it is gone.
///
/// # Errors
/// The store is away.
pub async fn version(conn: &mut Conn<'_>, id: DashboardId) -> Result<Option<i64>> {
    const SQL: &str = "SELECT version FROM dashboards WHERE id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?)
}

/// Gives a dashboard of a version another name and other filters, and makes other writers of it wait until this transaction
/// ends; whether it was still of that version.
///
/// # Errors
/// The store is away.
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

/// The dashboard that a user chose to open first in an application.
///
/// # Errors
/// The store is away.
pub async fn default_of(conn: &mut Conn<'_>, user: ProjectUserId, application: ApplicationId) -> Result<Option<DashboardId>> {
    const SQL: &str = "SELECT dashboard_id FROM default_dashboards WHERE user_id = $1 AND application_id = $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(user).bind(application).fetch_optional(c).await)?)
}

/// Makes a dashboard open first for a user.
///
/// # Errors
/// The store is away.
pub async fn set_default(
    conn: &mut Conn<'_>,
    user: ProjectUserId,
    application: ApplicationId,
    dashboard: DashboardId,
) -> Result<()> {
    const SQL: &str = "INSERT INTO default_dashboards (user_id, application_id, dashboard_id) VALUES ($1, $2, $3) \
        ON CONFLICT (user_id, application_id) DO UPDATE SET dashboard_id = excluded.dashboard_id";
    on!(conn, |c| sqlx::query(SQL).bind(user).bind(application).bind(dashboard).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes a chart off a dashboard; its record stays. Whether it stood there.
///
/// # Errors
/// The store is away.
pub async fn unplace(conn: &mut Conn<'_>, dashboard: DashboardId, chart: ChartId) -> Result<bool> {
    const SQL: &str = "DELETE FROM dashboard_charts WHERE dashboard_id = $1 AND chart_id = $2";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(dashboard).bind(chart).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// Changes what a project file says of a dashboard.
///
/// # Errors
/// The store is away.
pub async fn update(
    conn: &mut Conn<'_>,
    id: DashboardId,
    name: &str,
    filters: &[FilterDefinition],
    position: i64,
) -> Result<()> {
    const SQL: &str =
        "UPDATE dashboards SET name = $2, filters = $3, position = $4, version = version + 1, updated_at = $5 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(name).bind(Json(filters)).bind(position);
        update.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Gives a dashboard its place in the navigation.
///
/// # Errors
/// The store is away.
pub async fn set_position(conn: &mut Conn<'_>, id: DashboardId, position: i64) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET position = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(position).execute(c).await.map(drop))?;
    Ok(())
}

/// Gives a dashboard its v1 id.
///
/// # Errors
/// The store is away.
pub async fn set_legacy_id(conn: &mut Conn<'_>, id: DashboardId, legacy: DashboardId) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET legacy_id = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(legacy).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes a dashboard.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: DashboardId) -> Result<()> {
    const SQL: &str = "DELETE FROM dashboards WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The dashboards of an application that a project file made: name there → dashboard.
///
/// # Errors
/// The store is away.
pub async fn of_file(
    conn: &mut Conn<'_>,
    application: ApplicationId,
) -> Result<Vec<(String, DashboardId, Option<DashboardId>)>> {
    const SQL: &str = "SELECT file_name, id, legacy_id FROM dashboards WHERE application_id = $1 AND file_name IS NOT NULL \
        ORDER BY position, file_name";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(application).fetch_all(c).await)?)
}

/// The charts of a dashboard that a project file put there: name there → chart.
///
/// # Errors
/// The store is away.
pub async fn charts_of_file(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<(String, ChartId)>> {
    const SQL: &str = "SELECT file_name, chart_id FROM dashboard_charts WHERE dashboard_id = $1 AND file_name IS NOT NULL";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(dashboard).fetch_all(c).await)?)
}

/// What a user's role allows now; none when the user is gone.
///
/// # Errors
/// The store is away.
pub async fn permissions_of_user(conn: &mut Conn<'_>, project: ProjectId, user: ProjectUserId) -> Result<Option<Permissions>> {
    const SQL: &str = "SELECT r.permissions FROM project_users u LEFT JOIN roles r ON r.id = u.role_id \
        WHERE u.id = $1 AND u.project_id = $2";
    type Role = Option<Json<RolePermissions>>;
    let found = on!(conn, |c| sqlx::query_scalar::<_, Role>(SQL).bind(user).bind(project).fetch_optional(c).await)?;
    Ok(found.map(|role| role.map_or_else(Permissions::without_role, |Json(role)| role.resolve())))
}

/// Whether a project user or a tenant may take a chart: one of their space, one of a dashboard that they see, or one of the
/// library.
///
/// # Errors
/// The store is away.
pub async fn shows_chart(conn: &mut Conn<'_>, chart: ChartId, writer: &Writer) -> Result<bool> {
    const SQL: &str = "SELECT COUNT(*) FROM charts c WHERE c.id = $1 AND ( \
        c.space_id IN ($2, $3, $4) \
        OR c.space_id IN (SELECT t.id FROM tenants t JOIN project_users u ON u.id = t.project_user_id WHERE u.customer_id = $3) \
        OR (c.space_id IS NULL AND NOT EXISTS (SELECT 1 FROM dashboard_charts p WHERE p.chart_id = c.id)) \
        OR EXISTS (SELECT 1 FROM dashboard_charts p JOIN dashboards d ON d.id = p.dashboard_id \
            LEFT JOIN project_users o ON o.id = d.owner_id WHERE p.chart_id = c.id \
            AND ((d.owner_id IS NULL AND d.tenant_id IS NULL) OR o.id = $2 OR o.customer_id = $3 OR d.tenant_id = $4)))";
    let (user, customer) = writer.user().unzip();
    let count: i64 = on!(conn, |c| {
        let query = sqlx::query_scalar(SQL).bind(chart).bind(user).bind(customer.flatten());
        query.bind(writer.tenant()).fetch_one(c).await
    })?;
    Ok(count > 0)
}

/// Writes a shared dashboard's name, by which a project file finds it too, and its filters.
///
/// # Errors
/// The store is away.
pub async fn rewrite(conn: &mut Conn<'_>, id: DashboardId, name: &str, filters: &[FilterDefinition]) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET name = $2, file_name = $2, filters = $3, updated_at = $4 \
        WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(name).bind(Json(filters));
        update.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The filters of every dashboard of a project, shared ones and users' own. Other writers of them wait until this transaction
/// ends.
///
/// # Errors
/// The store is away.
pub async fn filters_of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(DashboardId, Vec<FilterDefinition>)>> {
    const SQL: &str = "UPDATE dashboards SET updated_at = updated_at WHERE application_id IN \
        (SELECT id FROM applications WHERE project_id = $1) RETURNING id, filters";
    type Row = (DashboardId, Json<Vec<FilterDefinition>>);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id, Json(filters))| (id, filters)).collect())
}

/// Gives a dashboard other filters.
///
/// # Errors
/// The store is away.
pub async fn set_filters(conn: &mut Conn<'_>, id: DashboardId, filters: &[FilterDefinition]) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET filters = $2, version = version + 1, updated_at = $3 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Json(filters)).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// A dashboard's filters, for whoever looks for what names a column.
#[derive(Clone, Debug)]
pub struct UsedFilters {
    /// Whether the dashboard is shared; else it is somebody's own.
    pub shared: bool,
    /// Application and dashboard, for people.
    pub dashboard: String,
    /// Its filters.
    pub filters: Vec<FilterDefinition>,
}

/// The filters of a project's dashboards, by the dashboards' names.
///
/// # Errors
/// The store is away.
pub async fn filters_in_use(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<UsedFilters>> {
    const SQL: &str = "SELECT d.owner_id IS NULL AND d.tenant_id IS NULL, a.name || ' / ' || d.name, d.filters FROM dashboards d \
        JOIN applications a ON a.id = d.application_id WHERE a.project_id = $1 ORDER BY 2, d.id";
    type Row = (bool, String, Json<Vec<FilterDefinition>>);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    let used = |(shared, dashboard, Json(filters)): Row| UsedFilters { shared, dashboard, filters };
    Ok(rows.into_iter().map(used).collect())
}
