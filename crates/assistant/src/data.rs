//! The assistant's access to rows.

use async_trait::async_trait;
use inlay_contract::{code::Code, data::ChartData};
use serde_json::Value;

/// Reads rows for one viewer. An implementation applies the viewer's row rules, checks and limits.
#[async_trait]
pub trait Data: Send + Sync {
    /// Runs SQL.
    ///
    /// # Errors
    /// The checks or the source refused it. The message is safe to show to the viewer and to a model.
    async fn query(&self, sql: &str) -> Result<ChartData, Problem>;

    /// The distinct values of a column that the viewer sees, most frequent first, up to a limit.
    ///
    /// # Errors
    /// See [`Data::query`].
    async fn values(&self, table: &str, column: &str) -> Result<Vec<Value>, Problem>;
}

/// Why rows could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Problem {
    /// The error code.
    pub code: Code,
    /// A sentence without SQL, names of databases or values of rows.
    pub message: String,
}

impl Problem {
    /// A problem with this code and sentence.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
