//! The catalogue: which tables of a connection project users' queries may name, which of their rows each viewer sees, and which
//! columns are hidden.

mod model;
mod store;
pub mod terms;

pub use model::modelled;
#[cfg(test)]
pub(crate) use store::CatalogTableRow;
pub use store::{delete, of_connection, put};

use inlay_assistant::Term;
use inlay_contract::{ids::TableId, model::TableModel};
use inlay_query::{RowAccess, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A table of the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct CatalogTable {
    /// Its id.
    pub id: TableId,
    /// `table`, or `schema.table`.
    pub name: String,
    /// Display name.
    pub label: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Other names for it, or for one row of it.
    pub synonyms: Vec<String>,
    /// Which rows project users see.
    pub rows: RowAccess,
    /// The settings of its columns.
    pub columns: BTreeMap<String, ColumnSettings>,
    /// What it adds to the project's model.
    pub model: TableModel,
}

/// The settings of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ColumnSettings {
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other names for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// Words for some of its values: "late" for 15 minutes and more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<Term>,
    /// The column of another table whose values these are, as `table.column`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub references: Option<String>,
    /// Whether it is hidden from project users' queries.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

impl CatalogTable {
    /// The table in the query engine's form.
    pub fn as_queried(&self) -> Table {
        let hidden = self.columns.iter().filter(|(_, settings)| settings.hidden).map(|(name, _)| name.clone());
        Table { name: self.name.clone(), rows: self.rows.clone(), hidden: hidden.collect() }
    }
}
