//! First stage: the words of a question become atoms, each a word or phrase with one meaning. A question can be covered by atoms in
//! several ways; the best ones go on to the next stage.

use crate::{
    language::{
        cues::{CUES, Cue, Hint},
        english::{ENGLISH_WORDS, spelt_out},
        grain::Grain,
        periods::{HoursOfDay, Words, small_number},
        span::Spoken,
        tokens::{Token, TokenKind, tokens},
        words::{is_plural, is_slip, plural, stem},
    },
    world::{PHRASES, Thing, World, has_kin, stems, values::Found},
};
use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

/// The longest phrase, in words.
const LONGEST: usize = 8;
/// The most coverings that go on from each word.
const BEAM: usize = 24;
/// The most things that one phrase may mean.
const MEANINGS: usize = 6;

/// A name that is found at least so well is meant.
const SURE: f32 = 0.8;

/// A word or phrase with one meaning.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Atom {
    pub what: What,
    /// As it was written.
    pub text: String,
    /// Whether its last word is a plural.
    pub plural: bool,
    /// How well the words name what is meant, from 0 to 1.
    pub quality: f32,
    /// Whether no word stands between it and the atom before.
    pub beside: bool,
}

/// What an atom means.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    Cue(Cue),
    Thing(Thing),
    /// A value, with every field that holds it.
    Value(Vec<Found>),
    Number(f64),
    Period(Spoken),
    Hours(HoursOfDay),
    Comma,
    /// A word that nothing has as its name.
    Unknown,
}

/// A question as atoms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Covering {
    pub atoms: Vec<Atom>,
    /// The words that say nothing.
    pub fillers: Vec<String>,
    /// How many words were taken for typing errors.
    pub corrected: usize,
    /// Where the last atom ends.
    end: usize,
    pub score: f32,
}

/// The phrases with a fixed meaning, each word as written.
static LANGUAGE: LazyLock<HashMap<&'static str, Cue>> = LazyLock::new(|| {
    CUES.iter().flat_map(|(cue, phrases)| phrases.split('|').map(move |phrase| (phrase.trim(), *cue))).collect()
});

/// Words that a typo may have meant.
static LANGUAGE_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let months =
        ["january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december"];
    let periods = [
        "lately",
        "recently",
        "yesterday",
        "today",
        "tomorrow",
        "previous",
        "since",
        "before",
        "until",
        "during",
        "first",
        "second",
        "third",
        "fourth",
        "half",
        "quarter",
    ];
    let words = LANGUAGE.keys().flat_map(|phrase| phrase.split(' '));
    words.chain(months).chain(periods).collect()
});

/// The ways to cover a question, best first.
pub(crate) fn coverings(question: &str, world: &World) -> Vec<Covering> {
    let mut words = joined(tokens(question), world);
    let corrected = words.iter_mut().map(|token| correct(token, world)).filter(|is_corrected| *is_corrected).count();
    let stems: Vec<String> = words.iter().map(|token| stem(&token.text)).collect();
    let mut reached: Vec<Vec<Covering>> = vec![Vec::new(); words.len() + 1];
    reached[0].push(Covering { atoms: Vec::new(), fillers: Vec::new(), corrected, end: 0, score: 0.0 });
    for at in 0..words.len() {
        let mut here = std::mem::take(&mut reached[at]);
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(BEAM);
        for (atom, took, score) in starting(&words, &stems, at, world) {
            for before in &here {
                let mut next = Covering { score: before.score + score, ..before.clone() };
                if atom.what != What::Cue(Cue::Filler) {
                    next.atoms.push(Atom { beside: before.end == at, ..atom.clone() });
                    next.end = at + took;
                } else {
                    next.fillers.push(atom.text.clone());
                }
                reached[at + took].push(next);
            }
        }
    }
    let mut whole = reached.pop().unwrap_or_default();
    whole.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut seen: Vec<Covering> = Vec::new();
    for one in whole {
        if !seen.iter().any(|known| known.atoms == one.atoms) {
            seen.push(one);
        }
    }
    seen.truncate(BEAM);
    seen
}

/// What a number is multiplied by when it stands before the word.
const MULTIPLES: &[(&str, f64)] = &[
    ("thousand", 1e3),
    ("million", 1e6),
    ("millions", 1e6),
    ("mio", 1e6),
    ("mn", 1e6),
    ("billion", 1e9),
    ("billions", 1e9),
    ("bn", 1e9),
];

/// The words with several that are one thing made one.
fn joined(mut words: Vec<Token>, world: &World) -> Vec<Token> {
    let mut at = 0;
    while at + 1 < words.len() {
        // "5 million"
        if let TokenKind::Number(value) = words[at].kind
            && let Some((_, times)) = MULTIPLES.iter().find(|(word, _)| *word == words[at + 1].text)
        {
            words[at].kind = TokenKind::Number(value * times);
            words[at].text = format!("{} {}", words[at].text, words[at + 1].text);
            words.remove(at + 1);
        }
        let Some(next) = words.get(at + 1) else { break };
        let pair = format!("{} {}", words[at].text, next.text);
        let is_name = || world.names.find(&stems(&pair)).first().is_some_and(|found| found.quality >= 0.9);
        if let Some((_, one)) = PHRASES.iter().find(|(phrase, _)| *phrase == pair && !is_name()) {
            words[at].text = if is_plural(&words[at + 1].text) { plural(one) } else { (*one).to_owned() };
            words.remove(at + 1);
        }
        at += 1;
    }
    words
}

/// Whether a word has a fixed meaning.
pub(crate) fn is_spoken(word: &str) -> bool {
    LANGUAGE.contains_key(word)
}

/// Whether a word is one of English that the reader knows, whatever the data is.
pub(super) fn is_english(word: &str) -> bool {
    LANGUAGE_WORDS.contains(word) || ENGLISH_WORDS.contains(word) || small_number(word).is_some()
}

/// The words of a question that nothing has as its name.
pub(crate) fn unknown(question: &str, world: &World) -> Vec<String> {
    let best = coverings(question, world).into_iter().next();
    best.into_iter()
        .flat_map(|covering| covering.atoms)
        .filter(|atom| atom.what == What::Unknown)
        .map(|atom| atom.text)
        .collect()
}

/// Corrects an unknown word that is probably a typo. Returns whether it is one.
fn correct(token: &mut Token, world: &World) -> bool {
    if token.kind != TokenKind::Word || token.is_code {
        return false;
    }
    let text = token.text.as_str();
    let known = |word: &str| {
        world.names.has_word(word)
            || LANGUAGE_WORDS.contains(word)
            || world.values.has_word(word)
            || small_number(word).is_some()
            || has_kin(word)
    };
    if known(text) || known(&stem(text)) || ENGLISH_WORDS.contains(text) {
        return false;
    }
    if let Some(long) = spelt_out(text).or_else(|| world.names.short_for(&stem(text)).map(str::to_owned)) {
        token.text = if is_plural(text) && !is_plural(&long) { plural(&long) } else { long };
        return false;
    }
    if text.chars().count() < 5 {
        return false;
    }
    let long = |word: &&str| word.chars().count() > 4;
    let near = |word: &&str| is_slip(text, word) || is_slip(&stem(text), word);
    let spoken = || LANGUAGE_WORDS.iter().copied().filter(long).filter(near).min();
    let named = world.names.meant(text).filter(|word| word.chars().count() > 4);
    let Some(meant) = named.or_else(spoken).or_else(|| world.meant_value(text)) else { return false };
    token.text = if is_plural(text) && !is_plural(meant) { format!("{meant}s") } else { meant.to_owned() };
    true
}

/// The atoms that begin at a word: each with its number of words and its score.
fn starting(words: &[Token], stems: &[String], at: usize, world: &World) -> Vec<(Atom, usize, f32)> {
    let rest = &words[at..];
    let first = &rest[0];
    let mut found = Vec::new();
    let mut add = |what: What, took: usize, quality: f32, score: f32| {
        let text = rest[..took].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        found.push((Atom { what, plural: is_plural(&rest[took - 1].text), text, quality, beside: false }, took, score - 0.25));
    };
    if first.kind == TokenKind::Comma {
        add(What::Comma, 1, 1.0, 0.25);
        return found;
    }
    if let Some((hours, took)) = Words(rest).hours() {
        add(What::Hours(hours), took, 1.0, 2.2 * took as f32);
    }
    let period = Words(rest).period();
    let is_period = period.is_some();
    if let Some((spoken, took)) = period {
        add(What::Period(spoken), took, 1.0, 2.2 * took as f32);
    }
    let run = rest.iter().take(LONGEST).take_while(|token| token.kind != TokenKind::Comma).count();
    for took in 1..=run {
        let texts: Vec<&str> = rest[..took].iter().map(|token| token.text.as_str()).collect();
        let length = took as f32;
        // "last year" is a period, and never the last of all years; "this year" is not this.
        let cue = spoken(&texts, &stems[at..at + took]).filter(|cue| !(is_period && is_of_period(*cue, &texts)));
        // "current leases" are some of the leases.
        let cue = cue.filter(|_| !(took == 1 && narrows(&first.text, stems.get(at + 1), world)));
        if let Some(cue) = cue {
            let each = match (cue, took) {
                (Cue::Filler, _) => 1.2,
                (_, 3..) => 2.3,
                _ => 1.8,
            };
            add(What::Cue(cue), took, 1.0, each * length);
        }
        for one in world.names.find(&stems[at..at + took]).into_iter().take(MEANINGS) {
            // A word of grammar is a name only as a whole one.
            if cue.is_some() && one.quality < 0.9 && took == 1 {
                continue;
            }
            // A number may be called "months", and who says so means the months.
            if matches!((cue, one.thing), (Some(Cue::Grain(_)), Thing::Declared(_))) {
                continue;
            }
            let time = matches!(one.thing, Thing::Field(field) if world.fields[field].kind == crate::world::Kind::Time);
            let is_grain = time && matches!(cue, Some(Cue::Grain(_)));
            add(What::Thing(one.thing), took, one.quality, if is_grain { 0.5 } else { (1.0 + 1.1 * one.quality) * length });
        }
        if let Some((found, quality, score)) = valued(&rest[..took], &stems[at], cue, world) {
            add(What::Value(found), took, quality, score);
        }
    }
    // "How many" is not how.
    if found.iter().any(|(atom, took, _)| *took > 1 && atom.cue() == Some(Cue::HowMany)) {
        found.retain(|(atom, ..)| atom.cue() != Some(Cue::How));
    }
    // Nothing else is meant by "at the end of".
    let moment = found.iter().rposition(|(atom, ..)| atom.what == What::Cue(Cue::Moment));
    if let Some(moment) = moment {
        return vec![found.swap_remove(moment)];
    }
    if found.is_empty() && first.kind == TokenKind::Word {
        found.extend(begun(&rest[..run.min(3)], world));
    }
    let (what, quality, score) = match (first.kind, small_number(&first.text)) {
        (TokenKind::Number(value), _) => (What::Number(value), 1.0, 1.8),
        (_, Some(value)) => (What::Number(value.into()), 1.0, 1.7),
        _ => (What::Unknown, 0.0, -3.0),
    };
    found.push((
        Atom { what, plural: is_plural(&first.text), text: first.text.clone(), quality, beside: false },
        1,
        score - 0.25,
    ));
    found
}

/// The values that a phrase names whole, or in part where nothing else is meant, with quality and score.
fn valued(words: &[Token], stem: &str, cue: Option<Cue>, world: &World) -> Option<(Vec<Found>, f32, f32)> {
    let phrase = words.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
    let (first, took, letters) = (&words[0], words.len(), phrase.chars().count());
    let is_number = matches!(first.kind, TokenKind::Number(_));
    let is_common = took == 1 && (cue.is_some() || is_number || small_number(&phrase).is_some() || letters < 2);
    let values = world.values.find(&phrase);
    if !values.is_empty() {
        let sure = if first.is_code && took == 1 { 0.5 } else { 0.0 };
        let is_meant = !is_common || first.is_code || first.is_name && letters > 3;
        return is_meant.then(|| (values.to_vec(), 1.0, 2.0f32.mul_add(took as f32, sure)));
    }
    let parts = world.values.find_part(&phrase);
    // "people" is no part of "VP People", nor "work" of "Body work".
    let is_plain = took == 1 && !first.is_name && !first.is_code && (are_common(&phrase) || are_common(stem));
    let is_meant = !parts.is_empty() && cue.is_none() && !is_common && !is_plain && letters > 3;
    is_meant.then(|| (parts.to_vec(), 0.6, 1.3 * took as f32))
}

/// Values of which the words are the beginning: "san fran".
fn begun(words: &[Token], world: &World) -> Vec<(Atom, usize, f32)> {
    let mut found = Vec::new();
    for took in 1..=words.len() {
        let text = words[..took].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        let is_short = text.chars().count() < if took == 1 { 5 } else { 6 };
        let values = if is_short || are_common(&text) { Vec::new() } else { world.values.begun(&text) };
        if !values.is_empty() {
            found.push((
                Atom { what: What::Value(values), plural: false, text, quality: 0.7, beside: false },
                took,
                1.4 * took as f32 - 0.25,
            ));
        }
    }
    found
}

/// Whether an adjective says which rows of the table behind it are meant.
fn narrows(word: &str, next: Option<&String>, world: &World) -> bool {
    let tells = matches!(word, "current" | "available" | "big" | "high" | "low" | "large" | "small");
    let is_table = |next: &String| {
        let found = world.names.find(std::slice::from_ref(next));
        found.first().is_some_and(|found| found.quality >= SURE && matches!(found.thing, Thing::Table(_)))
    };
    tells && next.is_some_and(is_table)
}

/// Whether a word has a meaning of its own in many trades.
fn are_common(word: &str) -> bool {
    ENGLISH_WORDS.contains(word) || has_kin(word)
}

/// Whether a word is none of its own where a period begins: "may" of "May vs April".
fn is_of_period(cue: Cue, texts: &[&str]) -> bool {
    matches!(cue, Cue::Extreme(_, Hint::Time) | Cue::Those) || texts == ["may"]
}

/// A phrase with a fixed meaning. Its last word may be a plural.
fn spoken(texts: &[&str], stems: &[String]) -> Option<Cue> {
    let exact = LANGUAGE.get(texts.join(" ").as_str());
    let singular = || {
        let (last, before) = (stems.last()?, &texts[..texts.len() - 1]);
        let phrase = before.iter().copied().chain([last.as_str()]).collect::<Vec<_>>().join(" ");
        LANGUAGE.get(phrase.as_str())
    };
    exact.or_else(singular).copied()
}

impl Atom {
    pub(super) fn cue(&self) -> Option<Cue> {
        if let What::Cue(cue) = self.what { Some(cue) } else { None }
    }

    pub(super) fn grain(&self) -> Option<Grain> {
        if let What::Cue(Cue::Grain(grain)) = self.what { Some(grain) } else { None }
    }
}
