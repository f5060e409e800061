//! The names of tables, fields and numbers, and how well a phrase matches them.

use super::{Thing, thesaurus};
use crate::language::{
    tokens::tokens,
    words::{is_slip, stem},
};
use std::collections::{HashMap, HashSet};

/// A thing with how well a phrase names it, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Match {
    pub thing: Thing,
    pub quality: f32,
}

/// The names of all things.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    exact: HashMap<String, Vec<Match>>,
    alike: HashMap<String, Vec<Match>>,
    words: HashSet<String>,
}

/// What a match by words that mean the same counts, beside one by the words themselves.
const ALIKE: f32 = 0.85;
/// The longest name that is found by its parts.
const LONGEST: usize = 5;
/// Words that make no name by themselves.
const GRAMMAR: &[&str] = &[
    "from", "to", "by", "in", "at", "on", "of", "per", "and", "or", "not", "is", "as", "the", "a", "with", "for", "all", "no",
    "total", "number", "id", "key", "code", "nr", "num", "avg", "average", "value", "type", "first", "last", "max", "min",
    "count",
];

/// The words of a name in the singular.
pub(crate) fn stems(name: &str) -> Vec<String> {
    tokens(name).iter().map(|token| stem(&token.text)).filter(|word| word != ",").collect()
}

impl Names {
    /// Adds a name of a thing: whole, and less surely by each of its parts.
    pub(crate) fn add(&mut self, name: &str, thing: Thing, quality: f32) {
        let words = stems(name);
        self.add_words(&words, thing, quality);
    }

    fn add_words(&mut self, words: &[String], thing: Thing, quality: f32) {
        let total = words.len();
        if words.is_empty() || (total == 1 && GRAMMAR[..19].contains(&words[0].as_str())) {
            return;
        }
        self.words.extend(words.iter().cloned());
        self.insert(words, thing, quality);
        // "waiting" says as much as "waiting time".
        if let [before @ .., last] = words
            && !before.is_empty()
            && last == "time"
        {
            self.insert(before, thing, quality * 0.85);
        }
        if total > LONGEST {
            return;
        }
        // The head of "cost of supplies" is the cost.
        let of = words.iter().position(|word| word == "of").filter(|at| *at > 0);
        let head_at = of.map_or(total - 1, |of| of - 1);
        for length in 1..total {
            for start in 0..=total - length {
                let part = &words[start..start + length];
                if length == 1 && GRAMMAR.contains(&part[0].as_str()) {
                    continue;
                }
                let has_head = (start..start + length).contains(&head_at);
                let head = match (has_head, of) {
                    (true, _) => 0.12,
                    (false, None) => 0.0,
                    (false, Some(_)) => -0.2,
                };
                let share = length as f32 / total as f32;
                self.insert(part, thing, quality * (0.38 + 0.35 * share + head));
            }
        }
    }

    fn insert(&mut self, words: &[String], thing: Thing, quality: f32) {
        let put = |list: &mut Vec<Match>, quality: f32| match list.iter_mut().find(|known| known.thing == thing) {
            Some(known) => known.quality = known.quality.max(quality),
            None => list.push(Match { thing, quality }),
        };
        put(self.exact.entry(words.join(" ")).or_default(), quality);
        let alike: Vec<String> = words.iter().map(|word| thesaurus::concept(word)).collect();
        put(self.alike.entry(alike.join(" ")).or_default(), quality * ALIKE);
    }

    /// The things that a phrase names, each word in the singular.
    pub fn find(&self, stems: &[String]) -> Vec<Match> {
        let mut found: Vec<Match> = self.exact.get(&stems.join(" ")).cloned().unwrap_or_default();
        let alike: Vec<String> = stems.iter().map(|word| thesaurus::concept(word)).collect();
        for one in self.alike.get(&alike.join(" ")).into_iter().flatten() {
            match found.iter_mut().find(|known| known.thing == one.thing) {
                Some(known) => known.quality = known.quality.max(one.quality),
                None => found.push(*one),
            }
        }
        found.sort_by(|a, b| b.quality.total_cmp(&a.quality));
        found
    }

    /// Whether some name has the word, or one that means the same.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(word) || thesaurus::knows(word) || self.alike.contains_key(&thesaurus::concept(word))
    }

    /// The word of a name that a typo probably means.
    pub fn meant(&self, word: &str) -> Option<&str> {
        let near = |known: &&String| known.chars().count() > 3 && (is_slip(word, known) || is_slip(&stem(word), known));
        self.words.iter().filter(near).min().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_name_counts_most_then_its_head() {
        let mut names = Names::default();
        names.add("unit price", Thing::Field(1), 1.0);
        names.add("customers", Thing::Table(0), 1.0);
        let quality = |phrase: &str| names.find(&stems(phrase)).first().map_or(0.0, |found| found.quality);
        assert!(quality("unit price") > quality("price") && quality("price") > quality("unit"));
        assert!(quality("customer") > quality("clients") && quality("clients") > 0.8);
        assert_eq!(quality("zebra"), 0.0);
        assert_eq!(names.meant("custmer"), Some("customer"));
    }
}
