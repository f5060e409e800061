//! How databases fold and quote names.

use crate::{
    dialect::{Backslash, Case, Names, dialect},
    source::SourceKind,
};
use sqlparser::ast::Ident;

/// Folds a name from the database's catalogue for comparison.
pub(crate) fn fold(kind: SourceKind, name: &str) -> String {
    dialect(kind).names().listed.fold(name)
}

/// Folds a name from SQL for comparison.
pub(crate) fn fold_ident(kind: SourceKind, ident: &Ident) -> String {
    let names = dialect(kind).names();
    let case = if ident.quote_style.is_some() { names.quoted } else { names.bare };
    case.fold(&ident.value)
}

/// The spelling of a name from SQL that has the same meaning in quotes.
pub(crate) fn requoted(kind: SourceKind, ident: &Ident) -> String {
    match dialect(kind).names().quoted {
        Case::Exact => fold_ident(kind, ident),
        Case::AsciiLower | Case::Lower => ident.value.clone(),
    }
}

/// A name in the database's quotes. Unlike the parser's own way, which leaves a mark alone that looks escaped, every mark
/// inside is doubled.
pub(crate) fn quote(kind: SourceKind, name: &str) -> String {
    let Names { quote_mark, backslash, .. } = dialect(kind).names();
    let mut made = String::with_capacity(name.len() + 2);
    made.push(quote_mark);
    for letter in name.chars() {
        if letter == quote_mark || letter == '\\' && backslash == Backslash::Escape {
            made.push(letter);
        }
        made.push(letter);
    }
    made.push(quote_mark);
    made
}

/// Whether a name that a database tells may be written into SQL: it holds no quote, backslash or control character. Others are
/// left out of the catalogue, so that no two readers of the SQL can disagree about where such a name ends.
pub(crate) fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(|letter: char| matches!(letter, '"' | '`' | '\\') || letter.is_control())
}

/// A table's name with each part in quotes.
pub(crate) fn quote_table(kind: SourceKind, name: &str) -> String {
    name.split('.').map(|part| quote(kind, part)).collect::<Vec<_>>().join(".")
}

/// A quoted identifier.
pub(crate) fn quoted(kind: SourceKind, name: &str) -> Ident {
    Ident::with_quote(dialect(kind).names().quote_mark, name)
}

/// A table's schema and name, from the catalogue or from a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableKey {
    /// Empty if the connection's URL sets the default schema.
    pub schema: String,
    pub table: String,
}

impl TableKey {
    /// Parses `table` or `schema.table` and folds it for comparison.
    pub(crate) fn of_name(kind: SourceKind, name: &str) -> Option<Self> {
        let spelled = Self::spelled(kind, name)?;
        Some(Self { schema: fold(kind, &spelled.schema), table: fold(kind, &spelled.table) })
    }

    /// Parses `table` or `schema.table` in the catalogue's spelling, for SQL and lookups.
    pub(crate) fn spelled(kind: SourceKind, name: &str) -> Option<Self> {
        let usable = |part: &str| is_plain(part) && !part.contains('.');
        let (schema, table) = match name.split_once('.') {
            Some((schema, table)) => (usable(schema).then_some(schema)?, table),
            None => (dialect(kind).default_schema(), name),
        };
        usable(table).then(|| Self { schema: schema.to_owned(), table: table.to_owned() })
    }

    /// Its name in the catalogue. `None` if a catalogue cannot contain it.
    pub(crate) fn named(&self, kind: SourceKind) -> Option<String> {
        let own = self.schema == dialect(kind).default_schema();
        let name = if own { self.table.clone() } else { format!("{}.{}", self.schema, self.table) };
        (Self::spelled(kind, &name)? == *self).then_some(name)
    }

    pub(crate) fn of_idents(kind: SourceKind, parts: &[&Ident]) -> Option<Self> {
        let (schema, table) = match parts {
            [table] => (dialect(kind).default_schema().to_owned(), table),
            [schema, table] => (fold_ident(kind, schema), table),
            _ => return None,
        };
        Some(Self { schema, table: fold_ident(kind, table) })
    }

    /// Its name in SQL. Both parts are quoted, so that no search path matters. Without a schema if it is the connection's own.
    pub(crate) fn quoted(&self, kind: SourceKind) -> String {
        if self.schema.is_empty() {
            quote(kind, &self.table)
        } else {
            format!("{}.{}", quote(kind, &self.schema), quote(kind, &self.table))
        }
    }
}
