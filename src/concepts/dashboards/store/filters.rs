//! Filters of all dashboards of a project, in the store.

use super::DashboardRow;
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    filter::FilterDefinition,
    ids::{DashboardId, ProjectId},
};
use sqlx::{FromRow, types::Json};

row! {
    struct FiltersOfOne of DashboardRow { id: DashboardId, filters: Json<Vec<FilterDefinition>> }
}

#[derive(FromRow)]
struct FiltersInUse {
    shared: bool,
    dashboard: String,
    filters: Json<Vec<FilterDefinition>>,
}

/// The filters of every dashboard of a project, shared ones and users' own. Locks them against other writers until this transaction ends.
pub async fn filters_of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(DashboardId, Vec<FilterDefinition>)>> {
    const SQL: &str = sql!(
        "UPDATE dashboards SET updated_at = updated_at WHERE application_id IN \
        (SELECT id FROM applications WHERE project_id = $1) RETURNING ",
        columns!(FiltersOfOne)
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, FiltersOfOne>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|row| (row.id, row.filters.0)).collect())
}

/// Sets a dashboard's filters.
pub async fn set_filters(conn: &mut Conn<'_>, id: DashboardId, filters: &[FilterDefinition]) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET filters = $2, version = version + 1, updated_at = $3 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Json(filters)).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// A dashboard's filters, for a search for uses of a column.
#[derive(Clone, Debug)]
pub struct UsedFilters {
    /// Whether the dashboard is shared. Otherwise it is a user's own.
    pub shared: bool,
    /// Application and dashboard, as text for people.
    pub dashboard: String,
    /// Its filters.
    pub filters: Vec<FilterDefinition>,
}

/// The filters of a project's dashboards, by the dashboards' names.
pub async fn filters_in_use(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<UsedFilters>> {
    const SQL: &str = "SELECT d.owner_id IS NULL AND d.tenant_id IS NULL AS shared, a.name || ' / ' || d.name AS dashboard, \
        d.filters FROM dashboards d JOIN applications a ON a.id = d.application_id WHERE a.project_id = $1 \
        ORDER BY dashboard, d.id";
    let rows = on!(conn, |c| sqlx::query_as::<_, FiltersInUse>(SQL).bind(project).fetch_all(c).await)?;
    let used = |FiltersInUse { shared, dashboard, filters }| UsedFilters { shared, dashboard, filters: filters.0 };
    Ok(rows.into_iter().map(used).collect())
}
