//! Pins in the store. Every look-up takes the user: what is another's is not there.

use super::{Pin, Place};
use crate::{chat::store::Shelf, error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ConnectionId, MessageId, PinId, ProjectUserId},
};
use sqlx::types::Json;

type Row = (PinId, MessageId, i64, ConnectionId, Json<ChartDefinition>, bool, Timestamp);

fn pin((id, message, result, connection, Json(definition), wide, created_at): Row) -> Pin {
    Pin { id, message, result, connection, definition, wide, created_at }
}

/// The pins of a user in a place: the canvas's in the order that they have there, favourites newest first.
///
/// # Errors
/// The store is away.
pub async fn list(conn: &mut Conn<'_>, shelf: Shelf, place: Place) -> Result<Vec<Pin>> {
    const SQL: &str = "SELECT id, message_id, result, connection_id, definition, wide, created_at FROM chat_pins \
        WHERE workspace_id = $1 AND user_id = $2 AND place = $3 ORDER BY position, id";
    let rows = on!(conn, |c| {
        sqlx::query_as::<_, Row>(SQL).bind(shelf.workspace).bind(shelf.user).bind(place.name()).fetch_all(c).await
    })?;
    let mut pins: Vec<Pin> = rows.into_iter().map(pin).collect();
    if place == Place::Favorites {
        pins.reverse();
    }
    Ok(pins)
}

/// The charts that a user keeps, wherever.
///
/// # Errors
/// The store is away.
pub async fn charts_of(conn: &mut Conn<'_>, user: ProjectUserId) -> Result<Vec<ChartDefinition>> {
    const SQL: &str = "SELECT definition FROM chat_pins WHERE user_id = $1";
    let rows = on!(conn, |c| sqlx::query_scalar::<_, Json<ChartDefinition>>(SQL).bind(user).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|Json(chart)| chart).collect())
}

/// Keeps a pin at the end of its place, or finds the one of the same chart.
///
/// # Errors
/// The store is away.
pub async fn put(conn: &mut Conn<'_>, shelf: Shelf, place: Place, new: Pin) -> Result<Pin> {
    const SQL: &str = "INSERT INTO chat_pins (id, workspace_id, user_id, place, message_id, result, connection_id, definition, \
        position, wide, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, \
        (SELECT COALESCE(MAX(p.position), -1) + 1 FROM chat_pins p WHERE p.workspace_id = $2 AND p.user_id = $3 AND p.place = $4), \
        $9, $10) ON CONFLICT (user_id, place, message_id, result) DO UPDATE SET wide = chat_pins.wide \
        RETURNING id, message_id, result, connection_id, definition, wide, created_at";
    let row = on!(conn, |c| {
        let put = sqlx::query_as::<_, Row>(SQL).bind(new.id).bind(shelf.workspace).bind(shelf.user).bind(place.name());
        let put = put.bind(new.message).bind(new.result).bind(new.connection).bind(Json(&new.definition));
        put.bind(new.wide).bind(new.created_at).fetch_one(c).await
    })?;
    Ok(pin(row))
}

/// Lets go of a pin of a user; whether it was there.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, shelf: Shelf, id: PinId) -> Result<bool> {
    const SQL: &str = "DELETE FROM chat_pins WHERE id = $1 AND workspace_id = $2 AND user_id = $3";
    let done = on!(conn, |c| {
        let delete = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user);
        delete.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}

/// Puts a pin of a user's canvas at a position; whether it was there.
///
/// # Errors
/// The store is away.
pub async fn place(conn: &mut Conn<'_>, shelf: Shelf, id: PinId, position: i64, wide: bool) -> Result<bool> {
    const SQL: &str = "UPDATE chat_pins SET position = $4, wide = $5 \
        WHERE id = $1 AND workspace_id = $2 AND user_id = $3 AND place = 'canvas'";
    let done = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user).bind(position).bind(wide);
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}
