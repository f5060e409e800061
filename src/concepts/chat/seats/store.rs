//! Seats in the store.

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
    pub(crate) struct SeatRow in "chat_seats" { id: Uuid, user_id: ProjectUserId, ends_at: Timestamp }
}

/// Takes a seat for a user until this time.
pub(super) async fn insert(conn: &mut Conn<'_>, id: Uuid, user: ProjectUserId, ends_at: Timestamp) -> Result<()> {
    Ok(rows::insert(conn, SeatRow { id, user_id: user, ends_at }).await?)
}

/// How many seats of a user are taken.
pub(super) async fn count(conn: &mut Conn<'_>, user: ProjectUserId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM chat_seats WHERE user_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(user).fetch_one(c).await)?)
}

/// Deletes a user's expired seats.
pub(super) async fn forget(conn: &mut Conn<'_>, user: ProjectUserId, now: Timestamp) -> Result<()> {
    const SQL: &str = "DELETE FROM chat_seats WHERE user_id = $1 AND ends_at < $2";
    on!(conn, |c| sqlx::query(SQL).bind(user).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Sets the end of a seat.
pub(super) async fn prolong(conn: &mut Conn<'_>, id: Uuid, ends_at: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE chat_seats SET ends_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(ends_at).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a seat.
pub(super) async fn delete(conn: &mut Conn<'_>, id: Uuid) -> Result<()> {
    const SQL: &str = "DELETE FROM chat_seats WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
