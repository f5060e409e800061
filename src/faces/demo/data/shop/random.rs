//! Chance that comes out the same at every start.

/// `SplitMix64`: numbers that look random, from a seed.
pub(super) struct Random(u64);

/// Above this mean a count is drawn from the normal distribution, which is as good there and takes as long for every mean.
const MANY: f64 = 30.0;

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to 1.
    pub(super) const fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number from 0 up to `end`.
    pub(super) const fn below(&mut self, end: usize) -> usize {
        (self.part() * end as f64) as usize
    }

    /// Whether something happens that happens in this share of cases.
    pub(super) const fn chance(&mut self, share: f64) -> bool {
        self.part() < share
    }

    /// How often something happens that happens `mean` times on average.
    pub(super) fn count(&mut self, mean: f64) -> i64 {
        if mean > MANY {
            let deviation: f64 = (0..12).map(|_| self.part()).sum::<f64>() - 6.0;
            return deviation.mul_add(mean.sqrt(), mean).round().max(0.0) as i64;
        }
        let (least, mut left, mut found) = ((-mean).exp(), self.part(), 0);
        while left > least {
            left *= self.part();
            found += 1;
        }
        found
    }

    /// One of several, by their weights.
    pub(super) fn place(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let mut left = self.part() * weights.clone().sum::<f64>();
        let passed = |weight: &f64| {
            left -= weight;
            left >= 0.0
        };
        let last = weights.clone().count().saturating_sub(1);
        weights.take_while(passed).count().min(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let draw = |seed| {
            let mut random = Random::new(seed);
            (0..100).map(|_| random.below(1_000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(7).iter().all(|number| *number < 1_000));
    }

    #[test]
    fn counts_have_their_mean_and_weights_their_shares() {
        let mut random = Random::new(1);
        for mean in [0.4, 6.0, 90.0] {
            let sum: i64 = (0..4_000).map(|_| random.count(mean)).sum();
            let found = sum as f64 / 4_000.0;
            assert!((found / mean - 1.0).abs() < 0.06, "{mean}: {found}");
        }
        let mut drawn = [0; 3];
        for _ in 0..10_000 {
            drawn[random.place([1.0, 0.0, 3.0].into_iter())] += 1;
        }
        assert_eq!(drawn[1], 0);
        assert!((2_300..2_700).contains(&drawn[0]), "{drawn:?}");
    }
}
