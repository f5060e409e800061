//! What speaks against a reading, beside its score: words that name badly what is meant, choices that were made without a word for them, words
//! that have nothing to show in the answer, and rows that look odd. `confidence` makes the probability of it that the reading is right.

mod choices;
mod forms;
mod lost;
mod names;
mod rows;
mod used;
mod words;

use super::{
    atoms::{Atom, Covering, What},
    draft::Draft,
    meaning::Meaning,
};
use crate::world::{FieldId, Thing, World};
use serde_json::Value;
use used::Used;

/// A word that names something at least so well leaves no doubt.
const SURE: f32 = 0.9;

/// The words that a draft was read from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    pub atoms: Vec<Atom>,
    /// Those of the questions before, on which this one builds.
    pub before: Vec<Atom>,
    pub fillers: Vec<String>,
    pub corrected: usize,
    /// What the composition cost.
    cost: f32,
}

impl Seen {
    /// The words of a covering, and what its composition cost.
    pub fn of(covering: Covering, cost: f32) -> Self {
        let Covering { atoms, fillers, corrected, .. } = covering;
        Self { atoms, before: Vec::new(), fillers, corrected, cost }
    }

    /// The same words as those of a question that builds on another.
    pub fn after(&self, previous: &Self) -> Self {
        let before = previous.before.iter().chain(&previous.atoms).cloned().collect();
        Self { before, corrected: self.corrected + previous.corrected, ..self.clone() }
    }

    /// Whether these words build on those of an earlier question.
    pub fn builds_on(&self, earlier: &Self) -> bool {
        let all: Vec<&Atom> = earlier.all().collect();
        all.len() <= self.before.len() && all.into_iter().zip(&self.before).all(|(one, other)| one == other)
    }

    /// All words, those of earlier questions first.
    fn all(&self) -> impl Iterator<Item = &Atom> {
        self.before.iter().chain(&self.atoms)
    }

    /// The word that names least well what it was taken for.
    pub fn weakest(&self) -> Option<(&str, Named<'_>)> {
        let named = self.all().filter(|atom| atom.quality < SURE).filter_map(|atom| {
            let named = match &atom.what {
                What::Thing(thing) => Named::Thing(*thing),
                What::Value(found) => found.first().map(|found| Named::Value(&found.value, found.field))?,
                _ => return None,
            };
            Some((atom, named))
        });
        named.min_by(|a, b| a.0.quality.total_cmp(&b.0.quality)).map(|(atom, named)| (atom.text.as_str(), named))
    }

    /// The words that may say something, and were read as if they said nothing.
    pub fn idle(&self) -> impl Iterator<Item = &str> {
        self.fillers.iter().map(String::as_str).filter(|word| words::may_say_something(word))
    }

    /// The things that are named.
    fn things(&self) -> impl Iterator<Item = (&Atom, Thing)> {
        self.all().filter_map(|atom| if let What::Thing(thing) = atom.what { Some((atom, thing)) } else { None })
    }
}

/// What a word names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Named<'a> {
    Thing(Thing),
    /// A value, with a field that holds it.
    Value(&'a Value, FieldId),
}

/// What speaks against a reading: the name of each piece of evidence with its size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Evidence(pub Vec<(&'static str, f32)>);

impl Evidence {
    fn add(&mut self, name: &'static str, value: f32) {
        self.0.push((name, value));
    }

    fn flag(&mut self, name: &'static str, is_so: bool) {
        self.add(name, f32::from(u8::from(is_so)));
    }

    fn count(&mut self, name: &'static str, count: usize) {
        self.add(name, count.min(4) as f32);
    }
}

/// What a reading is judged from.
struct Judge<'a> {
    draft: &'a Draft,
    seen: &'a Seen,
    meaning: &'a Meaning,
    world: &'a World,
    used: Used,
    found: Evidence,
}

/// What speaks against a reading.
pub(crate) fn evidence(draft: &Draft, meaning: &Meaning, world: &World) -> Evidence {
    let used = Used::by(meaning, world);
    let mut judge = Judge { draft, seen: &draft.seen, meaning, world, used, found: Evidence::default() };
    judge.words();
    judge.choices();
    judge.forms();
    judge.lost();
    judge.number_names();
    judge.found
}
