//! What is said where a reading is probably wrong: how the question was read and which words speak against it. The viewer confirms it, or
//! chooses another reading.

use super::{
    follow::{Understood, surely},
    sentences::{self, READ_AS, cell, small},
};
use crate::{
    language::words::capitalised,
    markdown::escaped,
    reading::{Context, Draft, Meaning, Named, composed, readings},
    world::{Thing, World},
};

/// The question that confirms a reading.
pub(super) const YES: &str = "Yes, show it";
/// What else confirms a reading.
const YESES: [&str; 10] =
    ["yes show it", "yes", "yes please", "yes that", "yes exactly", "yes that is what i mean", "ja", "oui", "sí", "si"];
/// The most other readings that are offered.
const MOST: usize = 2;
/// The most other readings that are tried.
const TRIED: usize = 8;
/// The most words that are named.
const WORDS: usize = 3;

/// Whether a message confirms the reading of the one before.
pub(super) fn is_yes(message: &str) -> bool {
    let bare: String = message.chars().filter(|letter| letter.is_alphanumeric() || letter.is_whitespace()).collect();
    let words: Vec<String> = bare.split_whitespace().map(str::to_lowercase).collect();
    YESES.contains(&words.join(" ").as_str())
}

/// Why the reading may be wrong, and whether it is meant.
pub(super) fn question(draft: &Draft, world: &World) -> String {
    let mut text = "I am not sure that this is what you mean.".to_owned();
    if let Some((word, named)) = draft.seen.weakest() {
        let label = match named {
            Named::Thing(Thing::Table(table)) => world.tables[table].label.clone(),
            Named::Thing(Thing::Field(field) | Thing::Term(field, ..)) => world.fields[field].label.clone(),
            Named::Thing(Thing::Declared(number)) => world.numbers[number].label.clone(),
            Named::Thing(Thing::Money(_)) => "Revenue".to_owned(),
            Named::Value(value, field) => format!("{} {}", small(&world.fields[field].label), cell(value)),
        };
        text += &format!(" I took \"{}\" for **{}**.", escaped(word), escaped(&label));
    }
    let idle: Vec<String> = draft.seen.idle().take(WORDS).map(|word| format!("\"{}\"", escaped(word))).collect();
    if !idle.is_empty() {
        text += &format!(" I did not use {}.", idle.join(", "));
    }
    text + " Should I show it?"
}

/// The nearest other readings, as questions that are read so.
pub(super) fn others(asked: &[&str], draft: &Draft, meaning: &Meaning, context: Context<'_>) -> Vec<String> {
    let Some(last) = asked.last() else { return Vec::new() };
    let over_other_rows = composed(draft, context).into_iter().map(|(meaning, _)| meaning);
    let known = readings(last, context).into_iter().filter(|reading| reading.draft.unknown.is_empty());
    let mut tried: Vec<Meaning> = vec![meaning.clone()];
    let mut found = Vec::new();
    for other in known.filter_map(|reading| reading.meaning).chain(over_other_rows) {
        if tried.contains(&other) {
            continue;
        }
        let text = sentences::understood(&other, context.world);
        let text = text.strip_prefix(READ_AS).unwrap_or(&text).trim_end_matches('.').trim_start_matches("the ");
        if matches!(surely(text, None, context), Some(Understood::Meaning(read)) if *read == other) {
            found.push(capitalised(text));
        }
        tried.push(other);
        if found.len() == MOST || tried.len() > TRIED {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_alone_confirms() {
        for yes in [YES, "yes", "Yes!", "yes, please", "Ja", "sí"] {
            assert!(is_yes(yes), "{yes}");
        }
        for other in ["yes, by month", "show it", "ok", "no", "", "yes show it as a pie"] {
            assert!(!is_yes(other), "{other}");
        }
    }
}
