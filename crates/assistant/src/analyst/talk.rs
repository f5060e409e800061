//! Messages without a query: what can be asked, and what was not understood.

use super::{follow::Refusal, instead::nearest, sentences::small};
use crate::{
    causes::Unclear,
    language::{foreign::InEnglish, words::plural},
    markdown::escaped,
    scope::Scope,
    world::{Kind, World},
};

/// The most questions that are suggested at once.
const SUGGESTED: usize = 5;

/// The languages that are spoken.
const LANGUAGES: &str = "I understand English, German, French and Spanish, and answer in English.";

/// Example questions: the workspace's own, then some from the catalogue.
pub(super) fn suggestions(scope: &Scope, world: &World) -> Vec<String> {
    let mut found: Vec<String> = scope.example_questions.clone();
    for (place, table) in world.tables.iter().enumerate() {
        let rows = small(&table.label);
        let splits = world.fields_of(place).find(|(at, field)| {
            let distinct = field.distinct.unwrap_or_default();
            table.key != Some(*at)
                && (field.refers.is_some() || field.kind == Kind::Category)
                && (2.0..1000.0).contains(&distinct)
        });
        let split =
            splits.map(|(_, field)| field.refers.map_or_else(|| small(&field.label), |to| small(&world.tables[to].label)));
        let measure = world.fields_of(place).find(|(_, field)| field.kind.is_measure()).map(|(_, field)| small(&field.label));
        if world.is_event(place) && table.time.is_some() {
            found.push(format!("How many {rows} were there each month?"));
        }
        if let Some(split) = &split {
            found.push(format!("Top 5 {} by number of {rows}", plural(split)));
        }
        match (&measure, &split) {
            (Some(measure), Some(split)) => found.push(format!("Average {measure} by {split}")),
            (Some(measure), None) => found.push(format!("Average {measure}")),
            _ => {}
        }
    }
    let mut seen = Vec::new();
    found.retain(|question| {
        !seen.contains(question) && {
            seen.push(question.clone());
            true
        }
    });
    found.truncate(SUGGESTED);
    found
}

/// What can be asked.
pub(super) fn help(world: &World) -> String {
    let mut text = String::from("You can ask me about:\n");
    for (place, table) in world.tables.iter().enumerate() {
        let fields: Vec<String> = world.fields_of(place).map(|(_, field)| escaped(&small(&field.label))).collect();
        text += &format!("\n- **{}**: {}", escaped(&table.label), fields.join(", "));
    }
    if !world.numbers.is_empty() {
        let numbers: Vec<String> = world.numbers.iter().map(|number| escaped(&small(&number.label))).collect();
        text += &format!("\n- **Measures**: {}", numbers.join(", "));
    }
    text + "\n\n"
        + LANGUAGES
        + " I can count, sum, average and compare, by any of these and over time. You can also refine the last answer: \"only …\", \"by month\", \"as a pie\"."
}

/// Why there is no answer, and what can be asked instead: `rest`, the question without the words that stand in the way, comes first.
pub(super) fn refusal(
    refusal: &Refusal,
    message: &InEnglish,
    rest: Vec<String>,
    scope: &Scope,
    world: &World,
) -> (String, Vec<String>) {
    let why = match refusal {
        _ if message.text.trim().is_empty() => help(world),
        Refusal::Help => help(world),
        Refusal::Greeting => "Hello! Ask me about your data.".to_owned(),
        Refusal::Thanks => return ("You are welcome. Ask another question at any time.".to_owned(), Vec::new()),
        Refusal::Unknown(words, _) => {
            let named: Vec<String> =
                words.iter().take(4).map(|word| format!("\"{}\"", escaped(message.as_asked(word)))).collect();
            let why = format!("I did not understand {}: nothing in this data has that name.", named.join(", "));
            let why = words.iter().take(4).fold(why, |why, word| why + &meant(word, message, world));
            // Most of it is strange: hardly a word of the data, but another language.
            let is_foreign = words.iter().any(|word| word.chars().any(|letter| letter.is_alphabetic() && letter > 'ɏ'));
            let is_strange = is_foreign || words.len() > 1 && words.len() * 2 >= message.text.split_whitespace().count();
            if is_strange { format!("{why} {LANGUAGES}") } else { why }
        }
        Refusal::Apart => "I know these words, but no table of this data answers them together.".to_owned(),
        Refusal::Beyond => "I can show what the data contains, but I cannot make forecasts or give advice.".to_owned(),
        Refusal::Why => "I can show where a number changed. Name the number and the period.".to_owned(),
        Refusal::Unclear(Unclear::Number) => {
            "I can show where a number changed, but this question is not about one number.".to_owned()
        }
        Refusal::Unclear(Unclear::Time) => "I cannot compare periods: these rows have no date.".to_owned(),
        Refusal::Unclear(Unclear::Periods) => "I cannot tell which two periods to compare. Name them.".to_owned(),
        Refusal::Alone => "This goes on from a question that I could not read. Ask it as a whole question.".to_owned(),
        Refusal::Empty => format!("I did not understand that as a question about this data. {LANGUAGES}"),
    };
    let mut questions = rest;
    questions.extend(suggestions(scope, world));
    questions.truncate(SUGGESTED);
    (why, questions)
}

/// What an unknown word could mean.
fn meant(word: &str, message: &InEnglish, world: &World) -> String {
    let near: Vec<String> = nearest(word, world).iter().map(|name| format!("**{}**", escaped(name))).collect();
    if near.is_empty() {
        String::new()
    } else {
        format!(" \"{}\" could mean {}.", escaped(message.as_asked(word)), near.join(" or "))
    }
}
