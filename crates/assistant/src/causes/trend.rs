//! What all parts have in common, and how far each is from it.

use super::parts::{Kind, Pair, Part};

/// Below so many parts the middle one says little about all.
const FEWEST: usize = 5;
/// The median of the square of a standard normal number.
const MIDDLE: f64 = 0.4549;
/// What 17 of 20 such squares do not exceed.
const MOST: f64 = 2.0723;
/// With fewer parts, those that differ most may all be what is looked for.
const MANY: usize = 20;

/// What happened to all parts alike. Middle values, so that one part that changed by itself does not move them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trend {
    /// The later size, as a multiple of the earlier one.
    pub growth: f64,
    /// By how much a mean moved.
    pub shift: f64,
}

impl Trend {
    /// The trend of the whole.
    pub fn of_whole(kind: Kind, whole: &Pair) -> Self {
        let [before, now] = whole.size(kind);
        let values = whole.values(kind);
        let growth = if before > 0.0 && now > 0.0 { now / before } else { 1.0 };
        Self { growth, shift: if kind == Kind::Mean { values[1] - values[0] } else { 0.0 } }
    }

    /// The trend of the parts of one dimension; what is known otherwise, if it has few.
    pub fn of<'a>(self, kind: Kind, parts: impl Iterator<Item = &'a Part> + Clone) -> Self {
        if parts.clone().count() < FEWEST {
            return self;
        }
        let sizes = parts.clone().map(|part| part.pair.size(kind)).filter(|size| size[0] > 0.0 && size[1] >= 0.0);
        let growth = weighted_median(sizes.map(|size| (size[1] / size[0], size[0])).collect());
        let growth = growth.filter(|growth| *growth > 0.0).unwrap_or(self.growth);
        if kind != Kind::Mean {
            return Self { growth, ..self };
        }
        let moved = parts.filter_map(|part| {
            let [before, now] = part.pair.values(kind);
            Some((now - before, sure(&part.pair)?))
        });
        Self { growth, shift: weighted_median(moved.collect()).unwrap_or(self.shift) }
    }

    /// How far the size of a part is from what was expected, and the variance of that if rows came by chance.
    pub fn size_off(&self, kind: Kind, pair: &Pair) -> (f64, f64) {
        let [before, now] = pair.size(kind);
        let off = self.growth.mul_add(-before, now);
        (off, (self.growth * self.growth).mul_add(before.abs(), now.abs()))
    }

    /// How far the mean of a part moved beyond all others, and the variance of that for rows of variance 1.
    pub fn rate_off(&self, pair: &Pair) -> Option<(f64, f64)> {
        let [before, now] = pair.values(Kind::Mean);
        Some((now - before - self.shift, 1.0 / sure(pair)?))
    }
}

/// How well a part's mean is known in both periods.
fn sure(pair: &Pair) -> Option<f64> {
    let [before, now] = pair.weight;
    (before > 0.0 && now > 0.0).then(|| before * now / (before + now))
}

/// The spread of parts that nothing happened to, in the unit of their squares.
pub(super) fn spread(squares: impl Iterator<Item = f64>) -> Option<f64> {
    let mut squares: Vec<f64> = squares.filter(|square| square.is_finite()).collect();
    if squares.len() < FEWEST {
        return None;
    }
    squares.sort_by(f64::total_cmp);
    let middle = squares[squares.len() / 2] / MIDDLE;
    // Numbers with long tails, such as delays, differ more than the middle shows.
    let most = if squares.len() < MANY { 0.0 } else { squares[squares.len() * 17 / 20] / MOST };
    Some(middle.max(most))
}

fn weighted_median(mut values: Vec<(f64, f64)>) -> Option<f64> {
    values.retain(|(value, weight)| value.is_finite() && *weight > 0.0);
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = values.iter().map(|(_, weight)| weight).sum::<f64>() / 2.0;
    let mut passed = 0.0;
    values
        .iter()
        .find(|(_, weight)| {
            passed += weight;
            passed >= half
        })
        .map(|(value, _)| *value)
}
