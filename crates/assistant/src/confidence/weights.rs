//! Learned weights.
pub(super) const SURE: f64 = 0.0;
pub(super) const BASE: f64 = 1.0;
pub(super) const WEIGHTS: &[(&str, f64)] = &[];
