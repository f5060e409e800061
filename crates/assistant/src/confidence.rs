//! How sure the built-in analyst is that it read a question right.
//!
//! The weights are learned from questions with known answers (`examples/learn`). They say how much each piece of evidence
//! counts against a reading. None counts for one: the words of a question and the kind of data would then decide, and a plain question about
//! data of another kind would be asked back.

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
        let sum: f64 = evidence.0.iter().map(counted).sum();
        Self { evidence: evidence.0, probability: 1.0 / (1.0 + (-BASE - sum).exp()) }
    }

    /// The evidence that counts most against the reading.
    pub(crate) fn strongest(&self) -> Option<&'static str> {
        let counted = self.evidence.iter().map(|one| (one.0, counted(one))).filter(|(_, count)| *count < 0.0);
        counted.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, _)| name)
    }

    /// Whether the answer is shown without asking back.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.is_sure_after(1.0)
    }

    /// Whether the answer is shown without asking back, where the reading builds on one that the viewer has seen and that was right with a
    /// probability of `before`. Nobody is asked twice about one name.
    pub(crate) fn is_sure_after(&self, before: f64) -> bool {
        self.probability >= SURE * before
    }
}

/// What a piece of evidence counts.
fn counted((name, size): &(&'static str, f32)) -> f64 {
    WEIGHTS.iter().find(|(known, _)| known == name).map_or(0.0, |(_, weight)| weight * f64::from(*size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        reading::{Context, evidence, readings},
        world::testing::shop,
    };
    use std::collections::BTreeSet;

    fn seen(question: &str) -> Evidence {
        let world = shop();
        let context = Context { world: &world, today: "2024-06-15".parse().expect("a day") };
        let reading = readings(question, context).into_iter().next().expect("a reading");
        let meaning = reading.meaning.expect("a meaning");
        let mut evidence = evidence(&reading.draft, &meaning, &world);
        evidence.of_rows(&meaning, &[vec![serde_json::json!("paid"), serde_json::json!(3)]], meaning.groups.len());
        evidence
    }

    #[test]
    fn each_weight_is_that_of_evidence() {
        let evidence = seen("orders by status");
        let names: BTreeSet<&str> = evidence.0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), evidence.0.len(), "each name once");
        for (name, _) in WEIGHTS {
            assert!(names.contains(name), "{name}");
        }
    }

    #[test]
    fn words_without_effect_and_choices_without_words_speak_against_a_reading() {
        let size = |question: &str, name: &str| {
            let found = seen(question).0.into_iter().find(|(known, _)| *known == name);
            found.unwrap_or_else(|| panic!("{name}")).1
        };
        assert_eq!(size("orders by status", "half words"), 0.0);
        assert_eq!(size("orders currently by status", "half words"), 1.0);
        assert_eq!(size("average order value by status", "mean that is not said"), 0.0);
        assert_eq!(size("revenue by status", "sum that is not said"), 1.0);
        assert_eq!(size("how many orders by status", "count that is not said"), 0.0);
        assert_eq!(size("orders by status", "count that is not said"), 1.0);
        assert_eq!(size("average quantity by status", "typing errors"), 0.0);
        assert_eq!(size("average quantitty by status", "typing errors"), 1.0);
    }
}
