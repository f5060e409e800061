//! What an operator sees of a database before any of its tables is listed: which there are, their columns, a few of their rows.

use super::Engine;
use crate::{
    catalog::{Catalog, RowAccess, Table},
    error::QueryError,
    name::TableKey,
    property::SecurityContext,
    rewrite::Query,
    source::Source,
};
use chrono::NaiveDate;
use inlay_contract::data::{ChartData, Column};
use std::collections::{BTreeSet, HashMap};

/// A table or view of a source, as its user may read it.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceTable {
    /// As a catalogue names it: `schema.table`, or the table alone where its schema is the one that a bare name means.
    pub name: String,
    /// Its columns, in the database's order.
    pub columns: Vec<Column>,
}

impl Engine {
    /// The tables of a source by name, asked of it now; a very large database tells of its first tables only.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`], [`QueryError::Timeout`], or [`QueryError::Failed`] when the source tells nobody.
    pub async fn tables(&self, source: &Source) -> Result<Vec<SourceTable>, QueryError> {
        let limits = self.0.limits_of(source);
        let found = self.0.connections.of(source, &limits).await?.pool.list(&limits).await?;
        let mut tables: Vec<SourceTable> = Vec::new();
        // Not every database keeps the columns of two names together that differ in case alone.
        let mut places: HashMap<String, usize> = HashMap::new();
        for (key, column) in found {
            // What a catalogue cannot name is left out.
            let Some(name) = key.named(source.kind) else { continue };
            let column = Column { name: column.name, kind: column.class.column_type() };
            let place = *places.entry(name.clone()).or_insert(tables.len());
            match tables.get_mut(place) {
                Some(table) => table.columns.push(column),
                None => tables.push(SourceTable { name, columns: vec![column] }),
            }
        }
        Ok(tables)
    }

    /// The first rows of a table that need not be listed, for an operator who chooses tables; never for a viewer. The query takes
    /// the same way as every other, over a catalogue of this one table.
    ///
    /// # Errors
    /// As [`Engine::run`]; a source whose database filters rows by a viewer's token shows none without one.
    pub async fn sample(&self, source: &Source, table: &str, most: usize) -> Result<ChartData, QueryError> {
        let unknown = || QueryError::failed(format!("connection {} has no table {table}", source.name));
        let relation = TableKey::spelled(source.kind, table).ok_or_else(unknown)?.quoted(source.kind);
        let only = Table { name: table.to_owned(), rows: RowAccess::All, hidden: BTreeSet::new() };
        let query =
            Query { refresh: true, ..Query::new(format!("SELECT * FROM {relation} LIMIT {most}"), NaiveDate::default()) };
        self.run(source, &Catalog::new(vec![only]), &SecurityContext::default(), &query).await
    }
}
