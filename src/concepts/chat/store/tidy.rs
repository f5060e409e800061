//! Retention of chats.

use crate::ground::{
    error::Result,
    store::Conn,
    tidy::{self, Batch, HOUR, Rule},
};

/// Deletes chats that were last used longer than `INLAY_CHAT_DAYS` ago, with their messages. Favorites are copies and stay.
pub const TIDY: Rule = Rule {
    name: "chat_threads",
    tables: &["chat_threads", "chat_messages"],
    every: HOUR,
    // Each has its messages, with their rows of results.
    batch: 100,
    run: |batch, conn| Box::pin(forget(batch, conn)),
};

async fn forget(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    // The condition once more outside, for a chat that is used at this moment.
    const SQL: &str = "DELETE FROM chat_threads WHERE updated_at < $1 AND id IN \
        (SELECT id FROM chat_threads WHERE updated_at < $1 ORDER BY updated_at LIMIT $2)";
    let Some(before) = batch.days_ago(batch.settings.retention.chat_days) else { return Ok(0) };
    tidy::delete_before(conn, SQL, before, batch.most).await
}
