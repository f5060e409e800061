//! The rows of a driver as they arrive, read into values: the first ones at once, those of a large result in batches on threads
//! of their own.

use super::Rows;
use crate::{limits::Limits, parsing::LARGE};
use serde_json::Value;
use std::{mem, sync::Arc};

/// What a row costs beside its values, in bytes.
const EACH: usize = 32;

/// The values of a row and about their bytes. `None`: the row is too large.
type Read = sqlx::Result<Option<(Vec<Value>, usize)>>;

/// The rows of one result.
pub(super) struct Batch<R> {
    read: Arc<dyn Fn(R) -> Read + Send + Sync>,
    rows: Rows,
    limits: Limits,
    /// The bytes that were read where they arrived.
    seen: usize,
    waiting: Vec<R>,
    waiting_bytes: usize,
}

impl<R: Send + 'static> Batch<R> {
    /// Rows that are read like this.
    pub(super) fn new(limits: &Limits, read: impl Fn(R) -> Read + Send + Sync + 'static) -> Self {
        let (read, rows, limits) = (Arc::new(read), Rows::new(limits), limits.clone());
        Self { read, rows, limits, seen: 0, waiting: Vec::new(), waiting_bytes: 0 }
    }

    /// Adds a row of about this many bytes. Returns `false` if a limit is reached.
    pub(super) async fn take(&mut self, row: R, bytes: usize) -> sqlx::Result<bool> {
        let bytes = bytes.saturating_add(EACH);
        if self.seen.saturating_add(bytes) < LARGE {
            self.seen += bytes;
            return (self.read)(row).map(|read| add(&mut self.rows, read));
        }
        // From here on all wait for a batch, in their order.
        self.seen = LARGE;
        self.waiting.push(row);
        self.waiting_bytes += bytes;
        if self.waiting_bytes < LARGE {
            return Ok(true);
        }
        self.read_waiting().await
    }

    /// All rows, once the last one was added.
    pub(super) async fn end(mut self) -> sqlx::Result<Rows> {
        self.read_waiting().await?;
        Ok(self.rows)
    }

    async fn read_waiting(&mut self) -> sqlx::Result<bool> {
        let (read, waiting, bytes) = (Arc::clone(&self.read), mem::take(&mut self.waiting), mem::take(&mut self.waiting_bytes));
        let mut rows = mem::replace(&mut self.rows, Rows::new(&self.limits));
        let work = move || {
            for row in waiting {
                match read(row).map(|read| add(&mut rows, read)) {
                    Ok(true) => {}
                    cut => return (rows, cut),
                }
            }
            (rows, Ok(true))
        };
        let (rows, goes_on) = self.limits.parsers.read(bytes, work).await;
        self.rows = rows;
        goes_on
    }
}

/// Adds a row that was read. Returns `false` if a limit is reached.
fn add(rows: &mut Rows, read: Option<(Vec<Value>, usize)>) -> bool {
    let Some((values, bytes)) = read else {
        rows.truncated = true;
        return false;
    };
    rows.take(values, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::{sync::Mutex, thread};

    #[tokio::test]
    async fn rows_beyond_a_size_are_read_elsewhere_and_stay_in_order() {
        let (here, elsewhere) = (thread::current().id(), Arc::new(Mutex::new(Vec::new())));
        let seen = Arc::clone(&elsewhere);
        let mut batch = Batch::new(&Limits::default(), move |row: usize| {
            seen.lock().expect("a lock").push(thread::current().id() != here);
            Ok(Some((vec![json!(row)], 1_000)))
        });
        for row in 0..1_000 {
            assert!(batch.take(row, 1_000).await.expect("a row"));
        }
        let rows = batch.end().await.expect("rows").rows;
        assert!(rows.iter().enumerate().all(|(number, row)| row == &[json!(number)]), "{rows:?}");
        let elsewhere = elsewhere.lock().expect("a lock").clone();
        assert_eq!((elsewhere.len(), elsewhere[..200].contains(&true)), (1_000, false));
        // What is left at the end is small again.
        assert!(elsewhere.iter().filter(|elsewhere| **elsewhere).count() > 500, "{elsewhere:?}");
    }

    #[tokio::test]
    async fn limits_and_problems_of_a_batch_are_the_results() {
        let limits = Limits { rows: 600, ..Limits::default() };
        let mut batch = Batch::new(&limits, |row: usize| Ok(Some((vec![json!(row)], 10))));
        let mut taken = 0;
        while batch.take(taken, 1_000).await.expect("a row") {
            taken += 1;
        }
        assert!((600..1_000).contains(&taken), "{taken}");
        let rows = batch.end().await.expect("rows");
        assert_eq!((rows.rows.len(), rows.truncated), (600, true));
        let mut batch = Batch::new(&limits, |_: usize| Err(sqlx::Error::RowNotFound));
        assert!(batch.take(0, LARGE).await.is_err());
        let mut batch = Batch::new(&limits, |_: usize| Ok(None));
        assert!(!batch.take(0, LARGE).await.expect("told"));
        assert!(batch.end().await.expect("rows").truncated);
    }
}
