//! What a node's pools, queues and caches hold, for `/metrics`. Each is looked at when Prometheus asks.

use crate::{
    concepts::language_models::Answerer,
    flows::viewing::pictures::Pictures,
    ground::{config::Settings, state::App},
};
use metrics::gauge;
use rustix::process::{Resource, getrlimit};
use std::fs;
use tokio::runtime::Handle;

/// Sets every gauge whose value is at hand.
pub fn look(app: &App) {
    gauge!("inlay_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    process();
    limits(&app.settings);
    gauge!("inlay_configuration_age_seconds").set(app.age().as_secs_f64());
    app.db.measure();
    app.engine.measure();
    app.renderer.measure();
    app.part::<Pictures>().measure();
    app.part::<Answerer>().measure();
}

/// The limits of the settings that alerts compare with.
fn limits(settings: &Settings) {
    #[expect(clippy::cast_precision_loss, reason = "a measure")]
    gauge!("inlay_connections_limit").set(settings.limits.max_connections as f64);
}

/// The process and its runtime, as the operating system tells them.
fn process() {
    if let Some(pages) = fs::read_to_string("/proc/self/statm").ok().as_deref().and_then(resident) {
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        gauge!("inlay_process_resident_memory_bytes").set(pages as f64 * rustix::param::page_size() as f64);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        gauge!("inlay_process_open_fds").set(open.count() as f64);
    }
    if let Some(most) = getrlimit(Resource::Nofile).current {
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        gauge!("inlay_process_max_fds").set(most as f64);
    }
    if let Ok(runtime) = Handle::try_current() {
        let measured = runtime.metrics();
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        gauge!("inlay_runtime_tasks").set(measured.num_alive_tasks() as f64);
        #[expect(clippy::cast_precision_loss, reason = "a measure")]
        gauge!("inlay_runtime_queue").set(measured.global_queue_depth() as f64);
    }
}

/// The pages in memory, the second number of `/proc/self/statm`.
fn resident(statm: &str) -> Option<u64> {
    statm.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::on_both_stores;
    use metrics_exporter_prometheus::PrometheusBuilder;

    #[test]
    fn resident_pages_are_read() {
        assert_eq!(resident("12345 678 90 1 0 2 0\n"), Some(678));
        assert_eq!(resident(""), None);
    }

    on_both_stores! {
        /// Each pool, queue, budget and cache has a measure, before anything has happened.
        async fn every_pool_queue_and_cache_is_measured(world) {
            let recorder = PrometheusBuilder::new().build_recorder();
            let handle = recorder.handle();
            let _guard = metrics::set_default_local_recorder(Box::leak(Box::new(recorder)));
            let token = world.token(crate::testing::ACME).await;
            for _ in 0..2 {
                world.post(&world.chart_path("Orders"), &token, &serde_json::json!({})).await.data();
            }
            look(&world.app);
            let text = handle.render();
            for name in [
                "inlay_build_info", "inlay_process_resident_memory_bytes", "inlay_process_open_fds", "inlay_process_max_fds",
                "inlay_runtime_tasks", "inlay_connections_limit", "inlay_configuration_age_seconds",
                "inlay_store_connections{", "inlay_store_connections_limit", "inlay_store_wait_seconds", "inlay_store_waiting",
                "inlay_source_connections{", "inlay_source_queries{", "inlay_cache_entries{cache=\"answers\"}",
                "inlay_cache_bytes{cache=\"answers\"}", "inlay_cache_hits_total{cache=\"answers\"} 1",
                "inlay_cache_misses_total{cache=\"answers\"} 1", "inlay_drawings_waiting", "inlay_drawing_engines", "inlay_cache_bytes{cache=\"pictures\"}",
                "inlay_cache_bytes{cache=\"drawn results\"}", "inlay_cache_bytes{cache=\"surveys\"}",
            ] {
                assert!(text.contains(name), "{name} is missing: {text}");
            }
        }
    }
}
