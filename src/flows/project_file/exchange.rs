//! The semantic model of a project file as an Apache Ossie document, out and in (docs/model.md).

use super::{
    export::{all_spanned, name},
    model::{ProjectFile, TableSection},
};
use crate::concepts::catalog::ColumnSettings;
use inlay_ossie::{Column, Imported, Note, SemanticModel, Table};
use std::collections::BTreeMap;

/// Why a model cannot be exchanged, for an operator.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Unexchanged {
    /// No such connection.
    #[error("the project has no connection `{0}`; its connections are {1}")]
    UnknownConnection(String, String),
    /// Several connections, and none is named.
    #[error("the project has several connections; say which by `--connection`: {0}")]
    SeveralConnections(String),
    /// Nothing to write.
    #[error("no table of `{0}` is part of a model; declare `key`, `time`, dimensions or measures in the project file first")]
    NoModel(String),
    /// A document that cannot be read.
    #[error("the document cannot be read:\n{0}")]
    Unreadable(String),
}

/// The model of a connection as a document. Hidden columns and closed tables are not part of it.
///
/// # Errors
/// No such connection, several without a choice, or nothing to write.
pub fn document_of(file: &ProjectFile, connection: Option<&str>) -> Result<String, Unexchanged> {
    let connection = chosen(file, connection)?;
    let is_part = |section: &&TableSection| {
        let is_open = section.row_rule.is_some() || section.rows.is_some();
        section.connection.value == connection && is_open && !section.model().is_empty()
    };
    let sections = file.tables.iter().filter(is_part);
    let tables: BTreeMap<String, Table> = sections.map(|section| (section.table.value.clone(), table(section))).collect();
    if tables.is_empty() {
        return Err(Unexchanged::NoModel(connection));
    }
    let (name, metrics) = (file.project.name.value.clone(), file.metrics());
    Ok(inlay_ossie::export(&SemanticModel { name, description: None, tables, metrics }))
}

/// Takes the model of a document into a project file. What the document does not name stays as it is.
///
/// # Errors
/// No such connection, several without a choice, or a document that cannot be read.
pub fn import(file: &mut ProjectFile, connection: Option<&str>, document: &str) -> Result<Vec<Note>, Unexchanged> {
    let connection = chosen(file, connection)?;
    let Imported { model, mut notes } = inlay_ossie::import(document).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Unexchanged::Unreadable(lines.join("\n"))
    })?;
    for (table, incoming) in model.tables {
        let same = |section: &&mut TableSection| section.connection.value == connection && section.table.value == table;
        if let Some(section) = file.tables.iter_mut().find(same) {
            take_table(section, incoming, &mut notes);
        } else {
            let mut section = empty(&connection, &table);
            take_table(&mut section, incoming, &mut notes);
            file.tables.push(section);
            notes.push(closed(&table));
        }
    }
    file.metrics.extend(all_spanned(model.metrics));
    Ok(notes)
}

/// The note about a table that is new to the project.
pub(super) fn closed(table: &str) -> Note {
    Note {
        at: format!("tables.{table}"),
        why: "the project did not list this table, so nobody may read its rows".to_owned(),
        advice: "Write its `rowRule`, or `rows: all` if every user may see every row".to_owned(),
    }
}

/// The connection that is meant.
pub(super) fn chosen(file: &ProjectFile, asked: Option<&str>) -> Result<String, Unexchanged> {
    let names: Vec<&str> = file.connections.iter().map(|connection| connection.name.value.as_str()).collect();
    match (asked, &names[..]) {
        (Some(asked), names) if names.contains(&asked) => Ok(asked.to_owned()),
        (Some(asked), names) => Err(Unexchanged::UnknownConnection(asked.to_owned(), names.join(", "))),
        (None, [one]) => Ok((*one).to_owned()),
        (None, several) => Err(Unexchanged::SeveralConnections(several.join(", "))),
    }
}

fn table(section: &TableSection) -> Table {
    let visible = section.columns.iter().filter(|(_, settings)| !settings.hidden);
    let column = |settings: &ColumnSettings| {
        let ColumnSettings { label, description, synonyms, references, .. } = settings.clone();
        Column { label, description, synonyms, references }
    };
    Table {
        label: section.label.clone(),
        description: section.description.clone(),
        synonyms: section.synonyms.clone(),
        columns: visible.map(|(name, settings)| (name.clone(), column(settings))).collect(),
        model: section.model(),
    }
}

/// A table that nobody may read.
pub(super) fn empty(connection: &str, table: &str) -> TableSection {
    TableSection {
        connection: name(connection),
        table: name(table),
        label: None,
        description: None,
        synonyms: Vec::new(),
        row_rule: None,
        rows: None,
        columns: BTreeMap::new(),
        key: Vec::new(),
        time: None,
        fiscal_year_start: None,
        drill: Vec::new(),
        display: None,
        dimensions: BTreeMap::new(),
        measures: BTreeMap::new(),
    }
}

fn take_table(section: &mut TableSection, incoming: Table, notes: &mut Vec<Note>) {
    let Table { label, description, synonyms, columns, model } = incoming;
    take(&mut section.label, label);
    take(&mut section.description, description);
    take_words(&mut section.synonyms, synonyms);
    for (column, said) in columns {
        let settings = section.columns.entry(column.clone()).or_default();
        if settings.hidden {
            notes.push(Note {
                at: format!("tables.{}.columns.{column}", section.table.value),
                why: "the project hides this column, and it stays hidden".to_owned(),
                advice: "Remove `hidden` if users may see it".to_owned(),
            });
            continue;
        }
        take(&mut settings.label, said.label);
        take(&mut settings.description, said.description);
        take_words(&mut settings.synonyms, said.synonyms);
        take(&mut settings.references, said.references);
    }
    take_words(&mut section.key, model.key);
    take(&mut section.time, model.time);
    take(&mut section.fiscal_year_start, model.fiscal_year_start);
    take_words(&mut section.drill, model.drill);
    take(&mut section.display, model.display);
    section.dimensions.extend(all_spanned(model.dimensions));
    section.measures.extend(all_spanned(model.measures));
}

fn take<T>(known: &mut Option<T>, said: Option<T>) {
    if said.is_some() {
        *known = said;
    }
}

fn take_words(known: &mut Vec<String>, said: Vec<String>) {
    if !said.is_empty() {
        *known = said;
    }
}
