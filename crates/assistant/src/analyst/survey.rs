//! Reads what the analyst needs before a question: column types, keys, values, and the days that times cover. All reads apply
//! the viewer's row rules, so that it knows nothing that the viewer cannot see.

use super::{
    intent::ColumnRef,
    knowledge::{Knowledge, Link},
    phrases::What,
    values::STATES,
};
use crate::language::{tokens::tokens, words::stem};
use crate::{
    data::{Data, DataError},
    scope::Scope,
};
use chrono::NaiveDate;
use futures::future::join_all;
use inlay_contract::{
    chart::question::{Aggregate, Dimension, Measure, Order, Question, QuestionCondition, Wanted},
    data::{ChartData, ColumnType},
};
use serde_json::Value;

/// Columns with more values than this may have values that are not listed. Those are looked up one by one.
const LISTED: usize = 200;
/// The most candidate keys.
const CANDIDATES: usize = 12;
/// Rows that show what texts are.
const SAMPLE: u32 = 50;
/// Values that a question's words are looked for in, of one column.
const FOUND: u32 = 500;
/// The share of a column's values that must be in a table for a foreign key.
const CONTAINED: f64 = 0.9;

/// Reads everything that the analyst needs to know about a scope.
///
/// # Errors
/// The source is not reachable.
pub(super) async fn survey(scope: &Scope, data: &dyn Data) -> Result<Knowledge, DataError> {
    let mut knowledge = Knowledge::of(scope);
    if scope.dialect.keeps_times_as_text() {
        kinds(&mut knowledge, data).await?;
    }
    let texts: Vec<ColumnRef> = knowledge.columns().filter(|(_, column)| column.is_text()).map(|(at, _)| at).collect();
    let values = join_all(texts.iter().map(|at| values(&knowledge, data, *at)));
    let extents = join_all((0..knowledge.tables.len()).map(|table| extent(&knowledge, data, table)));
    let links = links(&knowledge, data);
    let (values, extents, links) = futures::join!(values, extents, links);
    for (at, values) in texts.into_iter().zip(values) {
        // The values of a referenced key are read from the foreign key's column.
        if !links.iter().any(|link| link.to == at) {
            name_states(&mut knowledge, at, &values);
            knowledge.values.add(at, &values);
        }
    }
    knowledge.extents = extents.into_iter().flatten().collect();
    knowledge.links = links;
    Ok(knowledge)
}

/// Times that are kept as texts: the values of some rows show which they are.
async fn kinds(knowledge: &mut Knowledge, data: &dyn Data) -> Result<(), DataError> {
    for table in &mut knowledge.tables {
        let texts = table.columns.iter().filter(|column| column.is_text());
        let dimensions: Vec<Dimension> = texts.map(|column| Dimension::of(&*column.name)).collect();
        let sample = Question { table: table.name.clone(), dimensions, limit: Some(SAMPLE), ..Question::default() };
        let Some(sql) = (!sample.dimensions.is_empty()).then(|| data.sql_of(&sample).ok()).flatten() else { continue };
        let sample = data.query(&sql).await?;
        for seen in sample.columns.iter().filter(|column| matches!(column.kind, ColumnType::Date | ColumnType::Timestamp)) {
            if let Some(column) = table.columns.iter_mut().find(|column| column.name == seen.name) {
                column.kind = seen.kind;
            }
        }
    }
    Ok(())
}

async fn values(knowledge: &Knowledge, data: &dyn Data, at: ColumnRef) -> Vec<Value> {
    data.values(&knowledge.tables[at.table].name, &knowledge.column(at).name).await.unwrap_or_default()
}

/// Adds the names of US states for columns that hold their codes: "Texas" is TX.
fn name_states(knowledge: &mut Knowledge, at: ColumnRef, values: &[Value]) {
    let column = knowledge.column(at);
    if !column.names.iter().any(|name| name.contains("state")) {
        return;
    }
    for value in values {
        let Some(code) = value.as_str() else { continue };
        for (_, name) in STATES.iter().filter(|(known, _)| *known == code) {
            knowledge.values.alias(name, at, value);
            knowledge.values.alias(name.trim_end_matches(" State"), at, value);
        }
    }
}

async fn extent(knowledge: &Knowledge, data: &dyn Data, table: usize) -> Option<(ColumnRef, (NaiveDate, NaiveDate))> {
    let at = knowledge.time(table)?;
    let answer = data.ask(&numbers(knowledge, at, [Aggregate::Least, Aggregate::Greatest])).await.ok()?;
    let [first, last] = answer.rows.rows.first()?.as_slice() else { return None };
    Some((at, (day(first)?, day(last)?)))
}

/// Two numbers of a column.
fn numbers(knowledge: &Knowledge, at: ColumnRef, how: [Aggregate; 2]) -> Question {
    let column = &knowledge.column(at).name;
    let measures = how.map(|how| Measure::of(how, &**column)).to_vec();
    Question { table: knowledge.tables[at.table].name.clone(), measures, ..Question::default() }
}

fn day(value: &Value) -> Option<NaiveDate> {
    value.as_str()?.get(..10)?.parse().ok()
}

/// The foreign keys: those of the catalogue, and those that names or descriptions suggest and the data confirms.
async fn links(knowledge: &Knowledge, data: &dyn Data) -> Vec<Link> {
    let mut candidates: Vec<Link> = knowledge.columns().flat_map(|(from, _)| candidates(knowledge, from)).collect();
    candidates.truncate(CANDIDATES);
    let checked =
        join_all(candidates.into_iter().map(|link| async move { holds(knowledge, data, link).await.then_some(link) })).await;
    let mut links: Vec<Link> = Vec::new();
    for link in checked.into_iter().flatten() {
        if !links.iter().any(|known| known.from == link.from) {
            links.push(link);
        }
    }
    links
}

fn candidates(knowledge: &Knowledge, from: ColumnRef) -> Vec<Link> {
    let column = knowledge.column(from);
    if let Some(declared) = &column.references {
        let to = declared.rsplit_once('.').and_then(|(table, name)| {
            knowledge.columns().find(|(at, known)| knowledge.tables[at.table].name == table && known.name == name)
        });
        return to.map(|(to, _)| Link { from, to }).into_iter().collect();
    }
    if !matches!(column.kind, ColumnType::Text | ColumnType::Number) || column.is_coordinate() {
        return Vec::new();
    }
    (0..knowledge.tables.len())
        .filter(|other| *other != from.table)
        .filter_map(|other| {
            let table = &knowledge.tables[other];
            let to = key(knowledge, other)?;
            let name = column.name.to_lowercase();
            let one = table.names.iter().any(|one| {
                let one = one.replace(' ', "_");
                [format!("{one}_id"), format!("{one}_code"), format!("{one}_key"), format!("{one}id"), one.clone()]
                    .contains(&name)
            });
            let described = table
                .names
                .iter()
                .any(|one| column.description.split(|letter: char| !letter.is_alphanumeric()).any(|word| stem(word) == *one));
            let same = name == knowledge.column(to).name.to_lowercase() && name != "id" && name != "name";
            (one || described || same).then_some(Link { from, to })
        })
        .collect()
}

/// The key column of a table.
fn key(knowledge: &Knowledge, table: usize) -> Option<ColumnRef> {
    let named = |(_, column): &(ColumnRef, &super::knowledge::KnownColumn)| {
        let own = knowledge.tables[table].names.iter().map(|name| name.replace(' ', "_"));
        let name = column.name.to_lowercase();
        matches!(name.as_str(), "id" | "code" | "key")
            || own.into_iter().any(|own| name == format!("{own}_id") || name == format!("{own}_code"))
    };
    let found = knowledge.columns_of(table).find(named).or_else(|| knowledge.columns_of(table).next());
    found.map(|(at, _)| at)
}

/// Whether the data confirms a link: the key is unique, and almost all values exist in it.
async fn holds(knowledge: &Knowledge, data: &dyn Data, link: Link) -> bool {
    let name = |at: ColumnRef| (knowledge.tables[at.table].name.as_str(), knowledge.column(at).name.as_str());
    let unique = numbers(knowledge, link.to, [Aggregate::Count, Aggregate::Distinct]);
    let Ok(contained) = data.containment(name(link.from), name(link.to)) else { return false };
    let (unique, contained) = futures::join!(data.ask(&unique), data.query(&contained));
    let unique = unique.map(|answer| answer.rows);
    let (Some((present, different)), Some((used, found))) = (pair(unique), pair(contained)) else { return false };
    present > 0.0 && (present - different).abs() < 0.5 && used > 0.0 && found >= used * CONTAINED
}

fn pair(answer: Result<ChartData, DataError>) -> Option<(f64, f64)> {
    let answer = answer.ok()?;
    let [first, second] = answer.rows.first()?.as_slice() else { return None };
    Some((number(first)?, number(second)?))
}

/// A number, stored as a number or as text.
pub(super) fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

/// Looks up unknown words among values that were not listed, including values that start like them, and adds what is found.
pub(super) async fn look_up(knowledge: &mut Knowledge, question: &str, data: &dyn Data) {
    knowledge.values.looked_up = false;
    let unknown: Vec<String> = super::phrases::phrases(question, knowledge)
        .into_iter()
        .filter(|phrase| phrase.what == What::Unknown)
        .map(|phrase| phrase.text)
        .collect();
    knowledge.values.looked_up = true;
    let long: Vec<ColumnRef> =
        knowledge.columns().filter(|(at, _)| knowledge.values.count(*at) >= LISTED).map(|(at, _)| at).collect();
    if unknown.is_empty() || long.is_empty() {
        return;
    }
    let words: Vec<String> = tokens(question).into_iter().map(|token| token.text).collect();
    let mut phrases: Vec<String> = (1..=3).flat_map(|length| words.windows(length).map(|words| words.join(" "))).collect();
    phrases.retain(|phrase| phrase.len() > 2);
    phrases.truncate(100);
    let beginnings = beginnings(&words, &unknown);
    let found = join_all(long.iter().map(|at| {
        let search = search(knowledge, *at, &phrases, &beginnings);
        async move {
            let answer = data.ask(&search).await.ok()?;
            Some((*at, answer.rows.rows.into_iter().filter_map(|row| row.into_iter().next()).collect::<Vec<_>>()))
        }
    }))
    .await;
    for (at, values) in found.into_iter().flatten() {
        knowledge.values.add(at, &values);
    }
}

/// The values of a column that are one of these phrases, or begin like one of these words.
fn search(knowledge: &Knowledge, at: ColumnRef, phrases: &[String], beginnings: &[String]) -> Question {
    let column = &knowledge.column(at).name;
    let wanted = Wanted::Words { words: phrases.to_vec(), beginnings: beginnings.to_vec() };
    let found = Dimension::of(&**column);
    Question {
        table: knowledge.tables[at.table].name.clone(),
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
