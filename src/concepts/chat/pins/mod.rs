//! Charts of answers that a user saved: favourites, and the canvas on which they are arranged. A pin holds a chart's definition
//! and no rows; its rows are read again, with the current row rules.

pub(in crate::concepts::chat) mod store;

#[cfg(test)]
pub(crate) use store::PinRow;

use super::{
    OpenWorkspace,
    store::{Shelf, find_message},
    threads::{own_shelf, shelf},
};
use crate::{
    concepts::{access::Viewer, customers},
    ground::{
        error::{Error, Result},
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_assistant::conversation::GENERATE_CHART;
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ConnectionId, MessageId, PinId, WorkspaceId},
};
use inlay_query::Answered;
use serde::Deserialize;

/// The maximum number of a user's pins in one place of a workspace.
const MOST_PINS: i64 = 100;

/// Where a chart is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PinCollection {
    /// Among the favourites.
    Favorites,
    /// On the canvas.
    Canvas,
}

impl PinCollection {
    /// Its name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Favorites => "favorites",
            Self::Canvas => "canvas",
        }
    }
}

/// A saved chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Its id.
    pub id: PinId,
    /// The answer that it came from, which may be deleted.
    pub message: MessageId,
    /// The index of the answer's result, from 0.
    pub result: i64,
    /// The connection that its query runs on.
    pub connection: ConnectionId,
    /// Its query and how it is drawn.
    pub definition: ChartDefinition,
    /// Its position among those of its place.
    pub position: i64,
    /// Whether it takes the full width of the canvas.
    pub wide: bool,
    /// When it was saved.
    pub created_at: Timestamp,
}

/// The position of a chart in an answer.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The answer.
    pub message: MessageId,
    /// The index of its result, from 0.
    pub result: usize,
}

/// A chart of one of the viewer's answers, with its SQL, which the page never sees.
///
/// # Errors
/// 404 for a workspace, answer or chart out of reach; 409 when the workspace is not in production.
pub async fn chart(app: &App, open_workspace: &OpenWorkspace, viewer: &Viewer, source: Source) -> Result<ChartDefinition> {
    let mut lease = app.db.read().await?;
    let shelf = Shelf { workspace: open_workspace.workspace.id, user: viewer.user };
    let message = find_message(&mut lease.conn(), shelf, source.message).await?;
    let result = message.as_ref().and_then(|message| message.results.get(source.result));
    let config = result.filter(|result| result.tool_name == GENERATE_CHART).map(|result| &result.result["chartConfig"]);
    config.and_then(|config| ChartDefinition::deserialize(config).ok()).ok_or_else(|| Error::not_found("Chart"))
}

/// The viewer's pins in a place, in order.
///
/// # Errors
/// 404 for a workspace out of reach.
pub async fn list(app: &App, viewer: &Viewer, workspace: WorkspaceId, place: PinCollection) -> Result<Vec<Pin>> {
    list_in(&mut app.db.read().await?.conn(), viewer, workspace, place).await
}

/// The same within the caller's transaction.
pub async fn list_in(conn: &mut Conn<'_>, viewer: &Viewer, workspace: WorkspaceId, place: PinCollection) -> Result<Vec<Pin>> {
    let shelf = shelf(conn, viewer, workspace).await?;
    store::list(conn, shelf, place).await
}

/// Saves a chart of one of the viewer's answers. Saving it again changes nothing.
///
/// # Errors
/// 404 for an answer or chart out of reach, 400 when the place is full.
pub async fn add(
    app: &App,
    viewer: &Viewer,
    open_workspace: &OpenWorkspace,
    place: PinCollection,
    source: Source,
) -> Result<Pin> {
    viewer.acting().may_change()?;
    let definition = chart(app, open_workspace, viewer, source).await?;
    let shelf = Shelf { workspace: open_workspace.workspace.id, user: viewer.user };
    let pin = Pin {
        id: PinId::generate(),
        message: source.message,
        result: i64::try_from(source.result).map_err(Error::internal)?,
        connection: open_workspace.data_scope.connection.source.id,
        definition,
        position: 0,
        wide: false,
        created_at: Timestamp::now(),
    };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    customers::lock_user(conn, viewer.user).await?;
    let count = store::list(conn, shelf, place).await?.len();
    if i64::try_from(count).is_ok_and(|count| count >= MOST_PINS) {
        return Err(Error::invalid("message", format!("cannot be saved: the limit of {MOST_PINS} charts is reached")));
    }
    let pin = store::put(conn, shelf, place, pin).await?;
    tx.commit().await?;
    Ok(pin)
}

/// Deletes one of the viewer's pins.
///
/// # Errors
/// 404 for a workspace or pin out of reach.
pub async fn remove(app: &App, viewer: &Viewer, workspace: WorkspaceId, id: PinId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let shelf = own_shelf(conn, viewer, workspace).await?;
    if !store::delete(conn, shelf, id).await? {
        return Err(Error::not_found("Favorite"));
    }
    tx.commit().await
}

/// Arranges the viewer's canvas: the order of its charts, and which are wide. Pins that are not listed stay at the end.
///
/// # Errors
/// 404 for a workspace or pin out of reach.
pub async fn arrange(app: &App, viewer: &Viewer, workspace: WorkspaceId, order: &[(PinId, bool)]) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let shelf = own_shelf(conn, viewer, workspace).await?;
    for (position, (id, wide)) in (0_i64..).zip(order) {
        if !store::place(conn, shelf, *id, position, *wide).await? {
            return Err(Error::not_found("Chart"));
        }
    }
    tx.commit().await
}

/// The rows of a pin that its viewer may see now. A pin of another connection than the workspace's is not found.
///
/// # Errors
/// 404 for another connection; 422, 503 or 504 for a query that fails. The message reveals nothing of the database.
pub async fn rows(app: &App, open_workspace: &OpenWorkspace, pin: &Pin) -> Result<Answered> {
    if pin.connection != open_workspace.data_scope.connection.source.id {
        return Err(Error::not_found("Chart"));
    }
    open_workspace.data_scope.chart_rows(app, &pin.definition).await
}
