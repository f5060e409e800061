//! Measures of the connections to sources and of the caches. Sources are told apart by their kind: there may be thousands of them.

use super::{Engine, Landed};
use crate::{error::QueryError, source::SourceKind};
use metrics::gauge;
use std::{collections::BTreeMap, future::Future};
use tracing::{Instrument, field::Empty};

/// A query that waits or runs, until this is dropped.
pub(super) struct UnderWay(&'static str);

impl UnderWay {
    pub(super) fn begin(kind: SourceKind) -> Self {
        gauge!("inlay_source_queries", "kind" => kind.name()).increment(1.0);
        Self(kind.name())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        gauge!("inlay_source_queries", "kind" => self.0).decrement(1.0);
    }
}

/// Does a run within a span of the caller who started it. It tells the kind of source, the rows, and the kind of error: no SQL, no values.
pub(super) fn traced(
    kind: SourceKind,
    run: impl Future<Output = Result<Landed, QueryError>>,
) -> impl Future<Output = Result<Landed, QueryError>> {
    let span = tracing::trace_span!(
        target: "inlay_trace",
        "source query",
        db.system.name = kind.name(),
        db.response.returned_rows = Empty,
        error.type = Empty,
    );
    let outcome = span.clone();
    async move {
        let landed = run.await;
        match &landed {
            Ok(landed) => {
                let rows = u64::try_from(landed.first.table().rows.len()).unwrap_or(u64::MAX);
                outcome.record("db.response.returned_rows", rows);
            }
            Err(problem) => {
                outcome.record("error.type", problem.code().as_str());
            }
        }
        landed
    }
    .instrument(span)
}

/// A source did not answer, and an older result was looked for in its place.
pub(super) fn stale(kind: SourceKind, found: bool) {
    let found = if found { "yes" } else { "no" };
    metrics::counter!("inlay_stale_answers_total", "kind" => kind.name(), "found" => found).increment(1);
}

/// A cache was asked.
pub(super) fn asked(cache: &'static str, found: bool) {
    if found {
        metrics::counter!("inlay_cache_hits_total", "cache" => cache).increment(1);
    } else {
        metrics::counter!("inlay_cache_misses_total", "cache" => cache).increment(1);
    }
}

impl Engine {
    /// Sets the gauges of the connections to sources, added up by kind, and of the caches.
    #[expect(clippy::cast_precision_loss, reason = "measures")]
    pub fn measure(&self) {
        let mut pools: BTreeMap<&'static str, (u64, u64, u64)> = BTreeMap::new();
        for (kind, used, idle) in self.0.connections.counted() {
            let sum = pools.entry(kind.name()).or_default();
            *sum = (sum.0 + used, sum.1 + idle, sum.2 + 1);
        }
        for (kind, (used, idle, sources)) in pools {
            gauge!("inlay_source_connections", "kind" => kind, "state" => "used").set(used as f64);
            gauge!("inlay_source_connections", "kind" => kind, "state" => "idle").set(idle as f64);
            gauge!("inlay_sources", "kind" => kind).set(sources as f64);
        }
        let (entries, bytes) = self.0.answers.held();
        gauge!("inlay_cache_entries", "cache" => "answers").set(entries as f64);
        gauge!("inlay_cache_bytes", "cache" => "answers").set(bytes as f64);
        gauge!("inlay_cache_limit_bytes", "cache" => "answers").set(self.0.limits.cache_bytes as f64);
        gauge!("inlay_cache_entries", "cache" => "columns").set(self.0.columns.count() as f64);
        let (entries, bytes) = self.0.memo.held();
        gauge!("inlay_cache_entries", "cache" => "prepared queries").set(entries as f64);
        gauge!("inlay_cache_bytes", "cache" => "prepared queries").set(bytes as f64);
    }
}
