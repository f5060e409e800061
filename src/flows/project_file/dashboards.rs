//! Applies the dashboards of an application.

use super::{
    model::{ApplicationSection, DashboardSection},
    tiles::{self, TileSources},
};
use crate::{
    concepts::{
        applications,
        dashboards::{self, Dashboard, Owner},
    },
    ground::{error::Result, store::Conn, time::Timestamp},
};
use inlay_contract::{
    filter::FilterDefinition,
    ids::{ApplicationId, ChartId, DashboardId},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// A dashboard's ids.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedDashboard {
    /// The dashboard.
    pub id: DashboardId,
    /// Its v1 id. Dashboards of an application that names a workspace have one.
    pub legacy_dashboard_id: Option<DashboardId>,
    /// Charts by name. A second chart with the same name is `name (2)`.
    pub charts: BTreeMap<String, ChartId>,
}

/// Applies an application's dashboards. Returns their ids by name.
pub async fn apply(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    section: &ApplicationSection,
    sources: &TileSources<'_>,
    has_workspace: bool,
) -> Result<Vec<(String, AppliedDashboard)>> {
    let known = dashboards::of_file(conn, application).await?;
    for (name, id, _) in &known {
        if section.dashboards.iter().all(|dashboard| dashboard.name.value != *name) {
            dashboards::delete(conn, *id).await?;
        }
    }
    let mut applied: Vec<(String, AppliedDashboard)> = Vec::with_capacity(section.dashboards.len());
    // Other dashboards may stand between the file's. If the file's are in order already, no positions change.
    let in_order = known.iter().map(|(name, ..)| name).eq(section.dashboards.iter().map(|dashboard| &dashboard.name.value));
    for (number, dashboard) in section.dashboards.iter().enumerate() {
        let name = &dashboard.name.value;
        let found = known.iter().find(|(known, ..)| known == name).map(|(_, id, legacy)| (*id, *legacy));
        let position = i64::try_from(number).unwrap_or(i64::MAX);
        let position = (!in_order).then_some(position);
        let (id, legacy, changed) = put(conn, application, dashboard, position, found, has_workspace).await?;
        let tiles = tiles::put(conn, id, dashboard, sources).await?;
        // A real change raises the version, so that concurrent editors get a conflict.
        if found.is_some() && (changed || tiles.changed) {
            dashboards::touch(conn, id).await?;
        }
        applied.push((name.clone(), AppliedDashboard { id, legacy_dashboard_id: legacy, charts: tiles.charts }));
    }
    let chosen = section.dashboards.iter().position(|dashboard| dashboard.default);
    if chosen.is_none() && opens_another(conn, application, &applied).await? {
        return Ok(applied);
    }
    // The first one is the default unless the file marks another one.
    let default = applied.get(chosen.unwrap_or_default()).map(|(_, dashboard)| dashboard.id);
    applications::set_default(conn, application, default).await?;
    Ok(applied)
}

/// Whether the default is a dashboard that the file does not list.
async fn opens_another(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    applied: &[(String, AppliedDashboard)],
) -> Result<bool> {
    let default = applications::find(conn, application).await?.and_then(|found| found.default_dashboard);
    let Some(default) = default.filter(|id| applied.iter().all(|(_, dashboard)| dashboard.id != *id)) else {
        return Ok(false);
    };
    Ok(dashboards::find(conn, default).await?.is_some_and(|found| found.application == application))
}

/// Creates a dashboard, or changes its name and filters. Returns its ids and whether anything changed.
async fn put(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    section: &DashboardSection,
    position: Option<i64>,
    found: Option<(DashboardId, Option<DashboardId>)>,
    has_workspace: bool,
) -> Result<(DashboardId, Option<DashboardId>, bool)> {
    let filters = section.filters.iter().map(|filter| FilterDefinition {
        key: filter.key.value.clone(),
        label: filter.label.clone(),
        column: filter.column.value.clone(),
        control: filter.control,
        default: filter.default.clone(),
    });
    let filters: Vec<FilterDefinition> = filters.collect();
    let name = &section.name.value;
    match found {
        Some((id, legacy)) => {
            dashboards::hold(conn, id).await?;
            let refresh = section.refresh;
            let same = |was: Dashboard| was.name == *name && was.filters == filters && was.refresh == refresh;
            let changed = !dashboards::find(conn, id).await?.is_some_and(same);
            dashboards::update(conn, id, name, &filters, refresh, position).await?;
            match legacy {
                None if has_workspace => {
                    let legacy = DashboardId::generate();
                    dashboards::set_legacy_id(conn, id, legacy).await?;
                    Ok((id, Some(legacy), changed))
                }
                legacy => Ok((id, legacy, changed)),
            }
        }
        None => {
            let dashboard = Dashboard {
                id: DashboardId::generate(),
                application,
                legacy_id: has_workspace.then(DashboardId::generate),
                name: name.clone(),
                owner: Owner::Shared,
                replaces: None,
                filters,
                refresh: section.refresh,
                created_at: Timestamp::now(),
            };
            dashboards::insert(
                conn,
                &dashboard,
                dashboards::Origin { shared_name: Some(name), position: position.unwrap_or_default() },
            )
            .await?;
            Ok((dashboard.id, dashboard.legacy_id, true))
        }
    }
}
