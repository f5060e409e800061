//! Questions in German, French and Spanish become English ones, which the reader knows: word by word, with a lexicon of each language.

mod lexicon;
mod pieces;

use super::words::{stem, stemmed};
use lexicon::{Entry, Kind, LONGEST, Lexicon};
use pieces::{Piece, figure, pieces};
use std::{collections::HashMap, sync::LazyLock};

/// What is known about the words of the data and of English.
pub(crate) trait Vocabulary {
    /// How well a phrase names something of the data, from 0 to 1.
    fn names(&self, phrase: &str) -> f32;
    /// Whether the data has the phrase as a value.
    fn has_value(&self, phrase: &str) -> bool;
    /// Whether the word is one of English with a fixed meaning.
    fn is_english(&self, word: &str) -> bool;
}

/// A language that is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    German,
    French,
    Spanish,
}

/// A question in English.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct InEnglish {
    pub text: String,
    /// The words as they were asked, by the stems of their English. Empty for an English question.
    said: HashMap<String, String>,
}

impl InEnglish {
    /// A word as it was asked.
    pub(crate) fn as_asked<'a>(&'a self, english: &'a str) -> &'a str {
        self.said.get(&stemmed(english)).map_or(english, String::as_str)
    }
}

/// The least that a name of the data counts as the word's meaning.
const NAMED: f32 = 0.8;

const GERMAN_ENDINGS: &[(&str, &str, bool)] = &[
    ("em", "", false),
    ("en", "", false),
    ("er", "", false),
    ("es", "", false),
    ("e", "", false),
    ("n", "", false),
    ("s", "", false),
];
const FRENCH_ENDINGS: &[(&str, &str, bool)] = &[
    ("aux", "al", true),
    ("ees", "e", true),
    ("ee", "e", false),
    ("es", "", true),
    ("s", "", true),
    ("x", "", true),
    ("e", "", false),
];
const SPANISH_ENDINGS: &[(&str, &str, bool)] =
    &[("ces", "z", true), ("es", "", true), ("as", "o", true), ("s", "", true), ("a", "o", false)];

static GERMAN: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("german.txt"), GERMAN_ENDINGS, true));
static FRENCH: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("french.txt"), FRENCH_ENDINGS, false));
static SPANISH: LazyLock<Lexicon> = LazyLock::new(|| Lexicon::read(include_str!("spanish.txt"), SPANISH_ENDINGS, false));

impl Language {
    const ALL: [Self; 3] = [Self::German, Self::French, Self::Spanish];

    fn lexicon(self) -> &'static Lexicon {
        match self {
            Self::German => &GERMAN,
            Self::French => &FRENCH,
            Self::Spanish => &SPANISH,
        }
    }

    /// The language of a question: the one that knows more of its words than English does. `None` for English, and where nothing tells.
    pub(crate) fn of(question: &str, vocabulary: &dyn Vocabulary) -> Option<Self> {
        let pieces = pieces(question);
        let best = Self::ALL
            .into_iter()
            .map(|language| (language, language.lead(&pieces, vocabulary)))
            .rev()
            .max_by_key(|(_, lead)| *lead)?;
        (best.1 > 0).then_some(best.0)
    }

    /// How many more words it knows than English does. Names of the data count for neither.
    fn lead(self, pieces: &[Piece], vocabulary: &dyn Vocabulary) -> i32 {
        let mut lead = 0;
        let mut at = 0;
        while at < pieces.len() {
            let known = self.lexicon().longest(&words(&pieces[at..]));
            let took = kept(&pieces[at..], known.as_ref(), vocabulary);
            if took > 0 {
                at += took;
                continue;
            }
            let took = known.as_ref().map_or(1, |(_, took)| *took);
            for piece in &pieces[at..at + took] {
                let english = vocabulary.is_english(&piece.raw.to_lowercase()) || vocabulary.names(&piece.raw) >= NAMED;
                lead += i32::from(known.is_some()) - i32::from(english);
            }
            at += took;
        }
        lead
    }
}

/// A question in English. One that is in English already, or in no language that is known, stays as it is.
pub(crate) fn in_english(question: &str, vocabulary: &dyn Vocabulary) -> InEnglish {
    match Language::of(question, vocabulary) {
        Some(language) => translated(question, language, vocabulary),
        None => InEnglish { text: question.to_owned(), ..InEnglish::default() },
    }
}

/// What the next words become.
struct Step {
    english: String,
    /// How many words.
    took: usize,
    kind: StepKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepKind {
    /// Names a thing, or may.
    Thing,
    /// Goes before the thing that was named: an adjective behind its noun.
    BeforeThing,
    Other,
}

impl Step {
    fn new(english: impl Into<String>, took: usize, kind: StepKind) -> Self {
        Self { english: english.into(), took, kind }
    }
}

/// A part of the translation.
struct Part {
    english: String,
    /// As it was written.
    raw: String,
    is_thing: bool,
    comma: bool,
}

fn translated(question: &str, language: Language, vocabulary: &dyn Vocabulary) -> InEnglish {
    let pieces = pieces(question);
    let mut parts: Vec<Part> = Vec::new();
    let mut at = 0;
    while at < pieces.len() {
        let Step { english, took, kind } = next(&pieces[at..], language, vocabulary);
        let raw = phrase(&pieces[at..at + took]);
        at += took;
        let comma = pieces[at - 1].comma && !begins_relative(&pieces[at..], language);
        let part = Part { english, raw, is_thing: kind == StepKind::Thing, comma };
        let thing = parts.iter().rposition(|known| !known.is_thing || known.comma).map_or(0, |last| last + 1);
        if kind == StepKind::BeforeThing { parts.insert(thing, part) } else { parts.push(part) }
    }
    if language == Language::Spanish {
        once_not(&mut parts);
    }
    let mut said = HashMap::new();
    for part in parts.iter().filter(|part| !part.english.is_empty()) {
        said.entry(stemmed(&part.english)).or_insert_with(|| part.raw.clone());
        for word in part.english.split(' ') {
            said.entry(stem(&word.to_lowercase())).or_insert_with(|| part.raw.clone());
        }
    }
    let texts = parts.iter().map(|part| format!("{}{}", part.english, if part.comma { "," } else { "" }));
    let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    InEnglish { text, said }
}

/// "no han venido nunca" says no once: what negates a second time in the same clause goes.
fn once_not(parts: &mut [Part]) {
    let mut is_negated = false;
    for part in parts {
        match part.english.as_str() {
            "not" => is_negated = true,
            "and" | "or" | "but" | "which" | "who" => is_negated = false,
            "never" | "nothing" | "none" | "nobody" if is_negated => part.english.clear(),
            _ => {}
        }
        is_negated &= !part.comma;
    }
}

/// The English of the first words.
fn next(pieces: &[Piece], language: Language, vocabulary: &dyn Vocabulary) -> Step {
    let (first, lexicon) = (&pieces[0], language.lexicon());
    if let Some(ordinal) = ordinal(pieces, language) {
        return Step::new(ordinal, 1, StepKind::Other);
    }
    if let Some(figure) = figure(&first.raw) {
        // "les 3 derniers mois"
        let is_last = pieces.get(1).is_some_and(|next| LAST.contains(&next.folded.as_str()));
        let english = if is_last { format!("last {figure}") } else { figure };
        return Step::new(english, 1 + usize::from(is_last), StepKind::Other);
    }
    let known = lexicon.longest(&words(pieces));
    let took = kept(pieces, known.as_ref(), vocabulary);
    if took > 0 {
        return Step::new(phrase(&pieces[..took]), took, StepKind::Thing);
    }
    let leads_to_name = |at: usize| {
        let preposition = lexicon.before_name(&pieces.get(at)?.folded)?;
        is_name(&pieces[at + 1..], lexicon, vocabulary).then_some(preposition)
    };
    if let Some(preposition) = leads_to_name(0) {
        return Step::new(preposition, 1, StepKind::Other);
    }
    let slip = || {
        let is_known = vocabulary.is_english(&first.folded) || vocabulary.names(&first.raw) > 0.0;
        (!is_known).then(|| lexicon.slip(&first.folded)).flatten().map(|entry| (entry, 1))
    };
    match known.or_else(slip) {
        Some((entry, took)) => {
            let kind = match entry.kind {
                Kind::Thing => StepKind::Thing,
                // "commandes expédiées en Allemagne": it goes on behind the noun.
                Kind::After if leads_to_name(took).is_none() => StepKind::BeforeThing,
                _ => StepKind::Other,
            };
            Step::new(meant(&entry, vocabulary), took, kind)
        }
        // A German noun has a capital, and is no name for that.
        None if language == Language::German && vocabulary.is_english(&first.raw.to_lowercase()) => {
            Step::new(first.raw.to_lowercase(), 1, StepKind::Other)
        }
        None => Step::new(first.raw.clone(), 1, StepKind::Thing),
    }
}

/// What means "last" behind a number.
const LAST: &[&str] = &["derniers", "dernieres", "ultimos", "ultimas", "letzten", "letzte", "vergangenen"];

/// "1er", "2º", and a number with a full stop before a part of a year: "3. Quartal".
fn ordinal(pieces: &[Piece], language: Language) -> Option<&'static str> {
    const ORDINALS: [&str; 4] = ["first", "second", "third", "fourth"];
    let first = &pieces[0];
    let tail = first.folded.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let number = first.folded[..first.folded.len() - tail.len()].parse::<usize>().ok()?;
    let is_part = |next: &Piece| ["quartal", "quartals", "halbjahr", "halbjahres"].contains(&next.folded.as_str());
    let is_ordinal = match language {
        Language::German => tail.is_empty() && first.stop && pieces.get(1).is_some_and(is_part),
        Language::French => matches!(tail, "er" | "ere" | "re" | "e" | "eme" | "ieme" | "nd" | "nde"),
        Language::Spanish => matches!(tail, "er" | "ro" | "do" | "to" | "o" | "a" | "º" | "ª" | "°"),
    };
    is_ordinal.then(|| ORDINALS.get(number.checked_sub(1)?).copied()).flatten()
}

/// The comma that German has before "die nie bestellt haben" separates nothing.
fn begins_relative(pieces: &[Piece], language: Language) -> bool {
    const RELATIVE: [&str; 8] = ["die", "der", "das", "den", "dem", "deren", "dessen", "denen"];
    language == Language::German && pieces.first().is_some_and(|piece| RELATIVE.contains(&piece.folded.as_str()))
}

/// The first alternative that the data has as a name, or as a value, or the most usual one.
fn meant(entry: &Entry, vocabulary: &dyn Vocabulary) -> String {
    let several = || entry.english.iter().filter(|_| entry.english.len() > 1);
    let named =
        several().find(|one| vocabulary.names(one) >= NAMED).or_else(|| several().find(|one| vocabulary.has_value(one)));
    named.or(entry.english.first()).cloned().unwrap_or_default()
}

/// How many of the first words stay as they are: a value of the data, a name of the data in this language, or words in quotes. `known` is
/// what the lexicon has of them.
fn kept(pieces: &[Piece], known: Option<&(Entry, usize)>, vocabulary: &dyn Vocabulary) -> usize {
    let quoted = pieces.iter().take_while(|piece| piece.quoted).count();
    if quoted > 0 {
        return quoted;
    }
    let fixed = known.filter(|(entry, _)| matches!(entry.kind, Kind::Word | Kind::After)).map_or(0, |(_, took)| *took);
    (fixed + 1..=run(pieces).min(5))
        .rev()
        .find(|took| {
            let phrase = phrase(&pieces[..*took]).to_lowercase();
            let is_figure = *took == 1 && figure(&pieces[0].raw).is_some();
            // "CA" is a short name of a place, and the French for revenue.
            let is_code = known.is_some() && phrase.chars().count() <= 3;
            !is_figure && !is_code && (vocabulary.has_value(&phrase) || vocabulary.names(&phrase) >= 0.9)
        })
        .unwrap_or(0)
}

/// Whether the words begin with a name: a place, or a value of the data.
fn is_name(pieces: &[Piece], lexicon: &Lexicon, vocabulary: &dyn Vocabulary) -> bool {
    if pieces.is_empty() || vocabulary.names(&pieces[0].raw) >= NAMED {
        return false;
    }
    let known = lexicon.longest(&words(pieces));
    known.as_ref().is_some_and(|(entry, _)| entry.kind == Kind::Name)
        || known.is_none_or(|(entry, _)| entry.kind == Kind::Thing)
            && (1..=pieces.len().min(3)).any(|took| vocabulary.has_value(&phrase(&pieces[..took]).to_lowercase()))
}

fn phrase(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| piece.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// How many words belong together: up to a comma, and not more than a pattern has.
fn run(pieces: &[Piece]) -> usize {
    pieces.iter().take(LONGEST).position(|piece| piece.comma).map_or(LONGEST, |at| at + 1).min(pieces.len())
}

/// The first words as they are compared, those that belong together.
fn words(pieces: &[Piece]) -> Vec<&str> {
    pieces[..run(pieces)].iter().map(|piece| piece.folded.as_str()).collect()
}

#[cfg(test)]
mod tests;
