//! Second stage: groups the words of a question into phrases with a meaning. The longest phrase wins. Of two meanings of the
//! same length, the catalogue's comes before English, and values come last, unless a word is in capitals like a code.

use super::{intent::ColumnRef, knowledge::Knowledge, values::Found};
use crate::language::{
    cues::{CUES, Cue},
    periods::{HoursOfDay, Words, small_number},
    span::Spoken,
    tokens::{Token, TokenKind, tokens},
    words::{is_plural, is_slip, stem},
};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The longest phrase, in words.
const LONGEST: usize = 8;

/// A part of the question and its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phrase {
    pub what: What,
    /// Whether its last word is a plural.
    pub plural: bool,
    /// Its original text, for messages about unknown words.
    pub text: String,
}

/// What a phrase means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum What {
    Cue(Cue),
    /// Tables and columns with this name.
    Name {
        tables: Vec<usize>,
        columns: Vec<ColumnRef>,
    },
    /// A term: its column, its position among the column's terms, and whether it names the share.
    Term {
        column: ColumnRef,
        term: usize,
        rate: bool,
    },
    /// A value, with every column that holds it.
    Value(Vec<Found>),
    Number(f64),
    Period(Spoken),
    Hours(HoursOfDay),
    Comma,
    Unknown,
}

/// The English phrases, each word as written.
static LANGUAGE: LazyLock<HashMap<&'static str, Cue>> = LazyLock::new(|| {
    CUES.iter().flat_map(|(cue, phrases)| phrases.split('|').map(move |phrase| (phrase.trim(), *cue))).collect()
});

/// English words that a typo may have meant.
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

/// The names of the catalogue.
struct Names<'a> {
    knowledge: &'a Knowledge,
    phrases: HashMap<String, What>,
    words: HashSet<String>,
}

impl<'a> Names<'a> {
    fn of(knowledge: &'a Knowledge) -> Self {
        let mut names = Self { knowledge, phrases: HashMap::new(), words: HashSet::new() };
        for (place, table) in knowledge.tables.iter().enumerate() {
            table.names.iter().for_each(|name| names.add_name(name, Some(place), None));
        }
        for (at, column) in knowledge.columns() {
            column.names.iter().for_each(|name| names.add_name(name, None, Some(at)));
            for (term, meaning) in column.terms.iter().enumerate() {
                meaning.phrases.iter().for_each(|name| names.add_term(name, at, term, false));
                meaning.rates.iter().for_each(|name| names.add_term(name, at, term, true));
            }
        }
        names
    }

    fn add_name(&mut self, name: &str, table: Option<usize>, column: Option<ColumnRef>) {
        self.words.extend(name.split(' ').map(str::to_owned));
        let known =
            self.phrases.entry(name.to_owned()).or_insert_with(|| What::Name { tables: Vec::new(), columns: Vec::new() });
        if let What::Name { tables, columns } = known {
            tables.extend(table);
            columns.extend(column);
        }
    }

    fn add_term(&mut self, name: &str, column: ColumnRef, term: usize, rate: bool) {
        let name = super::knowledge::phrase(name);
        self.words.extend(name.split(' ').map(str::to_owned));
        self.phrases.insert(name, What::Term { column, term, rate });
    }

    /// A name. For time columns, an English meaning of the word comes first ("date").
    fn find(&self, stems: &str, language: Option<Cue>) -> Option<What> {
        let what = self.phrases.get(stems)?;
        let is_time = match what {
            What::Name { tables, columns } if tables.is_empty() => {
                columns.iter().all(|at| self.knowledge.column(*at).is_time())
            }
            _ => false,
        };
        (!(is_time && matches!(language, Some(Cue::Grain(_))))).then(|| what.clone())
    }
}

/// The phrases of a question, without words that have no meaning.
pub(super) fn phrases(question: &str, knowledge: &Knowledge) -> Vec<Phrase> {
    let names = Names::of(knowledge);
    let mut words = tokens(question);
    for token in &mut words {
        correct(token, &names);
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let (phrase, took) = longest(&words[at..], &names);
        if phrase.what != What::Cue(Cue::Filler) {
            found.push(phrase);
        }
        at += took;
    }
    found
}

/// Corrects an unknown word that is probably a typo.
fn correct(token: &mut Token, names: &Names<'_>) {
    if token.kind != TokenKind::Word || token.is_code {
        return;
    }
    let text = token.text.as_str();
    let known = |word: &str| {
        names.words.contains(word)
            || LANGUAGE_WORDS.contains(word)
            || names.knowledge.values.has_word(word)
            || small_number(word).is_some()
    };
    if known(text) || known(&stem(text)) {
        return;
    }
    let long = |word: &&str| word.chars().count() > 4;
    let near = |word: &&str| is_slip(text, word) || is_slip(&stem(text), word);
    let mut named: Vec<&str> = names.words.iter().map(String::as_str).filter(long).filter(near).collect();
    named.sort_unstable();
    let spoken = || {
        let mut words: Vec<&str> = LANGUAGE_WORDS.iter().copied().filter(long).filter(near).collect();
        words.sort_unstable();
        words.first().copied()
    };
    let meant = named.first().copied().or_else(spoken).or_else(|| names.knowledge.values.meant(text));
    if let Some(meant) = meant {
        token.text = if is_plural(text) && !is_plural(meant) { format!("{meant}s") } else { meant.to_owned() };
    }
}

/// The longest phrase at the start of the words, and its number of words.
fn longest(words: &[Token], names: &Names<'_>) -> (Phrase, usize) {
    let first = &words[0];
    let phrase = |what: What, took: usize| {
        let text = words[..took].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        (Phrase { what, plural: is_plural(&words[took - 1].text), text }, took)
    };
    if first.kind == TokenKind::Comma {
        return phrase(What::Comma, 1);
    }
    let value = |took: usize| {
        let text = words[..took].iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        names.knowledge.values.find(&text).map(|found| What::Value(found.to_vec()))
    };
    if first.is_code
        && let Some(code) = value(1)
    {
        return phrase(code, 1);
    }
    let hours = Words(words).hours().map(|(hours, took)| (What::Hours(hours), took));
    let period = hours.or_else(|| Words(words).period().map(|(spoken, took)| (What::Period(spoken), took)));
    let run = words.iter().take(LONGEST).take_while(|token| token.kind != TokenKind::Comma).count();
    // "February 14th, 2001": the period continues after the comma.
    if let Some((what, length)) = period.as_ref().filter(|(_, length)| *length > run) {
        return phrase(what.clone(), *length);
    }
    for took in (1..=run).rev() {
        if let Some((what, length)) = &period
            && *length == took
        {
            return phrase(what.clone(), took);
        }
        let texts: Vec<&str> = words[..took].iter().map(|token| token.text.as_str()).collect();
        let stems: Vec<String> = texts.iter().map(|text| stem(text)).collect();
        let language = spoken(&texts, &stems);
        // A common word in lower case is not a code.
        let found = names.find(&stems.join(" "), language).or_else(|| language.map(What::Cue)).or_else(|| value(took));
        if let Some(what) = found {
            return phrase(what, took);
        }
    }
    match first.kind {
        TokenKind::Number(value) => phrase(What::Number(value), 1),
        _ => match small_number(&first.text) {
            Some(value) => phrase(What::Number(value.into()), 1),
            None => phrase(What::Unknown, 1),
        },
    }
}

/// An English phrase. Its last word may be a plural.
fn spoken(texts: &[&str], stems: &[String]) -> Option<Cue> {
    let exact = LANGUAGE.get(texts.join(" ").as_str());
    let singular = || {
        let (last, before) = (stems.last()?, &texts[..texts.len() - 1]);
        let phrase = before.iter().copied().chain([last.as_str()]).collect::<Vec<_>>().join(" ");
        LANGUAGE.get(phrase.as_str())
    };
    exact.or_else(singular).copied()
}

#[cfg(test)]
mod tests {
    use super::{super::knowledge::tests::column, *};
    use crate::scope::{Scope, TableModel};
    use inlay_contract::{data::ColumnType, source::SourceKind};
    use serde_json::json;

    fn knowledge() -> Knowledge {
        let columns = vec![
            column("delay", ColumnType::Number, "Delay", "Minutes"),
            column("destination", ColumnType::Text, "Destination", ""),
            column("date", ColumnType::Timestamp, "Departure", ""),
        ];
        let flights = TableModel { name: "flights".into(), label: None, description: None, synonyms: vec![], columns };
        let scope = Scope {
            workspace: String::new(),
            dialect: SourceKind::Sqlite,
            tables: vec![flights],
            instructions: None,
            example_questions: vec![],
            examples: vec![],
            model: None,
            model_only: false,
        };
        let mut knowledge = Knowledge::of(&scope);
        knowledge.values.looked_up = true;
        knowledge.values.add(ColumnRef { table: 0, column: 1 }, &[json!("ATL"), json!("DAY"), json!("San Francisco")]);
        knowledge
    }

    fn said(question: &str) -> Vec<String> {
        phrases(question, &knowledge()).into_iter().map(|phrase| phrase.text).collect()
    }

    #[test]
    fn the_longest_phrase_counts_and_fillers_go() {
        assert_eq!(said("How many flights were on time in March?"), ["how many", "flights", "on time", "in march"]);
        assert_eq!(said("please show me flights to San Francisco"), ["flights", "to", "san francisco"]);
    }

    #[test]
    fn slips_are_mended() {
        assert_eq!(
            said("avrage dealy of fligths by destinaton to san fransisco"),
            ["average", "delay", "flights", "by", "destination", "to", "san francisco"]
        );
    }

    #[test]
    fn a_common_word_is_a_code_only_in_capitals() {
        let kinds = |question: &str| phrases(question, &knowledge()).into_iter().last().map(|phrase| phrase.what);
        assert_eq!(kinds("flights per day"), Some(What::Cue(Cue::Grain(crate::analyst::intent::Grain::Day))));
        assert!(matches!(kinds("flights to DAY"), Some(What::Value(_))));
        assert!(matches!(kinds("only atl"), Some(What::Value(_))));
        assert_eq!(kinds("flights by pilot"), Some(What::Unknown));
    }
}
