//! A project's semantic model: what its tables' rows can be counted as, said once and used by everything (docs/model.md). Tables
//! declare their key, the tables that their columns refer to, dimensions and measures; metrics are made of measures. A query
//! names measures and dimensions and never holds SQL.

mod assumed;
mod offer;
mod query;

pub use assumed::{Assumed, AssumedTable};
pub use offer::{OfferedDimension, OfferedModel, OfferedModelTable, OfferedNumber, OfferedWay, OfferedWords};
pub use query::{
    Compare, ModelAnswer, ModelColumn, ModelColumnKind, ModelFilter, ModelGroup, ModelHaving, ModelOrder, ModelQuery,
    QueryMeasure, Top,
};

use crate::{chart::question::Grain, format::NumberFormat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a table adds to the model, as the project file writes it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TableModel {
    /// The columns whose values, together, no two rows share. Only a table with a key of one column can be referred to.
    #[serde(skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    pub key: Vec<String>,
    /// The default time dimension: the column by which periods are compared and over which numbers run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The month in which the years of this table's dates begin, 1 to 12; January when left out. Years and quarters of queries follow it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fiscal_year_start: Option<u8>,
    /// The columns that the rows behind a number are listed by, in order; all when left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drill: Vec<String>,
    /// The column or dimension that people read instead of the key, in lists of the key's values: a customer's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// Dimensions beside the columns themselves, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, Dimension>,
    /// Measures, by name. A name is unique within the project.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, Measure>,
}

impl TableModel {
    /// Whether the table adds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What rows can be grouped and filtered by: an expression of one row.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dimension {
    /// An SQL expression over columns of its table, without aggregates and subqueries.
    pub sql: String,
    /// Its values in their order, where that is not their alphabet's: sizes, grades. Other values come after them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
}

/// A number of the rows of one table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Measure {
    /// How rows become a number.
    pub aggregate: Aggregate,
    /// What is gathered: a column, or an SQL expression over columns of the table. Left out only by `count`, which then counts
    /// rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// An SQL condition over columns of the table: which of its rows count.
    #[serde(default, rename = "where", skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The fraction of `percentile`: 0.9 for the value that nine tenths do not exceed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    /// For numbers that do not add up over time, such as stocks and balances: whether the first or the last moment of a group
    /// counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub take: Option<Take>,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// How its values are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<NumberFormat>,
    /// Whether less of it is better: delays, costs, complaints.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
}

impl Measure {
    /// A measure of all rows of its table, without a label.
    #[must_use]
    pub const fn new(aggregate: Aggregate, of: Option<String>) -> Self {
        Self {
            aggregate,
            of,
            condition: None,
            fraction: None,
            take: None,
            label: None,
            description: None,
            synonyms: Vec::new(),
            format: None,
            lower_is_better: false,
        }
    }
}

/// How rows become a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Aggregate {
    /// How many rows, or how many with a value.
    Count,
    /// How many different values.
    CountDistinct,
    /// The sum.
    Sum,
    /// The mean.
    Average,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The middle value, the mean of the two middle ones of an even number.
    Median,
    /// The value that a fraction of the values do not exceed, interpolated between neighbours.
    Percentile,
}

impl Aggregate {
    /// Whether the numbers of parts add up to the number of the whole.
    #[must_use]
    pub const fn adds_up(self) -> bool {
        matches!(self, Self::Count | Self::Sum)
    }
}

/// Which moment of a group counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Take {
    /// First or last.
    pub edge: Edge,
    /// The column of the moments; the table's default time dimension when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// The columns for each of which the edge is found: the last balance of each account. For the whole group when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per: Vec<String>,
}

/// An end of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Edge {
    First,
    Last,
}

/// A number made of measures and other metrics. Exactly one of `ratio`, `formula`, `running`, `toDate`, `moving`, `total`,
/// `share` and `only` says how.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metric {
    /// The first divided by the second. Null where the second is 0 or null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<[String; 2]>,
    /// Names of measures and metrics, numbers, `+ - * /` and parentheses. A division by 0 is null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The sum of a measure from the first period of the answer up to each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub running: Option<String>,
    /// The same, begun anew with each longer period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_date: Option<ToDate>,
    /// The mean of a measure over so many rows up to each.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moving: Option<Moving>,
    /// A number of all rows of the answer together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Whole>,
    /// A number divided by that of all rows of the answer together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Whole>,
    /// A number of some of its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// How its values are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<NumberFormat>,
    /// Whether less of it is better: delays, costs, complaints.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
}

/// A sum that begins anew with each period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToDate {
    /// The measure.
    pub of: String,
    /// The period.
    pub grain: Grain,
}

/// A moving mean.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Moving {
    /// The measure.
    pub of: String,
    /// The number of periods, 2 to 1,000, the period itself included. Those without rows are not counted.
    pub periods: u16,
}

/// A number of several groups together. What it is made of must add up: sums, counts, and metrics of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Whole {
    /// The measure or metric.
    pub of: String,
    /// The columns of the answer for each of whose values the groups are taken together. All groups together when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "one_or_many")]
    pub within: Vec<String>,
}

/// A number of the rows that meet filters: the revenue from Germany.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Only {
    /// The measure or metric.
    pub of: String,
    /// Which rows count. All filters must hold. Each measure that the number is made of must reach their dimensions.
    pub filters: Vec<ModelFilter>,
}

/// A text alone instead of a list of one.
pub mod one_or_many {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }

    /// Writes a list of one as a text.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(names: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        match names {
            [name] => name.serialize(serializer),
            names => names.serialize(serializer),
        }
    }

    /// Reads a text as a list of one.
    ///
    /// # Errors
    /// Neither a text nor a list of texts.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        Ok(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(name) => vec![name],
            OneOrMany::Many(names) => names,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn same(json: &Value) {
        let table: TableModel = serde_json::from_value(json.clone()).expect("a table's model");
        assert_eq!(serde_json::to_value(&table).expect("JSON"), *json);
    }

    #[test]
    fn a_model_is_written_as_it_is_read() {
        same(&json!({}));
        same(&json!({"key": "id", "time": "placed_on"}));
        same(&json!({"key": ["year", "number"], "fiscalYearStart": 4, "drill": ["number", "amount"], "display": "number"}));
        same(&json!({
            "dimensions": {"size": {"sql": "case when amount >= 100 then 'large' else 'small' end", "label": "Size"}},
            "measures": {
                "orders": {"aggregate": "count"},
                "revenue": {"aggregate": "sum", "of": "amount", "where": "status = 'paid'", "synonyms": ["sales"]},
                "slowest": {"aggregate": "percentile", "of": "seconds", "fraction": 0.9},
                "stock": {"aggregate": "sum", "of": "pieces", "take": {"edge": "last", "per": ["warehouse"]}}
            }
        }));
    }

    #[test]
    fn a_key_that_nobody_knows_is_refused() {
        for wrong in [json!({"keys": "id"}), json!({"measures": {"n": {"aggregate": "count", "filter": "x"}}})] {
            assert!(serde_json::from_value::<TableModel>(wrong.clone()).is_err(), "{wrong}");
        }
        assert!(serde_json::from_value::<Metric>(json!({"sum": "n"})).is_err());
    }
}
