//! Fields as columns and dimensions.

use super::Notes;
use crate::{
    Column, Table,
    document::{Dataset, Field},
    expression::known,
    extension::{self, OfField},
    names, sql,
};
use inlay_contract::model::Dimension;
use inlay_sql_walk::{expressions, expressions_mut};
use sqlparser::ast::{Expr, Ident};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::ControlFlow,
};

/// What a field means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning {
    /// A column of the table.
    Column(Ident),
    /// An expression over columns of the table.
    Computed(Box<Expr>),
    /// It was not read.
    Unknown,
}

impl Meaning {
    fn column(&self) -> Option<&str> {
        match self {
            Self::Column(name) => Some(&name.value),
            Self::Computed(_) | Self::Unknown => None,
        }
    }
}

/// References that are no relationships, by column.
type References = Vec<(String, String)>;

/// Reads the fields of a dataset into its table.
pub(super) fn read(
    at: &str,
    dataset: &Dataset,
    table: &mut Table,
    notes: &mut Notes,
) -> (BTreeMap<String, Meaning>, References) {
    let mut meanings = BTreeMap::new();
    let mut references = Vec::new();
    let mut kept = Vec::new();
    for field in &dataset.fields {
        let at = format!("{at}.fields.{}", field.name);
        let ours: OfField = notes.extension(&at, extension::read(&field.custom_extensions)).unwrap_or_default();
        let meaning = meaning(dataset, field).unwrap_or_else(|why| {
            notes.add(
                &at,
                format!("the field is left out: its expression {why}"),
                "Declare it as a dimension in the project file",
            );
            Meaning::Unknown
        });
        meanings.insert(field.name.clone(), meaning);
        kept.push((at, field, ours));
    }
    // Columns first: dimensions make way for their names.
    let mut later = Vec::new();
    for (at, field, ours) in kept {
        match &meanings[&field.name] {
            Meaning::Column(name) if ours.sql.is_none() && !table.columns.contains_key(&name.value) => {
                let name = name.value.clone();
                references.extend(ours.references.clone().map(|references| (name.clone(), references)));
                column(&at, name, field, &ours, table, notes);
            }
            Meaning::Unknown => {}
            Meaning::Column(_) | Meaning::Computed(_) => later.push((at, field, ours)),
        }
    }
    for (at, field, ours) in later {
        if let Err(why) = dimension(&at, field, &ours, &meanings, table, notes) {
            notes.add(&at, format!("the field is left out: {why}"), "Declare it as a dimension in the project file");
            meanings.insert(field.name.clone(), Meaning::Unknown);
        }
    }
    (meanings, references)
}

fn meaning(dataset: &Dataset, field: &Field) -> Result<Meaning, String> {
    let mut expression = parsed(&field.expression)?;
    let foreign = expressions_mut(&mut expression, |part: &mut Expr| match part {
        Expr::CompoundIdentifier(parts) => match parts.as_slice() {
            [owner, name] if owner.value.eq_ignore_ascii_case(&dataset.name) => {
                *part = Expr::Identifier(name.clone());
                ControlFlow::Continue(())
            }
            _ => ControlFlow::Break(format!("names `{part}`, which is not of this dataset")),
        },
        _ => ControlFlow::Continue(()),
    });
    if let ControlFlow::Break(why) = foreign {
        return Err(why);
    }
    sql::of_one_row(&expression)?;
    match sql::bare(&expression) {
        Expr::Identifier(name) if names::is_listed(&name.value) => Ok(Meaning::Column(name.clone())),
        Expr::Identifier(_) => Err("names a column with a quote, backtick, backslash or control character".to_owned()),
        _ => Ok(Meaning::Computed(Box::new(expression))),
    }
}

/// The expression in standard SQL.
///
/// # Errors
/// A sentence without its subject: it cannot be read, or there is none.
pub(super) fn parsed(expression: &crate::document::Expression) -> Result<Expr, String> {
    let Some(text) = expression.text() else {
        let dialects: Vec<&str> = expression.dialects.iter().map(|one| one.dialect.as_str()).collect();
        return Err(format!("is in {} alone, and only ANSI_SQL is read", dialects.join(" and ")));
    };
    let read = sql::parse(text)?;
    if sql::printed(&read).is_some() {
        Ok(read)
    } else {
        Err("holds a text or name with a quote behind a backslash".to_owned())
    }
}

fn column(at: &str, name: String, field: &Field, ours: &OfField, table: &mut Table, notes: &mut Notes) {
    let synonyms = notes.context(at, field.ai_context.as_ref());
    let label = field.label.clone().or_else(|| (field.name != name).then(|| field.name.clone()));
    if ours.implied && label.is_none() && field.description.is_none() && synonyms.is_empty() {
        return;
    }
    let column = Column { label, description: field.description.clone(), synonyms, references: None };
    table.columns.insert(name, column);
}

fn dimension(
    at: &str,
    field: &Field,
    ours: &OfField,
    meanings: &BTreeMap<String, Meaning>,
    table: &mut Table,
    notes: &mut Notes,
) -> Result<(), String> {
    let expression = parsed(&field.expression)?;
    // All columns that the model says are fields, also those of keys and times, which are read later.
    let columns: BTreeSet<&str> = meanings.values().filter_map(Meaning::column).chain(known(table)).collect();
    let exact = ours.sql.as_ref().filter(|exact| sql::own(exact, &columns).as_ref() == Some(&expression));
    if ours.sql.is_some() && exact.is_none() {
        let why = "the expression differs from the SQL that Inlay exported, so the expression is read";
        notes.add(at, why, "Check the dimension");
    }
    let sql = if let Some(exact) = exact {
        exact.clone()
    } else {
        let own = match &meanings[&field.name] {
            Meaning::Column(name) => Expr::Identifier(name.clone()),
            Meaning::Computed(expression) => (**expression).clone(),
            Meaning::Unknown => return Ok(()),
        };
        if let Some(other) = ambiguous(&own, &field.name, meanings) {
            return Err(format!("`{other}` in its expression can be the field or a column of the table"));
        }
        quoted(at, &own, notes);
        own.to_string()
    };
    let taken: BTreeSet<String> =
        known(table).into_iter().chain(table.model.dimensions.keys().map(String::as_str)).map(str::to_owned).collect();
    let name =
        if exact.is_some() && !taken.contains(&field.name) { field.name.clone() } else { names::fit(&field.name, &taken) };
    let renamed = name != field.name;
    if renamed {
        notes.add(
            at,
            format!("the dimension is named `{name}`: names have letters, digits and `_`"),
            "Choose another name if you like",
        );
    }
    let synonyms = notes.context(at, field.ai_context.as_ref());
    let label = field.label.clone().or_else(|| renamed.then(|| field.name.clone()));
    let (description, order) = (field.description.clone(), ours.order.clone());
    table.model.dimensions.insert(name, Dimension { sql, order, label, description, synonyms });
    Ok(())
}

/// Names in quotes are texts on some databases.
pub(super) fn quoted(at: &str, expression: &Expr, notes: &mut Notes) {
    if let Some(name) = sql::quoted(expression) {
        let why = format!("the expression names \"{name}\" in double quotes, which MySQL and MariaDB take for a text");
        notes.add(at, why, "If the connection is one of these, write the name in backticks");
    }
}

/// A name in an expression that is also another field, and not the column of that name.
fn ambiguous(expression: &Expr, own: &str, meanings: &BTreeMap<String, Meaning>) -> Option<String> {
    let found = expressions(expression, |part| {
        let Expr::Identifier(name) = part else { return ControlFlow::Continue(()) };
        let other = meanings.iter().find(|(field, meaning)| {
            let is_column = matches!(meaning, Meaning::Column(column) if column.value.eq_ignore_ascii_case(field));
            field.as_str() != own && field.eq_ignore_ascii_case(&name.value) && !is_column
        });
        other.map_or(ControlFlow::Continue(()), |(field, _)| ControlFlow::Break(field.clone()))
    });
    found.break_value()
}

/// The dimension that a field became, if its name did not change.
pub(super) fn dimension_of(table: &Table, field: &str) -> Option<String> {
    table.model.dimensions.contains_key(field).then(|| field.to_owned())
}
