//! The tables that project users' queries may name.

use crate::{
    cache::{Digest, Fingerprint},
    name::{TableKey, fold},
    source::SourceKind,
};
use sqlparser::ast::{Ident, ObjectName};
use std::collections::BTreeSet;

/// The tables of one connection. It never changes: another list of tables is another catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    tables: Vec<Table>,
    /// Of everything that the tables say.
    fingerprint: Fingerprint,
}

/// A table or view that queries may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// `table` or `schema.table`, spelled as the database spells it. Without a schema: `public` on PostgreSQL, `main` on SQLite.
    pub name: String,
    /// Which rows a viewer gets.
    pub rows: RowAccess,
    /// Columns that no query may read; rules may.
    pub hidden: BTreeSet<String>,
}

/// Which rows of a table a viewer gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowAccess {
    /// All of them (`rows: all`).
    All,
    /// Those for which this rule holds.
    Rule(String),
    /// None: the project file names neither `rowRule` nor `rows: all`.
    Nothing,
}

impl Table {
    /// Whether a column is hidden.
    pub(crate) fn hides(&self, kind: SourceKind, column: &str) -> bool {
        self.hidden.iter().any(|hidden| fold(kind, hidden) == fold(kind, column))
    }
}

impl Default for Catalog {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Catalog {
    /// A catalogue of these tables.
    #[must_use]
    pub fn new(tables: Vec<Table>) -> Self {
        let fingerprint = Digest::default().debug(&tables).end();
        Self { tables, fingerprint }
    }

    /// Its tables.
    #[must_use]
    pub fn tables(&self) -> &[Table] {
        &self.tables
    }

    /// Its tables, to make another catalogue of.
    #[must_use]
    pub fn into_tables(self) -> Vec<Table> {
        self.tables
    }

    /// The same for catalogues of the same tables, rules and hidden columns, and for no others.
    pub(crate) const fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The table that a query's relation means; `None` when it is not listed, or listed twice.
    pub(crate) fn resolve(&self, kind: SourceKind, relation: &ObjectName) -> Option<&Table> {
        let parts = relation.0.iter().map(|part| part.as_ident()).collect::<Option<Vec<&Ident>>>()?;
        self.one(kind, &TableKey::of_idents(kind, &parts)?)
    }

    /// The table of a name as the catalogue writes it.
    pub(crate) fn named(&self, kind: SourceKind, name: &str) -> Option<&Table> {
        self.one(kind, &TableKey::of_name(kind, name)?)
    }

    fn one(&self, kind: SourceKind, key: &TableKey) -> Option<&Table> {
        // Where only the connection's address tells which schema a bare name means, a bare entry and one with a schema may
        // be the same table.
        let is_same = |known: &TableKey| {
            let either_bare = known.schema.is_empty() || key.schema.is_empty();
            known.table == key.table && (known.schema == key.schema || either_bare)
        };
        let mut found = self.tables.iter().filter_map(|table| Some((table, TableKey::of_name(kind, &table.name)?)));
        let mut found = found.by_ref().filter(|(_, known)| is_same(known));
        // Two entries for one table could carry two rules: neither counts.
        let (table, known) = found.next().filter(|_| found.next().is_none())?;
        (known == *key).then_some(table)
    }
}
