//! The objects in use that applying a project file removes: tables that are deleted or closed, columns that are hidden, parts of
//! the semantic model.

use crate::{
    concepts::{
        catalog::{CatalogTable, ColumnSettings},
        organizations::secret,
    },
    flows::{
        catalogues::{self, Catalogues},
        management::{
            catalog_uses::{self, Part, Searched},
            model_uses::ModelQueries,
        },
    },
    ground::{error::Result, store::Conn},
};
use inlay_contract::{ids::ProjectId, model::Metric};
use inlay_query::{Catalog, RowAccess, Source};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

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

impl Catalogues {
    /// What these catalogues have and later ones lack, and is still in use.
    pub(super) async fn lost_in(&self, after: &Self, conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Loss>> {
        let mut losses = Vec::new();
        for (source, tables) in &after.connections {
            let Some((_, before)) = self.connections.iter().find(|(known, _)| known.id == source.id) else { continue };
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
            losses
                .extend(self.lost_numbers(conn, (project, source), before, &visible_as(before, tables), &after.metrics).await?);
        }
        Ok(losses)
    }

    /// What charts of a connection and examples of workspaces ask of the model and later tables and metrics no longer answer.
    async fn lost_numbers(
        &self,
        conn: &mut Conn<'_>,
        (project, source): (ProjectId, &Source),
        before: &[CatalogTable],
        after: &[CatalogTable],
        metrics: &BTreeMap<String, Metric>,
    ) -> Result<Vec<Loss>> {
        let (before, after) = (catalogues::visible(before, &self.metrics), catalogues::visible(after, metrics));
        if before == after {
            return Ok(Vec::new());
        }
        let broken = ModelQueries::read(conn, project, source).await?.broken(&before, &after);
        let loss = |(why, uses)| Loss { lost: format!("the semantic model of {} changes: {why}", source.name), uses };
        Ok(broken.into_iter().map(loss).collect())
    }
}

/// The later tables with the earlier ones' visibility, because [`Missing`] tells of what is removed, closed or hidden.
fn visible_as(before: &[CatalogTable], after: &[CatalogTable]) -> Vec<CatalogTable> {
    let shown = |old: &CatalogTable| {
        let Some(new) = after.iter().find(|table| table.name == old.name) else { return old.clone() };
        let mut shown = CatalogTable { rows: old.rows.clone(), ..new.clone() };
        for (name, column) in &mut shown.columns {
            column.hidden = old.columns.get(name).is_some_and(|old: &ColumnSettings| old.hidden);
        }
        shown
    };
    let added = after.iter().filter(|table| before.iter().all(|old| old.name != table.name));
    before.iter().map(shown).chain(added.cloned()).collect()
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
