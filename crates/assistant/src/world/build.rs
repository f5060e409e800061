//! Builds the world from the catalogue and the semantic model, before rows are read.

use super::{
    Declared, Field, Kind, Table, Thing, World,
    labels::{expanded, without_unit},
    money,
    names::stems,
};
use crate::{
    language::{
        unit::Unit,
        words::{capitalised, plural, spaced},
    },
    scope::{ColumnModel, Comparison, Scope, Term, TermValue, Words},
};
use inlay_contract::data::ColumnType;

/// Words with which names of keys end.
pub(super) const ENDS: &[&str] = &["id", "key", "uuid", "guid", "sk"];
/// What people are called.
const PEOPLE: &[&str] = &[
    "customer", "employee", "person", "people", "user", "player", "staff", "artist", "patient", "doctor", "member", "actor",
    "director", "driver", "student", "teacher", "agent", "contact", "client",
];
/// Words of a time that is not when a row happened.
const OTHER_TIMES: &[&str] = &[
    "ship",
    "shipped",
    "required",
    "due",
    "delivery",
    "delivered",
    "end",
    "ended",
    "update",
    "updated",
    "modified",
    "birth",
    "born",
    "return",
    "returned",
    "last",
    "closed",
    "death",
    "debut",
    "final",
    "resolved",
    "paid",
];

/// What the catalogue and the semantic model say.
pub(super) fn of(scope: &Scope) -> World {
    let mut world = World::default();
    for (place, table) in scope.tables.iter().enumerate() {
        let bare = table.name.rsplit('.').next().unwrap_or_default();
        let label = table.label.clone().unwrap_or_else(|| plural(&called(bare)));
        let words = stems(&label);
        let is_people = words.iter().chain(&stems(&spaced(bare))).any(|word| PEOPLE.contains(&word.as_str()));
        world.tables.push(Table { name: table.name.clone(), label: plural(&label), is_people, ..Table::default() });
        world.fields.extend(table.columns.iter().map(|column| field(place, column)));
    }
    declared_dimensions(&mut world, scope);
    declared_numbers(&mut world, scope);
    world
}

/// The name of a table in words, without what says that it is one: `tblStudent`, `dim_customer`.
fn called(table: &str) -> String {
    let words = expanded(&spaced(table));
    let words: Vec<&str> = words.split(' ').collect();
    let marks = |word: &&str| matches!(*word, "tbl" | "table" | "dim" | "fact" | "fct" | "vw" | "stg");
    let own: Vec<&str> = words.iter().copied().filter(|word| !marks(word)).collect();
    if own.is_empty() { words } else { own }.join(" ")
}

fn field(table: usize, column: &ColumnModel) -> Field {
    let name = spaced(&column.name);
    // What a label holds in brackets is a unit.
    let label = column.label.as_deref().map(|label| without_unit(label.split('(').next().unwrap_or(label).trim()));
    let label = label.filter(|label| !label.is_empty());
    let whole = expanded(&name);
    let mut called: Vec<Vec<String>> =
        label.into_iter().chain([whole.as_str()]).chain(column.synonyms.iter().map(String::as_str)).map(stems).collect();
    called.dedup();
    let heading = column.label.clone().unwrap_or_default().to_lowercase();
    let description = column.description.clone().unwrap_or_default().to_lowercase();
    Field {
        table,
        name: column.name.clone(),
        label: label.map_or_else(|| capitalised(&name), str::to_owned),
        called,
        kind: Kind::Category,
        column_type: Some(column.kind),
        is_column: true,
        unit: unit(&format!("{heading} {name} {description}")),
        terms: if column.terms.is_empty() { usual_terms(column) } else { column.terms.clone() },
        distinct: None,
        has_gaps: false,
        range: None,
        days: None,
        longest: None,
        refers: None,
    }
}

fn declared_dimensions(world: &mut World, scope: &Scope) {
    let Some(model) = &scope.model else { return };
    for semantic in &model.tables {
        let Some(table) = world.tables.iter().position(|table| table.name == semantic.name) else { continue };
        for dimension in &semantic.dimensions {
            let Some(name) = dimension.name.strip_prefix(&format!("{}.", semantic.name)) else { continue };
            if world.fields_of(table).any(|(_, field)| field.name == name) {
                continue;
            }
            let Words { label, synonyms, .. } = &dimension.words;
            let label = label.clone().unwrap_or_else(|| capitalised(&spaced(name)));
            let called =
                [label.as_str(), &spaced(name)].into_iter().chain(synonyms.iter().map(String::as_str)).map(stems).collect();
            world.fields.push(Field {
                table,
                name: name.to_owned(),
                label,
                called,
                kind: Kind::Category,
                column_type: None,
                is_column: false,
                unit: None,
                terms: Vec::new(),
                distinct: None,
                has_gaps: false,
                range: None,
                days: None,
                longest: None,
                refers: None,
            });
        }
        let time = semantic.time.as_ref().and_then(|time| time.strip_prefix(&format!("{}.", semantic.name)));
        let time = time.and_then(|time| world.fields_of(table).find(|(_, field)| field.name == time)).map(|(at, _)| at);
        world.tables[table].time = time;
    }
}

fn declared_numbers(world: &mut World, scope: &Scope) {
    for number in scope.model.iter().flat_map(|model| &model.numbers) {
        let facts = number.facts.iter().filter_map(|fact| world.tables.iter().position(|table| table.name == *fact)).collect();
        let Words { label, synonyms, .. } = &number.words;
        let label = label.clone().unwrap_or_else(|| capitalised(&spaced(&number.name)));
        let called =
            [label.as_str(), &spaced(&number.name)].into_iter().chain(synonyms.iter().map(String::as_str)).map(stems).collect();
        world.numbers.push(Declared {
            name: number.name.clone(),
            label,
            facts,
            aggregate: number.aggregate,
            lower_is_better: number.lower_is_better,
            called,
        });
    }
}

/// What is known once types, values and keys are.
pub(super) fn finish(world: &mut World, scope: &Scope) {
    for table in 0..world.tables.len() {
        // What the model says is the time is one, whatever its SQL looks like.
        if let Some(declared) = world.tables[table].time.filter(|time| !world.fields[*time].is_column) {
            world.fields[declared].kind = Kind::Time;
        }
        let title = title(world, table);
        let time = world.tables[table].time.or_else(|| time(world, table));
        let year = world.fields_of(table).find(|(_, field)| field.kind == Kind::Year).map(|(at, _)| at);
        let time = time.filter(|time| world.fields[*time].kind != Kind::Year);
        let known = &mut world.tables[table];
        (known.title, known.time, known.year) = (title, time, year);
        world.money.extend(money::of_table(world, table));
    }
    world.ways = super::ways::all(world);
    name_all(world, scope);
}

/// The fields that name a row: a title, or first and last name.
fn title(world: &World, table: usize) -> Vec<usize> {
    let own = |words: &'static [&'static str]| {
        world.fields_of(table).find(move |(_, field)| {
            field.is_column
                && field.column_type == Some(ColumnType::Text)
                && field.refers.is_none()
                && field.called.iter().any(|called| called.iter().map(String::as_str).eq(words.iter().copied()))
        })
    };
    let pairs: [[&'static [&'static str]; 2]; 3] = [
        [&["first", "name"], &["last", "name"]],
        [&["name", "first"], &["name", "last"]],
        [&["given", "name"], &["family", "name"]],
    ];
    for [first, last] in pairs {
        if let (Some((first, _)), Some((last, _))) = (own(first), own(last)) {
            return vec![first, last];
        }
    }
    let one: Vec<String> = stems(&world.tables[table].label);
    let is_event = world.fields_of(table).any(|(_, field)| field.kind == Kind::Time)
        && world.fields_of(table).any(|(_, field)| field.refers.is_some());
    let rank = |field: &Field| {
        let called = field.called.iter();
        let best = called.filter_map(|words| {
            let last = words.last()?.as_str();
            let is_name = matches!(last, "name" | "title");
            match words.len() {
                1 if is_name => Some(0),
                _ if is_name && one.iter().any(|word| words.contains(word)) => Some(1),
                _ if is_name && (words[0] == "full" || words[0] == "company" || words[0] == "display") => Some(2),
                1 if one.last().is_some_and(|word| word == last) => Some(3),
                _ if is_name
                    && !is_event
                    && !words
                        .iter()
                        .any(|word| matches!(word.as_str(), "contact" | "file" | "short" | "first" | "last" | "middle")) =>
                {
                    Some(4)
                }
                1 if last == "description" => Some(6),
                _ => None,
            }
        });
        best.min()
    };
    let texts = world
        .fields_of(table)
        .filter(|(_, field)| field.is_column && field.column_type == Some(ColumnType::Text) && field.refers.is_none());
    let best = texts.filter_map(|(at, field)| Some((rank(field)?, at))).min();
    // The only text beside the key of a short list.
    let only = || {
        let key = world.tables[table].key;
        let own = |at: usize| key != Some(at);
        let mut columns = world.fields_of(table).filter(|(at, field)| field.is_column && own(*at));
        let (at, field) = columns.next()?;
        (columns.next().is_none() && key.is_some() && field.column_type == Some(ColumnType::Text)).then_some((8, at))
    };
    best.or_else(only).map(|(_, at)| vec![at]).or_else(|| world.tables[table].key.map(|key| vec![key])).unwrap_or_default()
}

fn time(world: &World, table: usize) -> Option<usize> {
    let times = || world.fields_of(table).filter(|(_, field)| field.kind == Kind::Time);
    let other = |field: &Field| field.called.iter().flatten().any(|word| OTHER_TIMES.contains(&word.as_str()));
    // The date of an appointment says when it was, whatever else has a date.
    let one: Vec<String> = stems(&spaced(world.tables[table].name.rsplit('.').next().unwrap_or_default()));
    let own = |field: &Field| field.called.iter().flatten().any(|word| one.last() == Some(word));
    times()
        .find(|(_, field)| !other(field) && own(field))
        .or_else(|| times().find(|(_, field)| !other(field)))
        .or_else(|| {
            times().find(|(_, field)| {
                !field.called.iter().flatten().any(|word| matches!(word.as_str(), "birth" | "born" | "death"))
            })
        })
        .map(|(at, _)| at)
}

fn name_all(world: &mut World, scope: &Scope) {
    let mut names = super::Names::default();
    for (at, table) in scope.tables.iter().enumerate() {
        let bare = table.name.rsplit('.').next().unwrap_or_default();
        let label = table.label.clone();
        names.add(&called(bare), Thing::Table(at), 1.0);
        if stems(&spaced(bare)).last().is_some_and(|last| matches!(last.as_str(), "line" | "detail" | "item")) {
            ["lines", "line items"].iter().for_each(|name| names.add(name, Thing::Table(at), 0.9));
        }
        for name in label.iter().chain(&table.synonyms) {
            names.add(name, Thing::Table(at), 1.0);
        }
    }
    for (at, field) in world.fields.iter().enumerate() {
        for called in &field.called {
            // An id names the thing, and hardly itself.
            let (words, quality) = match called.split_last() {
                Some((last, before)) if !before.is_empty() && ENDS.contains(&last.as_str()) => {
                    (before.join(" "), if field.refers.is_some() { 0.65 } else { 0.4 })
                }
                _ => (called.join(" "), if field.kind == Kind::Key { 0.7 } else { 1.0 }),
            };
            names.add(&words, Thing::Field(at), quality);
        }
        // `milliseconds` alone is how long something takes.
        if field
            .called
            .iter()
            .any(|called| called.len() == 1 && matches!(called[0].as_str(), "millisecond" | "second" | "minute" | "hour"))
        {
            ["duration", "length"].iter().for_each(|name| names.add(name, Thing::Field(at), 0.9));
        }
        for (term, meaning) in field.terms.iter().enumerate() {
            // Another name of a value is found among the values.
            if !meaning.is_a_value() {
                meaning.phrases.iter().for_each(|name| names.add(name, Thing::Term(at, term, false), 1.0));
            }
            meaning.rates.iter().for_each(|name| names.add(name, Thing::Term(at, term, true), 1.0));
        }
    }
    for (at, number) in world.numbers.iter().enumerate() {
        for called in &number.called {
            // What counts the rows of a table is the table.
            let is_table = number.counts_rows() && number.facts.iter().any(|fact| stems(&world.tables[*fact].label) == *called);
            names.add(&called.join(" "), Thing::Declared(at), if is_table { 0.9 } else { 1.05 });
        }
    }
    if let Some(paid) = money::paid(world) {
        money::NAMES.iter().for_each(|name| names.add(name, Thing::Field(paid), 0.85));
    }
    for (at, money) in world.money.iter().enumerate() {
        let called = if money.is_stock { money::STOCK_NAMES } else { money::NAMES };
        called.iter().for_each(|name| names.add(name, Thing::Money(at), 0.9));
    }
    world.names = names;
}

/// The usual terms of a delay, if the catalogue has none: late and early.
fn usual_terms(column: &ColumnModel) -> Vec<Term> {
    let called = spaced(&column.name) + " " + &column.label.clone().unwrap_or_default().to_lowercase();
    if column.kind != ColumnType::Number || !["delay", "late"].iter().any(|word| called.contains(word)) {
        return Vec::new();
    }
    let term = |phrases: &[&str], rates: &[&str], comparison| {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Term { phrases: texts(phrases), rates: texts(rates), comparison, value: TermValue::Number(0.0) }
    };
    vec![
        term(&["late", "delayed"], &[], Comparison::Above),
        term(&["on time", "punctual"], &["punctuality", "on-time performance", "on-time rate"], Comparison::AtMost),
        term(&["early"], &[], Comparison::Below),
    ]
}

/// The unit that a text names.
pub(crate) fn unit(text: &str) -> Option<Unit> {
    let units = [
        ("second", Unit::Second),
        ("minute", Unit::Minute),
        ("hour", Unit::Hour),
        ("mile", Unit::Mile),
        ("kilomet", Unit::Kilometre),
        ("kg", Unit::Kilogram),
        ("kilogram", Unit::Kilogram),
        ("dollar", Unit::Dollar),
        ("usd", Unit::Dollar),
        ("euro", Unit::Euro),
        ("cents", Unit::Cent),
    ];
    let parts = || text.split(|letter: char| !letter.is_alphanumeric());
    units.into_iter().find(|(word, _)| parts().any(|part| part.starts_with(word))).map(|(_, unit)| unit)
}
