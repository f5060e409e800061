//! How well the words name what is meant.

use super::Judge;
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
        let least = named.iter().copied().fold(1.0, f32::min);
        let mean = if named.is_empty() { 1.0 } else { named.iter().sum::<f32>() / named.len() as f32 };
        self.found.add("weakest name", 1.0 - least);
        self.found.add("weak names", 1.0 - mean);
        self.found.count("names by a part", named.iter().filter(|quality| **quality < 0.72).count());
        self.found.count("names not whole", named.iter().filter(|quality| **quality < 0.9).count());
        self.found.flag("no names", named.is_empty());
        self.found.count("names", named.len());
        self.found.flag("values in part", seen.all().any(|atom| matches!(atom.what, What::Value(_)) && atom.quality < 1.0));
        self.found.count("typing errors", seen.corrected);
        let listed = |list: &[&str]| seen.fillers.iter().filter(|word| list.contains(&word.as_str())).count();
        self.found.count("half words", listed(HALF));
        self.found.count("idle verbs", listed(VERBS));
        self.found.count("fillers", seen.fillers.len() / 2);
        let words = seen.atoms.iter().map(|atom| atom.text.split(' ').count()).sum::<usize>() + seen.fillers.len();
        self.found.add("length", (words as f32).min(20.0) / 10.0);
        self.found.add("score for each word", seen.score / (words.max(1) as f32));
        self.found.add("cost", seen.cost.clamp(-1.0, 4.0));
        self.rivals();
    }

    /// What else the words name about as well.
    fn rivals(&mut self) {
        let (mut nearest, mut several): (f32, usize) = (0.0, 0);
        let mut number: f32 = 0.0;
        for (atom, thing) in self.seen.things() {
            let found = self.world.names.find(&stems(&atom.text));
            let others = found.iter().filter(|one| one.thing != thing && self.differs(thing, one.thing));
            let best = others.map(|one| one.quality).fold(0.0, f32::max);
            let near = (best - atom.quality + 0.4).clamp(0.0, 0.5);
            nearest = nearest.max(near);
            several += usize::from(near > 0.3);
            if self.is_number(thing) {
                number = number.max(near);
            }
        }
        let two = |atom: &&Atom| match atom.what {
            What::Thing(_) => !self.world.values.find(&atom.text).is_empty(),
            What::Value(_) => self.world.names.find(&stems(&atom.text)).first().is_some_and(|one| one.quality > 0.8),
            _ => false,
        };
        let doubles = self.seen.all().filter(two).count();
        self.found.count("names that are values", doubles);
        self.found.add("nearest rival", nearest);
        self.found.count("rivals", several);
        self.found.add("rival of a number", number);
    }

    /// Whether two things are more than two sides of one: a table, its key and its name.
    fn differs(&self, one: Thing, other: Thing) -> bool {
        self.rows_of(one).is_none_or(|rows| self.rows_of(other) != Some(rows))
    }

    /// The table whose rows a thing stands for.
    fn rows_of(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Table(table) => Some(table),
            Thing::Field(field) => {
                let known = &self.world.fields[field];
                let table = &self.world.tables[known.table];
                let names = table.title.contains(&field) || table.key == Some(field);
                known.refers.or_else(|| names.then_some(known.table))
            }
            Thing::Declared(at) => {
                let known = &self.world.numbers[at];
                known.facts.first().copied().filter(|_| known.counts_rows())
            }
            Thing::Money(_) | Thing::Term(..) => None,
        }
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
