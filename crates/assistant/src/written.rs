//! A query that a person wrote or checked, in either of the two languages that questions are answered in.

use crate::{
    data::{Assumed, Data, DataError},
    scope::Scope,
};
use inlay_contract::{data::ChartData, model::ModelQuery};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// SQL, or a query of the semantic model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WrittenQuery {
    /// SQL in the source's dialect.
    Sql(String),
    /// A query of the semantic model.
    Model(Box<ModelQuery>),
}

impl WrittenQuery {
    /// The query of a text: JSON is one of the semantic model, anything else SQL.
    ///
    /// # Errors
    /// JSON that is not a query of the model, as the end of a sentence about the text.
    pub fn read(text: &str) -> Result<Self, String> {
        if !text.starts_with('{') {
            return Ok(Self::Sql(text.to_owned()));
        }
        let query = serde_json::from_str(text).map_err(|problem| format!("is not a query of the semantic model: {problem}"))?;
        Ok(Self::Model(Box::new(query)))
    }

    /// The text that [`WrittenQuery::read`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Sql(sql) => sql.clone(),
            Self::Model(query) => serde_json::to_string_pretty(query).unwrap_or_default(),
        }
    }

    /// Whether a language model may use it in a scope.
    pub(crate) const fn is_usable(&self, scope: &Scope) -> bool {
        match self {
            Self::Sql(_) => !scope.model_only,
            Self::Model(_) => scope.model.is_some(),
        }
    }

    /// It as the answer to a question, for a prompt.
    pub(crate) fn as_example(&self, question: &str) -> Value {
        match self {
            Self::Sql(sql) => json!({"question": question, "sql": sql}),
            Self::Model(query) => json!({"question": question, "query": query}),
        }
    }

    /// Its rows.
    ///
    /// # Errors
    /// The checks or the source refused it.
    pub(crate) async fn rows(&self, data: &dyn Data) -> Result<ChartData, DataError> {
        match self {
            Self::Sql(sql) => data.query(sql).await,
            Self::Model(query) => data.query_model(query, &Assumed::default()).await.map(|answer| answer.rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_from_its_text() {
        let sql = "select count(*) from orders";
        assert_eq!(WrittenQuery::read(sql), Ok(WrittenQuery::Sql(sql.to_owned())));
        let model = WrittenQuery::read(r#"{"measures": ["revenue"]}"#).expect("a query");
        assert!(matches!(&model, WrittenQuery::Model(query) if query.measures == ["revenue"]));
        for query in [WrittenQuery::Sql(sql.to_owned()), model] {
            assert_eq!(WrittenQuery::read(&query.text()), Ok(query));
        }
        let wrong = WrittenQuery::read(r#"{"measure": "revenue"}"#).expect_err("no query");
        assert!(wrong.starts_with("is not a query of the semantic model: "), "{wrong}");
    }
}
