//! Memory that many share. Who finds no room waits a little and is then refused, so that the whole stays below its limit.

use serde_json::Value;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What a budget is counted in, in bytes. A semaphore gives at most 2³² places at once.
const UNIT: usize = 1024;

/// A share of the node's memory. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Budget(Arc<Pot>);

#[derive(Debug)]
struct Pot {
    /// Its name in metrics. `None`: it is not measured.
    name: Option<&'static str>,
    total: u32,
    free: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// There is no room at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the share of memory is used up")]
pub struct Full;

impl Default for Budget {
    /// A budget that nobody exhausts.
    fn default() -> Self {
        Self::of(None, u32::MAX)
    }
}

impl Budget {
    /// A budget of this many bytes, measured under this name.
    #[must_use]
    pub fn new(name: &'static str, bytes: u64) -> Self {
        let budget = Self::of(Some(name), units(usize::try_from(bytes).unwrap_or(usize::MAX)).max(1));
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        metrics::gauge!("inlay_memory_limit_bytes", "share" => name).set(bytes as f64);
        budget.0.tell();
        budget
    }

    fn of(name: Option<&'static str>, total: u32) -> Self {
        let free = Arc::new(Semaphore::new(usize::try_from(total).unwrap_or(Semaphore::MAX_PERMITS)));
        Self(Arc::new(Pot { name, total, free, waiting: AtomicUsize::new(0) }))
    }

    /// Room for this many bytes, without waiting.
    ///
    /// # Errors
    /// [`Full`]
    pub fn try_take(&self, bytes: usize) -> Result<Room, Full> {
        let taken = Arc::clone(&self.0.free).try_acquire_many_owned(units(bytes)).map_err(|_| self.refused())?;
        Ok(self.room(taken))
    }

    /// Room for this many bytes. Waits for at most this long, in order of arrival.
    ///
    /// # Errors
    /// [`Full`]
    pub async fn take(&self, bytes: usize, wait: Duration) -> Result<Room, Full> {
        let units = units(bytes);
        if let Ok(taken) = Arc::clone(&self.0.free).try_acquire_many_owned(units) {
            return Ok(self.room(taken));
        }
        // More than there is: nobody's leaving would help.
        if units > self.0.total {
            return Err(self.refused());
        }
        let _waits = Waits::in_line(&self.0);
        let taken = tokio::time::timeout(wait, Arc::clone(&self.0.free).acquire_many_owned(units)).await;
        Ok(self.room(taken.ok().and_then(Result::ok).ok_or_else(|| self.refused())?))
    }

    /// The bytes in use.
    #[must_use]
    pub fn used(&self) -> usize {
        self.0.used()
    }

    /// The bytes that there are in all.
    #[must_use]
    pub fn total(&self) -> usize {
        usize::try_from(self.0.total).unwrap_or(usize::MAX).saturating_mul(UNIT)
    }

    fn room(&self, taken: OwnedSemaphorePermit) -> Room {
        self.0.tell();
        Room { pot: Arc::clone(&self.0), taken: Some(taken) }
    }

    fn refused(&self) -> Full {
        if let Some(name) = self.0.name {
            metrics::counter!("inlay_memory_refused_total", "share" => name).increment(1);
        }
        Full
    }
}

impl Pot {
    fn used(&self) -> usize {
        let total = usize::try_from(self.total).unwrap_or(usize::MAX);
        total.saturating_sub(self.free.available_permits()).saturating_mul(UNIT)
    }

    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    fn tell(&self) {
        if let Some(name) = self.name {
            metrics::gauge!("inlay_memory_bytes", "share" => name).set(self.used() as f64);
        }
    }
}

/// Somebody who waits for room.
struct Waits<'a>(&'a Pot);

impl<'a> Waits<'a> {
    fn in_line(pot: &'a Pot) -> Self {
        pot.waiting.fetch_add(1, Ordering::Relaxed);
        let waits = Self(pot);
        waits.tell();
        waits
    }

    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    fn tell(&self) {
        if let Some(name) = self.0.name {
            metrics::gauge!("inlay_memory_waiting", "share" => name).set(self.0.waiting.load(Ordering::Relaxed) as f64);
        }
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
        self.tell();
    }
}

/// Room in a budget. It is free again when this is dropped.
#[derive(Debug)]
pub struct Room {
    pot: Arc<Pot>,
    taken: Option<OwnedSemaphorePermit>,
}

impl Room {
    /// Takes this many bytes more, without waiting.
    ///
    /// # Errors
    /// [`Full`]. What was taken stays.
    pub fn grow(&mut self, bytes: usize) -> Result<(), Full> {
        self.absorb(Budget(Arc::clone(&self.pot)).try_take(bytes)?);
        Ok(())
    }

    /// Adds another room of the same budget.
    pub fn absorb(&mut self, mut other: Self) {
        debug_assert!(Arc::ptr_eq(&self.pot, &other.pot), "rooms of one budget");
        match (&mut self.taken, other.taken.take()) {
            (Some(taken), Some(more)) => taken.merge(more),
            (taken, more) => *taken = more,
        }
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.taken.as_ref().map_or(0, |taken| taken.num_permits().saturating_mul(UNIT))
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        drop(self.taken.take());
        self.pot.tell();
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

/// The room that one result takes while its rows are read. The default has room for everything.
#[derive(Clone, Debug, Default)]
pub struct Meter(Option<Arc<Mutex<Metered>>>);

#[derive(Debug)]
struct Metered {
    room: Option<Room>,
    counted: usize,
    is_full: bool,
}

/// By how much a result's room grows at once.
const STEP: usize = 64 << 10;

impl Meter {
    /// A result that begins with this room.
    pub(crate) fn of(room: Room) -> Self {
        Self(Some(Arc::new(Mutex::new(Metered { room: Some(room), counted: 0, is_full: false }))))
    }

    fn lock(metered: &Mutex<Metered>) -> MutexGuard<'_, Metered> {
        metered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts bytes. `false`: there is no room for them, and the result is not to be used.
    pub(crate) fn add(&self, bytes: usize) -> bool {
        let Some(metered) = &self.0 else { return true };
        let mut metered = Self::lock(metered);
        metered.counted = metered.counted.saturating_add(bytes);
        let missing = metered.counted.saturating_sub(metered.room.as_ref().map_or(0, Room::bytes));
        if missing > 0 && !metered.is_full {
            metered.is_full = metered.room.as_mut().is_none_or(|room| room.grow(missing.max(STEP)).is_err());
        }
        !metered.is_full
    }

    /// The room that the result took.
    ///
    /// # Errors
    /// The bytes that it would have needed so far.
    pub(crate) fn end(&self) -> Result<Option<Room>, usize> {
        let Some(metered) = &self.0 else { return Ok(None) };
        let mut metered = Self::lock(metered);
        if metered.is_full { Err(metered.counted) } else { Ok(metered.room.take()) }
    }
}

/// The memory that a row takes, in bytes, with what an allocator adds.
pub(crate) fn of_row(row: &[Value]) -> usize {
    64 + row.iter().map(of_value).sum::<usize>()
}

fn of_value(value: &Value) -> usize {
    let beside = match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => 16 + text.len(),
        Value::Array(values) => 16 + values.iter().map(of_value).sum::<usize>(),
        Value::Object(fields) => 64 + fields.iter().map(|(name, value)| 56 + name.len() + of_value(value)).sum::<usize>(),
    };
    size_of::<Value>() + beside
}

/// About the bytes of a row as JSON.
pub(crate) fn text_of_row(row: &[Value]) -> usize {
    2 + row.iter().map(text_of_value).sum::<usize>()
}

fn text_of_value(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 6,
        Value::Number(_) => 9,
        Value::String(text) => 3 + text.len(),
        Value::Array(values) => 3 + values.iter().map(text_of_value).sum::<usize>(),
        Value::Object(fields) => 3 + fields.iter().map(|(name, value)| 4 + name.len() + text_of_value(value)).sum::<usize>(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn who_finds_no_room_waits_a_little_and_is_then_refused() {
        let budget = Budget::new("test", 10 << 10);
        let held = budget.take(8 << 10, SOON).await.expect("room");
        assert_eq!((held.bytes(), budget.used(), budget.total()), (8 << 10, 8 << 10, 10 << 10));
        assert_eq!(budget.take(4 << 10, SOON).await.expect_err("none"), Full);
        let waits = tokio::spawn({
            let budget = budget.clone();
            async move { budget.take(4 << 10, Duration::from_secs(10)).await }
        });
        tokio::time::sleep(SOON).await;
        assert!(!waits.is_finished());
        drop(held);
        let room = waits.await.expect("no panic").expect("room");
        assert_eq!(budget.used(), 4 << 10);
        drop(room);
        assert_eq!(budget.used(), 0);
    }

    #[tokio::test]
    async fn more_than_there_is_is_refused_at_once() {
        let budget = Budget::new("test", 10 << 10);
        let asked = tokio::time::timeout(SOON, budget.take(11 << 10, Duration::from_secs(60))).await;
        assert_eq!(asked.expect("at once").expect_err("too much"), Full);
    }

    #[tokio::test]
    async fn a_result_takes_room_as_it_grows_and_tells_what_it_lacks() {
        let budget = Budget::new("test", 256 << 10);
        let meter = Meter::of(budget.try_take(1 << 10).expect("room"));
        assert!(meter.add(1 << 10) && meter.add(100 << 10));
        let room = meter.end().expect("it fits").expect("room");
        assert_eq!(room.bytes(), budget.used());
        assert!(room.bytes() >= 101 << 10, "{}", room.bytes());
        let second = Meter::of(budget.try_take(1 << 10).expect("room"));
        assert!(!second.add(300 << 10) && !second.add(1));
        assert_eq!(second.end().expect_err("it does not fit"), (300 << 10) + 1);
        drop((room, second));
        assert_eq!(budget.used(), 0);
    }

    #[test]
    fn a_value_takes_more_than_its_text() {
        let of = |value: Value| of_row(&[value]);
        assert!(of(json!(1)) >= size_of::<Value>());
        assert!(of(json!("x".repeat(1_000))) >= 1_000 + size_of::<Value>());
        assert!(of(json!([0, 0, 0])) >= 4 * size_of::<Value>());
        assert!(of(json!({"a": 1})) > of(json!([1])));
    }
}
