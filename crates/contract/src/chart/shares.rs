//! Pie, donut and funnel charts.

use super::{
    axis,
    colours::{self, OTHER},
    definition::ChartType,
    frame::{Frame, number, text},
    options::Sort,
    problem::ChartProblem,
    style,
};
use crate::format::{self, NumberFormat, NumberStyle};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The default limit of slices.
const SLICES: usize = 8;

/// A part's name and value.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) value: f64,
}

/// The parts. Values of the same name are added up.
fn parts(frame: &Frame<'_>) -> Result<(Vec<Part>, NumberFormat), ChartProblem> {
    let encoding = &frame.definition.encoding;
    let label =
        frame.column("label", encoding.label.as_ref().and_then(|names| names.as_slice().first()).map(String::as_str))?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    let mut parts: Vec<Part> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (name, value) in frame.cells(label).map(text).zip(frame.cells(value).map(number)) {
        let place = *places.entry(name.clone()).or_insert_with(|| {
            parts.push(Part { name, value: 0.0 });
            parts.len() - 1
        });
        parts[place].value += value.unwrap_or(0.0);
    }
    // Only positive values can be parts of a whole.
    parts.retain(|part| part.value > 0.0);
    Ok((parts, frame.format(value.name)))
}

/// Keeps the largest parts and combines the rest.
fn limited(mut parts: Vec<Part>, frame: &Frame<'_>, usual: usize) -> Vec<Part> {
    let limit = frame.options.limit.unwrap_or(usual).max(1);
    let spare = usize::from(frame.options.limit.is_none());
    parts.sort_by(|one, two| two.value.total_cmp(&one.value));
    // If the rest would be a single part, it is kept.
    if parts.len() > limit + spare {
        let rest: f64 = parts.split_off(limit).iter().map(|part| part.value).sum();
        if frame.options.others != Some(false) {
            parts.push(Part { name: OTHER.to_owned(), value: rest });
        }
    }
    parts
}

/// The option of a pie or donut.
pub(super) fn round(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let (parts, format) = parts(frame)?;
    let parts = limited(parts, frame, SLICES);
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    let colours = colours::of_names(frame, &names);
    let total: f64 = parts.iter().map(|part| part.value).sum();
    let data: Vec<Value> = parts
        .iter()
        .zip(&colours)
        .map(|(part, colour)| json!({"name": part.name, "value": part.value, "itemStyle": {"color": colour}}))
        .collect();
    let donut = frame.definition.kind == ChartType::Donut;
    let shown: Vec<&str> = names.iter().map(String::as_str).collect();
    let tip = json!({"kind": "item", "title": null, "share": true, "rows": [{"label": null, "at": null, "format": format}]});
    let mut option = json!({
        "$round": {"names": names, "shares": shares(frame, &parts, total), "text": frame.theme.text},
        "legend": style::legend_of_any(frame, &shown),
        "series": [{"id": "series:0", "type": "pie", "radius": if donut { json!(["62%", "92%"]) } else { json!(["0%", "92%"]) },
            "center": ["50%", "50%"], "padAngle": 0, "data": data, "startAngle": 90,
            "itemStyle": {"borderColor": frame.theme.raised, "borderWidth": 1.5, "borderRadius": 2},
            "label": {"show": false}, "labelLine": {"show": false},
            "emphasis": {"scaleSize": 4}}],
        "tooltip": style::tooltip(frame, "item", "none", tip)});
    if donut {
        let text = format::number(total, &format.compact_from(10_000.0), &frame.locale);
        option["title"] = json!({"text": text, "subtext": "Total", "left": "center", "top": "center", "itemGap": 2, "padding": 0,
            "textStyle": {"color": frame.theme.text, "fontSize": 20, "fontWeight": 600, "fontFamily": frame.theme.font},
            "subtextStyle": {"color": frame.theme.muted, "fontSize": 12, "fontFamily": frame.theme.font}});
    }
    Ok(style::with(frame, option))
}

/// Each part's share as text, which the legend shows after its name.
fn shares(frame: &Frame<'_>, parts: &[Part], total: f64) -> Vec<String> {
    let percent = NumberFormat { style: NumberStyle::Percent, ..NumberFormat::default() };
    parts.iter().map(|part| format::number(part.value / total, &percent, &frame.locale)).collect()
}

/// The option of a funnel: a bar per step, so that the loss is visible at the ends. Steps keep the query's order.
pub(super) fn funnel(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let (mut parts, format) = parts(frame)?;
    match frame.options.sort {
        Some(Sort::Ascending) => parts.sort_by(|one, two| one.value.total_cmp(&two.value)),
        Some(Sort::Descending) => parts.sort_by(|one, two| two.value.total_cmp(&one.value)),
        Some(Sort::Label) | None => {}
    }
    let first = parts.first().map_or(1.0, |part| part.value);
    let of_first = shares(frame, &parts, first);
    let colour = colours::only(frame, &frame.definition.title);
    let short = format.compact_from(10_000.0);
    let count = parts.len().max(2) as f64;
    let text = |part: &Part, share: &str| format!("{}  ·  {share}", format::number(part.value, &short, &frame.locale));
    let data: Vec<Value> = parts
        .iter()
        .zip(&of_first)
        .enumerate()
        .map(|(at, (part, share))| {
            let fade = at as f64 / count * 0.5;
            json!({"value": part.value, "share": share, "label": {"formatter": {"$text": text(part, share)}},
                "itemStyle": {"color": colours::faded(frame, &colour, fade)}})
        })
        .collect();
    let names: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
    let mut steps = axis::category_axis(frame, &names);
    steps.insert("inverse".into(), json!(true));
    steps.insert("axisLine".into(), json!({"show": false}));
    steps["axisLabel"]["color"] = json!(frame.theme.text);
    let tip = json!({"kind": "item", "title": null, "rows": [{"label": null, "at": null, "format": format},
        {"label": "Of the first", "at": "share", "format": null}]});
    let widest = parts.iter().map(|part| part.value).fold(0.0, f64::max);
    Ok(style::with(
        frame,
        json!({"grid": style::grid(), "xAxis": {"type": "value", "show": false, "min": 0, "max": if widest > 0.0 { widest } else { 1.0 }},
            "yAxis": steps, "series": [{"id": "series:0", "type": "bar", "name": frame.title(&frame.definition.title), "data": data,
                "barCategoryGap": "16%", "barMaxWidth": 44, "itemStyle": {"borderRadius": 3}, "emphasis": {"disabled": true},
                "label": {"show": true, "position": "right", "distance": 8, "color": frame.theme.text, "fontSize": 12}}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}
