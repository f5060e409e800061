//! An application's dashboards, from the project file into the store. Charts on a dashboard are copies of library charts; the
//! file's copies follow their originals.

use super::model::{ApplicationSection, DashboardSection};
use crate::{
    applications,
    charts::{self, Chart},
    dashboards::{Dashboard, Owner, store},
    error::Result,
    store::Conn,
    time::Timestamp,
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
    /// Its v1 id; dashboards of an application that names a workspace have one.
    pub legacy_dashboard_id: Option<DashboardId>,
    /// Charts by name; a chart that stands there twice is `name (2)`.
    pub charts: BTreeMap<String, ChartId>,
}

/// Applies an application's dashboards; name → ids.
///
/// # Errors
/// The store is away.
pub async fn apply(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    section: &ApplicationSection,
    library: &BTreeMap<String, Chart>,
    has_workspace: bool,
) -> Result<Vec<(String, AppliedDashboard)>> {
    let known = store::of_file(conn, application).await?;
    for (name, id, _) in &known {
        if section.dashboards.iter().all(|dashboard| dashboard.name.value != *name) {
            store::delete(conn, *id).await?;
        }
    }
    let mut applied = Vec::with_capacity(section.dashboards.len());
    for (number, dashboard) in section.dashboards.iter().enumerate() {
        let name = &dashboard.name.value;
        let found = known.iter().find(|(known, ..)| known == name).map(|(_, id, legacy)| (*id, *legacy));
        let position = i64::try_from(number).unwrap_or(i64::MAX);
        let (id, legacy) = put(conn, application, dashboard, position, found, has_workspace).await?;
        let charts = tiles(conn, id, dashboard, library).await?;
        applied.push((name.clone(), AppliedDashboard { id, legacy_dashboard_id: legacy, charts }));
    }
    // The first one opens first unless another one says that it does.
    let chosen = section.dashboards.iter().position(|dashboard| dashboard.default).unwrap_or_default();
    let default = applied.get(chosen).map(|(_, dashboard): &(String, AppliedDashboard)| dashboard.id);
    applications::store::set_default(conn, application, default).await?;
    Ok(applied)
}

async fn put(
    conn: &mut Conn<'_>,
    application: ApplicationId,
    section: &DashboardSection,
    position: i64,
    found: Option<(DashboardId, Option<DashboardId>)>,
    has_workspace: bool,
) -> Result<(DashboardId, Option<DashboardId>)> {
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
            store::update(conn, id, name, &filters, position).await?;
            match legacy {
                None if has_workspace => {
                    let legacy = DashboardId::generate();
                    store::set_legacy_id(conn, id, legacy).await?;
                    Ok((id, Some(legacy)))
                }
                legacy => Ok((id, legacy)),
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
                created_at: Timestamp::now(),
            };
            store::insert(conn, &dashboard, store::Origin { file_name: Some(name), position }).await?;
            Ok((dashboard.id, dashboard.legacy_id))
        }
    }
}

/// Puts the file's charts on a dashboard and takes off those that it no longer names.
async fn tiles(
    conn: &mut Conn<'_>,
    dashboard: DashboardId,
    section: &DashboardSection,
    library: &BTreeMap<String, Chart>,
) -> Result<BTreeMap<String, ChartId>> {
    let mut old: BTreeMap<String, ChartId> = store::charts_of_file(conn, dashboard).await?.into_iter().collect();
    let mut placed = BTreeMap::new();
    for tile in &section.charts {
        let Some(original) = library.get(&tile.chart.value) else { continue };
        let times = (2..).map(|time| format!("{} ({time})", tile.chart.value));
        let first = std::iter::once(tile.chart.value.clone());
        let Some(key) = first.chain(times).find(|key| !placed.contains_key(key)) else { continue };
        let id = copy(conn, old.remove(&key), original).await?;
        let place = tile.place();
        store::place(conn, dashboard, id, place, Some(&key)).await?;
        placed.insert(key, id);
    }
    for gone in old.into_values() {
        store::unplace(conn, dashboard, gone).await?;
    }
    Ok(placed)
}

/// The dashboard's copy of a library chart: the one that is there, brought up to date, or a new one.
async fn copy(conn: &mut Conn<'_>, known: Option<ChartId>, original: &Chart) -> Result<ChartId> {
    let known = match known {
        Some(id) => charts::store::find(conn, original.project, id).await?,
        None => None,
    };
    let id = match known {
        Some(copy) if copy.definition == original.definition && copy.connection == original.connection => copy.id,
        Some(copy) => {
            let changed = Chart { id: copy.id, version: copy.version + 1, ..original.clone() };
            charts::store::update(conn, &changed).await?;
            copy.id
        }
        None => {
            let copy = Chart { id: ChartId::generate(), version: 1, ..original.clone() };
            charts::store::insert(conn, &copy, charts::store::Origin::default()).await?;
            copy.id
        }
    };
    charts::copies::store::descends(conn, id, original.id, original.version).await?;
    Ok(id)
}
