//! A result that is shared by all who requested it.

use crate::memory::{Room, of_row, text_of_row};
use chrono::{DateTime, SecondsFormat, Utc};
use inlay_contract::data::{ChartData, Column};
use serde::Serialize;
use serde_json::Value;
use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::SystemTime,
};

/// A shared result. Cheap to clone: all who requested it read the same rows.
#[derive(Clone, Debug)]
pub struct Answered {
    shared: Arc<Shared>,
    /// How long the query took, in milliseconds. `None`: the result was remembered.
    took: Option<u64>,
    /// When the rows were read, if the source does not answer now.
    as_of: Option<SystemTime>,
    /// The room of the rows. A remembered result has none: the cache has a size of its own.
    _room: Option<Arc<Room>>,
}

#[derive(Debug)]
struct Shared {
    /// No other result of this process has it.
    number: u64,
    table: ChartData,
    /// The begin of its JSON, serialized once.
    json: OnceLock<Arc<[u8]>>,
}

/// The part of a result's JSON that is the same for all who get it. The names are those of [`ChartData`].
#[derive(Serialize)]
struct Begin<'a> {
    columns: &'a [Column],
    rows: &'a [Vec<Value>],
    truncated: bool,
}

impl Answered {
    /// A result from the source.
    #[must_use]
    pub fn new(table: ChartData) -> Self {
        let took = (!table.cached).then_some(table.duration_ms);
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { shared: Arc::new(Shared { number, table, json: OnceLock::new() }), took, as_of: None, _room: None }
    }

    /// The same with the room that its rows take.
    pub(crate) fn with_room(self, room: Option<Room>) -> Self {
        Self { _room: room.map(Arc::new), ..self }
    }

    /// The same for those who did not start its query.
    pub(crate) fn joined(&self) -> Self {
        Self { took: None, ..self.clone() }
    }

    /// The same for the cache.
    pub(crate) fn remembered(&self) -> Self {
        Self { took: None, as_of: None, _room: None, shared: Arc::clone(&self.shared) }
    }

    /// The same in place of a result that the source does not give: it was read then.
    pub(crate) fn read_at(self, as_of: SystemTime) -> Self {
        Self { as_of: Some(as_of), ..self }
    }

    /// When the rows were read, as RFC 3339, if they take the place of a result that the source does not give.
    #[must_use]
    pub fn as_of(&self) -> Option<String> {
        self.as_of.map(|at| DateTime::<Utc>::from(at).to_rfc3339_opts(SecondsFormat::Millis, true))
    }

    /// Columns and rows. Whether they were cached tells [`Self::cached`].
    #[must_use]
    pub fn table(&self) -> &ChartData {
        &self.shared.table
    }

    /// The number of the result in this process: what is made of a result is remembered by it. All who share a result have the same.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.shared.number
    }

    /// Whether the result came from the cache.
    #[must_use]
    pub const fn cached(&self) -> bool {
        self.took.is_none()
    }

    /// How long the query took, in milliseconds. 0 if cached.
    #[must_use]
    pub fn duration_ms(&self) -> u64 {
        self.took.unwrap_or_default()
    }

    /// An owned copy of the rows.
    #[must_use]
    pub fn into_data(self) -> ChartData {
        let (cached, duration_ms, as_of) = (self.cached(), self.duration_ms(), self.as_of());
        let table = Arc::try_unwrap(self.shared).map_or_else(|shared| shared.table.clone(), |own| own.table);
        ChartData { cached, duration_ms, as_of, ..table }
    }

    /// An owned copy of the first rows.
    #[must_use]
    pub fn first(&self, most: usize) -> ChartData {
        let table = self.table();
        ChartData {
            columns: table.columns.clone(),
            rows: table.rows.iter().take(most).cloned().collect(),
            truncated: table.truncated || table.rows.len() > most,
            cached: self.cached(),
            duration_ms: self.duration_ms(),
            as_of: self.as_of(),
        }
    }

    /// The memory that the rows take, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.table().rows.iter().map(|row| of_row(row)).sum()
    }

    /// About the bytes of the rows as text. The text itself is not made.
    #[must_use]
    pub fn text_size(&self) -> usize {
        self.table().rows.iter().map(|row| text_of_row(row)).sum()
    }

    /// The JSON in two parts: a long one, which all who get the result share, and the end.
    #[must_use]
    pub fn json(&self) -> (Arc<[u8]>, String) {
        let begin = self.shared.json.get_or_init(|| {
            let ChartData { columns, rows, truncated, .. } = self.table();
            let mut json = serde_json::to_vec(&Begin { columns, rows, truncated: *truncated }).unwrap_or_default();
            json.pop();
            json.into()
        });
        let as_of = self.as_of().map(|at| format!(",\"asOf\":\"{at}\"")).unwrap_or_default();
        (Arc::clone(begin), format!(",\"cached\":{},\"durationMs\":{}{as_of}}}", self.cached(), self.duration_ms()))
    }
}

impl PartialEq for Answered {
    fn eq(&self, other: &Self) -> bool {
        let (one, two) = (self.table(), other.table());
        self.took == other.took
            && self.as_of == other.as_of
            && one.columns == two.columns
            && one.rows == two.rows
            && one.truncated == two.truncated
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Budget;
    use inlay_contract::data::ColumnType;
    use serde_json::json;

    fn table() -> ChartData {
        let columns = vec![Column { name: "a \"quoted\" é".to_owned(), kind: ColumnType::Json }];
        let rows = vec![vec![json!({ "b": [1, 2.5, null, "x\n"] })], vec![json!(2)]];
        ChartData { columns, rows, truncated: true, cached: false, duration_ms: 7, as_of: None }
    }

    fn json(answer: &Answered) -> String {
        let (begin, end) = answer.json();
        String::from_utf8([&*begin, end.as_bytes()].concat()).expect("text")
    }

    #[test]
    fn its_json_is_that_of_its_rows_each_time() {
        let fresh = Answered::new(table());
        let kept = fresh.remembered();
        for _ in 0..2 {
            assert_eq!(json(&fresh), serde_json::to_string(&table()).expect("JSON"));
            let cached = ChartData { cached: true, duration_ms: 0, ..table() };
            assert_eq!(json(&kept), serde_json::to_string(&cached).expect("JSON"));
        }
        let old = kept.clone().read_at(SystemTime::UNIX_EPOCH);
        let told = ChartData { cached: true, duration_ms: 0, as_of: Some("1970-01-01T00:00:00.000Z".to_owned()), ..table() };
        assert_eq!(json(&old), serde_json::to_string(&told).expect("JSON"));
        assert_eq!((old.first(9), old.clone().into_data()), (ChartData { truncated: true, ..told.clone() }, told));
        assert!(Arc::ptr_eq(&fresh.json().0, &kept.json().0), "one text for all");
        assert_eq!(fresh.number(), kept.number());
        assert_ne!(fresh.number(), Answered::new(table()).number(), "equal rows are another result all the same");
        assert_eq!((fresh.clone().into_data(), fresh.into_data()), (table(), table()));
        assert_eq!(kept.first(1).rows, table().rows[..1]);
    }

    #[test]
    fn its_room_is_free_when_the_last_who_asked_has_it_and_the_cache_takes_none() {
        let budget = Budget::new("test", 10 << 10);
        let first = Answered::new(table()).with_room(budget.try_take(5 << 10).ok());
        let (joined, kept) = (first.joined(), first.remembered());
        assert_eq!((first.cached(), joined.cached(), kept.cached()), (false, true, true));
        drop(first);
        assert_eq!(budget.used(), 5 << 10);
        drop(joined);
        assert_eq!((budget.used(), kept.table().rows.len()), (0, 2));
    }
}
