//! Connections to customers' databases, with the tables that project users' queries may name.

pub mod answers;
mod engine;
mod store;

pub use engine::engine;

#[cfg(test)]
pub(crate) use store::ConnectionRow;
pub use store::{delete, every, find, find_by_name, hold_for_removal, ids, list, name, names, put, rename, uses};

use crate::{
    concepts::{
        catalog::{self, CatalogTable},
        projects,
    },
    ground::{
        error::{Error, Result},
        remembered::{Kept, Remembered},
        state::App,
        store::version::Scope,
    },
};
use futures::FutureExt as _;
use inlay_contract::{
    filter::is_default_time,
    ids::{ConnectionId, OrganizationId, ProjectId},
};
use inlay_query::{Catalog, Model, RowAccess, Source, SourceKindExt};
use std::sync::{Arc, OnceLock};

/// A connection with its secret decrypted. It must not leave the process.
#[derive(Debug)]
pub struct OpenConnection {
    /// The project that it belongs to.
    pub project: ProjectId,
    /// The organization that owns the project.
    pub organization: OrganizationId,
    /// The data source of its queries.
    pub source: Source,
    /// The tables that its queries may name.
    pub catalog: Catalog,
    /// The same tables with their labels.
    pub tables: Vec<CatalogTable>,
    /// The semantic model of those of the tables that anybody may see rows of.
    pub model: Model,
    /// The foreign keys that the database declares, once they were asked for.
    foreign_keys: OnceLock<Vec<ForeignKey>>,
}

/// A column whose values are those of another table's column, as the database declares it. Both tables are in the catalogue.
#[derive(Debug)]
pub struct ForeignKey {
    /// The table.
    pub table: String,
    /// The column.
    pub column: String,
    /// What it refers to, as `table.column`.
    pub references: String,
}

impl Kept for OpenConnection {
    const MOST: u64 = 1_000;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.organization.into()]
    }
}

impl OpenConnection {
    /// The table and column that `<connection>.<table>.<column>` names, if the viewer may see the column.
    pub fn column<'p>(&self, path: &'p str) -> Option<(&CatalogTable, &'p str)> {
        let (table, column) = self.parts(path)?;
        // Compared as the database does, so that another spelling tells nothing about a hidden column.
        let kind = self.source.kind;
        let hidden = table.columns.iter().any(|(name, about)| about.hidden && kind.same_name(name, column));
        (!column.is_empty() && !hidden).then_some((table, column))
    }

    /// The foreign keys of one column between tables of the catalogue. The first answer of the database is kept. Nobody waits for
    /// another's call: a database that does not respond delays each caller by its own limit, and no more. Empty while it cannot be read.
    pub async fn foreign_keys(&self, app: &App) -> &[ForeignKey] {
        if let Some(known) = self.foreign_keys.get() {
            return known;
        }
        let declared = match app.engine.declared_keys(&self.source).await {
            Ok(declared) => declared,
            Err(problem) => {
                tracing::debug!(source = self.source.name, %problem, "cannot read the foreign keys of the database");
                return &[];
            }
        };
        self.foreign_keys.get_or_init(|| {
            let named = |name: &str| self.tables.iter().find(|table| table.name == name);
            let of_one = declared.references.iter().filter_map(|reference| {
                let ([column], [to]) = (reference.columns.as_slice(), reference.to_columns.as_slice()) else { return None };
                let (table, other) = (named(&reference.table)?, named(&reference.to)?);
                let references = format!("{}.{to}", other.name);
                Some(ForeignKey { table: table.name.clone(), column: column.clone(), references })
            });
            of_one.collect()
        })
    }

    /// The table and the declared dimension of the semantic model that `<connection>.<table>.<dimension>` names.
    pub fn dimension<'p>(&self, path: &'p str) -> Option<(&str, &'p str)> {
        let (table, name) = self.parts(path)?;
        let (table, modelled) = self.model.tables.get_key_value(&table.name)?;
        modelled.model.dimensions.contains_key(name).then_some((table, name))
    }

    /// The display name of what a filter's path names. `None` if that is nothing of this connection, or is hidden.
    pub fn label(&self, path: &str) -> Option<String> {
        if self.is_time(path) {
            return Some("Time".to_owned());
        }
        if let Some((table, name)) = self.dimension(path) {
            let declared = self.model.tables.get(table)?.model.dimensions.get(name)?;
            return Some(declared.label.clone().unwrap_or_else(|| name.to_owned()));
        }
        let (table, name) = self.column(path)?;
        Some(table.columns.get(name).and_then(|column| column.label.clone()).unwrap_or_else(|| name.to_owned()))
    }

    /// Whether a path is `<connection>.time`: the default time of each measure's table. The model must have a table with one.
    pub fn is_time(&self, path: &str) -> bool {
        is_default_time(path, &self.source.name) && self.model.tables.values().any(|table| table.model.time.is_some())
    }

    /// The table that a path names, and what follows it.
    fn parts<'p>(&self, path: &'p str) -> Option<(&CatalogTable, &'p str)> {
        let rest = path.strip_prefix(self.source.name.as_str())?.strip_prefix('.')?;
        self.tables.iter().find_map(|table| Some((table, rest.strip_prefix(table.name.as_str())?.strip_prefix('.')?)))
    }
}

/// A connection with its secret decrypted.
pub async fn open(app: &App, id: ConnectionId) -> Result<Arc<OpenConnection>> {
    async move {
        let found = app.part::<Remembered<ConnectionId, OpenConnection>>().get(app, id, || read(app, id)).await?;
        found.ok_or_else(|| Error::not_found("Connection"))
    }
    .boxed()
    .await
}

async fn read(app: &App, id: ConnectionId) -> Result<Option<OpenConnection>> {
    let mut lease = app.db.read().await?;
    let Some((project, source)) = store::find(&mut lease.conn(), &app.sealer, id).await? else { return Ok(None) };
    let Some(owner) = projects::find(&mut lease.conn(), project).await? else { return Ok(None) };
    let tables = catalog::of_connection(&mut lease.conn(), id).await?;
    let catalog = Catalog::new(tables.iter().map(CatalogTable::as_queried).collect());
    let model = catalog::modelled(tables.iter().filter(|table| table.rows != RowAccess::Nothing), &owner.metrics);
    Ok(Some(OpenConnection {
        project,
        organization: owner.organization,
        source,
        catalog,
        tables,
        model,
        foreign_keys: OnceLock::new(),
    }))
}

#[cfg(test)]
mod tests;
