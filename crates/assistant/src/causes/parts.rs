//! What a number is made of in two periods, by the values of dimensions.

use serde_json::Value;
use std::collections::BTreeMap;

/// How a number is made of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It counts rows: the counts of the parts add up.
    Count,
    /// It adds up, and is no count.
    Sum,
    /// An amount divided by a weight, both of which add up: averages, shares, ratios.
    Mean,
}

/// A number in the earlier and in the later period. A sum has no weight.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pair {
    /// The sum, or what is divided.
    pub amount: [f64; 2],
    /// What it is divided by.
    pub weight: [f64; 2],
}

impl Pair {
    /// A sum or count.
    #[must_use]
    pub const fn sum(before: f64, now: f64) -> Self {
        Self { amount: [before, now], weight: [0.0; 2] }
    }

    /// The number in both periods. 0 where nothing is there to divide by.
    #[must_use]
    pub fn values(&self, kind: Kind) -> [f64; 2] {
        if kind != Kind::Mean {
            return self.amount;
        }
        [0, 1].map(|period| if self.weight[period] == 0.0 { 0.0 } else { self.amount[period] / self.weight[period] })
    }

    pub(super) fn add(&mut self, other: &Self) {
        for period in [0, 1] {
            self.amount[period] += other.amount[period];
            self.weight[period] += other.weight[period];
        }
    }

    pub(super) fn less(&self, other: &Self) -> Self {
        let mut rest = *self;
        for period in [0, 1] {
            rest.amount[period] -= other.amount[period];
            rest.weight[period] -= other.weight[period];
        }
        rest
    }

    /// What the size of a part is: its weight, or its own amount.
    pub(super) const fn size(&self, kind: Kind) -> [f64; 2] {
        if matches!(kind, Kind::Mean) { self.weight } else { self.amount }
    }
}

/// The rows with the same values of a cut's dimensions.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// One for each dimension.
    pub values: Vec<Value>,
    /// The number of these rows.
    pub pair: Pair,
}

/// All rows, cut by dimensions that belong together: an airport, its city and its state. Each row is in one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cut {
    /// The dimensions, as the caller numbers them.
    pub dimensions: Vec<usize>,
    /// Whether its dimensions are worked out of columns, which may be those of the number.
    pub is_derived: bool,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// The rows with one value of one dimension.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub cut: usize,
    pub dimension: usize,
    pub value: Value,
    /// Its cells.
    pub members: Vec<usize>,
    pub pair: Pair,
}

impl Part {
    /// Whether it has rows of another one, as far as is known.
    pub fn shares(&self, other: &Self) -> bool {
        self.cut == other.cut && self.members.iter().any(|member| other.members.contains(member))
    }

    /// Whether it has all rows of a smaller one.
    pub fn holds(&self, other: &Self) -> bool {
        self.cut == other.cut
            && self.members.len() > other.members.len()
            && other.members.iter().all(|member| self.members.contains(member))
    }
}

/// The parts of all dimensions. Of parts with the same rows only the first is kept.
pub(super) fn parts(cuts: &[Cut]) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    for (at, cut) in cuts.iter().enumerate() {
        for (place, dimension) in cut.dimensions.iter().enumerate() {
            let mut values: BTreeMap<String, Part> = BTreeMap::new();
            for (member, cell) in cut.cells.iter().enumerate() {
                let value = cell.values.get(place).cloned().unwrap_or_default();
                let part = values.entry(value.to_string()).or_insert_with(|| Part {
                    cut: at,
                    dimension: *dimension,
                    value,
                    members: Vec::new(),
                    pair: Pair::default(),
                });
                part.members.push(member);
                part.pair.add(&cell.pair);
            }
            // A dimension with one value says nothing.
            if values.len() > 1 {
                found.extend(values.into_values());
            }
        }
    }
    let mut seen: std::collections::HashSet<(usize, Vec<usize>)> = std::collections::HashSet::new();
    found.retain(|part| seen.insert((part.cut, part.members.clone())));
    found
}
