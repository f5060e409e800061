//! How charts are asked: one by one, the rows behind them, as files, and together on dashboards.

use super::{
    judging::{Asked, Check},
    strangers::Scene,
    ways::Way,
};
use crate::{
    concepts::{
        charts::{self, Chart},
        dashboards::{self, Narrowed, data::View, prepared::PreparedChart},
    },
    flows::viewing::{export, tiles},
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use futures::FutureExt;
use inlay_contract::{
    chart::definition::ChartDefinition,
    code::WireCode,
    ids::ChartId,
    model::ModelOrder,
    page::{Filters, TileContent},
};
use inlay_query::{Listing, Query, SecurityContext, Today};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

/// How many charts are read from the store at a time.
const AT_A_TIME: i64 = 100;
/// How many rows behind a mark are asked for.
const MOST_ROWS: u32 = 100;
/// How long a chart of a report may take beyond the time limit of a query.
const PATIENCE: Duration = Duration::from_secs(60);

impl Check {
    /// Every chart of the project: of its library, of shared dashboards, of users' dashboards, put by.
    pub(super) async fn charts(&mut self, way: Way) -> Result<()> {
        let (mut after, mut met) = (None::<ChartId>, BTreeSet::new());
        loop {
            let part = {
                let mut lease = self.app.db.read().await?;
                charts::part_of_project(&mut lease.conn(), self.project.id, after, AT_A_TIME).await?
            };
            let Some(last) = part.last() else { return Ok(()) };
            after = Some(last.id);
            for chart in part {
                if self.is_late() {
                    self.note_late(way);
                    return Ok(());
                }
                // The same query gives the same answer on each dashboard.
                let ChartDefinition { sql_override, options, .. } = &chart.definition;
                let asked = ["question", "query"].map(|key| options.get(key).map(ToString::to_string));
                let query = (chart.connection, sql_override.clone(), asked);
                if met.insert(query) {
                    self.chart(way, &chart).await?;
                }
            }
        }
    }

    async fn chart(&mut self, way: Way, chart: &Chart) -> Result<()> {
        let Some(scene) = self.scene(chart.connection) else { return Ok(()) };
        let prepared = PreparedChart::of(&self.app, chart).await;
        let query = match &prepared {
            Ok(prepared) => query_of(&self.app, prepared, self.today).await,
            Err(problem) => Err(Error::new(problem.code, problem.message.clone())),
        };
        let (prepared, query) = match (prepared, query) {
            (Ok(prepared), Ok(Some(query))) => (prepared, query),
            (_, Err(problem)) => {
                self.note_problem(way, &chart.name, &scene, &problem);
                return Ok(());
            }
            _ => return Ok(()),
        };
        match way {
            Way::DrillDown => self.behind(chart, &prepared, &scene, &query).await,
            Way::Workbook => self.workbook(chart, &scene, &query).await,
            _ => {
                let view = self.view(Vec::new());
                let ask = |context: SecurityContext| {
                    let view = View { context, ..view.clone() };
                    async move { Ok(view.rows(chart).await?.into_data()) }.boxed()
                };
                let asked = Asked { way, place: &chart.name, scene: &scene, query, has_to_answer: false };
                self.rows(&asked, &ask).await;
            }
        }
        Ok(())
    }

    /// The rows behind all marks of a chart together, and their breakdown by the first column.
    async fn behind(&mut self, chart: &Chart, prepared: &Arc<PreparedChart>, scene: &Arc<Scene>, query: &Query) {
        let Ok(Some(shape)) = prepared.shape(self.today, &Narrowed::default()) else { return };
        let mut asked_for = vec![shape.all(MOST_ROWS)];
        if let Some(table) = shape.table() {
            let names = self.columns(scene, table).await;
            if let Some(first) = names.first() {
                let order = ModelOrder { by: first.clone(), descending: true };
                let (rows, by) = (Listing::Rows(&names), Listing::By(first));
                asked_for = vec![
                    shape.list(rows, Some(&order), &[], MOST_ROWS),
                    shape.count(rows),
                    shape.by(first, MOST_ROWS),
                    shape.list(by, Some(&order), &[], MOST_ROWS),
                    shape.count(by),
                ];
            }
        }
        let view = self.view(Vec::new());
        for sql in asked_for {
            let ask = |context: SecurityContext| {
                let (view, sql) = (View { context, ..view.clone() }, sql.clone());
                async move { Ok(view.rows_behind(chart.id, prepared, sql, Vec::new()).await?.into_data()) }.boxed()
            };
            let query = Query { sql: sql.clone(), max_age: None, ..query.clone() };
            let asked = Asked { way: Way::DrillDown, place: &chart.name, scene, query, has_to_answer: false };
            self.rows(&asked, &ask).await;
        }
    }

    /// The rows of which a workbook is made, with the workbook.
    async fn workbook(&mut self, chart: &Chart, scene: &Arc<Scene>, query: &Query) {
        let (app, view) = (self.app.clone(), self.view(Vec::new()));
        let ask = |context: SecurityContext| {
            let (app, view) = (&app, View { context, ..view.clone() });
            async move {
                let rows = view.rows(chart).await?;
                export::book(app, chart.name.clone(), rows.clone(), Some(chart.definition.clone()), "en").await?;
                Ok(rows.into_data())
            }
            .boxed()
        };
        let asked = Asked { way: Way::Workbook, place: &chart.name, scene, query: query.clone(), has_to_answer: false };
        self.rows(&asked, &ask).await;
    }

    /// The charts of each shared dashboard together. Those of a report are read anew.
    pub(super) async fn dashboards(&mut self, way: Way) -> Result<()> {
        for dashboard in self.shared_dashboards().await? {
            let placed = dashboards::charts_on(&mut self.app.db.read().await?.conn(), dashboard.id).await?;
            for stranger in 0..self.strangers.len() {
                if self.is_late() {
                    self.note_late(way);
                    return Ok(());
                }
                let scenes = placed.iter().filter_map(|placed| self.scene(placed.chart.connection));
                let token =
                    scenes.map(|scene| scene.context(&self.strangers[stranger]).database_auth_token).find(Option::is_some);
                let context = SecurityContext { database_auth_token: token.flatten(), ..self.strangers[stranger].clone() };
                let view = View { context, refresh: way == Way::Report, ..self.view(dashboard.filters.clone()) };
                let wait = Duration::from_secs(self.app.settings.limits.query_timeout_seconds) + PATIENCE;
                let shown = match way {
                    Way::Report => tiles::gather_within(view, dashboard.id, None, wait).await?,
                    _ => tiles::gather(view, dashboard.id, None).await?,
                };
                for placed in &placed {
                    let Some(tile) = shown.iter().find(|tile| tile.id == placed.chart.id) else { continue };
                    let place = format!("{} / {}", dashboard.name, placed.chart.name);
                    self.tile(way, stranger, &place, &placed.chart, &tile.content).await;
                }
            }
        }
        Ok(())
    }

    async fn tile(&mut self, way: Way, stranger: usize, place: &str, chart: &Chart, content: &TileContent) {
        let Some(scene) = self.scene(chart.connection) else { return };
        let Ok(prepared) = PreparedChart::of(&self.app, chart).await else { return };
        let Ok(Some(query)) = query_of(&self.app, &prepared, self.today).await else { return };
        let view = self.view(Vec::new());
        let first = Mutex::new(Some(content.clone()));
        let ask = |context: SecurityContext| {
            let (view, first) = (View { context, refresh: true, ..view.clone() }, &first);
            async move {
                let shown = first.lock().unwrap_or_else(PoisonError::into_inner).take();
                match shown {
                    Some(TileContent::Ready { data }) => Ok(data),
                    Some(TileContent::Failed { problem }) => Err(failed(&problem.code)),
                    // The page asks again.
                    Some(TileContent::Loading) | None => Ok(view.rows(chart).await?.into_data()),
                }
            }
            .boxed()
        };
        let asked = Asked { way, place, scene: &scene, query, has_to_answer: false };
        self.rows_as(stranger, &asked, &ask).await;
    }
}

/// The query of a chart without filters. `None` for a text chart.
async fn query_of(app: &App, prepared: &PreparedChart, today: Today) -> Result<Option<Query>> {
    let Some(asks) = prepared.asks(&app.engine).await? else { return Ok(None) };
    let narrowed = prepared.narrowed(&app.engine, &[], &Filters::new()).await?;
    let sql = asks.sql(today, &narrowed)?;
    let compiled = prepared.is_by_meaning();
    Ok(Some(Query { filters: narrowed.filters, max_age: asks.max_age, compiled, ..Query::new(&*sql, today) }))
}

/// The error of a tile.
fn failed(code: &WireCode) -> Error {
    let away = [Code::SourceUnavailable, Code::QueryTimeout, Code::Unavailable, Code::StoreUnavailable, Code::Internal];
    let found = away.into_iter().find(|known| *code == *known).unwrap_or(Code::QueryFailed);
    Error::new(found, "The chart failed.")
}
