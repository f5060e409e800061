//! First stage: the words of a question become atoms, each a word or phrase with one meaning. A question can be covered by atoms in
//! several ways; the best ones go on to the next stage.

use crate::{
    language::{
        cues::{CUES, Cue},
        grain::Grain,
        periods::{HoursOfDay, Words, small_number},
        span::Spoken,
        tokens::{Token, TokenKind, tokens},
        words::{is_plural, is_slip, plural, stem},
    },
    world::{PHRASES, Thing, World, values::Found},
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

/// Words of English that are no typo of a name, though they may look like one.
const ENGLISH: &str = "about above across after again against ahead alone along already although always among another anybody anyone \
    anything around asked autumn became because become behind believe below beside besides better beyond booked bought brought built called \
    cannot cause certain change cheaper clear close closed clearly coming common could different double doing during early either \
    enough every everyone everything except exact exactly faster fewer final finally follow former found front further given going \
    great happy having heavy hence hello higher highly however ideas inside instead known large larger later least leave longer \
    lower mainly maybe means might missed mostly moved multiple neither newer nobody nothing often older opened other otherwise \
    outside people perhaps place plain please possible pretty quite rather ready really recent right same second seems several \
    shall shorter should simple since single slower small smaller someone something sometimes spring still stuff summer taken their there \
    these thing things think those though three through today together tomorrow tried trying twice under unless until upon usual \
    usually waiting wanted watch watched ways weren where whether which while whole whose winter within without worked worth would \
    wrong younger yours";

static ENGLISH_WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| ENGLISH.split_whitespace().collect());

/// The ways to cover a question, best first.
pub(crate) fn coverings(question: &str, world: &World) -> Vec<Covering> {
    let mut words = joined(tokens(question));
    for token in &mut words {
        correct(token, world);
    }
    let stems: Vec<String> = words.iter().map(|token| stem(&token.text)).collect();
    let mut reached: Vec<Vec<Covering>> = vec![Vec::new(); words.len() + 1];
    reached[0].push(Covering { atoms: Vec::new(), score: 0.0 });
    for at in 0..words.len() {
        let mut here = std::mem::take(&mut reached[at]);
        here.sort_by(|a, b| b.score.total_cmp(&a.score));
        here.truncate(BEAM);
        for (atom, took, score) in starting(&words, &stems, at, world) {
            for before in &here {
                let mut atoms = before.atoms.clone();
                if atom.what != What::Cue(Cue::Filler) {
                    atoms.push(atom.clone());
                }
                reached[at + took].push(Covering { atoms, score: before.score + score });
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

/// The words with several that are one thing made one.
fn joined(mut words: Vec<Token>) -> Vec<Token> {
    let mut at = 0;
    while at + 1 < words.len() {
        let pair = format!("{} {}", words[at].text, words[at + 1].text);
        if let Some((_, one)) = PHRASES.iter().find(|(phrase, _)| *phrase == pair) {
            words[at].text = if is_plural(&words[at + 1].text) { plural(one) } else { (*one).to_owned() };
            words.remove(at + 1);
        }
        at += 1;
    }
    words
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

/// Corrects an unknown word that is probably a typo.
fn correct(token: &mut Token, world: &World) {
    if token.kind != TokenKind::Word || token.is_code {
        return;
    }
    let text = token.text.as_str();
    let known = |word: &str| {
        world.names.has_word(word)
            || LANGUAGE_WORDS.contains(word)
            || world.values.has_word(word)
            || small_number(word).is_some()
    };
    if known(text) || known(&stem(text)) || text.chars().count() < 5 || ENGLISH_WORDS.contains(text) {
        return;
    }
    let long = |word: &&str| word.chars().count() > 4;
    let near = |word: &&str| is_slip(text, word) || is_slip(&stem(text), word);
    let spoken = || LANGUAGE_WORDS.iter().copied().filter(long).filter(near).min();
    let named = world.names.meant(text).filter(|word| word.chars().count() > 4);
    if let Some(meant) = named.or_else(spoken).or_else(|| world.values.meant(text)) {
        token.text = if is_plural(text) && !is_plural(meant) { format!("{meant}s") } else { meant.to_owned() };
    }
}

/// The atoms that begin at a word: each with its number of words and its score.
fn starting(words: &[Token], stems: &[String], at: usize, world: &World) -> Vec<(Atom, usize, f32)> {
    let rest = &words[at..];
    let first = &rest[0];
    let mut found = Vec::new();
    let mut add = |what: What, took: usize, quality: f32, score: f32| {
        let text = rest[..took].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        found.push((Atom { what, plural: is_plural(&rest[took - 1].text), text, quality }, took, score - 0.25));
    };
    if first.kind == TokenKind::Comma {
        add(What::Comma, 1, 1.0, 0.25);
        return found;
    }
    if let Some((hours, took)) = Words(rest).hours() {
        add(What::Hours(hours), took, 1.0, 2.2 * took as f32);
    }
    if let Some((spoken, took)) = Words(rest).period() {
        add(What::Period(spoken), took, 1.0, 2.2 * took as f32);
    }
    let run = rest.iter().take(LONGEST).take_while(|token| token.kind != TokenKind::Comma).count();
    for took in 1..=run {
        let texts: Vec<&str> = rest[..took].iter().map(|token| token.text.as_str()).collect();
        let length = took as f32;
        let cue = spoken(&texts, &stems[at..at + took]);
        if let Some(cue) = cue {
            let each = if cue == Cue::Filler { 1.2 } else { 1.8 };
            add(What::Cue(cue), took, 1.0, each * length);
        }
        for one in world.names.find(&stems[at..at + took]).into_iter().take(MEANINGS) {
            // A word of grammar is a name only as a whole one.
            if cue.is_some() && one.quality < 0.9 && took == 1 {
                continue;
            }
            let time = matches!(one.thing, Thing::Field(field) if world.fields[field].kind == crate::world::Kind::Time);
            let is_grain = time && matches!(cue, Some(Cue::Grain(_)));
            add(What::Thing(one.thing), took, one.quality, if is_grain { 0.5 } else { (1.0 + 1.1 * one.quality) * length });
        }
        let phrase = texts.join(" ");
        let values = world.values.find(&phrase);
        let is_number = matches!(first.kind, TokenKind::Number(_));
        let is_common =
            took == 1 && (cue.is_some() || is_number || small_number(&phrase).is_some() || phrase.chars().count() < 2);
        if !values.is_empty() && (!is_common || first.is_code || first.is_name && phrase.chars().count() > 3) {
            let sure = if first.is_code && took == 1 { 0.5 } else { 0.0 };
            add(What::Value(values.to_vec()), took, 1.0, 2.0f32.mul_add(length, sure));
        }
        let parts = world.values.find_part(&phrase);
        if !parts.is_empty() && !is_common && phrase.chars().count() > 3 && values.is_empty() {
            add(What::Value(parts.to_vec()), took, 0.6, 1.3 * length);
        }
    }
    match (first.kind, small_number(&first.text)) {
        (TokenKind::Number(value), _) => add(What::Number(value), 1, 1.0, 1.8),
        (_, Some(value)) => add(What::Number(value.into()), 1, 1.0, 1.7),
        _ => add(What::Unknown, 1, 0.0, -3.0),
    }
    found
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
