//! The keys that MySQL and `MariaDB` declare.

use super::{Server, error};
use crate::{
    error::QueryError,
    sources::{
        keys::{FoundKey, KeyColumn, MOST_KEY_COLUMNS, gathered},
        lent::Lent,
    },
};
use sqlx::Row;
use sqlx_mysql::MySqlRow;

/// Primary and unique keys. A part of a key that is an expression has no column.
const UNIQUE: &str = "
    SELECT CASE WHEN index_name = 'PRIMARY' THEN 'p' ELSE 'u' END,
        CASE WHEN table_schema = DATABASE() THEN '' ELSE table_schema END, table_name, index_name, column_name, NULL, NULL, NULL
    FROM information_schema.statistics
    WHERE non_unique = 0 AND table_schema = COALESCE(DATABASE(), table_schema)
        AND table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
    ORDER BY table_schema, table_name, index_name, seq_in_index LIMIT ?";

const FOREIGN: &str = "
    SELECT 'f', CASE WHEN table_schema = DATABASE() THEN '' ELSE table_schema END, table_name, constraint_name, column_name,
        CASE WHEN referenced_table_schema = DATABASE() THEN '' ELSE referenced_table_schema END, referenced_table_name,
        referenced_column_name
    FROM information_schema.key_column_usage
    WHERE referenced_table_name IS NOT NULL AND table_schema = COALESCE(DATABASE(), table_schema)
        AND table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
    ORDER BY table_schema, table_name, constraint_name, ordinal_position LIMIT ?";

pub(in crate::sources) async fn list(server: &Server) -> Result<Vec<FoundKey>, QueryError> {
    let mut lent = Lent::of(&server.pool).await.map_err(|problem| error(&problem))?;
    let mut found = Vec::new();
    for sql in [UNIQUE, FOREIGN] {
        let query = sqlx::query(sql).bind(MOST_KEY_COLUMNS);
        let rows = async { query.fetch_all(lent.get()?).await }.await.map_err(|problem| error(&problem))?;
        let columns = rows.iter().map(column).collect::<sqlx::Result<Vec<_>>>().map_err(|problem| error(&problem))?;
        found.extend(gathered(&columns));
    }
    lent.give_back();
    Ok(found)
}

fn column(row: &MySqlRow) -> sqlx::Result<KeyColumn> {
    let text = |position: usize| row.try_get_unchecked::<String, _>(position);
    let maybe = |position: usize| row.try_get_unchecked::<Option<String>, _>(position);
    Ok((text(0)?, text(1)?, text(2)?, text(3)?, maybe(4)?, maybe(5)?, maybe(6)?, maybe(7)?))
}
