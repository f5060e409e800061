//! The queries of a file's charts, and those of them that could never run.

use super::{
    FileProblem,
    apply::{catalog_of, table_of},
    model::{Name, ProjectFile},
};
use crate::concepts::catalog::{CatalogTable, modelled};
use chrono::Utc;
use inlay_contract::model::ModelQuery;
use inlay_query::{Catalog, Model, RowAccess, Source, compile, tables_read};
use serde_saphyr::Spanned;
use std::collections::BTreeMap;

/// What a chart asks.
#[derive(Clone, Copy)]
enum Query<'f> {
    Sql(&'f Name),
    Model(&'f Spanned<ModelQuery>),
}

impl Query<'_> {
    fn is(&self, other: &Query<'_>) -> bool {
        match (self, other) {
            (Self::Sql(one), Query::Sql(other)) => one.value == other.value,
            (Self::Model(one), Query::Model(other)) => one.value == other.value,
            _ => false,
        }
    }
}

/// A chart's query, with the chart's path in the file.
struct Asked<'f> {
    path: String,
    connection: &'f Name,
    query: Query<'f>,
}

/// What the queries of a file's connection may name.
struct Named {
    source: Source,
    catalog: Catalog,
    model: Model,
}

impl Named {
    /// The connections of a file, by their names.
    fn all(file: &ProjectFile, sources: &BTreeMap<String, Source>) -> BTreeMap<String, Self> {
        let metrics = file.metrics();
        let one = |(name, source): (&String, &Source)| {
            let tables = file.tables.iter().filter(|table| table.connection.value == *name);
            let tables: Vec<CatalogTable> = tables.map(table_of).collect();
            let visible = tables.iter().filter(|table| table.rows != RowAccess::Nothing);
            let model = modelled(visible, &metrics);
            (name.clone(), Self { source: source.clone(), catalog: catalog_of(file, name), model })
        };
        sources.iter().map(one).collect()
    }

    /// Why a query can never run, with the field below the chart's.
    fn refuses(&self, query: &Query<'_>) -> Option<(String, String)> {
        let kind = self.source.kind;
        match query {
            Query::Sql(sql) => {
                let problem = tables_read(kind, &sql.value, &self.catalog).err()?;
                Some(("sql".to_owned(), format!("the query is not allowed: {}", problem.detail())))
            }
            Query::Model(query) => {
                let problem = compile(kind, &self.model, &query.value, Utc::now().date_naive()).err()?;
                Some((format!("query.{}", problem.at), problem.why))
            }
        }
    }
}

/// Charts whose queries can never run. One that is in the project already with the same query stays.
pub(super) fn refused(file: &ProjectFile, stood: Option<&ProjectFile>, sources: &BTreeMap<String, Source>) -> Vec<FileProblem> {
    let (now, before) = (Named::all(file, sources), stood.map(|stood| Named::all(stood, sources)));
    let stands = |asked: &Asked<'_>| {
        let (Some(stood), Some(before)) = (stood, &before) else { return false };
        let is_it = |known: &Asked<'_>| known.connection.value == asked.connection.value && known.query.is(&asked.query);
        let refuses = |named: &Named| named.refuses(&asked.query).is_some();
        all(stood).iter().any(is_it) && before.get(&asked.connection.value).is_some_and(refuses)
    };
    let problem = |asked: Asked<'_>| {
        let (field, message) = now.get(&asked.connection.value)?.refuses(&asked.query)?;
        let line = match asked.query {
            Query::Sql(sql) => sql.referenced.line(),
            Query::Model(query) => query.referenced.line(),
        };
        (!stands(&asked)).then(|| FileProblem { line, field: format!("{}.{field}", asked.path), message })
    };
    all(file).into_iter().filter_map(problem).collect()
}

/// The queries of a file's charts.
fn all(file: &ProjectFile) -> Vec<Asked<'_>> {
    let mut all = Vec::new();
    let mut add = |path: String, connection, sql: Option<_>, query: Option<_>| {
        let queries = sql.map(Query::Sql).into_iter().chain(query.map(Query::Model));
        all.extend(queries.map(|query| Asked { path: path.clone(), connection, query }));
    };
    for (number, chart) in file.charts.iter().enumerate() {
        add(format!("charts[{number}]"), &chart.connection, chart.sql.as_ref(), chart.query.as_ref());
    }
    for (application, section) in file.applications.iter().enumerate() {
        for (dashboard, shown) in section.dashboards.iter().enumerate() {
            for (number, tile) in shown.charts.iter().enumerate() {
                let Some(own) = &tile.own else { continue };
                let path = format!("applications[{application}].dashboards[{dashboard}].charts[{number}].own");
                add(path, &own.connection, own.sql.as_ref(), own.query.as_ref());
            }
        }
    }
    all
}
