//! The axes of values: what they show, and how.

use super::{Mark, Plot};
use crate::{
    chart::{
        axis::{self, Extent},
        options::Stacking,
        sheet::Series,
    },
    format::{NumberFormat, NumberStyle},
};
use serde_json::{Map, Value, json};

impl Plot<'_> {
    pub(super) fn value_axes(&self) -> Value {
        let left = Value::Object(self.value_axis(false));
        if !self.right.contains(&true) {
            return left;
        }
        let mut right = self.value_axis(true);
        right.insert("position".into(), json!("right"));
        // Aligned ticks would divide whole numbers.
        if !right.contains_key("minInterval") {
            right.insert("alignTicks".into(), json!(true));
        }
        right.insert("splitLine".into(), json!({"show": false}));
        json!([left, right])
    }

    fn value_axis(&self, right: bool) -> Map<String, Value> {
        let options = &self.frame.options;
        let format = self.axis_format(right);
        let mut axis = axis::value_axis(self.frame, &format, self.extent(right), true);
        if self.floats(right) {
            axis.insert("scale".into(), json!(true));
        }
        if self.stacked == Stacking::Share {
            axis.insert("max".into(), json!(1));
            axis.insert("interval".into(), json!(0.25));
        }
        for (limit, value) in [("min", options.min), ("max", options.max)] {
            if let Some(value) = value.filter(|_| !right) {
                axis.insert(limit.into(), json!(value));
            }
        }
        axis::titled(self.frame, axis, options.x_title.as_deref().filter(|_| self.horizontal))
    }

    /// The format of an axis' labels: the one of its first series.
    pub(super) fn axis_format(&self, right: bool) -> NumberFormat {
        if self.stacked == Stacking::Share {
            return NumberFormat { style: NumberStyle::Percent, ..NumberFormat::default() };
        }
        let on_axis = self.sheet.series.iter().zip(&self.right).find(|(_, side)| **side == right);
        on_axis.map(|(series, _)| series.format.clone()).unwrap_or_default()
    }

    pub(super) fn greatest(&self, right: bool) -> f64 {
        let on_axis = self.sheet.series.iter().zip(&self.right).filter(|(_, side)| **side == right).map(|(series, _)| series);
        match self.stacked {
            Stacking::Share => 1.0,
            Stacking::Sum => on_axis.map(Series::greatest).sum(),
            Stacking::Off => on_axis.map(Series::greatest).fold(0.0, f64::max),
        }
    }

    /// The values that an axis shows: of stacked ones, the sums.
    fn extent(&self, right: bool) -> Extent {
        let on_axis =
            || self.sheet.series.iter().zip(&self.right).filter(|(_, side)| **side == right).map(|(series, _)| series);
        let values = || on_axis().flat_map(|series| series.values.iter().flatten().copied());
        match self.stacked {
            Stacking::Share => Extent::of([1.0].into_iter(), true),
            Stacking::Off => Extent::of(values(), !self.floats(right)),
            Stacking::Sum => {
                let sum = |place: usize, sign: f64| {
                    on_axis().filter_map(|one| one.values[place]).filter(|value| value * sign > 0.0).sum::<f64>()
                };
                Extent::of((0..self.sheet.keys.len()).flat_map(|place| [sum(place, 1.0), sum(place, -1.0)]), true)
            }
        }
    }

    /// Whether the axis need not start at zero. Only lines may leave it out; bars and areas start there.
    fn floats(&self, right: bool) -> bool {
        let on_axis = || self.sheet.series.iter().zip(&self.marks).zip(&self.right).filter(|(_, side)| **side == right);
        let values = || on_axis().flat_map(|((series, _), _)| series.values.iter().flatten().copied());
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        on_axis().all(|((_, mark), _)| *mark == Mark::Line) && least > 0.0 && most - least < most * 0.2
    }
}
