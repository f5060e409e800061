//! A host's backend.

use super::{
    Caller, Named, OrganizationKey, Presented,
    caller::{invalid_key, proved_key},
    credential::Credential,
    strangers::Strangers,
};
use crate::{
    concepts::{access::rate_limit::RateLimits, identity_providers, organizations::api_keys::KeyRecord, tokens},
    ground::{audit::Who, error::Result, state::App, web::origin::Origin},
};
use inlay_contract::ids::{ApiKeyId, MemberId, OrganizationId};
use std::sync::Arc;

/// The identity behind a call from the host's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostIdentity {
    /// An API key.
    Key(ApiKeyId),
    /// A member, by a token of the organization's identity provider.
    Member(MemberId),
}

/// A host's backend: an API key, or a member with a token of the organization's identity provider. It may do everything that
/// owners, admins and members may; read-only members are refused earlier.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The identity.
    pub identity: HostIdentity,
    /// The organization that it acts for.
    pub organization: OrganizationId,
}

impl Host {
    /// The API key, if the host used one: revoking it also revokes the tokens that it issued.
    pub const fn key(&self) -> Option<ApiKeyId> {
        match self.identity {
            HostIdentity::Key(key) => Some(key),
            HostIdentity::Member(_) => None,
        }
    }

    /// The actor, for the audit log.
    pub const fn who(&self) -> Who {
        match self.identity {
            HostIdentity::Key(key) => Who::Key(key),
            HostIdentity::Member(member) => Who::Member(member),
        }
    }
}

/// What a host proves.
#[derive(Debug)]
pub enum KeyOrMember {
    /// An API key.
    Key(Arc<KeyRecord>),
    /// A token that an identity provider vouches for. Which organization's it has to be is told by the request.
    Member(String),
}

impl KeyOrMember {
    /// The key of a credential's text.
    pub(super) async fn of_key(app: &App, text: &str, origin: &Origin) -> Result<Self> {
        proved_key(app, text, origin).await.map(Self::Key)
    }

    /// A token that another issuer signed.
    pub(super) async fn of_foreign_token(app: &App, token: &str, origin: &Origin) -> Result<Self> {
        let strangers = app.part::<Strangers>();
        identity_providers::vouch(app, token, |read| strangers.look(origin, read)).await?;
        Ok(Self::Member(token.to_owned()))
    }

    /// The host, in the organization that the request names.
    ///
    /// # Errors
    /// 400 without an organization, 401 when the token is not one of its identity provider's, 403 when it names no member.
    pub(super) async fn host(self, app: &App, named: &Named) -> Result<Host> {
        match self {
            Self::Key(key) => {
                let OrganizationKey { key, organization } = OrganizationKey::of(&key, named)?;
                Ok(Host { identity: HostIdentity::Key(key), organization })
            }
            Self::Member(token) => {
                let member = identity_providers::member(app, &token, named.organization()?).await?;
                app.part::<RateLimits>().check(Who::Member(member.id))?;
                Ok(Host { identity: HostIdentity::Member(member.id), organization: member.organization })
            }
        }
    }
}

impl Caller for Host {
    type Proved = KeyOrMember;

    async fn prove(app: &App, Presented { credential, origin }: Presented<'_>) -> Result<KeyOrMember> {
        match credential {
            Some(Credential::Key(text)) => KeyOrMember::of_key(app, text, origin).await,
            Some(Credential::Token(token)) if !tokens::is_ours(&app.base_url, token) => {
                KeyOrMember::of_foreign_token(app, token, origin).await
            }
            Some(Credential::Token(_)) | None => Err(invalid_key()),
        }
    }

    async fn authenticate(app: &App, proved: KeyOrMember, named: Named) -> Result<Self> {
        proved.host(app, &named).await
    }

    fn who(&self) -> (Who, OrganizationId) {
        (Self::who(self), self.organization)
    }
}
