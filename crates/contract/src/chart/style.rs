//! The parts that all pictures share: text, axes, grid, legend, tooltip. Sizes are CSS pixels.

use super::frame::{Frame, clean};
use crate::{
    calendar::{self, Grain},
    format::{DateForm, NumberFormat},
};
use chrono::Datelike;
use serde_json::{Map, Value, json};

/// The base of every option.
pub(super) fn base(frame: &Frame<'_>) -> Map<String, Value> {
    let theme = frame.theme;
    let mut option = Map::new();
    option.insert("$locale".into(), json!(frame.locale));
    option.insert("animation".into(), json!(false));
    option.insert("useUTC".into(), json!(true));
    option.insert("textStyle".into(), json!({"fontFamily": theme.font, "fontSize": 12, "color": theme.muted}));
    option.insert("color".into(), json!(theme.palette));
    option
}

/// The base with a chart family's own parts.
pub(super) fn with(frame: &Frame<'_>, parts: Value) -> Value {
    let mut option = base(frame);
    if let Value::Object(parts) = parts {
        option.extend(parts.into_iter().filter(|(_, part)| !part.is_null()));
    }
    Value::Object(option)
}

/// A number format as a marker that the chart runtime replaces with a formatter of a value.
pub(super) fn value_format(format: &NumberFormat) -> Value {
    json!({"$value": format})
}

/// A number format as a marker that the chart runtime replaces with a formatter of a mark. `at` is the index of a value or a
/// field of the mark.
pub(super) fn mark_format(format: &NumberFormat, at: Value) -> Value {
    json!({"$mark": {"at": at, "format": format}})
}

/// A date format, usable in place of a number format.
pub(super) fn date_format(grain: Grain, form: DateForm) -> Value {
    json!({"date": grain, "form": form})
}

/// The plot's position: the full width of the card. The chart runtime moves it below the legend.
pub(super) fn grid() -> Value {
    // The last label of an axis is centred on the plot's edge, and descenders reach below their line.
    json!({"left": 0, "right": 4, "top": 8, "bottom": 4, "outerBoundsMode": "same", "outerBoundsContain": "all"})
}

/// The legend below the title. Null for fewer than two names.
pub(super) fn legend(frame: &Frame<'_>, names: &[&str]) -> Value {
    if names.len() < 2 {
        return Value::Null;
    }
    json!({"type": "plain", "left": 0, "top": 0, "padding": 0, "itemGap": 14, "itemWidth": 10, "itemHeight": 10,
        "icon": "roundRect", "data": names, "inactiveColor": frame.theme.line, "inactiveBorderColor": frame.theme.line,
        "textStyle": {"color": frame.theme.muted, "fontSize": 12, "padding": [0, 0, 0, -2]},
        "pageIconColor": frame.theme.muted, "pageIconInactiveColor": frame.theme.line, "pageIconSize": 10,
        "pageTextStyle": {"color": frame.theme.muted}})
}

/// The tooltip. `tip` is its content.
pub(super) fn tooltip(frame: &Frame<'_>, trigger: &str, pointer: &str, tip: Value) -> Value {
    let theme = frame.theme;
    let pointer = match pointer {
        "shadow" => json!({"type": "shadow", "shadowStyle": {"color": theme.text, "opacity": 0.05}, "label": {"show": false}}),
        _ => json!({"type": pointer, "lineStyle": {"color": theme.muted, "width": 1, "type": "solid", "opacity": 0.5},
            "label": {"show": false}}),
    };
    json!({"trigger": trigger, "confine": true, "transitionDuration": 0, "backgroundColor": theme.raised,
        "borderColor": theme.line, "borderWidth": 1, "borderRadius": 6, "padding": [8, 10],
        "textStyle": {"color": theme.text, "fontSize": 12, "fontFamily": theme.font},
        "axisPointer": pointer, "formatter": {"$tip": tip}})
}

/// The title of the vertical axis: horizontal muted text above the plot.
pub(super) fn vertical_title(frame: &Frame<'_>, title: Option<&str>) -> Value {
    title.filter(|title| !title.is_empty()).map_or(Value::Null, |title| {
        json!({"text": clean(title), "left": 0, "top": 0, "padding": 0,
            "textStyle": {"color": frame.theme.muted, "fontSize": 12, "fontWeight": 400, "fontFamily": frame.theme.font}})
    })
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

fn labels(frame: &Frame<'_>) -> Value {
    json!({"color": frame.theme.muted, "fontSize": 12, "hideOverlap": true, "margin": 8})
}

/// A value axis. `greatest` decides whether its labels are compact.
pub(super) fn value_axis(frame: &Frame<'_>, format: &NumberFormat, greatest: f64, lines: bool) -> Map<String, Value> {
    let theme = frame.theme;
    let mut label = labels(frame);
    label["formatter"] = value_format(&axis_numbers(format, greatest));
    let mut axis = Map::new();
    axis.insert("type".into(), json!("value"));
    axis.insert("splitNumber".into(), json!(4));
    axis.insert("axisLine".into(), json!({"show": false}));
    axis.insert("axisTick".into(), json!({"show": false}));
    axis.insert("axisLabel".into(), label);
    axis.insert("splitLine".into(), json!({"show": lines, "lineStyle": {"color": theme.line, "width": 1}}));
    axis
}

/// The format of axis labels: compact from 1,000 on if the axis exceeds 10,000. Without a unit, except percent.
pub(super) fn axis_numbers(format: &NumberFormat, greatest: f64) -> NumberFormat {
    let mut short = if greatest >= 10_000.0 { format.compact_from(1000.0) } else { format.clone() };
    if short.unit.as_deref().is_some_and(|unit| !unit.starts_with(['%', '°'])) {
        short.unit = None;
    }
    short.decimals = short.decimals.filter(|_| greatest < 10_000.0 && greatest > 0.0 && greatest < 5.0);
    short
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
        // If no period begins at a round date, every nth is labelled.
        places = (0..moments.len()).step_by(moments.len().div_ceil(7).max(1)).collect();
        named = if grain == Grain::Week { Grain::Day } else { grain };
    }
    let label = &mut axis["axisLabel"];
    label["customValues"] = json!(places);
    label["formatter"] = json!({"$value": date_format(named, form(from, to))});
    axis
}

/// A time axis with proportional distances.
pub(super) fn time_axis(frame: &Frame<'_>, moments: &[i64], grain: Grain) -> Map<String, Value> {
    let (from, to) = ends(moments);
    let (ticks, named) = calendar::ticks(from, to, grain);
    let mut label = labels(frame);
    label["customValues"] = json!(if ticks.is_empty() { vec![from] } else { ticks });
    label["formatter"] = json!({"$value": date_format(named, form(from, to))});
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

/// Within a single year, January is not replaced by the year.
fn form(from: i64, to: i64) -> DateForm {
    let year = |moment| calendar::civil(moment).year();
    if year(from) == year(to) { DateForm::Year } else { DateForm::Axis }
}

/// The label of a mark.
pub(super) fn mark_label(frame: &Frame<'_>, position: &str, formatter: Value) -> Value {
    json!({"show": true, "position": position, "distance": 4, "color": frame.theme.text, "fontSize": 12, "formatter": formatter})
}
