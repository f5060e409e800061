//! The reading of a question, as a sentence and as a chart title.

use crate::{
    conversation::Proof,
    language::{
        cues::Aggregate,
        grain::Grain,
        words::{capitalised, plural, stem},
    },
    markdown::escaped,
    reading::{Condition, Group, Meaning, Num, Place},
    world::World,
};
use serde_json::Value;

const WEEKDAYS: [&str; 7] = ["Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays"];

/// A name within a sentence: in lower case, unless it is an abbreviation or has capitals of its own.
pub(super) fn small(label: &str) -> String {
    let own_capitals = label.split(' ').any(|word| word.chars().skip(1).any(char::is_uppercase));
    if own_capitals { label.to_owned() } else { label.to_lowercase() }
}

/// The name of a field as it is reached: "destination", "destination city", "customer name".
fn place_name(place: &Place, world: &World) -> String {
    let own = small(&world.fields[place.field].label);
    let Some(key) = place.way.fields.last() else { return own };
    let key = small(&world.fields[*key].label);
    let role = [" id", " code", " key", "id"].iter().find_map(|tail| key.strip_suffix(tail)).unwrap_or(&key).trim().to_owned();
    if role.is_empty() || own.contains(&role) { own } else { format!("{role} {own}") }
}

/// A table's name for one of its rows.
pub(super) fn singular(rows: &str) -> String {
    rows.split(' ').map(stem).collect::<Vec<_>>().join(" ")
}

fn rows_name(meaning: &Meaning, world: &World) -> String {
    small(&world.tables[meaning.fact].label)
}

/// A chart's title: "Average delay by month".
pub(super) fn title(meaning: &Meaning, world: &World) -> String {
    let what = if meaning.rows.is_some() {
        world.tables[meaning.fact].label.clone()
    } else if meaning.numbers.is_empty() || meaning.lacking.is_some() {
        let names: Vec<String> = said_groups(meaning, world).map(|group| plural(&small(&group_label(group, world)))).collect();
        let lacking =
            meaning.lacking.map(|table| format!(" without {}", small(&world.tables[table].label))).unwrap_or_default();
        if names.is_empty() {
            format!("{}{lacking}", world.tables[meaning.fact].label)
        } else {
            format!("{}{lacking}", names.join(" and "))
        }
    } else {
        let numbers: Vec<String> = meaning.numbers.iter().map(|number| number_label(number, meaning, world)).collect();
        let mut text = numbers.join(" and ");
        if !meaning.groups.is_empty() {
            let groups: Vec<String> = said_groups(meaning, world).map(|group| small(&group_label(group, world))).collect();
            text += &format!(" by {}", groups.join(" and "));
        }
        text
    };
    let notes: Vec<String> = meaning
        .conditions
        .iter()
        .map(|condition| condition_words(condition, world, false))
        .filter(|note| !note.is_empty())
        .collect();
    let what = capitalised(&what);
    if notes.is_empty() { what } else { format!("{what}, {}", notes.join(", ")) }
}

/// The label of a group.
pub(super) fn group_label(group: &Group, world: &World) -> String {
    match group.grain {
        Some(grain) => capitalised(grain.words()),
        None => capitalised(&place_name(&group.place, world)),
    }
}

/// The label of a number.
pub(super) fn number_label(number: &Num, meaning: &Meaning, world: &World) -> String {
    let rows = rows_name(meaning, world);
    match number {
        Num::Count => world.tables[meaning.fact].label.clone(),
        Num::Declared(at) => world.numbers[*at].label.clone(),
        Num::Money(_) => "Revenue".to_owned(),
        Num::Distinct(place) => capitalised(&distinct_words(place, world)),
        Num::Of(how, place) => capitalised(&format!("{} {}", aggregate_words(*how), place_name(place, world))),
        Num::Matching(of, part) => format!("{} {}", number_label(of, meaning, world), part_words(part, world, false)),
        Num::Out(part, whole) => {
            format!(
                "Share of {} of {}",
                small(&number_label(part, meaning, world)),
                small(&number_label(whole, meaning, world))
            )
        }
        Num::Part(of, part) if **of == Num::Count => format!("Share of {rows} {}", part_words(part, world, false)),
        Num::Part(of, part) => {
            format!("Share of {} {}", small(&number_label(of, meaning, world)), part_words(part, world, false))
        }
        Num::OfTotal(of) => format!("Share of {}", small(&number_label(of, meaning, world))),
        Num::Per(of, by) => {
            format!(
                "{} per {}",
                number_label(of, meaning, world),
                singular(small(&number_label(by, meaning, world)).trim_start_matches("different "))
            )
        }
        Num::Spread(_) => world.tables[meaning.fact].label.clone(),
        Num::PerPeriod(_, grain, of) => {
            let of =
                of.as_ref().map_or_else(|| world.tables[meaning.fact].label.clone(), |of| world.fields[of.field].label.clone());
            format!("{of} per {}, on average", grain.words())
        }
        Num::Running(of) => format!("{}, running total", number_label(of, meaning, world)),
        Num::Moving(of, periods) => format!("{}, mean of {periods}", number_label(of, meaning, world)),
        Num::InUnit(of, unit, _) => format!("{} in {}", number_label(of, meaning, world), unit.words()),
        Num::Growth(of, ..) => format!("Growth of {}", small(&number_label(of, meaning, world))),
    }
}

/// A counted thing: its rows where the field is their key.
fn distinct_words(place: &Place, world: &World) -> String {
    let table = &world.tables[world.fields[place.field].table];
    if table.key == Some(place.field) {
        small(&table.label)
    } else {
        format!("different {}", plural(&place_name(place, world)))
    }
}

/// A number of many values, as a sentence says it.
const fn aggregate_words(how: Aggregate) -> &'static str {
    match how {
        Aggregate::Count | Aggregate::Distinct => "number of",
        Aggregate::Sum => "total",
        Aggregate::Average => "average",
        Aggregate::Median => "median",
        Aggregate::Least => "lowest",
        Aggregate::Greatest => "highest",
    }
}

/// "that are late", "with destination ATL".
fn part_words(part: &[Condition], world: &World, marked: bool) -> String {
    part.iter().map(|condition| condition_words(condition, world, marked)).collect::<Vec<_>>().join(" and ")
}

/// What the reading of a question begins with.
pub(super) const READ_AS: &str = "I read this as ";

/// How a question was worked out that no query of the semantic model says: by the reading itself.
pub(super) fn proof(meaning: &Meaning, world: &World) -> Proof {
    let understood = understood(meaning, world);
    let sentence = understood.strip_prefix(READ_AS).map_or(understood.as_str(), |rest| rest);
    Proof { sentence: capitalised(sentence), ..Proof::default() }
}

/// The reading of the question.
pub(super) fn understood(meaning: &Meaning, world: &World) -> String {
    let rows = rows_name(meaning, world);
    let mut text = if let Some(by) = meaning.rows {
        rows_words(meaning, by, &rows, world)
    } else if let Some(other) = meaning.lacking {
        format!("the {rows} without {}", small(&world.tables[other].label))
    } else if meaning.numbers.is_empty() {
        let names: Vec<String> = said_groups(meaning, world).map(|group| small(&group_label(group, world))).collect();
        format!("the list of {} of {rows}", names.join(" and "))
    } else {
        meaning.numbers.iter().map(|number| number_words(number, meaning, world)).collect::<Vec<_>>().join(" and ")
    };
    if !meaning.groups.is_empty() && !meaning.numbers.is_empty() && meaning.lacking.is_none() {
        let groups: Vec<String> = said_groups(meaning, world).map(|group| small(&group_label(group, world))).collect();
        text += &format!(" by {}", groups.join(" and "));
    }
    for condition in &meaning.conditions {
        text += &format!(" {}", condition_words(condition, world, true));
    }
    for (comparison, value) in &meaning.having {
        text += &format!(", where that is {} {value}", comparison.words());
    }
    if let (Some(limit), false, Some(down)) = (meaning.limit, meaning.groups.is_empty(), meaning.descending) {
        let end = if down { "highest" } else { "lowest" };
        text += &if limit == 1 { format!(", the {end}") } else { format!(", the {limit} {end}") };
        if meaning.of_each {
            text += &format!(" of each {}", small(&group_label(&meaning.groups[0], world)));
        }
    }
    format!("{READ_AS}{text}.")
}

fn rows_words(meaning: &Meaning, by: Option<usize>, rows: &str, world: &World) -> String {
    let end = if meaning.descending == Some(false) { "lowest" } else { "highest" };
    let rows = match meaning.limit {
        Some(1) => singular(rows),
        Some(limit) => format!("{limit} {rows}"),
        None => rows.to_owned(),
    };
    match by.or(world.tables[meaning.fact].time) {
        Some(field) if world.fields[field].kind == crate::world::Kind::Time => {
            format!("the {} {rows}", if end == "lowest" { "first" } else { "latest" })
        }
        Some(field) => format!("the {rows} with the {end} {}", small(&world.fields[field].label)),
        None => format!("the {rows}"),
    }
}

fn number_words(number: &Num, meaning: &Meaning, world: &World) -> String {
    let rows = rows_name(meaning, world);
    match number {
        Num::Count | Num::Spread(_) => format!("the number of {rows}"),
        Num::Distinct(place) => format!("the number of {}", distinct_words(place, world)),
        Num::Of(how, place) => format!("the {} {} of {rows}", aggregate_words(*how), place_name(place, world)),
        Num::Money(at) => {
            let money = world.money[*at];
            let off = if money.discount.is_some() { ", less discount" } else { "" };
            let [price, quantity] = [money.price, money.quantity].map(|field| small(&world.fields[field].label));
            format!("the revenue ({price} × {quantity}{off})")
        }
        Num::Out(part, whole) => format!(
            "the share of {} of {}",
            small(&number_label(part, meaning, world)),
            small(&number_label(whole, meaning, world))
        ),
        Num::Part(of, part) => {
            format!("the share of {} {}", small(&number_label(of, meaning, world)), part_words(part, world, true))
        }
        other => format!("the {}", small(&number_label(other, meaning, world))),
    }
}

/// One condition. `marked`: as Markdown, with escaped values.
pub(super) fn condition_words(condition: &Condition, world: &World, marked: bool) -> String {
    let place = condition.place();
    let name = place_name(place, world);
    match condition {
        Condition::In { values, negated, .. } => {
            let texts: Vec<String> =
                values.iter().map(|value| if marked { escaped(&cell(value)) } else { cell(value) }).collect();
            let with = if *negated { "without" } else { "with" };
            format!("{with} {name} {}", texts.join(" or "))
        }
        Condition::Number { comparison, value, word, .. } => {
            let unit = world.fields[place.field].unit.map(|unit| format!(" {}", unit.sign())).unwrap_or_default();
            let exact = format!("{name} {} {value}{unit}", comparison.words());
            match word {
                Some(word) if marked => format!("that are {word} ({exact})"),
                Some(word) => format!("that are {word}"),
                None => format!("with {exact}"),
            }
        }
        Condition::Flag { set, .. } => format!("that are {}{name}", if *set { "" } else { "not " }),
        Condition::Present { present, .. } => format!("{} {name}", if *present { "with" } else { "without" }),
        Condition::Spans { spans, .. } => {
            let words = spans.iter().map(crate::language::span::Span::words).collect::<Vec<_>>().join(" and ");
            let usual = world.time_of(world.fields[place.field].table) == Some(place.field)
                || world.fields[place.field].kind == crate::world::Kind::Year;
            if usual { words } else { format!("{words} ({name})") }
        }
        Condition::Days { days, negated, .. } => {
            let days: Vec<&str> = days.iter().filter_map(|day| WEEKDAYS.get(usize::from(*day)).copied()).collect();
            format!("{} {}", if *negated { "not on" } else { "on" }, days.join(", "))
        }
        Condition::Hours { from, to, .. } => format!("between {from:02}:00 and {to:02}:00"),
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

/// The groups as they are said: the key that only tells namesakes apart is left out.
fn said_groups<'a>(meaning: &'a Meaning, world: &'a World) -> impl Iterator<Item = &'a Group> {
    meaning
        .groups
        .iter()
        .enumerate()
        .filter(move |(at, group)| {
            let table = world.fields[group.place.field].table;
            let of_name =
                |before: &Group| world.tables[table].title.contains(&before.place.field) && before.place.way == group.place.way;
            let is_key = world.tables[table].key == Some(group.place.field) && world.tables[table].has_namesakes;
            !(is_key && meaning.groups[..*at].iter().any(of_name))
        })
        .map(|(_, group)| group)
}
