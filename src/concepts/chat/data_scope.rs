//! What a viewer can ask about: tables of one connection, and the viewer's own rows of them.

use super::modelled;
use crate::{
    concepts::{
        catalog::{CatalogTable, ColumnSettings},
        connections::{self, ForeignKey, OpenConnection},
        dashboards::data,
        projects::Project,
        verified_answers,
        workspaces::{self, WorkspaceSettings},
    },
    ground::{error::Result, state::App, store::holding::watched},
};
use chrono::NaiveDate;
use futures::future::join_all;
use inlay_assistant::{ColumnModel, Example, Scope, Sight, TableModel};
use inlay_contract::{
    filter::{FilterValue, Scalar},
    ids::{ConnectionId, WorkspaceId},
};
use inlay_query::{Answered, Catalog, Filter, Model, Query, RowAccess, SecurityContext, SourceKindExt as _, Today};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// How many rows of a table are read to describe its columns.
const SAMPLE: usize = 100;

/// The viewer's time zone and language, from the request.
#[derive(Clone, Debug, Default)]
pub struct ViewerLocale {
    /// IANA name of the viewer's time zone.
    pub timezone: Option<String>,
    /// BCP 47 language tag.
    pub locale: Option<String>,
}

/// The days that a filter on a time column shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Days {
    /// The first one.
    pub(super) from: Option<NaiveDate>,
    /// The one after the last.
    pub(super) to: Option<NaiveDate>,
}

impl Days {
    /// `None` for a filter that lists values, or is on other values than days.
    fn of(value: &FilterValue, today: NaiveDate) -> Option<Self> {
        let day = |scalar: &Scalar| match scalar {
            Scalar::Text(text) => text.get(..10).and_then(|day| day.parse::<NaiveDate>().ok()),
            _ => None,
        };
        match value {
            FilterValue::AnyOf(_) => None,
            FilterValue::Relative(period) => {
                let (from, to) = period.days(today);
                Some(Self { from: Some(from), to: Some(to) })
            }
            FilterValue::Range { from, to } => {
                let days = Self { from: from.as_ref().and_then(day), to: to.as_ref().and_then(day) };
                (days.from.is_some() || days.to.is_some()).then_some(days)
            }
        }
    }
}

/// What one viewer can ask about.
#[derive(Clone)]
pub struct DataScope {
    /// The name of the workspace or dashboard.
    pub name: String,
    /// The connection that queries run on.
    pub connection: Arc<OpenConnection>,
    /// The viewer's current day.
    pub today: Today,
    /// IANA name of that day's time zone.
    pub timezone: String,
    /// BCP 47 language tag, for numbers in sentences.
    pub locale: String,
    /// Instructions, examples, the tables in scope.
    settings: WorkspaceSettings,
    /// The tables in scope, with their row rules.
    pub catalog: Catalog,
    /// The semantic model of these tables.
    pub(super) model: Model,
    /// The values that the row rules read.
    pub context: SecurityContext,
    /// The workspace whose verified answers are used. `None` on dashboards.
    workspace: Option<WorkspaceId>,
    /// Conditions on every table: the filters of the dashboard on the viewer's screen.
    pub(super) filters: Vec<Filter>,
}

/// The inputs of a ground.
pub struct DataScopeParts<'a> {
    /// The name of the workspace or dashboard.
    pub name: String,
    /// The project.
    pub project: &'a Project,
    /// The connection that queries run on.
    pub connection: ConnectionId,
    /// Instructions, examples, the tables in scope.
    pub settings: WorkspaceSettings,
    /// The values that row rules read.
    pub context: SecurityContext,
    /// The viewer's time zone and language.
    pub viewer_locale: &'a ViewerLocale,
}

impl DataScope {
    /// Opens a connection for questions.
    ///
    /// # Errors
    ///
    /// 404 when the connection is deleted.
    pub async fn open(app: &App, parts: DataScopeParts<'_>) -> Result<Self> {
        let DataScopeParts { name, project, connection, settings, context, viewer_locale } = parts;
        let connection = connections::open(app, connection).await?;
        let timezone = viewer_locale.timezone.clone().filter(|zone| zone.parse::<chrono_tz::Tz>().is_ok());
        Ok(Self {
            name,
            today: data::today(timezone.as_deref(), project),
            timezone: timezone.unwrap_or_else(|| project.timezone.clone()),
            locale: viewer_locale.locale.clone().unwrap_or_else(|| project.locale.clone()),
            catalog: in_scope(&connection, &settings),
            model: modelled::model_in_scope(&connection, &settings),
            connection,
            settings,
            context,
            workspace: None,
            filters: Vec::new(),
        })
    }

    /// The same, with the verified answers of a workspace.
    #[must_use]
    pub const fn of_workspace(mut self, id: WorkspaceId) -> Self {
        self.workspace = Some(id);
        self
    }

    /// The same, narrowed by conditions on its tables.
    #[must_use]
    pub fn narrowed(mut self, filters: Vec<Filter>) -> Self {
        self.filters = filters;
        self
    }

    /// The days that the screen's filter on a time column shows, and the same ground without that filter. `None` without one.
    pub(super) fn beyond_period(&self, table: &str, column: &str) -> Option<(Days, Self)> {
        let kind = self.connection.source.kind;
        let shown = |filter: &Filter| {
            let is_it = filter.table == table && kind.same_name(&filter.column, column);
            is_it.then(|| Days::of(&filter.value, self.today.day)).flatten()
        };
        let days = self.filters.iter().find_map(shown)?;
        let filters = self.filters.iter().filter(|filter| shown(filter).is_none()).cloned().collect();
        Some((days, Self { filters, ..self.clone() }))
    }

    /// A key of everything that decides which rows the viewer sees. Rows that were read under another key are not shown again.
    pub fn data_key(&self) -> String {
        let mut hash = Sha256::new();
        let SecurityContext { organization, user, database_auth_token, share: _ } = &self.context;
        let context = json!([self.connection.source.id, organization, user, database_auth_token]).to_string();
        for part in [context, format!("{:?}", self.catalog)] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
        hex::encode(hash.finalize())
    }

    /// A key of everything that a query depends on beside its own text: the rights, the screen's filters, and the viewer's day.
    pub(super) fn sight(&self) -> Sight {
        let narrowed = format!("{:?}", (&self.filters, self.today));
        Sight(Sha256::new().chain_update(self.data_key()).chain_update(narrowed).finalize().into())
    }

    /// Whether tables, their rules and the values that the rules read are unchanged.
    pub async fn is_as_before(&self, app: &App, context: &SecurityContext) -> Result<bool> {
        let connection = connections::open(app, self.connection.source.id).await?;
        Ok(*context == self.context && in_scope(&connection, &self.settings) == self.catalog)
    }

    /// Runs SQL through the query engine, with this viewer's row rules and only on the tables in scope.
    ///
    /// # Errors
    /// 422, 503 or 504. The message reveals nothing of the database.
    pub async fn rows(&self, app: &App, sql: &str) -> Result<Answered> {
        self.run(app, Query { filters: self.filters.clone(), ..Query::new(sql, self.today) }).await
    }

    pub(super) async fn run(&self, app: &App, query: Query) -> Result<Answered> {
        Ok(data::ask(app, &self.connection.source, &self.catalog, &self.context, &query).await?)
    }

    /// The part of the catalogue that this viewer may know: tables that they can read, columns that are not hidden.
    ///
    /// # Errors
    /// The first table's error when no table can be read.
    pub async fn assistant_scope(&self, app: &App) -> Result<Scope> {
        let readable = self.catalog.tables().iter().filter(|table| table.rows != RowAccess::Nothing);
        let named = |name: &String| self.connection.tables.iter().find(|table| table.name == *name);
        // Several are asked at the same time, each with a connection of its own where answers are shared.
        let models = readable.filter_map(|table| named(&table.name)).map(|table| watched(self.table(app, table)));
        let (mut tables, mut problem) = (Vec::new(), None);
        let (models, keys) = tokio::join!(join_all(models), self.connection.foreign_keys(app));
        for model in models {
            match model {
                Ok(model) => tables.push(model),
                Err(refused) => problem = problem.or(Some(refused)),
            }
        }
        if let Some(problem) = problem.filter(|_| tables.is_empty()) {
            return Err(problem);
        }
        refer(&mut tables, keys);
        let verified = match self.workspace {
            Some(id) => verified_answers::usable(&mut app.db.read().await?.conn(), id).await?,
            None => Vec::new(),
        };
        let example =
            |example: &workspaces::Example| Example { question: example.question.clone(), query: example.query.clone() };
        Ok(Scope {
            workspace: self.name.clone(),
            dialect: self.connection.source.kind,
            tables,
            instructions: self.settings.instructions.clone(),
            example_questions: self.settings.example_questions.clone(),
            examples: self.settings.examples.iter().map(example).collect(),
            model: self.semantic_model(),
            model_only: self.settings.model_only,
            verified,
        })
    }

    /// A table with its columns, described by some of the viewer's own rows: databases store dates as text, and the query
    /// engine removes hidden columns. The dashboard's filters are not applied, because they might leave too few rows.
    async fn table(&self, app: &App, table: &CatalogTable) -> Result<TableModel> {
        let first = Query::first_rows(self.connection.source.kind, &table.name, SAMPLE, self.today);
        let sample = self.run(app, first).await?;
        let column = |column: inlay_contract::data::Column| {
            let settings = table.columns.get(&column.name).cloned().unwrap_or_default();
            let ColumnSettings { label, description, synonyms, terms, references, hidden } = settings;
            let (name, kind) = (column.name, column.kind);
            (!hidden).then_some(ColumnModel { name, label, description, synonyms, kind, terms, references })
        };
        Ok(TableModel {
            name: table.name.clone(),
            label: table.label.clone(),
            description: table.description.clone(),
            synonyms: table.synonyms.clone(),
            columns: sample.table().columns.iter().cloned().filter_map(column).collect(),
        })
    }
}

/// Adds the references that the database declares where the catalogue says nothing.
fn refer(tables: &mut [TableModel], keys: &[ForeignKey]) {
    for table in tables {
        for column in table.columns.iter_mut().filter(|column| column.references.is_none()) {
            let key = keys.iter().find(|key| key.table == table.name && key.column == column.name);
            column.references = key.map(|key| key.references.clone());
        }
    }
}

/// The tables of a connection that questions may be about.
pub(super) fn in_scope(connection: &OpenConnection, settings: &WorkspaceSettings) -> Catalog {
    let asked = connection.tables.iter().filter(|table| settings.covers(&table.name));
    Catalog::new(asked.map(CatalogTable::as_queried).collect())
}
