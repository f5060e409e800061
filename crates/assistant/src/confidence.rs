//! How sure the built-in analyst is that it read a question right.
//!
//! The weights are learned from questions with known answers (`tests/blind/confidence.rs`). They say how much each piece of evidence
//! counts for a reading, or against it.

mod weights;

use crate::reading::Evidence;
use weights::{BASE, SURE, WEIGHTS};

/// How sure the built-in analyst is of a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Confidence {
    /// The name of each piece of evidence with its size.
    pub evidence: Vec<(&'static str, f32)>,
    /// The probability that the reading is right, from 0 to 1.
    pub probability: f64,
}

impl Confidence {
    /// How sure a reading is.
    pub(crate) fn of(evidence: Evidence) -> Self {
        let weight = |name: &str| WEIGHTS.iter().find(|(known, _)| *known == name).map_or(0.0, |(_, weight)| *weight);
        let sum: f64 = evidence.0.iter().map(|(name, size)| weight(name) * f64::from(*size)).sum();
        Self { evidence: evidence.0, probability: 1.0 / (1.0 + (-BASE - sum).exp()) }
    }

    /// Whether the answer is shown without asking back.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.probability >= SURE
    }
}
