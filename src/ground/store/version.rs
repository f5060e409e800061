//! The configuration's version: a number that increases with each change of data that nodes cache (keys, members, projects,
//! roles, connections, tables, revocations), and beside it what changed: an organization, an account, or the installation. Each
//! node looks at it, so a change by another node or the command line takes effect within a second.

use super::{
    Conn, Db,
    rows::{inserts, row, sql},
};
use crate::{
    ground::{error::Result, time::Timestamp},
    on,
};
use inlay_contract::ids::{AccountId, OrganizationId};
use uuid::Uuid;

row! {
    /// The number under which something changed last.
    pub(crate) struct ChangeRow in "configuration_changes" { subject_id: Uuid, number: i64 }
}

/// The current number, as a value in another statement.
pub const NUMBER: &str = "(SELECT number FROM configuration_version WHERE id = 1)";

/// The channel on which PostgreSQL tells the nodes of a change.
pub const CHANNEL: &str = "inlay_configuration";

/// What a change belongs to. What nodes remember of others stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Scope(Uuid);

impl Scope {
    /// What serves every organization alike: the signing keys.
    pub const INSTALLATION: Self = Self(Uuid::nil());
}

impl From<OrganizationId> for Scope {
    fn from(id: OrganizationId) -> Self {
        Self(id.0)
    }
}

impl From<AccountId> for Scope {
    fn from(id: AccountId) -> Self {
        Self(id.0)
    }
}

/// What a node sees when it looks.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub struct Seen {
    /// The current number.
    pub number: i64,
    /// How many of the changes named no scope, because a node of an older version made them. When it grows, everything may have changed.
    pub untold: i64,
    /// The store's clock.
    pub clock: Timestamp,
}

/// Looks at the version, and at the store's clock.
pub async fn look(conn: &mut Conn<'_>) -> Result<Seen> {
    const SQLITE: &str = "SELECT number, number - told AS untold, CAST(unixepoch('subsec') * 1000 AS INTEGER) AS clock \
        FROM configuration_version WHERE id = 1";
    const POSTGRES: &str = "SELECT number, number - told AS untold, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS clock \
        FROM configuration_version WHERE id = 1";
    let sql = if matches!(conn, Conn::Sqlite(_)) { SQLITE } else { POSTGRES };
    Ok(on!(conn, |c| sqlx::query_as(sql).fetch_one(c).await)?)
}

/// The store's clock, which is the same for all nodes.
pub async fn clock(conn: &mut Conn<'_>) -> Result<Timestamp> {
    Ok(look(conn).await?.clock)
}

/// What changed after one number and up to another.
pub async fn changes(conn: &mut Conn<'_>, after: i64, upto: i64) -> Result<Vec<(Scope, i64)>> {
    const SQL: &str = "SELECT subject_id, number FROM configuration_changes WHERE number > $1 AND number <= $2";
    let rows = on!(conn, |c| sqlx::query_as::<_, (Uuid, i64)>(SQL).bind(after).bind(upto).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id, number)| (Scope(id), number)).collect())
}

/// The current number.
pub async fn current(db: &Db) -> Result<i64> {
    number(&mut db.read().await?.conn()).await
}

/// The current number, by a connection that is at hand.
pub async fn number(conn: &mut Conn<'_>) -> Result<i64> {
    Ok(on!(conn, |c| sqlx::query_scalar(sql!("SELECT ", NUMBER)).fetch_one(c).await)?)
}

/// Increments the version, so that every node reads again what it remembers of these. Call it in the transaction of the change:
/// others that change something wait until it ends, so that numbers become visible in their order. Returns the change's number.
pub async fn bump(conn: &mut Conn<'_>, scopes: &[Scope]) -> Result<i64> {
    const COUNT: &str = "UPDATE configuration_version SET number = number + 1, told = told + 1 WHERE id = 1 RETURNING number";
    const TELL: &str = "SELECT pg_notify($1, '')";
    const CHANGED: &str = sql!(inserts!(ChangeRow), " ON CONFLICT (subject_id) DO UPDATE SET number = excluded.number");
    let number: i64 = on!(&mut *conn, |c| sqlx::query_scalar(COUNT).fetch_one(c).await)?;
    for scope in scopes {
        let row = ChangeRow { subject_id: scope.0, number };
        on!(&mut *conn, |c| super::rows::query(CHANGED, row).execute(c).await.map(drop))?;
    }
    if matches!(conn, Conn::Postgres(_)) {
        on!(conn, |c| sqlx::query(TELL).bind(CHANNEL).execute(c).await.map(drop))?;
    }
    Ok(number)
}
