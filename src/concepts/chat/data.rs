//! The assistant's access to rows, through the query engine.

use super::{data_scope::DataScope, guard::Guard};
use crate::ground::{
    error::{Code, Error},
    state::App,
};
use async_trait::async_trait;
use inlay_assistant::{Assumed, Beyond, Data, DataError, ModelRows, Sight};
use inlay_contract::{chart::question::Question, data::ChartData, model::ModelQuery};
use inlay_query::{Compiled, NoMeaning, QueryError, containment_sql, question_sql};
use serde_json::Value;
use std::sync::Arc;

/// The maximum number of rows of an answer in the chat.
const MOST_ROWS: usize = 5_000;
/// The maximum number of a column's values that a question is matched with.
const MOST_VALUES: usize = 500;

/// One viewer's rows.
pub struct Rows {
    app: App,
    data_scope: Arc<DataScope>,
}

impl Rows {
    /// The rows of a ground.
    pub const fn new(app: App, data_scope: Arc<DataScope>) -> Self {
        Self { app, data_scope }
    }
}

/// The rows that a viewer may see, for as long as they may see them.
pub(super) struct Guarded {
    guard: Guard,
    rows: Rows,
}

impl Guarded {
    pub(super) fn new(guard: Guard) -> Self {
        Self { rows: Rows::new(guard.app.clone(), Arc::clone(&guard.data_scope)), guard }
    }
}

#[async_trait]
impl Data for Guarded {
    async fn query(&self, sql: &str) -> Result<ChartData, DataError> {
        self.guard.check().await.map_err(|error| problem(&error))?;
        self.rows.query(sql).await
    }

    async fn query_model(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError> {
        self.guard.check().await.map_err(|error| problem(&error))?;
        self.rows.query_model(query, assumed).await
    }

    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, DataError> {
        self.rows.values(table, column).await
    }

    async fn sight(&self) -> Result<Option<Sight>, DataError> {
        self.guard.check().await.map_err(|error| problem(&error))?;
        self.rows.sight().await
    }

    fn sql_of(&self, question: &Question) -> Result<String, DataError> {
        self.rows.sql_of(question)
    }

    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError> {
        self.rows.containment(column, key)
    }

    fn beyond_period(&self, table: &str, column: &str) -> Option<Beyond> {
        let (days, data_scope) = self.rows.data_scope.beyond_period(table, column)?;
        let rows = Rows::new(self.rows.app.clone(), Arc::new(data_scope));
        let data = Box::new(Self { guard: self.guard.clone(), rows });
        Some(Beyond { from: days.from, to: days.to, data })
    }
}

/// An error in words that the viewer and the model may read. Details for the operator are logged.
fn problem(error: &Error) -> DataError {
    tracing::info!(code = error.code.as_str(), context = error.context, "a query of the chat failed");
    let message = match error.code {
        Code::QueryFailed => {
            "The query was refused. It has to be one SELECT over the tables and columns of the catalogue, with common functions."
        }
        _ => &error.message,
    };
    DataError::new(error.code, message)
}

#[async_trait]
impl Data for Rows {
    async fn query(&self, sql: &str) -> Result<ChartData, DataError> {
        let rows = self.data_scope.rows(&self.app, sql).await.map_err(|error| problem(&error))?;
        Ok(rows.first(MOST_ROWS))
    }

    async fn query_model(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError> {
        let refused = |why: NoMeaning| DataError::new(Code::QueryFailed, format!("{why}."));
        let narrowed = match self.data_scope.compiled(query) {
            Ok(narrowed) => narrowed,
            Err(why) if assumed.tables.is_empty() => return Err(refused(why)),
            Err(_) => return self.assuming(query, assumed).await,
        };
        let rows = self.data_scope.rows_of(&self.app, &narrowed).await.map_err(|error| match error.code {
            Code::QueryFailed => DataError::new(error.code, "The database could not answer this query of the semantic model."),
            _ => problem(&error),
        })?;
        let mut sentence = narrowed.compiled.sentence;
        if !narrowed.unreached.is_empty() {
            let tables = narrowed.unreached.into_iter().collect::<Vec<_>>().join(", ");
            sentence += &format!(" The screen's filters on {tables} do not narrow it.");
        }
        Ok(ModelRows { rows: rows.first(MOST_ROWS), sentence, sql: None })
    }

    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, DataError> {
        let DataScope { connection, catalog, context, today, .. } = &*self.data_scope;
        let found =
            self.app.engine.choices(&connection.source, catalog, context, table, column, &[], *today, MOST_VALUES).await;
        let choices = found.map_err(|refused| problem(&refused.into()))?;
        Ok(choices.into_iter().map(|choice| choice.value).collect())
    }

    async fn sight(&self) -> Result<Option<Sight>, DataError> {
        let may = self.app.engine.remembers(&self.data_scope.connection.source);
        Ok(may.then(|| self.data_scope.sight()))
    }

    fn sql_of(&self, question: &Question) -> Result<String, DataError> {
        question_sql(self.data_scope.connection.source.kind, question).map_err(|refused| unaskable(&refused))
    }

    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError> {
        containment_sql(self.data_scope.connection.source.kind, column, key).map_err(|refused| unaskable(&refused))
    }
}

impl Rows {
    /// The rows of a query that the semantic model alone does not answer. The dashboard's filters hold in each of its tables.
    async fn assuming(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError> {
        let refused = |why: NoMeaning| DataError::new(Code::QueryFailed, format!("{why}."));
        let Compiled { sql, sentence, .. } = self.data_scope.compiled_assuming(query, assumed).map_err(refused)?;
        let rows = self.data_scope.rows(&self.app, &sql).await.map_err(|error| problem(&error))?;
        Ok(ModelRows { rows: rows.first(MOST_ROWS), sentence, sql: Some(sql) })
    }
}

/// A question that no SQL asks.
fn unaskable(refused: &QueryError) -> DataError {
    tracing::info!(detail = refused.detail(), "a question of the analyst cannot be asked");
    DataError::unaskable()
}
