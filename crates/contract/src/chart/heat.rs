//! Heatmaps and calendars: values as colour intensity.

use super::{
    axis,
    frame::{ColumnRef, Frame, grain, number},
    problem::ChartProblem,
    style,
};
use crate::{
    calendar::{Grain, civil},
    format::{self, DateForm, NumberFormat},
};
use chrono::{Datelike, NaiveDate};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Up to this many cells show their values.
const LABELLED_CELLS: usize = 120;

/// The keys of one axis of a heatmap, and each row's position among them.
struct Side {
    keys: Vec<String>,
    places: Vec<Option<usize>>,
    time: Option<(Vec<i64>, Grain)>,
}

impl Side {
    fn read(frame: &Frame<'_>, column: ColumnRef<'_>) -> Self {
        let texts = frame.texts(column);
        if let Some(moments) = frame.moments(column) {
            let distinct: BTreeMap<i64, usize> =
                moments.iter().enumerate().filter_map(|(row, at)| at.map(|at| (at, row))).collect();
            let keys = distinct.values().map(|row| texts[*row].clone()).collect();
            let order: Vec<i64> = distinct.into_keys().collect();
            let places = moments.iter().map(|at| at.and_then(|at| order.binary_search(&at).ok())).collect();
            let grain = grain(order.iter().copied());
            return Self { keys, places, time: Some((order, grain)) };
        }
        let mut order: BTreeMap<String, usize> = BTreeMap::new();
        let mut keys = Vec::new();
        let mut places = Vec::new();
        for text in texts {
            let next = keys.len();
            let place = *order.entry(text.clone()).or_insert(next);
            if place == next {
                keys.push(text);
            }
            places.push(Some(place));
        }
        Self { keys, places, time: None }
    }

    fn axis(&self, frame: &Frame<'_>) -> Map<String, Value> {
        let mut axis = match &self.time {
            Some((moments, grain)) => axis::period_axis(frame, &self.keys, moments, *grain),
            None => axis::category_axis(frame, &self.keys),
        };
        axis.insert("axisLine".into(), json!({"show": false}));
        axis
    }

    /// The name of a key in a tooltip.
    fn named(&self) -> Value {
        self.time.as_ref().map_or(Value::Null, |(_, grain)| style::date_format(*grain, DateForm::Words))
    }
}

/// The option of a heatmap.
pub(super) fn heatmap(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let x = frame.column("x", encoding.x.as_deref())?;
    let y = frame.column("y", encoding.y.as_ref().and_then(|names| names.as_slice().first()).map(String::as_str))?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    let (across, down) = (Side::read(frame, x), Side::read(frame, y));
    let mut cells: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for ((x, y), value) in across.places.iter().zip(&down.places).zip(frame.cells(value).map(number)) {
        if let (Some(x), Some(y), Some(value)) = (x, y, value) {
            *cells.entry((*x, *y)).or_default() += value;
        }
    }
    let format = frame.format(value.name);
    let data: Vec<Value> = cells.iter().map(|((x, y), value)| json!([x, y, value])).collect();
    let scale = scale(frame, cells.values().copied(), &format, 2);
    let mut vertical = down.axis(frame);
    vertical.insert("inverse".into(), json!(true));
    let tip = json!({"kind": "item", "title": "cell", "cell": [across.named(), down.named()], "keys": [across.keys, down.keys],
        "rows": [{"label": frame.title(value.name), "at": 2, "format": format}]});
    let short = style::mark_format(&format.compact_from(10_000.0), json!(2));
    let horizontal = axis::titled(frame, across.axis(frame), frame.options.x_title.as_deref());
    Ok(style::with(
        frame,
        json!({"grid": style::grid(), "xAxis": horizontal, "yAxis": vertical, "visualMap": scale,
            "series": [{"id": "series:0", "type": "heatmap", "name": frame.title(value.name), "data": data,
                "itemStyle": {"borderColor": frame.theme.raised, "borderWidth": 1.5, "borderRadius": 2},
                "label": {"show": frame.options.value_labels && cells.len() <= LABELLED_CELLS, "fontSize": 12, "formatter": short},
                "emphasis": {"itemStyle": {"borderColor": frame.theme.text, "borderWidth": 1}}}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

/// The colour scale: a small bar with its minimum and maximum above the plot.
pub(super) fn scale(
    frame: &Frame<'_>,
    values: impl Iterator<Item = f64> + Clone,
    format: &NumberFormat,
    dimension: usize,
) -> Value {
    let least = values.clone().fold(f64::INFINITY, f64::min);
    let most = values.fold(f64::NEG_INFINITY, f64::max);
    let (least, most) = if least.is_finite() { (least, most) } else { (0.0, 1.0) };
    // A single value gets the deepest colour.
    let least = if (most - least).abs() < f64::EPSILON { least.min(0.0) } else { least };
    let end = |value: f64| format::number(value, &format.compact_from(10_000.0), &frame.locale);
    json!({"type": "continuous", "min": least, "max": if most > least { most } else { least + 1.0 }, "dimension": dimension,
        "calculable": false, "orient": "horizontal", "right": 0, "top": 4, "itemWidth": 8, "itemHeight": 96, "padding": 0,
        "text": [end(most), end(least)], "textGap": 8, "textStyle": {"color": frame.theme.muted, "fontSize": 12},
        "inRange": {"color": frame.theme.ramp}, "hoverLink": false})
}

/// The option of a calendar: a small square per day, a block per year.
pub(super) fn calendar(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let date = frame.column("date", encoding.date.as_deref())?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    if frame.cells(date).all(Value::is_null) {
        return Ok(style::with(frame, json!({"series": []})));
    }
    let moments = frame.moments(date);
    let moments = moments.ok_or_else(|| ChartProblem::NotDates { part: "date", column: date.name.to_owned() })?;
    let mut days: BTreeMap<NaiveDate, f64> = BTreeMap::new();
    for (moment, value) in moments.into_iter().zip(frame.cells(value).map(number)) {
        if let (Some(moment), Some(value)) = (moment, value) {
            *days.entry(civil(moment).date()).or_default() += value;
        }
    }
    if days.is_empty() {
        return Ok(style::with(frame, json!({"series": []})));
    }
    let mut years: Vec<i32> = days.keys().map(Datelike::year).collect();
    years.dedup();
    let format = frame.format(value.name);
    // A single year is cut to its months with values.
    let months = match years.as_slice() {
        [_] => (days.keys().next().map_or(1, Datelike::month), days.keys().next_back().map_or(12, Datelike::month)),
        _ => (1, 12),
    };
    let calendars: Vec<Value> = years.iter().map(|year| block(frame, *year, months)).collect();
    let series: Vec<Value> = years
        .iter()
        .enumerate()
        .map(|(at, year)| {
            let data: Vec<Value> = days
                .iter()
                .filter(|(day, _)| day.year() == *year)
                .map(|(day, value)| json!([day.to_string(), value]))
                .collect();
            json!({"id": format!("series:{at}"), "type": "heatmap", "coordinateSystem": "calendar", "calendarIndex": at, "data": data,
                "itemStyle": {"borderRadius": 2}})
        })
        .collect();
    let tip = json!({"kind": "item", "title": {"at": 0, "format": style::date_format(Grain::Day, DateForm::Words)},
        "rows": [{"label": frame.title(value.name), "at": 1, "format": format}]});
    Ok(style::with(
        frame,
        json!({"$calendar": true, "calendar": calendars, "series": series, "visualMap": scale(frame, days.values().copied(), &format, 1),
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

fn block(frame: &Frame<'_>, year: i32, (first, last): (u32, u32)) -> Value {
    let theme = frame.theme;
    let names = |names: &'static str| names.split('|').collect::<Vec<_>>();
    let label = |gap: u32| json!({"color": theme.muted, "fontSize": 12, "margin": gap});
    let (mut days, mut months) = (label(8), label(6));
    days["firstDay"] = json!(1);
    days["nameMap"] = json!(names(frame.locale.weekdays));
    months["nameMap"] = json!(names(frame.locale.short_months));
    let end = NaiveDate::from_ymd_opt(year, last, 1).map_or(31, |month| month.num_days_in_month());
    let range = [format!("{year:04}-{first:02}-01"), format!("{year:04}-{last:02}-{end:02}")];
    json!({"range": range, "cellSize": ["auto", "auto"], "left": 40, "top": 52,
        "splitLine": {"show": false}, "itemStyle": {"color": "transparent", "borderColor": theme.raised, "borderWidth": 2},
        "dayLabel": days, "monthLabel": months, "yearLabel": {"show": false}})
}
