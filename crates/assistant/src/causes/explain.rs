//! Which parts stand out from what happened to all, and what each adds to the change.

use super::{
    parts::{Cut, Kind, Pair, Part, parts},
    scale::{Scale, stands_out},
};
use serde_json::Value;

/// The most parts that are told.
pub const MOST: usize = 3;
/// The most values that a chart of a change shows.
pub const SHOWN: usize = 10;
/// A derived dimension whose means are so many times as far from each other as those of any column repeats the number.
const REPEATS: f64 = 5.0;
/// A part that matters less than this share of the first one is most likely its echo in another dimension.
const ECHO: f64 = 0.02;

/// The rows with one value, and what they add to the change.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The dimension, as the caller numbers it.
    pub dimension: usize,
    /// The value.
    pub value: Value,
    /// The number of these rows.
    pub pair: Pair,
    /// By how much the whole number changed through them.
    pub change: f64,
    /// The portion of `change` because the number of these rows changed.
    pub rate: f64,
    /// The portion of `change` because these rows became more or fewer among all.
    pub mix: f64,
    /// The portion of `change` beyond what happened to all rows alike.
    pub beyond: f64,
    /// How much they stand out, in variances.
    pub score: f64,
    /// Whether these are nearly the rows of the finding before: the state of an airport with few others.
    pub same: bool,
}

impl Finding {
    /// What stands out comes first, and of that what explains most.
    pub(super) fn rank(&self) -> f64 {
        self.score * self.beyond.abs().sqrt()
    }
}

/// What a change is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The number in the earlier and the later period.
    pub values: [f64; 2],
    /// The parts that stand out, first those that do most. None: the change is spread evenly.
    pub findings: Vec<Finding>,
    /// Every dimension that could be compared, those that tell most first.
    pub dimensions: Vec<usize>,
    /// The values of the first of these dimensions that add or take most, at most [`SHOWN`].
    pub values_shown: Vec<Value>,
}

/// Finds the smallest set of parts that stand out.
#[must_use]
pub fn explain(kind: Kind, whole: &Pair, cuts: &[Cut]) -> Explained {
    let mut all = parts(cuts);
    let scale = Scale::of(kind, whole, &all);
    let mut dimensions: Vec<usize> = all.iter().map(|part| part.dimension).collect();
    dimensions.dedup();
    let repeating = repeating(kind, whole, cuts);
    dimensions.retain(|dimension| !repeating.contains(dimension));
    all.retain(|part| dimensions.contains(&part.dimension));
    let mut found: Vec<(&Part, Finding)> = all.iter().map(|part| (part, scale.finding(part))).collect();
    found.sort_by(|a, b| b.1.rank().total_cmp(&a.1.rank()));
    let tells = |dimension: usize| found.iter().position(|(part, _)| part.dimension == dimension);
    dimensions.sort_by_key(|dimension| tells(*dimension));
    let least = stands_out(all.len());
    let mut chosen: Vec<(&Part, Finding)> = Vec::new();
    for (part, finding) in &found {
        let echo = chosen.first().is_some_and(|(_, first)| finding.rank() < ECHO * first.rank());
        if chosen.iter().filter(|(_, finding)| !finding.same).count() == MOST || echo {
            break;
        }
        if finding.score < least || !scale.is_material(finding) {
            continue;
        }
        let (level, unclear) = scale.level(part, &all);
        if !chosen.iter().any(|(other, _)| level.shares(other)) {
            chosen.push((level, scale.finding(level)));
            chosen.extend(unclear.map(|other| (other, Finding { same: true, ..scale.finding(other) })));
        }
    }
    if let Some((part, _)) = chosen.first() {
        dimensions.sort_by_key(|dimension| *dimension != part.dimension);
    }
    let mut shown: Vec<&Finding> =
        found.iter().filter(|(part, _)| dimensions.first() == Some(&part.dimension)).map(|(_, finding)| finding).collect();
    shown.sort_by(|a, b| b.change.abs().total_cmp(&a.change.abs()));
    let values_shown = shown.into_iter().take(SHOWN).map(|finding| finding.value.clone()).collect();
    let findings = chosen.into_iter().map(|(_, finding)| finding).collect();
    Explained { values: whole.values(kind), findings, dimensions, values_shown }
}

/// The dimensions whose values are known from a mean itself, as "over an hour late" is from a delay.
fn repeating(kind: Kind, whole: &Pair, cuts: &[Cut]) -> Vec<usize> {
    let [mean, _] = whole.values(kind);
    let between = |cut: &Cut| {
        let squares = cut.cells.iter().map(|cell| cell.pair.weight[0] * (cell.pair.values(kind)[0] - mean).powi(2));
        squares.sum::<f64>()
    };
    let columns = cuts.iter().filter(|cut| !cut.is_derived).map(between).max_by(f64::total_cmp);
    let Some(columns) = columns.filter(|_| kind == Kind::Mean) else { return Vec::new() };
    let repeating = cuts.iter().filter(|cut| cut.is_derived && between(cut) > REPEATS * columns);
    repeating.flat_map(|cut| cut.dimensions.iter().copied()).collect()
}
