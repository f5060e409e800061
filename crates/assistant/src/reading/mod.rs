//! Reads a question: words → atoms → what is said → what it means over the tables that can answer it. Several readings are tried, and the
//! one that leaves the least unsaid counts. No word with a meaning is dropped in silence.

pub(crate) mod asking;
pub(crate) mod atoms;
mod compose;
mod draft;
mod evidence;
pub(crate) mod meaning;
mod places;
mod vocabulary;

pub(crate) use compose::{Context, compose, composed, less_is_better, worse};
pub(crate) use draft::{Draft, Said, SaidBound, SaidNum, SaidValues, Split};
use evidence::Seen;
pub(crate) use evidence::{Evidence, Named, evidence};
pub(crate) use meaning::{Condition, Group, Meaning, Num, Place};

/// A question, read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// What it says.
    pub draft: Draft,
    /// What that means. `None` if no rows answer it.
    pub meaning: Option<Meaning>,
    /// How well its words name what they mean.
    pub words: f32,
    /// The better it fits, the greater.
    pub score: f32,
}

/// What a word that nothing has as its name costs.
const UNKNOWN: f32 = 4.0;
/// What a cost of the composition counts beside the score of the words.
const WEIGHT: f32 = 2.0;

/// The readings of a question, best first.
pub(crate) fn readings(question: &str, context: Context<'_>) -> Vec<Reading> {
    let mut found: Vec<Reading> = Vec::new();
    for covering in atoms::coverings(question, context.world) {
        let mut draft = draft::draft(&covering.atoms, context.world);
        let (meaning, cost) = compose::compose(&draft, context).unzip();
        let (words, cost) = (covering.score, cost.unwrap_or_default());
        let score = words - UNKNOWN * draft.unknown.len() as f32 - WEIGHT * cost;
        draft.seen = Seen::of(covering, cost);
        found.push(Reading { words, draft, meaning, score });
    }
    found.sort_by(|a, b| {
        let whole = |one: &Reading| one.meaning.is_some();
        whole(b).cmp(&whole(a)).then(b.score.total_cmp(&a.score))
    });
    found
}
