//! A viewer's saved views of a dashboard. A copy of a shared dashboard has the views of the shared one, so that its owner keeps
//! them when they make the copy and when they give it up.

use super::Opened;
use crate::{
    concepts::{
        access::Viewer,
        customers,
        dashboards::{
            Dashboard, filters,
            writer::Writer,
            writes::{self, DashboardRef},
        },
        saved_views::{self, Draft, Shelf},
    },
    ground::{
        error::Result,
        state::App,
        store::{Conn, Tx},
    },
};
use inlay_app::calls::embed::{DeleteView, SaveView};
use inlay_contract::{page::SavedView, permissions::Flag};

/// A viewer's views of a dashboard, by name, without the filters that it no longer has. Empty for a role that hides the filters:
/// such a viewer could not leave a view.
pub async fn of_viewer(app: &App, viewer: &Viewer, dashboard: &Dashboard) -> Result<Vec<SavedView>> {
    if viewer.permissions.allows(Flag::HideFilters) {
        return Ok(Vec::new());
    }
    listed(&mut app.db.read().await?.conn(), viewer, dashboard).await
}

/// Saves a view of a dashboard. Returns all of the viewer's views of it.
///
/// # Errors
/// 404 for the dashboard; 403 `VIEWING_AS`; 400 for a name or filter that is not valid, and for one view too many.
pub async fn save(app: &App, opened: &Opened, request: SaveView) -> Result<Vec<SavedView>> {
    opened.viewer.acting().may_change()?;
    let dashboard = opened.dashboard(app, request.target.dashboard).await?;
    let is_known = |key: &str| filters::column_path(&dashboard.filters, key).is_some();
    let draft = Draft::checked(&request.name, request.filters, request.is_default, is_known)?;
    let (mut tx, dashboard) = begin(app, opened, &dashboard).await?;
    saved_views::save(&mut tx.conn(), shelf(&opened.viewer, &dashboard), draft).await?;
    end(tx, opened, &dashboard).await
}

/// Deletes a view of a dashboard. Returns the viewer's other views of it.
///
/// # Errors
/// 404 for the dashboard, and for a view that is not the viewer's or of another dashboard; 403 `VIEWING_AS`.
pub async fn delete(app: &App, opened: &Opened, request: &DeleteView) -> Result<Vec<SavedView>> {
    opened.viewer.acting().may_change()?;
    let dashboard = opened.dashboard(app, request.target.dashboard).await?;
    let (mut tx, dashboard) = begin(app, opened, &dashboard).await?;
    saved_views::delete(&mut tx.conn(), shelf(&opened.viewer, &dashboard), request.view).await?;
    end(tx, opened, &dashboard).await
}

/// Begins a change of a viewer's views: no other change of them until it ends. Returns the dashboard as it is now.
async fn begin(app: &App, opened: &Opened, dashboard: &Dashboard) -> Result<(Tx, Dashboard)> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    customers::lock_user(conn, opened.viewer.user).await?;
    let named = DashboardRef { application: Some(opened.application.id), dashboard: dashboard.id };
    let (_, dashboard) = writes::find(conn, &Writer::page(&opened.viewer), named).await?;
    Ok((tx, dashboard))
}

/// Ends a change. Returns the viewer's views of the dashboard.
async fn end(mut tx: Tx, opened: &Opened, dashboard: &Dashboard) -> Result<Vec<SavedView>> {
    let views = listed(&mut tx.conn(), &opened.viewer, dashboard).await?;
    tx.commit().await?;
    Ok(views)
}

async fn listed(conn: &mut Conn<'_>, viewer: &Viewer, dashboard: &Dashboard) -> Result<Vec<SavedView>> {
    let views = saved_views::list(conn, shelf(viewer, dashboard)).await?;
    let known = |view: SavedView| SavedView { filters: filters::known(dashboard, view.filters), ..view };
    Ok(views.into_iter().map(known).collect())
}

/// Where a viewer's views of a dashboard are stored.
fn shelf(viewer: &Viewer, dashboard: &Dashboard) -> Shelf {
    let shared = dashboard.replaces.filter(|_| Writer::page(viewer).owns(dashboard));
    Shelf { user: viewer.user, dashboard: shared.unwrap_or(dashboard.id) }
}
