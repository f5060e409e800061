//! What parts are measured against: the trend of their dimension, and how far its parts usually differ from it.

use super::{
    explain::Finding,
    parts::{Kind, Pair, Part},
    trend::{Trend, spread},
};
use std::collections::BTreeMap;

/// How likely it may be that any part of all stands out by chance.
const BY_CHANCE: f64 = 0.05;
/// How many variances a part is from the others at a deviation that stands out, where nothing shows how far parts usually differ.
const STANDS_OUT: f64 = 12.0;
/// The least share of the change that is worth a sentence.
const MATERIAL: f64 = 0.03;
/// The same as a share of the number itself, where the change is next to nothing: of sums, and of means.
const MATERIAL_OF_SUM: f64 = 0.0005;
const MATERIAL_OF_MEAN: f64 = 0.0075;
/// A deviation that stands out where there are too few parts to see how far they usually differ.
const USUAL: f64 = 0.1;
/// The share of what a part did that one of its own parts must have done to be told instead.
const ALIKE: f64 = 0.7;
/// How clear it must be that the other rows of a greater part did the same, or did not: about twice the logarithm of the odds.
const CLEAR: f64 = 4.0;
/// What is usual in a dimension: its trend, and how far sizes and means are from it, as a multiple of what chance alone would do.
#[derive(Clone, Copy, Debug)]
struct Usual {
    trend: Trend,
    size: f64,
    rate: f64,
}

/// What parts are measured against.
pub(super) struct Scale<'a> {
    kind: Kind,
    whole: &'a Pair,
    dimensions: BTreeMap<usize, Usual>,
}

impl<'a> Scale<'a> {
    pub fn of(kind: Kind, whole: &'a Pair, parts: &[Part]) -> Self {
        let trend = Trend::of_whole(kind, whole);
        let floor = if kind == Kind::Count { 1.0 } else { f64::MIN_POSITIVE };
        let usual = |own: &[&Part], otherwise: Usual| {
            let trend = otherwise.trend.of(kind, own.iter().copied());
            let size = spread(own.iter().map(|part| surprise(trend.size_off(kind, &part.pair))));
            let rate = spread(own.iter().filter_map(|part| trend.rate_off(&part.pair)).map(surprise));
            Usual { trend, size: size.unwrap_or(otherwise.size).max(floor), rate: rate.unwrap_or(otherwise.rate) }
        };
        let mut own: BTreeMap<usize, Vec<&Part>> = BTreeMap::new();
        for part in parts {
            own.entry(part.dimension).or_default().push(part);
        }
        let first = Usual { trend, size: usual_size(kind, whole, parts.len()), rate: usual_rate(whole, parts.len()) };
        // Dimensions with few values are measured as the one with most is.
        let finest = own.values().max_by_key(|parts| parts.len()).map_or(first, |finest| usual(finest, first));
        let few = Usual { trend, ..finest };
        // Rows differ as much in any dimension; a few parts may be alike by chance.
        let usual = |parts: &[&Part]| {
            let own = usual(parts, few);
            Usual { rate: own.rate.max(few.rate), ..own }
        };
        Self { kind, whole, dimensions: own.iter().map(|(dimension, parts)| (*dimension, usual(parts))).collect() }
    }

    fn usual(&self, dimension: usize) -> Usual {
        self.dimensions.get(&dimension).copied().unwrap_or(Usual {
            trend: Trend::of_whole(self.kind, self.whole),
            size: 1.0,
            rate: 1.0,
        })
    }

    pub fn finding(&self, part: &Part) -> Finding {
        let usual = self.usual(part.dimension);
        let size = usual.trend.size_off(self.kind, &part.pair);
        let finding = |rate: f64, mix: f64, beyond: f64, score: f64| Finding {
            dimension: part.dimension,
            value: part.value.clone(),
            pair: part.pair,
            change: rate + mix,
            rate,
            mix,
            beyond,
            score,
            same: false,
        };
        let size_score = ratio(surprise(size), usual.size);
        if self.kind != Kind::Mean {
            return finding(part.pair.amount[1] - part.pair.amount[0], 0.0, size.0, size_score);
        }
        let (rate, mix) = portions(self.whole, &part.pair);
        let off = usual.trend.rate_off(&part.pair);
        let own = off.map_or(0.0, |(off, _)| off * share(self.whole, &part.pair));
        let rate_score = off.map_or(0.0, |off| ratio(surprise(off), usual.rate));
        finding(rate, mix, own + mix, if own.abs() >= mix.abs() { rate_score } else { size_score })
    }

    pub fn is_material(&self, finding: &Finding) -> bool {
        let [before, now] = self.whole.values(self.kind);
        let of_number = if self.kind == Kind::Mean { MATERIAL_OF_MEAN } else { MATERIAL_OF_SUM };
        let least = (MATERIAL * (now - before).abs()).max(of_number * before.abs().max(now.abs()));
        finding.beyond.abs() >= least && finding.change.abs() >= least
    }

    /// The part whose rows all went the same way: the state if all its airports did, the airport if the others of the state did not.
    /// Where that is not clear, the part itself, and the other one that it may be.
    pub fn level<'b>(&self, part: &'b Part, all: &'b [Part]) -> (&'b Part, Option<&'b Part>) {
        let beyond = |one: &Part| self.finding(one).beyond;
        let mut part = part;
        let greater = |part: &'b Part| all.iter().filter(|one| one.holds(part)).map(|one| (one, self.together(one, part)));
        while let Some((next, _)) =
            greater(part).filter(|(_, together)| *together > CLEAR).min_by_key(|(one, _)| one.members.len())
        {
            part = next;
        }
        let smaller = || {
            let within = all.iter().filter(|one| part.holds(one) && ratio(beyond(one), beyond(part)) >= ALIKE);
            within.map(|one| (one, self.together(part, one)))
        };
        let more = |a: &(&Part, f64), b: &(&Part, f64)| beyond(a.0).abs().total_cmp(&beyond(b.0).abs());
        if let Some((most, _)) = smaller().filter(|(_, together)| *together < -CLEAR).max_by(more) {
            return (most, None);
        }
        let unclear = greater(part).filter(|(one, together)| *together > -CLEAR && ratio(beyond(part), beyond(one)) >= ALIKE);
        let unclear = unclear.chain(smaller().filter(|(_, together)| *together < CLEAR));
        (part, unclear.max_by(|a, b| self.finding(a.0).rank().total_cmp(&self.finding(b.0).rank())).map(|(one, _)| one))
    }

    /// How likely the other rows of the greater part went the way of the smaller one, beside that they went the way of all.
    fn together(&self, greater: &Part, smaller: &Part) -> f64 {
        let usual = self.usual(smaller.dimension);
        let (rest, variance) = self.departure(usual, &greater.pair.less(&smaller.pair));
        let (own, _) = self.departure(usual, &smaller.pair);
        ratio(rest.powi(2) - (rest - own).powi(2), variance)
    }

    /// How far a part went its own way, whatever its size, and the variance of that.
    fn departure(&self, usual: Usual, pair: &Pair) -> (f64, f64) {
        let rate = if self.kind == Kind::Mean { usual.trend.rate_off(pair) } else { None };
        if let Some((off, variance)) = rate {
            return (off, variance * usual.rate);
        }
        let (off, variance) = usual.trend.size_off(self.kind, pair);
        let expected = usual.trend.growth * pair.size(self.kind)[0];
        (ratio(off, expected), ratio(variance * usual.size, expected * expected))
    }
}

/// How many variances one of so many parts must be from the others to stand out. The more parts, the farther is one of them by chance.
pub(super) fn stands_out(parts: usize) -> f64 {
    let odds = 2.0 * (parts.max(1) as f64 / BY_CHANCE).ln();
    odds - odds.ln() - std::f64::consts::FRAC_PI_2.ln()
}

/// The square of a deviation in units of its variance.
fn surprise((off, variance): (f64, f64)) -> f64 {
    ratio(off * off, variance)
}

/// What the rows of a part add to the change of a mean: through their own mean, and through how many they are. Over all parts of a
/// dimension the two add up to the change.
fn portions(whole: &Pair, part: &Pair) -> (f64, f64) {
    let shares = [0, 1].map(|period| ratio(part.weight[period], whole.weight[period]));
    let mut own = part.values(Kind::Mean);
    // A part that is not there in one period cannot have moved.
    if part.weight[0] == 0.0 {
        own[0] = own[1];
    } else if part.weight[1] == 0.0 {
        own[1] = own[0];
    }
    let all = whole.values(Kind::Mean);
    let middle = f64::midpoint(own[0], own[1]) - f64::midpoint(all[0], all[1]);
    (share(whole, part) * (own[1] - own[0]), (shares[1] - shares[0]) * middle)
}

/// Which share of all rows a part has in the middle of both periods.
fn share(whole: &Pair, part: &Pair) -> f64 {
    f64::midpoint(ratio(part.weight[0], whole.weight[0]), ratio(part.weight[1], whole.weight[1]))
}

fn ratio(of: f64, by: f64) -> f64 {
    if by == 0.0 { 0.0 } else { of / by }
}

/// What is usual for sums of so many parts, where nothing shows it.
fn usual_size(kind: Kind, whole: &Pair, parts: usize) -> f64 {
    if kind == Kind::Count {
        return 1.0;
    }
    let each = whole.size(kind).iter().map(|size| size.abs()).sum::<f64>() / parts.max(1) as f64;
    (USUAL * USUAL * each / STANDS_OUT).max(f64::MIN_POSITIVE)
}

/// The same for means.
fn usual_rate(whole: &Pair, parts: usize) -> f64 {
    let each = whole.weight.iter().sum::<f64>() / (4.0 * parts.max(1) as f64);
    let [before, now] = whole.values(Kind::Mean);
    ((USUAL * before.abs().max(now.abs())).powi(2) * each / STANDS_OUT).max(f64::MIN_POSITIVE)
}
