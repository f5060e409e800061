//! Measures of the queue of drawings and of the cache of pictures.

use crate::error::RenderError;
use metrics::{counter, gauge};

/// A drawing that waits or is drawn, until this is dropped.
pub(crate) struct Waiting;

impl Waiting {
    pub(crate) fn begin() -> Self {
        gauge!("inlay_drawings_waiting").increment(1.0);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        gauge!("inlay_drawings_waiting").decrement(1.0);
    }
}

/// A chart was refused.
pub(crate) fn refused(why: &RenderError) {
    if *why == RenderError::Busy {
        counter!("inlay_drawings_refused_total").increment(1);
    }
}

/// The cache was asked.
pub(crate) fn asked(found: bool) {
    if found {
        counter!("inlay_cache_hits_total", "cache" => "pictures").increment(1);
    } else {
        counter!("inlay_cache_misses_total", "cache" => "pictures").increment(1);
    }
}

/// Sets the gauges.
#[expect(clippy::cast_precision_loss, reason = "measures")]
pub(crate) fn tell(entries: u64, bytes: u64, engines: usize) {
    gauge!("inlay_drawing_engines").set(engines as f64);
    gauge!("inlay_cache_entries", "cache" => "pictures").set(entries as f64);
    gauge!("inlay_cache_bytes", "cache" => "pictures").set(bytes as f64);
    // Told before the first drawing, too.
    gauge!("inlay_drawings_waiting").increment(0.0);
}
