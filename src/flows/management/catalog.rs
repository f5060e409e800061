//! Tables of the catalogue, managed by members.

use crate::{
    concepts::{
        catalog::{self, CatalogTable, ColumnSettings},
        connections::{self, OpenConnection},
        organizations::members::{Member, Reads, Works},
        projects, verified_answers,
    },
    flows::management::{
        catalog_uses::{Part, uses},
        people::{self, UnknownProperty},
    },
    ground::{
        audit::{self, Deed},
        error::{Code, Error, Result},
        problems::Problems,
        state::App,
        store::version,
    },
};
use inlay_contract::{
    data::{ChartData, Column},
    ids::{ConnectionId, ProjectId, TableId},
    model::TableModel,
};
use inlay_query::{QueryError, RowAccess, SourceTable, properties_read};
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc};

/// A connection of a project, opened.
///
/// # Errors
/// 404 when the project has no such connection.
pub async fn opened(app: &App, by: &Member<impl Reads>, project: ProjectId, id: ConnectionId) -> Result<Arc<OpenConnection>> {
    projects::of_organization(app, by.organization, project).await?;
    let open = connections::open(app, id).await?;
    if open.project == project { Ok(open) } else { Err(Error::not_found("Connection")) }
}

/// A table of a connection.
///
/// # Errors
/// 404 when its catalogue has no such table.
pub fn table(open: &OpenConnection, id: TableId) -> Result<&CatalogTable> {
    open.tables.iter().find(|table| table.id == id).ok_or_else(|| Error::not_found("Table"))
}

/// The columns of a table as the source has them now. `None` when the source is unreachable.
///
/// # Errors
/// 400 on `table` when the source has no such table.
pub async fn columns(app: &App, open: &OpenConnection, name: &str) -> Result<Option<Vec<Column>>> {
    match app.engine.describe(&open.source, name).await {
        Ok(columns) => Ok(Some(columns)),
        Err(QueryError::SourceUnavailable(_) | QueryError::Refused(_) | QueryError::Timeout(_)) => Ok(None),
        Err(_) => Err(Error::invalid(
            "table",
            format!("`{name}` is not a table of this connection; write schema.table if the database has schemas"),
        )),
    }
}

/// The tables that the source has, listed or not.
///
/// # Errors
/// 404 when the project has no such connection, 503 or 504 when the source does not respond, 422 when the source does not list its tables.
pub async fn offered(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
) -> Result<Vec<SourceTable>> {
    let open = opened(app, by, project, connection).await?;
    Ok(app.engine.tables(&open.source).await?)
}

/// The first rows of a table of the source, for the member who decides about its row rule. No rule filters them, and the access
/// is written to the audit log before the rows are read.
///
/// # Errors
/// 404 when the project has no such connection; otherwise the errors of any query.
pub async fn sample(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    name: &str,
    most: usize,
) -> Result<ChartData> {
    let open = opened(app, by, project, connection).await?;
    let mut tx = app.db.write().await?;
    let deed = Deed::new("table.sampled", connection.0).in_project(project).named(name);
    audit::record(&mut tx.conn(), &by.actor(), deed).await?;
    tx.commit().await?;
    Ok(app.engine.sample(&open.source, name, most).await?)
}

/// Lists a table of the source in the catalogue. Project users see none of its rows yet.
///
/// # Errors
/// 400 on `table` when the source has no such table or cannot be reached, 409 `TABLE_LISTED`.
pub async fn add(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    name: &str,
) -> Result<TableId> {
    let open = opened(app, by, project, connection).await?;
    not_listed(&open.tables, name)?;
    if columns(app, &open, name).await?.is_none() {
        return Err(Error::invalid(
            "table",
            "cannot be listed: the database does not respond. Check that it is running, then try again",
        ));
    }
    let table = CatalogTable {
        id: TableId::generate(),
        name: name.to_owned(),
        label: None,
        description: None,
        synonyms: Vec::new(),
        rows: RowAccess::Nothing,
        columns: BTreeMap::new(),
        model: TableModel::default(),
    };
    let unlisted = |tables: Vec<CatalogTable>| not_listed(&tables, name).map(|()| table);
    write(app, by, project, connection, "table.added", unlisted).await
}

fn not_listed(tables: &[CatalogTable], name: &str) -> Result<()> {
    if tables.iter().any(|table| table.name == name) {
        let details = serde_json::Map::from_iter([("table".to_owned(), "is already listed".into())]);
        return Err(Error::new(Code::TableListed, format!("`{name}` is already listed.")).with_details(details));
    }
    Ok(())
}

/// The settings of a table.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// Display name.
    pub label: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Other names for it.
    pub synonyms: Vec<String>,
    /// Which rows project users see.
    pub rows: RowAccess,
    /// The settings of columns. Columns that are missing here stay as they are.
    pub columns: BTreeMap<String, ColumnSettings>,
    /// The uses that lose the table or a column with this change, as the caller confirmed them.
    pub despite_uses: Vec<String>,
    /// The properties of the row rule that nobody has, as the caller confirmed them.
    pub despite_unknown: Vec<String>,
}

impl TableSettings {
    /// The table with these settings.
    fn applied_to(&self, old: &CatalogTable) -> CatalogTable {
        let mut columns = old.columns.clone();
        columns.extend(self.columns.clone());
        // A column without settings can be named, which makes it part of the semantic model.
        let is_named = |name: &String| !old.model.is_empty() && old.columns.contains_key(name);
        columns.retain(|name, settings| *settings != ColumnSettings::default() || is_named(name));
        let Self { label, description, synonyms, rows, .. } = self.clone();
        CatalogTable { label, description, synonyms, rows, columns, ..old.clone() }
    }
}

/// The table as these settings would make it, if they are valid.
///
/// # Errors
/// 400 for an invalid field.
pub async fn drafted(app: &App, open: &OpenConnection, old: &CatalogTable, settings: &TableSettings) -> Result<CatalogTable> {
    let mut problems = Problems::default();
    if let RowAccess::Rule(rule) = &settings.rows {
        problems.note("rowRule", check_rule(app, open, &old.name, rule).await?);
    }
    for (name, column) in &settings.columns {
        problems.note(&format!("column.{name}.references"), refers(&open.tables, column.references.as_deref()));
    }
    problems.finish()?;
    Ok(settings.applied_to(old))
}

/// Whether a column may refer to what `references` says: a column of a listed table.
pub(super) fn refers(tables: &[CatalogTable], references: Option<&str>) -> Result<(), String> {
    let Some(path) = references else { return Ok(()) };
    let under = |table: &CatalogTable| path.strip_prefix(&table.name).and_then(|rest| rest.strip_prefix('.'));
    let is_listed = tables.iter().any(|table| under(table).is_some_and(|column| !column.is_empty()));
    if is_listed { Ok(()) } else { Err("must name a column of a listed table of this connection, as table.column".to_owned()) }
}

/// Changes the settings of a table. A rule that can never match a row is refused.
///
/// # Errors
/// 404 for a table of another connection, 400 for an invalid field, 409 `PROPERTY_UNKNOWN` with the properties of a new rule that
/// nobody has, 409 `STILL_USED` with the uses of a column that would be hidden or of a table that would be closed.
pub async fn change(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    id: TableId,
    settings: TableSettings,
) -> Result<()> {
    let open = opened(app, by, project, connection).await?;
    let old = table(&open, id)?;
    let new = drafted(app, &open, old, &settings).await?;
    if new.rows != old.rows {
        properties_known(app, by, &open, &new, &settings.despite_unknown).await?;
    }
    still_used(app, by, project, &open, (old, &new), &settings.despite_uses).await?;
    // Applied to the table as it is under the lock: another member may have hidden a column since.
    let changed = |tables: Vec<CatalogTable>| {
        let now = tables.into_iter().find(|table| table.id == id).ok_or_else(|| Error::not_found("Table"))?;
        Ok(settings.applied_to(&now))
    };
    write(app, by, project, connection, "table.changed", changed).await.map(drop)
}

/// Changes a part of a table as it is under the lock, and nothing else of it: its row rule stays as others have made it by then.
///
/// # Errors
/// 404 for a table of another connection; otherwise those of `change`.
pub(super) async fn amend(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    id: TableId,
    change: impl FnOnce(&mut CatalogTable) -> Result<()>,
) -> Result<()> {
    opened(app, by, project, connection).await?;
    let changed = |tables: Vec<CatalogTable>| {
        let mut now = tables.into_iter().find(|table| table.id == id).ok_or_else(|| Error::not_found("Table"))?;
        change(&mut now)?;
        Ok(now)
    };
    write(app, by, project, connection, "table.changed", changed).await.map(drop)
}

/// The properties of a table's rule that nobody has.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn unknown_properties(
    app: &App,
    by: &Member<impl Reads>,
    open: &OpenConnection,
    table: &CatalogTable,
) -> Result<Vec<UnknownProperty>> {
    let RowAccess::Rule(rule) = &table.rows else { return Ok(Vec::new()) };
    people::unknown_properties(app, by, open.project, properties_read(rule, open.source.kind)).await
}

/// Refuses a rule with properties that nobody has, unless the caller confirmed them all: such a rule is right before the host
/// sends them, and wrong if their name is.
async fn properties_known(
    app: &App,
    by: &Member<impl Reads>,
    open: &OpenConnection,
    new: &CatalogTable,
    despite: &[String],
) -> Result<()> {
    let unknown = unknown_properties(app, by, open, new).await?;
    let paths: Vec<String> = unknown.iter().map(|one| one.path.to_string()).collect();
    if paths.iter().all(|path| despite.contains(path)) {
        return Ok(());
    }
    let told: Vec<&str> = unknown.iter().map(|one| one.told.as_str()).collect();
    let details =
        serde_json::Map::from_iter([("rowRule".to_owned(), json!(told.join(" "))), ("unknown".to_owned(), json!(paths))]);
    let message = "Not saved yet: no customer or user has a property that this row rule reads. Correct the rule, or save again to keep it.";
    Err(Error::new(Code::PropertyUnknown, message).with_details(details))
}

/// Refuses a change that takes away a table or columns which are in use, unless the caller confirmed all uses.
async fn still_used(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    open: &OpenConnection,
    (old, new): (&CatalogTable, &CatalogTable),
    despite: &[String],
) -> Result<()> {
    let hides = |name: &str| old.columns.get(name).is_none_or(|column| !column.hidden);
    let hidden = new.columns.iter().filter(|(name, column)| column.hidden && hides(name)).map(|(name, _)| name.clone());
    let hidden: Vec<String> = hidden.collect();
    let closed = new.rows == RowAccess::Nothing && old.rows != RowAccess::Nothing;
    let (part, what) = match (closed, hidden.is_empty()) {
        (true, _) => (Part::Table, new.name.clone()),
        (false, false) => (Part::Columns(&hidden), hidden.join(", ")),
        (false, true) => return Ok(()),
    };
    let uses = uses(app, by, project, open, old, part).await?;
    if uses.iter().all(|one| despite.contains(one)) {
        return Ok(());
    }
    let told =
        format!("Not saved yet: {what} is used by the objects listed here, which fail without it. Save again to continue.");
    let details = serde_json::Map::from_iter([("uses".to_owned(), json!(uses))]);
    Err(Error::new(Code::StillUsed, told).with_details(details))
}

/// The problem of a table's rule, if any. When the source does not respond, only later queries check the rule.
///
/// # Errors
/// The source has no such table.
pub async fn check_rule(app: &App, open: &OpenConnection, table: &str, rule: &str) -> Result<Result<(), String>> {
    if rule.trim().is_empty() {
        return Ok(Err("must not be empty; choose who sees which rows".to_owned()));
    }
    let Some(columns) = columns(app, open, table).await? else { return Ok(Ok(())) };
    Ok(inlay_query::validate_rule(rule, open.source.kind, &columns).map_err(|problem| problem.to_string()))
}

/// Stores a table that is made from the connection's tables as nobody else can change them until then.
async fn write(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    action: &'static str,
    made: impl FnOnce(Vec<CatalogTable>) -> Result<CatalogTable>,
) -> Result<TableId> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    let table = &made(catalog::of_connection(conn, connection).await?)?;
    let id = catalog::put(conn, connection, table).await?;
    let rows = match &table.rows {
        RowAccess::All => "all",
        RowAccess::Rule(rule) => rule.as_str(),
        RowAccess::Nothing => "nothing",
    };
    let deed = Deed::new(action, id.0).in_project(project).named(&table.name).with("rows", json!(rows));
    audit::record(conn, &by.actor(), deed).await?;
    verified_answers::recheck(conn, project).await?;
    version::bump(conn, &[by.organization.into()]).await?;
    tx.commit().await?;
    app.refresh().await?;
    Ok(id)
}

/// Removes a table from the catalogue: from then on, project users' queries that name it fail.
///
/// # Errors
/// 404 for a table of another connection.
pub async fn remove(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    connection: ConnectionId,
    id: TableId,
) -> Result<()> {
    opened(app, by, project, connection).await?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    let tables = catalog::of_connection(conn, connection).await?;
    let table = tables.into_iter().find(|table| table.id == id).ok_or_else(|| Error::not_found("Table"))?;
    catalog::delete(conn, id).await?;
    audit::record(conn, &by.actor(), Deed::new("table.removed", id.0).in_project(project).named(&table.name)).await?;
    verified_answers::recheck(conn, project).await?;
    version::bump(conn, &[by.organization.into()]).await?;
    tx.commit().await?;
    app.refresh().await
}
