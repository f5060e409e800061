//! Sessions in the store.

mod tidy;

pub use tidy::TIDY;

use super::Session;
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{AccountId, OrganizationId};
use sqlx::FromRow;

row! {
    /// A session of the console.
    pub(crate) struct SessionRow in "console_sessions" {
        id: Vec<u8>,
        account_id: AccountId,
        address: Option<String>,
        agent: Option<String>,
        created_at: Timestamp,
        seen_at: Timestamp,
        organization_id: Option<OrganizationId>,
    }
}

#[derive(FromRow)]
struct FoundSession {
    #[sqlx(flatten)]
    row: SessionRow,
    email: String,
}

impl From<FoundSession> for Session {
    fn from(FoundSession { row, email }: FoundSession) -> Self {
        Self {
            id: row.id,
            account: row.account_id,
            email,
            within: row.organization_id,
            address: row.address,
            agent: row.agent,
            created_at: row.created_at,
            seen_at: row.seen_at,
        }
    }
}

const SELECT: &str =
    sql!("SELECT ", columns!(SessionRow as s), ", a.email FROM console_sessions s JOIN accounts a ON a.id = s.account_id");

/// Stores a new session.
pub async fn insert(
    conn: &mut Conn<'_>,
    id: &[u8],
    account: AccountId,
    within: Option<OrganizationId>,
    address: Option<&str>,
    agent: Option<&str>,
) -> Result<()> {
    let now = Timestamp::now();
    let row = SessionRow {
        id: id.to_vec(),
        account_id: account,
        address: address.map(str::to_owned),
        agent: agent.map(str::to_owned),
        created_at: now,
        seen_at: now,
        organization_id: within,
    };
    Ok(rows::insert(conn, row).await?)
}

/// A session by its id.
pub async fn find(conn: &mut Conn<'_>, id: &[u8]) -> Result<Option<Session>> {
    const SQL: &str = sql!(SELECT, " WHERE s.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundSession>(SQL).bind(id).fetch_optional(c).await)?.map(Session::from))
}

/// The sessions of a person, newest first.
pub async fn of_account(conn: &mut Conn<'_>, account: AccountId) -> Result<Vec<Session>> {
    const SQL: &str = sql!(SELECT, " WHERE s.account_id = $1 ORDER BY s.seen_at DESC, s.created_at DESC");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundSession>(SQL).bind(account).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Session::from).collect())
}

/// Updates when a session was last used.
pub async fn note(conn: &mut Conn<'_>, id: &[u8], at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE console_sessions SET seen_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends a session of a person.
pub async fn end(conn: &mut Conn<'_>, account: AccountId, id: &[u8]) -> Result<()> {
    const SQL: &str = "DELETE FROM console_sessions WHERE account_id = $1 AND id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(account).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends every session of a person except one. An empty id ends all.
pub async fn end_others(conn: &mut Conn<'_>, account: AccountId, kept: &[u8]) -> Result<()> {
    const SQL: &str = "DELETE FROM console_sessions WHERE account_id = $1 AND id <> $2";
    on!(conn, |c| sqlx::query(SQL).bind(account).bind(kept).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends every session for one organization only.
pub async fn end_within(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<()> {
    const SQL: &str = "DELETE FROM console_sessions WHERE organization_id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).execute(c).await.map(drop))?;
    Ok(())
}
