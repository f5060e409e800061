//! What the bodies of both generations have in common: lists of charts, and the sentence that tells what was done.

use super::writes::Pick;
use crate::web::{Fields, fields::FromField};
use inlay_contract::ids::ChartId;
use serde_json::{Map, Value};

/// What a missing `chartVersion` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The newest one (v2).
    Newest,
    /// A mistake (v1).
    Required,
}

struct Number(i64);

impl FromField for Number {
    fn from_field(value: &Value) -> Result<Self, String> {
        value.as_i64().filter(|number| *number >= 1).map(Self).ok_or_else(|| "must be an integer of at least 1".to_owned())
    }
}

/// `charts`: a list of `{chartId, chartVersion}`.
pub fn picks(fields: &mut Fields<'_>, most: usize, version: Version) -> Option<Vec<Pick>> {
    let items = fields.list("charts", most)?;
    let mut picks = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate() {
        let path = format!("charts[{number}]");
        let Some(item) = fields.read::<Map<String, Value>>(&path, item) else { continue };
        let chart = given::<ChartId>(fields, &item, &path, "chartId", true);
        let number = given::<Number>(fields, &item, &path, "chartVersion", version == Version::Required);
        picks.extend(chart.map(|chart| Pick { chart, version: number.map(|number| number.0) }));
    }
    Some(picks)
}

fn given<T: FromField>(
    fields: &mut Fields<'_>,
    item: &Map<String, Value>,
    path: &str,
    name: &str,
    required: bool,
) -> Option<T> {
    let path = format!("{path}.{name}");
    match item.get(name).filter(|value| !value.is_null()) {
        Some(value) => fields.read(&path, value),
        None => {
            if required {
                fields.problem(&path, "is required");
            }
            None
        }
    }
}

/// `chartIds`: a list of ids; one named twice counts once.
pub fn chart_ids(fields: &mut Fields<'_>, most: usize) -> Option<Vec<ChartId>> {
    let items = fields.list("chartIds", most)?;
    let mut ids = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate() {
        if let Some(id) = fields.read(&format!("chartIds[{number}]"), item)
            && !ids.contains(&id)
        {
            ids.push(id);
        }
    }
    Some(ids)
}

/// What was done to how many charts, as a sentence.
pub fn message(done: &str, charts: usize) -> String {
    let charts = match charts {
        0 => "No charts".to_owned(),
        1 => "1 chart".to_owned(),
        many => format!("{many} charts"),
    };
    format!("{charts} {done}.")
}
