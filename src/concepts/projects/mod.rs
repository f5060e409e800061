//! Projects: the scope of customers, roles, connections and applications.

pub mod framing;
mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::ProjectRow;
pub use store::{counts, find, find_by_name, lock, put, set_metrics};

use crate::{
    concepts::organizations::members::{Member, Works, lock_organization},
    ground::{
        audit::{self, Deed},
        checks::{is_name, taken},
        error::{Code, Error, Result},
        problems::Problems,
        remembered::{Kept, Remembered},
        state::App,
        store::{
            Conn,
            version::{self, Scope},
        },
    },
};
use inlay_contract::{
    ids::{OrganizationId, ProjectId},
    model::Metric,
};
use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

/// A project.
#[derive(Clone, Debug)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// Its name.
    pub name: String,
    /// The origins whose pages may frame its embeds. Any origin if the list is empty.
    pub allowed_origins: Vec<String>,
    /// IANA time zone, used when the address names none.
    pub timezone: String,
    /// BCP 47 language tag for numbers and dates, used when the address names none.
    pub locale: String,
    /// Numbers made of its tables' measures, by name.
    pub metrics: BTreeMap<String, Metric>,
}

impl Kept for Project {
    const MOST: u64 = 10_000;

    fn scopes(&self) -> Vec<Scope> {
        vec![self.organization.into()]
    }
}

/// A project of an organization.
///
/// # Errors
/// 404 `PROJECT_NOT_FOUND` when there is none, or it is another organization's.
pub async fn of_organization(app: &App, organization: OrganizationId, id: ProjectId) -> Result<Arc<Project>> {
    let found = by_id(app, id).await?;
    found.filter(|project| project.organization == organization).ok_or_else(unknown)
}

/// 404 for a project that does not exist or belongs to another organization; also when an object disappears within a
/// transaction because its project is deleted at the same time.
pub fn unknown() -> Error {
    Error::new(Code::ProjectNotFound, "Project not found or does not belong to this organization")
}

/// A project of an organization by its id, or the organization's only project.
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

/// The error of adding something to a project: 404 `PROJECT_NOT_FOUND` when the project was just deleted.
pub fn adding(fault: sqlx::Error) -> Error {
    if fault.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation) {
        return unknown().with_context(fault);
    }
    fault.into()
}

/// A project by its id only, for callers whose token names it.
pub async fn by_id(app: &App, id: ProjectId) -> Result<Option<Arc<Project>>> {
    app.part::<Remembered<ProjectId, Project>>()
        .get(app, id, async || store::find(&mut app.db.read().await?.conn(), id).await)
        .await
}

/// The projects of an organization, oldest first.
pub async fn list(app: &App, organization: OrganizationId) -> Result<Vec<Project>> {
    store::list(&mut app.db.read().await?.conn(), organization).await
}

/// The settings of a project.
#[derive(Clone, Debug)]
pub struct ProjectSettings {
    /// Unique within the organization.
    pub name: String,
    /// The origins whose pages may frame its embeds. Any origin if the list is empty.
    pub allowed_origins: Vec<String>,
    /// IANA time zone.
    pub timezone: String,
    /// BCP 47 language tag.
    pub locale: String,
}

impl ProjectSettings {
    /// Checks the settings and removes duplicate origins.
    ///
    /// # Errors
    /// 400 with each invalid field.
    fn checked(mut self) -> Result<Self> {
        let mut problems = Problems::default();
        problems.note("name", is_name(&self.name));
        problems.note("allowedOrigins", self.allowed_origins.iter().try_for_each(|origin| is_origin(origin)));
        problems.note("timezone", is_timezone(&self.timezone));
        let plain = |locale: &str| locale.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        let locale = (1..=35).contains(&self.locale.len()) && plain(&self.locale);
        problems
            .note("locale", if locale { Ok(()) } else { Err("is not a language tag; write one like en or de-CH".to_owned()) });
        problems.finish()?;
        let mut met = HashSet::new();
        self.allowed_origins.retain(|origin| met.insert(origin.clone()));
        Ok(self)
    }
}

/// Checks an origin: scheme, host and port only.
pub fn is_origin(text: &str) -> Result<(), String> {
    let url = url::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    if url.is_some_and(|url| url.origin().ascii_serialization() == text) {
        return Ok(());
    }
    Err(format!("`{text}` is not an origin; write only scheme, host and port, for example https://host.example"))
}

/// Checks the name of a time zone.
pub fn is_timezone(text: &str) -> Result<(), String> {
    let known = text.parse::<chrono_tz::Tz>().is_ok();
    if known { Ok(()) } else { Err(format!("`{text}` is not a time zone; write one like Europe/Berlin")) }
}

/// Creates a project.
///
/// # Errors
/// 400 with each invalid field, 409 `PROJECT_NAME_TAKEN`.
pub async fn create(app: &App, by: &Member<impl Works>, settings: ProjectSettings) -> Result<ProjectId> {
    let settings = settings.checked()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    lock_organization(conn, by.organization).await?;
    name_is_free(conn, by.organization, &settings.name, None).await?;
    let ProjectSettings { name, allowed_origins, timezone, locale } = settings;
    let metrics = BTreeMap::new();
    let project =
        Project { id: ProjectId::generate(), organization: by.organization, name, allowed_origins, timezone, locale, metrics };
    let id = store::put(conn, &project).await?;
    audit::record(conn, &by.actor(), Deed::new("project.created", id.0).in_project(id).named(&project.name)).await?;
    tx.commit().await?;
    app.refresh().await?;
    Ok(id)
}

/// Changes a project.
///
/// # Errors
/// As [`create`]; 404 for a project of another organization.
pub async fn change(app: &App, by: &Member<impl Works>, id: ProjectId, settings: ProjectSettings) -> Result<()> {
    let settings = settings.checked()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    lock_organization(conn, by.organization).await?;
    let found = store::find(conn, id).await?.filter(|project| project.organization == by.organization);
    let old = found.ok_or_else(|| Error::not_found("Project"))?;
    name_is_free(conn, by.organization, &settings.name, Some(id)).await?;
    let ProjectSettings { name, allowed_origins, timezone, locale } = settings;
    let new = Project { name, allowed_origins, timezone, locale, ..old };
    store::update(conn, &new).await?;
    audit::record(conn, &by.actor(), Deed::new("project.changed", id.0).in_project(id).named(&new.name)).await?;
    version::bump(conn, &[by.organization.into()]).await?;
    tx.commit().await?;
    app.refresh().await
}

async fn name_is_free(conn: &mut Conn<'_>, organization: OrganizationId, name: &str, own: Option<ProjectId>) -> Result<()> {
    match store::find_by_name(conn, organization, name).await? {
        Some(other) if Some(other) != own => {
            let told = format!("A project named `{name}` already exists in this organization. Choose another name.");
            Err(taken(Code::ProjectNameTaken, told))
        }
        _ => Ok(()),
    }
}
