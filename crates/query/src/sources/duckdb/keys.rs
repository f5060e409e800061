//! The keys that a `DuckDB` file declares. The views over a folder's files have none.

use super::{Connection, Server, error};
use crate::{
    error::QueryError,
    name::TableKey,
    sources::keys::{FoundKey, KeyRole},
};

const SQL: &str = "SELECT constraint_type, schema_name, table_name, CAST(to_json(constraint_column_names) AS VARCHAR), \
    referenced_table, CAST(to_json(referenced_column_names) AS VARCHAR) FROM duckdb_constraints() \
    WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') \
    ORDER BY schema_name <> 'main', schema_name, table_name, constraint_index LIMIT 100000";

/// Type, schema, table and columns of a constraint; table and columns that it refers to.
type Row = (String, String, String, String, Option<String>, Option<String>);

pub(in crate::sources) async fn list(server: &Server) -> Result<Vec<FoundKey>, QueryError> {
    let work = |connection: &Connection| {
        let read = || -> duckdb::Result<Vec<Row>> {
            let mut statement = connection.prepare(SQL)?;
            let rows = statement
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?)))?;
            rows.collect()
        };
        read().map(|rows| rows.into_iter().filter_map(key).collect()).map_err(|problem| error(&problem))
    };
    server.ask(work).await
}

/// A key of a table. A foreign key stays within its schema.
fn key((kind, schema, table, columns, target, target_columns): Row) -> Option<FoundKey> {
    let names = |json: &str| serde_json::from_str::<Vec<String>>(json).ok();
    let role = match kind.as_str() {
        "PRIMARY KEY" => KeyRole::Primary,
        "UNIQUE" => KeyRole::Unique,
        _ => KeyRole::Foreign,
    };
    let to = match role {
        KeyRole::Foreign => Some((TableKey { schema: schema.clone(), table: target? }, names(&target_columns?)?)),
        KeyRole::Primary | KeyRole::Unique => None,
    };
    Some(FoundKey { role, table: TableKey { schema, table }, columns: names(&columns)?, to })
}
