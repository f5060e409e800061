//! The charts of a dashboard in a project file. They are copies: of library charts, which they follow, or with a definition of their own.

use super::model::{DashboardSection, TileSection};
use crate::{
    concepts::{
        charts::{self, Chart},
        dashboards,
    },
    ground::{
        error::{Error, Result},
        names,
        store::Conn,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    grid::GridPosition,
    ids::{ChartId, ConnectionId, DashboardId, ProjectId},
};
use std::collections::BTreeMap;

/// The objects that a dashboard's charts refer to.
pub struct TileSources<'a> {
    /// The project.
    pub project: ProjectId,
    /// Its connections, by name.
    pub connections: &'a BTreeMap<String, ConnectionId>,
    /// Its library, by name.
    pub library: &'a BTreeMap<String, Chart>,
}

/// The origin of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The newest version of a library chart.
    Follows(ChartId, i64),
    /// The file's own definition, with the library chart that it was copied from, if any.
    Own(Option<ChartId>),
}

/// A chart in the file.
struct Wanted {
    key: String,
    name: String,
    connection: ConnectionId,
    definition: ChartDefinition,
    place: GridPosition,
    origin: Origin,
}

/// A chart on the dashboard.
struct Known {
    chart: Chart,
    place: GridPosition,
    /// Its name in a file. `None` for a chart that the API added.
    key: Option<String>,
    origin: Option<ChartId>,
}

/// The result for a dashboard's charts.
pub struct Put {
    /// Their ids by name. A second one with the same name is `name (2)`.
    pub charts: BTreeMap<String, ChartId>,
    /// Whether anything changed that an editor of the dashboard has not seen.
    pub changed: bool,
}

/// Adds or updates the file's charts on a dashboard, and removes those that the file no longer lists.
pub async fn put(
    conn: &mut Conn<'_>,
    dashboard: DashboardId,
    section: &DashboardSection,
    sources: &TileSources<'_>,
) -> Result<Put> {
    let known = known(conn, dashboard).await?;
    let wanted = wanted(section, sources)?;
    let found = matched(&wanted, &known);
    let stays = |one: &Known| found.iter().flatten().any(|found| found.chart.id == one.chart.id);
    let gone: Vec<_> = known.iter().filter(|one| one.key.is_some() && !stays(one)).collect();
    let same = wanted.iter().zip(&found).all(|(wanted, known)| known.is_some_and(|known| wanted.stays(known)));
    let changed = !same || !gone.is_empty();
    for gone in gone {
        dashboards::unplace(conn, dashboard, gone.chart.id).await?;
    }
    let mut charts = BTreeMap::new();
    for (wanted, known) in wanted.into_iter().zip(found) {
        let id = write(conn, sources.project, &wanted, known).await?;
        dashboards::place(conn, dashboard, id, wanted.place, Some(&wanted.key)).await?;
        if known.is_some_and(|known| known.key.as_ref() != Some(&wanted.key)) {
            dashboards::name_chart(conn, dashboard, id, &wanted.key).await?;
        }
        charts.insert(wanted.key, id);
    }
    Ok(Put { charts, changed })
}

async fn known(conn: &mut Conn<'_>, dashboard: DashboardId) -> Result<Vec<Known>> {
    let mut keys: BTreeMap<ChartId, String> =
        dashboards::charts_of_file(conn, dashboard).await?.into_iter().map(|(key, id)| (id, key)).collect();
    let origins: BTreeMap<ChartId, ChartId> =
        crate::concepts::charts::on_dashboard(conn, dashboard).await?.into_iter().collect();
    let known = dashboards::charts_on(conn, dashboard).await?.into_iter().map(|placed| Known {
        key: keys.remove(&placed.chart.id),
        origin: origins.get(&placed.chart.id).copied(),
        place: placed.place,
        chart: placed.chart,
    });
    Ok(known.collect())
}

fn wanted(section: &DashboardSection, sources: &TileSources<'_>) -> Result<Vec<Wanted>> {
    let mut all: Vec<Wanted> = Vec::with_capacity(section.charts.len());
    for tile in &section.charts {
        let key = names::free(&tile.chart.value, |key| all.iter().any(|one| one.key == key));
        let one = one(tile, key, sources).ok_or_else(|| Error::internal("a checked reference does not exist"))?;
        all.push(one);
    }
    Ok(all)
}

fn one(tile: &TileSection, key: String, sources: &TileSources<'_>) -> Option<Wanted> {
    let (name, place) = (tile.chart.value.clone(), tile.place());
    match &tile.own {
        Some(own) => {
            let origin = own.of.as_ref().and_then(|of| sources.library.get(&of.value)).map(|of| of.id);
            let connection = *sources.connections.get(&own.connection.value)?;
            Some(Wanted { definition: own.definition(&name), origin: Origin::Own(origin), key, name, connection, place })
        }
        None => {
            let original = sources.library.get(&name)?;
            let (connection, definition) = (original.connection, original.definition.clone());
            Some(Wanted { origin: Origin::Follows(original.id, original.version), key, name, connection, definition, place })
        }
    }
}

/// The existing chart for each chart of the file: first identical ones, then those with the same name in the file. A chart that
/// the API added is only used if it is identical.
fn matched<'k>(wanted: &[Wanted], known: &'k [Known]) -> Vec<Option<&'k Known>> {
    type Rule = fn(&Wanted, &Known) -> bool;
    let rules: [Rule; 4] =
        [|wanted, known| wanted.stays(known) && wanted.is_found(known), Wanted::stays, Wanted::is_found, Wanted::is_called];
    let mut found = vec![None; wanted.len()];
    let mut left: Vec<&Known> = known.iter().collect();
    for is_it in rules {
        for (wanted, found) in wanted.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            *found = left.iter().position(|known| is_it(wanted, known)).map(|at| left.remove(at));
        }
    }
    found
}

impl Wanted {
    /// Whether an existing chart equals the file's.
    fn is(&self, chart: &Chart) -> bool {
        chart.name == self.name && chart.connection == self.connection && chart.definition == self.definition
    }

    fn stays(&self, known: &Known) -> bool {
        known.place == self.place && self.is(&known.chart)
    }

    fn is_found(&self, known: &Known) -> bool {
        known.key.as_ref() == Some(&self.key)
    }

    fn is_called(&self, known: &Known) -> bool {
        known.key.is_some() && known.chart.name == self.name
    }
}

/// Updates the existing chart, or creates a new one. Returns its id.
async fn write(conn: &mut Conn<'_>, project: ProjectId, wanted: &Wanted, known: Option<&Known>) -> Result<ChartId> {
    let chart = |id: ChartId, version: i64| Chart {
        id,
        project,
        connection: wanted.connection,
        name: wanted.name.clone(),
        version,
        definition: wanted.definition.clone(),
    };
    let id = match known {
        Some(known) => {
            if !wanted.is(&known.chart) {
                charts::update(conn, &chart(known.chart.id, known.chart.version + 1)).await?;
            }
            known.chart.id
        }
        None => {
            let made = chart(ChartId::generate(), 1);
            charts::insert(conn, &made, charts::Origin::default()).await?;
            made.id
        }
    };
    match wanted.origin {
        Origin::Follows(of, version) => crate::concepts::charts::descends(conn, id, of, Some(version)).await?,
        Origin::Own(Some(of)) if known.and_then(|known| known.origin) != Some(of) => {
            crate::concepts::charts::descends(conn, id, of, None).await?;
        }
        Origin::Own(_) => {}
    }
    Ok(id)
}
