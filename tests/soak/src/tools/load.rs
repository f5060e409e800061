//! Requests by many callers at once, and what became of them.

use super::wire::Answer;
use futures::future::join_all;
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::task::JoinHandle;

/// No load goes on longer.
const LONGEST: Duration = Duration::from_secs(600);

/// What became of requests.
#[derive(Debug, Default)]
pub struct Tally {
    waits: Vec<Duration>,
    /// How often each answer came, by its name.
    pub names: BTreeMap<String, usize>,
    /// When the last answer came that was not a success.
    pub last_failure: Option<Instant>,
    took: Duration,
}

impl Tally {
    pub fn add(&mut self, answer: &Answer) {
        self.waits.push(answer.took);
        *self.names.entry(answer.name()).or_default() += 1;
        if !answer.is_ok() {
            self.last_failure = Some(Instant::now());
        }
    }

    pub fn merge(&mut self, other: Self) {
        self.waits.extend(other.waits);
        for (name, count) in other.names {
            *self.names.entry(name).or_default() += count;
        }
        self.last_failure = self.last_failure.max(other.last_failure);
        self.took = self.took.max(other.took);
    }

    pub const fn count(&self) -> usize {
        self.waits.len()
    }

    pub fn succeeded(&self) -> usize {
        self.names.get("200").copied().unwrap_or(0)
    }

    pub fn failed(&self) -> usize {
        self.count() - self.succeeded()
    }

    /// Whatever was not a success: `3 × 503 STORE_UNAVAILABLE`, or nothing.
    pub fn faults(&self) -> String {
        let faults = self.names.iter().filter(|(name, _)| *name != "200").map(|(name, count)| format!("{count} × {name}"));
        faults.collect::<Vec<_>>().join(", ")
    }

    /// Whether whatever was not a success has one of these names.
    pub fn only(&self, allowed: &[&str]) -> bool {
        self.names.keys().all(|name| name == "200" || allowed.contains(&name.as_str()))
    }

    /// The wait that so many of a hundred requests did not exceed.
    pub fn percentile(&self, of_hundred: usize) -> Duration {
        let mut waits = self.waits.clone();
        waits.sort_unstable();
        let at = (waits.len() * of_hundred).div_ceil(100).saturating_sub(1);
        waits.get(at).copied().unwrap_or_default()
    }

    pub fn slowest(&self) -> Duration {
        self.percentile(100)
    }

    /// Successes a second.
    pub fn rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of requests")]
        let count = self.succeeded() as f64;
        count / self.took.as_secs_f64().max(0.001)
    }
}

/// Load that goes on until it is ended.
pub struct Load {
    stop: Arc<AtomicBool>,
    workers: Vec<JoinHandle<Tally>>,
    begun: Instant,
}

impl Load {
    /// Begins: each of the workers makes one request after the other, given the worker's number and the request's.
    pub fn begin<F, Answered>(workers: usize, request: F) -> Self
    where
        F: Fn(usize, usize) -> Answered + Send + Sync + 'static,
        Answered: Future<Output = Answer> + Send,
    {
        let (stop, request, begun) = (Arc::new(AtomicBool::new(false)), Arc::new(request), Instant::now());
        let work = |worker| {
            let (stop, request) = (Arc::clone(&stop), Arc::clone(&request));
            tokio::spawn(async move {
                let mut tally = Tally::default();
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) || begun.elapsed() > LONGEST {
                        break;
                    }
                    let answer = request(worker, number).await;
                    tally.add(&answer);
                    if answer.status == 0 {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                }
                tally
            })
        };
        let workers = (0..workers).map(work).collect();
        Self { stop, workers, begun }
    }

    /// Lets each worker end its request. Returns what became of all.
    pub async fn end(self) -> Tally {
        self.stop.store(true, Ordering::Relaxed);
        let took = self.begun.elapsed();
        let mut all = Tally::default();
        for tally in join_all(self.workers).await {
            all.merge(tally.expect("a worker ends well"));
        }
        all.took = took;
        all
    }

    /// Ends it after a time.
    pub async fn during(self, time: Duration) -> Tally {
        tokio::time::sleep(time).await;
        self.end().await
    }
}

/// Makes requests all at once.
pub async fn at_once<F, Answered>(count: usize, request: F) -> Tally
where
    F: Fn(usize) -> Answered,
    Answered: Future<Output = Answer> + Send + 'static,
{
    let begun = Instant::now();
    let requests: Vec<_> = (0..count).map(|number| tokio::spawn(request(number))).collect();
    let mut tally = Tally::default();
    for answer in join_all(requests).await {
        tally.add(&answer.expect("a request ends well"));
    }
    tally.took = begun.elapsed();
    tally
}
