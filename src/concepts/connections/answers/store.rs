//! Shared answers in the store.

use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        tidy::{self, MOST, Rule},
    },
    on,
};
use inlay_query::Fingerprint;
use std::time::Duration;

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

const EXPIRED: &str =
    "DELETE FROM answers WHERE key IN (SELECT key FROM answers WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)";
const BEYOND: &str = "DELETE FROM answers WHERE key IN (SELECT a.key FROM \
    (SELECT key, SUM(LENGTH(sealed) + 200) OVER (ORDER BY expires_at DESC, key) AS bytes FROM answers) a WHERE a.bytes > $1 LIMIT $2)";

/// Deletes expired results, and those beyond `INLAY_SHARED_ANSWERS_BYTES`.
pub const TIDY: [Rule; 2] = [
    Rule {
        name: "answers",
        tables: &["answers"],
        every: MINUTE,
        batch: MOST,
        run: |batch, conn| Box::pin(tidy::delete_before(conn, EXPIRED, batch.now, batch.most)),
    },
    Rule {
        name: "answers_beyond_bytes",
        tables: &["answers"],
        every: MINUTE,
        batch: MOST,
        run: |batch, conn| Box::pin(trim(conn, batch.settings.retention.shared_answers_bytes, batch.most)),
    },
];

const MINUTE: Duration = Duration::from_secs(60);

/// Deletes at most so many of the results that expire first, until the others take no more than so many bytes.
pub(super) async fn trim(conn: &mut Conn<'_>, bytes: u64, most: i64) -> Result<u64> {
    tidy::delete_beyond(conn, BEYOND, bytes, most).await
}
