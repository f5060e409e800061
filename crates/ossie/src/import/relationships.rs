//! Relationships as references.

use super::{Notes, datasets::Datasets};
use crate::{
    document::Relationship,
    extension::{self, Held},
};
use serde_json::Value;

/// Reads relationships of one column that lead to a key.
pub(super) fn read(relationships: &[Relationship], datasets: &mut Datasets, notes: &mut Notes) {
    for one in relationships {
        let at = format!("relationships.{}", one.name);
        if one.ai_context.is_some() {
            notes.add(&at, "`ai_context` of a relationship is not read", "Give the column synonyms instead");
        }
        let held: Held<Value> = extension::read(&one.custom_extensions);
        notes.extension(&at, held);
        if let Err(why) = reference(one, datasets) {
            let advice = "Set `references` of the column in the project file, to a table's key of one column";
            notes.add(at, format!("the relationship is left out: {why}"), advice);
        }
    }
    for (table, column, references) in std::mem::take(&mut datasets.references) {
        let Some(column) = datasets.tables.get_mut(&table).and_then(|table| table.columns.get_mut(&column)) else { continue };
        if column.references.is_none() {
            column.references = Some(references);
        }
    }
}

fn reference(one: &Relationship, datasets: &mut Datasets) -> Result<(), String> {
    let ([from_column], [to_column]) = (one.from_columns.as_slice(), one.to_columns.as_slice()) else {
        return Err("it joins by several columns".to_owned());
    };
    let find = |name: &String| datasets.read.get(name).ok_or_else(|| format!("the dataset `{name}` is left out"));
    let (from, to) = (find(&one.from)?, find(&one.to)?);
    let not_a_column = |dataset: &str, column: &str| format!("`{dataset}.{column}` is not a column of the table");
    let from_column = from.column(from_column).ok_or_else(|| not_a_column(&one.from, from_column))?;
    let to_column = to.column(to_column).ok_or_else(|| not_a_column(&one.to, to_column))?;
    let is_key = datasets.tables.get(&to.table).is_some_and(|table| table.model.key.iter().eq([&to_column]));
    if !is_key {
        return Err(format!("it leads to `{}.{to_column}`, which is not the key of that table", to.table));
    }
    let references = format!("{}.{to_column}", to.table);
    let Some(table) = datasets.tables.get_mut(&from.table) else { return Ok(()) };
    let column = table.columns.entry(from_column.clone()).or_default();
    if let Some(other) = column.references.as_ref().filter(|other| **other != references) {
        return Err(format!("the column `{from_column}` refers to `{other}` already"));
    }
    column.references = Some(references);
    Ok(())
}
