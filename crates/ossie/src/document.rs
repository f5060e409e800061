//! The parts of an Ossie document, in the order in which they are written.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The version that is written and read.
pub(crate) const VERSION: &str = "0.2.0.dev0";
/// The dialect that is written, and the only one that is read.
pub(crate) const ANSI: &str = "ANSI_SQL";

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Document {
    pub version: String,
    pub semantic_model: Vec<Model>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Model {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<Value>,
    pub datasets: Vec<Dataset>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relationships: Vec<Relationship>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Dataset {
    pub name: String,
    pub source: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub primary_key: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unique_keys: Vec<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Field {
    pub name: String,
    pub expression: Expression,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<DimensionRole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub datatype: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct DimensionRole {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_time: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Relationship {
    pub name: String,
    pub from: String,
    pub to: String,
    pub from_columns: Vec<String>,
    pub to_columns: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Metric {
    pub name: String,
    pub expression: Expression,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ai_context: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_extensions: Vec<Extension>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Expression {
    pub dialects: Vec<DialectExpression>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DialectExpression {
    pub dialect: String,
    pub expression: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Extension {
    pub vendor_name: String,
    pub data: String,
}

impl Expression {
    pub(crate) fn ansi(expression: String) -> Self {
        Self { dialects: vec![DialectExpression { dialect: ANSI.to_owned(), expression }] }
    }

    /// The text in standard SQL.
    pub(crate) fn text(&self) -> Option<&str> {
        self.dialects.iter().find(|one| one.dialect == ANSI).map(|one| one.expression.as_str())
    }
}

impl Field {
    /// Whether the field is a time dimension: what it says itself, else what its type implies.
    pub(crate) fn is_time(&self) -> bool {
        let implied = self.datatype.as_deref().is_some_and(|one| matches!(one, "Date" | "Time" | "DateTime" | "DateTimeTz"));
        self.dimension.and_then(|role| role.is_time).unwrap_or(implied)
    }

    /// Whether its values are days or moments.
    pub(crate) fn is_dated(&self) -> bool {
        self.datatype.as_deref().is_some_and(|one| matches!(one, "Date" | "DateTime" | "DateTimeTz"))
    }
}

/// Synonyms as context for AI tools.
pub(crate) fn context_of(synonyms: &[String]) -> Option<Value> {
    (!synonyms.is_empty()).then(|| json!({ "synonyms": synonyms }))
}

/// The synonyms of a context. The second value says whether the context holds more than that.
pub(crate) fn synonyms_of(context: Option<&Value>) -> (Vec<String>, bool) {
    let Some(context) = context else { return (Vec::new(), false) };
    let Value::Object(fields) = context else { return (Vec::new(), true) };
    let synonyms = fields.get("synonyms").and_then(Value::as_array);
    let texts = synonyms.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    (texts.collect(), fields.keys().any(|key| key != "synonyms"))
}
