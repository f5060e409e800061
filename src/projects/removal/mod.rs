//! Deleting a project, with everything that stands in it. What is kept is the audit log, and what its questions took of the
//! organization's days. Whoever still holds a token of it is refused from then on: [`crate::access`] asks for the token's project.

mod store;

#[cfg(test)]
mod tests;

use super::Project;
use crate::{
    audit::{self, Deed},
    error::{Error, Kind, Result},
    organizations::members::{Administers, Member, Reads},
    state::App,
    usage::manage::Period,
};
use inlay_contract::ids::ProjectId;
use std::sync::Arc;

/// How often a deletion begins anew when it and somebody at work in the project wait for each other.
const ATTEMPTS: u32 = 3;

/// How many days back are told of.
pub const DAYS: u64 = 30;

/// How much a project holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Held {
    /// Connections.
    pub connections: i64,
    /// Tables listed of them.
    pub tables: i64,
    /// Roles.
    pub roles: i64,
    /// Charts, in the library and on dashboards.
    pub charts: i64,
    /// Applications.
    pub applications: i64,
    /// Shared dashboards.
    pub dashboards: i64,
    /// Dashboards of users and tenants.
    pub own_dashboards: i64,
    /// Workspaces.
    pub workspaces: i64,
    /// Conversations in them.
    pub threads: i64,
    /// Scheduled reports and alerts.
    pub reports: i64,
    /// Customers.
    pub customers: i64,
    /// Users.
    pub users: i64,
    /// Tenants of v1.
    pub tenants: i64,
    /// Webhooks.
    pub webhooks: i64,
}

impl Held {
    /// Those that members make: when one of them changes, somebody else is at work in the project.
    pub const fn made_by_members(&self) -> [i64; 7] {
        let Self { connections, tables, roles, applications, dashboards, workspaces, webhooks, .. } = *self;
        [connections, tables, roles, applications, dashboards, workspaces, webhooks]
    }
}

/// How much a project was used in the last [`DAYS`] days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Lately {
    /// How often dashboards were opened.
    pub opened: i64,
    /// For how many customers.
    pub customers: i64,
    /// How many questions were asked.
    pub questions: i64,
}

/// A project with what goes when it goes.
#[derive(Clone, Debug)]
pub struct Leaving {
    /// The project.
    pub project: Arc<Project>,
    /// What it holds.
    pub held: Held,
    /// How much it was used.
    pub lately: Lately,
}

/// What goes with a project.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn look(app: &App, by: &Member<impl Administers>, id: ProjectId) -> Result<Leaving> {
    let project = super::of_organization(app, by.organization, id).await?;
    // What was counted on this node until now is told, too.
    app.usage.write_down(app).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let held = store::held(conn, id).await?;
    Ok(Leaving { project, held, lately: store::lately(conn, id, &Period::of(DAYS).first()).await? })
}

/// Deletes a project with everything in it. `name` is what whoever deletes it takes it to be called.
///
/// # Errors
///
/// 400 on `confirm` when it is called otherwise, 404 `PROJECT_NOT_FOUND` for one of another organization or none.
pub async fn remove(app: &App, by: &Member<impl Administers>, id: ProjectId, name: &str) -> Result<()> {
    let mut attempts = 1;
    loop {
        match attempt(app, by, id, name).await {
            Err(problem) if problem.kind() == Kind::Unavailable && attempts < ATTEMPTS => attempts += 1,
            ended => return ended,
        }
    }
}

async fn attempt(app: &App, by: &Member<impl Administers>, id: ProjectId, name: &str) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::lock(conn, id).await?;
    let found = super::store::find(conn, id).await?.filter(|project| project.organization == by.organization);
    let project = found.ok_or_else(super::unknown)?;
    if project.name != name {
        return Err(Error::invalid("confirm", format!("is not its name: type {}", project.name)));
    }
    let held = store::held(conn, id).await?;
    store::delete(conn, project.organization, id).await?;
    let deed = Deed::new("project.deleted", id.0).in_project(id).named(&project.name);
    let deed = deed.with("dashboards", held.dashboards + held.own_dashboards).with("customers", held.customers);
    audit::record(conn, &by.actor(), deed.with("users", held.users)).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The projects that the organization has deleted and what they were called, the newest deletion first.
pub async fn all_deleted(app: &App, by: &Member<impl Reads>, most: i64) -> Result<Vec<(ProjectId, String)>> {
    store::all_deleted(&mut app.db.read().await?.conn(), by.organization, most).await
}

/// What a project was called that the organization has deleted.
pub async fn deleted(app: &App, by: &Member<impl Administers>, id: ProjectId) -> Result<Option<String>> {
    store::deleted(&mut app.db.read().await?.conn(), by.organization, id).await
}
