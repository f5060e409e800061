//! Lists a database's tables, columns and sample rows for an operator, before any table is in the catalogue.

use super::Engine;
use crate::{
    catalog::{Catalog, RowAccess, Table},
    error::QueryError,
    name::TableKey,
    property::SecurityContext,
    question::repeated_sql,
    rewrite::Query,
    source::Source,
};
use chrono::NaiveDate;
use futures::FutureExt as _;
use inlay_contract::data::{ChartData, Column};
use std::collections::{BTreeSet, HashMap};

/// A table or view that the connection's user can read.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceTable {
    /// Its name for the catalogue: `schema.table`, or the table alone if it is in the default schema.
    pub name: String,
    /// Its columns, in the database's order.
    pub columns: Vec<Column>,
}

impl Engine {
    /// The tables of a source by name, read now. For a very large database, only the first ones.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`], [`QueryError::Timeout`], or [`QueryError::Failed`] if the source does not list them.
    pub async fn tables(&self, source: &Source) -> Result<Vec<SourceTable>, QueryError> {
        async move {
            let limits = self.0.limits_of(source);
            let found = self.0.connections.of(source, &limits).await?.pool.list(&limits).await?;
            let mut tables: Vec<SourceTable> = Vec::new();
            // Some databases mix the columns of tables whose names differ only in case.
            let mut places: HashMap<String, usize> = HashMap::new();
            for (key, column) in found {
                // Names that a catalogue cannot contain are left out.
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
        .boxed()
        .await
    }

    /// The first rows of a table that need not be listed, for an operator who chooses tables. Never for a viewer. The query is
    /// processed like any other, with a catalogue of only this table.
    ///
    /// # Errors
    /// See [`Engine::run`]. A source whose database filters rows by the viewer's token returns none without a token.
    pub async fn sample(&self, source: &Source, table: &str, most: usize) -> Result<ChartData, QueryError> {
        self.all_rows(source, table, Query::first_rows(source.kind, table, most, NaiveDate::default()), 0).await
    }

    /// How many values of a key several rows of a table share. For an operator who declares it, never for a viewer: it counts the rows
    /// of all customers. `share` says whose share of the source's places the query takes.
    ///
    /// # Errors
    /// See [`Engine::run`].
    pub async fn repeated_keys(&self, source: &Source, table: &str, key: &[String], share: u128) -> Result<u64, QueryError> {
        async move {
            let sql = repeated_sql(source.kind, table, key)?;
            let counted = self.all_rows(source, table, Query::new(sql, NaiveDate::default()), share).await?;
            let number = counted.rows.first().and_then(|row| row.first());
            number
                .and_then(serde_json::Value::as_u64)
                .ok_or_else(|| QueryError::failed("the count of repeated keys is no number"))
        }
        .boxed()
        .await
    }

    /// A query of one table without a rule.
    async fn all_rows(&self, source: &Source, table: &str, query: Query, share: u128) -> Result<ChartData, QueryError> {
        let unknown = || QueryError::failed(format!("connection {} has no table {table}", source.name));
        TableKey::spelled(source.kind, table).ok_or_else(unknown)?;
        let only = Table { name: table.to_owned(), rows: RowAccess::All, hidden: BTreeSet::new() };
        let query = Query { refresh: true, ..query };
        let nobody = SecurityContext { share, ..SecurityContext::default() };
        self.run(source, &Catalog::new(vec![only]), &nobody, &query).await
    }
}
