//! What applying a project file takes away from what uses it: tables that go or are closed, columns that are hidden.

use crate::{
    catalog::{self, CatalogTable, Part, Searched},
    connections,
    error::Result,
    organizations::secret,
    store::{Conn, seal::Sealer},
};
use inlay_contract::ids::ProjectId;
use inlay_query::{Catalog, RowAccess, Source};
use serde::Serialize;
use std::fmt;

/// Something that is taken away, with all that fails without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// What becomes of what: `table shop.notes is taken out of the catalogue`.
    pub lost: String,
    /// What names it, for people.
    pub uses: Vec<String>,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; what uses it fails from then on: {}", self.lost, self.uses.join(", "))
    }
}

/// Tells losses from others, so that whoever was told of them is not asked again; empty where nothing is lost.
pub fn fingerprint(losses: &[Loss]) -> String {
    if losses.is_empty() {
        return String::new();
    }
    secret::derived("losses", &format!("{losses:?}")).chars().take(32).collect()
}

/// What a project's queries may name, connection by connection.
pub(super) struct Catalogues(Vec<(Source, Vec<CatalogTable>)>);

impl Catalogues {
    /// What stands in the store.
    pub(super) async fn read(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId) -> Result<Self> {
        let mut all = Vec::new();
        for source in connections::store::list(conn, sealer, project).await? {
            let tables = catalog::store::of_connection(conn, source.id).await?;
            all.push((source, tables));
        }
        Ok(Self(all))
    }

    /// What was in these and is not in others that came after, and is still used.
    pub(super) async fn lost_in(&self, after: &Self, conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Loss>> {
        let mut losses = Vec::new();
        for (source, tables) in &after.0 {
            let Some((_, before)) = self.0.iter().find(|(known, _)| known.id == source.id) else { continue };
            for old in before.iter().filter(|table| table.rows != RowAccess::Nothing) {
                let new = tables.iter().find(|table| table.name == old.name);
                let Some(missing) = Missing::of(old, new) else { continue };
                // Queries are read with the table that they name, gone or not.
                let gone = new.is_none().then(|| old.as_queried());
                let catalog = Catalog::new(tables.iter().map(CatalogTable::as_queried).chain(gone).collect());
                let place = Searched { source, catalog: &catalog, tables };
                let uses = catalog::uses_within(conn, project, place, old, missing.part()).await?;
                if !uses.is_empty() {
                    losses.push(Loss { lost: missing.told(source, old), uses });
                }
            }
        }
        Ok(losses)
    }
}

/// What is not there any more of a table.
enum Missing {
    Table,
    Rows,
    Columns(Vec<String>),
}

impl Missing {
    fn of(old: &CatalogTable, new: Option<&CatalogTable>) -> Option<Self> {
        let Some(new) = new else { return Some(Self::Table) };
        if new.rows == RowAccess::Nothing {
            return Some(Self::Rows);
        }
        let was_hidden = |name: &str| old.columns.get(name).is_some_and(|column| column.hidden);
        let hidden = new.columns.iter().filter(|(name, column)| column.hidden && !was_hidden(name));
        let hidden: Vec<_> = hidden.map(|(name, _)| name.clone()).collect();
        (!hidden.is_empty()).then_some(Self::Columns(hidden))
    }

    fn part(&self) -> Part<'_> {
        match self {
            Self::Table | Self::Rows => Part::Table,
            Self::Columns(columns) => Part::Columns(columns),
        }
    }

    fn told(&self, source: &Source, table: &CatalogTable) -> String {
        let name = format!("{}.{}", source.name, table.name);
        match self {
            Self::Table => format!("table {name} is taken out of the catalogue"),
            Self::Rows => format!("table {name} is closed to everybody"),
            Self::Columns(columns) => match columns.as_slice() {
                [one] => format!("column {one} of {name} is hidden"),
                all => format!("columns {} of {name} are hidden", all.join(", ")),
            },
        }
    }
}
