//! The audit log: who did what to which resource, when, and from where. An event is written in the transaction of the change,
//! so neither exists without the other. Events hold ids and names, never secrets, tokens or property values.

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

/// The identity of an actor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// A host's backend with an API key.
    Key(ApiKeyId),
    /// A member of the organization.
    Member(MemberId),
    /// A project user.
    User(ProjectUserId),
    /// A member who previews what a project user sees, read-only.
    Viewing(MemberId),
    /// A v1 tenant.
    Tenant(TenantId),
    /// The person who runs the command line beside the store.
    Operator,
}

impl Who {
    /// The kind, as the log names it.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Key(_) => "apiKey",
            Self::Member(_) | Self::Viewing(_) => "member",
            Self::User(_) => "projectUser",
            Self::Tenant(_) => "tenant",
            Self::Operator => "operator",
        }
    }

    /// The id, if there is one.
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
    /// Refuses changes by a member who only previews.
    ///
    /// # Errors
    /// 403 `VIEWING_AS`.
    pub fn may_change(self) -> Result<()> {
        if !matches!(self, Self::Viewing(_)) {
            return Ok(());
        }
        Err(Error::new(Code::ViewingAs, "You are previewing as another user. Previews are read-only."))
    }
}

/// An actor: identity, organization and origin.
#[derive(Clone, Debug)]
pub struct Actor {
    /// The identity.
    pub who: Who,
    /// The organization whose log gets the event.
    pub organization: OrganizationId,
    /// The origin of the request.
    pub origin: Origin,
}

impl Actor {
    /// The actor of the command line.
    pub fn operator(organization: OrganizationId) -> Self {
        let origin = Origin { address: Some("command line".to_owned()), request: None };
        Self { who: Who::Operator, organization, origin }
    }
}

/// An action on a resource.
#[derive(Debug)]
pub struct Deed<'a> {
    /// The action: `<resource>.<verb>`, for example `userRole.created`.
    pub action: &'static str,
    /// The project, if the action happened in one.
    pub project: Option<ProjectId>,
    /// The resource.
    pub resource: Uuid,
    /// The resource's name, if it has one.
    pub name: Option<&'a str>,
    /// Further details; never secrets, tokens or property values.
    pub details: Map<String, Value>,
}

impl<'a> Deed<'a> {
    /// An action on a resource.
    pub fn new(action: &'static str, resource: Uuid) -> Self {
        Self { action, project: None, resource, name: None, details: Map::new() }
    }

    /// Sets the project.
    #[must_use]
    pub fn in_project(mut self, project: ProjectId) -> Self {
        self.project = Some(project);
        self
    }

    /// Sets the resource's name.
    #[must_use]
    pub fn named(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.details.insert(key.to_owned(), value.into());
        self
    }
}

/// An event of the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its id.
    pub id: Uuid,
    /// When it happened.
    pub at: Timestamp,
    /// The kind of actor.
    pub actor_kind: String,
    /// The actor's id.
    pub actor_id: Option<Uuid>,
    /// The actor's current name: a member's email address, an API key's name, a user's external id, a tenant's key.
    pub actor_name: Option<String>,
    /// The action.
    pub action: String,
    /// The project.
    pub project_id: Option<ProjectId>,
    /// The resource.
    pub resource_id: Uuid,
    /// The resource's name at that time.
    pub resource_name: Option<String>,
    /// Further details.
    pub details: Map<String, Value>,
    /// The client's IP address.
    pub address: Option<String>,
    /// The request's id, as sent in `x-request-id`.
    pub request_id: Option<String>,
}

/// Writes an event, within the transaction of the change.
///
/// # Errors
/// 403 `VIEWING_AS` for a member who previews: the transaction with the change is rolled back.
pub async fn record(conn: &mut Conn<'_>, actor: &Actor, deed: Deed<'_>) -> Result<()> {
    actor.who.may_change()?;
    store::insert(conn, actor, &deed).await
}
