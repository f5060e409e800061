//! The memory that a node may use, and how it is divided. Whoever finds no room waits a little and is then answered with 503,
//! so that the operating system never ends the process.

mod kept;
mod machine;

pub use kept::{Kept, keep};

use crate::ground::{
    config::Settings,
    error::{Error, Result},
    state::Part,
};
use inlay_query::{Budget, Room};
use inlay_render::RendererSettings;
use std::{
    sync::{Arc, LazyLock},
    thread::available_parallelism,
    time::Duration,
};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
};

const MIB: u64 = 1 << 20;

/// The least that a node can work with.
const LEAST: u64 = 256 * MIB;

/// How long somebody waits for room.
const WAIT: Duration = Duration::from_secs(2);

/// The shares of a node's memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// All of it.
    pub whole: u64,
    /// Results of queries from their first row until they were sent.
    pub results: u64,
    /// Remembered results.
    pub cache: u64,
    /// Remembered parts of pages, compressed.
    pub packed: u64,
    /// Remembered pictures of results.
    pub pictures: u64,
    /// What the built-in analyst remembers of viewers' data.
    pub surveys: u64,
    /// What is made of results for one caller: pages, page calls.
    pub pages: u64,
    /// Files: workbooks, PDFs, reports.
    pub files: u64,
    /// Bodies of requests with a valid credential.
    pub bodies: u64,
    /// Bodies of requests whose credential is not known yet.
    pub strangers: u64,
    /// The engines that draw, and their pictures.
    pub drawing: u64,
}

impl Shares {
    /// The shares of this many bytes. The rest is for everything else that a node does.
    fn of(whole: u64, cache: Option<u64>) -> Self {
        let whole = whole.max(LEAST);
        let percent = |percent: u64| whole / 100 * percent;
        Self {
            whole,
            results: percent(30),
            cache: cache.unwrap_or_else(|| percent(8).min(64 * MIB)),
            packed: percent(1).min(32 * MIB),
            pictures: percent(1).min(32 * MIB),
            surveys: percent(2).min(64 * MIB),
            pages: percent(15),
            files: percent(10),
            bodies: percent(6).clamp(32 * MIB, 512 * MIB),
            strangers: percent(2).clamp(16 * MIB, 64 * MIB),
            drawing: percent(20).clamp(64 * MIB, 1024 * MIB),
        }
    }

    /// The shares of a node with these settings.
    pub fn of_settings(settings: &Settings) -> Self {
        let limits = &settings.limits;
        let whole = limits.memory_mb.map_or_else(|| machine::memory() / 2, |given| given.saturating_mul(MIB));
        Self::of(whole, limits.query_cache_mb.map(|given| given.saturating_mul(MIB)))
    }

    /// The limits of drawing.
    pub fn renderer(&self) -> RendererSettings {
        let defaults = RendererSettings::default();
        let fits = usize::try_from(self.drawing / (64 * MIB)).unwrap_or(usize::MAX);
        let threads = defaults.threads.min(fits).max(1);
        let each = usize::try_from(self.drawing).unwrap_or(usize::MAX) / threads;
        let cache = defaults.cache.min(self.whole / 64);
        RendererSettings { threads, memory: defaults.memory.min(each), cache, ..defaults }
    }
}

/// The budgets of a node, beside the engine's own.
#[derive(Debug)]
pub struct Memory {
    /// What is made of results for one caller.
    pub pages: Budget,
    /// Files.
    pub files: Budget,
    /// Bodies of requests with a valid credential.
    pub bodies: Budget,
    /// Bodies of requests whose credential is not known yet.
    pub strangers: Budget,
}

impl Part for Memory {
    fn new(settings: &Settings) -> Self {
        let Shares { pages, files, bodies, strangers, .. } = Shares::of_settings(settings);
        Self {
            pages: Budget::new("pages", pages),
            files: Budget::new("files", files),
            bodies: Budget::new("bodies", bodies),
            strangers: Budget::new("strangers", strangers),
        }
    }
}

/// The budget of results under way, for the query engine.
pub fn of_results(shares: &Shares) -> Budget {
    Budget::new("results", shares.results)
}

/// Room in a budget.
///
/// # Errors
/// 503 with the time to wait.
pub async fn room(budget: &Budget, bytes: usize) -> Result<Room> {
    budget.take(bytes, WAIT).await.map_err(|_| Error::busy().with_context(format!("no memory is left for {bytes} bytes")))
}

/// More room.
///
/// # Errors
/// As [`room`].
pub async fn grow(held: &mut Room, budget: &Budget, bytes: usize) -> Result<()> {
    held.absorb(room(budget, bytes).await?);
    Ok(())
}

/// Long work at a time: one processor is left for everybody else.
static LONG_WORK: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1))));

/// Does work that keeps a processor for long apart from the threads that answer requests, a few at a time.
///
/// # Errors
/// The work panicked.
pub async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let _turn = Arc::clone(&LONG_WORK).acquire_owned().await.map_err(Error::internal)?;
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}

/// Does such work where it stands, while another thread takes over what the thread would have done. For work that cannot be handed over.
pub fn in_place(work: impl FnOnce()) {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => tokio::task::block_in_place(work),
        _ => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_stay_below_the_whole() {
        for whole in [LEAST * 2, 1 << 30, 12 << 30, 64 << 30] {
            let Shares { results, cache, packed, pictures, surveys, pages, files, bodies, strangers, drawing, whole: _ } =
                Shares::of(whole, None);
            let all = results + cache + packed + pictures + surveys + pages + files + bodies + strangers + drawing;
            assert!(all <= whole, "{whole}: {all}");
        }
        assert_eq!(Shares::of(0, None), Shares::of(LEAST, None));
        assert_eq!(Shares::of(1 << 30, Some(5 * MIB)).cache, 5 * MIB);
    }

    #[test]
    fn a_small_node_draws_with_less() {
        let (small, large) = (Shares::of(LEAST, None).renderer(), Shares::of(64 << 30, None).renderer());
        assert_eq!((small.threads, small.memory), (1, 64 << 20));
        assert_eq!((large.threads, large.memory), (RendererSettings::default().threads, RendererSettings::default().memory));
        assert!(small.cache <= LEAST / 64 && large.cache == RendererSettings::default().cache);
    }

    #[tokio::test]
    async fn who_finds_no_room_is_told_when_to_come_again() {
        let budget = Budget::new("test", 1024);
        let refused = room(&budget, 4096).await.expect_err("no room");
        assert_eq!((refused.code.status(), refused.retry_seconds()), (503, Some(2)));
        assert_eq!(apart(|| 7).await.expect("done"), 7);
    }
}
