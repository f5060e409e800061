//! The keys that a SQLite file declares.

use super::{MOST_TABLES, Watched, error};
use crate::{
    dialect::{self, Dialect},
    error::QueryError,
    limits::Limits,
    sources::keys::{FoundKey, KeyColumn, gathered},
};
use sqlx_sqlite::SqlitePool;

/// The keys of one table. An index of some rows or over an expression is no key, and a foreign key without columns refers to the
/// primary key.
const OF_TABLE: &str = "
    SELECT kind, $2, $1, key, name, CASE WHEN target IS NOT NULL THEN $2 END, target, target_column FROM (
        SELECT 'p' AS kind, '' AS key, pk AS place, name, NULL AS target, NULL AS target_column
        FROM pragma_table_xinfo($1, $2) WHERE pk > 0
        UNION ALL
        SELECT 'u', list.name, info.seqno, info.name, NULL, NULL
        FROM pragma_index_list($1, $2) AS list JOIN pragma_index_info(list.name, $2) AS info
        WHERE list.\"unique\" = 1 AND list.partial = 0 AND list.origin <> 'pk'
        UNION ALL
        SELECT 'f', CAST(id AS TEXT), seq, \"from\", \"table\", \"to\" FROM pragma_foreign_key_list($1, $2)
    ) ORDER BY kind, key, place";

pub(in crate::sources) async fn list(pool: &SqlitePool, limits: &Limits) -> Result<Vec<FoundKey>, QueryError> {
    const SQL: &str =
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT $1";
    let names: Vec<String> = {
        let mut watched = Watched::acquire(pool, limits).await?;
        let names = sqlx::query_scalar(SQL).bind(MOST_TABLES).fetch_all(&mut *watched.connection).await;
        names.map_err(|problem| error(&problem))?
    };
    let mut found = Vec::new();
    for table in names {
        // A virtual table whose module is missing has no keys. The other tables are still read.
        match of_table(pool, &table, limits).await {
            Ok(columns) => found.extend(gathered(&columns)),
            Err(QueryError::Failed(_)) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(found)
}

async fn of_table(pool: &SqlitePool, table: &str, limits: &Limits) -> Result<Vec<KeyColumn>, QueryError> {
    let mut watched = Watched::acquire(pool, limits).await?;
    let query = sqlx::query_as::<_, KeyColumn>(OF_TABLE).bind(table).bind(dialect::Sqlite.default_schema());
    query.fetch_all(&mut *watched.connection).await.map_err(|problem| error(&problem))
}
