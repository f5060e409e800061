//! A project user with a valid token.

use super::{
    Caller, Named, Presented,
    caller::{missing, record},
    credential::Credential,
    tenant::Bearer,
};
use crate::{
    concepts::{
        access::rate_limit::RateLimits,
        customers::{self, properties::Properties},
        organizations::members::{self, Membership},
        projects,
        tokens::{self, Audience, Claims, revocation, verified::Verified},
        webhooks,
    },
    ground::{
        audit::Who,
        error::{Code, Error, Result},
        state::App,
        traces,
    },
};
use inlay_contract::{
    ids::{ApiKeyId, CustomerId, DashboardId, MemberId, OrganizationId, ProjectId, ProjectUserId},
    permissions::Permissions,
};
use inlay_query::SecurityContext;
use std::{fmt, sync::Arc};
use tracing::Instrument;

/// A project user who views something. `Debug` omits the database token.
#[derive(Clone)]
pub struct Viewer {
    /// The user.
    pub user: ProjectUserId,
    /// Their customer, if they have one.
    pub customer: Option<CustomerId>,
    /// The project that the token is for.
    pub project: ProjectId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// The permissions in the token. Writes read the role again (editing rule 6 in docs/spec/service.md).
    pub permissions: Permissions,
    /// The token for a database's own row policies.
    pub database_auth_token: Option<String>,
    /// The member who previews what this user sees, if any.
    pub member: Option<MemberId>,
    /// The shared dashboard that this member edits, if any.
    pub edits: Option<DashboardId>,
    /// The token's claims, so that work which outlives its request notices a revocation. `None` for work without a request.
    /// Those of a v1 tenant's token name the tenant.
    pub(super) claims: Option<Arc<Claims>>,
}

impl fmt::Debug for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Viewer")
            .field("user", &self.user)
            .field("customer", &self.customer)
            .field("project", &self.project)
            .field("organization", &self.organization)
            .field("permissions", &self.permissions)
            .field("member", &self.member)
            .field("edits", &self.edits)
            .finish_non_exhaustive()
    }
}

impl Viewer {
    /// The actor for the audit log: the user, or the member who previews as them.
    pub fn acting(&self) -> Who {
        self.member.map_or(Who::User(self.user), Who::Viewing)
    }

    /// The member who edits this shared dashboard, if the token was issued for that.
    pub fn editor_of(&self, dashboard: DashboardId) -> Option<MemberId> {
        self.member.filter(|_| self.edits == Some(dashboard))
    }

    /// The viewer of an embed token.
    ///
    /// # Errors
    /// 401 when the token is not valid, expired or revoked, or its user is deleted.
    pub async fn by_token(app: &App, token: &str) -> Result<Self> {
        let claims = Self::claims(app, token).instrument(traces::credential("token")).await?;
        Self::of_claims(app, claims)
    }

    /// Whether this service signed a token for a time that has not ended. It may be revoked: this tells only whether to read a body.
    pub fn has_signed(app: &App, token: &str) -> bool {
        app.part::<Verified>().claims(&tokens::known(app), &app.base_url, token, app.now()).is_ok()
    }

    /// The claims of a token that is valid and not revoked.
    pub(super) async fn claims(app: &App, token: &str) -> Result<Arc<Claims>> {
        let verified = || app.part::<Verified>().claims(&tokens::known(app), &app.base_url, token, app.now());
        let mut verified_claims = verified();
        // Another node may have signed it with a key that was created since this node last looked.
        if verified_claims.is_err() && tokens::known(app).keyring.misses_key_of(token) {
            Box::pin(app.look_again()).await?;
            verified_claims = verified();
        }
        let claims = match verified_claims {
            Ok(claims) => admit(app, &claims).await.map(|()| claims),
            refused => refused,
        };
        if let Err(refused) = &claims {
            webhooks::tell_refused(app, token, refused).await;
        }
        claims
    }

    /// The viewer of an embed token's claims.
    ///
    /// # Errors
    /// 401 when the token is a tenant's, 429 when the user asks too often.
    pub(super) fn of_claims(app: &App, claims: Arc<Claims>) -> Result<Self> {
        let invalid = || Error::new(Code::InvalidToken, "The token is not valid here. Get a new one from embed-token.");
        let user = claims.project_user().ok_or_else(invalid)?;
        app.part::<RateLimits>().check(Who::User(user))?;
        Ok(Self {
            user,
            customer: claims.customer,
            project: claims.project,
            organization: claims.org,
            permissions: claims.permissions,
            database_auth_token: None,
            member: claims.act,
            edits: claims.edits,
            claims: Some(claims),
        })
    }

    /// Checks that the token is not revoked, for work that outlives its request. Expiry does not count here: work that began in
    /// time may finish.
    ///
    /// # Errors
    /// 401 `TOKEN_REVOKED` as soon as this node knows of the revocation.
    pub async fn still_admitted(&self, app: &App) -> Result<()> {
        let Some(claims) = &self.claims else { return Ok(()) };
        admit(app, claims).await?;
        match (claims.aud, self.customer) {
            (Audience::Tenant, Some(customer)) => tokens::known(app).revocations.check_as(claims, self.user, customer),
            _ => Ok(()),
        }
    }

    /// The values that row rules read, from the store as it is now.
    ///
    /// # Errors
    /// 401 when the user is deleted.
    pub async fn security_context(&self, app: &App) -> Result<SecurityContext> {
        self.reading(customers::properties_of(&mut app.db.read().await?.conn(), self.project, self.user).await?)
    }

    /// The values that row rules read, from these stored properties of the user and of their customer.
    ///
    /// # Errors
    /// 401 when the user is deleted.
    pub fn reading(&self, properties: Option<(Properties, Option<Properties>)>) -> Result<SecurityContext> {
        let (user, organization) = properties
            .ok_or_else(|| Error::new(Code::InvalidToken, "The token's user no longer exists. Sign the user in again."))?;
        let share = self.customer.map_or(self.user.0, |customer| customer.0).as_u128();
        Ok(SecurityContext { organization, user: Some(user), database_auth_token: self.database_auth_token.clone(), share })
    }
}

/// Refuses a revoked token, a token of a deleted project, and a token whose issuer is gone: an API key that is revoked or whose
/// owner left, or a member who may no longer preview as the user.
async fn admit(app: &App, claims: &Claims) -> Result<()> {
    app.is_current()?;
    let known = tokens::known(app);
    known.revocations.check(claims)?;
    // A deleted project has no revocations. A node that does not know of the deletion yet may still issue tokens of it.
    if projects::by_id(app, claims.project).await?.is_none_or(|project| project.organization != claims.org) {
        return Err(revocation::revoked());
    }
    require_key(app, claims.azp, claims.org).await?;
    if let Some(id) = claims.act {
        let member = members::find(app, id).await?;
        let works = |member: &Membership| member.organization == claims.org && member.role.may_use_keys();
        if !member.is_some_and(|member| works(&member)) {
            return Err(revocation::revoked());
        }
    }
    Ok(())
}

/// Refuses what an API key issued once the key is revoked or its owner is no longer a member of the organization.
///
/// # Errors
///
/// 401 `TOKEN_REVOKED`.
pub(super) async fn require_key(app: &App, key: Option<ApiKeyId>, organization: OrganizationId) -> Result<()> {
    let Some(key) = key else { return Ok(()) };
    let stands = record(app, key, None).await?.is_some_and(|record| record.stands_for(organization));
    if stands { Ok(()) } else { Err(revocation::revoked()) }
}

/// The values that row rules read for a project user, from the store as it is now. For operators who look as that user: their
/// queries take the user's own share of a source's places and none of the customer's.
pub async fn security_context_of(app: &App, project: ProjectId, user: ProjectUserId) -> Result<Option<SecurityContext>> {
    let found = customers::properties_of(&mut app.db.read().await?.conn(), project, user).await?;
    Ok(found.map(|(properties, organization)| SecurityContext {
        organization,
        user: Some(properties),
        database_auth_token: None,
        share: user.0.as_u128(),
    }))
}

/// A v1 tenant's token counts as the token of the project user that the migration created for the tenant (docs/spec/contract.md, P8).
impl Caller for Viewer {
    type Proved = Self;

    async fn prove(app: &App, presented: Presented<'_>) -> Result<Self> {
        match presented.credential {
            Some(Credential::Token(token)) => Bearer::of(app, token).await?.into_viewer(app).await.map(|viewer| *viewer),
            Some(Credential::Key(_)) => {
                Err(Error::new(Code::InvalidToken, "This needs a project user's token, not an API key."))
            }
            None => Err(missing()),
        }
    }

    async fn authenticate(_: &App, proved: Self, _: Named) -> Result<Self> {
        Ok(proved)
    }

    fn who(&self) -> (Who, OrganizationId) {
        (self.acting(), self.organization)
    }
}
