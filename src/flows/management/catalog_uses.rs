//! Uses of a table or its columns, listed before somebody removes them, because charts and filters would fail.

use crate::{
    concepts::{
        catalog::{CatalogTable, modelled},
        charts,
        connections::OpenConnection,
        dashboards,
        organizations::members::{Member, Reads},
        projects,
        workspaces::{self, Example},
    },
    ground::{error::Result, state::App, store::Conn},
};
use chrono::Utc;
use inlay_assistant::WrittenQuery;
use inlay_contract::{chart::definition::ChartDefinition, ids::ProjectId, model::ModelQuery};
use inlay_query::{Catalog, ColumnNames, Model, Source, SourceKind, compile, tables_read};
use std::collections::HashMap;

/// What is about to be removed.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// The whole table.
    Table,
    /// Some of its columns.
    Columns(&'a [String]),
}

/// The connection whose table is searched for.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    /// The data source of its queries.
    pub source: &'a Source,
    /// The catalogue of those queries, including what is about to be removed.
    pub catalog: &'a Catalog,
    /// Its tables, for references between them.
    pub tables: &'a [CatalogTable],
}

/// The uses of a connection's table, or of some of its columns, as the store has them now.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn uses(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    open: &OpenConnection,
    table: &CatalogTable,
    part: Part<'_>,
) -> Result<Vec<String>> {
    projects::of_organization(app, by.organization, project).await?;
    let place = Searched { source: &open.source, catalog: &open.catalog, tables: &open.tables };
    uses_within(&mut app.db.read().await?.conn(), project, place, table, part).await
}

/// The uses of a connection's table, or of some of its columns, as text for people: library charts and charts of shared
/// dashboards, their filters, workspaces and their examples, other tables' columns; for users' own charts only the number. A
/// column counts as used when a query of its table contains its name.
pub async fn uses_within(
    conn: &mut Conn<'_>,
    project: ProjectId,
    place: Searched<'_>,
    table: &CatalogTable,
    part: Part<'_>,
) -> Result<Vec<String>> {
    let metrics = projects::find(conn, project).await?.map(|project| project.metrics).unwrap_or_default();
    let model = modelled(place.tables, &metrics);
    let mut look = Look { place, table, part, model, known: HashMap::new() };
    let mut uses = Vec::new();
    let charts = charts::of_connection(conn, place.source.id).await?;
    uses.extend(charts.iter().filter(|chart| look.at_chart(&chart.definition)).map(|chart| format!("chart {}", chart.name)));
    uses.dedup();
    let (shared, own) = filters(conn, project, |path| look.at_path(path)).await?;
    uses.extend(shared);
    uses.extend(of_workspaces(conn, project, &mut look).await?);
    uses.extend(look.references());
    let theirs = charts::of_customers(conn, place.source.id).await?;
    let theirs = theirs.iter().filter(|definition| look.at_chart(definition)).count();
    uses.extend(counted(theirs, "chart"));
    uses.extend(own);
    Ok(uses)
}

/// The dashboards' filters on columns or dimensions, by `<connection>.<table>.<name>`, as text for people: those of shared
/// dashboards, and the number on users' own.
pub(super) async fn filters(
    conn: &mut Conn<'_>,
    project: ProjectId,
    is_searched: impl Fn(&str) -> bool,
) -> Result<(Vec<String>, Option<String>)> {
    let filters = dashboards::filters_in_use(conn, project).await?;
    let (shared, own): (Vec<_>, Vec<_>) = filters
        .into_iter()
        .flat_map(|used| used.filters.into_iter().map(move |filter| (used.shared, used.dashboard.clone(), filter)))
        .filter(|(_, _, filter)| is_searched(&filter.column))
        .partition(|(shared, ..)| *shared);
    let named = shared.iter().map(|(_, dashboard, filter)| format!("filter {} of {dashboard}", filter.label));
    Ok((named.collect(), counted(own.len(), "filter")))
}

pub(super) fn counted(count: usize, what: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {what} owned by a user")),
        _ => Some(format!("{count} {what}s owned by users")),
    }
}

/// An example of a workspace as text for people.
pub(super) fn example_of(example: &Example, workspace: &str) -> String {
    format!("example “{}” of workspace {workspace}", example.question)
}

async fn of_workspaces(conn: &mut Conn<'_>, project: ProjectId, look: &mut Look<'_>) -> Result<Vec<String>> {
    let mut uses = Vec::new();
    for chat in workspaces::latest_versions(conn, project).await? {
        if chat.connection != look.place.source.id {
            continue;
        }
        let in_scope =
            matches!(look.part, Part::Table) && chat.settings.tables.iter().flatten().any(|named| *named == look.table.name);
        if in_scope {
            uses.push(format!("workspace {}", chat.name));
        }
        for example in &chat.settings.examples {
            let uses_it = match &example.query {
                WrittenQuery::Sql(sql) => look.at_query(sql),
                WrittenQuery::Model(query) => look.at_model(query),
            };
            if uses_it {
                uses.push(example_of(example, &chat.name));
            }
        }
    }
    Ok(uses)
}

/// A search for uses of a table.
struct Look<'a> {
    place: Searched<'a>,
    table: &'a CatalogTable,
    part: Part<'a>,
    /// The semantic model, which charts may ask.
    model: Model,
    /// The result for each query, because users' copies repeat the same queries.
    known: HashMap<String, bool>,
}

impl Look<'_> {
    const fn kind(&self) -> SourceKind {
        self.place.source.kind
    }

    fn at_chart(&mut self, definition: &ChartDefinition) -> bool {
        if let Some(sql) = &definition.sql_override {
            return self.at_query(sql);
        }
        if let Some(query) = definition.model_query() {
            return self.at_model(&query);
        }
        let Some(question) = definition.question() else { return false };
        let own = self.table.name.as_str();
        match self.part {
            Part::Table => question.table == own || question.joins.iter().any(|join| join.table == own),
            Part::Columns(columns) => {
                question.named().iter().any(|(table, named)| *table == own && columns.iter().any(|column| column == named))
            }
        }
    }

    fn at_model(&mut self, query: &ModelQuery) -> bool {
        let compiled = compile(self.kind(), &self.model, query, Utc::now().date_naive());
        compiled.is_ok_and(|compiled| self.at_query(&compiled.sql))
    }

    fn at_query(&mut self, sql: &str) -> bool {
        if let Some(known) = self.known.get(sql) {
            return *known;
        }
        let kind = self.kind();
        let reads = tables_read(kind, sql, self.place.catalog).is_ok_and(|read| read.contains(&self.table.name));
        let found = reads
            && match self.part {
                Part::Table => true,
                Part::Columns(columns) => {
                    ColumnNames::of(kind, sql).is_ok_and(|named| columns.iter().any(|column| named.contains(column)))
                }
            };
        self.known.insert(sql.to_owned(), found);
        found
    }

    /// Whether `<connection>.<table>.<column>` belongs to the searched table, hidden or not.
    fn at_path(&self, path: &str) -> bool {
        let under = format!("{}.{}.", self.place.source.name, self.table.name);
        self.is_searched(path.strip_prefix(&under))
    }

    fn is_searched(&self, column: Option<&str>) -> bool {
        column.is_some_and(|column| match self.part {
            Part::Table => true,
            Part::Columns(columns) => columns.iter().any(|searched| searched == column),
        })
    }

    /// The columns of other tables that reference the searched one.
    fn references(&self) -> Vec<String> {
        let under = format!("{}.", self.table.name);
        let others = self.place.tables.iter().filter(|other| other.name != self.table.name);
        let columns = others.flat_map(|other| other.columns.iter().map(move |(name, settings)| (other, name, settings)));
        let refers = |settings: &crate::concepts::catalog::ColumnSettings| {
            self.is_searched(settings.references.as_deref().and_then(|path| path.strip_prefix(&under)))
        };
        columns
            .filter(|(.., settings)| refers(settings))
            .map(|(other, name, _)| format!("column {}.{name}", other.name))
            .collect()
    }
}
