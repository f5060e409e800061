//! Copies of library charts on dashboards: where they are, which version they were made from, and how they are updated.

use crate::{
    concepts::{
        charts::{self, Chart, PlacedCopy},
        dashboards,
        organizations::members::{Member, Works},
        projects,
    },
    flows::management::charts as manage,
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        names,
        state::App,
        store::Conn,
    },
};
use inlay_contract::ids::{ChartId, DashboardId, ProjectId};
use std::collections::BTreeSet;

/// Updates the copies of a library chart on shared dashboards to its newest version. Returns how many changed.
///
/// # Errors
/// 404 when the library has no such chart, 409 `CHANGED_MEANWHILE` when its newest version is not the one that the caller saw.
pub async fn update(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: ChartId,
    version: i64,
    dashboards: &BTreeSet<DashboardId>,
) -> Result<usize> {
    manage::find(app, by, project, id).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    // Only dashboards of this project with a copy, whatever the request names. Other writers of these dashboards wait from here on.
    let chosen = |(origin, copy): &(ChartId, PlacedCopy)| *origin == id && dashboards.contains(&copy.dashboard);
    let shown: BTreeSet<_> =
        charts::shared(conn, project).await?.iter().filter(|one| chosen(one)).map(|(_, copy)| copy.dashboard).collect();
    for dashboard in shown {
        dashboards::touch(conn, dashboard).await?;
    }
    let newest = charts::find(conn, project, id, None).await?;
    if newest.version != version {
        let told =
            "This chart has changed since you opened the page. Review the new version, then update the dashboards again.";
        return Err(Error::new(Code::ChangedMeanwhile, told));
    }
    let mut updated = 0;
    for (_, copy) in charts::shared(conn, project).await?.into_iter().filter(chosen) {
        if !copy.is_behind(newest.version) {
            continue;
        }
        renew(conn, project, &copy, &newest).await?;
        let deed = Deed::new("dashboard.chartsUpdated", copy.dashboard.0).in_project(project).named(&copy.named);
        let deed = deed.with("chartId", id.to_string()).with("version", newest.version);
        audit::record(conn, &by.actor(), deed).await?;
        updated += 1;
    }
    tx.commit().await?;
    Ok(updated)
}

/// Replaces a copy's definition with its original's. A project file finds it under its new name.
async fn renew(conn: &mut Conn<'_>, project: ProjectId, copy: &PlacedCopy, newest: &Chart) -> Result<()> {
    let old = charts::find(conn, project, copy.chart, None).await?;
    let renewed = Chart { id: old.id, version: old.version + 1, ..newest.clone() };
    charts::update(conn, &renewed).await?;
    charts::descends(conn, old.id, newest.id, Some(newest.version)).await?;
    let taken = dashboards::charts_of_file(conn, copy.dashboard).await?;
    if old.name == newest.name || taken.iter().all(|(_, known)| *known != old.id) {
        return Ok(());
    }
    let free = names::free(&newest.name, |name| taken.iter().any(|(known, of)| known == name && *of != old.id));
    dashboards::name_chart(conn, copy.dashboard, old.id, &free).await
}
