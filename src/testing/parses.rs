//! How often SQL was parsed: a test runs on one thread, and so does all that it calls.

use metrics::LocalRecorderGuard;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

/// Counts while it lives.
pub(crate) struct Parses {
    measures: PrometheusHandle,
    _guard: LocalRecorderGuard<'static>,
}

impl Parses {
    /// Counts from now on.
    pub(crate) fn counted() -> Self {
        let recorder: &'static PrometheusRecorder = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        Self { measures: recorder.handle(), _guard: metrics::set_default_local_recorder(recorder) }
    }

    /// How often until now.
    pub(crate) fn count(&self) -> u64 {
        let text = self.measures.render();
        let counted = text.lines().find_map(|line| line.strip_prefix("inlay_sql_parses_total "));
        counted.map_or(0, |count| count.parse().expect("a number"))
    }
}
