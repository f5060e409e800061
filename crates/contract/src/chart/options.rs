//! The `options` of a definition. Unknown keys are ignored: a chat or an older integration may add its own.

use super::{problem::ChartProblem, question::Grain, shading::ShadeCondition, total::Total};
use crate::{format::NumberFormat, refresh, theme::oklch::Oklch};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The parsed options.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChartOptions {
    /// The number format: `{style: number|compact|percent|currency, currency, unit, decimals}`.
    pub format: NumberFormat,
    /// The number formats of single columns, by name.
    pub formats: BTreeMap<String, NumberFormat>,
    /// The labels of columns, by name.
    pub labels: BTreeMap<String, String>,
    /// `true` stacks series, `percent` stacks their shares.
    pub stacked: Stacking,
    /// Horizontal bars: for long names.
    pub horizontal: bool,
    /// Lines are rounded.
    pub smooth: bool,
    /// The order of categories: `ascending` or `descending` by value, or `label`. By default the query's order.
    pub sort: Option<Sort>,
    /// The most categories (series, for lines and areas), largest first. The rest is combined into `Other`.
    #[serde(alias = "topN")]
    pub limit: Option<usize>,
    /// `false` leaves the rest out, for values that cannot be added up.
    pub others: Option<bool>,
    /// The title of the horizontal axis.
    pub x_title: Option<String>,
    /// The title of the vertical axis.
    pub y_title: Option<String>,
    /// The last period is unfinished: it is dashed, so that it does not look like a decline.
    pub partial_last: bool,
    /// The order of the values of columns, by name: of series, and of what they stack up to. Other values come after them.
    pub order: BTreeMap<String, Vec<String>>,
    /// Over time: the periods without rows, which are shown between the first and the last that have some.
    pub missing: Option<Missing>,
    /// A goal line: a number or `{value, label}`.
    pub goal: Option<Goal>,
    /// Shows values beside their marks.
    pub value_labels: bool,
    /// Colours of series by name, as `#rrggbb`.
    pub colors: BTreeMap<String, String>,
    /// Lower values are better (delays, costs).
    pub lower_is_better: bool,
    /// Number: the text behind the value that it is compared with: `in the same 6 days before`.
    pub compared_with: Option<String>,
    /// Negative bars take the negative colour.
    pub signed: bool,
    /// Combo: the measures drawn as lines. By default all but the first.
    pub lines: Option<Vec<String>>,
    /// Combo: the measures on the right axis. By default chosen by size.
    pub right: Option<Vec<String>>,
    /// Waterfall: `false` leaves out the last bar. Pivot and table: `true` adds totals.
    pub total: Option<bool>,
    /// Table: the total of a column, by its name: `sum`, `average`, `least`, `greatest` or `count`.
    pub totals: BTreeMap<String, Total>,
    /// Table: when cells are shaded as `good`, `bad` or `warning`.
    pub conditions: Vec<ShadeCondition>,
    /// Table: rows per page.
    pub page_size: Option<usize>,
    /// Table and pivot: columns whose values are shaded by size.
    pub heat: Vec<String>,
    /// The axis' minimum.
    pub min: Option<f64>,
    /// The axis' maximum.
    pub max: Option<f64>,
    /// Map: the geometry. By default chosen by the points.
    pub land: Option<Land>,
    /// Seconds after which an open page asks for the chart's rows again.
    pub refresh: Option<u32>,
}

/// The stacking of series.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stacking {
    /// Grouped.
    #[default]
    Off,
    /// Stacked by value.
    Sum,
    /// Stacked by share of the total.
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

/// Periods without rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    /// The periods.
    pub grain: Grain,
    /// The columns that are 0 in them: sums and counts. The others have no value there, and their lines go on to the next.
    #[serde(default)]
    pub zero: Vec<String>,
}

/// The order of categories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
    /// By name.
    Label,
}

/// A goal line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Goal {
    /// The value alone.
    Value(f64),
    /// The value with a label.
    Named {
        /// The value.
        value: f64,
        /// The label.
        label: String,
    },
}

impl Goal {
    /// The value.
    #[must_use]
    pub const fn value(&self) -> f64 {
        match self {
            Self::Value(value) | Self::Named { value, .. } => *value,
        }
    }

    /// The label.
    #[must_use]
    pub fn label(&self) -> &str {
        match self {
            Self::Value(_) => "Goal",
            Self::Named { label, .. } => label,
        }
    }
}

/// The geometry of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Land {
    /// Countries.
    World,
    /// The states of the USA.
    Us,
}

impl ChartOptions {
    /// Parses a definition's options.
    ///
    /// # Errors
    /// A known key has an invalid value. The message says what is expected.
    pub fn read(options: &Map<String, Value>) -> Result<Self, ChartProblem> {
        let read = Self::deserialize(Value::Object(options.clone()));
        let read = read.map_err(|error| ChartProblem::Options(error.to_string()))?;
        if let Some((name, _)) = read.colors.iter().find(|(_, colour)| Oklch::from_hex(colour).is_none()) {
            return Err(ChartProblem::Options(format!("the colour of `{name}` is not like #0b5fff")));
        }
        match read.refresh.map_or(Ok(()), refresh::check) {
            Ok(()) => Ok(read),
            Err(must) => Err(ChartProblem::Options(format!("`refresh` {must}"))),
        }
    }

    /// The seconds after which an open page asks for a chart's rows again, if its options say so.
    #[must_use]
    pub fn refresh(options: &Map<String, Value>) -> Option<u32> {
        let seconds = options.get("refresh").and_then(Value::as_u64)?;
        u32::try_from(seconds).ok().filter(|seconds| refresh::check(*seconds).is_ok())
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
    fn a_chart_asks_again_in_bounds() {
        let seconds = |value: Value| {
            let options = json!({"refresh": value});
            let is_good = read(options.clone()).is_ok();
            let seconds = ChartOptions::refresh(options.as_object().expect("an object"));
            assert_eq!(seconds.is_some(), is_good && !value.is_null(), "{value}");
            seconds
        };
        assert_eq!([json!(30), json!(86_400)].map(seconds), [Some(30), Some(86_400)]);
        for bad in [json!(29), json!(86_401), json!(-60), json!(45.5), json!("60"), json!(4_294_967_356_u64)] {
            assert_eq!(seconds(bad), None);
        }
    }

    #[test]
    fn a_wrong_value_is_a_sentence() {
        let colours = json!({"colors": {"ATL": "red\" onload=\"x"}});
        for options in [json!({"stacked": "up"}), json!({"sort": 3}), colours, json!({"refresh": 5})] {
            let problem = read(options).expect_err("bad options").to_string();
            assert!(problem.starts_with("The chart's options cannot be read: "), "{problem}");
        }
    }
}
