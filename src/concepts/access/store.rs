//! What nodes tell each other of their callers.

use super::buckets::Credential;
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

row! {
    /// What a node has let pass.
    pub(crate) struct RateCountRow in "rate_counts" { node_id: Uuid, written_at: Timestamp, counts: Json<Value> }
}

/// What a node let pass, and when it told so.
pub type Told = (Uuid, Timestamp, Vec<(Credential, u32)>);

/// Tells the other nodes what this one let pass, and returns what they have told within the last seconds. One statement, of
/// PostgreSQL alone: the embedded store has one node.
pub async fn exchange(conn: &mut Conn<'_>, node: Uuid, now: Timestamp, passed: &[(Credential, u32)]) -> Result<Vec<Told>> {
    const SQL: &str = sql!(
        "WITH told AS (",
        inserts!(RateCountRow),
        " ON CONFLICT (node_id) DO UPDATE SET written_at = excluded.written_at, counts = excluded.counts), \
        gone AS (DELETE FROM rate_counts WHERE written_at < $2 - 3600000) \
        SELECT ",
        columns!(RateCountRow),
        " FROM rate_counts WHERE node_id <> $1 AND written_at > $2 - 3000"
    );
    let counts = serde_json::to_value(passed).map_err(crate::ground::error::Error::internal)?;
    let rows =
        on!(conn, |c| sqlx::query_as::<_, RateCountRow>(SQL).bind(node).bind(now).bind(Json(counts)).fetch_all(c).await)?;
    let told = |row: RateCountRow| Some((row.node_id, row.written_at, serde_json::from_value(row.counts.0).ok()?));
    Ok(rows.into_iter().filter_map(told).collect())
}
