//! Callers that act for an organization, and those that may be either a host or a viewer.

use super::{Caller, Given, Viewer, credential::Credential, tenant::Bearer};
use crate::{
    concepts::{
        access::rate_limit::RateLimits,
        organizations::{
            self,
            api_keys::{KeyRecord, PresentedKey},
            keys::KeyUse,
        },
    },
    ground::{
        audit::Who,
        error::{Code, Error, Result},
        state::{App, Remembered},
    },
};
use inlay_contract::ids::{ApiKeyId, OrganizationId, ProjectId};
use std::sync::Arc;

/// An API key that acts for an organization. The embed-token endpoint accepts no other credential.
#[derive(Clone, Copy, Debug)]
pub struct OrganizationKey {
    /// The key.
    pub key: ApiKeyId,
    /// The organization that it acts for.
    pub organization: OrganizationId,
}

impl Caller for OrganizationKey {
    async fn authenticate(app: &App, given: Given) -> Result<Self> {
        match &given.credential {
            Some(Credential::Key(text)) => by_key(app, text, &given).await,
            Some(Credential::Token(_)) | None => Err(invalid_key()),
        }
    }

    fn who(&self) -> (Who, OrganizationId) {
        (Who::Key(self.key), self.organization)
    }
}

/// 401 for an API key that is not valid, and for a missing key where only a key is accepted.
pub(super) fn invalid_key() -> Error {
    Error::new(Code::InvalidApiKey, "The API key is missing, mistyped or revoked. Send `Authorization: Bearer <API key>`.")
}

/// The API key in a credential's text, and the organization that it acts for. The organization that the request names is read last, and only for a key
/// without one of its own.
///
/// # Errors
/// 401, 400 or 404, as section 2 of docs/spec/contract.md states.
pub(super) async fn by_key(app: &App, text: &str, given: &Given) -> Result<OrganizationKey> {
    let presented = PresentedKey::parse(text).ok_or_else(invalid_key)?;
    let record = record(app, app.version(), presented.id).await?.filter(|record| record.accepts(&presented));
    let record = record.ok_or_else(invalid_key)?;
    app.part::<RateLimits>().check_key(record.id, record.per_second)?;
    app.part::<KeyUse>().note(record.id);
    let named = if record.organization.is_some() { None } else { given.organization()? };
    Ok(OrganizationKey { key: record.id, organization: record.organization(named)? })
}

/// The stored key in this version of the configuration, from the cache where it is there.
pub(super) async fn record(app: &App, version: i64, id: ApiKeyId) -> Result<Option<Arc<KeyRecord>>> {
    app.is_current()?;
    app.part::<Remembered<ApiKeyId, KeyRecord>>()
        .get(version, id, async || organizations::find_key(&mut app.db.read().await?.conn(), id).await)
        .await
}

/// A host's backend with its API key, or a project user with a token (v2). A v1 tenant's token counts as the token of the project user that the migration
/// created for the tenant.
#[derive(Clone, Debug)]
pub enum HostOrViewer {
    /// The host.
    Host(OrganizationKey),
    /// The project user.
    Viewer(Box<Viewer>),
}

impl Caller for HostOrViewer {
    async fn authenticate(app: &App, given: Given) -> Result<Self> {
        match &given.credential {
            Some(Credential::Key(text)) => by_key(app, text, &given).await.map(Self::Host),
            Some(Credential::Token(token)) => Bearer::of(app, token).await?.into_viewer(app).await.map(Self::Viewer),
            None => Err(missing()),
        }
    }

    fn who(&self) -> (Who, OrganizationId) {
        match self {
            Self::Host(key) => (Who::Key(key.key), key.organization),
            Self::Viewer(viewer) => (viewer.acting(), viewer.organization),
        }
    }
}

impl HostOrViewer {
    /// What this caller can reach: every project of an organization, or one project.
    pub fn reach(&self) -> Reach {
        match self {
            Self::Host(key) => Reach::Organization(key.organization),
            Self::Viewer(viewer) => Reach::Project(viewer.project),
        }
    }
}

/// The scope of a lookup. Objects outside it are treated as not existing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Every project of an organization.
    Organization(OrganizationId),
    /// One project.
    Project(ProjectId),
}

impl Reach {
    /// Whether this project of this organization is in scope.
    pub fn holds(self, organization: OrganizationId, project: ProjectId) -> bool {
        match self {
            Self::Organization(reached) => reached == organization,
            Self::Project(reached) => reached == project,
        }
    }
}

/// 401 for a request without any credential.
pub(super) fn missing() -> Error {
    Error::new(Code::MissingCredentials, "Send `Authorization: Bearer <API key or token>`.")
}
