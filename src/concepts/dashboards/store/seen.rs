//! Everything that the rows of one chart depend on, in one query of the store.

use crate::{
    concepts::{customers::properties::Properties, dashboards::Owner},
    ground::{error::Result, store::Conn},
    on,
};
use inlay_contract::{
    filter::FilterDefinition,
    ids::{ApplicationId, ChartId, CustomerId, DashboardId, OrganizationId, ProjectId, ProjectUserId, TenantId},
};
use sqlx::{FromRow, types::Json};

/// An application, one of its dashboards with a chart, and the user who asks.
#[derive(Debug)]
pub struct Seen {
    /// The application's project.
    pub project: ProjectId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// The dashboard. `None` when the application has none with this id.
    pub dashboard: Option<SeenDashboard>,
    /// The user's own properties and their customer's. `None` when the project has no such user.
    pub properties: Option<(Properties, Option<Properties>)>,
}

/// The dashboard of a [`Seen`].
#[derive(Debug)]
pub struct SeenDashboard {
    /// The owner of the dashboard that the id names.
    pub owner: Owner,
    /// The filters of the chart's dashboard.
    pub filters: Vec<FilterDefinition>,
    /// The chart's project and version. `None` when it is neither on the dashboard nor on the user's copy of it.
    pub chart: Option<(ProjectId, i64)>,
}

#[derive(FromRow)]
struct Row {
    project_id: ProjectId,
    organization_id: OrganizationId,
    application_id: Option<ApplicationId>,
    owner_id: Option<ProjectUserId>,
    owner_customer_id: Option<CustomerId>,
    tenant_id: Option<TenantId>,
    filters: Option<Json<Vec<FilterDefinition>>>,
    chart_project_id: Option<ProjectId>,
    chart_version: Option<i64>,
    user_properties: Option<Json<Properties>>,
    customer_properties: Option<Json<Properties>>,
}

/// An application, one of its dashboards by its v1 or v2 id, and a chart: on the user's own copy of the dashboard if the chart
/// is there, otherwise on the dashboard itself. `None` when there is no such application.
pub async fn seen(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    dashboard: DashboardId,
    chart: ChartId,
    user: Option<ProjectUserId>,
) -> Result<Option<Seen>> {
    const SQL: &str = "SELECT a.project_id, p.organization_id, d.application_id, d.owner_id, \
        o.customer_id AS owner_customer_id, \
        COALESCE(d.tenant_id, (SELECT t.id FROM tenants t WHERE t.project_user_id = d.owner_id LIMIT 1)) AS tenant_id, \
        CASE WHEN oc.chart_id IS NULL THEN d.filters ELSE own.filters END AS filters, \
        c.project_id AS chart_project_id, c.version AS chart_version, \
        u.properties AS user_properties, k.properties AS customer_properties \
        FROM applications a JOIN projects p ON p.id = a.project_id \
        LEFT JOIN dashboards d ON d.id = $2 OR d.legacy_id = $2 \
        LEFT JOIN project_users o ON o.id = d.owner_id \
        LEFT JOIN dashboards own ON own.owner_id = $4 AND own.replaces_id = d.id \
        LEFT JOIN dashboard_charts dc ON dc.dashboard_id = d.id AND dc.chart_id = $3 \
        LEFT JOIN dashboard_charts oc ON oc.dashboard_id = own.id AND oc.chart_id = $3 \
        LEFT JOIN charts c ON c.id = COALESCE(oc.chart_id, dc.chart_id) \
        LEFT JOIN project_users u ON u.id = $4 AND u.project_id = a.project_id \
        LEFT JOIN customers k ON k.id = u.customer_id \
        WHERE a.id = $1";
    let found = on!(conn, |c| {
        let query = sqlx::query_as::<_, Row>(SQL).bind(application).bind(dashboard).bind(chart).bind(user);
        query.fetch_optional(c).await
    })?;
    Ok(found.map(|row| {
        let here = row.application_id == Some(application);
        let chart = row.chart_project_id.zip(row.chart_version);
        let filters = row.filters.map(|Json(filters)| filters).unwrap_or_default();
        let owner = Owner::of(row.owner_id, row.owner_customer_id, row.tenant_id);
        Seen {
            project: row.project_id,
            organization: row.organization_id,
            dashboard: here.then_some(SeenDashboard { owner, filters, chart }),
            properties: row.user_properties.map(|Json(own)| (own, row.customer_properties.map(|Json(theirs)| theirs))),
        }
    }))
}
