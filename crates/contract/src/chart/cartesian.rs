//! Line, area, bar and combo charts.

mod scales;

use super::{
    axis, colours,
    definition::ChartType,
    frame::Frame,
    options::Stacking,
    problem::ChartProblem,
    sheet::{self, Series, Sheet},
    style,
};
use crate::format::{DateForm, NumberFormat};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// Segments of a stacked bar below this share of the axis get no label, since it would not fit.
const LEAST_LABELLED: f64 = 0.07;

/// The label of a goal is cut to this many characters: it lies on the plot.
const LONGEST_GOAL: usize = 28;

/// So many horizontal bars make a chart higher than its card. More of them would be a chart that nobody scrolls through.
const MANY_BARS: RangeInclusive<usize> = 31..=500;
/// The height of a horizontal bar with the name beside it.
const LINE: usize = 18;
/// The height of the legend and the axis of a chart of many bars.
const ABOVE_AND_BELOW: usize = 64;

/// The mark of a series.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Line,
    Area,
    Bar,
}

/// A chart with one axis of categories or time and one of values.
struct Plot<'a> {
    frame: &'a Frame<'a>,
    sheet: Sheet,
    marks: Vec<Mark>,
    /// Which series use the right axis.
    right: Vec<bool>,
    stacked: Stacking,
    /// Whether the axis shows time instead of categories.
    continuous: bool,
    horizontal: bool,
}

/// The option of a line, area, bar or combo chart.
pub(super) fn option(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let plot = Plot::new(frame, sheet::read(frame)?);
    let names: Vec<&str> = plot.sheet.series.iter().map(|series| series.name.as_str()).collect();
    let bars = plot.marks.contains(&Mark::Bar);
    let mut series: Vec<Value> = (0..plot.marks.len()).map(|at| plot.series(at)).collect();
    let mut formats = plot.formats();
    if let (Some(goal), Some(first)) = (&frame.options.goal, series.first_mut()) {
        first["markLine"] = goal_line(frame, goal.value(), goal.label(), plot.horizontal, &plot.axis_format(false));
    }
    for at in 0..plot.marks.len() {
        if let Some(dashed) = plot.dashed_end(at) {
            series.push(dashed);
            formats.push(formats[at].clone());
        }
    }
    let title = plot.sheet.time.as_ref().map_or(json!(null), |time| style::date_format(time.grain, DateForm::Words));
    let tip = json!({"kind": "axis", "title": title, "formats": formats, "total": plot.stacked == Stacking::Sum});
    let (x, y) = (plot.base_axis(), plot.value_axes());
    let (x, y) = if plot.horizontal { (y, x) } else { (x, y) };
    let legend = style::legend(frame, &names);
    let title_above = style::vertical_title(frame, frame.options.y_title.as_deref());
    Ok(style::with(
        frame,
        json!({"$tall": plot.tall(), "legend": legend, "title": title_above, "grid": style::grid(), "xAxis": x, "yAxis": y, "series": series,
            "tooltip": style::tooltip(frame, "axis", if bars { "shadow" } else { "line" }, tip)}),
    ))
}

/// A goal: a line across the plot.
pub(super) fn goal_line(frame: &Frame<'_>, value: f64, label: &str, horizontal: bool, format: &NumberFormat) -> Value {
    let at = if horizontal { "xAxis" } else { "yAxis" };
    let text = format!("{} {}", super::frame::cut(label, LONGEST_GOAL), crate::format::number(value, format, &frame.locale));
    json!({"silent": true, "symbol": "none", "animation": false,
        "lineStyle": {"color": frame.theme.muted, "width": 1, "type": [4, 4]},
        "label": {"position": if horizontal { "end" } else { "insideEndTop" }, "color": frame.theme.muted, "fontSize": 12,
            "backgroundColor": frame.theme.raised, "padding": [1, 3]},
        "data": [{at: value, "label": {"formatter": {"$text": text}}}]})
}

impl<'a> Plot<'a> {
    fn new(frame: &'a Frame<'a>, sheet: Sheet) -> Self {
        let kind = frame.definition.kind;
        let listed = |names: &Option<Vec<String>>, series: &Series| names.as_ref().map(|names| names.contains(&series.measure));
        let marks: Vec<Mark> = sheet
            .series
            .iter()
            .enumerate()
            .map(|(at, series)| match kind {
                ChartType::Area => Mark::Area,
                ChartType::Bar => Mark::Bar,
                ChartType::Combo if listed(&frame.options.lines, series).unwrap_or(at > 0) => Mark::Line,
                ChartType::Combo => Mark::Bar,
                _ => Mark::Line,
            })
            .collect();
        let bars = sheet.series.iter().zip(&marks).filter(|(_, mark)| **mark == Mark::Bar).map(|(series, _)| series);
        let most = bars.map(Series::greatest).fold(0.0, f64::max);
        let right = sheet.series.iter().zip(&marks).map(|(series, mark)| {
            let far = series.greatest() * 5.0 < most || series.greatest() > most * 5.0;
            kind == ChartType::Combo && listed(&frame.options.right, series).unwrap_or(*mark == Mark::Line && most > 0.0 && far)
        });
        let right: Vec<bool> = right.collect();
        let stacked = if sheet.series.len() > 1 && kind != ChartType::Line { frame.options.stacked } else { Stacking::Off };
        let horizontal = frame.options.horizontal && kind == ChartType::Bar;
        let continuous = sheet.time.is_some() && !marks.contains(&Mark::Bar);
        Self { frame, marks, right, stacked, continuous, horizontal, sheet }
    }

    fn base_axis(&self) -> Value {
        let frame = self.frame;
        let mut axis = match &self.sheet.time {
            Some(time) if self.continuous => axis::time_axis(frame, &time.moments, time.grain),
            Some(time) => axis::period_axis(frame, &self.sheet.keys, &time.moments, time.grain),
            None => axis::category_axis(frame, &self.sheet.keys),
        };
        if self.horizontal {
            axis.insert("inverse".into(), json!(true));
        } else if !self.marks.contains(&Mark::Bar) && !self.continuous {
            axis.insert("boundaryGap".into(), json!(self.sheet.keys.len() == 1));
        }
        Value::Object(axis::titled(frame, axis, frame.options.x_title.as_deref().filter(|_| !self.horizontal)))
    }

    /// Each series' share of the total at a place, for stacked shares.
    fn shares(&self, at: usize) -> Option<Vec<Option<f64>>> {
        (self.stacked == Stacking::Share).then(|| {
            let values = &self.sheet.series[at].values;
            let whole =
                |place: usize| -> f64 { self.sheet.series.iter().filter_map(|one| one.values[place]).map(f64::abs).sum() };
            let share = |(place, value): (usize, &Option<f64>)| {
                value.map(|value| if value == 0.0 { 0.0 } else { value / whole(place) })
            };
            values.iter().enumerate().map(share).collect()
        })
    }

    /// A data point: the value alone on a category axis, or with its moment on a time axis.
    fn point(&self, place: usize, value: Option<f64>) -> Value {
        match &self.sheet.time {
            Some(time) if self.continuous => json!([time.moments[place], value]),
            _ => json!(value),
        }
    }

    /// The height in which each of many horizontal bars has room for its name. The page scrolls the card; paper has no room for it.
    fn tall(&self) -> Option<usize> {
        let (bars, series) = (self.sheet.keys.len(), if self.stacked == Stacking::Off { self.marks.len() } else { 1 });
        let is_tall = self.horizontal && self.sheet.time.is_none() && MANY_BARS.contains(&bars);
        is_tall.then(|| bars * (LINE + LINE / 2 * series.saturating_sub(1)) + ABOVE_AND_BELOW)
    }

    /// Whether the marks say their values. Many bars do: the axis below them is scrolled out of sight.
    fn labelled(&self) -> bool {
        self.frame.options.value_labels || (self.marks.len() == 1 && self.tall().is_some())
    }

    fn has_dashed_end(&self) -> bool {
        self.frame.options.partial_last
            && self.stacked == Stacking::Off
            && self.sheet.time.is_some()
            && self.sheet.keys.len() > 2
    }

    fn data(&self, at: usize) -> Vec<Value> {
        let series = &self.sheet.series[at];
        let shares = self.shares(at);
        let last = self.sheet.keys.len().saturating_sub(1);
        let cut = self.has_dashed_end() && self.marks[at] != Mark::Bar;
        series
            .values
            .iter()
            .enumerate()
            .map(|(place, value)| {
                if let Some(shares) = &shares {
                    let room = shares[place].unwrap_or(0.0) >= LEAST_LABELLED;
                    return json!({"value": self.point(place, shares[place]), "raw": value, "label": {"show": self.labelled() && room}});
                }
                let point = self.point(place, value.filter(|_| !(cut && place == last)));
                if self.marks[at] == Mark::Bar { self.bar(at, place, *value, point) } else { point }
            })
            .collect()
    }

    /// A bar that differs from the others of its series: downwards, negative with `signed`, or in an unfinished period.
    fn bar(&self, at: usize, place: usize, value: Option<f64>, point: Value) -> Value {
        let mut style = Map::new();
        let below = value.is_some_and(|value| value < 0.0);
        let mut colour = self.sheet.series[at].colour.clone();
        if below {
            style.insert("borderRadius".into(), self.corners(at, true));
            if self.frame.options.signed {
                colour.clone_from(&self.frame.theme.negative);
                style.insert("color".into(), json!(colour));
            }
        }
        if self.frame.options.partial_last && self.sheet.time.is_some() && place + 1 == self.sheet.keys.len() {
            style.insert("color".into(), json!(colours::faded(self.frame, &colour, 0.7)));
            style.insert("borderColor".into(), json!(colour));
            style.insert("borderWidth".into(), json!(1));
            style.insert("borderType".into(), json!([3, 3]));
        }
        let thin = self.stacked == Stacking::Sum && value.unwrap_or(0.0).abs() < self.greatest(false) * LEAST_LABELLED;
        if self.labelled() && thin {
            return json!({"value": point, "itemStyle": style, "label": {"show": false}});
        }
        if style.is_empty() { point } else { json!({"value": point, "itemStyle": style}) }
    }

    fn corners(&self, at: usize, below: bool) -> Value {
        let top = self.stacked == Stacking::Off || at + 1 == self.sheet.series.len();
        match (top, self.horizontal, below) {
            (false, ..) => json!(0),
            (true, false, false) => json!([2, 2, 0, 0]),
            (true, false, true) => json!([0, 0, 2, 2]),
            (true, true, false) => json!([0, 2, 2, 0]),
            (true, true, true) => json!([2, 0, 0, 2]),
        }
    }

    fn series(&self, at: usize) -> Value {
        let one = &self.sheet.series[at];
        let mut series = json!({"id": format!("series:{at}"), "name": one.name, "color": one.colour, "data": self.data(at),
            "emphasis": {"disabled": self.marks[at] != Mark::Bar, "focus": "none"}});
        if self.right[at] {
            series["yAxisIndex"] = json!(1);
        }
        if self.stacked != Stacking::Off && !self.right[at] && (self.marks[at] != Mark::Line) {
            series["stack"] = json!("all");
        }
        match self.marks[at] {
            Mark::Bar => self.bars(at, &mut series),
            mark => self.line(at, mark, &mut series),
        }
        if self.labelled() {
            let position = match (self.marks[at], self.horizontal, self.stacked) {
                (Mark::Bar, _, Stacking::Sum | Stacking::Share) => "inside",
                (Mark::Bar, true, _) => "right",
                _ => "top",
            };
            let place = if self.stacked == Stacking::Share { json!("raw") } else { json!(null) };
            let format = one.format.compact_from(10_000.0);
            series["label"] = style::mark_label(self.frame, position, style::mark_format(&format, place));
            if position == "inside" {
                series["label"]["color"] = json!(colours::text_on(&one.colour));
            }
            series["labelLayout"] = json!({"hideOverlap": true});
        }
        series
    }

    fn bars(&self, at: usize, series: &mut Value) {
        series["type"] = json!("bar");
        // A gap of a quarter of the band is a third of the bar.
        series["barCategoryGap"] = json!("25%");
        series["barGap"] = json!("8%");
        series["barMaxWidth"] = json!(if self.horizontal { 36 } else { 120 });
        series["itemStyle"] = json!({"borderRadius": self.corners(at, false)});
        if self.stacked != Stacking::Off {
            series["itemStyle"]["borderColor"] = json!(self.frame.theme.raised);
            series["itemStyle"]["borderWidth"] = json!(0.5);
        }
    }

    fn line(&self, at: usize, mark: Mark, series: &mut Value) {
        let one = &self.sheet.series[at];
        let stacked = self.stacked != Stacking::Off;
        series["type"] = json!("line");
        series["lineStyle"] =
            json!({"width": if stacked && mark == Mark::Area { 1 } else { 2 }, "cap": "round", "join": "round"});
        series["symbol"] = json!("circle");
        series["symbolSize"] = json!(7);
        series["itemStyle"] = json!({"borderColor": self.frame.theme.raised, "borderWidth": 1.5});
        let lonely = |place: usize| {
            one.values[place].is_some()
                && (place == 0 || one.values[place - 1].is_none())
                && one.values.get(place + 1).is_none_or(Option::is_none)
        };
        // A period without rows has no value of its own, unless it is 0.
        if self.frame.missing().is_some_and(|missing| !missing.zero.contains(&one.measure)) {
            series["connectNulls"] = json!(true);
        }
        series["showSymbol"] = json!((0..one.values.len()).any(lonely));
        if self.frame.options.smooth {
            series["smooth"] = json!(0.35);
            series["smoothMonotone"] = json!("x");
        }
        if at >= 10 {
            series["lineStyle"]["type"] = json!([5, 4]);
        }
        if self.sheet.keys.len() > 1500 {
            series["sampling"] = json!("lttb");
        }
        if mark == Mark::Area {
            let opacity = if stacked {
                0.75
            } else if self.sheet.series.len() > 1 {
                0.08
            } else {
                0.14
            };
            series["areaStyle"] = json!({"opacity": opacity, "color": one.colour, "origin": "start"});
        }
    }

    /// The dashed segment to an unfinished last period, for lines and areas.
    fn dashed_end(&self, at: usize) -> Option<Value> {
        let mark = self.marks[at];
        if !self.has_dashed_end() || mark == Mark::Bar {
            return None;
        }
        let values = &self.sheet.series[at].values;
        let from = values.len() - 2;
        let mut dashed = self.series(at);
        dashed["id"] = json!(format!("partial:{at}"));
        dashed["lineStyle"]["type"] = json!([4, 4]);
        dashed["lineStyle"]["cap"] = json!("butt");
        dashed["data"] = (0..values.len()).map(|place| self.point(place, values[place].filter(|_| place >= from))).collect();
        Some(dashed)
    }

    fn formats(&self) -> Vec<Value> {
        let at = if self.stacked == Stacking::Share { json!("raw") } else { json!(null) };
        self.sheet.series.iter().map(|series| json!({"at": at, "format": series.format})).collect()
    }
}
