//! The keys that PostgreSQL declares.

use super::{Flavour, Server, error};
use crate::{
    error::QueryError,
    sources::{
        keys::{FoundKey, KeyColumn, MOST_KEY_COLUMNS, gathered},
        lent::Lent,
    },
};

/// From the catalogue, since `information_schema` shows constraints to owners alone. A foreign key to a partitioned table has copies
/// for each of its partitions, which are left out.
const SQL: &str = "
    SELECT con.contype::text, n.nspname::text, c.relname::text, con.conname::text, a.attname::text,
        tn.nspname::text, tc.relname::text, ta.attname::text
    FROM pg_catalog.pg_constraint con
    JOIN pg_catalog.pg_class c ON c.oid = con.conrelid AND c.relkind IN ('r', 'p', 'f')
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(con.conkey) WITH ORDINALITY AS own(number, place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = con.conrelid AND a.attnum = own.number
    LEFT JOIN pg_catalog.pg_class tc ON tc.oid = con.confrelid
    LEFT JOIN pg_catalog.pg_namespace tn ON tn.oid = tc.relnamespace
    LEFT JOIN pg_catalog.pg_attribute ta ON ta.attrelid = con.confrelid AND ta.attnum = con.confkey[own.place::int]
    WHERE con.contype IN ('p', 'u', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
        AND (con.conparentid = 0 OR tc.relispartition IS NOT TRUE)
        AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
    ORDER BY n.nspname <> 'public', n.nspname, c.relname, con.contype, con.conname, own.place LIMIT $1";

pub(in crate::sources) async fn list(server: &Server) -> Result<Vec<FoundKey>, QueryError> {
    let mut lent = Lent::of(&server.pool).await.map_err(|problem| error(&problem))?;
    // Redshift does not enforce keys: several rows may share one.
    if server.flavour() == Flavour::Redshift {
        lent.give_back();
        return Ok(Vec::new());
    }
    let query = sqlx::query_as::<_, KeyColumn>(SQL).bind(MOST_KEY_COLUMNS);
    let columns = async { query.fetch_all(lent.get()?).await }.await.map_err(|problem| error(&problem))?;
    lent.give_back();
    Ok(gathered(&columns))
}
