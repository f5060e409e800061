//! Axes: of values, of categories and of time. Sizes are CSS pixels.

use super::{
    frame::{Frame, clean},
    style::{date_format, value_format},
};
use crate::{
    calendar::{self, Grain},
    format::{DateForm, NumberFormat, NumberStyle},
};
use chrono::Datelike;
use serde_json::{Map, Value, json};

/// The number of an axis' steps, about.
const STEPS: u32 = 4;
/// An axis of so many least steps has room for larger ones.
const MANY_STEPS: f64 = 12.0;
/// An axis of values shortens its labels from this value on.
const COMPACT: f64 = 10_000.0;
/// The most labels of an axis of periods.
const MOST_LABELS: usize = 7;

/// The values that an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    least: f64,
    most: f64,
    /// Whether all of them are whole numbers.
    whole: bool,
}

impl Extent {
    /// The extent of values, and of zero unless the axis may leave it out.
    pub(super) fn of(values: impl Iterator<Item = f64>, with_zero: bool) -> Self {
        let start = if with_zero { (0.0, 0.0) } else { (f64::INFINITY, f64::NEG_INFINITY) };
        let start = Self { least: start.0, most: start.1, whole: true };
        values.fold(start, |extent, value| Self {
            least: extent.least.min(value),
            most: extent.most.max(value),
            whole: extent.whole && value.fract() == 0.0,
        })
    }

    /// The greatest distance from zero.
    fn greatest(self) -> f64 {
        if self.most < self.least { 0.0 } else { self.most.abs().max(self.least.abs()) }
    }

    fn span(self) -> f64 {
        (self.most - self.least).max(0.0)
    }
}

fn labels(frame: &Frame<'_>) -> Value {
    json!({"color": frame.theme.muted, "fontSize": 12, "hideOverlap": true, "margin": 8})
}

/// Adds a title below a horizontal axis.
pub(super) fn titled(frame: &Frame<'_>, mut axis: Map<String, Value>, title: Option<&str>) -> Map<String, Value> {
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        axis.insert("name".into(), json!(clean(title)));
        axis.insert("nameLocation".into(), json!("middle"));
        axis.insert("nameGap".into(), json!(26));
        axis.insert("nameTextStyle".into(), json!({"color": frame.theme.muted, "fontSize": 12}));
    }
    axis
}

/// A value axis. `extent` decides whether its labels are compact, and the least step between them: no two of them are alike, and
/// between whole numbers there is no fraction.
pub(super) fn value_axis(frame: &Frame<'_>, format: &NumberFormat, extent: Extent, lines: bool) -> Map<String, Value> {
    let theme = frame.theme;
    let format = axis_numbers(format, extent);
    let mut label = labels(frame);
    label["formatter"] = value_format(&format);
    let mut axis = Map::new();
    axis.insert("type".into(), json!("value"));
    axis.insert("splitNumber".into(), json!(STEPS));
    if let Some(step) = least_step(&format, extent).filter(|step| extent.span() < step * MANY_STEPS) {
        axis.insert("minInterval".into(), json!(step));
    }
    axis.insert("axisLine".into(), json!({"show": false}));
    axis.insert("axisTick".into(), json!({"show": false}));
    axis.insert("axisLabel".into(), label);
    axis.insert("splitLine".into(), json!({"show": lines, "lineStyle": {"color": theme.line, "width": 1}}));
    axis
}

/// The format of axis labels: compact from 1,000 on if the axis exceeds 10,000. Without a unit, except percent.
fn axis_numbers(format: &NumberFormat, extent: Extent) -> NumberFormat {
    let greatest = extent.greatest();
    let mut short = if greatest >= COMPACT { format.compact_from(1000.0) } else { format.clone() };
    if short.unit.as_deref().is_some_and(|unit| !unit.starts_with(['%', '°'])) {
        short.unit = None;
    }
    short.decimals = short.decimals.filter(|_| greatest < COMPACT && greatest > 0.0 && greatest < 5.0);
    // Steps that are small against the values would all be 1.2M.
    if greatest >= COMPACT && extent.span() < shortened_step(greatest) * f64::from(STEPS) {
        short.compact_from = Some(f64::MAX);
    }
    short
}

/// What the last digit of a shortened number stands for.
fn shortened_step(value: f64) -> f64 {
    let thousands = (value.log10() / 3.0).floor() as i32;
    10f64.powi(thousands * 3 - 1)
}

/// The least step between labels: their last digit, and 1 between whole numbers. `None` if any will do.
fn least_step(format: &NumberFormat, extent: Extent) -> Option<f64> {
    let is_percent = format.style == NumberStyle::Percent;
    let usual = if is_percent { 1 } else { 2 };
    let digit = 10f64.powi(-i32::from(format.decimals.unwrap_or(usual))) * if is_percent { 0.01 } else { 1.0 };
    if extent.whole && !is_percent {
        return Some(digit.max(1.0));
    }
    // Below it, values are all alike however the axis is divided; without set decimals, small ones have more of them.
    let least = if format.decimals.is_some() { digit } else { digit * 10.0 };
    (extent.greatest() >= least).then_some(digit)
}

/// A category axis.
pub(super) fn category_axis(frame: &Frame<'_>, keys: &[String]) -> Map<String, Value> {
    let mut axis = Map::new();
    axis.insert("type".into(), json!("category"));
    axis.insert("data".into(), json!(keys));
    axis.insert("axisLine".into(), json!({"show": true, "lineStyle": {"color": frame.theme.line, "width": 1}}));
    axis.insert("axisTick".into(), json!({"show": false}));
    axis.insert("axisLabel".into(), labels(frame));
    axis
}

/// A category axis of periods, with labels at round dates.
pub(super) fn period_axis(frame: &Frame<'_>, keys: &[String], moments: &[i64], grain: Grain) -> Map<String, Value> {
    let mut axis = category_axis(frame, keys);
    let (from, to) = ends(moments);
    let (ticks, named) = calendar::ticks(from, to, grain);
    let mut places: Vec<usize> = ticks.iter().filter_map(|tick| moments.binary_search(tick).ok()).collect();
    let mut named = named;
    if places.len() * 2 < ticks.len().max(2) {
        // If no period begins at a round date, every nth is labelled: with its year alone, if that tells them apart.
        let step = moments.len().div_ceil(MOST_LABELS).max(1);
        places = (0..moments.len()).step_by(step).collect();
        let years = places.windows(2).all(|pair| year(moments[pair[0]]) < year(moments[pair[1]]));
        named = match grain {
            _ if step > 1 && years => Grain::Year,
            Grain::Week => Grain::Day,
            _ => grain,
        };
    }
    let labelled: Vec<i64> = places.iter().map(|place| moments[*place]).collect();
    let dated = Dated::of(&labelled, named, (from, to));
    let in_full = dated.in_full.iter().map(|at| json!(keys[places[*at]]));
    let label = &mut axis["axisLabel"];
    label["customValues"] = json!(places);
    label["formatter"] = dated.formatter(named, in_full.collect());
    dated.anchor(label);
    axis
}

/// A time axis with proportional distances.
pub(super) fn time_axis(frame: &Frame<'_>, moments: &[i64], grain: Grain) -> Map<String, Value> {
    let (from, to) = ends(moments);
    let (ticks, named) = calendar::ticks(from, to, grain);
    let ticks = if ticks.is_empty() { vec![from] } else { ticks };
    let dated = Dated::of(&ticks, named, (from, to));
    let in_full = dated.in_full.iter().map(|at| json!(ticks[*at]));
    let mut label = labels(frame);
    label["formatter"] = dated.formatter(named, in_full.collect());
    dated.anchor(&mut label);
    label["customValues"] = json!(ticks);
    let mut axis = Map::new();
    axis.insert("type".into(), json!("time"));
    axis.insert("min".into(), json!(from));
    axis.insert("max".into(), json!(to));
    axis.insert("axisLine".into(), json!({"show": true, "lineStyle": {"color": frame.theme.line, "width": 1}}));
    axis.insert("axisTick".into(), json!({"show": false}));
    axis.insert("axisLabel".into(), label);
    axis.insert("splitLine".into(), json!({"show": false}));
    axis
}

fn ends(moments: &[i64]) -> (i64, i64) {
    (moments.first().copied().unwrap_or(0), moments.last().copied().unwrap_or(0))
}

fn year(moment: i64) -> i32 {
    calendar::civil(moment).year()
}

/// How the labels of an axis name their years.
struct Dated {
    form: DateForm,
    /// The positions of the labels that are written in full, with their year: where one begins and its label does not name it.
    in_full: Vec<usize>,
    /// The position of the first label with a year. It stays where there is no room for all.
    first: Option<usize>,
}

impl Dated {
    fn of(labelled: &[i64], named: Grain, (from, to): (i64, i64)) -> Self {
        if year(from) == year(to) {
            // Within a single year, January is not replaced by the year.
            return Self { form: DateForm::Year, in_full: Vec::new(), first: None };
        }
        let before = |at: usize| if at == 0 { from } else { labelled[at - 1] };
        let begins = |at: &usize| year(labelled[*at]) > year(before(*at));
        let begun: Vec<usize> = (0..labelled.len()).filter(begins).collect();
        let names_its_year = |at: usize| match named {
            Grain::Year | Grain::Quarter => true,
            Grain::Month => calendar::civil(labelled[at]).month() == 1,
            Grain::Week | Grain::Day | Grain::Minute => false,
        };
        let in_full = begun.iter().copied().filter(|at| !names_its_year(*at)).collect();
        Self { form: DateForm::Axis, in_full, first: begun.first().copied() }
    }

    fn formatter(&self, named: Grain, in_full: Vec<Value>) -> Value {
        let mut format = date_format(named, self.form);
        if !in_full.is_empty() {
            format["full"] = Value::Array(in_full);
        }
        json!({"$value": format})
    }

    fn anchor(&self, label: &mut Value) {
        if let Some(first) = self.first {
            label["anchor"] = json!(first);
        }
    }
}

#[cfg(test)]
#[path = "axis_tests.rs"]
mod tests;
