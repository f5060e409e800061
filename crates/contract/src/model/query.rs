//! A query of the model, and its answer.

use super::{Aggregate, Metric};
use crate::{
    chart::question::{Comparison, Cycle, Grain},
    data::ColumnType,
    filter::FilterValue,
    format::NumberFormat,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What is asked of a project's model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelQuery {
    /// The names of measures and metrics. Without any, the different values of the dimensions are answered.
    #[serde(default)]
    pub measures: Vec<String>,
    /// Metrics of this query alone, by name. `measures`, `having` and other metrics name them like those of the project.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Metric>,
    /// Measures of this query alone, by name. `measures`, `having` and metrics of this query name them like those of the project.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aggregates: BTreeMap<String, QueryMeasure>,
    /// What they are taken for each of, in order.
    #[serde(default)]
    pub dimensions: Vec<ModelGroup>,
    /// Which rows count. All filters must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<ModelFilter>,
    /// Which rows of the answer are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub having: Vec<ModelHaving>,
    /// The order of the answer; that of the dimensions when left out. Rows without a value come last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sort: Vec<ModelOrder>,
    /// Keeps the first rows of each group of rows, in the order of `sort`. `limit` applies afterwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<Top>,
    /// The most rows, 1 to 50,000; 1,000 when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Adds each measure of an earlier period, as `<measure>_previous`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// Adds the measures over all rows together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub totals: bool,
}

impl ModelQuery {
    /// What follows a measure's name in the name of its column for the earlier period.
    pub const PREVIOUS: &str = "_previous";
}

/// A measure of one query: an aggregate over dimensions, without SQL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QueryMeasure {
    /// The table whose rows are aggregated.
    pub table: String,
    /// How rows become a number.
    pub aggregate: Aggregate,
    /// What is aggregated: `table.dimension` of the table or of one that it leads to. Several are multiplied. Left out only by
    /// `count`, which then counts rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "super::one_or_many")]
    pub of: Vec<String>,
    /// The way to the dimensions, as in [`ModelGroup`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The fraction of `percentile`: 0.9 for the value that nine tenths do not exceed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<f64>,
    /// Which rows count for this measure alone. All filters must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<ModelFilter>,
    /// Display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// How its values are written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<NumberFormat>,
}

/// The first rows of each group of rows of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Top {
    /// The number of rows, 1 to 1,000.
    pub rows: u32,
    /// The dimension columns of the answer whose values form a group.
    #[serde(with = "super::one_or_many")]
    pub per: Vec<String>,
}

/// A dimension of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelGroup {
    /// `table.dimension`: a dimension or a column of a table.
    pub name: String,
    /// The columns that lead from the measures' table to it, joined by dots. Needed where several ways do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The period that its days are gathered into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grain: Option<Grain>,
    /// The part of a week or day that its moments fall into, all weeks or days together. Not with `grain`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    /// The name of its column in the answer. When left out: the dimension's name, with `_<grain>` or `_<cycle>` behind it.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
}

impl ModelGroup {
    /// A dimension by its own values.
    #[must_use]
    pub fn of(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// The name of its column in the answer.
    #[must_use]
    pub fn column(&self) -> String {
        let own = self.name.rsplit('.').next().unwrap_or_default();
        match (&self.alias, self.grain, self.cycle) {
            (Some(alias), ..) => alias.clone(),
            (None, Some(grain), _) => format!("{own}_{}", grain.name()),
            (None, None, Some(cycle)) => format!("{own}_{}", cycle.code()),
            (None, None, None) => own.to_owned(),
        }
    }
}

/// A condition of a query on a dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelFilter {
    /// `table.dimension`, as in [`ModelGroup`].
    pub dimension: String,
    /// The way to it, as in [`ModelGroup`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// Compares the part of a week or day that its moments fall into: `Mon` to `Sun`, `Weekday` or `Weekend`, or the hour as a number
    /// from 0 to 23.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycle: Option<Cycle>,
    /// The values that are kept.
    pub value: FilterValue,
    /// Counts the relative period of `value` from the newest of the rows that pass all other filters, and not from today.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub newest: bool,
    /// Keeps all other rows instead, those without a value among them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not: bool,
}

impl ModelFilter {
    /// A condition that keeps some values of a dimension.
    #[must_use]
    pub fn of(dimension: impl Into<String>, value: FilterValue) -> Self {
        Self { dimension: dimension.into(), via: None, cycle: None, value, newest: false, not: false }
    }
}

/// A condition of a query on a column of its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelHaving {
    /// The measure.
    pub measure: String,
    /// How it compares with `than`.
    pub comparison: Comparison,
    /// The number.
    pub than: f64,
}

/// An order of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelOrder {
    /// A column of the answer.
    pub by: String,
    /// The greatest first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
}

/// The period beside which numbers are put. The query must filter the default time dimension of each measure's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Compare {
    /// The period of the same length just before.
    Previous,
    /// The same period a year before; 52 weeks before where days are gathered into weeks.
    Year,
}

/// What a query answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelAnswer {
    /// The columns, in order: dimensions, measures, earlier measures.
    pub columns: Vec<ModelColumn>,
    /// The rows. Each has one value per column.
    pub rows: Vec<Vec<Value>>,
    /// The measures over all rows together, in the columns' order with nulls for dimensions; if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub totals: Option<Vec<Value>>,
    /// What was worked out, as a sentence.
    pub sentence: String,
    /// Whether the result was cut at the row or size limit.
    pub truncated: bool,
    /// Whether the result came from the cache.
    pub cached: bool,
    /// How long the query took, in milliseconds. 0 if cached.
    pub duration_ms: u64,
}

/// A column of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModelColumn {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Whether it is a dimension, a measure, or a measure of the earlier period.
    pub role: ModelColumnKind,
    /// What people read instead of the name.
    pub label: String,
    /// How its values are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<serde_json::Map<String, Value>>))]
    pub format: Option<NumberFormat>,
}

/// What a column of an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ModelColumnKind {
    Dimension,
    Measure,
    Previous,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_query_is_written_as_it_is_read() {
        let json = json!({"measures": ["revenue"], "dimensions": [{"name": "orders.placed_on", "grain": "month"},
            {"name": "airports.city", "via": "origin", "as": "from"},
            {"name": "orders.placed_on", "cycle": "partOfWeek"}],
            "filters": [{"dimension": "orders.region", "value": ["north", "south"]},
                {"dimension": "orders.placed_on", "value": {"relative": "last_30_days"}, "newest": true},
                {"dimension": "orders.placed_on", "cycle": "weekday", "value": ["Sat", "Sun"], "not": true}],
            "aggregates": {"late": {"table": "orders", "aggregate": "sum", "of": ["orders.price", "orders.pieces"],
                "filters": [{"dimension": "orders.status", "value": "late"}]}},
            "top": {"rows": 3, "per": "placed_on_month"},
            "metrics": {"part": {"share": {"of": "revenue", "within": ["from", "placed_on_month"]}}},
            "having": [{"measure": "revenue", "comparison": ">", "than": 5.0}],
            "sort": [{"by": "revenue", "descending": true}], "limit": 5, "compare": "previous", "totals": true});
        let query: ModelQuery = serde_json::from_value(json.clone()).expect("a query");
        assert_eq!(serde_json::to_value(&query).expect("JSON"), json);
        let columns: Vec<String> = query.dimensions.iter().map(ModelGroup::column).collect();
        assert_eq!(columns, ["placed_on_month", "from", "placed_on_part_of_week"]);
    }
}
