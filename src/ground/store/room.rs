//! Whether the store can be written: a disk may be full and a server may only read, while everything that reads goes on.

use super::Db;
use crate::{ground::error::Result, on};

/// More than the free space that a store keeps in its files.
const ROOM: usize = 16 * 1024;

/// Writes something and takes it away again.
///
/// # Errors
/// The store cannot be written.
pub async fn try_writing(db: &Db) -> Result<()> {
    const SQL: &str = "UPDATE store_state SET room = $1 WHERE id = 1";
    for room in [Some(vec![1_u8; ROOM]), None] {
        let mut tx = db.write().await?;
        on!(&mut tx.conn(), |c| sqlx::query(SQL).bind(room).execute(c).await.map(drop))?;
        tx.commit().await?;
    }
    Ok(())
}
