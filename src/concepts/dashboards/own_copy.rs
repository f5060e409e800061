//! A user's own copy of a shared dashboard, and the way back from it.

use super::{
    store,
    writer::Writer,
    writes::{self, DashboardRef},
};
use crate::ground::{
    audit::{self, Actor, Deed},
    error::{Error, Result},
    state::App,
};
use inlay_contract::ids::DashboardId;

/// Deletes a user's own copy of a shared dashboard, which takes its place in their list again. Reports on the copy go with it.
/// Returns the shared dashboard.
///
/// # Errors
/// 404 for the dashboard, or if it replaces no shared one; 403 as for a save, `VIEWING_AS`.
pub async fn give_up(app: &App, actor: &Actor, writer: &Writer, target: DashboardRef) -> Result<DashboardId> {
    actor.who.may_change()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let (application, copy) = writes::find(conn, writer, target).await?;
    writer.require_editing(conn).await?;
    writer.require_own(&copy)?;
    let shared = copy.replaces.ok_or_else(|| Error::not_found("Shared dashboard"))?;
    store::move_default(conn, copy.id, shared).await?;
    store::delete(conn, copy.id).await?;
    // Webhooks report creations and changes only.
    let deed = Deed::new("dashboard.deleted", copy.id.0).in_project(application.project).named(&copy.name);
    audit::record(conn, actor, deed.with("applicationId", application.id.to_string())).await?;
    tx.commit().await?;
    Ok(shared)
}
