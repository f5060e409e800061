//! The catalogue in the store.

use super::{CatalogTable, ColumnSettings};
use crate::{error::Result, on, store::Conn};
use inlay_contract::ids::{ConnectionId, TableId};
use inlay_query::RowAccess;
use sqlx::types::Json;
use std::collections::BTreeMap;

type Row = (
    TableId,
    String,
    Option<String>,
    Option<String>,
    Option<Json<Vec<String>>>,
    String,
    Option<String>,
    Json<BTreeMap<String, ColumnSettings>>,
);

/// The tables of a connection, by name.
///
/// # Errors
/// The store is away.
pub async fn of_connection(conn: &mut Conn<'_>, connection: ConnectionId) -> Result<Vec<CatalogTable>> {
    const SQL: &str = "SELECT id, name, label, description, synonyms, access, row_rule, columns FROM catalog_tables WHERE connection_id = $1 ORDER BY name";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(connection).fetch_all(c).await)?;
    Ok(rows.into_iter().map(table).collect())
}

fn table((id, name, label, description, synonyms, access, row_rule, Json(columns)): Row) -> CatalogTable {
    let synonyms = synonyms.map(|Json(synonyms)| synonyms).unwrap_or_default();
    let rows = match (access.as_str(), row_rule) {
        ("all", None) => RowAccess::All,
        ("rule", Some(rule)) => RowAccess::Rule(rule),
        // Whatever else stands there opens nothing.
        _ => RowAccess::Nothing,
    };
    CatalogTable { id, name, label, description, synonyms, rows, columns }
}

/// Makes a table of a connection, or changes the one of the same name; its id.
///
/// # Errors
/// The store is away.
pub async fn put(conn: &mut Conn<'_>, connection: ConnectionId, table: &CatalogTable) -> Result<TableId> {
    const SQL: &str = "INSERT INTO catalog_tables (id, connection_id, name, label, access, row_rule, columns, description, \
        synonyms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (connection_id, name) DO UPDATE SET label = excluded.label, \
        access = excluded.access, row_rule = excluded.row_rule, columns = excluded.columns, \
        description = excluded.description, synonyms = excluded.synonyms RETURNING id";
    let (access, rule) = match &table.rows {
        RowAccess::All => ("all", None),
        RowAccess::Rule(rule) => ("rule", Some(rule)),
        RowAccess::Nothing => ("nothing", None),
    };
    Ok(on!(conn, |c| {
        let put = sqlx::query_scalar(SQL).bind(table.id).bind(connection).bind(&table.name).bind(&table.label);
        let put = put.bind(access).bind(rule).bind(Json(&table.columns)).bind(&table.description);
        put.bind(Json(&table.synonyms)).fetch_one(c).await
    })?)
}

/// Takes a table out of the catalogue.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: TableId) -> Result<()> {
    const SQL: &str = "DELETE FROM catalog_tables WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
