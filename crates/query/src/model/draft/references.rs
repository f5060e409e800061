//! References between tables, many rows to one: foreign keys, and columns that are called like another table's key.

use super::{
    super::definition::listed,
    Draft, DraftInput, DraftNote, TableDraft, column_of,
    keys::ENDS,
    table_of,
    words::{plain, stems, words},
};
use crate::engine::{DeclaredReference, SourceTable};
use inlay_contract::data::{Column, ColumnType};
use std::collections::BTreeSet;

/// A table that others can refer to.
struct Target {
    table: String,
    stems: Vec<String>,
    key: String,
    /// The key's name, [`plain`] and as [`words`].
    plain: String,
    words: Vec<String>,
    holds: ColumnType,
}

impl Target {
    fn path(&self) -> String {
        format!("{}.{}", self.table, self.key)
    }
}

/// Proposes references.
pub(super) fn add(input: &DraftInput<'_>, draft: &mut Draft) {
    let targets: Vec<Target> = input.tables.iter().filter_map(|table| target(input, draft, table)).collect();
    for table in input.tables {
        let known = input.known.get(&table.name);
        let mut said: BTreeSet<String> = known.into_iter().flat_map(|known| known.references.keys().cloned()).collect();
        let foreign = || input.keys.references.iter().filter(|reference| reference.table == table.name);
        for reference in foreign() {
            declared(input, draft, table, reference, &said);
        }
        let columns = foreign().flat_map(|reference| &reference.columns).filter_map(|column| column_of(table, column));
        said.extend(columns.map(|column| column.name.clone()));
        for column in table.columns.iter().filter(|column| !said.contains(&column.name)) {
            guess(&targets, draft, table, column);
        }
    }
}

/// A table with a key of one column, whose name a reference can hold.
fn target(input: &DraftInput<'_>, draft: &Draft, table: &SourceTable) -> Option<Target> {
    let [key] = draft.key_of(input, &table.name) else { return None };
    let column = column_of(table, key).filter(|_| !key.contains('.'))?;
    Some(Target {
        table: table.name.clone(),
        stems: stems(&table.name),
        key: key.clone(),
        plain: plain(key),
        words: words(key),
        holds: column.kind,
    })
}

fn place(table: &SourceTable, column: &str) -> String {
    format!("tables.{}.columns.{column}.references", table.name)
}

/// Proposes a foreign key, if it leads to the whole key of one column.
fn declared(
    input: &DraftInput<'_>,
    draft: &mut Draft,
    table: &SourceTable,
    reference: &DeclaredReference,
    said: &BTreeSet<String>,
) {
    let ([column], [target]) = (reference.columns.as_slice(), reference.to_columns.as_slice()) else {
        let why = format!("the foreign key ({}) to {} has several columns", reference.columns.join(", "), reference.to);
        let advice = "Joins follow keys of one column. Add such a column to both tables if you need this join";
        draft.notes.push(DraftNote::new(format!("tables.{}", table.name), why, advice));
        return;
    };
    // Hidden, or said by the project.
    let Some(column) = column_of(table, column).filter(|column| !said.contains(&column.name)) else { return };
    let at = place(table, &column.name);
    let Some(to) = table_of(input.tables, &reference.to) else {
        let why = format!("it refers to {}, which is not listed here or cannot be read", reference.to);
        draft.notes.push(DraftNote::new(at, why, "List that table if queries should follow this column"));
        return;
    };
    let key = draft.key_of(input, &to.name);
    let refers = column_of(to, target).filter(|target| key == [target.name.as_str()] && !target.name.contains('.'));
    let Some(target) = refers else {
        let why = format!("it refers to {}.{target}, which is not the key of {}", reference.to, reference.to);
        let advice = format!("Declare `key: {target}` there if queries should follow this column");
        draft.notes.push(DraftNote::new(at, why, advice));
        return;
    };
    let path = format!("{}.{}", to.name, target.name);
    let Some(own) = draft.tables.get_mut(&table.name) else { return };
    let before = own.references.entry(column.name.clone()).or_insert_with(|| path.clone());
    if *before != path {
        let why = format!("it refers to {before} and to {path}; only the first is proposed");
        draft.notes.push(DraftNote::new(at, why, format!("Write `references: {path}` if queries should follow that")));
    }
}

/// Proposes a reference by the names of a column and of exactly one other table's key.
fn guess(targets: &[Target], draft: &mut Draft, table: &SourceTable, column: &Column) {
    let own = targets.iter().find(|target| target.table == table.name);
    let own_stems = own.map_or_else(|| stems(&table.name), |own| own.stems.clone());
    let is_own_key = own.is_some_and(|own| own.key == column.name);
    let name = plain(&column.name);
    let others = || targets.iter().filter(|other| other.table != table.name && other.holds == column.kind);
    // `customer_id` is of customers first, whichever other table has a key of that name.
    let called = |other: &&Target| {
        let mut stems = other.stems.iter().filter(|stem| !own_stems.contains(stem));
        stems.any(|stem| calls(&name, stem, other))
    };
    let by_table: Vec<&Target> = others().filter(called).collect();
    let by_key = others().filter(|other| !is_own_key && is_called_like(&name, other));
    let found: Vec<&Target> = if by_table.is_empty() { by_key.collect() } else { by_table };
    let at = place(table, &column.name);
    match found.as_slice() {
        [] => {}
        [other] => {
            let why = format!("that it refers to {} is guessed by the names", other.path());
            draft.notes.push(DraftNote::new(at, why, "Remove it if its values are not those of that column"));
            if let Some(own) = draft.tables.get_mut(&table.name) {
                own.references.insert(column.name.clone(), other.path());
            }
        }
        several => {
            let paths: Vec<String> = several.iter().map(|other| other.path()).collect();
            let why = format!("by its name it may refer to {}", paths.join(" or "));
            draft.notes.push(DraftNote::new(at, why, "Write `references` with the one that it refers to"));
        }
    }
}

/// Whether a column, [`plain`], is called by one row of a table and a word of its key: `customer_id`, `customerid`, `country_code`.
fn calls(name: &str, stem: &str, of: &Target) -> bool {
    let end = name.strip_prefix(stem).unwrap_or_default();
    // Of a key `customerid` or `code`.
    let of_key = |ends: &[&str]| of.words.last().is_some_and(|last| ends.iter().any(|end| last.ends_with(end)));
    match end {
        "id" | "uuid" | "guid" => of_key(&["id", "key", "sk"]),
        "key" | "sk" => of_key(&["key", "sk", "id"]),
        "code" => of_key(&["code"]),
        _ => false,
    }
}

/// Whether a column, [`plain`], is called like a key whose name says of which table.
fn is_called_like(name: &str, of: &Target) -> bool {
    let says_table =
        of.words.len() > 1 || of.words.first().is_some_and(|word| !ENDS.contains(&word.as_str()) && word.ends_with("id"));
    let is_key = ENDS.iter().any(|end| name.ends_with(end));
    says_table && is_key && name == of.plain
}

/// The columns of a table that the project's references name.
pub(super) fn referred<'a>(input: &'a DraftInput<'_>, table: &str) -> BTreeSet<&'a str> {
    let all = input.known.values().flat_map(|known| known.references.values());
    all.filter(|reference| reference.table == table).map(|reference| reference.column.as_str()).collect()
}

/// Keeps proposals away from tables where they would contradict the project's own references: a table of the model is only referred
/// to by its key.
pub(super) fn respect_known(input: &DraftInput<'_>, draft: &mut Draft) {
    for (table, known) in input.known {
        for (column, reference) in &known.references {
            let to = &reference.table;
            if draft.key_of(input, to) == [reference.column.as_str()] {
                continue;
            }
            let why = format!("{table}.{column} refers to {to}.{}, which is not its key", reference.column);
            let advice = format!("Declare `key: {}` there if no two rows share it, or correct the reference", reference.column);
            if input.known.get(to).is_some_and(|known| !known.model.is_empty()) {
                let own = draft.tables.get_mut(table).filter(|own| !own.measures.is_empty());
                let Some(own) = own else { continue };
                own.measures.clear();
                draft.notes.push(DraftNote::new(
                    format!("tables.{table}.measures"),
                    format!("none are proposed: {why}"),
                    advice,
                ));
            } else if draft.tables.get(to).is_some_and(|own| *own != TableDraft::default()) {
                draft.notes.retain(|note| note.at != format!("tables.{to}.key") && note.at != format!("tables.{to}.time"));
                draft.drop_references(to, "is left out");
                let own = draft.tables.get_mut(to).map(std::mem::take).unwrap_or_default();
                for column in own.references.keys() {
                    let at = format!("tables.{to}.columns.{column}.references");
                    draft.notes.retain(|note| note.at != at);
                }
                draft.notes.push(DraftNote::new(format!("tables.{to}"), format!("it is left out: {why}"), advice));
            }
        }
    }
}

/// Notes for tables from which a guessed reference opens a second way to another: queries have to say which.
pub(super) fn note_several_ways(input: &DraftInput<'_>, draft: &mut Draft) {
    const SEVERAL: &str = "several ways lead to ";
    draft.notes.retain(|note| !note.why.starts_with(SEVERAL));
    let guessed: BTreeSet<String> = draft.notes.iter().map(|note| note.at.clone()).collect();
    let model = draft.joined(input);
    let mut notes = Vec::new();
    for table in input.tables {
        let begins = |way: &Vec<String>| way.first().is_some_and(|column| guessed.contains(&place(table, column)));
        let (ways, is_whole) = model.ways_from(&table.name);
        let opened = |(_, ways): &(&str, Vec<Vec<String>>)| ways.len() > 1 && ways.iter().any(begins);
        let several: Vec<(&str, Vec<Vec<String>>)> = ways.into_iter().filter(opened).collect();
        let Some((to, ways)) = several.first() else { continue };
        let example: Vec<String> = ways.iter().map(|way| way.join(".")).collect();
        let mut why = format!("{SEVERAL}{}", listed(several.iter().map(|(to, _)| *to)));
        if several.len() > 1 || !is_whole {
            why = format!("{why}; to {to}");
        }
        why = format!("{why}: {}", listed(example.iter().map(String::as_str)));
        let advice = "Queries have to say which by `via`. Remove a reference that they never follow";
        notes.push(DraftNote::new(format!("tables.{}", table.name), why, advice));
    }
    draft.notes.extend(notes);
}
