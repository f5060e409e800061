//! The objects in use that applying a project file removes: tables that are deleted or closed, columns that are hidden.

use crate::{
    concepts::{
        catalog::{self, CatalogTable},
        connections,
        organizations::secret,
    },
    flows::management::catalog_uses::{self, Part, Searched},
    ground::{
        error::Result,
        store::{Conn, seal::Sealer},
    },
};
use inlay_contract::ids::ProjectId;
use inlay_query::{Catalog, RowAccess, Source};
use serde::Serialize;
use std::fmt;

/// Something that is removed, with the objects that fail without it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// What is removed: `table shop.notes is removed from the catalogue`.
    pub lost: String,
    /// The objects that use it, as text for people.
    pub uses: Vec<String>,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}. These objects use it and will fail: {}", self.lost, self.uses.join(", "))
    }
}

/// A fingerprint of losses, so that a caller who confirmed them is not asked again. Empty without losses.
pub fn fingerprint(losses: &[Loss]) -> String {
    if losses.is_empty() {
        return String::new();
    }
    secret::derived("losses", &format!("{losses:?}")).chars().take(32).collect()
}

/// The tables that a project's queries may name, by connection.
pub(super) struct Catalogues(Vec<(Source, Vec<CatalogTable>)>);

impl Catalogues {
    /// The tables in the store.
    pub(super) async fn read(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId) -> Result<Self> {
        let mut all = Vec::new();
        for source in connections::list(conn, sealer, project).await? {
            let tables = catalog::of_connection(conn, source.id).await?;
            all.push((source, tables));
        }
        Ok(Self(all))
    }

    /// What these catalogues have and later ones lack, and is still in use.
    pub(super) async fn lost_in(&self, after: &Self, conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Loss>> {
        let mut losses = Vec::new();
        for (source, tables) in &after.0 {
            let Some((_, before)) = self.0.iter().find(|(known, _)| known.id == source.id) else { continue };
            for old in before.iter().filter(|table| table.rows != RowAccess::Nothing) {
                let new = tables.iter().find(|table| table.name == old.name);
                let Some(missing) = Missing::of(old, new) else { continue };
                // Queries are parsed with the table that they name, even if it is removed.
                let gone = new.is_none().then(|| old.as_queried());
                let catalog = Catalog::new(tables.iter().map(CatalogTable::as_queried).chain(gone).collect());
                let place = Searched { source, catalog: &catalog, tables };
                let uses = catalog_uses::uses_within(conn, project, place, old, missing.part()).await?;
                if !uses.is_empty() {
                    losses.push(Loss { lost: missing.told(source, old), uses });
                }
            }
        }
        Ok(losses)
    }
}

/// The missing part of a table.
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
            Self::Table => format!("table {name} is removed from the catalogue"),
            Self::Rows => format!("table {name} is closed to everybody"),
            Self::Columns(columns) => match columns.as_slice() {
                [one] => format!("column {one} of {name} is hidden"),
                all => format!("columns {} of {name} are hidden", all.join(", ")),
            },
        }
    }
}
