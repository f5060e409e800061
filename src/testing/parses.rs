//! Counts how many SQL texts were parsed. A test and everything that it calls run on one thread.

use metrics::LocalRecorderGuard;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

/// A counter that runs until it is dropped.
pub(crate) struct Parses {
    measures: PrometheusHandle,
    _guard: LocalRecorderGuard<'static>,
}

impl Parses {
    /// Starts counting.
    pub(crate) fn counted() -> Self {
        let recorder: &'static PrometheusRecorder = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        Self { measures: recorder.handle(), _guard: metrics::set_default_local_recorder(recorder) }
    }

    /// The count so far.
    pub(crate) fn count(&self) -> u64 {
        let text = self.measures.render();
        let counted = text.lines().find_map(|line| line.strip_prefix("inlay_sql_parses_total "));
        counted.map_or(0, |count| count.parse().expect("a number"))
    }
}
