//! The columns of a query, without reading a row. For saving a chart or an example.

use super::Engine;
use crate::{
    catalog::{Catalog, RowAccess, Table},
    column_names::ColumnNames,
    error::QueryError,
    filters::Filter,
    property::SecurityContext,
    rewrite::{Query, tables_read},
    source::{Source, SourceKind},
};
use chrono::NaiveDate;
use futures::FutureExt as _;
use inlay_contract::{data::Column, filter::FilterValue};

/// The result of probing a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probed {
    /// It runs and returns these columns.
    Gives(Vec<Column>),
    /// It can never run: a sentence for the operator.
    Refused(String),
    /// The source does not respond, so it was not probed.
    Unasked,
}

impl Engine {
    /// Probes a query without reading its tables' rows. It cannot use columns that the catalogue hides. Row rules do not
    /// matter, not even whether a table has one.
    pub async fn probe(&self, source: &Source, catalog: &Catalog, sql: &str) -> Probed {
        async move {
            match self.over_no_rows(source, catalog, sql).await {
                Ok(columns) => Probed::Gives(columns),
                Err(QueryError::SourceUnavailable(_) | QueryError::Refused(_) | QueryError::Timeout(_)) => Probed::Unasked,
                Err(problem) => {
                    let hidden = self.hidden_columns(source, catalog, sql).await;
                    let hidden = hidden.map(|hidden| format!("{hidden} ({})", problem.detail()));
                    Probed::Refused(hidden.unwrap_or_else(|| problem.detail().to_owned()))
                }
            }
        }
        .boxed()
        .await
    }

    async fn over_no_rows(&self, source: &Source, catalog: &Catalog, sql: &str) -> Result<Vec<Column>, QueryError> {
        let mut filters = Vec::new();
        for name in self.tables_read(source, catalog, sql).await? {
            let Some(table) = catalog.named(source.kind, &name) else { continue };
            // Recent changes in the database must be seen.
            self.describe(source, &table.name).await?;
            let columns = self.columns(source, &table.name, 0).await?.columns;
            let visible = columns.iter().find(|column| !table.hides(source.kind, &column.name));
            let visible = visible.ok_or_else(|| QueryError::failed(format!("every column of {name} is hidden")))?;
            let nothing = FilterValue::AnyOf(Vec::new());
            filters.push(Filter { table: table.name.clone(), column: visible.name.clone(), value: nothing });
        }
        let open = |table: &Table| Table { rows: RowAccess::All, ..table.clone() };
        let open = Catalog::new(catalog.tables().iter().map(open).collect());
        let query = Query { filters, refresh: true, ..Query::new(sql, NaiveDate::default()) };
        Ok(self.run(source, &open, &SecurityContext::default(), &query).await?.columns)
    }

    async fn hidden_columns(&self, source: &Source, catalog: &Catalog, sql: &str) -> Option<String> {
        let (kind, catalog, sql) = (source.kind, catalog.clone(), sql.to_owned());
        let told = self.0.readers.read(source, &self.0.limits, move || Ok(hidden_columns(kind, &catalog, &sql))).await;
        told.ok().flatten()
    }
}

/// A sentence about the hidden columns that a query uses, if there are any.
fn hidden_columns(kind: SourceKind, catalog: &Catalog, sql: &str) -> Option<String> {
    let (named, read) = (ColumnNames::of(kind, sql).ok()?, tables_read(kind, sql, catalog).ok()?);
    let tables = read.iter().filter_map(|name| catalog.named(kind, name));
    let hidden = tables.flat_map(|table| table.hidden.iter().map(move |column| (table, column)));
    let told: Vec<_> = hidden
        .filter(|(_, column)| named.contains(column))
        .map(|(table, column)| format!("`{column}` of {}", table.name))
        .collect();
    let verb = if told.len() == 1 { "is" } else { "are" };
    (!told.is_empty()).then(|| format!("{} {verb} hidden from project users", told.join(", ")))
}
