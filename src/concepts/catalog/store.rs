//! The catalogue in the store.

use super::{CatalogTable, ColumnSettings};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
    },
    on,
};
use inlay_contract::{
    ids::{ConnectionId, TableId},
    model::TableModel,
};
use inlay_query::RowAccess;
use sqlx::types::Json;
use std::collections::BTreeMap;

row! {
    /// A table of a connection, as the catalogue describes it.
    pub(crate) struct CatalogTableRow in "catalog_tables" {
        id: TableId,
        connection_id: ConnectionId,
        name: String,
        label: Option<String>,
        access: String,
        row_rule: Option<String>,
        columns: Json<BTreeMap<String, ColumnSettings>>,
        description: Option<String>,
        synonyms: Option<Json<Vec<String>>>,
        model: Option<Json<TableModel>>,
    }
}

/// The tables of a connection, by name.
pub async fn of_connection(conn: &mut Conn<'_>, connection: ConnectionId) -> Result<Vec<CatalogTable>> {
    const SQL: &str = sql!("SELECT ", columns!(CatalogTableRow), " FROM catalog_tables WHERE connection_id = $1 ORDER BY name");
    let rows = on!(conn, |c| sqlx::query_as::<_, CatalogTableRow>(SQL).bind(connection).fetch_all(c).await)?;
    Ok(rows.into_iter().map(CatalogTable::from).collect())
}

impl From<CatalogTableRow> for CatalogTable {
    fn from(row: CatalogTableRow) -> Self {
        let rows = match (row.access.as_str(), row.row_rule) {
            ("all", None) => RowAccess::All,
            ("rule", Some(rule)) => RowAccess::Rule(rule),
            // Unknown text gives no access.
            _ => RowAccess::Nothing,
        };
        Self {
            id: row.id,
            name: row.name,
            label: row.label,
            description: row.description,
            synonyms: row.synonyms.map(|Json(synonyms)| synonyms).unwrap_or_default(),
            rows,
            columns: row.columns.0,
            model: row.model.map(|Json(model)| model).unwrap_or_default(),
        }
    }
}

/// Creates a table of a connection, or changes the one with the same name. Returns its id.
pub async fn put(conn: &mut Conn<'_>, connection: ConnectionId, table: &CatalogTable) -> Result<TableId> {
    const SQL: &str = sql!(
        inserts!(CatalogTableRow),
        " ON CONFLICT (connection_id, name) DO UPDATE SET label = excluded.label, \
        access = excluded.access, row_rule = excluded.row_rule, columns = excluded.columns, \
        description = excluded.description, synonyms = excluded.synonyms, model = excluded.model RETURNING id"
    );
    let (access, rule) = match &table.rows {
        RowAccess::All => ("all", None),
        RowAccess::Rule(rule) => ("rule", Some(rule.clone())),
        RowAccess::Nothing => ("nothing", None),
    };
    let row = CatalogTableRow {
        id: table.id,
        connection_id: connection,
        name: table.name.clone(),
        label: table.label.clone(),
        access: access.to_owned(),
        row_rule: rule,
        columns: Json(table.columns.clone()),
        description: table.description.clone(),
        synonyms: Some(Json(table.synonyms.clone())),
        model: Some(Json(table.model.clone())).filter(|Json(model)| !model.is_empty()),
    };
    Ok(on!(conn, |c| rows::query_scalar(SQL, row).fetch_one(c).await)?)
}

/// Removes a table from the catalogue.
pub async fn delete(conn: &mut Conn<'_>, id: TableId) -> Result<()> {
    const SQL: &str = "DELETE FROM catalog_tables WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
