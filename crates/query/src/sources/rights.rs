//! The rights of a connection's role in PostgreSQL.

use super::{Pool, lent::Lent, postgres, within};
use crate::{error::QueryError, limits::Limits, name::TableKey};
use sqlx_postgres::PgPool;

/// A role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Role {
    pub is_superuser: bool,
    pub bypasses_row_security: bool,
}

/// A role's rights on a table, and the table's row security.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct TableRights {
    pub owns: bool,
    pub may_write: bool,
    pub is_view: bool,
    pub asks_as_caller: bool,
    pub has_row_security: bool,
    pub forces_row_security: bool,
}

impl Pool {
    /// The rights of the role and on tables. Only PostgreSQL reports them.
    pub(crate) async fn rights(
        &self,
        tables: Vec<(String, TableKey)>,
        limits: &Limits,
    ) -> Result<(Role, Vec<(String, TableRights)>), QueryError> {
        let Self::Postgres(server) = self else { return Err(QueryError::failed("this kind of source does not report rights")) };
        within(limits, async { read(&server.pool, tables).await.map_err(|problem| postgres::error(&problem)) }).await
    }
}

async fn read(pool: &PgPool, tables: Vec<(String, TableKey)>) -> sqlx::Result<(Role, Vec<(String, TableRights)>)> {
    const ROLE: &str = "SELECT rolsuper, rolbypassrls FROM pg_catalog.pg_roles WHERE rolname = current_user";
    const TABLE: &str = "
        SELECT pg_has_role(current_user, c.relowner, 'USAGE') AS owns,
            has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS may_write,
            c.relkind IN ('v', 'm') AS is_view,
            coalesce('security_invoker=true' = ANY (c.reloptions) OR 'security_invoker=on' = ANY (c.reloptions), false)
                AS asks_as_caller,
            c.relrowsecurity AS has_row_security, c.relforcerowsecurity AS forces_row_security
        FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $2";
    let mut lent = Lent::of(pool).await?;
    let (is_superuser, bypasses_row_security) = sqlx::query_as(ROLE).fetch_one(lent.get()?).await?;
    let mut rights = Vec::new();
    for (name, key) in tables {
        let found: Option<TableRights> =
            sqlx::query_as(TABLE).bind(&key.schema).bind(&key.table).fetch_optional(lent.get()?).await?;
        rights.extend(found.map(|found| (name, found)));
    }
    lent.give_back();
    Ok((Role { is_superuser, bypasses_row_security }, rights))
}
