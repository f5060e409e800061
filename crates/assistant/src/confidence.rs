//! How sure the built-in analyst is that it read a question right.

/// How sure the built-in analyst is of a reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Confidence {
    /// The name of each piece of evidence with its size.
    pub evidence: Vec<(&'static str, f32)>,
    /// The probability that the reading is right, from 0 to 1.
    pub probability: f64,
}
