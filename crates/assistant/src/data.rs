//! The assistant's access to rows.

use async_trait::async_trait;
use chrono::NaiveDate;
pub use inlay_contract::model::{Assumed, AssumedTable};
use inlay_contract::{chart::question::Question, code::Code, data::ChartData, model::ModelQuery};
use serde_json::Value;

/// What decides which rows a viewer sees, as a SHA-256 hash: with equal ones, equal queries ask the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sight(pub [u8; 32]);

/// Reads rows for one viewer. An implementation applies the viewer's row rules, checks and limits.
#[async_trait]
pub trait Data: Send + Sync {
    /// Runs SQL.
    ///
    /// # Errors
    /// The checks or the source refused it. The message is safe to show to the viewer and to a model.
    async fn query(&self, sql: &str) -> Result<ChartData, DataError>;

    /// Answers a query of the semantic model, and where that does not suffice, of the model with what is assumed beside it. The query's
    /// totals are not asked for.
    ///
    /// # Errors
    /// The query has no meaning in the model of the tables in scope: the message names the field and what would work. Or as
    /// [`Data::query`].
    async fn query_model(&self, query: &ModelQuery, assumed: &Assumed) -> Result<ModelRows, DataError>;

    /// The distinct values of a column that the viewer sees, most frequent first, up to a limit.
    ///
    /// # Errors
    /// See [`Data::query`].
    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, DataError>;

    /// What decides which rows this viewer sees. `None` where nothing of them may be remembered.
    ///
    /// # Errors
    /// The viewer has lost access.
    async fn sight(&self) -> Result<Option<Sight>, DataError> {
        Ok(None)
    }

    /// The SQL of a question, with its conditions.
    ///
    /// # Errors
    /// The source cannot be asked this; [`DataError::unaskable`].
    fn sql_of(&self, question: &Question) -> Result<String, DataError>;

    /// The SQL that counts the different values of a column, and how many of them a key of another table has. Column and key are each
    /// a table and its column.
    ///
    /// # Errors
    /// As [`Data::sql_of`].
    fn containment(&self, column: (&str, &str), key: (&str, &str)) -> Result<String, DataError>;

    /// The period that the screen's filter on a time column shows, with access to the rows beyond it. `None` without such a filter.
    fn beyond_period(&self, _table: &str, _column: &str) -> Option<Beyond> {
        None
    }

    /// Asks a question.
    ///
    /// # Errors
    /// As [`Data::sql_of`] and [`Data::query`].
    async fn ask(&self, question: &Question) -> Result<Answer, DataError> {
        let sql = self.sql_of(question)?;
        let rows = self.query(&sql).await?;
        Ok(Answer { sql, rows })
    }
}

/// A period that the screen shows, and access to the rows of every period. All other filters stay.
pub struct Beyond {
    /// Its first day.
    pub from: Option<NaiveDate>,
    /// The day after its last.
    pub to: Option<NaiveDate>,
    /// The rows.
    pub data: Box<dyn Data>,
}

/// What comes of a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The SQL that asked.
    pub sql: String,
    /// The rows.
    pub rows: ChartData,
}

/// What a query of the semantic model answers.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRows {
    /// The rows.
    pub rows: ChartData,
    /// What was worked out, as a sentence.
    pub sentence: String,
    /// The SQL of the query, if it has a meaning only with what was assumed: a chart of it keeps the SQL, and any other the query.
    pub sql: Option<String>,
}

/// Why rows could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DataError {
    /// The error code.
    pub code: Code,
    /// A sentence without SQL, names of databases or values of rows.
    pub message: String,
}

impl DataError {
    /// A problem with this code and sentence.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A question that no SQL of a source asks.
    #[must_use]
    pub fn unaskable() -> Self {
        Self::new(Code::QueryFailed, "This question cannot be put to this database.")
    }
}
