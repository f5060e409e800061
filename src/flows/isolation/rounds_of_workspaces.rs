//! How the analyst and language models ask in a workspace.

use super::{
    judging::{Asked, Check},
    rounds_of_models::{MOST_QUERIES, queries},
    ways::Way,
};
use crate::{
    concepts::{
        catalog::modelled,
        chat::{DataScope, DataScopeParts, Rows, ViewerLocale},
        projects::Project,
        workspaces::{self, WorkspaceSettings},
    },
    ground::{
        error::{Error, Result},
        state::App,
    },
};
use futures::FutureExt;
use inlay_assistant::{Assumed, Data, DataError, WrittenQuery};
use inlay_contract::{ids::ConnectionId, model::ModelQuery};
use inlay_query::{Query, SecurityContext, compile, questions_about};
use std::sync::Arc;

/// How many columns of a table are asked for their values.
const MOST_COLUMNS: usize = 6;
/// The most rows of a query of the semantic model.
const MOST_ROWS: u32 = 1_000;

/// A workspace, for any viewer.
struct Desk {
    app: App,
    project: Arc<Project>,
    name: String,
    connection: ConnectionId,
    settings: WorkspaceSettings,
}

impl Desk {
    /// The rows of a viewer with these properties.
    async fn rows(&self, context: SecurityContext) -> Result<Rows> {
        let viewer_locale = &ViewerLocale::default();
        let (name, connection, settings) = (self.name.clone(), self.connection, self.settings.clone());
        let parts = DataScopeParts { name, project: &self.project, connection, settings, context, viewer_locale };
        Ok(Rows::new(self.app.clone(), Arc::new(DataScope::open(&self.app, parts).await?)))
    }
}

fn refused(problem: DataError) -> Error {
    Error::new(problem.code, problem.message)
}

impl Check {
    /// Asks in each workspace, in the version in production or else the newest.
    pub(super) async fn workspaces(&mut self, way: Way) -> Result<()> {
        let all = workspaces::latest_versions(&mut self.app.db.read().await?.conn(), self.project.id).await?;
        for workspace in all {
            let version = workspaces::production(&mut self.app.db.read().await?.conn(), workspace.id).await?;
            let newest = (workspace.connection, workspace.settings);
            let (connection, settings) = version.map_or(newest, |version| (version.connection, version.settings));
            let (app, project, name) = (self.app.clone(), Arc::clone(&self.project), workspace.name);
            let desk = Desk { app, project, name, connection, settings };
            if way == Way::AnalystValues {
                self.values(&desk).await;
            } else {
                self.questions(&desk).await;
                self.numbers(&desk).await;
            }
        }
        Ok(())
    }

    async fn questions(&mut self, desk: &Desk) {
        let Some(scene) = self.scene(desk.connection) else { return };
        let kind = scene.open.source.kind;
        let about = |table: &String| questions_about(kind, table).into_iter().map(|sql| (sql, true)).collect::<Vec<_>>();
        let of_tables = scene.ruled().filter(|table| desk.settings.covers(table)).flat_map(about);
        let of_examples = desk.settings.examples.iter().filter_map(|example| match &example.query {
            WrittenQuery::Sql(sql) => Some((sql.clone(), false)),
            WrittenQuery::Model(_) => None,
        });
        for (sql, has_to_answer) in of_tables.chain(of_examples) {
            let ask = |context: SecurityContext| {
                let sql = &sql;
                async move { desk.rows(context).await?.query(sql).await.map_err(refused) }.boxed()
            };
            let query = Query::new(sql.clone(), self.today);
            let asked = Asked { way: Way::Analyst, place: &desk.name, scene: &scene, query, has_to_answer };
            self.rows(&asked, &ask).await;
        }
    }

    /// The numbers of the semantic model in scope, as language models ask for them.
    async fn numbers(&mut self, desk: &Desk) {
        let Some(scene) = self.scene(desk.connection) else { return };
        let kind = scene.open.source.kind;
        let model = modelled(scene.open.tables.iter().filter(|table| desk.settings.covers(&table.name)), &self.project.metrics);
        let of_examples = desk.settings.examples.iter().filter_map(|example| match &example.query {
            WrittenQuery::Model(query) => Some((format!("example “{}”", example.question), (**query).clone())),
            WrittenQuery::Sql(_) => None,
        });
        for (place, query) in of_examples.chain(queries(&scene, &model)).take(MOST_QUERIES) {
            let query = ModelQuery { limit: Some(MOST_ROWS), ..query };
            // A metric of measures out of scope has no meaning here.
            let Ok(compiled) = compile(kind, &model, &query, self.today.day) else { continue };
            let ask = |context: SecurityContext| {
                let query = &query;
                async move { Ok(desk.rows(context).await?.query_model(query, &Assumed::default()).await.map_err(refused)?.rows) }.boxed()
            };
            let place = format!("{}: {place}", desk.name);
            let query = Query::compiled(compiled.sql, self.today);
            let asked = Asked { way: Way::Analyst, place: &place, scene: &scene, query, has_to_answer: false };
            self.rows(&asked, &ask).await;
        }
    }

    async fn values(&mut self, desk: &Desk) {
        let Some(scene) = self.scene(desk.connection) else { return };
        for table in scene.ruled().filter(|table| desk.settings.covers(table)) {
            for column in self.columns(&scene, table).await.into_iter().take(MOST_COLUMNS) {
                let ask = |context: SecurityContext| {
                    let column = &column;
                    async move { Ok(desk.rows(context).await?.values(table, column).await.map_err(refused)?.len()) }.boxed()
                };
                let place = format!("{}: {}.{column}", desk.name, scene.place(table));
                self.list(Way::AnalystValues, &place, &scene, table, &ask).await;
            }
        }
    }
}
