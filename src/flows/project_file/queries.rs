//! The queries of a file's charts and of its workspaces' examples, and those of them that could never run.

use super::{
    FileProblem,
    apply::{catalog_of, table_of},
    model::{Name, ProjectFile},
};
use crate::concepts::catalog::{CatalogTable, modelled};
use chrono::Utc;
use inlay_assistant::WrittenQuery;
use inlay_contract::model::ModelQuery;
use inlay_query::{Catalog, Model, RowAccess, Source, compile, tables_read};
use serde_saphyr::Spanned;
use std::collections::BTreeMap;

/// What a chart or an example asks.
#[derive(Clone, Copy)]
enum Query<'f> {
    Sql(&'f str),
    Model(&'f ModelQuery),
}

impl Query<'_> {
    fn is(&self, other: &Query<'_>) -> bool {
        match (self, other) {
            (Self::Sql(one), Query::Sql(other)) => one == other,
            (Self::Model(one), Query::Model(other)) => one == other,
            _ => false,
        }
    }
}

/// A query, with the path and the line of what asks it.
struct Asked<'f> {
    path: String,
    line: u64,
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
                let problem = tables_read(kind, sql, &self.catalog).err()?;
                Some(("sql".to_owned(), format!("the query is not allowed: {}", problem.detail())))
            }
            Query::Model(query) => {
                let problem = compile(kind, &self.model, query, Utc::now().date_naive()).err()?;
                Some((format!("query.{}", problem.at), problem.why))
            }
        }
    }
}

/// Charts and examples whose queries can never run. One that is in the project already with the same query stays.
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
        (!stands(&asked)).then(|| FileProblem { line: asked.line, field: format!("{}.{field}", asked.path), message })
    };
    all(file).into_iter().filter_map(problem).collect()
}

/// The queries of a file's charts, and the examples' queries of the model: the SQL of examples is left to evaluations.
fn all<'f>(file: &'f ProjectFile) -> Vec<Asked<'f>> {
    let mut all = Vec::new();
    let mut add = |path: String, connection, sql: Option<&'f Name>, query: Option<&'f Spanned<ModelQuery>>| {
        let sql = sql.map(|sql| (sql.referenced.line(), Query::Sql(&sql.value)));
        let query = query.map(|query| (query.referenced.line(), Query::Model(&query.value)));
        all.extend(sql.into_iter().chain(query).map(|(line, query)| Asked { path: path.clone(), line, connection, query }));
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
    for (number, workspace) in file.workspaces.iter().enumerate() {
        for (example, asked) in workspace.examples.iter().enumerate() {
            let WrittenQuery::Model(query) = &asked.query else { continue };
            all.push(Asked {
                path: format!("workspaces[{number}].examples[{example}]"),
                line: workspace.name.referenced.line(),
                connection: &workspace.connection,
                query: Query::Model(query),
            });
        }
    }
    all
}
