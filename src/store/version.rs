//! The configuration's version: a number that grows with each change of what nodes keep in memory (keys, members, projects,
//! roles, connections, tables, revocations). Each node watches it, so a change counts everywhere within a second,
//! whether another node or the command line made it.

use super::{Conn, Db};
use crate::{error::Result, on};

/// The number now.
pub async fn current(db: &Db) -> Result<i64> {
    const SQL: &str = "SELECT number FROM configuration_version WHERE id = 1";
    let mut lease = db.read().await?;
    Ok(on!(&mut lease.conn(), |c| sqlx::query_scalar(SQL).fetch_one(c).await)?)
}

/// Tells every node that something which it keeps in memory has changed. Part of the transaction that changes it.
pub async fn bump(conn: &mut Conn<'_>) -> Result<()> {
    const SQL: &str = "UPDATE configuration_version SET number = number + 1 WHERE id = 1";
    on!(conn, |c| sqlx::query(SQL).execute(c).await.map(drop))?;
    Ok(())
}
