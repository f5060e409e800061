//! Sessions in the store.

use super::Session;
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::ids::{AccountId, OrganizationId};

type Row = (Vec<u8>, AccountId, String, Option<OrganizationId>, Option<String>, Option<String>, Timestamp, Timestamp);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT s.id, s.account_id, a.email, s.organization_id, s.address, s.agent, s.created_at, s.seen_at ",
            "FROM console_sessions s JOIN accounts a ON a.id = s.account_id ",
            $rest
        )
    };
}

fn session((id, account, email, within, address, agent, created_at, seen_at): Row) -> Session {
    Session { id, account, email, within, address, agent, created_at, seen_at }
}

/// Stores a session that begins now.
///
/// # Errors
/// The store is away.
pub async fn insert(
    conn: &mut Conn<'_>,
    id: &[u8],
    account: AccountId,
    within: Option<OrganizationId>,
    address: Option<&str>,
    agent: Option<&str>,
) -> Result<()> {
    const SQL: &str = "INSERT INTO console_sessions (id, account_id, organization_id, address, agent, created_at, seen_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(account).bind(within).bind(address).bind(agent);
        insert.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// A session by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: &[u8]) -> Result<Option<Session>> {
    const SQL: &str = select!("WHERE s.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(session))
}

/// The sessions of a person, newest first.
///
/// # Errors
/// The store is away.
pub async fn of_account(conn: &mut Conn<'_>, account: AccountId) -> Result<Vec<Session>> {
    const SQL: &str = select!("WHERE s.account_id = $1 ORDER BY s.seen_at DESC, s.created_at DESC");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(account).fetch_all(c).await)?;
    Ok(rows.into_iter().map(session).collect())
}

/// Notes that a session was used.
///
/// # Errors
/// The store is away.
pub async fn note(conn: &mut Conn<'_>, id: &[u8], at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE console_sessions SET seen_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends a session of a person.
///
/// # Errors
/// The store is away.
pub async fn end(conn: &mut Conn<'_>, account: AccountId, id: &[u8]) -> Result<()> {
    const SQL: &str = "DELETE FROM console_sessions WHERE account_id = $1 AND id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(account).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends every session of a person but one; every one when the one is empty.
///
/// # Errors
/// The store is away.
pub async fn end_others(conn: &mut Conn<'_>, account: AccountId, kept: &[u8]) -> Result<()> {
    const SQL: &str = "DELETE FROM console_sessions WHERE account_id = $1 AND id <> $2";
    on!(conn, |c| sqlx::query(SQL).bind(account).bind(kept).execute(c).await.map(drop))?;
    Ok(())
}

/// Ends every session that opens one organization alone.
///
/// # Errors
/// The store is away.
pub async fn end_within(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<()> {
    const SQL: &str = "DELETE FROM console_sessions WHERE organization_id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(organization).execute(c).await.map(drop))?;
    Ok(())
}
