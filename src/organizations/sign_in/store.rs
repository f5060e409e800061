//! Accounts and attempts to sign in, in the store.

use super::{Account, Counted};
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::ids::AccountId;
use sha2::{Digest, Sha256};

/// What attempts are counted under: a hash, for people type passwords where addresses belong.
pub fn subject(parts: &[&str]) -> Vec<u8> {
    let hash = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part).chain_update([0]));
    hash.finalize().to_vec()
}

/// The account of an email address.
///
/// # Errors
/// The store is away.
pub async fn account(conn: &mut Conn<'_>, email: &str) -> Result<Option<Account>> {
    const SQL: &str = "SELECT id, email, password_hash FROM accounts WHERE email = $1";
    type Row = (AccountId, String, Option<String>);
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(email).fetch_optional(c).await)?;
    Ok(found.map(|(id, email, password_hash)| Account { id, email, password_hash }))
}

/// Writes the hash of an account's password.
///
/// # Errors
/// The store is away.
pub async fn set_password(conn: &mut Conn<'_>, id: AccountId, hash: &str) -> Result<()> {
    const SQL: &str = "UPDATE accounts SET password_hash = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(hash).execute(c).await.map(drop))?;
    Ok(())
}

/// What is counted under a subject, with the time of the last attempt; others who count it wait until this transaction ends.
///
/// # Errors
/// The store is away.
pub async fn locked(conn: &mut Conn<'_>, subject: &[u8]) -> Result<(i64, Timestamp)> {
    const SQL: &str = "INSERT INTO console_attempts (subject, failures, last_at) VALUES ($1, 0, 0) \
        ON CONFLICT (subject) DO UPDATE SET failures = console_attempts.failures RETURNING failures, last_at";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(subject).fetch_one(c).await)?)
}

/// Writes what is counted under a subject.
///
/// # Errors
/// The store is away.
pub async fn count(conn: &mut Conn<'_>, subject: &[u8], failures: i64, at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE console_attempts SET failures = $2, last_at = $3 WHERE subject = $1";
    on!(conn, |c| sqlx::query(SQL).bind(subject).bind(failures).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Notes that the last attempt of a subject was later.
///
/// # Errors
/// The store is away.
pub async fn note(conn: &mut Conn<'_>, subject: &[u8], at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE console_attempts SET last_at = $2 WHERE subject = $1";
    on!(conn, |c| sqlx::query(SQL).bind(subject).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes back what was counted for somebody who is who they say. A guess that was counted since keeps its time.
///
/// # Errors
/// The store is away.
pub async fn take_back(conn: &mut Conn<'_>, counted: &Counted) -> Result<()> {
    const SQL: &str = "UPDATE console_attempts SET failures = failures - 1, \
        last_at = CASE WHEN last_at = $2 THEN $3 ELSE last_at END WHERE subject = $1 AND failures > 0";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(&counted.subject).bind(counted.at).bind(counted.before);
        update.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Forgets what was counted last before a time.
///
/// # Errors
/// The store is away.
pub async fn forget_before(conn: &mut Conn<'_>, at: Timestamp) -> Result<()> {
    const SQL: &str = "DELETE FROM console_attempts WHERE last_at < $1";
    on!(conn, |c| sqlx::query(SQL).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Forgets what was counted under a subject.
///
/// # Errors
/// The store is away.
pub async fn forget(conn: &mut Conn<'_>, subject: &[u8]) -> Result<()> {
    const SQL: &str = "DELETE FROM console_attempts WHERE subject = $1";
    on!(conn, |c| sqlx::query(SQL).bind(subject).execute(c).await.map(drop))?;
    Ok(())
}
