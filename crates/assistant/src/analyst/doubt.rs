//! What is said where a reading is probably wrong: how the question was read and which words speak against it. The viewer confirms it, or
//! chooses another reading.

use super::{
    follow::{Understood, continued},
    sentences::{self, READ_AS, cell, small},
};
use crate::{
    confidence::Confidence,
    conversation::{Message, Role},
    language::words::capitalised,
    markdown::escaped,
    reading::{Context, Draft, Meaning, Named, composed, readings},
    world::{Thing, World},
};

/// The question that confirms a reading.
pub(super) const YES: &str = "Yes, show it";
/// How a message that asks back ends.
const ASKS: &str = "Is this what you mean?";
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
    YESES.contains(&bare(message).as_str())
}

/// The words of a message in lower case, without punctuation.
fn bare(message: &str) -> String {
    let bare: String = message.chars().filter(|letter| letter.is_alphanumeric() || letter.is_whitespace()).collect();
    bare.split_whitespace().map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// Whether the last answer of a conversation asks back.
pub(super) fn asks_back(conversation: &[Message]) -> bool {
    let last = conversation.iter().rfind(|message| message.role == Role::Assistant);
    last.is_some_and(|last| last.text.trim_end().ends_with(ASKS))
}

/// Whether a message is the question that [`others`] offers for this meaning.
pub(super) fn is_offered(message: &str, meaning: &Meaning, world: &World) -> bool {
    bare(message) == bare(&in_own_words(meaning, world))
}

/// A meaning as a question.
fn in_own_words(meaning: &Meaning, world: &World) -> String {
    let text = sentences::understood(meaning, world);
    capitalised(text.strip_prefix(READ_AS).unwrap_or(&text).trim_end_matches('.').trim_start_matches("the "))
}

/// Why the reading may be wrong, and whether it is meant. `finding` is what the rows say: it is told where there is nothing.
pub(super) fn question(draft: &Draft, confidence: &Confidence, finding: &str, world: &World) -> String {
    let mut text = "I am not sure that I read this right.".to_owned();
    match confidence.strongest() {
        Some("nothing of it" | "no number") => text += &format!(" {finding}"),
        Some(evidence) => text.extend(reason(evidence).map(|reason| format!(" {reason}"))),
        None => {}
    }
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
    format!("{text} {ASKS}")
}

/// Evidence in words, unless the words that were named say it.
fn reason(evidence: &str) -> Option<&'static str> {
    Some(match evidence {
        "count that is not said" | "count of rows that are not named" | "rows that nothing names" | "money that is counted" => {
            "I counted rows, because I found no other number."
        }
        "mean that is not said" | "declared mean that is not said" | "mean of a plural" => "I took the average.",
        "sum that is not said" => "I took the sum.",
        "distinct" => "I counted different values.",
        "list of names" => "I took it for a list without a number.",
        "share of each" => "I took it for the share of each group in the total.",
        "parts that are not said" | "words of numbers that are not said" => "The number has a longer name than you used.",
        "time among several" => "These rows have several dates.",
        "periods that are not asked for" => "I split the number by period.",
        "single group that is not asked for" | "per and by" => "I may have grouped it by more than you asked for.",
        "names that are values" => "A word is both a name and a value of the data.",
        "all of it" => "The result is 0 % or 100 %.",
        "one in each group" | "alike in all groups" => "Each group has the same number.",
        "gaps in names" => "Some groups have no name.",
        _ => return None,
    })
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
        let text = in_own_words(&other, context.world);
        if matches!(continued(&text, Some(draft), context), Understood::Meaning(read) if *read == other) {
            found.push(text);
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
