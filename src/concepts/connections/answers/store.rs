//! Shared answers in the store.

use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
    },
    on,
};
use inlay_query::Fingerprint;

row! {
    /// A shared answer.
    pub(crate) struct AnswerRow in "answers" { key: Vec<u8>, asked_at: i64, expires_at: i64, sealed: Vec<u8> }
}

row! {
    struct FoundAnswer of AnswerRow { asked_at: i64, sealed: Vec<u8> }
}

/// The time of the query and the sealed result, while it is still fresh.
pub(super) async fn find(conn: &mut Conn<'_>, key: &Fingerprint, now: i64) -> Result<Option<(i64, Vec<u8>)>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundAnswer), " FROM answers WHERE key = $1 AND expires_at > $2");
    let found = on!(conn, |c| sqlx::query_as::<_, FoundAnswer>(SQL).bind(&key[..]).bind(now).fetch_optional(c).await)?;
    Ok(found.map(|answer| (answer.asked_at, answer.sealed)))
}

/// Stores a result unless a newer one is there.
pub(super) async fn put(conn: &mut Conn<'_>, key: &Fingerprint, asked_at: i64, expires_at: i64, sealed: &[u8]) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(AnswerRow),
        " ON CONFLICT (key) DO UPDATE SET asked_at = excluded.asked_at, expires_at = excluded.expires_at, \
        sealed = excluded.sealed WHERE answers.asked_at < excluded.asked_at"
    );
    let row = AnswerRow { key: key.to_vec(), asked_at, expires_at, sealed: sealed.to_vec() };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes expired results.
pub(super) async fn sweep(conn: &mut Conn<'_>, now: i64) -> Result<()> {
    const SQL: &str = "DELETE FROM answers WHERE expires_at <= $1";
    on!(conn, |c| sqlx::query(SQL).bind(now).execute(c).await.map(drop))?;
    Ok(())
}
