//! The shading of a table's cells: by conditions, or by size within a column.

use super::frame::{ColumnRef, Frame, number, text};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A cell's shade. The cell also shows its value, so the colour is never the only information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shade {
    /// As it should be.
    Good,
    /// As it should not be.
    Bad,
    /// Needs attention.
    Warning,
    /// The smallest values of its column.
    Heat1,
    /// The second fifth.
    Heat2,
    /// The middle fifth.
    Heat3,
    /// The fourth fifth.
    Heat4,
    /// The largest values of its column.
    Heat5,
}

impl Shade {
    /// The value of `data-shade`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
            Self::Warning => "warning",
            Self::Heat1 => "heat1",
            Self::Heat2 => "heat2",
            Self::Heat3 => "heat3",
            Self::Heat4 => "heat4",
            Self::Heat5 => "heat5",
        }
    }

    /// The shade of a value between 0 and 1.
    fn at(part: f64) -> Self {
        match part {
            part if part < 0.2 => Self::Heat1,
            part if part < 0.4 => Self::Heat2,
            part if part < 0.6 => Self::Heat3,
            part if part < 0.8 => Self::Heat4,
            _ => Self::Heat5,
        }
    }
}

/// When a column's cells are shaded, and how: `{column, atLeast, below, equals, shade}`. All given limits must hold.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ShadeCondition {
    /// The column.
    pub column: String,
    /// The value is at least this.
    #[serde(default)]
    pub at_least: Option<f64>,
    /// The value is less than this.
    #[serde(default)]
    pub below: Option<f64>,
    /// The value equals this.
    #[serde(default)]
    pub equals: Option<Value>,
    /// The shade.
    pub shade: Shade,
}

impl ShadeCondition {
    fn holds(&self, value: &Value) -> bool {
        let measured = number(value);
        let fits = |limit: Option<f64>, holds: fn(f64, f64) -> bool| {
            limit.is_none_or(|limit| measured.is_some_and(|value| holds(value, limit)))
        };
        let same = |wanted: &Value| match (number(wanted), measured) {
            (Some(wanted), Some(value)) => (wanted - value).abs() < f64::EPSILON,
            _ => text(wanted) == text(value),
        };
        let says = self.at_least.is_some() || self.below.is_some() || self.equals.is_some();
        says && fits(self.at_least, |value, limit| value >= limit)
            && fits(self.below, |value, limit| value < limit)
            && self.equals.as_ref().is_none_or(same)
    }
}

/// The shading of one column.
pub(super) struct Shading<'a> {
    conditions: Vec<&'a ShadeCondition>,
    /// The minimum and maximum, if it is shaded by size.
    range: Option<(f64, f64)>,
}

impl<'a> Shading<'a> {
    pub(super) fn of(frame: &'a Frame<'_>, column: ColumnRef<'_>) -> Self {
        let range = || {
            let values = || frame.cells(column).filter_map(number);
            let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            (most > least).then_some((least, most))
        };
        Self {
            conditions: frame.options.conditions.iter().filter(|condition| condition.column == column.name).collect(),
            range: frame.options.heat.iter().any(|name| name == column.name).then(range).flatten(),
        }
    }

    /// The shade of a value. The first condition that holds takes precedence over size.
    pub(super) fn of_value(&self, value: &Value) -> Option<Shade> {
        let met = self.conditions.iter().find(|condition| condition.holds(value)).map(|condition| condition.shade);
        met.or_else(|| self.of_number(number(value)?))
    }

    /// The shade of a number by size.
    pub(super) fn of_number(&self, value: f64) -> Option<Shade> {
        self.range.map(|(least, most)| Shade::at((value - least) / (most - least)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::{table, tests_support::definition},
        data::{ChartData, Column, ColumnType},
    };
    use serde_json::json;

    fn shades(options: Value) -> Vec<Option<Shade>> {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let data = ChartData {
            columns: vec![column("name", ColumnType::Text), column("late", ColumnType::Number)],
            rows: [("ATL", json!(0.1)), ("ORD", json!(0.25)), ("LAX", json!(null)), ("DFW", json!("0.5"))]
                .map(|(name, late)| vec![json!(name), late])
                .to_vec(),
            truncated: false,
            cached: false,
            duration_ms: 0,
            as_of: None,
        };
        let table = definition(json!({"title": "T", "type": "table", "options": options}));
        table::view(&table, &data, "en").expect("a table").rows.iter().flatten().map(|cell| cell.shade).collect()
    }

    #[test]
    fn the_first_condition_that_holds_shades_and_a_missing_value_meets_none() {
        let conditions = json!([{"column": "late", "atLeast": 0.25, "shade": "bad"}, {"column": "late", "below": 0.3, "shade": "good"},
            {"column": "name", "equals": "LAX", "shade": "warning"}, {"column": "late", "shade": "good"}]);
        let [good, bad, warning] = [Shade::Good, Shade::Bad, Shade::Warning].map(Some);
        assert_eq!(shades(json!({"conditions": conditions})), [None, good, None, bad, warning, None, None, bad]);
    }

    #[test]
    fn depth_runs_from_the_least_to_the_greatest() {
        let [least, middle, most] = [Shade::Heat1, Shade::Heat2, Shade::Heat5].map(Some);
        assert_eq!(shades(json!({"heat": ["late"]})), [None, least, None, middle, None, None, None, most]);
        assert_eq!(shades(json!({"heat": ["name"]})), [None; 8]);
    }
}
