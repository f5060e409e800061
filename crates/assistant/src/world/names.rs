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

/// The least quality of a whole name.
const WHOLE: f32 = 0.95;
/// What is meant beside a whole name has at least this quality.
const SURE: f32 = 0.75;
/// Words behind the head of a name.
const VERBS: &[&str] = &[
    "sold",
    "ordered",
    "shipped",
    "paid",
    "used",
    "made",
    "billed",
    "booked",
    "returned",
    "bought",
    "cancelled",
    "canceled",
    "closed",
    "opened",
    "seen",
    "treated",
    "spent",
    "earned",
    "delivered",
    "played",
    "attended",
    "resolved",
    "won",
    "lost",
];
/// What stands behind one of these is not the head.
const LINKS: &[&str] =
    &["of", "per", "to", "for", "in", "from", "with", "without", "at", "on", "by", "until", "before", "after"];
/// What a number is like is said of whole names alone: "share of tickets" is no part of "share of tickets with a survey".
const FORMS: &[&str] = &["share", "percentage", "percent", "average", "count", "per", "most"];

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
        // The head of "cost of supplies" is the cost, that of "items sold" the items.
        let of = words.iter().position(|word| LINKS.contains(&word.as_str())).filter(|at| *at > 0);
        let is_verb = total > 1 && VERBS.contains(&words[total - 1].as_str());
        let head_at = of.map_or(total - 1 - usize::from(is_verb), |of| of - 1);
        for length in 1..total {
            for start in 0..=total - length {
                let part = &words[start..start + length];
                // "tenants with" is no part of "tenants with pets": what it leaves out is what tells.
                let ends = LINKS.contains(&part[0].as_str()) || LINKS.contains(&part[length - 1].as_str());
                if length == 1 && GRAMMAR.contains(&part[0].as_str())
                    || ends
                    || part.iter().any(|word| FORMS.contains(&word.as_str()))
                {
                    continue;
                }
                let has_head = (start..start + length).contains(&head_at);
                let head = match (has_head, of) {
                    (true, _) => 0.12,
                    (false, None) => 0.0,
                    // A place or a kind of the number, which only says which of several it is.
                    (false, Some(link)) if start > link && words[link] != "per" => -0.1,
                    (false, Some(_)) => -0.2,
                };
                let share = length as f32 / total as f32;
                self.insert_part(part, thing, quality * (0.38 + 0.35 * share + head), has_head);
            }
        }
    }

    fn insert(&mut self, words: &[String], thing: Thing, quality: f32) {
        self.insert_part(words, thing, quality, true);
    }

    /// Words that mean about the same stand for a part only if it has the head: "spent" is no "items sold".
    fn insert_part(&mut self, words: &[String], thing: Thing, quality: f32, has_head: bool) {
        let put = |list: &mut Vec<Match>, quality: f32| match list.iter_mut().find(|known| known.thing == thing) {
            Some(known) => known.quality = known.quality.max(quality),
            None => list.push(Match { thing, quality }),
        };
        put(self.exact.entry(words.join(" ")).or_default(), quality);
        if !has_head {
            return;
        }
        let alike: Vec<String> = words.iter().map(|word| thesaurus::concept(word)).collect();
        put(self.alike.entry(alike.join(" ")).or_default(), quality * ALIKE);
    }

    /// The things that a phrase names, each word in the singular.
    pub fn find(&self, stems: &[String]) -> Vec<Match> {
        let mut found: Vec<Match> = self.exact.get(&stems.join(" ")).cloned().unwrap_or_default();
        // Where something is called exactly so, nothing is meant that is only alike.
        if found.iter().any(|one| one.quality >= WHOLE) {
            found.retain(|one| one.quality >= SURE);
            found.sort_by(|a, b| b.quality.total_cmp(&a.quality));
            return found;
        }
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

    /// The word of a name that a short form means: "appts" for appointments, "cust" for customers. `None` if it is not the only one.
    pub fn short_for(&self, short: &str) -> Option<&str> {
        let is_plain = |word: &&String| word.chars().count() > 5 && word.chars().all(|letter| letter.is_ascii_alphabetic());
        let mut long = self.words.iter().filter(is_plain).filter(|word| is_short(short, word));
        let first = long.next()?;
        long.all(|other| stem(other) == stem(first)).then_some(first)
    }

    /// The word of a name that a typo probably means.
    pub fn meant(&self, word: &str) -> Option<&str> {
        let near = |known: &&String| known.chars().count() > 3 && (is_slip(word, known) || is_slip(&stem(word), known));
        self.words.iter().filter(near).min().map(String::as_str)
    }
}

/// Whether a word is a short form of a longer one: its beginning, or its letters with some left out between the first and the last.
fn is_short(short: &str, long: &str) -> bool {
    let (letters, whole) = (short.chars().count(), long.chars().count());
    if !(2..=6).contains(&letters) || whole < letters + 3 || short.chars().next() != long.chars().next() {
        return false;
    }
    if letters >= 4 && long.starts_with(short) {
        return true;
    }
    let has_vowel = short.chars().skip(1).any(|letter| "aeiou".contains(letter));
    let mut rest = long.chars();
    let within = short.chars().all(|letter| rest.by_ref().any(|other| other == letter));
    // "dept" is the beginning with a letter left out.
    let begins = letters >= 4 && long.chars().take(3).eq(short.chars().take(3));
    within && (begins || !has_vowel && short.chars().last() == long.chars().last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_beginnings_or_leave_letters_out() {
        let mut names = Names::default();
        ["appointments", "patients", "customers", "departments"].iter().for_each(|name| names.add(name, Thing::Table(0), 1.0));
        for (short, long) in [("appt", "appointment"), ("pt", "patient"), ("cust", "customer"), ("dept", "department")] {
            assert_eq!(names.short_for(short), Some(long), "{short}");
        }
        for other in ["pat", "cat", "app", "mt", "xx"] {
            assert_eq!(names.short_for(other), None, "{other}");
        }
    }

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
