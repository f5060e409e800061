//! Maps: points by latitude and longitude, or regions by name. The chart runtime provides the geometry.

use super::{
    definition::Names,
    frame::{Frame, number, text},
    heat::scale,
    options::Land,
    problem::ChartProblem,
    style,
};
use serde_json::{Map, Value, json};

/// The most points: more would cover each other.
const MOST_POINTS: usize = 4000;

/// The space around a map with points, in CSS pixels: half of the largest point, which may stand at the edge.
const EDGE: u8 = 16;

/// The option of a map.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    if frame.definition.encoding.region.is_some() { regions(frame) } else { points(frame) }
}

const fn land(land: Land) -> &'static str {
    match land {
        Land::World => "world",
        Land::Us => "us",
    }
}

fn ground(frame: &Frame<'_>) -> (String, String) {
    let theme = frame.theme;
    (super::colours::faded(frame, &theme.line, 0.35), theme.raised.clone())
}

fn points(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let latitude = frame.column("latitude", encoding.latitude.as_deref())?;
    let longitude = frame.column("longitude", encoding.longitude.as_deref())?;
    let value = frame.optional("value", encoding.value.as_deref())?;
    let label =
        frame.optional("label", encoding.label.as_ref().map_or(&[][..], Names::as_slice).first().map(String::as_str))?;
    let (north, east) = (frame.numbers(latitude)?, frame.numbers(longitude)?);
    let values = value.map(|value| frame.numbers(value)).transpose()?;
    let labels = label.map(|label| frame.texts(label));
    let greatest = values.iter().flatten().flatten().copied().fold(0.0, f64::max);
    let mut data: Vec<(f64, Value)> = Vec::new();
    let mut american = true;
    for (row, place) in north.iter().zip(&east).enumerate() {
        let (Some(north), Some(east)) = place else { continue };
        if !(-90.0..=90.0).contains(north) || !(-180.0..=180.0).contains(east) {
            continue;
        }
        american &= (17.5..=72.0).contains(north) && (-180.0..=-64.5).contains(east);
        let mut point = Map::new();
        let measured = values.as_ref().and_then(|values| values[row]);
        let share = measured.map_or(0.0, |value| if greatest > 0.0 { (value.max(0.0) / greatest).sqrt() } else { 0.0 });
        point.insert("value".into(), json!([east, north, measured]));
        point.insert("name".into(), json!(labels.as_ref().map(|labels| &labels[row])));
        point.insert("symbolSize".into(), json!((share.mul_add(26.0, 5.0) * 10.0).round() / 10.0));
        data.push((share, Value::Object(point)));
    }
    // Small points are drawn on top of large ones.
    data.sort_by(|one, two| two.0.total_cmp(&one.0));
    data.truncate(MOST_POINTS);
    let data: Vec<Value> = data.into_iter().map(|(_, point)| point).collect();
    let under = frame.options.land.unwrap_or(if american && !data.is_empty() { Land::Us } else { Land::World });
    let (area, border) = ground(frame);
    let rows: Vec<Value> = value
        .iter()
        .map(|value| json!({"label": frame.title(value.name), "at": 2, "format": frame.format(value.name)}))
        .collect();
    let tip = json!({"kind": "item", "title": if labels.is_some() { json!("name") } else { json!(null) }, "rows": rows});
    Ok(style::with(
        frame,
        json!({"$land": land(under),
            "geo": {"map": land(under), "roam": false, "silent": true, "left": EDGE, "right": EDGE, "top": EDGE, "bottom": EDGE,
                "itemStyle": {"areaColor": area, "borderColor": border, "borderWidth": 0.75}, "emphasis": {"disabled": true}},
            "series": [{"id": "series:0", "type": "scatter", "coordinateSystem": "geo", "data": data, "color": frame.theme.accent,
                "itemStyle": {"opacity": 0.6, "borderColor": frame.theme.raised, "borderWidth": 0.75},
                "emphasis": {"itemStyle": {"opacity": 1}}}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

fn regions(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let region = frame.column("region", encoding.region.as_deref())?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    let rows = frame.cells(region).map(text).zip(frame.cells(value).map(number));
    let rows: Vec<(String, f64)> = rows.filter_map(|(name, value)| value.map(|value| (name, value))).collect();
    let data: Vec<Value> = rows.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
    let format = frame.format(value.name);
    let (area, border) = ground(frame);
    let under = frame.options.land.map_or("auto", land);
    let tip = json!({"kind": "item", "title": null, "rows": [{"label": null, "at": null, "format": format}]});
    Ok(style::with(
        frame,
        json!({"$land": under,
            // The runtime knows the regions. It lists names here that are not among them.
            "title": {"show": false, "left": 0, "bottom": 3, "padding": 0,
                "textStyle": {"color": frame.theme.muted, "fontSize": 12, "fontWeight": 400}},
            "visualMap": scale(frame, rows.iter().map(|(_, value)| *value), &format, 0),
            "series": [{"id": "series:0", "type": "map", "map": under, "roam": false, "left": 0, "right": 0, "top": 28, "bottom": 4,
                "selectedMode": false, "data": data, "label": {"show": false},
                "itemStyle": {"areaColor": area, "borderColor": border, "borderWidth": 0.75},
                "emphasis": {"label": {"show": false}, "itemStyle": {"areaColor": null, "borderColor": frame.theme.text, "borderWidth": 1}}}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}
