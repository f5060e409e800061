//! The parts that all pictures share: text, grid, legend, tooltip. Sizes are CSS pixels.

use super::frame::{Frame, clean};
use crate::{
    calendar::Grain,
    format::{DateForm, NumberFormat, locale::is_right_to_left},
};
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
    if names.len() < 2 { Value::Null } else { legend_of_any(frame, names) }
}

/// The legend, also for one name. It starts where texts in the page's language start.
pub(super) fn legend_of_any(frame: &Frame<'_>, names: &[&str]) -> Value {
    let start = if is_right_to_left(frame.locale.language) { json!("right") } else { json!(0) };
    json!({"type": "plain", "left": start, "top": 0, "padding": 0, "itemGap": 14, "itemWidth": 10, "itemHeight": 10,
        "icon": "roundRect", "data": names, "inactiveColor": frame.theme.line, "inactiveBorderColor": frame.theme.line,
        "textStyle": {"color": frame.theme.muted, "fontSize": 12, "padding": [0, 0, 0, -2]},
        // The runtime shows it if it cuts a name.
        "tooltip": {"show": false, "formatter": {"$tip": {"kind": "item", "title": "name", "rows": []}}},
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

/// The label of a mark.
pub(super) fn mark_label(frame: &Frame<'_>, position: &str, formatter: Value) -> Value {
    json!({"show": true, "position": position, "distance": 4, "color": frame.theme.text, "fontSize": 12, "formatter": formatter})
}
