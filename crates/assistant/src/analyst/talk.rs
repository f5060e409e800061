//! Messages without a query: what can be asked, and what was not understood.

use super::{follow::Refusal, knowledge::Knowledge, sentences::small};
use crate::language::words::plural;
use crate::{markdown::escaped, scope::Scope};

/// Example questions: the workspace's own, then some from the catalogue.
pub(super) fn suggestions(scope: &Scope, knowledge: &Knowledge) -> Vec<String> {
    let mut found: Vec<String> = scope.example_questions.clone();
    for (place, table) in knowledge.tables.iter().enumerate() {
        let rows = small(&table.label);
        // A column with several values that is not a key.
        let is_key = |at| knowledge.links.iter().any(|link| link.to == at);
        let texts = || {
            knowledge
                .columns_of(place)
                .filter(|(at, column)| column.is_text() && !is_key(*at) && !knowledge.values.is_single(*at))
        };
        let splits =
            texts().find(|(at, _)| knowledge.link_of(*at).is_some() || (2..100).contains(&knowledge.values.count(*at)));
        let split = splits.or_else(|| texts().next()).map(|(_, column)| small(&column.label));
        let measure = knowledge.measures(place).next().map(|(_, column)| small(&column.label));
        let has_time = knowledge.time(place).is_some();
        if has_time {
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
    found.truncate(5);
    found
}

fn list(questions: &[String]) -> String {
    questions.iter().map(|question| format!("\n- {}", escaped(question))).collect()
}

/// What can be asked.
pub(super) fn help(scope: &Scope, knowledge: &Knowledge) -> String {
    let mut text = String::from("You can ask me about:\n");
    for table in &knowledge.tables {
        let columns: Vec<String> = table.columns.iter().map(|column| escaped(&small(&column.label))).collect();
        text += &format!("\n- **{}**: {}", escaped(&table.label), columns.join(", "));
    }
    text += "\n\nI can count, sum, average and compare, by any of these and over time. You can also refine the last answer: \"only …\", \"by month\", \"as a pie\".\n\nFor example:\n";
    text + &list(&suggestions(scope, knowledge))
}

pub(super) fn greeting(scope: &Scope, knowledge: &Knowledge) -> String {
    format!("Hello! Ask me about your data, for example:\n{}", list(&suggestions(scope, knowledge)))
}

pub(super) fn thanks() -> String {
    "You are welcome. Ask another question at any time.".to_owned()
}

/// Why there is no answer, and what can be asked instead.
pub(super) fn refusal(refusal: &Refusal, scope: &Scope, knowledge: &Knowledge) -> String {
    let why = match refusal {
        Refusal::Unknown(words) => {
            let words: Vec<String> = words.iter().take(4).map(|word| format!("\"{}\"", escaped(word))).collect();
            format!("I did not understand {}: nothing in this data has that name.", words.join(", "))
        }
        Refusal::Beyond => "I can show what the data contains, but I cannot explain causes or make forecasts.".to_owned(),
        Refusal::Empty => "I did not understand that as a question about this data.".to_owned(),
    };
    format!("{why}\n\nYou could ask:\n{}", list(&suggestions(scope, knowledge)))
}
