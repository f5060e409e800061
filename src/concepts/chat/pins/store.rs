//! Pins in the store. Every lookup takes the user, so that another user's pins are not found.

use super::{Pin, PinCollection};
use crate::{
    concepts::chat::store::Shelf,
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
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ConnectionId, MessageId, PinId, ProjectUserId, WorkspaceId},
};
use sqlx::types::Json;

row! {
    /// A chart that a user keeps.
    pub(crate) struct PinRow in "chat_pins" {
        id: PinId,
        workspace_id: WorkspaceId,
        user_id: ProjectUserId,
        place: String,
        message_id: MessageId,
        result: i64,
        connection_id: ConnectionId,
        definition: Json<ChartDefinition>,
        position: i64,
        wide: bool,
        created_at: Timestamp,
    }
}

impl From<PinRow> for Pin {
    fn from(row: PinRow) -> Self {
        Self {
            id: row.id,
            message: row.message_id,
            result: row.result,
            connection: row.connection_id,
            definition: row.definition.0,
            position: row.position,
            wide: row.wide,
            created_at: row.created_at,
        }
    }
}

/// The pins of a user in a place: the canvas in its order, favourites newest first.
pub async fn list(conn: &mut Conn<'_>, shelf: Shelf, place: PinCollection) -> Result<Vec<Pin>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(PinRow),
        " FROM chat_pins WHERE workspace_id = $1 AND user_id = $2 AND place = $3 ORDER BY position, id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, PinRow>(SQL)
        .bind(shelf.workspace)
        .bind(shelf.user)
        .bind(place.name())
        .fetch_all(c)
        .await)?;
    let mut pins: Vec<Pin> = rows.into_iter().map(Pin::from).collect();
    if place == PinCollection::Favorites {
        pins.reverse();
    }
    Ok(pins)
}

/// Appends a pin to its place, or finds the one of the same chart.
pub async fn put(conn: &mut Conn<'_>, shelf: Shelf, place: PinCollection, new: Pin) -> Result<Pin> {
    const END: &str =
        "SELECT COALESCE(MAX(position), -1) + 1 FROM chat_pins WHERE workspace_id = $1 AND user_id = $2 AND place = $3";
    const SQL: &str = sql!(
        inserts!(PinRow),
        " ON CONFLICT (user_id, place, message_id, result) DO UPDATE SET wide = chat_pins.wide RETURNING ",
        columns!(PinRow)
    );
    let end =
        on!(conn, |c| sqlx::query_scalar(END).bind(shelf.workspace).bind(shelf.user).bind(place.name()).fetch_one(c).await)?;
    let row = PinRow {
        id: new.id,
        workspace_id: shelf.workspace,
        user_id: shelf.user,
        place: place.name().to_owned(),
        message_id: new.message,
        result: new.result,
        connection_id: new.connection,
        definition: Json(new.definition),
        position: end,
        wide: new.wide,
        created_at: new.created_at,
    };
    let kept: PinRow = on!(conn, |c| rows::query_as(SQL, row).fetch_one(c).await)?;
    Ok(Pin::from(kept))
}

/// Deletes a user's pin. Returns whether it existed.
pub async fn delete(conn: &mut Conn<'_>, shelf: Shelf, id: PinId) -> Result<bool> {
    const SQL: &str = "DELETE FROM chat_pins WHERE id = $1 AND workspace_id = $2 AND user_id = $3";
    let done = on!(conn, |c| {
        let delete = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user);
        delete.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}

/// Sets the position of a pin on a user's canvas. Returns whether it exists.
pub async fn place(conn: &mut Conn<'_>, shelf: Shelf, id: PinId, position: i64, wide: bool) -> Result<bool> {
    const SQL: &str = "UPDATE chat_pins SET position = $4, wide = $5 \
        WHERE id = $1 AND workspace_id = $2 AND user_id = $3 AND place = 'canvas'";
    let done = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user).bind(position).bind(wide);
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}
