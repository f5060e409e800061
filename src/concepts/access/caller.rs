//! Callers that act for an organization, and those that may be either a host or a viewer.

use super::{Caller, Named, Presented, Viewer, credential::Credential, strangers::Strangers, tenant::Bearer};
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
        remembered::Remembered,
        state::App,
        web::origin::Origin,
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
    type Proved = Arc<KeyRecord>;

    async fn prove(app: &App, Presented { credential, origin }: Presented<'_>) -> Result<Arc<KeyRecord>> {
        match credential {
            Some(Credential::Key(text)) => proved_key(app, text, origin).await,
            Some(Credential::Token(_)) | None => Err(invalid_key()),
        }
    }

    async fn authenticate(_: &App, key: Arc<KeyRecord>, named: Named) -> Result<Self> {
        Self::of(&key, &named)
    }

    fn who(&self) -> (Who, OrganizationId) {
        (Who::Key(self.key), self.organization)
    }
}

/// 401 for an API key that is not valid, and for a missing key where only a key is accepted.
pub(super) fn invalid_key() -> Error {
    Error::new(Code::InvalidApiKey, "The API key is missing, mistyped or revoked. Send `Authorization: Bearer <API key>`.")
}

/// The API key in a credential's text.
///
/// # Errors
/// 401 for one that is not valid, 429 above its rate limit.
pub(super) async fn proved_key(app: &App, text: &str, origin: &Origin) -> Result<Arc<KeyRecord>> {
    let presented = PresentedKey::parse(text).ok_or_else(invalid_key)?;
    let record = record(app, presented.id, Some(origin)).await?.filter(|record| record.accepts(&presented));
    let record = record.ok_or_else(invalid_key)?;
    app.part::<RateLimits>().check_key(record.id, record.per_second)?;
    app.part::<KeyUse>().note(record.id);
    Ok(record)
}

impl OrganizationKey {
    /// A proved key with the organization that it acts for. The organization that the request names is read only for a key
    /// without one of its own.
    ///
    /// # Errors
    /// 400 or 403, as section 2 of docs/spec/contract.md states.
    pub(super) fn of(key: &KeyRecord, named: &Named) -> Result<Self> {
        let named = if key.organization.is_some() { None } else { named.organization()? };
        Ok(Self { key: key.id, organization: key.organization(named)? })
    }
}

/// The stored key, from memory where it is there. `origin` is that of a request which names the key without having
/// proved anything.
pub(super) async fn record(app: &App, id: ApiKeyId, origin: Option<&Origin>) -> Result<Option<Arc<KeyRecord>>> {
    app.is_current()?;
    // Before it is looked up: a key that is made meanwhile has a greater version.
    let version = app.version();
    let strangers = app.part::<Strangers>();
    if strangers.is_missing(version, id) {
        return Ok(None);
    }
    let read = async || organizations::find_key(&mut app.db.read().await?.conn(), id).await;
    let asked = async || match origin.filter(|_| !strangers.knows(id)) {
        Some(origin) => strangers.look(origin, read()).await,
        None => read().await,
    };
    let found = app.part::<Remembered<ApiKeyId, KeyRecord>>().get(app, id, asked).await?;
    strangers.found(version, id, found.is_some());
    Ok(found)
}

/// A host's backend with its API key, or a project user with a token (v2). A v1 tenant's token counts as the token of the
/// project user that the migration created for the tenant.
#[derive(Clone, Debug)]
pub enum HostOrViewer {
    /// The host.
    Host(OrganizationKey),
    /// The project user.
    Viewer(Box<Viewer>),
}

/// What [`HostOrViewer`] proves.
#[derive(Debug)]
pub enum KeyOrViewer {
    /// An API key.
    Key(Arc<KeyRecord>),
    /// A project user.
    Viewer(Box<Viewer>),
}

impl Caller for HostOrViewer {
    type Proved = KeyOrViewer;

    async fn prove(app: &App, Presented { credential, origin }: Presented<'_>) -> Result<KeyOrViewer> {
        match credential {
            Some(Credential::Key(text)) => proved_key(app, text, origin).await.map(KeyOrViewer::Key),
            Some(Credential::Token(token)) => Bearer::of(app, token).await?.into_viewer(app).await.map(KeyOrViewer::Viewer),
            None => Err(missing()),
        }
    }

    async fn authenticate(_: &App, proved: KeyOrViewer, named: Named) -> Result<Self> {
        match proved {
            KeyOrViewer::Key(key) => OrganizationKey::of(&key, &named).map(Self::Host),
            KeyOrViewer::Viewer(viewer) => Ok(Self::Viewer(viewer)),
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
