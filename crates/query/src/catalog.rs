//! The tables that project users can query.

use crate::{
    cache::{Digest, Fingerprint},
    name::{TableKey, fold},
    rule::NO_ROW,
    source::SourceKind,
};
use sqlparser::ast::{Ident, ObjectName};
use std::collections::BTreeSet;

/// The tables of one connection. Immutable: a changed list is a new catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Catalog {
    tables: Vec<Table>,
    /// A hash of all its tables.
    fingerprint: Fingerprint,
}

/// A table or view that queries can use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// `table` or `schema.table`, as the database spells it. The default schema is `public` on PostgreSQL and `main` on SQLite.
    pub name: String,
    /// The rows that a viewer can see.
    pub rows: RowAccess,
    /// Columns that queries cannot read. Rules can.
    pub hidden: BTreeSet<String>,
}

/// The rows of a table that a viewer can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowAccess {
    /// All of them (`rows: all`).
    All,
    /// Those that match this rule.
    Rule(String),
    /// None: the project file sets neither `rowRule` nor `rows: all`.
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

    /// Its tables, for creating another catalogue.
    #[must_use]
    pub fn into_tables(self) -> Vec<Table> {
        self.tables
    }

    /// The same catalogue, in which no viewer sees a row of these tables.
    #[must_use]
    pub fn emptied(&self, tables: &BTreeSet<String>) -> Self {
        let mut all = self.tables.clone();
        for table in all.iter_mut().filter(|table| tables.contains(&table.name)) {
            table.rows = RowAccess::Rule(NO_ROW.to_owned());
        }
        Self::new(all)
    }

    /// Equal for catalogues with the same tables, rules and hidden columns, and for no others.
    pub(crate) const fn fingerprint(&self) -> &Fingerprint {
        &self.fingerprint
    }

    /// The table that a query's relation refers to. `None` if it is not listed, or listed twice.
    pub(crate) fn resolve(&self, kind: SourceKind, relation: &ObjectName) -> Option<&Table> {
        let parts = relation.0.iter().map(|part| part.as_ident()).collect::<Option<Vec<&Ident>>>()?;
        self.one(kind, &TableKey::of_idents(kind, &parts)?)
    }

    /// The table with this name in the catalogue.
    pub(crate) fn named(&self, kind: SourceKind, name: &str) -> Option<&Table> {
        self.one(kind, &TableKey::of_name(kind, name)?)
    }

    fn one(&self, kind: SourceKind, key: &TableKey) -> Option<&Table> {
        // If the connection's URL sets the default schema, an entry without a schema and one with a schema may be the same
        // table.
        let is_same = |known: &TableKey| {
            let either_bare = known.schema.is_empty() || key.schema.is_empty();
            known.table == key.table && (known.schema == key.schema || either_bare)
        };
        let mut found = self.tables.iter().filter_map(|table| Some((table, TableKey::of_name(kind, &table.name)?)));
        let mut found = found.by_ref().filter(|(_, known)| is_same(known));
        // Two entries for a table could have two rules, so neither is used.
        let (table, known) = found.next().filter(|_| found.next().is_none())?;
        (known == *key).then_some(table)
    }
}
