//! What is looked at before an edit is saved: its form, its queries, and what it needs of the role.

use crate::{
    concepts::{
        access::caller::Reach,
        dashboards::{
            described::{self, Described},
            prepared::PreparedChart,
            store,
            writer::Writer,
            writes::Named,
        },
    },
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    edit::{ChartEdit, DashboardEdit},
    ids::{ChartId, ConnectionId},
    permissions::Flag,
};

/// The most charts and filters on a dashboard.
const MOST: usize = 500;

/// Looks at what needs no store: the name, the number of parts, places on the grid, charts that stand there twice.
///
/// # Errors
/// 400 with the part that is wrong.
pub(super) fn form(edit: &DashboardEdit) -> Result<()> {
    super::name(&edit.name)?;
    if edit.tiles.len() > MOST || edit.filters.len() > MOST {
        return Err(Error::invalid("tiles", format!("must be at most {MOST}")));
    }
    for (at, tile) in edit.tiles.iter().enumerate() {
        let chart = named(&tile.chart);
        tile.place().fits().map_err(|problem| Error::invalid(&format!("tiles[{at}]"), problem))?;
        if chart.is_some() && edit.tiles[..at].iter().any(|other| named(&other.chart) == chart) {
            return Err(Error::invalid(&format!("tiles[{at}].chart"), "stands on the dashboard twice"));
        }
    }
    Ok(())
}

/// Looks at the queries that an edit brings before anything is written.
///
/// # Errors
/// 404 for a chart or connection out of reach; 422 for SQL that could never run.
pub(super) async fn queries(app: &App, writer: &Writer, target: Named, edit: &DashboardEdit) -> Result<()> {
    let there = store::charts_on(&mut app.db.read().await?.conn(), target.dashboard).await?;
    for tile in &edit.tiles {
        match &tile.chart {
            ChartEdit::Made { connection, definition } => query(app, writer, *connection, definition).await?,
            ChartEdit::Changed { chart, definition } => {
                if let Some(placed) = there.iter().find(|placed| placed.chart.id == *chart) {
                    query(app, writer, placed.chart.connection, definition).await?;
                }
            }
            ChartEdit::Picked { chart: id, definition: Some(definition) } => {
                let dashboard = store::find(&mut app.db.read().await?.conn(), target.dashboard).await?;
                let dashboard = dashboard.ok_or_else(|| Error::not_found("Dashboard"))?;
                let picked = super::chart(app, writer, &dashboard, *id).await?;
                query(app, writer, picked.connection, definition).await?;
            }
            ChartEdit::Described { sealed } => {
                let Described { connection, definition } = described::open(app, writer, sealed)?;
                query(app, writer, connection, &definition).await?;
            }
            ChartEdit::Kept { .. } | ChartEdit::Picked { definition: None, .. } => {}
        }
    }
    Ok(())
}

/// Looks at one query.
///
/// # Errors
/// As [`queries`].
pub(super) async fn query(app: &App, writer: &Writer, connection: ConnectionId, definition: &ChartDefinition) -> Result<()> {
    let prepared = PreparedChart::of_definition(app, connection, definition).await?;
    let within = matches!(writer.reach(), Reach::Project(project) if project == prepared.connection.project);
    if !within {
        return Err(Error::not_found("Connection"));
    }
    if definition.sql_override.is_some() || definition.question().is_some() {
        prepared.checked(&app.engine).await?;
        prepared.shape()?;
    }
    Ok(())
}

/// What a chart of an edit needs of the role.
pub(super) fn flags_of(edit: &ChartEdit) -> Vec<Flag> {
    let sql = |definition: &ChartDefinition| definition.sql_override.as_ref().map(|_| Flag::CreateChartSql);
    match edit {
        ChartEdit::Kept { .. } => Vec::new(),
        ChartEdit::Picked { definition: None, .. } => vec![Flag::AddChart],
        ChartEdit::Picked { definition: Some(definition), .. } => {
            [Flag::AddChart, Flag::EditCharts].into_iter().chain(sql(definition)).collect()
        }
        ChartEdit::Changed { definition, .. } => [Flag::EditCharts].into_iter().chain(sql(definition)).collect(),
        ChartEdit::Made { definition, .. } => [Flag::CreateChart].into_iter().chain(sql(definition)).collect(),
        // Its SQL was written by the service.
        ChartEdit::Described { .. } => vec![Flag::AiCharts],
    }
}

/// The chart of the dashboard that an edit means.
pub(super) const fn named(edit: &ChartEdit) -> Option<ChartId> {
    match edit {
        ChartEdit::Kept { chart } | ChartEdit::Changed { chart, .. } => Some(*chart),
        ChartEdit::Picked { .. } | ChartEdit::Made { .. } | ChartEdit::Described { .. } => None,
    }
}
