//! A project user with a valid token.

use super::{Caller, Given, caller::missing, credential::Credential};
use crate::{
    audit::Who,
    customers::store,
    error::{Error, Result},
    state::App,
    tokens::{self, Claims},
};
use inlay_contract::{
    ids::{CustomerId, MemberId, OrganizationId, ProjectId, ProjectUserId},
    permissions::Permissions,
};
use inlay_query::SecurityContext;

/// A project user who looks at something.
#[derive(Clone, Debug)]
pub struct Viewer {
    /// The user.
    pub user: ProjectUserId,
    /// Their customer, if they have one.
    pub customer: Option<CustomerId>,
    /// The project that the token is for.
    pub project: ProjectId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// What the token says that they may do; writes read the role itself (editing rule 6).
    pub permissions: Permissions,
    /// What a database-native row policy reads.
    pub database_auth_token: Option<String>,
    /// The member who looks at what this user sees, if one does.
    pub member: Option<MemberId>,
}

impl Viewer {
    /// Who acts, for the audit log: the user, or the member who looks over their shoulder.
    pub fn acting(&self) -> Who {
        self.member.map_or(Who::User(self.user), Who::Viewing)
    }

    /// The viewer of an embed token.
    ///
    /// # Errors
    /// 401 when the token is not valid, expired or revoked, or its user is gone.
    pub async fn by_token(app: &App, token: &str) -> Result<Self> {
        Self::of_claims(app, &Self::claims(app, token)?)
    }

    /// What a token says, once it has proved to be valid and not revoked.
    ///
    /// # Errors
    /// 401 when it is not.
    pub(super) fn claims(app: &App, token: &str) -> Result<Claims> {
        let known = app.known();
        let claims = tokens::verify(&known.keyring, &app.base_url, token)?;
        known.revocations.check(&claims)?;
        Ok(claims)
    }

    /// The viewer of an embed token's claims.
    ///
    /// # Errors
    /// 401 when the token is a tenant's, 429 when the user asks too often.
    pub(super) fn of_claims(app: &App, claims: &Claims) -> Result<Self> {
        let invalid =
            || Error::unauthenticated("INVALID_TOKEN", "The token is not valid here. Get a new one from embed-token.");
        let user = claims.project_user().ok_or_else(invalid)?;
        app.rate_limits.check(Who::User(user))?;
        Ok(Self {
            user,
            customer: claims.customer,
            project: claims.project,
            organization: claims.org,
            permissions: claims.permissions,
            database_auth_token: None,
            member: claims.act,
        })
    }

    /// What row rules read, from the store as it is now.
    ///
    /// # Errors
    /// 401 when the user is gone.
    pub async fn security_context(&self, app: &App) -> Result<SecurityContext> {
        let found = security_context_of(app, self.project, self.user).await?;
        let found = found.ok_or_else(|| {
            Error::unauthenticated("INVALID_TOKEN", "The token's user no longer exists. Sign the user in again.")
        })?;
        Ok(SecurityContext { database_auth_token: self.database_auth_token.clone(), ..found })
    }
}

/// What row rules read of a user of a project, from the store as it is now.
///
/// # Errors
/// The store is away.
pub async fn security_context_of(app: &App, project: ProjectId, user: ProjectUserId) -> Result<Option<SecurityContext>> {
    let found = store::properties(&mut app.db.read().await?.conn(), project, user).await?;
    Ok(found.map(|(user, organization)| SecurityContext { organization, user: Some(user), database_auth_token: None }))
}

impl Caller for Viewer {
    async fn authenticate(app: &App, given: Given) -> Result<Self> {
        match &given.credential {
            Some(Credential::Token(token)) => Self::by_token(app, token).await,
            Some(Credential::Key(_)) => {
                Err(Error::unauthenticated("INVALID_TOKEN", "This needs a project user's token, not an API key."))
            }
            None => Err(missing()),
        }
    }

    fn who(&self) -> (Who, OrganizationId) {
        (self.acting(), self.organization)
    }
}
