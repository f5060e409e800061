//! How well the words name what is meant.

use super::{Judge, SURE};
use crate::reading::atoms::{Atom, What};
use crate::world::{Thing, stems};

/// Words that say something in some questions, and are read as if they said nothing.
const HALF: &[&str] = &[
    "currently",
    "current",
    "existing",
    "available",
    "still",
    "yet",
    "once",
    "ever",
    "again",
    "away",
    "off",
    "out",
    "down",
    "up",
    "back",
    "far",
    "big",
    "high",
    "low",
    "large",
    "small",
    "other",
    "others",
    "own",
    "such",
    "following",
    "entire",
    "whole",
    "right now",
    "at all",
    "same time",
    "broken",
    "while",
    "during",
    "if",
];
/// Verbs that are read as if they said nothing, though a column may tell when or how it was done.
const VERBS: &[&str] = &[
    "take",
    "takes",
    "took",
    "taken",
    "taking",
    "use",
    "used",
    "using",
    "operate",
    "operated",
    "serve",
    "served",
    "serving",
    "collected",
    "incurred",
    "achieved",
    "logged",
    "placed",
    "brought",
    "bring in",
    "made",
    "makes",
    "make",
    "given",
    "gave",
    "gives",
    "come",
    "came",
    "coming",
    "come in",
    "came in",
    "run",
    "ran",
    "running",
    "go",
    "goes",
    "going",
    "went",
    "gone",
    "move",
    "moved",
    "handle",
    "handled",
    "travel",
    "travelled",
    "recorded",
    "build",
    "create",
    "need",
    "needed",
    "want",
    "wanted",
    "get",
    "got",
];

/// Whether a word that is read as if it said nothing may say something.
pub(super) fn may_say_something(word: &str) -> bool {
    HALF.contains(&word) || VERBS.contains(&word)
}

impl Judge<'_> {
    pub(super) fn words(&mut self) {
        let seen = self.seen;
        let named: Vec<f32> = seen.all().filter_map(quality).collect();
        let mean = if named.is_empty() { 1.0 } else { named.iter().sum::<f32>() / named.len() as f32 };
        self.found.add("weak names", 1.0 - mean);
        self.found.count("names not whole", named.iter().filter(|quality| **quality < SURE).count());
        self.found.count("typing errors", seen.corrected);
        let listed = |list: &[&str]| seen.fillers.iter().filter(|word| list.contains(&word.as_str())).count();
        self.found.count("half words", listed(HALF));
        self.found.count("idle verbs", listed(VERBS));
        self.found.add("cost", seen.cost.clamp(0.0, 4.0));
        let two = |atom: &&Atom| match atom.what {
            What::Thing(_) => !self.world.values.find(&atom.text).is_empty(),
            What::Value(_) => self.world.names.find(&stems(&atom.text)).first().is_some_and(|one| one.quality > 0.8),
            _ => false,
        };
        self.found.count("names that are values", seen.all().filter(two).count());
    }

    pub(super) fn is_number(&self, thing: Thing) -> bool {
        match thing {
            Thing::Declared(_) | Thing::Money(_) => true,
            Thing::Field(field) => self.world.fields[field].kind.is_measure(),
            Thing::Table(_) | Thing::Term(..) => false,
        }
    }
}

/// How well a word names what is meant, if it names something.
fn quality(atom: &Atom) -> Option<f32> {
    matches!(atom.what, What::Thing(_) | What::Value(_)).then_some(atom.quality.min(1.0))
}
