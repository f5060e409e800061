//! Authentication. A handler's signature is its access rule: it takes an [`Authorized`] caller of one type, together with the
//! request's body.

mod buckets;
pub mod caller;
pub mod credential;
pub mod grant;
pub mod host;
pub mod rate_limit;
mod store;
pub mod strangers;
pub mod tenant;
pub mod viewer;

#[cfg(test)]
pub(crate) use store::RateCountRow;

pub use caller::{HostOrViewer, OrganizationKey};
pub use grant::Grant;
pub use host::{Host, HostIdentity};
pub use tenant::{TenantCaller, TenantOrHost};
pub use viewer::{Viewer, security_context_of};

use crate::ground::{
    audit::{Actor, Who},
    error::{Error, Kind, Result},
    memory::Memory,
    state::App,
    traces,
    web::{
        Body,
        body::{self, Sent, Taking},
        origin::Origin,
        path::BadPath,
    },
};
use axum::{
    body::Body as RawBody,
    extract::{FromRequest, Query, Request},
    http::{Method, request::Parts},
};
use credential::{ApiVersion, Credential, CredentialSources};
use futures::FutureExt as _;
use inlay_contract::ids::OrganizationId;
use inlay_query::Room;
use serde_json::Value;
use std::{
    collections::HashMap,
    fmt,
    future::Future,
    marker::PhantomData,
    time::{Duration, Instant},
};
use tracing::Instrument;

/// After this time a credential is proved once more: what was revoked while a body arrived counts (docs/spec/contract.md, section 2).
const SOON: Duration = Duration::from_millis(250);

/// An authenticated caller together with the request's body (for GET and DELETE: its query). `P` says where the credential may
/// stand. `Debug` omits the body, because it may hold a key.
pub struct Authorized<C, P = credential::Header> {
    /// The caller.
    pub caller: C,
    /// The caller, for the audit log.
    pub actor: Actor,
    /// The body that they sent.
    pub body: Body,
    /// Why the body is refused, for a handler that refuses others first; a body that cannot be read is then empty. Everywhere
    /// else it was refused already.
    pub unreadable: Option<Error>,
    /// The memory of the body, for as long as the request is under way.
    _room: Option<Room>,
    places: PhantomData<P>,
}

impl<C: fmt::Debug, P> fmt::Debug for Authorized<C, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorized").field("caller", &self.caller).field("actor", &self.actor).finish_non_exhaustive()
    }
}

/// A kind of caller.
pub trait Caller: Sized + Send {
    /// A credential that is proved, without the organization that it is used for.
    type Proved: Send;

    /// Proves a credential. It is called before the body is read.
    ///
    /// # Errors
    /// 401 and 429, as section 2 of docs/spec/contract.md states.
    fn prove(app: &App, presented: Presented<'_>) -> impl Future<Output = Result<Self::Proved>> + Send;

    /// Turns a proved credential into a caller.
    ///
    /// # Errors
    /// 401, 403 or 400, as section 2 of docs/spec/contract.md states.
    fn authenticate(app: &App, proved: Self::Proved, named: Named) -> impl Future<Output = Result<Self>> + Send;

    /// The caller's identity, and the organization that the call concerns.
    fn who(&self) -> (Who, OrganizationId);
}

/// A credential as it was sent, and from where.
#[derive(Clone, Copy, Debug)]
pub struct Presented<'a> {
    /// The credential, if there is one.
    pub credential: Option<&'a Credential>,
    /// Where the request comes from.
    pub origin: &'a Origin,
}

/// `organizationId` as it was sent, if it was.
#[derive(Debug)]
pub struct Named(pub Option<Value>);

impl Named {
    /// The organization that the request names. It is read only for credentials that need one: an organization-bound key
    /// ignores it, whatever it holds (docs/spec/contract.md, D3).
    ///
    /// # Errors
    /// 400 when it is not a UUID.
    pub fn organization(&self) -> Result<Option<OrganizationId>> {
        match &self.0 {
            None | Some(Value::Null) => Ok(None),
            Some(named) => {
                let id = named.as_str().and_then(|text| text.parse().ok());
                id.map(Some).ok_or_else(|| Error::invalid("organizationId", "must be a UUID"))
            }
        }
    }
}

impl<C: Caller, P: CredentialSources> FromRequest<App> for Authorized<C, P> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        async move {
            let (mut parts, raw) = request.into_parts();
            let query = Query::<HashMap<String, String>>::try_from_uri(&parts.uri);
            let Query(query) = query.map_err(|_| Error::invalid("query", "cannot be read"))?;
            let origin = Origin::of(&parts, &app.settings);
            let has_body = !matches!(parts.method, Method::GET | Method::DELETE);
            // A credential beside the body is proved before the body is read: anybody can send one.
            let beside = match Credential::in_header(&parts.headers, ApiVersion::of(parts.uri.path())) {
                Ok(header) => header.or_else(|| P::QUERY.then(|| Credential::of(query.get("apiKey")?)).flatten()),
                Err(refused) => return Err(body::turn_away(raw, refused)),
            };
            let may_be_inside = beside.is_none() && P::BODY && has_body;
            let presented = Presented { credential: beside.as_ref(), origin: &origin };
            let proved = match may_be_inside {
                true => None,
                false => match prove::<C>(app, presented).await {
                    Ok(proved) => Some(proved),
                    Err(refused) => return Err(body::turn_away(raw, refused)),
                },
            };
            let begun = Instant::now();
            let sent = match has_body {
                true => read::<P>(app, &parts, raw, proved.is_some()).await,
                false => body::of_query(&query).map(|body| Sent { body, room: None, refused: None }),
            };
            let proved = match proved {
                Some(proved) if begun.elapsed() < SOON => proved,
                Some(_) => prove::<C>(app, presented).await?,
                None => match &sent {
                    Ok(Sent { body, .. }) => {
                        let inside = body.get("apiKey").and_then(Value::as_str).and_then(Credential::of);
                        prove::<C>(app, Presented { credential: inside.as_ref(), ..presented }).await?
                    }
                    // The credential may be in the body that cannot be read.
                    Err(_) => return Err(sent.err().unwrap_or_else(|| Error::internal("a body is read or refused"))),
                },
            };
            let named = sent.as_ref().ok().and_then(|sent| sent.body.get("organizationId")).filter(|named| !named.is_null());
            let named = named.cloned().or_else(|| query.get("organizationId").cloned().map(Value::String));
            let caller = C::authenticate(app, proved, Named(named)).await;
            let (caller, Sent { body, room, refused: unreadable }) = match (caller, sent) {
                (caller, Ok(sent)) => (caller?, sent),
                (Ok(caller), Err(unreadable)) => (caller, Sent { refused: Some(unreadable), ..Sent::default() }),
                (Err(refused), Err(_)) if is_unauthenticated(&refused) => return Err(refused),
                (_, Err(unreadable)) => return Err(unreadable),
            };
            let unreadable = match unreadable {
                Some(refused) if !P::JUDGES_UNREADABLE => return Err(refused),
                unreadable => unreadable,
            };
            // The ids of the path are judged after the credential, like the fields of the body.
            if let Some(bad) = parts.extensions.remove::<BadPath>() {
                return Err(bad.refused());
            }
            let (who, of) = caller.who();
            let actor = Actor { who, organization: of, origin };
            Ok(Self { caller, actor, body, unreadable, _room: room, places: PhantomData })
        }
        .boxed()
        .await
    }
}

/// Proves a credential.
async fn prove<C: Caller>(app: &App, presented: Presented<'_>) -> Result<C::Proved> {
    let kind = presented.credential.map_or("none", Credential::kind);
    C::prove(app, presented).instrument(traces::credential(kind)).await
}

/// Reads a body. Those whose sender is not known have less room and less time.
async fn read<P: CredentialSources>(app: &App, parts: &Parts, raw: RawBody, is_known: bool) -> Result<Sent> {
    let memory = app.part::<Memory>();
    let taking = Taking { uncounted: P::UNCOUNTED, ..taking(&memory, is_known) };
    body::read(&parts.headers, raw, &app.settings.limits, taking).await
}

/// How a body is taken in of a caller who is known, or of a stranger.
pub fn taking(memory: &Memory, is_known: bool) -> Taking<'_> {
    let (budget, within) = match is_known {
        true => (&memory.bodies, body::OF_CALLERS),
        false => (&memory.strangers, body::OF_STRANGERS),
    };
    Taking { uncounted: None, budget, within }
}

fn is_unauthenticated(refused: &Error) -> bool {
    refused.kind() == Kind::Unauthenticated
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{
        ids::{ProjectId, ProjectUserId},
        permissions::Permissions,
    };

    #[test]
    fn debug_shows_no_secret() {
        let organization = OrganizationId::generate();
        let project = ProjectId::generate();
        let caller = Viewer {
            user: ProjectUserId::generate(),
            customer: None,
            project,
            organization,
            permissions: Permissions::without_role(),
            database_auth_token: Some("s3cret".to_owned()),
            member: None,
            edits: None,
            claims: None,
        };
        let body = Body::from_iter([("apiKey".to_owned(), Value::from("s3cret"))]);
        let actor = Actor::operator(organization);
        let shown = format!(
            "{:?}",
            Authorized::<_, credential::Header> { caller, actor, body, unreadable: None, _room: None, places: PhantomData }
        );
        assert!(shown.contains(&project.to_string()) && !shown.contains("s3cret"), "{shown}");
    }
}
