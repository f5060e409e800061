//! The audit log: who did what to which resource, when, and from where. A line is written in the transaction that makes the
//! change, so there is none without the other. Lines hold ids and names, never secrets, tokens or property values.

pub mod store;

#[cfg(test)]
mod tests;

use crate::ground::{
    error::{Code, Error, Result},
    store::Conn,
    time::Timestamp,
    web::origin::Origin,
};
use inlay_contract::ids::{ApiKeyId, MemberId, OrganizationId, ProjectId, ProjectUserId, TenantId};
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// A host's backend with an API key.
    Key(ApiKeyId),
    /// A member of the organization.
    Member(MemberId),
    /// A project user.
    User(ProjectUserId),
    /// A member who looks at what a project user sees; changes nothing.
    Viewing(MemberId),
    /// A v1 tenant.
    Tenant(TenantId),
    /// Whoever runs the command line beside the store.
    Operator,
}

impl Who {
    /// What kind that is, as the log names it.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Key(_) => "apiKey",
            Self::Member(_) | Self::Viewing(_) => "member",
            Self::User(_) => "projectUser",
            Self::Tenant(_) => "tenant",
            Self::Operator => "operator",
        }
    }

    /// Its id, if it has one.
    pub const fn id(self) -> Option<Uuid> {
        match self {
            Self::Key(id) => Some(id.0),
            Self::Member(id) | Self::Viewing(id) => Some(id.0),
            Self::User(id) => Some(id.0),
            Self::Tenant(id) => Some(id.0),
            Self::Operator => None,
        }
    }
}

impl Who {
    /// Refuses changes by who only looks.
    ///
    /// # Errors
    /// 403 `VIEWING_AS`.
    pub fn may_change(self) -> Result<()> {
        if !matches!(self, Self::Viewing(_)) {
            return Ok(());
        }
        Err(Error::new(Code::ViewingAs, "You are looking at what somebody else sees. Nothing can be changed in their name."))
    }
}

/// Who acts, for which organization, and from where.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Who.
    pub who: Who,
    /// The organization whose log this concerns.
    pub organization: OrganizationId,
    /// From where.
    pub origin: Origin,
}

impl Actor {
    /// The command line.
    pub fn operator(organization: OrganizationId) -> Self {
        let origin = Origin { address: Some("command line".to_owned()), request: None };
        Self { who: Who::Operator, organization, origin }
    }
}

/// What was done to which resource.
#[derive(Debug)]
pub struct Deed<'a> {
    /// What was done: `<resource>.<verb>`, as in `userRole.created`.
    pub action: &'static str,
    /// The project that it happened in, if in one.
    pub project: Option<ProjectId>,
    /// The resource.
    pub resource: Uuid,
    /// Its name, where it has one.
    pub name: Option<&'a str>,
    /// What else is worth keeping; never secrets, tokens or property values.
    pub details: Map<String, Value>,
}

impl<'a> Deed<'a> {
    /// Something done to a resource.
    pub fn new(action: &'static str, resource: Uuid) -> Self {
        Self { action, project: None, resource, name: None, details: Map::new() }
    }

    /// In a project.
    #[must_use]
    pub fn in_project(mut self, project: ProjectId) -> Self {
        self.project = Some(project);
        self
    }

    /// To a resource of a name.
    #[must_use]
    pub fn named(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// With something else worth keeping.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its id.
    pub id: Uuid,
    /// When it happened.
    pub at: Timestamp,
    /// What kind of caller acted.
    pub actor_kind: String,
    /// Which one.
    pub actor_id: Option<Uuid>,
    /// What it is called now: a member's address, an API key's name, a user's external id, a tenant's key.
    pub actor_name: Option<String>,
    /// What was done.
    pub action: String,
    /// The project.
    pub project_id: Option<ProjectId>,
    /// The resource.
    pub resource_id: Uuid,
    /// The resource's name then.
    pub resource_name: Option<String>,
    /// What else was kept.
    pub details: Map<String, Value>,
    /// The client's address.
    pub address: Option<String>,
    /// The request, as `x-request-id` named it.
    pub request_id: Option<String>,
}

/// Writes a line, as part of the transaction that makes the change.
///
/// # Errors
/// 403 `VIEWING_AS` for a member who only looks at what a user sees: what they would change is rolled back. The store is away.
pub async fn record(conn: &mut Conn<'_>, actor: &Actor, deed: Deed<'_>) -> Result<()> {
    actor.who.may_change()?;
    store::insert(conn, actor, &deed).await
}
