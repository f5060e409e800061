//! A host's backend.

use super::{
    Caller, Given,
    caller::{by_key, invalid_key},
    credential::Credential,
};
use crate::{
    concepts::{access::rate_limit::RateLimits, identity_providers, tokens},
    ground::{audit::Who, error::Result, state::App},
};
use inlay_contract::ids::{ApiKeyId, MemberId, OrganizationId};

/// The identity behind a call from the host's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostIdentity {
    /// An API key.
    Key(ApiKeyId),
    /// A member, by a token of the organization's identity provider.
    Member(MemberId),
}

/// A host's backend: an API key, or a member with a token of the organization's identity provider. It may do everything that owners, admins and members
/// may; read-only members are refused earlier.
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

    /// The host of an API key.
    ///
    /// # Errors
    /// 401, 400 or 404, as section 2 of docs/spec/contract.md states.
    pub(super) async fn by_key(app: &App, text: &str, given: &Given) -> Result<Self> {
        let key = by_key(app, text, given).await?;
        Ok(Self { identity: HostIdentity::Key(key.key), organization: key.organization })
    }

    /// The host of a token that another issuer signed.
    ///
    /// # Errors
    /// 400 without an organization, 401 when the token is not one of its identity provider's, 403 when it names no member.
    pub(super) async fn by_foreign_token(app: &App, token: &str, given: &Given) -> Result<Self> {
        let member = identity_providers::member(app, token, given.organization()?).await?;
        app.part::<RateLimits>().check(Who::Member(member.id))?;
        Ok(Self { identity: HostIdentity::Member(member.id), organization: member.organization })
    }

    /// The actor, for the audit log.
    pub const fn who(&self) -> Who {
        match self.identity {
            HostIdentity::Key(key) => Who::Key(key),
            HostIdentity::Member(member) => Who::Member(member),
        }
    }
}

impl Caller for Host {
    async fn authenticate(app: &App, given: Given) -> Result<Self> {
        match &given.credential {
            Some(Credential::Key(text)) => Self::by_key(app, text, &given).await,
            Some(Credential::Token(token)) if !tokens::is_ours(&app.base_url, token) => {
                Self::by_foreign_token(app, token, &given).await
            }
            Some(Credential::Token(_)) | None => Err(invalid_key()),
        }
    }

    fn who(&self) -> (Who, OrganizationId) {
        (Self::who(self), self.organization)
    }
}
