//! What names a table, or columns of it: whoever takes them away is told before charts and filters lose them.

use super::CatalogTable;
use crate::{
    charts,
    connections::OpenConnection,
    dashboards,
    error::Result,
    organizations::members::{Member, Reads},
    projects,
    state::App,
    store::Conn,
    workspaces,
};
use inlay_contract::{chart::definition::ChartDefinition, ids::ProjectId};
use inlay_query::{Catalog, ColumnNames, Source, SourceKind, tables_read};
use std::collections::HashMap;

/// What is about to be taken away.
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
    /// What its queries go to.
    pub source: &'a Source,
    /// What they may name, what is about to be taken away among it.
    pub catalog: &'a Catalog,
    /// Its tables, for what they say of each other.
    pub tables: &'a [CatalogTable],
}

/// What names a table of a connection, or some of its columns, as the store has it now.
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

/// What names a table of a connection, or some of its columns, for people: charts of the library and of shared dashboards, their
/// filters, workspaces and their examples, other tables' columns; of users' own only how many. A column counts as named where a
/// query of its table holds its name.
///
/// # Errors
/// The store is away.
pub async fn uses_within(
    conn: &mut Conn<'_>,
    project: ProjectId,
    place: Searched<'_>,
    table: &CatalogTable,
    part: Part<'_>,
) -> Result<Vec<String>> {
    let mut look = Look { place, table, part, known: HashMap::new() };
    let mut uses = Vec::new();
    let charts = charts::store::of_connection(conn, place.source.id).await?;
    uses.extend(charts.iter().filter(|chart| look.at_chart(&chart.definition)).map(|chart| format!("chart {}", chart.name)));
    uses.dedup();
    let filters = dashboards::store::filters_in_use(conn, project).await?;
    let (shared, own): (Vec<_>, Vec<_>) = filters
        .into_iter()
        .flat_map(|used| used.filters.into_iter().map(move |filter| (used.shared, used.dashboard.clone(), filter)))
        .filter(|(_, _, filter)| look.at_path(&filter.column))
        .partition(|(shared, ..)| *shared);
    uses.extend(shared.iter().map(|(_, dashboard, filter)| format!("filter {} of {dashboard}", filter.label)));
    uses.extend(of_workspaces(conn, project, &mut look).await?);
    uses.extend(look.references());
    let theirs = charts::store::of_customers(conn, place.source.id).await?;
    let theirs = theirs.iter().filter(|definition| look.at_chart(definition)).count();
    uses.extend(counted(theirs, "chart"));
    uses.extend(counted(own.len(), "filter"));
    Ok(uses)
}

fn counted(count: usize, what: &str) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {what} of a user's own")),
        _ => Some(format!("{count} {what}s of users' own")),
    }
}

async fn of_workspaces(conn: &mut Conn<'_>, project: ProjectId, look: &mut Look<'_>) -> Result<Vec<String>> {
    let mut uses = Vec::new();
    for chat in workspaces::store::latest_versions(conn, project).await? {
        if chat.connection != look.place.source.id {
            continue;
        }
        let in_scope =
            matches!(look.part, Part::Table) && chat.settings.tables.iter().flatten().any(|named| *named == look.table.name);
        if in_scope {
            uses.push(format!("workspace {}", chat.name));
        }
        for example in &chat.settings.examples {
            if look.at_query(&example.sql) {
                uses.push(format!("example “{}” of workspace {}", example.question, chat.name));
            }
        }
    }
    Ok(uses)
}

/// A search for what names a table.
struct Look<'a> {
    place: Searched<'a>,
    table: &'a CatalogTable,
    part: Part<'a>,
    /// What was found of each query: users' copies ask the same again and again.
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
        let Some(question) = definition.question() else { return false };
        let own = self.table.name.as_str();
        match self.part {
            Part::Table => question.table == own || question.joins.iter().any(|join| join.table == own),
            Part::Columns(columns) => {
                question.named().iter().any(|(table, named)| *table == own && columns.iter().any(|column| column == named))
            }
        }
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

    /// Whether a `<connection>.<table>.<column>` is of what is searched, hidden or not.
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

    /// The columns of other tables whose values are of what is searched.
    fn references(&self) -> Vec<String> {
        let under = format!("{}.", self.table.name);
        let others = self.place.tables.iter().filter(|other| other.name != self.table.name);
        let columns = others.flat_map(|other| other.columns.iter().map(move |(name, settings)| (other, name, settings)));
        let refers = |settings: &super::ColumnSettings| {
            self.is_searched(settings.references.as_deref().and_then(|path| path.strip_prefix(&under)))
        };
        columns
            .filter(|(.., settings)| refers(settings))
            .map(|(other, name, _)| format!("column {}.{name}", other.name))
            .collect()
    }
}
