//! Radar charts.

use super::{frame::Frame, problem::ChartProblem, sheet, style};
use serde_json::{Value, json};

/// The option of a radar chart.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let sheet = sheet::read(frame)?;
    let greatest = sheet.series.iter().map(sheet::Series::greatest).fold(0.0, f64::max);
    let end = frame.options.max.filter(|max| *max > 0.0).unwrap_or(if greatest > 0.0 { greatest * 1.05 } else { 1.0 });
    let theme = frame.theme;
    let indicators: Vec<Value> = sheet.keys.iter().map(|key| json!({"name": key, "max": end, "min": 0})).collect();
    let format = sheet.series.first().map(|series| series.format.clone()).unwrap_or_default();
    let data: Vec<Value> = sheet
        .series
        .iter()
        .map(|series| {
            let values: Vec<f64> = series.values.iter().map(|value| value.unwrap_or(0.0)).collect();
            json!({"name": series.name, "value": values, "itemStyle": {"color": series.colour},
                "lineStyle": {"color": series.colour, "width": 2}, "areaStyle": {"color": series.colour, "opacity": 0.08}})
        })
        .collect();
    let names: Vec<&str> = sheet.series.iter().map(|series| series.name.as_str()).collect();
    let legend = style::legend(frame, &names);
    let rows: Vec<Value> =
        sheet.keys.iter().enumerate().map(|(at, key)| json!({"label": key, "at": at, "format": format})).collect();
    let tip = json!({"kind": "item", "title": "name", "rows": rows});
    Ok(style::with(
        frame,
        json!({"$radar": true, "legend": legend, "radar": {"indicator": indicators, "radius": "72%", "center": ["50%", if names.len() > 1 { "56%" } else { "52%" }],
                "splitNumber": 4, "axisName": {"color": theme.muted, "fontSize": 12}, "axisLine": {"lineStyle": {"color": theme.line}},
                "splitLine": {"lineStyle": {"color": theme.line}}, "splitArea": {"show": false}},
            "series": [{"id": "series:0", "type": "radar", "symbol": "circle", "symbolSize": 5, "data": data,
                "emphasis": {"lineStyle": {"width": 2.5}}}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}
