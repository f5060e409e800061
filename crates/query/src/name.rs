//! How each database folds and quotes names.

use crate::source::SourceKind;
use sqlparser::ast::Ident;

/// A name as it is compared: SQLite ignores the case of ASCII letters, PostgreSQL compares exactly.
pub(crate) fn fold(kind: SourceKind, name: &str) -> String {
    match kind {
        SourceKind::Sqlite => name.to_ascii_lowercase(),
        SourceKind::Postgres => name.to_owned(),
    }
}

/// A name in SQL as it is compared: PostgreSQL lowers what is not quoted.
pub(crate) fn fold_ident(kind: SourceKind, ident: &Ident) -> String {
    match (kind, ident.quote_style) {
        (SourceKind::Postgres, Some(_)) => ident.value.clone(),
        _ => ident.value.to_ascii_lowercase(),
    }
}

/// A name between double quotes.
pub(crate) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A quoted identifier.
pub(crate) fn quoted(name: &str) -> Ident {
    Ident::with_quote('"', name)
}

/// A table's schema and name, spelled by the catalogue or by a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableKey {
    pub schema: String,
    pub table: String,
}

impl TableKey {
    /// Reads `table` or `schema.table`, folded for comparison.
    pub(crate) fn of_name(kind: SourceKind, name: &str) -> Option<Self> {
        let spelled = Self::spelled(kind, name)?;
        Some(Self { schema: fold(kind, &spelled.schema), table: fold(kind, &spelled.table) })
    }

    /// Reads `table` or `schema.table` in the catalogue's own spelling, for SQL and for looking it up.
    pub(crate) fn spelled(kind: SourceKind, name: &str) -> Option<Self> {
        let (schema, table) = name.split_once('.').unwrap_or((kind.default_schema(), name));
        let usable = |part: &str| !part.is_empty() && !part.contains(['.', '\0']);
        (usable(schema) && usable(table)).then(|| Self { schema: schema.to_owned(), table: table.to_owned() })
    }

    pub(crate) fn of_idents(kind: SourceKind, parts: &[&Ident]) -> Option<Self> {
        let (schema, table) = match parts {
            [table] => (kind.default_schema().to_owned(), table),
            [schema, table] => (fold_ident(kind, schema), table),
            _ => return None,
        };
        Some(Self { schema, table: fold_ident(kind, table) })
    }

    /// For SQL: both parts quoted, so that no search path decides.
    pub(crate) fn quoted(&self) -> String {
        format!("{}.{}", quote(&self.schema), quote(&self.table))
    }
}
