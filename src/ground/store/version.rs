//! The configuration's version: a number that increases with each change of data that nodes cache (keys, members, projects, roles, connections, tables,
//! revocations). Each node checks it, so a change by another node or the command line takes effect within a second.

use super::{Conn, Db};
use crate::{ground::error::Result, on};

/// The current version.
pub async fn current(db: &Db) -> Result<i64> {
    const SQL: &str = "SELECT number FROM configuration_version WHERE id = 1";
    let mut lease = db.read().await?;
    Ok(on!(&mut lease.conn(), |c| sqlx::query_scalar(SQL).fetch_one(c).await)?)
}

/// Increments the version, so that every node reads its cached data again. Call it in the transaction of the change.
pub async fn bump(conn: &mut Conn<'_>) -> Result<()> {
    const SQL: &str = "UPDATE configuration_version SET number = number + 1 WHERE id = 1";
    on!(conn, |c| sqlx::query(SQL).execute(c).await.map(drop))?;
    Ok(())
}
