//! Shared dashboards of a project file, in the store.

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
    ids::{ApplicationId, DashboardId},
};
use sqlx::types::Json;

row! {
    struct NamedDashboard of DashboardRow { shared_name: Option<String>, id: DashboardId, legacy_id: Option<DashboardId> }
}

/// Locks a dashboard against other writers until this transaction ends.
pub async fn hold(conn: &mut Conn<'_>, id: DashboardId) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET version = version WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates a dashboard from a project file. Without a position it keeps its own. Does not touch the version that editors
/// compare: the caller does.
pub async fn update(
    conn: &mut Conn<'_>,
    id: DashboardId,
    name: &str,
    filters: &[FilterDefinition],
    refresh: Option<u32>,
    position: Option<i64>,
) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET name = $2, filters = $3, refresh_seconds = $4, position = COALESCE($5, position) \
        WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(name).bind(Json(filters)).bind(refresh.map(i64::from)).bind(position);
        update.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// An application's dashboards from a project file, in the navigation's order: name in the file → dashboard.
pub async fn of_file(
    conn: &mut Conn<'_>,
    application: ApplicationId,
) -> Result<Vec<(String, DashboardId, Option<DashboardId>)>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(NamedDashboard),
        " FROM dashboards WHERE application_id = $1 AND shared_name IS NOT NULL ORDER BY position, created_at, id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, NamedDashboard>(SQL).bind(application).fetch_all(c).await)?;
    Ok(rows.into_iter().filter_map(|row| Some((row.shared_name?, row.id, row.legacy_id))).collect())
}

/// Updates a shared dashboard's name, which is also its name in a project file, and its filters.
pub async fn rewrite(
    conn: &mut Conn<'_>,
    id: DashboardId,
    name: &str,
    filters: &[FilterDefinition],
    refresh: Option<u32>,
) -> Result<()> {
    const SQL: &str = "UPDATE dashboards SET name = $2, shared_name = $2, filters = $3, refresh_seconds = $4, updated_at = $5 \
        WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(name).bind(Json(filters)).bind(refresh.map(i64::from));
        update.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}
