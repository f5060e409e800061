//! How each way is asked: by the functions that pages, the API and the assistant use.

use super::{
    judging::{Asked, Check},
    strangers::Scene,
    ways::Way,
};
use crate::{
    concepts::{
        applications,
        dashboards::{
            self, Dashboard, choices,
            data::{self, View},
        },
        usage::Counted,
    },
    ground::error::Result,
};
use futures::FutureExt;
use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType, Encoding},
    filter::FilterDefinition,
    page::Filters,
};
use inlay_query::{Freshness, Query, SecurityContext, Sees, questions_about};
use std::{collections::BTreeSet, sync::Arc};

/// How many rows of a table are asked for.
const MOST_ROWS: usize = 100;
/// How many values of a column are asked for.
const MOST_VALUES: u32 = 100;
/// How many columns of a table are asked for their values.
const MOST_COLUMNS: usize = 12;

impl Check {
    /// Asks by every way.
    pub async fn go(&mut self) -> Result<()> {
        for way in Way::ALL {
            if self.is_late() {
                self.note_late(*way);
                continue;
            }
            match way {
                Way::Table => self.tables().await,
                Way::RuleTest => self.rule_tests().await,
                Way::Chart | Way::DrillDown | Way::Workbook => self.charts(*way).await?,
                Way::ChartPreview => self.previews().await,
                Way::ModelQuery => self.models().await,
                Way::FilterValues => self.filter_values().await?,
                Way::Days => self.days().await?,
                Way::Page | Way::Report => self.dashboards(*way).await?,
                Way::Analyst | Way::AnalystValues => self.workspaces(*way).await?,
            }
        }
        Ok(())
    }

    async fn tables(&mut self) {
        let (app, today) = (self.app.clone(), self.today);
        for scene in self.scenes.clone() {
            let open = &scene.open;
            for (table, sees) in &scene.sees {
                let query = Query::first_rows(open.source.kind, table, MOST_ROWS, today);
                let ask = |context: SecurityContext| {
                    let (app, query) = (&app, &query);
                    async move {
                        let rows = data::ask(app, &open.source, &open.catalog, &context, query).await;
                        Ok(rows?.into_data())
                    }
                    .boxed()
                };
                let has_to_answer = *sees == Sees::NoRow;
                let place = scene.place(table);
                let asked = Asked { way: Way::Table, place: &place, scene: &scene, query: query.clone(), has_to_answer };
                self.rows(&asked, &ask).await;
            }
        }
    }

    async fn rule_tests(&mut self) {
        let app = self.app.clone();
        for scene in self.scenes.clone() {
            let open = &scene.open;
            for table in scene.sees.keys() {
                let ask = |context: SecurityContext| {
                    let app = &app;
                    async move {
                        let trial = app.engine.test_as(&open.source, &open.catalog, &context, table, MOST_ROWS).await?;
                        Ok(trial.rows.rows.len().max(usize::try_from(trial.count).unwrap_or(usize::MAX)))
                    }
                    .boxed()
                };
                self.list(Way::RuleTest, &scene.place(table), &scene, table, &ask).await;
            }
        }
    }

    async fn previews(&mut self) {
        let view = self.view(Vec::new());
        for scene in self.scenes.clone() {
            let source = &scene.open.source;
            for table in scene.ruled() {
                for sql in questions_about(source.kind, table) {
                    let definition = table_chart(&sql);
                    let ask = |context: SecurityContext| {
                        let (view, definition) = (View { context, ..view.clone() }, &definition);
                        async move { Ok(view.rows_of_draft(source.id, definition).await?.1.into_data()) }.boxed()
                    };
                    let (place, query) = (scene.place(table), Query::new(sql.clone(), self.today));
                    let asked = Asked { way: Way::ChartPreview, place: &place, scene: &scene, query, has_to_answer: true };
                    self.rows(&asked, &ask).await;
                }
            }
        }
    }

    /// The columns of each table with a rule, and those that dashboards filter by: the scene's number, the table, the column.
    async fn filtered_columns(&mut self) -> Result<BTreeSet<(usize, String, String)>> {
        let mut wanted = BTreeSet::new();
        for (number, scene) in self.scenes.clone().into_iter().enumerate() {
            for table in scene.ruled() {
                for column in self.columns(&scene, table).await.into_iter().take(MOST_COLUMNS) {
                    wanted.insert((number, table.clone(), column));
                }
            }
        }
        for dashboard in self.shared_dashboards().await? {
            for FilterDefinition { column, .. } in &dashboard.filters {
                for (number, scene) in self.scenes.iter().enumerate() {
                    if let Some((table, column)) = scene.open.column(column) {
                        wanted.insert((number, table.name.clone(), column.to_owned()));
                    }
                }
            }
        }
        Ok(wanted)
    }

    async fn days(&mut self) -> Result<()> {
        let (app, asked) = (self.app.clone(), (self.today, Freshness::default()));
        for (number, table, column) in self.filtered_columns().await? {
            let scene = Arc::clone(&self.scenes[number]);
            let open = &scene.open;
            let ask = |context: SecurityContext| {
                let (app, table, column) = (&app, &table, &column);
                async move {
                    let (first, last) = app.engine.ends(&open.source, &open.catalog, &context, table, column, asked).await?;
                    Ok([first, last].iter().filter(|end| !end.is_null()).count())
                }
                .boxed()
            };
            let place = format!("{}.{column}", scene.place(&table));
            self.list(Way::Days, &place, &scene, &table, &ask).await;
        }
        Ok(())
    }

    async fn filter_values(&mut self) -> Result<()> {
        let (app, today) = (self.app.clone(), self.today);
        for (number, table, column) in self.filtered_columns().await? {
            let scene = Arc::clone(&self.scenes[number]);
            let open = &scene.open;
            let ask = |context: SecurityContext| {
                let (app, table, column) = (&app, &table, &column);
                async move {
                    let place = (table.as_str(), column.as_str());
                    Ok(choices::of_column(app, open, &context, place, today, MOST_VALUES).await?.len())
                }
                .boxed()
            };
            let place = format!("{}.{column}", scene.place(&table));
            self.list(Way::FilterValues, &place, &scene, &table, &ask).await;
        }
        Ok(())
    }

    /// A view without filters, for whoever's properties are put into it. Nothing of it is counted as usage.
    pub(super) fn view(&self, own: Vec<FilterDefinition>) -> View {
        let nobody = SecurityContext::default();
        let (app, counted) = (self.app.clone(), Counted::NOBODY);
        View { app, own, context: nobody, filters: Filters::new(), today: self.today, refresh: false, stale: false, counted }
    }

    /// The visible columns of a table.
    pub(super) async fn columns(&self, scene: &Scene, table: &str) -> Vec<String> {
        let Ok(columns) = self.app.engine.describe(&scene.open.source, table).await else { return Vec::new() };
        let hidden = scene.listed.tables().iter().find(|listed| listed.name == table).map(|listed| &listed.hidden);
        let is_hidden = |name: &String| hidden.is_some_and(|hidden| hidden.iter().any(|one| one.eq_ignore_ascii_case(name)));
        columns.into_iter().map(|column| column.name).filter(|name| !is_hidden(name)).collect()
    }

    /// The shared dashboards of the project.
    pub(super) async fn shared_dashboards(&self) -> Result<Vec<Dashboard>> {
        let mut lease = self.app.db.read().await?;
        let conn = &mut lease.conn();
        let mut all = Vec::new();
        for application in applications::of_project(conn, self.project.id).await? {
            all.extend(dashboards::shared_of(conn, application.id).await?);
        }
        Ok(all)
    }
}

/// A table with this SQL, as the editor previews it.
fn table_chart(sql: &str) -> ChartDefinition {
    ChartDefinition {
        title: "Isolation check".to_owned(),
        kind: ChartType::Table,
        sql_override: Some(sql.to_owned()),
        encoding: Encoding::default(),
        options: serde_json::Map::new(),
        cache_seconds: None,
    }
}
