//! Datasets as tables.

use super::{
    Notes,
    fields::{self, Meaning},
};
use crate::{
    Table,
    document::{Dataset, Field},
    extension::{self, OfDataset},
    names, sql,
};
use sqlparser::ast::Ident;
use std::collections::BTreeMap;

/// The datasets that were read.
#[derive(Default)]
pub(super) struct Datasets {
    pub tables: BTreeMap<String, Table>,
    /// By the datasets' names.
    pub read: BTreeMap<String, Read>,
    /// How many the document has, also those that were not read.
    pub count: usize,
    /// References that are no relationships: table, column, and what it refers to.
    pub references: Vec<(String, String, String)>,
}

/// A dataset that was read.
pub(super) struct Read {
    pub table: String,
    /// What its fields mean, by their names.
    pub fields: BTreeMap<String, Meaning>,
}

impl Datasets {
    /// The dataset that an identifier names.
    pub fn named(&self, ident: &Ident) -> Option<(&str, &Read)> {
        matching(&self.read, ident).map(|(name, read)| (name.as_str(), read))
    }

    /// The datasets' names by their tables.
    pub fn names(&self) -> BTreeMap<String, String> {
        self.read.iter().map(|(name, read)| (read.table.clone(), name.clone())).collect()
    }
}

impl Read {
    /// What an identifier means within the dataset: one of its fields, else a column of the table.
    pub fn meaning(&self, ident: &Ident) -> Meaning {
        matching(&self.fields, ident).map_or_else(|| Meaning::Column(ident.clone()), |(_, meaning)| meaning.clone())
    }

    /// The column that a key or relationship names.
    pub fn column(&self, name: &str) -> Option<String> {
        match self.meaning(&Ident::with_quote('"', name)) {
            Meaning::Column(column) => Some(column.value).filter(|column| names::is_listed(column)),
            Meaning::Computed(_) | Meaning::Unknown => None,
        }
    }
}

/// The entry that an identifier names: exactly, or without quotes in any case if there is only one such.
fn matching<'m, T>(map: &'m BTreeMap<String, T>, ident: &Ident) -> Option<(&'m String, &'m T)> {
    let exact = map.get_key_value(&ident.value);
    if exact.is_some() || ident.quote_style.is_some() {
        return exact;
    }
    let mut alike = map.iter().filter(|(name, _)| name.eq_ignore_ascii_case(&ident.value));
    alike.next().filter(|_| alike.next().is_none())
}

/// Reads the datasets of a document.
pub(super) fn read(datasets: &[Dataset], notes: &mut Notes) -> Datasets {
    let mut made = Datasets { count: datasets.len(), ..Datasets::default() };
    for dataset in datasets {
        let at = format!("datasets.{}", dataset.name);
        match table_of(&dataset.source) {
            Err(why) => notes.add(
                format!("{at}.source"),
                format!("the dataset is left out: its source {why}"),
                "Create a view, and name it as the source",
            ),
            Ok(table) if made.tables.contains_key(&table) => {
                let why =
                    format!("the dataset is left out: another one has the source `{table}`, and a table is in the model once");
                notes.add(format!("{at}.source"), why, "Create a view for one of them, and name it as the source");
            }
            Ok(table) => one(&at, dataset, table, &mut made, notes),
        }
    }
    made
}

/// The table that a source names: of `database.schema.table` without the database, which the connection says.
fn table_of(source: &str) -> Result<String, String> {
    let parts = sql::parse_name(source).map_err(|_| "is not the name of a table".to_owned())?;
    if parts.len() > 3 {
        return Err("has more parts than `database.schema.table`".to_owned());
    }
    let kept: Vec<&str> = parts.iter().rev().take(2).rev().map(|part| part.value.as_str()).collect();
    if !kept.iter().all(|part| names::is_listed(part)) {
        return Err("holds a quote, backtick, backslash or control character".to_owned());
    }
    Ok(kept.join("."))
}

fn one(at: &str, dataset: &Dataset, name: String, made: &mut Datasets, notes: &mut Notes) {
    let kept: Option<OfDataset> = notes.extension(at, extension::read(&dataset.custom_extensions));
    let ours = kept.is_some();
    let kept = kept.unwrap_or_default();
    let mut table = Table { description: dataset.description.clone(), label: kept.label, ..Table::default() };
    table.synonyms = notes.context(at, dataset.ai_context.as_ref());
    table.model.dimensions = kept.dimensions;
    table.model.measures = kept.measures;
    table.model.fiscal_year_start = kept.fiscal_year_start;
    table.model.drill = kept.drill;
    table.model.display = kept.display;
    let (meanings, references) = fields::read(at, dataset, &mut table, notes);
    made.references.extend(references.into_iter().map(|(column, references)| (name.clone(), column, references)));
    let read = Read { table: name.clone(), fields: meanings };
    key(at, dataset, &read, &mut table, notes);
    time(at, dataset, (kept.time, ours), &read, &mut table, notes);
    made.read.insert(dataset.name.clone(), read);
    made.tables.insert(name, table);
}

fn key(at: &str, dataset: &Dataset, read: &Read, table: &mut Table, notes: &mut Notes) {
    let columns = |names: &[String]| names.iter().map(|name| read.column(name)).collect::<Option<Vec<String>>>();
    // A unique key is as good, one of a single column better: other tables can refer to it.
    let unique = dataset.unique_keys.iter().find(|names| names.len() == 1).or_else(|| dataset.unique_keys.first());
    let (field, declared) = match unique.filter(|_| dataset.primary_key.is_empty()) {
        Some(unique) => ("unique_keys", unique),
        None => ("primary_key", &dataset.primary_key),
    };
    match columns(declared) {
        Some(columns) => table.model.key = columns,
        None => notes.add(
            format!("{at}.{field}"),
            format!("the key {} is left out: not all of it are columns of the table", declared.join(", ")),
            "Set `key` in the project file",
        ),
    }
    let same = |other: &Vec<String>| other.iter().all(|name| declared.contains(name));
    for other in dataset.unique_keys.iter().filter(|other| !same(other)) {
        let why = format!("the unique key {} is left out: a table has one key", other.join(", "));
        notes.add(format!("{at}.unique_keys"), why, "Set another `key` in the project file if other tables refer to it");
    }
}

fn time(at: &str, dataset: &Dataset, kept: (Option<String>, bool), read: &Read, table: &mut Table, notes: &mut Notes) {
    let fields: Vec<&Field> = dataset.fields.iter().filter(|field| field.is_time()).collect();
    let (time, ours) = kept;
    let has_field = |time: &String| dataset.fields.iter().any(|field| field.name == *time);
    let expected: Vec<&String> = time.iter().filter(|time| has_field(time)).collect();
    if ours && fields.iter().map(|field| &field.name).eq(expected) {
        // Without a field it is a dimension of the extension, or gone from the document.
        if time.as_ref().is_none_or(|time| has_field(time) || table.model.dimensions.contains_key(time)) {
            table.model.time = time;
            return;
        }
    }
    let dated: Vec<&&Field> = fields.iter().filter(|field| field.is_dated()).collect();
    if let [field] = dated.as_slice() {
        table.model.time = match read.fields.get(&field.name) {
            Some(Meaning::Column(column)) => Some(column.value.clone()),
            _ => fields::dimension_of(table, &field.name),
        };
        if table.model.time.is_some() {
            return;
        }
    }
    if fields.is_empty() && time.is_none() {
        return;
    }
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    let why = match dated.len() {
        0 => format!(
            "the default time is left out: no field is both `is_time` and a date or moment by its `datatype` ({})",
            names.join(", ")
        ),
        _ => format!("the default time is left out: several fields are times ({})", names.join(", ")),
    };
    notes.add(at, why, "Set `time` in the project file");
}
