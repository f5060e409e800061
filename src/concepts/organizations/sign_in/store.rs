//! Accounts and attempts to sign in, in the store.

mod tidy;

pub use tidy::TIDY;

use super::{Account, Counted};
use crate::{
    concepts::organizations::store::AccountRow,
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::AccountId;
use sha2::{Digest, Sha256};

row! {
    /// The count of sign-in attempts.
    pub(crate) struct AttemptRow in "console_attempts" { subject: Vec<u8>, failures: i64, last_at: Timestamp }
}

impl From<AccountRow> for Account {
    fn from(row: AccountRow) -> Self {
        Self { id: row.id, email: row.email, password_hash: row.password_hash }
    }
}

/// The hash that attempts are counted under. It is not plain text, because people type passwords into the address field.
pub fn subject(parts: &[&str]) -> Vec<u8> {
    let hash = parts.iter().fold(Sha256::new(), |hash, part| hash.chain_update(part).chain_update([0]));
    hash.finalize().to_vec()
}

/// The account of an email address.
pub async fn account(conn: &mut Conn<'_>, email: &str) -> Result<Option<Account>> {
    const SQL: &str = sql!("SELECT ", columns!(AccountRow), " FROM accounts WHERE email = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, AccountRow>(SQL).bind(email).fetch_optional(c).await)?.map(Account::from))
}

/// Updates an account's password hash.
pub async fn set_password(conn: &mut Conn<'_>, id: AccountId, hash: &str) -> Result<()> {
    const SQL: &str = "UPDATE accounts SET password_hash = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(hash).execute(c).await.map(drop))?;
    Ok(())
}

/// A count and the time of its last attempt, locked against other writers until this transaction ends.
pub async fn locked(conn: &mut Conn<'_>, subject: &[u8]) -> Result<(i64, Timestamp)> {
    const SQL: &str = sql!(
        inserts!(AttemptRow),
        " ON CONFLICT (subject) DO UPDATE SET failures = console_attempts.failures RETURNING ",
        columns!(AttemptRow)
    );
    let none = AttemptRow { subject: subject.to_vec(), failures: 0, last_at: Timestamp(0) };
    let counted: AttemptRow = on!(conn, |c| rows::query_as(SQL, none).fetch_one(c).await)?;
    Ok((counted.failures, counted.last_at))
}

/// Stores a count.
pub async fn count(conn: &mut Conn<'_>, subject: &[u8], failures: i64, at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE console_attempts SET failures = $2, last_at = $3 WHERE subject = $1";
    on!(conn, |c| sqlx::query(SQL).bind(subject).bind(failures).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates the time of the last attempt.
pub async fn note(conn: &mut Conn<'_>, subject: &[u8], at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE console_attempts SET last_at = $2 WHERE subject = $1";
    on!(conn, |c| sqlx::query(SQL).bind(subject).bind(at).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes back the count of a successful attempt. Attempts since then keep their time.
pub async fn take_back(conn: &mut Conn<'_>, counted: &Counted) -> Result<()> {
    const SQL: &str = "UPDATE console_attempts SET failures = failures - 1, \
        last_at = CASE WHEN last_at = $2 THEN $3 ELSE last_at END WHERE subject = $1 AND failures > 0";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(&counted.subject).bind(counted.at).bind(counted.before);
        update.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Deletes a count.
pub async fn forget(conn: &mut Conn<'_>, subject: &[u8]) -> Result<()> {
    const SQL: &str = "DELETE FROM console_attempts WHERE subject = $1";
    on!(conn, |c| sqlx::query(SQL).bind(subject).execute(c).await.map(drop))?;
    Ok(())
}
