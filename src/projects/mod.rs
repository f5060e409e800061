//! Projects: the scope of customers, roles, connections and applications.

pub mod store;

use crate::{
    error::{Error, Kind, Result},
    state::App,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use std::sync::Arc;

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// Its name.
    pub name: String,
    /// The origins whose pages may frame its embeds; any when there is none.
    pub allowed_origins: Vec<String>,
    /// IANA name; the zone of days where the address names none.
    pub timezone: String,
    /// BCP 47; for numbers and dates where the address names none.
    pub locale: String,
}

/// A project of an organization.
///
/// # Errors
/// 404 `PROJECT_NOT_FOUND` when there is none, or it is another organization's.
pub async fn of_organization(app: &App, organization: OrganizationId, id: ProjectId) -> Result<Arc<Project>> {
    let found = by_id(app, id).await?;
    found.filter(|project| project.organization == organization).ok_or_else(|| {
        Error::new(Kind::NotFound, "PROJECT_NOT_FOUND", "Project not found or does not belong to this organization")
    })
}

/// A project of an organization by its id, or the only one that the organization has.
///
/// # Errors
/// 404 `PROJECT_NOT_FOUND`; 400 when none is named and there are several.
pub async fn named_or_only(app: &App, organization: OrganizationId, id: Option<ProjectId>) -> Result<Arc<Project>> {
    if let Some(id) = id {
        return of_organization(app, organization, id).await;
    }
    let all = store::of_organization(&mut app.db.read().await?.conn(), organization).await?;
    match all.as_slice() {
        [only] => of_organization(app, organization, *only).await,
        _ => Err(Error::invalid("projectId", "is required when the organization does not have exactly one project")),
    }
}

/// A project by its id alone, for callers whose token names it.
///
/// # Errors
/// The store is away.
pub async fn by_id(app: &App, id: ProjectId) -> Result<Option<Arc<Project>>> {
    let version = app.known().version;
    app.projects.get(version, id, async || store::find(&mut app.db.read().await?.conn(), id).await).await
}
