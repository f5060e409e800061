//! Authentication. A handler's signature is its access rule: it takes an [`Authorized`] caller of one type, together with the request's body.

pub mod caller;
pub mod credential;
pub mod grant;
pub mod host;
pub mod rate_limit;
pub mod tenant;
pub mod viewer;

pub use caller::{HostOrViewer, OrganizationKey};
pub use grant::Grant;
pub use host::{Host, HostIdentity};
pub use tenant::{TenantCaller, TenantOrHost};
pub use viewer::{Viewer, security_context_of};

use crate::ground::{
    audit::{Actor, Who},
    error::{Error, Kind, Result},
    state::App,
    web::{Body, body, origin::Origin, path::BadPath},
};
use axum::{
    extract::{FromRequest, Query, Request},
    http::Method,
};
use credential::{ApiVersion, Credential, CredentialSources};
use inlay_contract::ids::OrganizationId;
use serde_json::Value;
use std::{collections::HashMap, fmt, future::Future, marker::PhantomData};

/// An authenticated caller together with the request's body (for GET and DELETE: its query). `P` says where the credential may stand. `Debug` omits the
/// body, because it may hold a key.
pub struct Authorized<C, P = credential::Header> {
    /// The caller.
    pub caller: C,
    /// The caller, for the audit log.
    pub actor: Actor,
    /// The body that they sent.
    pub body: Body,
    places: PhantomData<P>,
}

impl<C: fmt::Debug, P> fmt::Debug for Authorized<C, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorized").field("caller", &self.caller).field("actor", &self.actor).finish_non_exhaustive()
    }
}

/// A kind of caller.
pub trait Caller: Sized + Send {
    /// Turns a credential into a caller.
    ///
    /// # Errors
    /// 401, 403 or 400, as section 2 of docs/spec/contract.md states.
    fn authenticate(app: &App, given: Given) -> impl Future<Output = Result<Self>> + Send;

    /// The caller's identity, and the organization that the call concerns.
    fn who(&self) -> (Who, OrganizationId);
}

/// The parts of a request that authentication reads.
pub struct Given {
    /// The credential, if there is one.
    pub credential: Option<Credential>,
    /// `organizationId` as it was sent, if it was.
    pub organization: Option<Value>,
}

impl Given {
    /// The organization that the request names. It is read only for credentials that need one: an organization-bound key ignores it, whatever it holds
    /// (docs/spec/contract.md, D3).
    ///
    /// # Errors
    /// 400 when it is not a UUID.
    pub fn organization(&self) -> Result<Option<OrganizationId>> {
        match &self.organization {
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
        let (mut parts, raw) = request.into_parts();
        let Query(query) = Query::<HashMap<String, String>>::try_from_uri(&parts.uri)
            .map_err(|_| Error::invalid("query", "cannot be read"))?;
        let has_body = !matches!(parts.method, Method::GET | Method::DELETE);
        let in_query = |name: &str| query.get(name).cloned().map(Value::String);
        let sent = if has_body {
            body::read(&parts.headers, raw, &app.settings.limits, P::UNCOUNTED).await
        } else {
            body::of_query(&query)
        };
        // Only now, because a connection whose request was not read to its end cannot be used again.
        let header = Credential::in_header(&parts.headers, ApiVersion::of(parts.uri.path()))?;
        let body = match sent {
            Ok(body) => body,
            // The credential may be in the body that cannot be read.
            Err(unreadable) if header.is_none() && P::BODY => return Err(unreadable),
            Err(unreadable) => {
                let given = Given { credential: header, organization: in_query("organizationId") };
                return Err(C::authenticate(app, given).await.err().filter(is_unauthenticated).unwrap_or(unreadable));
            }
        };
        let key_in_body = || (P::BODY && has_body).then(|| body.get("apiKey").and_then(Value::as_str)).flatten();
        let key_in_query = || P::QUERY.then(|| query.get("apiKey").map(String::as_str)).flatten();
        let credential = header.or_else(|| key_in_body().or_else(key_in_query).and_then(Credential::of));
        let named = body.get("organizationId").filter(|named| !named.is_null()).cloned();
        let organization = named.or_else(|| in_query("organizationId"));
        let caller = C::authenticate(app, Given { credential, organization }).await?;
        // The ids of the path are judged after the credential, like the fields of the body.
        if let Some(bad) = parts.extensions.remove::<BadPath>() {
            return Err(bad.refused());
        }
        let (who, of) = caller.who();
        let actor = Actor { who, organization: of, origin: Origin::of(&parts, &app.settings) };
        Ok(Self { caller, actor, body, places: PhantomData })
    }
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
        let shown = format!("{:?}", Authorized::<_, credential::Header> { caller, actor, body, places: PhantomData });
        assert!(shown.contains(&project.to_string()) && !shown.contains("s3cret"), "{shown}");
    }
}
