//! Slots in the store.

mod tidy;

pub use tidy::TIDY;

use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, row},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::ProjectUserId;
use uuid::Uuid;

row! {
    /// A running answer of a user.
    pub(crate) struct AnswerSlotRow in "chat_answer_slots" { id: Uuid, user_id: ProjectUserId, ends_at: Timestamp }
}

/// Takes a slot for a user until this time.
pub(super) async fn insert(conn: &mut Conn<'_>, id: Uuid, user: ProjectUserId, ends_at: Timestamp) -> Result<()> {
    Ok(rows::insert(conn, AnswerSlotRow { id, user_id: user, ends_at }).await?)
}

/// How many slots of a user are taken.
pub(super) async fn count(conn: &mut Conn<'_>, user: ProjectUserId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM chat_answer_slots WHERE user_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(user).fetch_one(c).await)?)
}

/// Deletes a user's expired slots.
pub(super) async fn forget(conn: &mut Conn<'_>, user: ProjectUserId, now: Timestamp) -> Result<()> {
    const SQL: &str = "DELETE FROM chat_answer_slots WHERE user_id = $1 AND ends_at < $2";
    on!(conn, |c| sqlx::query(SQL).bind(user).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets the end of a slot.
pub(super) async fn prolong(conn: &mut Conn<'_>, id: Uuid, ends_at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE chat_answer_slots SET ends_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(ends_at).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a slot.
pub(super) async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<()> {
    const SQL: &str = "DELETE FROM chat_answer_slots WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
