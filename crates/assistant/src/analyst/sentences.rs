//! Last stage: the interpretation of the question, as a sentence and as a chart title.

use super::{
    intent::{ColumnPath, ColumnRef, Dimension, Grain, Intent, IntentCondition, Measure, aggregate_words},
    knowledge::Knowledge,
};
use crate::language::words::{plural, stem};
use crate::markdown::escaped;
use serde_json::Value;

const WEEKDAYS: [&str; 7] = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];

/// A name within a sentence: in lower case, unless it is an abbreviation or has capitals of its own.
pub(super) fn small(label: &str) -> String {
    let own_capitals = label.split(' ').any(|word| word.chars().skip(1).any(char::is_uppercase));
    if own_capitals { label.to_owned() } else { label.to_lowercase() }
}

fn named(at: ColumnRef, knowledge: &Knowledge) -> String {
    small(&knowledge.column(at).label)
}

/// The name of a column: "destination", "destination city", "customer name".
fn place_name(place: ColumnPath, knowledge: &Knowledge) -> String {
    let Some(key) = place.via else { return named(place.column, knowledge) };
    let key = named(key, knowledge);
    let role = [" id", " code", " key"].iter().find_map(|tail| key.strip_suffix(tail)).unwrap_or(&key);
    format!("{role} {}", named(place.column, knowledge))
}

fn singular(rows: &str) -> String {
    rows.split(' ').map(stem).collect::<Vec<_>>().join(" ")
}

fn rows_name(intent: &Intent, knowledge: &Knowledge) -> String {
    small(&knowledge.tables[intent.table].label)
}

/// A chart's title: "Average delay by month".
pub(super) fn title(intent: &Intent, knowledge: &Knowledge) -> String {
    let what = if intent.rows_by.is_some() {
        knowledge.tables[intent.table].label.clone()
    } else {
        let measures: Vec<String> = intent.measures.iter().map(|measure| measure_label(measure, intent, knowledge)).collect();
        let mut text = measures.join(" and ");
        if !intent.dimensions.is_empty() {
            let dimensions: Vec<String> =
                intent.dimensions.iter().map(|dimension| small(&dimension_label(*dimension, knowledge))).collect();
            text += &format!(" by {}", dimensions.join(" and "));
        }
        text
    };
    let mut notes = intent.conditions.iter().map(|condition| condition_words(condition, knowledge, false)).collect::<Vec<_>>();
    notes.retain(|note| !note.is_empty());
    let what = capital(&what);
    if notes.is_empty() { what } else { format!("{what}, {}", notes.join(", ")) }
}

/// The label of a dimension.
pub(super) fn dimension_label(dimension: Dimension, knowledge: &Knowledge) -> String {
    match dimension.grain {
        Some(grain) => capital(grain.words()),
        None => capital(&place_name(dimension.place, knowledge)),
    }
}

/// The label of a measure.
pub(super) fn measure_label(measure: &Measure, intent: &Intent, knowledge: &Knowledge) -> String {
    let rows = rows_name(intent, knowledge);
    match measure {
        Measure::Count => knowledge.tables[intent.table].label.clone(),
        Measure::Matching(part) => format!("{} {}", knowledge.tables[intent.table].label, part_words(part, knowledge, false)),
        Measure::Distinct(place) => capital(&format!("different {}", plural(&place_name(*place, knowledge)))),
        Measure::Of(aggregate, place) => capital(&format!("{} {}", aggregate_words(*aggregate), place_name(*place, knowledge))),
        Measure::Share(part) => format!("Share of {rows} {}", part_words(part, knowledge, false)),
        Measure::OfTotal(None) => format!("Share of all {rows}"),
        Measure::OfTotal(Some(place)) => format!("Share of {}", place_name(*place, knowledge)),
        Measure::PerPeriod(_, grain) => format!("{} per {}, on average", knowledge.tables[intent.table].label, grain.words()),
    }
}

/// "that are late", "with destination ATL".
fn part_words(part: &[IntentCondition], knowledge: &Knowledge, marked: bool) -> String {
    part.iter().map(|condition| condition_words(condition, knowledge, marked)).collect::<Vec<_>>().join(" and ")
}

/// The interpretation of the question.
pub(super) fn understood(intent: &Intent, knowledge: &Knowledge) -> String {
    let rows = rows_name(intent, knowledge);
    let mut text = if let Some(by) = intent.rows_by {
        let end = if intent.descending == Some(false) { "lowest" } else { "highest" };
        let rows =
            if intent.limit == Some(1) { singular(&rows) } else { format!("{} {rows}", intent.limit.unwrap_or_default()) };
        match by.or_else(|| knowledge.time(intent.table)) {
            Some(column) if knowledge.column(column).is_time() => {
                format!("the {} {rows}", if end == "lowest" { "first" } else { "latest" })
            }
            Some(column) => format!("the {rows} with the {end} {}", named(column, knowledge)),
            None => format!("{rows} in the default order"),
        }
    } else {
        intent.measures.iter().map(|measure| measure_words(measure, intent, knowledge)).collect::<Vec<_>>().join(" and ")
    };
    if !intent.dimensions.is_empty() {
        let dimensions: Vec<String> =
            intent.dimensions.iter().map(|dimension| small(&dimension_label(*dimension, knowledge))).collect();
        text += &format!(" by {}", dimensions.join(" and "));
    }
    for condition in &intent.conditions {
        text += &format!(" {}", condition_words(condition, knowledge, true));
    }
    if let Some((comparison, value)) = intent.having {
        text += &format!(", where that is {} {value}", comparison.words());
    }
    if let (Some(limit), false, Some(down)) = (intent.limit, intent.dimensions.is_empty(), intent.descending) {
        let end = if down { "highest" } else { "lowest" };
        text += &if limit == 1 { format!(", the {end}") } else { format!(", the {limit} {end}") };
        if intent.of_each {
            text += &format!(" of each {}", small(&dimension_label(intent.dimensions[0], knowledge)));
        }
    }
    format!("I read this as {text}.")
}

fn measure_words(measure: &Measure, intent: &Intent, knowledge: &Knowledge) -> String {
    let rows = rows_name(intent, knowledge);
    match measure {
        Measure::Count => format!("the number of {rows}"),
        Measure::Matching(part) => format!("the number of {rows} {}", part_words(part, knowledge, true)),
        Measure::Distinct(place) => format!("the number of different {}", plural(&place_name(*place, knowledge))),
        Measure::Of(aggregate, place) => {
            format!("the {} {} of {rows}", aggregate_words(*aggregate), place_name(*place, knowledge))
        }
        Measure::Share(part) => format!("the share of {rows} {}", part_words(part, knowledge, true)),
        Measure::OfTotal(None) => format!("the share of all {rows}"),
        Measure::OfTotal(Some(place)) => format!("the share of the total {}", place_name(*place, knowledge)),
        Measure::PerPeriod(_, grain) => format!("the average number of {rows} per {}", grain.words()),
    }
}

/// One condition. `marked`: as Markdown, with escaped values.
pub(super) fn condition_words(condition: &IntentCondition, knowledge: &Knowledge, marked: bool) -> String {
    let name = place_name(condition.place(), knowledge);
    match condition {
        IntentCondition::In { values, negated, .. } => {
            let texts: Vec<String> =
                values.iter().map(|value| if marked { escaped(&cell(value)) } else { cell(value) }).collect();
            let with = if *negated { "without" } else { "with" };
            format!("{with} {name} {}", texts.join(" or "))
        }
        IntentCondition::Number { comparison, value, word, .. } => {
            let unit =
                knowledge.column(condition.place().column).unit.map(|unit| format!(" {}", unit.sign())).unwrap_or_default();
            let exact = format!("{name} {} {value}{unit}", comparison.words());
            match word {
                Some(word) if marked => format!("that are {word} ({exact})"),
                Some(word) => format!("that are {word}"),
                None => format!("with {exact}"),
            }
        }
        IntentCondition::Flag { set, .. } => format!("that are {}{name}", if *set { "" } else { "not " }),
        IntentCondition::Spans { spans, .. } => {
            spans.iter().map(crate::language::span::Span::words).collect::<Vec<_>>().join(" and ")
        }
        IntentCondition::Days { days, negated, .. } => {
            let days: Vec<&str> = days.iter().filter_map(|day| WEEKDAYS.get(usize::from(*day)).copied()).collect();
            format!("{} {}", if *negated { "not on" } else { "on" }, days.join(", "))
        }
        IntentCondition::Hours { from, to, .. } => format!("between {from:02}:00 and {to:02}:00"),
    }
}

/// A cell as text.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => "(none)".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The text of a period's cell.
pub(super) fn period(value: &Value, grain: Grain) -> String {
    let text = cell(value);
    let Some(day) = text.get(..10).and_then(|day| day.parse::<chrono::NaiveDate>().ok()) else {
        return if grain == Grain::Hour { format!("{text}:00") } else { text };
    };
    match grain {
        Grain::Month => day.format("%B %Y").to_string(),
        Grain::Year => day.format("%Y").to_string(),
        Grain::Week => day.format("the week of %-d %B %Y").to_string(),
        Grain::Quarter => format!("Q{} {}", chrono::Datelike::month0(&day) / 3 + 1, day.format("%Y")),
        _ => day.format("%-d %B %Y").to_string(),
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
