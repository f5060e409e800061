//! Waterfall charts.

use super::{
    axis::{self, Extent},
    definition::Names,
    frame::{Frame, number, text},
    problem::ChartProblem,
    style,
};
use crate::format::NumberFormat;
use serde_json::{Value, json};

/// A step from one height to another.
struct Step {
    name: String,
    from: f64,
    to: f64,
    /// The change of the step. For the last one, the total.
    value: f64,
    total: bool,
}

/// The option of a waterfall.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let x = frame.column("x", encoding.x.as_deref())?;
    let y = frame.column("y", encoding.y.as_ref().map_or(&[][..], Names::as_slice).first().map(String::as_str))?;
    frame.numbers(y)?;
    let format = frame.format(y.name);
    let mut height = 0.0;
    let mut steps: Vec<Step> = Vec::new();
    for (name, value) in frame.cells(x).map(text).zip(frame.cells(y).map(number)) {
        let value = value.unwrap_or(0.0);
        steps.push(Step { name, from: height, to: height + value, value, total: false });
        height += value;
    }
    if frame.options.total != Some(false) {
        steps.push(Step { name: "Total".into(), from: 0.0, to: height, value: height, total: true });
    }
    let keys: Vec<String> = steps.iter().map(|step| step.name.clone()).collect();
    let names = axis::titled(frame, axis::category_axis(frame, &keys), frame.options.x_title.as_deref());
    let up = axis::value_axis(frame, &format, Extent::of(steps.iter().map(|step| step.to), true), true);
    let tip = json!({"kind": "item", "title": null, "rows": [{"label": null, "at": "step", "format": format}]});
    Ok(style::with(
        frame,
        json!({"title": style::vertical_title(frame, frame.options.y_title.as_deref()), "grid": style::grid(), "xAxis": names, "yAxis": up, "series": series(frame, &steps, &format),
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

/// Three stacked parts per step: an invisible base, the part above zero and the part below, since a step may cross zero.
fn series(frame: &Frame<'_>, steps: &[Step], format: &NumberFormat) -> Value {
    let foot = |step: &Step| {
        let (low, high) = (step.from.min(step.to), step.from.max(step.to));
        if low >= 0.0 {
            low
        } else if high <= 0.0 {
            high
        } else {
            0.0
        }
    };
    let feet: Vec<f64> = steps.iter().map(foot).collect();
    let part = |step: &Step, above: bool| {
        let (low, high) = (step.from.min(step.to), step.from.max(step.to));
        let height = if above { high.max(0.0) - low.max(0.0) } else { low.min(0.0) - high.min(0.0) };
        let better = (step.value >= 0.0) != frame.options.lower_is_better;
        let colour = match (step.total, better) {
            (true, _) => &frame.theme.accent,
            (false, true) => &frame.theme.positive,
            (false, false) => &frame.theme.negative,
        };
        if height == 0.0 {
            return json!("-");
        }
        json!({"value": height, "step": step.value, "itemStyle": {"color": colour}})
    };
    let label = style::mark_format(&format.compact_from(10_000.0), json!("step"));
    let shown = |above: bool| {
        let mut label = style::mark_label(frame, if above { "top" } else { "bottom" }, label.clone());
        label["show"] = json!(steps.len() <= 16);
        label
    };
    let bars = |id: &str, above: bool| {
        let data: Vec<Value> = steps.iter().map(|step| part(step, above)).collect();
        json!({"id": id, "type": "bar", "stack": "all", "data": data, "barCategoryGap": "25%", "barMaxWidth": 120,
            "itemStyle": {"borderRadius": 2}, "label": shown(above), "labelLayout": {"hideOverlap": true}, "emphasis": {"disabled": false}})
    };
    json!([
        {"id": "foot", "type": "bar", "stack": "all", "data": feet, "silent": true, "barCategoryGap": "25%", "barMaxWidth": 120,
            "itemStyle": {"color": "transparent"}, "emphasis": {"disabled": true}},
        bars("above", true),
        bars("below", false)
    ])
}
