//! Saved views in the store.

use super::{Draft, Shelf};
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
use inlay_contract::{
    ids::{DashboardId, ProjectUserId, SavedViewId},
    page::{Filters, SavedView},
};
use sqlx::types::Json;

row! {
    /// A saved view.
    pub(crate) struct SavedViewRow in "saved_views" {
        id: SavedViewId,
        user_id: ProjectUserId,
        dashboard_id: DashboardId,
        name: String,
        filters: Json<Filters>,
        is_default: bool,
    }
}

row! {
    /// A saved view, as its user reads it.
    struct OwnView of SavedViewRow {
        id: SavedViewId,
        name: String,
        filters: Json<Filters>,
        is_default: bool,
    }
}

/// A user's views of a dashboard, in no order.
pub async fn list(conn: &mut Conn<'_>, shelf: Shelf) -> Result<Vec<SavedView>> {
    const SQL: &str = sql!("SELECT ", columns!(OwnView), " FROM saved_views WHERE user_id = $1 AND dashboard_id = $2");
    let Shelf { user, dashboard } = shelf;
    let rows = on!(conn, |c| sqlx::query_as::<_, OwnView>(SQL).bind(user).bind(dashboard).fetch_all(c).await)?;
    let view = |OwnView { id, name, filters, is_default }: OwnView| SavedView { id, name, filters: filters.0, is_default };
    Ok(rows.into_iter().map(view).collect())
}

/// The number of a user's views of a dashboard with other names than this one.
pub async fn count_others(conn: &mut Conn<'_>, shelf: Shelf, name: &str) -> Result<usize> {
    const SQL: &str = "SELECT COUNT(*) FROM saved_views WHERE user_id = $1 AND dashboard_id = $2 AND name <> $3";
    let count: i64 =
        on!(conn, |c| sqlx::query_scalar(SQL).bind(shelf.user).bind(shelf.dashboard).bind(name).fetch_one(c).await)?;
    Ok(usize::try_from(count).unwrap_or_default())
}

/// Leaves a user's dashboard without a default view.
pub async fn clear_default(conn: &mut Conn<'_>, shelf: Shelf) -> Result<()> {
    const SQL: &str =
        "UPDATE saved_views SET is_default = FALSE WHERE user_id = $1 AND dashboard_id = $2 AND is_default = TRUE";
    on!(conn, |c| sqlx::query(SQL).bind(shelf.user).bind(shelf.dashboard).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores a view, in place of the one of that name.
pub async fn put(conn: &mut Conn<'_>, shelf: Shelf, draft: Draft) -> Result<()> {
    const SQL: &str = sql!(
        inserts!(SavedViewRow),
        " ON CONFLICT (user_id, dashboard_id, name) DO UPDATE SET filters = excluded.filters, is_default = excluded.is_default"
    );
    let row = SavedViewRow {
        id: SavedViewId::generate(),
        user_id: shelf.user,
        dashboard_id: shelf.dashboard,
        name: draft.name,
        filters: Json(draft.filters),
        is_default: draft.is_default,
    };
    on!(conn, |c| rows::query(SQL, row).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a view. Returns whether the user had it for this dashboard.
pub async fn delete(conn: &mut Conn<'_>, shelf: Shelf, id: SavedViewId) -> Result<bool> {
    const SQL: &str = "DELETE FROM saved_views WHERE id = $1 AND user_id = $2 AND dashboard_id = $3";
    let deleted = on!(conn, |c| {
        let delete = sqlx::query(SQL).bind(id).bind(shelf.user).bind(shelf.dashboard);
        delete.execute(c).await.map(|done| done.rows_affected())
    });
    Ok(deleted? == 1)
}

/// Moves the views of a shared dashboard that will be deleted to the copies of their users, where they have one.
pub async fn move_to_copies(conn: &mut Conn<'_>, shared: DashboardId) -> Result<()> {
    const SQL: &str = "UPDATE saved_views SET dashboard_id = (SELECT c.id FROM dashboards c \
        WHERE c.owner_id = saved_views.user_id AND c.replaces_id = saved_views.dashboard_id) \
        WHERE dashboard_id = $1 AND EXISTS (SELECT 1 FROM dashboards c \
        WHERE c.owner_id = saved_views.user_id AND c.replaces_id = saved_views.dashboard_id)";
    on!(conn, |c| sqlx::query(SQL).bind(shared).execute(c).await.map(drop))?;
    Ok(())
}
