//! Places that are given out in turn: whoever asks much waits behind their own questions, and never takes the places that others need.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::oneshot;

/// Whose turn it is: an id of theirs.
pub type Share = u128;

/// How much the newest question counts in the usual time of a share's questions.
const NEWEST: u32 = 4;

/// A number of places. Cheap to clone.
#[derive(Clone)]
pub struct Lanes(Arc<Shared>);

struct Shared {
    sizes: Sizes,
    state: Mutex<State>,
}

/// How many places there are.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// All places.
    pub all: usize,
    /// The most of one share, also while nobody else asks: the next one finds a place at once.
    pub share: usize,
    /// The most that wait.
    pub waiting: usize,
}

impl Sizes {
    /// At most half of the places for a share.
    #[must_use]
    pub fn half(all: usize, waiting: usize) -> Self {
        Self { all: all.max(1), share: all.div_ceil(2).max(1), waiting }
    }
}

#[derive(Default)]
struct State {
    running: usize,
    waiting: usize,
    lanes: HashMap<Share, Lane>,
    /// The shares with somebody who waits, the next one first.
    turns: VecDeque<Share>,
    /// The number of the next one who waits.
    next: u64,
}

#[derive(Default)]
struct Lane {
    /// When its running questions began.
    running: Vec<Instant>,
    waiting: VecDeque<(u64, oneshot::Sender<Place>)>,
    /// How long its questions usually take.
    usual: Duration,
}

/// A place. It is free again when this is dropped.
pub struct Place {
    lanes: Arc<Shared>,
    share: Share,
    begun: Instant,
}

/// No place: so many wait already that there is none in time, or none came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no place became free in time")]
pub struct NoPlace;

impl Lanes {
    /// Places of these numbers.
    #[must_use]
    pub fn new(sizes: Sizes) -> Self {
        Self(Arc::new(Shared { sizes, state: Mutex::default() }))
    }

    /// Waits for a place, unless there will certainly be none within this time.
    ///
    /// # Errors
    /// [`NoPlace`]
    pub async fn enter(&self, share: Share, patience: Duration) -> Result<Place, NoPlace> {
        let (number, place) = {
            let mut state = self.0.state();
            let (sizes, running, waiting) = (self.0.sizes, state.running, state.waiting);
            let lane = state.lanes.entry(share).or_default();
            if running < sizes.all && lane.running.len() < sizes.share && lane.waiting.is_empty() {
                return Ok(self.0.start(&mut state, share));
            }
            let full = waiting >= sizes.waiting || lane.waiting.len() >= sizes.waiting.div_ceil(2);
            if full || lane.wait(sizes.share) > patience {
                state.forget(share);
                return Err(NoPlace);
            }
            let (sender, place) = oneshot::channel();
            let number = state.next;
            state.next += 1;
            state.waiting += 1;
            let lane = state.lanes.entry(share).or_default();
            lane.waiting.push_back((number, sender));
            if lane.waiting.len() == 1 {
                state.turns.push_back(share);
            }
            (number, place)
        };
        let waiter = Waiter { lanes: &self.0, share, number };
        let taken = tokio::time::timeout(patience, place).await;
        drop(waiter);
        taken.map_err(|_| NoPlace)?.map_err(|_| NoPlace)
    }

    /// Whether nobody else holds it.
    pub(crate) fn is_alone(&self) -> bool {
        Arc::strong_count(&self.0) == 1
    }

    /// How many run, and how many wait.
    #[cfg(test)]
    pub(crate) fn counts(&self) -> (usize, usize) {
        let state = self.0.state();
        (state.running, state.waiting)
    }
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("sizes", &self.0.sizes).finish_non_exhaustive()
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Place").finish_non_exhaustive()
    }
}

/// Somebody who waits. They may leave.
struct Waiter<'a> {
    lanes: &'a Arc<Shared>,
    share: Share,
    number: u64,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut state = self.lanes.state();
        let Some(lane) = state.lanes.get_mut(&self.share) else { return };
        let before = lane.waiting.len();
        lane.waiting.retain(|(number, _)| *number != self.number);
        let left = before - lane.waiting.len();
        if left > 0 && lane.waiting.is_empty() {
            state.turns.retain(|share| *share != self.share);
        }
        state.waiting -= left;
        state.forget(self.share);
    }
}

impl Lane {
    /// How long the next one waits at least, if its questions go on as they do. Those that run do so for as long as the youngest has.
    fn wait(&self, share: usize) -> Duration {
        let youngest = self.running.iter().map(Instant::elapsed).min().unwrap_or_default();
        let rounds = u32::try_from(self.waiting.len() / share.max(1)).unwrap_or(u32::MAX);
        self.usual.max(youngest).saturating_mul(rounds)
    }
}

impl State {
    /// Forgets a share that has nothing here any more.
    fn forget(&mut self, share: Share) {
        if self.lanes.get(&share).is_some_and(|lane| lane.running.is_empty() && lane.waiting.is_empty()) {
            self.lanes.remove(&share);
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn start(self: &Arc<Self>, state: &mut State, share: Share) -> Place {
        let begun = Instant::now();
        state.running += 1;
        state.lanes.entry(share).or_default().running.push(begun);
        Place { lanes: Arc::clone(self), share, begun }
    }

    /// The next ones who wait, share by share, with their places.
    fn next(self: &Arc<Self>, state: &mut State) -> Vec<(oneshot::Sender<Place>, Place)> {
        let mut next = Vec::new();
        // A share without a place for another question keeps its turn.
        for _ in 0..state.turns.len() {
            while state.running < self.sizes.all {
                let Some(share) = state.turns.pop_front() else { return next };
                let lane = state.lanes.entry(share).or_default();
                if lane.running.len() >= self.sizes.share {
                    state.turns.push_back(share);
                    break;
                }
                let Some((_, sender)) = lane.waiting.pop_front() else { continue };
                if !lane.waiting.is_empty() {
                    state.turns.push_back(share);
                }
                state.waiting -= 1;
                next.push((sender, self.start(state, share)));
            }
        }
        next
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let next = {
            let mut state = self.lanes.state();
            state.running -= 1;
            if let Some(lane) = state.lanes.get_mut(&self.share) {
                if let Some(at) = lane.running.iter().position(|begun| *begun == self.begun) {
                    lane.running.swap_remove(at);
                }
                lane.usual = (lane.usual * (NEWEST - 1) + self.begun.elapsed()) / NEWEST;
            }
            let next = self.lanes.next(&mut state);
            state.forget(self.share);
            next
        };
        for (sender, place) in next {
            // Whoever has left gives the place back at once.
            drop(sender.send(place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(5);

    fn lanes(all: usize) -> Lanes {
        Lanes::new(Sizes::half(all, 100))
    }

    async fn pause(milliseconds: u64) {
        tokio::time::sleep(Duration::from_millis(milliseconds)).await;
    }

    #[tokio::test]
    async fn a_share_takes_half_and_the_others_find_a_place_at_once() {
        let lanes = lanes(8);
        let mut held = Vec::new();
        for _ in 0..4 {
            held.push(lanes.enter(1, SOON).await.expect("a place"));
        }
        assert_eq!(lanes.enter(1, Duration::from_millis(20)).await.err(), Some(NoPlace));
        for _ in 0..4 {
            held.push(lanes.enter(2, Duration::ZERO).await.expect("a place"));
        }
        assert_eq!(lanes.counts(), (8, 0));
        held.clear();
        assert_eq!((lanes.counts(), lanes.0.state().lanes.len()), ((0, 0), 0), "nothing is left");
    }

    #[tokio::test]
    async fn shares_take_turns_however_many_wait_in_each() {
        let lanes = lanes(1);
        let first = lanes.enter(1, SOON).await.expect("a place");
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for share in [1, 1, 1, 1, 2, 3, 3] {
            let (lanes, order) = (lanes.clone(), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let _place = lanes.enter(share, SOON).await.expect("a place");
                order.lock().expect("a lock").push(share);
            }));
            pause(5).await;
        }
        assert_eq!(lanes.counts(), (1, 7));
        drop(first);
        for task in tasks {
            task.await.expect("no panic");
        }
        assert_eq!(*order.lock().expect("a lock"), [1, 2, 3, 1, 3, 1, 1]);
    }

    #[tokio::test]
    async fn who_leaves_makes_room_and_loses_no_place() {
        let lanes = lanes(1);
        let first = lanes.enter(1, SOON).await.expect("a place");
        let leaving = {
            let lanes = lanes.clone();
            tokio::spawn(async move { drop(lanes.enter(2, SOON).await) })
        };
        pause(10).await;
        leaving.abort();
        assert_eq!(lanes.enter(3, Duration::from_millis(10)).await.err(), Some(NoPlace));
        pause(10).await;
        assert_eq!(lanes.counts(), (1, 0));
        drop(first);
        drop(lanes.enter(2, Duration::ZERO).await.expect("a place"));
    }

    #[tokio::test]
    async fn a_wait_without_hope_is_refused_at_once_and_others_are_not() {
        let lanes = lanes(2);
        let held = lanes.enter(1, SOON).await.expect("a place");
        pause(60).await;
        let mut tasks = Vec::new();
        for _ in 0..4 {
            let lanes = lanes.clone();
            tasks.push(tokio::spawn(async move { drop(lanes.enter(1, SOON).await) }));
        }
        pause(10).await;
        let begun = Instant::now();
        assert_eq!(lanes.enter(1, Duration::from_millis(200)).await.err(), Some(NoPlace));
        assert!(begun.elapsed() < Duration::from_millis(50), "four wait for one that runs for 60 ms already");
        drop(lanes.enter(2, Duration::ZERO).await.expect("a place for another"));
        drop(held);
        for task in tasks {
            task.await.expect("no panic");
        }
        assert_eq!(lanes.counts(), (0, 0));
    }

    #[tokio::test]
    async fn so_many_wait_and_no_more_of_one_share_than_half() {
        let lanes = Lanes::new(Sizes { all: 1, share: 1, waiting: 4 });
        let _held = lanes.enter(1, SOON).await.expect("a place");
        for share in [1, 1, 2, 3] {
            let lanes = lanes.clone();
            tokio::spawn(async move { drop(lanes.enter(share, SOON).await) });
            pause(5).await;
        }
        let begun = Instant::now();
        for share in [1, 4] {
            assert_eq!(lanes.enter(share, SOON).await.err(), Some(NoPlace));
        }
        assert!(begun.elapsed() < Duration::from_millis(100));
    }
}
