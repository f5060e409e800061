//! A host's backend.

use super::{
    Caller, Given,
    caller::{by_key, invalid_key},
    credential::Credential,
};
use crate::{
    concepts::{identity_providers, tokens},
    ground::{audit::Who, error::Result, state::App},
};
use inlay_contract::ids::{ApiKeyId, MemberId, OrganizationId};

/// Who acts for an organization from the host's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostIdentity {
    /// An API key.
    Key(ApiKeyId),
    /// A member, by a token of the organization's identity provider.
    Member(MemberId),
}

/// A host's backend: an API key, or a member with a token of the organization's identity provider. May do everything that
/// an owner, admin or member may; read-only members were refused.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Who acts.
    pub identity: HostIdentity,
    /// The organization that it acts for.
    pub organization: OrganizationId,
}

impl Host {
    /// The key, when it is one: tokens that it issues are cut off with it.
    pub const fn key(&self) -> Option<ApiKeyId> {
        match self.identity {
            HostIdentity::Key(key) => Some(key),
            HostIdentity::Member(_) => None,
        }
    }

    /// The host of an API key.
    ///
    /// # Errors
    /// As the contract's section 2 says.
    pub(super) async fn by_key(app: &App, text: &str, given: &Given) -> Result<Self> {
        let key = by_key(app, text, given.organization()?).await?;
        Ok(Self { identity: HostIdentity::Key(key.key), organization: key.organization })
    }

    /// The host of a token that another issuer than this service made.
    ///
    /// # Errors
    /// 400 without an organization, 401 when the token is not one of its identity provider's, 403 when it names no member.
    pub(super) async fn by_foreign_token(app: &App, token: &str, given: &Given) -> Result<Self> {
        let member = identity_providers::member(app, token, given.organization()?).await?;
        app.rate_limits.check(Who::Member(member.id))?;
        Ok(Self { identity: HostIdentity::Member(member.id), organization: member.organization })
    }

    /// Who that is, for the audit log.
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
