//! The keys of tables: those that the database declares, and columns that are called like one.

use super::{
    Draft, DraftInput, DraftNote, column_of,
    references::referred,
    words::{plain, stems, words},
};
use crate::engine::{DeclaredKey, SourceTable};
use inlay_contract::data::ColumnType;

/// The words with which names of keys end.
pub(super) const ENDS: [&str; 6] = ["id", "key", "uuid", "guid", "code", "sk"];

/// Proposes a key for each table that has none.
pub(super) fn add(input: &DraftInput<'_>, draft: &mut Draft) {
    for table in input.tables {
        if !draft.key_of(input, &table.name).is_empty() {
            continue;
        }
        let at = format!("tables.{}.key", table.name);
        let own = |key: &&DeclaredKey| key.table == table.name;
        let primary = input.keys.keys.iter().filter(own).find(|key| key.is_primary);
        let (key, is_guessed) = chosen(input, table, primary);
        if primary.is_some_and(|primary| usable(table, primary).is_none()) {
            let why = "the table's primary key has a column that is hidden, or whose name cannot be written";
            draft.notes.push(DraftNote::new(at.clone(), why, "Show the column if other tables should refer to this one"));
        }
        if let Some(column) = key.first().filter(|_| is_guessed) {
            let why = format!("`{column}` is guessed; the database does not declare it as a key");
            draft.notes.push(DraftNote::new(at, why, "Remove it if two rows may share a value"));
        }
        if let Some(own) = draft.tables.get_mut(&table.name) {
            own.is_key_guessed = is_guessed && !key.is_empty();
            own.key = key;
        }
    }
}

/// The key of a table, and whether it is guessed.
fn chosen(input: &DraftInput<'_>, table: &SourceTable, primary: Option<&DeclaredKey>) -> (Vec<String>, bool) {
    // What the project's own references name is its key, or no join can follow them.
    let referred: Vec<&str> = referred(input, &table.name).into_iter().collect();
    if let [column] = referred.as_slice()
        && let Some(column) = column_of(table, column)
    {
        let key = vec![column.name.clone()];
        let declared = input.keys.keys.iter().filter(|declared| declared.table == table.name);
        let is_declared = declared.filter_map(|declared| usable(table, declared)).any(|declared| declared == key);
        return (key, !is_declared);
    }
    match primary.and_then(|key| usable(table, key)).or_else(|| unique(input, table)) {
        Some(key) => (key, false),
        None => (guessed(table).into_iter().collect(), true),
    }
}

/// A key by the columns that the table shows, if it shows all of them.
fn usable(table: &SourceTable, key: &DeclaredKey) -> Option<Vec<String>> {
    key.columns.iter().map(|column| column_of(table, column).map(|column| column.name.clone())).collect()
}

/// A unique column whose name is that of a key; the table's own before others.
fn unique(input: &DraftInput<'_>, table: &SourceTable) -> Option<Vec<String>> {
    let own = input.keys.keys.iter().filter(|key| key.table == table.name && !key.is_primary && key.columns.len() == 1);
    let keys: Vec<Vec<String>> = own.filter_map(|key| usable(table, key)).collect();
    let called = |key: &&Vec<String>| key.first().is_some_and(|column| rank(table, column).is_some());
    let like_one = |key: &&Vec<String>| {
        let last = key.first().and_then(|column| words(column).pop());
        last.is_some_and(|last| ENDS.contains(&last.as_str()))
    };
    keys.iter().find(called).or_else(|| keys.iter().find(like_one)).cloned()
}

/// The column that by its name is the key.
fn guessed(table: &SourceTable) -> Option<String> {
    let kinds = [ColumnType::Number, ColumnType::Text];
    let columns = table.columns.iter().filter(|column| kinds.contains(&column.kind));
    let ranked = columns.filter_map(|column| Some((rank(table, &column.name)?, column)));
    ranked.min_by_key(|(rank, _)| *rank).map(|(_, column)| column.name.clone())
}

/// How surely a name is that of the table's key: `id`, then `customer_id` and `customers_id`, then `customer_key`.
fn rank(table: &SourceTable, column: &str) -> Option<usize> {
    let name = plain(column);
    if name == "id" {
        return Some(0);
    }
    let stems = stems(&table.name);
    let names = ["id", "key"].into_iter().flat_map(|end| stems.iter().map(move |stem| format!("{stem}{end}")));
    names.into_iter().position(|known| known == name).map(|place| place + 1)
}
