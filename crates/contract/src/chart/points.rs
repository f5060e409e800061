//! Scatter and bubble charts.

use super::{
    axis::{self, Extent},
    cartesian::goal_line,
    colours,
    definition::ChartType,
    frame::{ColumnRef, Frame, by_name, grain},
    problem::ChartProblem,
    style,
};
use crate::{
    calendar::Grain,
    format::{DateForm, NumberFormat},
};
use serde_json::{Map, Value, json};

/// The most points: more would cover each other. Every nth point is drawn.
const MOST_POINTS: usize = 4000;
/// The diameters of the smallest and the largest bubble.
const BUBBLE: (f64, f64) = (6.0, 44.0);

/// The kind of the horizontal axis.
enum Across {
    Numbers(Vec<Option<f64>>),
    Time(Vec<Option<i64>>, Grain),
    Names(Vec<String>),
}

/// The option of a scatter or bubble chart.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let x = frame.column("x", encoding.x.as_deref())?;
    let y = frame.column("y", encoding.y.as_ref().and_then(|names| names.as_slice().first()).map(String::as_str))?;
    let size = frame.optional("size", encoding.size.as_deref())?;
    if frame.definition.kind == ChartType::Bubble && size.is_none() {
        return Err(ChartProblem::MissingPart("size"));
    }
    let split = frame.optional("series", encoding.series.as_deref())?;
    let label =
        frame.optional("label", encoding.label.as_ref().and_then(|names| names.as_slice().first()).map(String::as_str))?;
    let across = across(frame, x);
    let heights = frame.numbers(y)?;
    let sizes = size.map(|size| frame.numbers(size)).transpose()?;
    let names: Vec<String> = split.map_or_else(|| vec![frame.title(y.name)], |split| distinct(frame.texts(split)));
    let owners = split.map(|split| frame.texts(split));
    let labels = label.map(|label| frame.texts(label));
    let colours = if split.is_some() { colours::of_names(frame, &names) } else { vec![colours::only(frame, y.name)] };

    let step = heights.len().div_ceil(MOST_POINTS).max(1);
    let greatest_size = sizes.iter().flatten().flatten().copied().fold(0.0, f64::max);
    let point = |row: usize| -> Option<Value> {
        let height = heights[row]?;
        let mut point = Map::new();
        let mut values = vec![across.value(row)?, json!(height)];
        if let Some(sizes) = &sizes {
            let size = sizes[row]?.max(0.0);
            values.push(json!(size));
            point.insert("symbolSize".into(), json!(diameter(size, greatest_size)));
        }
        if let Some(labels) = &labels {
            point.insert("name".into(), json!(labels[row]));
        }
        point.insert("value".into(), json!(values));
        Some(Value::Object(point))
    };
    let rows = || (0..heights.len()).step_by(step);
    let series: Vec<Value> = names
        .iter()
        .zip(&colours)
        .enumerate()
        .map(|(at, (name, colour))| {
            let owned = rows().filter(|row| owners.as_ref().is_none_or(|owners| owners[*row] == *name));
            json!({"id": format!("series:{at}"), "type": "scatter", "name": name, "color": colour, "symbolSize": 7,
                "itemStyle": {"opacity": if sizes.is_some() { 0.6 } else { 0.55 }, "borderColor": frame.theme.raised, "borderWidth": 0.5},
                "emphasis": {"itemStyle": {"opacity": 1}}, "data": owned.filter_map(point).collect::<Vec<_>>()})
        })
        .collect();
    Ok(assemble(frame, (x, y, size), &across, &heights, series, &names))
}

fn assemble(
    frame: &Frame<'_>,
    (x, y, size): (ColumnRef<'_>, ColumnRef<'_>, Option<ColumnRef<'_>>),
    across: &Across,
    heights: &[Option<f64>],
    mut series: Vec<Value>,
    names: &[String],
) -> Value {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let legend = style::legend(frame, &names);
    let extent = Extent::of(heights.iter().flatten().copied(), false);
    let mut vertical = axis::value_axis(frame, &frame.format(y.name), extent, true);
    vertical.insert("scale".into(), json!(true));
    // Two measures need their names to be understood.
    let title = frame.options.y_title.clone().unwrap_or_else(|| frame.title(y.name));
    let title_above = style::vertical_title(frame, Some(&title));
    let title = frame.options.x_title.clone().unwrap_or_else(|| frame.title(x.name));
    let horizontal = axis::titled(frame, across.axis(frame, x), Some(&title));
    if let (Some(goal), Some(first)) = (&frame.options.goal, series.first_mut()) {
        first["markLine"] = goal_line(frame, goal.value(), goal.label(), false, &frame.format(y.name));
    }
    let row = |column: &str, at: usize, format: Value| json!({"label": frame.title(column), "at": at, "format": format});
    let mut rows = vec![row(x.name, 0, across.format(frame, x)), row(y.name, 1, json!(frame.format(y.name)))];
    if let Some(size) = size {
        rows.push(row(size.name, 2, json!(frame.format(size.name))));
    }
    let titled = if frame.definition.encoding.label.is_some() { "name" } else { "series" };
    let titled = if titled == "series" && legend.is_null() { json!(null) } else { json!(titled) };
    let tip = json!({"kind": "item", "title": titled, "rows": rows});
    style::with(
        frame,
        json!({"legend": legend, "title": title_above, "grid": style::grid(), "xAxis": horizontal, "yAxis": vertical, "series": series,
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    )
}

fn across(frame: &Frame<'_>, x: ColumnRef<'_>) -> Across {
    if let Some(moments) = frame.moments(x) {
        let grain = grain(moments.iter().flatten().copied());
        return Across::Time(moments, grain);
    }
    match frame.numbers(x) {
        Ok(numbers) => Across::Numbers(numbers),
        Err(_) => Across::Names(frame.texts(x)),
    }
}

impl Across {
    fn value(&self, row: usize) -> Option<Value> {
        match self {
            Self::Numbers(numbers) => numbers[row].map(|number| json!(number)),
            Self::Time(moments, _) => moments[row].map(|moment| json!(moment)),
            Self::Names(names) => Some(json!(names[row])),
        }
    }

    fn axis(&self, frame: &Frame<'_>, x: ColumnRef<'_>) -> Map<String, Value> {
        match self {
            Self::Numbers(numbers) => {
                let extent = Extent::of(numbers.iter().flatten().copied(), false);
                let mut axis = axis::value_axis(frame, &frame.format(x.name), extent, false);
                axis.insert("scale".into(), json!(true));
                axis.insert("splitNumber".into(), json!(6));
                axis.insert(
                    "axisLine".into(),
                    json!({"show": true, "onZero": false, "lineStyle": {"color": frame.theme.line}}),
                );
                axis
            }
            Self::Time(moments, grain) => {
                let mut moments: Vec<i64> = moments.iter().flatten().copied().collect();
                moments.sort_unstable();
                axis::time_axis(frame, &moments, *grain)
            }
            Self::Names(names) => axis::category_axis(frame, &distinct(names.clone())),
        }
    }

    fn format(&self, frame: &Frame<'_>, x: ColumnRef<'_>) -> Value {
        match self {
            Self::Numbers(_) => json!(frame.format(x.name)),
            Self::Time(_, grain) => style::date_format(*grain, DateForm::Words),
            Self::Names(_) => json!(NumberFormat::default()),
        }
    }
}

/// A bubble's area is proportional to its size.
fn diameter(size: f64, greatest: f64) -> f64 {
    let share = if greatest > 0.0 { (size / greatest).sqrt() } else { 0.0 };
    (share.mul_add(BUBBLE.1 - BUBBLE.0, BUBBLE.0) * 10.0).round() / 10.0
}

fn distinct(mut names: Vec<String>) -> Vec<String> {
    names.sort_by(|one, two| by_name(one, two));
    names.dedup();
    names
}
