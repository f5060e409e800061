//! Histograms and box plots.

use super::{
    axis::{self, Extent},
    definition::Names,
    frame::{Frame, number},
    problem::ChartProblem,
    style,
};
use crate::format::{self, NumberFormat};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The approximate number of a histogram's bars by default.
const BINS: u32 = 20;
/// The most bars of a histogram.
const MOST_BINS: u32 = 200;
/// The most outliers of a box.
const MOST_OUTLIERS: usize = 100;

/// The option of a histogram.
pub(super) fn histogram(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let x = frame.column("x", encoding.x.as_deref())?;
    let values: Vec<f64> = frame.numbers(x)?.into_iter().flatten().collect();
    let bins = Bins::of(&values, encoding.bins.unwrap_or(BINS).clamp(1, MOST_BINS));
    let counts = bins.count(&values);
    let format = frame.format(x.name);
    let plain = NumberFormat { unit: None, ..format.clone() };
    let name = |bin: usize| {
        let (from, to) = (bins.edge(bin), bins.edge(bin + 1));
        format!("{} – {}", format::number(from, &plain, &frame.locale), format::number(to, &format, &frame.locale))
    };
    let keys: Vec<String> = (0..counts.len()).map(name).collect();
    let mut names = axis::category_axis(frame, &keys);
    names.insert("axisLabel".into(), json!({"show": false}));
    // The bars are on a category axis; the labels are those of their edges, on a numeric axis.
    let every = counts.len().div_ceil(6).max(1);
    let interval = bins.width * every as f64;
    // Edges are told apart, however few decimals the values have.
    let own = NumberFormat { decimals: format.decimals.filter(|digits| 10f64.powi(-i32::from(*digits)) <= interval), ..format };
    let mut edges = axis::value_axis(frame, &own, Extent::of([bins.from, bins.edge(counts.len())].into_iter(), false), false);
    edges.remove("minInterval");
    edges.insert("min".into(), json!(bins.from));
    edges.insert("max".into(), json!(bins.edge(counts.len())));
    edges.insert("interval".into(), json!(interval));
    edges.insert("position".into(), json!("bottom"));
    if let Some(label) = edges.get_mut("axisLabel") {
        // The last edge is rarely a multiple of the step.
        label["showMaxLabel"] = json!(counts.len().is_multiple_of(every));
    }
    let title = frame.options.x_title.clone().unwrap_or_else(|| frame.title(x.name));
    let edges = axis::titled(frame, edges, Some(&title));
    let most = counts.iter().copied().max().unwrap_or(0) as f64;
    let mut up = axis::value_axis(frame, &NumberFormat::default(), Extent::of([most].into_iter(), true), true);
    // Rows are counted: there is no half of one.
    up.insert("minInterval".into(), json!(1));
    let title_above = style::vertical_title(frame, frame.options.y_title.as_deref());
    let colour = super::colours::only(frame, x.name);
    let tip = json!({"kind": "axis", "title": null, "formats": [{"at": null, "format": NumberFormat::default()}]});
    Ok(style::with(
        frame,
        json!({"title": title_above, "grid": style::grid(), "xAxis": [names, edges], "yAxis": up,
            "series": [{"id": "series:0", "type": "bar", "name": "Count", "color": colour, "barCategoryGap": "4%",
                "itemStyle": {"borderRadius": [2, 2, 0, 0]}, "data": counts}],
            "tooltip": style::tooltip(frame, "axis", "shadow", tip)}),
    ))
}

/// Equal bins with round edges.
struct Bins {
    from: f64,
    width: f64,
    bins: usize,
}

impl Bins {
    fn of(values: &[f64], wanted: u32) -> Self {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.is_empty() || !(most - least).is_finite() || most <= least {
            let at = if least.is_finite() { least.floor() } else { 0.0 };
            return Self { from: at, width: 1.0, bins: 1 };
        }
        let width = round_step((most - least) / f64::from(wanted));
        let from = (least / width).floor() * width;
        let bins = ((most - from) / width).floor() as usize + 1;
        Self { from, width, bins: bins.min(MOST_BINS as usize * 3) }
    }

    fn edge(&self, at: usize) -> f64 {
        let edge = (at as f64).mul_add(self.width, self.from);
        // Removes the error of adding up tenths.
        let unit = self.width * 1e-6;
        (edge / unit).round() * unit
    }

    fn count(&self, values: &[f64]) -> Vec<u64> {
        let mut counts = vec![0; self.bins];
        for value in values {
            let at = ((value - self.from) / self.width).floor().max(0.0) as usize;
            counts[at.min(self.bins - 1)] += 1;
        }
        counts
    }
}

/// The smallest number of the form 1, 2, 2.5 or 5 times a power of ten that is not below the step.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|times| times * power).find(|round| *round >= step * 0.999).unwrap_or(step)
}

/// The option of a box plot.
pub(super) fn boxplot(frame: &Frame<'_>) -> Result<Value, ChartProblem> {
    let encoding = &frame.definition.encoding;
    let x = frame.column("x", encoding.x.as_deref())?;
    let y = frame.column("y", encoding.y.as_ref().map_or(&[][..], Names::as_slice).first().map(String::as_str))?;
    frame.numbers(y)?;
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (key, cell) in frame.texts(x).into_iter().zip(frame.cells(y)) {
        if !groups.contains_key(&key) {
            order.push(key.clone());
        }
        groups.entry(key).or_default().extend(number(cell));
    }
    let mut boxes = Vec::new();
    let mut outliers = Vec::new();
    for (at, key) in order.iter().enumerate() {
        let mut values = groups.remove(key).unwrap_or_default();
        values.sort_by(f64::total_cmp);
        let five = five_numbers(&values);
        boxes.push(five.map_or(json!("-"), |five| json!(five)));
        if let Some([least, .., most]) = five {
            let beyond = values.iter().filter(|value| **value < least || **value > most);
            outliers.extend(beyond.take(MOST_OUTLIERS).map(|value| json!([at, value])));
        }
    }
    let format = frame.format(y.name);
    let mut up = axis::value_axis(frame, &format, Extent::of(frame.cells(y).filter_map(number), false), true);
    up.insert("scale".into(), json!(true));
    let names = axis::titled(frame, axis::category_axis(frame, &order), frame.options.x_title.as_deref());
    let colour = super::colours::only(frame, y.name);
    let fill = super::colours::faded(frame, &colour, 0.82);
    let rows: Vec<Value> =
        [(5, "Upper whisker"), (4, "Upper quartile"), (3, "Median"), (2, "Lower quartile"), (1, "Lower whisker")]
            .map(|(at, label)| json!({"label": label, "at": at, "format": format}))
            .into();
    let points =
        json!({"kind": "item", "title": "category", "rows": [{"label": frame.title(y.name), "at": 1, "format": format}]});
    let tip = json!({"kind": "item", "title": "name", "rows": rows});
    Ok(style::with(
        frame,
        json!({"title": style::vertical_title(frame, frame.options.y_title.as_deref()), "grid": style::grid(), "xAxis": names, "yAxis": up,
            "series": [
                {"id": "series:0", "type": "boxplot", "name": frame.title(y.name), "boxWidth": [8, 40], "data": boxes,
                    "itemStyle": {"color": fill, "borderColor": colour, "borderWidth": 1.5}, "emphasis": {"disabled": true}},
                {"id": "series:1", "type": "scatter", "name": "Outliers", "data": outliers, "symbolSize": 4, "color": colour,
                    "itemStyle": {"opacity": 0.45}, "tooltip": {"formatter": {"$tip": points}}}],
            "tooltip": style::tooltip(frame, "item", "none", tip)}),
    ))
}

/// The lower whisker, the quartiles with the median, the upper whisker. Whiskers end at the last value within 1.5 times the
/// box.
fn five_numbers(sorted: &[f64]) -> Option<[f64; 5]> {
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let at = |part: f64| {
        let place = part * (sorted.len() - 1) as f64;
        let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
        (high - low).mul_add(place.fract(), low)
    };
    let (lower, median, upper) = (at(0.25), at(0.5), at(0.75));
    let reach = (upper - lower) * 1.5;
    let least = sorted.iter().copied().find(|value| *value >= lower - reach).unwrap_or(first);
    let most = sorted.iter().rev().copied().find(|value| *value <= upper + reach).unwrap_or(last);
    Some([least, lower, median, upper, most])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_round_and_hold_every_value() {
        let values: Vec<f64> = (0..1000).map(|at| f64::from(at) / 10.0 - 7.3).collect();
        let bins = Bins::of(&values, 20);
        assert!((bins.width - 5.0).abs() < 1e-12 && (bins.from + 10.0).abs() < 1e-12);
        assert_eq!(bins.count(&values).iter().sum::<u64>(), 1000);
        assert_eq!(Bins::of(&[3.0, 3.0], 20).count(&[3.0, 3.0]), [2]);
        assert_eq!(Bins::of(&[], 20).count(&[]), [0]);
        let tenths = Bins::of(&[0.0, 1.0], 10);
        assert_eq!(tenths.edge(3).to_string(), "0.3");
    }

    #[test]
    fn whiskers_end_within_reach_of_the_box() {
        let five = five_numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 100.0]).expect("values");
        assert_eq!(five, [1.0, 2.25, 3.5, 4.75, 5.0]);
        assert_eq!(five_numbers(&[]), None);
    }
}
