//! Deletes a project with everything in it. The audit log stays, and so does the model usage that counts for the organization's
//! days. Tokens of the project are refused from then on: [`crate::concepts::access`] checks the token's project.

mod store;

#[cfg(test)]
mod tests;

use crate::{
    concepts::{
        organizations::members::{Administers, Member, Reads},
        projects::Project,
        usage::{Usage, manage::Period},
    },
    ground::{
        audit::{self, Deed},
        error::{Error, Kind, Result},
        state::App,
    },
};
use inlay_contract::ids::ProjectId;
use std::sync::Arc;

/// How often a deletion is retried after a deadlock with another writer of the project.
const ATTEMPTS: u32 = 3;

/// The number of days for which usage is shown.
pub const DAYS: u64 = 30;

/// The number of objects in a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Held {
    /// Connections.
    pub connections: i64,
    /// Listed tables of these connections.
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
    /// The numbers of objects that members create: if one changes, somebody else is working on the project.
    pub const fn made_by_members(&self) -> [i64; 7] {
        let Self { connections, tables, roles, applications, dashboards, workspaces, webhooks, .. } = *self;
        [connections, tables, roles, applications, dashboards, workspaces, webhooks]
    }
}

/// The usage of a project in the last [`DAYS`] days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Lately {
    /// How often dashboards were opened.
    pub opened: i64,
    /// The number of customers who opened one.
    pub customers: i64,
    /// The number of chat questions.
    pub questions: i64,
}

/// A project, and what is deleted with it.
#[derive(Clone, Debug)]
pub struct Leaving {
    /// The project.
    pub project: Arc<Project>,
    /// Its objects.
    pub held: Held,
    /// Its usage.
    pub lately: Lately,
}

/// The objects that are deleted with a project.
///
/// # Errors
/// 404 for a project of another organization.
pub async fn look(app: &App, by: &Member<impl Administers>, id: ProjectId) -> Result<Leaving> {
    let project = crate::concepts::projects::of_organization(app, by.organization, id).await?;
    // Store this node's counts first, so that they are included.
    app.part::<Usage>().write_down(app).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let held = store::held(conn, id).await?;
    Ok(Leaving { project, held, lately: store::lately(conn, id, &Period::of(DAYS).first()).await? })
}

/// Deletes a project with everything in it. `name` is the confirmation that the caller typed.
///
/// # Errors
/// 400 on `confirm` when the name differs, 404 `PROJECT_NOT_FOUND` for a project that does not exist or belongs to another organization.
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
    // A project may hold millions of users.
    tx.take_time().await?;
    let conn = &mut tx.conn();
    crate::concepts::projects::lock(conn, id).await?;
    let found = crate::concepts::projects::find(conn, id).await?.filter(|project| project.organization == by.organization);
    let project = found.ok_or_else(crate::concepts::projects::unknown)?;
    if project.name != name {
        return Err(Error::invalid("confirm", format!("does not match the project's name: type {}", project.name)));
    }
    let held = store::held(conn, id).await?;
    store::delete(conn, project.organization, id).await?;
    let deed = Deed::new("project.deleted", id.0).in_project(id).named(&project.name);
    let deed = deed.with("dashboards", held.dashboards + held.own_dashboards).with("customers", held.customers);
    audit::record(conn, &by.actor(), deed.with("users", held.users)).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The organization's deleted projects and their names, newest deletion first.
pub async fn all_deleted(app: &App, by: &Member<impl Reads>, most: i64) -> Result<Vec<(ProjectId, String)>> {
    store::all_deleted(&mut app.db.read().await?.conn(), by.organization, most).await
}

/// The name of a project that the organization has deleted.
pub async fn deleted(app: &App, by: &Member<impl Administers>, id: ProjectId) -> Result<Option<String>> {
    store::deleted(&mut app.db.read().await?.conn(), by.organization, id).await
}
