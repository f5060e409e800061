//! What a definition's `options` may say. Unknown keys are left alone: a chat or an older integration may have its own.

use super::{problem::ChartProblem, shading::Condition, total::Total};
use crate::{format::NumberFormat, theme::oklch::Oklch};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The options, read.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChartOptions {
    /// How numbers are written: `{style: number|compact|percent|currency, currency, unit, decimals}`.
    pub format: NumberFormat,
    /// The same for single columns, by name.
    pub formats: BTreeMap<String, NumberFormat>,
    /// What columns are called, by name.
    pub labels: BTreeMap<String, String>,
    /// `true` stacks series, `percent` stacks their shares.
    pub stacked: Stacking,
    /// Horizontal bars: for long names.
    pub horizontal: bool,
    /// Lines are rounded.
    pub smooth: bool,
    /// The order of categories: `ascending` or `descending` by value, `label`; the query's order when missing.
    pub sort: Option<Sort>,
    /// So many categories (series, for lines and areas), greatest first; the others become one called `Other`.
    #[serde(alias = "topN")]
    pub limit: Option<usize>,
    /// `false` leaves the others out, for values that cannot be added up.
    pub others: Option<bool>,
    /// What stands at the horizontal axis.
    pub x_title: Option<String>,
    /// What stands at the vertical axis.
    pub y_title: Option<String>,
    /// The last period is not over: it is dashed, not shown as a fall.
    pub partial_last: bool,
    /// A line to reach: a number or `{value, label}`.
    pub goal: Option<Goal>,
    /// Values stand beside their marks.
    pub value_labels: bool,
    /// Colours of series by name, as `#rrggbb`.
    pub colors: BTreeMap<String, String>,
    /// Less is good news (delays, costs).
    pub lower_is_better: bool,
    /// The sign is the message: negative bars take the negative colour.
    pub signed: bool,
    /// Of a combo: the measures drawn as lines; all but the first when missing.
    pub lines: Option<Vec<String>>,
    /// Of a combo: the measures on the axis to the right; found by their size when missing.
    pub right: Option<Vec<String>>,
    /// `false` leaves a waterfall's last bar out; `true` gives a pivot its totals and a table its sums.
    pub total: Option<bool>,
    /// Of a table: the figure below a column, by its name: `sum`, `average`, `least`, `greatest` or `count`.
    pub totals: BTreeMap<String, Total>,
    /// Of a table: when cells are shaded as `good`, `bad` or `warning`.
    pub conditions: Vec<Condition>,
    /// Of a table: rows of a page.
    pub page_size: Option<usize>,
    /// Of a table or pivot: columns whose values are shaded by their depth.
    pub heat: Vec<String>,
    /// The least value on the axis.
    pub min: Option<f64>,
    /// The greatest value on the axis.
    pub max: Option<f64>,
    /// The land under a map: found by the points when missing.
    pub land: Option<Land>,
}

/// How series stand on each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stacking {
    /// Grouped.
    #[default]
    Off,
    /// Stacked.
    Sum,
    /// Stacked, as shares of the whole.
    Share,
}

impl<'de> Deserialize<'de> for Stacking {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Bool(on) => Ok(if on { Self::Sum } else { Self::Off }),
            Value::String(text) if text == "percent" => Ok(Self::Share),
            _ => Err(serde::de::Error::custom("`stacked` is true, false or \"percent\"")),
        }
    }
}

/// The order of categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The smallest first.
    Ascending,
    /// The greatest first.
    Descending,
    /// By name.
    Label,
}

/// A line to reach.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Goal {
    /// The value alone.
    Value(f64),
    /// The value and what it is called.
    Named {
        /// Where the line is.
        value: f64,
        /// What stands at it.
        label: String,
    },
}

impl Goal {
    /// Where the line is.
    #[must_use]
    pub const fn value(&self) -> f64 {
        match self {
            Self::Value(value) | Self::Named { value, .. } => *value,
        }
    }

    /// What stands at it.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Value(_) => "Goal",
            Self::Named { label, .. } => label,
        }
    }
}

/// The land under a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Land {
    /// Countries.
    World,
    /// The states of the USA.
    Us,
}

impl ChartOptions {
    /// Reads a definition's options.
    ///
    /// # Errors
    /// A known key with a value that it cannot have; the message names what is expected.
    pub fn read(options: &Map<String, Value>) -> Result<Self, ChartProblem> {
        let read = Self::deserialize(Value::Object(options.clone()));
        let read = read.map_err(|error| ChartProblem::Options(error.to_string()))?;
        match read.colors.iter().find(|(_, colour)| Oklch::from_hex(colour).is_none()) {
            Some((name, _)) => Err(ChartProblem::Options(format!("the colour of `{name}` is not like #0b5fff"))),
            None => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(options: Value) -> Result<ChartOptions, ChartProblem> {
        ChartOptions::read(options.as_object().expect("an object"))
    }

    #[test]
    fn known_options_are_read_and_others_left_alone() {
        let options = read(json!({"stacked": "percent", "goal": 15, "topN": 5, "sort": "descending", "fromTheChat": {}}));
        let options = options.expect("good options");
        assert_eq!((options.stacked, options.limit, options.sort), (Stacking::Share, Some(5), Some(Sort::Descending)));
        assert_eq!(options.goal.map(|goal| (goal.value(), goal.label().to_owned())), Some((15.0, "Goal".to_owned())));
    }

    #[test]
    fn a_wrong_value_is_a_sentence() {
        for options in [json!({"stacked": "up"}), json!({"sort": 3}), json!({"colors": {"ATL": "red\" onload=\"x"}})] {
            let problem = read(options).expect_err("bad options").to_string();
            assert!(problem.starts_with("The chart's options cannot be read: "), "{problem}");
        }
    }
}
