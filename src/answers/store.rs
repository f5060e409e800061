//! Shared answers in the store.

use crate::{error::Result, on, store::Conn};
use inlay_query::Fingerprint;

/// When an answer was asked for, and its sealed text, while it may be served.
pub(super) async fn find(conn: &mut Conn<'_>, key: &Fingerprint, now: i64) -> Result<Option<(i64, Vec<u8>)>> {
    const SQL: &str = "SELECT asked_at, sealed FROM answers WHERE key = $1 AND expires_at > $2";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(&key[..]).bind(now).fetch_optional(c).await)?)
}

/// Keeps an answer, unless a newer one is there.
pub(super) async fn put(conn: &mut Conn<'_>, key: &Fingerprint, asked_at: i64, expires_at: i64, sealed: &[u8]) -> Result<()> {
    const SQL: &str = "INSERT INTO answers (key, asked_at, expires_at, sealed) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (key) DO UPDATE SET asked_at = excluded.asked_at, expires_at = excluded.expires_at, \
        sealed = excluded.sealed WHERE answers.asked_at < excluded.asked_at";
    on!(conn, |c| {
        let put = sqlx::query(SQL).bind(&key[..]).bind(asked_at).bind(expires_at).bind(sealed);
        put.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Removes what may not be served any more.
pub(super) async fn sweep(conn: &mut Conn<'_>, now: i64) -> Result<()> {
    const SQL: &str = "DELETE FROM answers WHERE expires_at <= $1";
    on!(conn, |c| sqlx::query(SQL).bind(now).execute(c).await.map(drop))?;
    Ok(())
}
