//! A first model of tables that nobody described yet: keys, references, times and measures, by what the database declares and by
//! names. It is proposed to a person and has no effect by itself.

mod keys;
mod measures;
mod references;
#[cfg(test)]
mod tests;
mod time;
mod words;

use super::definition::{Model, ModelTable};
use crate::{
    engine::{DeclaredKeys, SourceTable},
    name::{fold, fold_ident, quote},
    source::SourceKind,
    sql::parse_expression,
};
use inlay_contract::{data::Column, model::Measure};
use sqlparser::ast::Expr;
use std::collections::{BTreeMap, BTreeSet};

/// What a draft is made from.
#[derive(Clone, Copy, Debug)]
pub struct DraftInput<'a> {
    /// The kind of database.
    pub kind: SourceKind,
    /// The tables, with the columns that a model may use. Hidden ones are left out by the caller.
    pub tables: &'a [SourceTable],
    /// The keys that the database declares.
    pub keys: &'a DeclaredKeys,
    /// What the project says already, by table. Nothing of it is proposed again.
    pub known: &'a BTreeMap<String, ModelTable>,
    /// The names of the project's measures and metrics, also of other connections.
    pub taken: &'a BTreeSet<String>,
}

/// A proposal for the tables that it names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// The proposals, by table.
    pub tables: BTreeMap<String, TableDraft>,
    /// What was guessed, and what was left out.
    pub notes: Vec<DraftNote>,
}

/// The proposals for one table. What the project says already is not among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableDraft {
    /// The key's columns. None if empty.
    pub key: Vec<String>,
    /// Whether the key is only guessed by its name: rows may share it.
    pub is_key_guessed: bool,
    /// The column that `time` means.
    pub time: Option<String>,
    /// Columns that refer to keys, as `table.column`.
    pub references: BTreeMap<String, String>,
    /// Measures, by name.
    pub measures: BTreeMap<String, Measure>,
}

/// A remark about a proposal, for the person who decides about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftNote {
    /// Where in the project file: `tables.orders.key`.
    pub at: String,
    /// What was guessed or left out, and why.
    pub why: String,
    /// What to do about it.
    pub advice: String,
}

impl DraftNote {
    fn new(at: String, why: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { at, why: why.into(), advice: advice.into() }
    }
}

/// Proposes a model.
#[must_use]
pub fn draft(input: &DraftInput<'_>) -> Draft {
    let mut draft = Draft::default();
    for table in input.tables {
        draft.tables.insert(table.name.clone(), TableDraft::default());
    }
    keys::add(input, &mut draft);
    references::add(input, &mut draft);
    time::add(input, &mut draft);
    measures::add(input, &mut draft);
    references::respect_known(input, &mut draft);
    references::note_several_ways(input, &mut draft);
    draft
}

impl Draft {
    /// Notes of guessed keys, by table, that no two rows share a value of them now.
    pub fn confirm_keys(&mut self, tables: &[String]) {
        for table in tables {
            let at = format!("tables.{table}.key");
            if let Some(note) = self.notes.iter_mut().find(|note| note.at == at) {
                note.why.push_str(", but no two rows share a value now");
            }
        }
    }

    /// Takes keys back, by table and with the reason: rows share them, or nobody could count whether they do. The references to
    /// them go, too.
    pub fn drop_keys(&mut self, input: &DraftInput<'_>, keys: &[(String, String)]) {
        for (table, why) in keys {
            let Some(own) = self.tables.get_mut(table).filter(|own| !own.key.is_empty()) else { continue };
            let key = std::mem::take(&mut own.key);
            own.is_key_guessed = false;
            let at = format!("tables.{table}.key");
            self.notes.retain(|note| note.at != at);
            let advice = format!("Declare `key: {}` if you know that no two rows share it", key.join(", "));
            self.notes.push(DraftNote::new(at, why, advice));
            self.drop_references(table, "has no key, so nothing can refer to it");
        }
        references::respect_known(input, self);
        references::note_several_ways(input, self);
    }

    /// Takes back the references to a table.
    fn drop_references(&mut self, table: &str, why: &str) {
        for (name, other) in &mut self.tables {
            let leads = |to: &String| to.rsplit_once('.').is_some_and(|(to, _)| to == table);
            let lost: Vec<String> = other.references.extract_if(.., |_, to| leads(to)).map(|(column, _)| column).collect();
            for column in lost {
                let at = format!("tables.{name}.columns.{column}.references");
                self.notes.retain(|note| note.at != at);
                let advice = format!("Declare the key of {table} first");
                self.notes.push(DraftNote::new(at, format!("{table} {why}"), advice));
            }
        }
    }

    /// The key of a table: the project's, or the proposed one.
    fn key_of<'a>(&'a self, input: &'a DraftInput<'_>, table: &str) -> &'a [String] {
        let known = input.known.get(table).map(|known| known.model.key.as_slice()).filter(|key| !key.is_empty());
        known.or_else(|| self.tables.get(table).map(|own| own.key.as_slice())).unwrap_or_default()
    }

    /// What the project will say with the draft in it, as far as ways between tables are concerned.
    fn joined(&self, input: &DraftInput<'_>) -> Model {
        let one = |table: &SourceTable| {
            let mut made = input.known.get(&table.name).cloned().unwrap_or_default();
            made.columns = table.columns.iter().map(|column| (column.name.clone(), None)).collect();
            made.model.key = self.key_of(input, &table.name).to_vec();
            let own = self.tables.get(&table.name).map(|own| &own.references);
            let drafted =
                own.into_iter().flatten().filter_map(|(column, to)| Some((column.clone(), super::Reference::read(to)?)));
            made.references.extend(drafted);
            (table.name.clone(), made)
        };
        Model { tables: input.tables.iter().map(one).collect(), ..Model::default() }
    }
}

/// A column of a table by its name: spelled like this, or the only one that differs in case alone.
fn column_of<'t>(table: &'t SourceTable, name: &str) -> Option<&'t Column> {
    only(&table.columns, name, |column| &column.name)
}

/// A table by its name, in the same way.
fn table_of<'t>(tables: &'t [SourceTable], name: &str) -> Option<&'t SourceTable> {
    only(tables, name, |table| &table.name)
}

fn only<'t, T>(all: &'t [T], name: &str, named: impl Fn(&T) -> &String) -> Option<&'t T> {
    if let Some(exact) = all.iter().find(|one| named(one) == name) {
        return Some(exact);
    }
    let mut alike = all.iter().filter(|one| named(one).eq_ignore_ascii_case(name));
    alike.next().filter(|_| alike.next().is_none())
}

/// A column as an expression of a measure. `None` if it cannot be written.
fn spelled(kind: SourceKind, column: &str) -> Option<String> {
    let is_simple = column.starts_with(|letter: char| letter.is_ascii_lowercase())
        && column.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
    let quoted = quote(kind, column);
    let is_it = |text: &String| names_column(kind, text, column);
    Some(column.to_owned()).filter(|_| is_simple).filter(is_it).or_else(|| Some(quoted).filter(is_it))
}

/// Whether an expression is a column and nothing else.
fn names_column(kind: SourceKind, expression: &str, column: &str) -> bool {
    let read = super::expression::of_row(kind, expression, super::groups::FACT).is_ok();
    let found = parse_expression(kind, expression);
    read && matches!(found, Ok(Expr::Identifier(name)) if fold_ident(kind, &name) == fold(kind, column))
}
