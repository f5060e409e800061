//! Gauges: a value against a maximum.

use super::{
    frame::{self, Frame},
    number,
    problem::ChartProblem,
    style,
};
use crate::format::{self, MISSING};
use serde_json::{Value, json};

/// The option of a gauge. Without a value it is empty and says so, as a number does.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let column = frame.column("value", encoding.value.as_deref())?;
    let shown = number::shown(frame)?;
    let value = shown.unwrap_or(0.0);
    let max = match &encoding.max {
        None => None,
        Some(Value::String(name)) => frame.numbers(frame.column("max", Some(name))?)?.into_iter().flatten().next(),
        Some(other) => Some(frame::number(other).ok_or(ChartProblem::NotNumeric { part: "max", column: other.to_string() })?),
    };
    let format = frame.format(column.name);
    let max = max.or(frame.options.max).filter(|max| *max > 0.0);
    // Without a value, the ends would be made up.
    let ends = match (shown, max) {
        (None, None) => json!({"$text": ""}),
        _ => json!({"$value": format.compact_from(10_000.0)}),
    };
    let max = max.unwrap_or_else(|| usual_end(value, format.style));
    let min = frame.options.min.unwrap_or(0.0).min(max);
    let colour = super::colours::only(frame, column.name);
    let end = |at: f64| format::number(at, &format.compact_from(10_000.0), &frame.locale);
    let big = shown.map_or_else(|| MISSING.to_owned(), end);
    let tip =
        json!({"kind": "item", "title": null, "rows": [{"label": frame.title(column.name), "at": "exact", "format": format}]});
    Ok(style::with(
        frame,
        json!({"$dial": {"from": end(min), "to": end(max)}, "series": [{"id": "series:0", "type": "gauge", "startAngle": 200, "endAngle": -20,
            "min": min, "max": max, "center": ["50%", "62%"], "radius": "96%", "splitNumber": 1,
            "progress": {"show": shown.is_some(), "width": 14, "roundCap": true, "itemStyle": {"color": colour}},
            "axisLine": {"roundCap": true, "lineStyle": {"width": 14, "color": [[1, frame.theme.line]]}},
            "axisTick": {"show": false}, "splitLine": {"show": false}, "pointer": {"show": false}, "anchor": {"show": false},
            "axisLabel": {"show": true, "distance": -4, "color": frame.theme.muted, "fontSize": 12,
                "formatter": ends},
            "title": {"show": false},
            "detail": {"offsetCenter": [0, "-8%"], "fontSize": 28, "fontWeight": 600, "color": frame.theme.text,
                "fontFamily": frame.theme.font, "formatter": {"$text": big}},
            "data": [{"value": value.clamp(min, max), "exact": shown, "name": frame.title(column.name)}]}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

/// The default maximum of a gauge: 1 for shares, otherwise the next round number.
fn usual_end(value: f64, style: format::NumberStyle) -> f64 {
    if style == format::NumberStyle::Percent || value <= 0.0 {
        return value.max(1.0);
    }
    let power = 10f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|round| *round >= value).unwrap_or(value)
}
