//! Reads what is needed before a question: types, numbers of values, keys, values, and the days that times cover. All reads apply
//! the viewer's row rules, so that nothing is known that the viewer cannot see.

use super::{
    Field, FieldId, Kind, World, build,
    build::ENDS,
    columns::numbers,
    kinds,
    nations::{COUNTRIES, SEXES, STATES, other_names},
    thesaurus::concept,
};
use crate::{
    data::{Assumed, AssumedTable, Data, DataError},
    language::{tokens::tokens, words::stem},
    scope::{Scope, TermValue},
};
use chrono::NaiveDate;
use futures::future::join_all;
use inlay_contract::{
    chart::question::{Dimension, Measure, Order, Question, QuestionCondition, Wanted},
    data::ColumnType,
    model::{ModelGroup, ModelQuery},
};
use serde_json::Value;
use std::sync::Arc;

/// Columns with more values than this may have values that are not listed. Those are looked up one by one.
const LISTED: usize = 200;
/// The most candidate keys.
const CANDIDATES: usize = 60;
/// Rows that show what texts are.
const SAMPLE: u32 = 50;
/// Values that a question's words are looked for in, of one column.
const FOUND: u32 = 500;
/// The share of a column's values that must be in a table for a foreign key.
const CONTAINED: f64 = 0.9;

/// Reads everything that must be known about a scope.
///
/// # Errors
/// The source is not reachable.
pub(super) async fn survey(scope: &Scope, data: &dyn Data) -> Result<World, DataError> {
    let mut world = build::of(scope);
    if scope.dialect.keeps_times_as_text() {
        kinds_of_texts(&mut world, data).await?;
    }
    let numbers = join_all((0..world.tables.len()).map(|table| numbers(&world, data, table))).await;
    for (table, read) in numbers.into_iter().enumerate() {
        world.tables[table].rows = read.rows;
        for (field, column) in read.columns {
            let known = &mut world.fields[field];
            (known.distinct, known.range, known.days) = (column.distinct, column.range, column.days);
            known.has_gaps = column.has_gaps;
        }
    }
    find_kinds(&mut world);
    find_keys(&mut world, scope, data).await;
    let texts: Vec<FieldId> = (0..world.fields.len()).filter(|at| has_values(&world.fields[*at])).collect();
    let values = join_all(texts.iter().map(|at| values(&world, data, *at))).await;
    for (at, values) in texts.into_iter().zip(values) {
        add_values(&mut world, at, &values);
    }
    other_names_of_values(&mut world);
    declared_values(&mut world, data).await;
    build::finish(&mut world, scope);
    let namesakes = join_all((0..world.tables.len()).map(|table| has_namesakes(&world, data, table))).await;
    for (known, has) in world.tables.iter_mut().zip(namesakes) {
        known.has_namesakes = has;
    }
    assume(&mut world);
    Ok(world)
}

/// Whether two rows of a table have the same name. First and last name are counted together.
async fn has_namesakes(world: &World, data: &dyn Data, table: usize) -> bool {
    let known = &world.tables[table];
    match (known.title.as_slice(), known.key, known.rows) {
        ([title], Some(key), Some(rows)) if *title != key => {
            world.fields[*title].distinct.is_some_and(|distinct| distinct + 0.5 < rows)
        }
        (titles @ [_, _, ..], Some(_), _) => {
            let measure = Measure { name: Some("rows_found".to_owned()), ..Measure::count() };
            let question = Question {
                table: known.name.clone(),
                dimensions: titles.iter().map(|title| Dimension::of(&*world.fields[*title].name)).collect(),
                measures: vec![measure],
                sort: Some(Order { by: "rows_found".to_owned(), descending: true }),
                limit: Some(1),
                ..Question::default()
            };
            let Ok(answer) = data.ask(&question).await else { return false };
            let most = answer.rows.rows.first().and_then(|row| row.last()).and_then(number);
            most.is_some_and(|most| most > 1.5)
        }
        _ => false,
    }
}

/// The names that the catalogue gives single values: "America" for USA.
pub(super) fn other_names_of_values(world: &mut World) {
    let values = Arc::make_mut(&mut world.values);
    for (at, field) in world.fields.iter().enumerate() {
        for term in field.terms.iter().filter(|term| term.is_a_value()) {
            let TermValue::Text(value) = &term.value else { continue };
            term.phrases.iter().for_each(|name| values.alias(name, at, &Value::from(value.as_str()), 1.0));
        }
    }
}

fn has_values(field: &Field) -> bool {
    field.is_column
        && field.column_type == Some(ColumnType::Text)
        && !(field.kind == Kind::Text && field.distinct.is_some_and(|distinct| distinct > 20_000.0))
}

/// Times that are kept as texts: the values of some rows show which they are.
async fn kinds_of_texts(world: &mut World, data: &dyn Data) -> Result<(), DataError> {
    for table in 0..world.tables.len() {
        let texts = world.fields_of(table).filter(|(_, field)| field.column_type == Some(ColumnType::Text));
        let dimensions: Vec<Dimension> = texts.map(|(_, field)| Dimension::of(&*field.name)).collect();
        let sample =
            Question { table: world.tables[table].name.clone(), dimensions, limit: Some(SAMPLE), ..Question::default() };
        let Some(sql) = (!sample.dimensions.is_empty()).then(|| data.sql_of(&sample).ok()).flatten() else { continue };
        let sample = data.query(&sql).await?;
        for seen in sample.columns.iter().filter(|column| matches!(column.kind, ColumnType::Date | ColumnType::Timestamp)) {
            let field = world.fields.iter_mut().find(|field| field.table == table && field.name == seen.name);
            if let Some(field) = field {
                field.column_type = Some(seen.kind);
            }
        }
    }
    Ok(())
}

fn find_kinds(world: &mut World) {
    for at in 0..world.fields.len() {
        let field = &world.fields[at];
        let words: Vec<String> = field.called.iter().flatten().cloned().collect();
        let own = field.called.last().cloned().unwrap_or_default();
        // "Units on order" are units.
        let own: Vec<String> = match own.iter().position(|word| matches!(word.as_str(), "on" | "in" | "at")) {
            Some(link) if link > 0 => own[..link].to_vec(),
            _ => own,
        };
        let words = if own.is_empty() { words } else { own };
        let kind = kinds::kind(&words, field.column_type, field.distinct, field.range, world.tables[field.table].rows);
        world.fields[at].kind = kind;
    }
}

/// The keys of tables, and the fields that refer to them: those of the catalogue, and those that names suggest and the data confirms.
async fn find_keys(world: &mut World, scope: &Scope, data: &dyn Data) {
    for table in 0..world.tables.len() {
        let key = key(world, table);
        world.tables[table].key = key;
        if let Some(key) = key {
            world.fields[key].kind = Kind::Key;
        }
    }
    let mut candidates: Vec<(FieldId, FieldId)> = Vec::new();
    for from in 0..world.fields.len() {
        candidates.extend(references(world, scope, from).into_iter().map(|to| (from, to)));
    }
    candidates.truncate(CANDIDATES);
    let held: &World = world;
    let checked = join_all(
        candidates.into_iter().map(|(from, to)| async move { contained(held, data, from, to).await.then_some((from, to)) }),
    )
    .await;
    for (from, to) in checked.into_iter().flatten() {
        if world.fields[from].refers.is_none() {
            world.fields[from].refers = Some(world.fields[to].table);
            world.tables[world.fields[to].table].key = Some(to);
        }
    }
    for at in 0..world.fields.len() {
        let field = &world.fields[at];
        if field.refers.is_some() && field.kind.is_measure() {
            world.fields[at].kind = Kind::Code;
        }
    }
}

fn is_unique(world: &World, at: FieldId) -> bool {
    let field = &world.fields[at];
    let rows = world.tables[field.table].rows;
    matches!((field.distinct, rows), (Some(distinct), Some(rows)) if rows > 0.0 && (distinct - rows).abs() < 0.5)
}

/// The column that tells a table's rows apart, by its name and by its values.
fn key(world: &World, table: usize) -> Option<FieldId> {
    let one = stems_of(&world.tables[table].name);
    let rank = |(at, field): (FieldId, &Field)| {
        if !field.is_column
            || !matches!(field.column_type, Some(ColumnType::Text | ColumnType::Number))
            || !is_unique(world, at)
        {
            return None;
        }
        let words = field.called.last()?;
        let last = words.last()?.as_str();
        let own = words.iter().any(|word| one.contains(word));
        let ends = ENDS.contains(&last) || last == "code";
        Some(match words.len() {
            1 if ends => (0, at),
            _ if own && ends => (1, at),
            _ if ends => (2, at),
            1 if own => (3, at),
            _ if last == "no" || last == "number" || last == "iata" => (4, at),
            _ => return None,
        })
    };
    let named = world.fields_of(table).filter_map(rank).min().map(|(_, at)| at);
    named.or_else(|| {
        world
            .fields_of(table)
            .next()
            .filter(|(at, field)| field.is_column && is_unique(world, *at) && field.column_type == Some(ColumnType::Text))
            .map(|(at, _)| at)
    })
}

fn stems_of(name: &str) -> Vec<String> {
    super::stems(&crate::language::words::spaced(name.rsplit('.').next().unwrap_or_default()))
}

/// The keys that a field may refer to.
fn references(world: &World, scope: &Scope, from: FieldId) -> Vec<FieldId> {
    let field = &world.fields[from];
    let table = &scope.tables[field.table];
    let Some(column) = table.columns.iter().find(|column| column.name == field.name).filter(|_| field.is_column) else {
        return Vec::new();
    };
    if let Some((table, name)) = column.references.as_ref().and_then(|declared| declared.rsplit_once('.')) {
        let to = world.fields.iter().position(|to| world.tables[to.table].name == table && to.name == name);
        return to.into_iter().collect();
    }
    if !matches!(field.column_type, Some(ColumnType::Text | ColumnType::Number))
        || matches!(field.kind, Kind::Latitude | Kind::Longitude | Kind::Year)
    {
        return Vec::new();
    }
    let words = field.called.last().cloned().unwrap_or_default();
    if words.is_empty() {
        return Vec::new();
    }
    let description = column.description.clone().unwrap_or_default().to_lowercase();
    let mut found = Vec::new();
    for (other, known) in world.tables.iter().enumerate().filter(|(other, _)| *other != field.table) {
        let Some(to) = known.key else { continue };
        let key_words = world.fields[to].called.last().cloned().unwrap_or_default();
        let one = stems_of(&known.name);
        let bare = key_words.len() == 1 && matches!(key_words[0].as_str(), "id" | "name" | "code" | "key" | "title");
        // `customer_id` refers to `customer_id`, `home_team_id` to `team_id` and to `teams.id`, `customer` to `customers`.
        let same = !bare && words.ends_with(&key_words);
        let end = words.last().is_some_and(|last| ENDS.contains(&last.as_str()) || last == "code" || last == "no");
        let alike: Vec<String> = words.iter().map(|word| concept(word)).collect();
        let one_alike: Vec<String> = one.iter().map(|word| concept(word)).collect();
        let named = end && words[..words.len() - 1].ends_with(&one) || words.ends_with(&one);
        let alike = end && alike[..alike.len() - 1].ends_with(&one_alike);
        // `ShipVia` refers to shippers.
        let begins = field.kind == Kind::Code || field.column_type == Some(ColumnType::Number);
        let begins = begins && words.len() <= 2 && words[0].len() > 3 && one.len() == 1 && one[0].starts_with(&*words[0]);
        let short = end && words.len() == 2 && one.last() == Some(&words[0]);
        let described =
            description.split(|letter: char| !letter.is_alphanumeric()).any(|word| !word.is_empty() && one == [stem(word)]);
        let both = same && is_unique(world, from) && world.tables[field.table].key == Some(from);
        let first = world.tables[field.table].rows >= world.tables[other].rows;
        // Small numbers are found in many keys, so the surest name counts.
        let rank = [same, named, short, described, alike, begins].iter().position(|holds| *holds);
        if let Some(rank) = rank.filter(|_| !both || first) {
            found.push((rank, to));
        }
    }
    found.sort_unstable();
    found.into_iter().map(|(_, to)| to).collect()
}

async fn contained(world: &World, data: &dyn Data, from: FieldId, to: FieldId) -> bool {
    let name = |at: FieldId| (world.tables[world.fields[at].table].name.as_str(), world.fields[at].name.as_str());
    if !is_unique(world, to) {
        return false;
    }
    let Ok(sql) = data.containment(name(from), name(to)) else { return false };
    let Ok(answer) = data.query(&sql).await else { return false };
    let pair = answer.rows.first().and_then(|row| Some((number(row.first()?)?, number(row.get(1)?)?)));
    pair.is_some_and(|(used, found)| used > 0.0 && found >= used * CONTAINED)
}

async fn values(world: &World, data: &dyn Data, at: FieldId) -> Vec<Value> {
    data.values(&world.tables[world.fields[at].table].name, &world.fields[at].name).await.unwrap_or_default()
}

/// The values of the dimensions that the semantic model declares.
async fn declared_values(world: &mut World, data: &dyn Data) {
    let declared: Vec<FieldId> = (0..world.fields.len()).filter(|at| !world.fields[*at].is_column).collect();
    let held: &World = world;
    let read = join_all(declared.iter().map(|at| async move {
        let query = ModelQuery {
            dimensions: vec![ModelGroup::of(held.full(*at))],
            limit: Some(LISTED as u32),
            ..ModelQuery::default()
        };
        data.query_model(&query, &Assumed::default()).await.ok()
    }))
    .await;
    for (at, answer) in declared.into_iter().zip(read) {
        let Some(answer) = answer else { continue };
        let values: Vec<Value> =
            answer.rows.rows.into_iter().filter_map(|row| row.into_iter().next()).filter(|value| !value.is_null()).collect();
        world.fields[at].distinct = Some(values.len() as f64);
        if answer.rows.columns.first().is_some_and(|column| column.kind == ColumnType::Number) {
            world.fields[at].column_type = Some(ColumnType::Number);
            world.fields[at].kind = Kind::Level;
        }
        Arc::make_mut(&mut world.values).add(at, &values);
    }
}

fn add_values(world: &mut World, at: FieldId, values: &[Value]) {
    // The values of a referenced key are read from the fields that refer to it.
    let field = &world.fields[at];
    let is_referred =
        world.tables[field.table].key == Some(at) && world.fields.iter().any(|other| other.refers == Some(field.table));
    let words: Vec<String> = field.called.iter().flatten().cloned().collect();
    let has = |word: &str| words.iter().any(|known| known == word);
    if is_referred {
        return;
    }
    let known = Arc::make_mut(&mut world.values);
    known.add(at, values);
    world.fields[at].longest = values.iter().filter_map(Value::as_str).map(|text| text.chars().count()).max();
    for value in values {
        let Some(text) = value.as_str() else { continue };
        if has("state") {
            other_names(STATES, text).for_each(|name| known.alias(name, at, value, 0.95));
        }
        if has("sex") || has("gender") {
            other_names(SEXES, text).for_each(|name| known.alias(name, at, value, 0.95));
        }
        if has("country") || has("nation") || has("nationality") {
            other_names(COUNTRIES, text).for_each(|name| known.alias(name, at, value, 0.95));
        }
    }
}

/// What queries may rely on beside the semantic model: keys that the data confirms, and all columns in scope.
fn assume(world: &mut World) {
    let mut assumed = Assumed::default();
    for (place, table) in world.tables.iter().enumerate() {
        let columns: Vec<&Field> =
            world.fields_of(place).filter(|(_, field)| field.is_column).map(|(_, field)| field).collect();
        let references = columns.iter().filter_map(|field| {
            let to = field.refers?;
            let key = &world.fields[world.tables[to].key?].name;
            Some((field.name.clone(), format!("{}.{key}", world.tables[to].name)))
        });
        let known = AssumedTable {
            columns: columns.iter().map(|field| field.name.clone()).collect(),
            key: table.key.filter(|key| is_unique(world, *key)).map(|key| world.fields[key].name.clone()),
            time: table.time.map(|time| world.fields[time].name.clone()),
            references: references.collect(),
        };
        assumed.tables.insert(table.name.clone(), known);
    }
    world.assumed = assumed;
}

/// A number, stored as a number or as text.
pub(crate) fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

pub(super) fn day(value: &Value) -> Option<NaiveDate> {
    value.as_str()?.get(..10)?.parse().ok()
}

/// Looks up words that nothing has as a name among values that were not listed, including values that start like them.
pub(crate) async fn look_up(world: &mut World, question: &str, unknown: &[String], data: &dyn Data) {
    world.looked_up = true;
    let long: Vec<FieldId> = (0..world.fields.len()).filter(|at| world.values.count(*at) >= LISTED).collect();
    if unknown.is_empty() || long.is_empty() {
        return;
    }
    let words: Vec<String> = tokens(question).into_iter().map(|token| token.text).collect();
    let mut phrases: Vec<String> = (1..=4).flat_map(|length| words.windows(length).map(|words| words.join(" "))).collect();
    phrases.retain(|phrase| phrase.len() > 2);
    phrases.truncate(100);
    let beginnings = beginnings(&words, unknown);
    let held: &World = world;
    let found = join_all(long.iter().map(|at| {
        let search = search(held, *at, &phrases, &beginnings);
        async move {
            let answer = data.ask(&search).await.ok()?;
            Some((*at, answer.rows.rows.into_iter().filter_map(|row| row.into_iter().next()).collect::<Vec<_>>()))
        }
    }))
    .await;
    for (at, values) in found.into_iter().flatten().filter(|(_, values)| !values.is_empty()) {
        Arc::make_mut(&mut world.values).add(at, &values);
    }
}

/// The values of a field that are one of these phrases, or begin like one of these words.
fn search(world: &World, at: FieldId, phrases: &[String], beginnings: &[String]) -> Question {
    let column = &world.fields[at].name;
    let wanted = Wanted::Words { words: phrases.to_vec(), beginnings: beginnings.to_vec() };
    let found = Dimension::of(&**column);
    Question {
        table: world.tables[world.fields[at].table].name.clone(),
        filters: vec![QuestionCondition { column: column.clone(), via: None, value: wanted }],
        sort: Some(Order { by: found.name(), descending: false }),
        dimensions: vec![found],
        measures: vec![Measure { name: Some("rows_found".to_owned()), ..Measure::count() }],
        limit: Some(FOUND),
        ..Question::default()
    }
}

/// The possible first letters of a misspelled value: those of an unknown word, or of the word before it.
fn beginnings(words: &[String], unknown: &[String]) -> Vec<String> {
    let places = words.iter().enumerate().filter(|(_, word)| unknown.contains(word)).map(|(at, _)| at);
    let words = places.flat_map(|at| at.checked_sub(1).into_iter().chain([at])).filter_map(|at| words.get(at));
    let mut beginnings: Vec<String> =
        words.filter(|word| word.chars().count() > 2).map(|word| word.chars().take(4).collect()).collect();
    beginnings.dedup();
    beginnings.truncate(8);
    beginnings
}
