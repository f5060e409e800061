//! What Ossie cannot say, as JSON in the extensions of the vendor `INLAY`.

use crate::document::Extension;
use inlay_contract::model::{Dimension, Measure, Metric};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;

/// The vendor name of our extensions.
pub(crate) const VENDOR: &str = "INLAY";

/// Of the whole model: metrics without an expression, such as running sums.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OfModel {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Metric>,
}

/// Of a dataset: its label, its default time, and what has no expression in Ossie.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OfDataset {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fiscal_year_start: Option<u8>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub drill: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, Dimension>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub measures: BTreeMap<String, Measure>,
}

/// Of a field.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OfField {
    /// The model does not list the column: it is a key or time, or only measures read it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub implied: bool,
    /// The exact SQL of a dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The declared order of a dimension's values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<String>,
    /// A reference that is no relationship between two datasets of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
}

/// Of a metric: the measure with its table, or the metric. Descriptions and synonyms are the document's own.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OfMetric {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metric: Option<Metric>,
}

/// An extension, or none if there is nothing to keep.
pub(crate) fn write<T: Serialize + Default + PartialEq>(kept: &T) -> Vec<Extension> {
    if *kept == T::default() {
        return Vec::new();
    }
    let data = serde_json::to_string(kept).ok();
    data.map(|data| Extension { vendor_name: VENDOR.to_owned(), data }).into_iter().collect()
}

/// What an element's extensions hold.
pub(crate) struct Held<T> {
    /// Ours, if there is one.
    pub ours: Option<T>,
    /// Why ours cannot be read.
    pub broken: Option<String>,
    /// The names of other vendors.
    pub others: Vec<String>,
}

/// Reads an element's extensions.
pub(crate) fn read<T: DeserializeOwned>(extensions: &[Extension]) -> Held<T> {
    let mut held = Held { ours: None, broken: None, others: Vec::new() };
    for one in extensions {
        if one.vendor_name != VENDOR {
            held.others.push(one.vendor_name.clone());
            continue;
        }
        match serde_json::from_str(&one.data) {
            _ if held.ours.is_some() => held.broken = Some("there is more than one".to_owned()),
            Ok(ours) => held.ours = Some(ours),
            Err(fault) => held.broken = Some(fault.to_string()),
        }
    }
    held
}
