//! The words of a language with their English.
//!
//! A lexicon is a text of lines `left = right`. Left stand patterns of one or more words, separated by commas; right stands the English,
//! nothing for words that say nothing, or alternatives separated by `|`. The sections: `[words]`; `[things]`, nouns in the singular and
//! the plural; `[after]`, adjectives that English puts before the noun; `[before names]`, prepositions that mean something else before a
//! name; `[names]` of places.

use super::pieces::folded;
use crate::language::words::{is_slip, plural, stem};
use std::collections::HashMap;

/// The longest word that may be a compound or written wrongly, in letters.
const LONGEST_WORD: usize = 40;
/// The longest pattern, in words.
pub(super) const LONGEST: usize = 7;

/// What a pattern means in English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Alternatives, the most usual one first.
    pub english: Vec<String>,
    pub kind: Kind,
}

/// The section of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Thing,
    After,
    Name,
}

/// A language's patterns, each folded, with words separated by spaces.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    entries: HashMap<String, Entry>,
    before_names: HashMap<String, String>,
    /// Endings that a word may have beside its pattern, the longest first, each with what it becomes and whether it makes a plural.
    endings: &'static [(&'static str, &'static str, bool)],
    /// Whether nouns are written together.
    compounds: bool,
}

impl Lexicon {
    /// Reads a lexicon. Lines that cannot be read are left out; a test finds them.
    pub(super) fn read(text: &str, endings: &'static [(&'static str, &'static str, bool)], compounds: bool) -> Self {
        let mut lexicon = Self { endings, compounds, ..Self::default() };
        let mut section = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if line.starts_with('[') {
                section = line;
            } else if let Some((left, right)) = line.split_once('=') {
                lexicon.add(section, left, right);
            }
        }
        lexicon
    }

    fn add(&mut self, section: &str, left: &str, right: &str) {
        let english: Vec<String> = right.split('|').map(|one| one.trim().to_owned()).collect();
        let kind = match section {
            "[words]" => Kind::Word,
            "[things]" => Kind::Thing,
            "[after]" => Kind::After,
            "[names]" => Kind::Name,
            _ => {
                for pattern in left.split(',') {
                    self.before_names.insert(normal(pattern), right.trim().to_owned());
                }
                return;
            }
        };
        for (at, pattern) in left.split(',').enumerate() {
            let many = kind == Kind::Thing && at > 0;
            let english = if many { english.iter().map(|one| many_of(one)).collect() } else { english.clone() };
            self.entries.entry(normal(pattern)).or_insert(Entry { english, kind });
        }
    }

    /// What a preposition means before a name.
    pub(super) fn before_name(&self, word: &str) -> Option<&str> {
        self.before_names.get(word).map(String::as_str)
    }

    /// The entry of the longest pattern that begins the words, with its number of words.
    pub(super) fn longest(&self, words: &[&str]) -> Option<(Entry, usize)> {
        let whole = (1..=words.len().min(LONGEST)).rev().find_map(|took| {
            let entry = self.entries.get(&words[..took].join(" "))?;
            Some((entry.clone(), took))
        });
        whole.or_else(|| Some((self.inflected(words.first()?).or_else(|| self.compound(words[0]))?, 1)))
    }

    /// A word with an ending.
    fn inflected(&self, word: &str) -> Option<Entry> {
        self.endings.iter().find_map(|(ending, instead, many)| {
            let base = word.strip_suffix(ending).filter(|base| base.chars().count() > 2)?;
            let entry = self.entries.get(&format!("{base}{instead}"))?;
            let english = match (entry.kind, many) {
                (Kind::Thing, true) => entry.english.iter().map(|one| many_of(one)).collect(),
                _ => entry.english.clone(),
            };
            Some(Entry { english, kind: entry.kind })
        })
    }

    /// Two nouns that are written as one: `kundenland`.
    fn compound(&self, word: &str) -> Option<Entry> {
        const JOINTS: [&str; 6] = ["", "s", "n", "en", "es", "e"];
        if !self.compounds || !(7..=LONGEST_WORD).contains(&word.chars().count()) {
            return None;
        }
        let places = word.char_indices().map(|(at, _)| at).filter(|at| *at > 2 && word.len() - at > 2);
        places.rev().find_map(|at| {
            let (first, last) = word.split_at(at);
            let last = self.part(last)?;
            let first = JOINTS.iter().find_map(|joint| self.part(first.strip_suffix(joint)?))?;
            let english = last.english.iter().flat_map(|last| first.english.iter().map(move |first| format!("{first} {last}")));
            Some(Entry { english: english.collect(), kind: Kind::Thing })
        })
    }

    /// A noun within a longer one.
    fn part(&self, word: &str) -> Option<Entry> {
        let known =
            |word: &str| self.entries.get(word).filter(|entry| entry.kind == Kind::Thing && word.chars().count() > 2).cloned();
        known(word).or_else(|| self.inflected(word).filter(|entry| entry.kind == Kind::Thing))
    }

    /// The entry of a word that is probably written wrongly. `None` if two are as near.
    pub(super) fn slip(&self, word: &str) -> Option<Entry> {
        if !(6..=LONGEST_WORD).contains(&word.chars().count()) {
            return None;
        }
        // What ends otherwise is another form or another word: "passages" and "passagers".
        let end = |word: &str| word.chars().rev().take(2).collect::<String>();
        let is_near = |known: &str, entry: &Entry| {
            entry.kind != Kind::Name && is_slip(word, known) && !known.contains(' ') && end(known) == end(word)
        };
        let mut near = self.entries.iter().filter(|(known, entry)| is_near(known, entry)).map(|(_, entry)| entry);
        let first = near.next()?;
        let meant = |entry: &Entry| entry.english.first().map(|one| stem(one));
        near.all(|other| meant(other) == meant(first)).then(|| first.clone())
    }
}

/// The plural of a noun with what belongs to it: that of "quantity sold" is the same.
fn many_of(english: &str) -> String {
    let (before, last) = english.rsplit_once(' ').map_or(("", english), |(before, last)| (before, last));
    let is_behind = !before.is_empty() && (last.ends_with("ed") || matches!(last, "sold" | "spent" | "paid" | "lost" | "won"));
    match before {
        _ if is_behind => english.to_owned(),
        "" => plural(last),
        before => format!("{before} {}", plural(last)),
    }
}

/// A pattern as it is compared: an elided word stands apart.
pub(super) fn normal(pattern: &str) -> String {
    super::pieces::pieces(&folded(pattern.trim())).into_iter().map(|piece| piece.folded).collect::<Vec<_>>().join(" ")
}
