//! How many requests a credential may still make. A bucket fills up with time and each request takes something out of it; what
//! other nodes have let pass is taken out as well, and may leave a debt.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// Callers wait for each other only within a part.
const PARTS: usize = 16;

/// The kind of a credential, and its id. Ids of different kinds can be the same, because hosts may choose those of project users.
pub type Credential = (u8, Uuid);

/// Requests per second, and at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Per second.
    pub per_second: f64,
    /// At once.
    pub burst: f64,
}

#[derive(Debug)]
struct Bucket {
    rate: Rate,
    left: f64,
    filled: Instant,
    /// How many requests passed since the others were told.
    passed: u32,
}

impl Bucket {
    fn fill(&mut self, now: Instant) {
        let since = now.saturating_duration_since(self.filled).as_secs_f64();
        self.left = since.mul_add(self.rate.per_second, self.left).min(self.rate.burst);
        self.filled = now;
    }
}

/// The buckets of some credentials: one for each of the rates that a credential has had lately.
type Part = HashMap<Credential, Vec<Bucket>>;

/// The buckets of a node.
#[derive(Debug)]
pub struct Buckets([Mutex<Part>; PARTS]);

impl Default for Buckets {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::default()))
    }
}

impl Buckets {
    fn part(&self, credential: Credential) -> MutexGuard<'_, Part> {
        // The last byte of an id is random.
        let part = usize::from(credential.1.as_bytes()[15]) % PARTS;
        self.0[part].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn parts(&self) -> impl Iterator<Item = MutexGuard<'_, Part>> {
        self.0.iter().map(|part| part.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Counts a request.
    ///
    /// # Errors
    /// The time until the next one may pass.
    pub fn take(&self, credential: Credential, rate: Rate) -> Result<(), Duration> {
        let now = Instant::now();
        let mut part = self.part(credential);
        let buckets = part.entry(credential).or_default();
        let at = buckets.iter().position(|bucket| bucket.rate == rate).unwrap_or_else(|| {
            buckets.push(Bucket { rate, left: rate.burst, filled: now, passed: 0 });
            buckets.len() - 1
        });
        let bucket = &mut buckets[at];
        bucket.fill(now);
        if bucket.left < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.left) / rate.per_second));
        }
        bucket.left -= 1.0;
        bucket.passed += 1;
        Ok(())
    }

    /// Takes out what other nodes have let pass. A debt is worth a second at most, so that nobody waits long for what is over.
    pub fn charge(&self, credential: Credential, passed: u32) {
        let now = Instant::now();
        for bucket in self.part(credential).get_mut(&credential).into_iter().flatten() {
            bucket.fill(now);
            bucket.left = (bucket.left - f64::from(passed)).max(-bucket.rate.per_second);
        }
    }

    /// What passed since the last call, of those who come near their limit.
    pub fn passed(&self) -> Vec<(Credential, u32)> {
        let mut all = Vec::new();
        for mut part in self.parts() {
            for (credential, bucket) in part.iter_mut().flat_map(|(of, buckets)| buckets.iter_mut().map(move |one| (of, one))) {
                let passed = std::mem::take(&mut bucket.passed);
                if passed > 0 && f64::from(passed) >= bucket.rate.per_second / 20.0 {
                    all.push((*credential, passed));
                }
            }
        }
        all
    }

    /// Forgets whose buckets are full.
    pub fn forget_idle(&self) {
        let now = Instant::now();
        for mut part in self.parts() {
            part.retain(|_, buckets| {
                buckets.retain_mut(|bucket| {
                    bucket.fill(now);
                    bucket.left < bucket.rate.burst
                });
                !buckets.is_empty()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passes_elsewhere_counts_and_a_debt_ends() {
        let (buckets, one, rate) = (Buckets::default(), (0, Uuid::now_v7()), Rate { per_second: 50.0, burst: 4.0 });
        buckets.take(one, rate).expect("the first of four");
        buckets.charge(one, 3);
        assert!(buckets.take(one, rate).expect_err("the others were made elsewhere") <= Duration::from_millis(20));
        buckets.charge(one, 10_000);
        let wait = buckets.take(one, rate).expect_err("a debt");
        assert!(wait > Duration::from_millis(900) && wait <= Duration::from_millis(1_020), "{wait:?}");
        assert_eq!(buckets.passed(), [], "one request is far from fifty a second");
    }

    #[test]
    fn a_user_and_a_tenant_of_one_id_have_their_own_shares() {
        let (buckets, id, rate) = (Buckets::default(), Uuid::now_v7(), Rate { per_second: 1.0, burst: 1.0 });
        buckets.take((0, id), rate).expect("within");
        buckets.take((1, id), rate).expect("another credential");
        assert!(buckets.take((0, id), rate).is_err());
        let mut passed = buckets.passed();
        passed.sort_unstable();
        assert_eq!(passed, [((0, id), 1), ((1, id), 1)]);
        assert_eq!(buckets.passed(), []);
    }
}
