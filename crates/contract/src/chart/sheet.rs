//! Converts rows to an axis and series: `x`, one or more `y`, and optionally a column that names the series.

use super::{
    colours::{self, OTHER},
    definition::{ChartType, Names},
    frame::{ColumnRef, Frame, by_name, grain},
    options::Sort,
    problem::ChartProblem,
    question::Grain as Period,
};
use crate::{
    calendar::{self, Grain},
    format::NumberFormat,
};
use std::collections::{BTreeMap, BTreeSet};

/// The most series. The largest are kept.
const MOST_SERIES: usize = 50;

/// The axis and series of a chart.
pub(super) struct Sheet {
    /// The value at each place of the axis, as in the data.
    pub(super) keys: Vec<String>,
    /// The moments of the places, if the axis shows time.
    pub(super) time: Option<Time>,
    /// The series. Each has one value per key.
    pub(super) series: Vec<Series>,
}

/// A time axis.
pub(super) struct Time {
    pub(super) moments: Vec<i64>,
    pub(super) grain: Grain,
}

/// A series.
pub(super) struct Series {
    /// The column's name or the series column's value.
    pub(super) raw: String,
    /// The measure's column.
    pub(super) measure: String,
    /// Its label.
    pub(super) name: String,
    /// Its number format.
    pub(super) format: NumberFormat,
    /// Its colour.
    pub(super) colour: String,
    pub(super) values: Vec<Option<f64>>,
}

impl Series {
    pub(super) fn total(&self) -> f64 {
        self.values.iter().flatten().map(|value| value.abs()).sum()
    }

    pub(super) fn greatest(&self) -> f64 {
        self.values.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()))
    }
}

/// Reads the rows of a chart.
pub(super) fn read(frame: &Frame<'_>) -> Result<Sheet, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let x = frame.column("x", encoding.x.as_deref())?;
    let measures = frame.columns("y", encoding.y.as_ref().map_or(&[], Names::as_slice))?;
    let split = frame.optional("series", encoding.series.as_deref())?;
    let (keys, places, time) = axis(frame, x);
    let mut sheet = Sheet { keys, time, series: Vec::new() };
    for measure in &measures {
        let numbers = frame.numbers(*measure)?;
        match split {
            None => sheet.series.push(alone(frame, *measure, &places, &numbers, sheet.keys.len())),
            Some(split) => {
                sheet.series.extend(apart(frame, *measure, split, &places, &numbers, (sheet.keys.len(), measures.len() > 1)))
            }
        }
    }
    if let (Some(missing), Some(_)) = (frame.missing(), &sheet.time) {
        for one in sheet.series.iter_mut().filter(|one| missing.zero.contains(&one.measure)) {
            for value in &mut one.values {
                value.get_or_insert(0.0);
            }
        }
    }
    let over_time =
        sheet.time.is_some() || matches!(frame.definition.kind, ChartType::Line | ChartType::Area | ChartType::Radar);
    if split.is_some() {
        let limit = frame.options.limit.filter(|_| over_time).unwrap_or(MOST_SERIES);
        limit_series(frame, &mut sheet.series, limit);
    }
    if !over_time {
        order_categories(frame, &mut sheet);
    }
    paint(frame, &mut sheet.series, split.is_some());
    Ok(sheet)
}

/// The distinct keys in order, each row's position among them, and whether they are moments.
fn axis(frame: &Frame<'_>, x: ColumnRef<'_>) -> (Vec<String>, Vec<Option<usize>>, Option<Time>) {
    let texts = frame.texts(x);
    if let Some(moments) = frame.moments(x) {
        let mut distinct: BTreeMap<i64, String> =
            moments.iter().zip(&texts).filter_map(|(at, text)| at.map(|at| (at, text.clone()))).collect();
        if let Some(missing) = frame.missing() {
            fill(&mut distinct, missing.grain);
        }
        let order: BTreeMap<i64, usize> = distinct.keys().enumerate().map(|(place, moment)| (*moment, place)).collect();
        let places = moments.iter().map(|moment| moment.and_then(|moment| order.get(&moment).copied())).collect();
        let (moments, keys): (Vec<i64>, Vec<String>) = distinct.into_iter().unzip();
        let grain = grain(moments.iter().copied());
        return (keys, places, Some(Time { moments, grain }));
    }
    let mut order: BTreeMap<&str, usize> = BTreeMap::new();
    let mut keys = Vec::new();
    let mut places = Vec::with_capacity(texts.len());
    for text in &texts {
        let next = keys.len();
        let place = *order.entry(text).or_insert(next);
        if place == next {
            keys.push(text.clone());
        }
        places.push(Some(place));
    }
    (keys, places, None)
}

/// The most periods of an axis that is filled up.
const MOST_PERIODS: usize = 2_000;

/// Adds the periods between the first and the last that are not there. Nothing if some of those that are there begin at other times, or
/// there would be too many.
fn fill(keys: &mut BTreeMap<i64, String>, period: Period) {
    let (Some(first), Some(last)) = (keys.keys().next().copied(), keys.keys().next_back().copied()) else { return };
    let following = |at: &i64| calendar::following(*at, period).filter(|at| *at <= last);
    let periods: BTreeSet<i64> = std::iter::successors(Some(first), following).take(MOST_PERIODS + 1).collect();
    if periods.len() > MOST_PERIODS || keys.keys().any(|at| !periods.contains(at)) {
        return;
    }
    for at in periods {
        keys.entry(at).or_insert_with(|| calendar::written(at));
    }
}

fn alone(frame: &Frame<'_>, measure: ColumnRef<'_>, places: &[Option<usize>], numbers: &[Option<f64>], width: usize) -> Series {
    let mut series = empty(frame, measure.name, measure.name.to_owned(), frame.title(measure.name), width);
    for (place, number) in places.iter().zip(numbers) {
        add(&mut series.values, *place, *number);
    }
    series
}

fn apart(
    frame: &Frame<'_>,
    measure: ColumnRef<'_>,
    split: ColumnRef<'_>,
    places: &[Option<usize>],
    numbers: &[Option<f64>],
    (width, several): (usize, bool),
) -> Vec<Series> {
    let mut series: BTreeMap<String, Series> = BTreeMap::new();
    for ((name, place), number) in frame.texts(split).into_iter().zip(places).zip(numbers) {
        let one = series.entry(name).or_insert_with_key(|name| {
            let shown = frame.options.labels.get(name).unwrap_or(name);
            let shown = if several { format!("{shown} · {}", frame.title(measure.name)) } else { shown.clone() };
            empty(frame, measure.name, name.clone(), shown, width)
        });
        add(&mut one.values, *place, *number);
    }
    let mut series: Vec<Series> = series.into_values().collect();
    let order = match frame.options.order.get(split.name) {
        Some(declared) => declared.clone(),
        None => ordered_by_query(frame, split),
    };
    let place = |one: &Series| order.iter().position(|value| *value == one.raw).unwrap_or(order.len());
    series.sort_by(|one, two| place(one).cmp(&place(two)).then_with(|| by_name(&one.raw, &two.raw)));
    series
}

/// The order in which a query returns its series: if it has an order at all, and its rows come series by series. Nothing if that is
/// merely the one of their letters, in which `Terminal 10` is before `Terminal 2`.
fn ordered_by_query(frame: &Frame<'_>, split: ColumnRef<'_>) -> Vec<String> {
    let mut names = frame.texts(split);
    let rows = names.len();
    names.dedup();
    let distinct: BTreeSet<&String> = names.iter().collect();
    let series_by_series = distinct.len() == names.len() && rows > names.len();
    let by_letters = names.is_sorted() || names.is_sorted_by_key(|name| name.to_lowercase());
    if series_by_series && !by_letters && frame.definition.has_order() { names } else { Vec::new() }
}

fn empty(frame: &Frame<'_>, measure: &str, raw: String, name: String, width: usize) -> Series {
    Series {
        raw,
        measure: measure.to_owned(),
        name,
        format: frame.format(measure),
        colour: String::new(),
        values: vec![None; width],
    }
}

/// Adds a number to the value at a place.
fn add(values: &mut [Option<f64>], place: Option<usize>, number: Option<f64>) {
    if let (Some(place), Some(number)) = (place, number) {
        values[place] = Some(values[place].unwrap_or(0.0) + number);
    }
}

fn limit_series(frame: &Frame<'_>, series: &mut Vec<Series>, limit: usize) {
    if series.len() <= limit {
        return;
    }
    let mut totals: Vec<f64> = series.iter().map(Series::total).collect();
    totals.sort_by(|one, two| two.total_cmp(one));
    let least = totals[limit.max(1) - 1];
    let (mut kept, rest): (Vec<Series>, Vec<Series>) = series.drain(..).partition(|one| one.total() >= least);
    if frame.shows_the_rest() && frame.options.limit.is_some() {
        let width = kept.first().map_or(0, |one| one.values.len());
        let mut other = empty(frame, kept.first().map_or("", |one| &one.measure), OTHER.to_owned(), OTHER.to_owned(), width);
        for one in &rest {
            for (place, value) in one.values.iter().enumerate() {
                add(&mut other.values, Some(place), *value);
            }
        }
        kept.push(other);
    }
    *series = kept;
}

/// Sorts the categories and combines the smallest.
fn order_categories(frame: &Frame<'_>, sheet: &mut Sheet) {
    let total = |place: usize| -> f64 { sheet.series.iter().filter_map(|series| series.values[place]).sum() };
    let mut order: Vec<usize> = (0..sheet.keys.len()).collect();
    match frame.options.sort {
        Some(Sort::Ascending) => order.sort_by(|one, two| total(*one).total_cmp(&total(*two))),
        Some(Sort::Descending) => order.sort_by(|one, two| total(*two).total_cmp(&total(*one))),
        Some(Sort::Label) => order.sort_by(|one, two| by_name(&sheet.keys[*one], &sheet.keys[*two])),
        None => {}
    }
    let limit = frame.options.limit.filter(|limit| *limit < order.len()).unwrap_or(order.len());
    let mut greatest = order.clone();
    greatest.sort_by(|one, two| total(*two).total_cmp(&total(*one)));
    let (top, rest) = greatest.split_at(limit);
    order.retain(|place| top.contains(place));
    let others = !rest.is_empty() && frame.shows_the_rest();
    for series in &mut sheet.series {
        let sum = rest.iter().filter_map(|place| series.values[*place]).reduce(|sum, value| sum + value);
        series.values = order.iter().map(|place| series.values[*place]).chain(others.then_some(sum)).collect();
    }
    let names = order.iter().map(|place| sheet.keys[*place].clone());
    sheet.keys = names.chain(others.then(|| OTHER.to_owned())).collect();
}

fn paint(frame: &Frame<'_>, series: &mut [Series], from_data: bool) {
    let names: Vec<String> = series.iter().map(|one| one.raw.clone()).collect();
    let colours = match names.as_slice() {
        [one] => vec![colours::only(frame, one)],
        _ if from_data => colours::of_names(frame, &names),
        _ => colours::of_measures(frame, &names),
    };
    for (one, colour) in series.iter_mut().zip(colours) {
        one.colour = colour;
    }
    // ECharts identifies series by their names.
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for one in series {
        let times = seen.entry(one.name.clone()).and_modify(|times| *times += 1).or_insert(1);
        if *times > 1 {
            one.name = format!("{} ({times})", one.name);
        }
    }
}
