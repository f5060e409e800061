//! Checks of an edit before it is saved: its form, its queries, and the permissions that it needs.

use crate::{
    concepts::{
        access::caller::Reach,
        dashboards::{
            PlacedChart,
            described::{self, Described},
            prepared::PreparedChart,
            store,
            writer::Writer,
            writes::DashboardRef,
        },
    },
    ground::{
        error::{Error, Result},
        names,
        state::App,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    edit::{ChartEdit, DashboardEdit},
    ids::{ChartId, ConnectionId},
    permissions::Flag,
};

/// The maximum number of charts and of filters on a dashboard.
const MOST: usize = 500;

/// Checks what needs no store: the name, the number of charts and filters, positions on the grid, duplicate charts.
///
/// # Errors
/// 400 with the invalid field.
pub(super) fn form(edit: &DashboardEdit) -> Result<()> {
    super::name(&edit.name)?;
    if edit.tiles.len() > MOST || edit.filters.len() > MOST {
        return Err(Error::invalid("tiles", format!("must have at most {MOST} items")));
    }
    for (at, tile) in edit.tiles.iter().enumerate() {
        let chart = named(&tile.chart);
        tile.place().fits().map_err(|problem| Error::invalid(&format!("tiles[{at}]"), problem))?;
        if chart.is_some() && edit.tiles[..at].iter().any(|other| named(&other.chart) == chart) {
            return Err(Error::invalid(&format!("tiles[{at}].chart"), "is on the dashboard twice"));
        }
    }
    Ok(())
}

/// Checks the queries of an edit before anything is written.
///
/// # Errors
/// 404 for a chart or connection out of reach; 422 for SQL that can never run.
pub(super) async fn queries(app: &App, writer: &Writer, target: DashboardRef, edit: &DashboardEdit) -> Result<()> {
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
            // Their queries are stored.
            ChartEdit::Kept { .. } | ChartEdit::Picked { definition: None, .. } | ChartEdit::Restored { .. } => {}
        }
    }
    Ok(())
}

/// Checks one query.
pub(super) async fn query(app: &App, writer: &Writer, connection: ConnectionId, definition: &ChartDefinition) -> Result<()> {
    let prepared = PreparedChart::of_definition(app, connection, definition).await?;
    let within = matches!(writer.reach(), Reach::Project(project) if project == prepared.connection.project);
    if !within {
        return Err(Error::not_found("Connection"));
    }
    if definition.has_query() {
        prepared.checked(&app.engine).await?;
        prepared.is_readable()?;
    }
    Ok(())
}

/// The permissions that a chart of an edit needs, on a dashboard with these charts.
pub(super) fn flags_of(edit: &ChartEdit, there: &[PlacedChart]) -> Vec<Flag> {
    let sql = |definition: &ChartDefinition| definition.sql_override.as_ref().map(|_| Flag::CreateChartSql);
    match edit {
        ChartEdit::Kept { .. } => Vec::new(),
        ChartEdit::Picked { definition: None, .. } => vec![Flag::AddChart],
        ChartEdit::Restored { chart, .. } if there.iter().any(|placed| placed.chart.id == *chart) => vec![Flag::EditCharts],
        ChartEdit::Restored { .. } => vec![Flag::AddChart],
        ChartEdit::Picked { definition: Some(definition), .. } => {
            [Flag::AddChart, Flag::EditCharts].into_iter().chain(sql(definition)).collect()
        }
        ChartEdit::Changed { definition, .. } => [Flag::EditCharts].into_iter().chain(sql(definition)).collect(),
        ChartEdit::Made { definition, .. } => [Flag::CreateChart].into_iter().chain(sql(definition)).collect(),
        // The service wrote its SQL.
        ChartEdit::Described { .. } => vec![Flag::AiCharts],
    }
}

/// The dashboard's chart that an edit refers to.
pub(super) const fn named(edit: &ChartEdit) -> Option<ChartId> {
    match edit {
        ChartEdit::Kept { chart } | ChartEdit::Changed { chart, .. } | ChartEdit::Restored { chart, .. } => Some(*chart),
        ChartEdit::Picked { .. } | ChartEdit::Made { .. } | ChartEdit::Described { .. } => None,
    }
}

/// A key for a filter on a column: the column's name, with a number if it is taken.
pub(super) fn free_key(column: &str, taken: impl Fn(&str) -> bool) -> String {
    let name: String = column.rsplit('.').next().unwrap_or(column).chars().filter(char::is_ascii_alphanumeric).collect();
    let name = if name.is_empty() { "filter".to_owned() } else { name.to_ascii_lowercase() };
    names::first_free(name.clone(), |number| format!("{name}{number}"), taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_filter_is_named_after_its_column_and_never_like_another() {
        assert_eq!(free_key("warehouse.orders.Region name", |_| false), "regionname");
        assert_eq!(free_key("warehouse.orders.region", |key| key == "region" || key == "region2"), "region3");
        assert_eq!(free_key("warehouse.orders.\u{fc}", |_| false), "filter");
    }
}
