//! A v1 tenant with a token of `register-tenant`, and the callers of v1's dashboard endpoints.

use super::{
    Caller, Host, Named, Presented, Viewer,
    caller::{Reach, missing},
    credential::Credential,
    host::KeyOrMember,
};
use crate::{
    concepts::{
        access::rate_limit::RateLimits,
        tenants::{self, Tenant},
        tokens::{self, Audience, Claims},
    },
    ground::{
        audit::Who,
        error::{Code, Error, Result},
        state::App,
    },
};
use inlay_contract::{
    ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, TenantId},
    permissions::Permissions,
};
use std::sync::Arc;

/// A v1 tenant.
#[derive(Clone, Debug)]
pub struct TenantCaller {
    /// The tenant.
    pub id: TenantId,
    /// The project that the token is for.
    pub project: ProjectId,
    /// The organization that owns it.
    pub organization: OrganizationId,
    /// What its registration allows now, with unset flags off, as in v1. v1 dashboard writes check these.
    pub permissions: Permissions,
    /// The project user that the migration created for it, with their customer. From then on the tenant's dashboards belong to
    /// that user: v1 reads and writes the dashboards of both owners, and new ones belong to the user.
    pub user: Option<(ProjectUserId, CustomerId)>,
}

impl TenantCaller {
    /// The tenant of a token that this service issued, as it is stored now.
    ///
    /// # Errors
    /// 401 when it was revoked, or its tenant is deleted.
    async fn of_claims(app: &App, claims: &Claims) -> Result<Self> {
        let gone = || Error::new(Code::InvalidToken, "The token's tenant no longer exists. Call register-tenant.");
        let id = TenantId(claims.sub);
        app.part::<RateLimits>().check(Who::Tenant(id))?;
        let tenant = tenants::find(app, claims.project, id).await?.ok_or_else(gone)?;
        let caller = Self::of(&tenant, claims.org);
        if let Some((user, customer)) = caller.user {
            tokens::known(app).revocations.check_as(claims, user, customer)?;
        }
        Ok(caller)
    }

    fn of(tenant: &Tenant, organization: OrganizationId) -> Self {
        Self {
            id: tenant.id,
            project: tenant.project,
            organization,
            permissions: tenant.permissions.written_out().resolve(),
            user: tenant.user,
        }
    }
}

/// A project user, or a tenant: the two kinds of tokens that this service issues.
pub(super) enum Bearer {
    /// A project user.
    Viewer(Box<Viewer>),
    /// A tenant, with the token's claims.
    Tenant(TenantCaller, Arc<Claims>),
}

impl Bearer {
    /// The bearer of a token that this service issued.
    ///
    /// # Errors
    /// 401 when the token is not valid, expired or revoked, or its tenant is deleted.
    pub(super) async fn of(app: &App, token: &str) -> Result<Self> {
        let claims = Viewer::claims(app, token).await?;
        match claims.aud {
            Audience::Embed => Viewer::of_claims(app, claims).map(Box::new).map(Self::Viewer),
            Audience::Tenant => Ok(Self::Tenant(TenantCaller::of_claims(app, &claims).await?, claims)),
        }
    }

    /// The project user; for a tenant, the one that the migration created for it.
    ///
    /// # Errors
    /// 401 `TENANT_NOT_MIGRATED` while there is none.
    pub(super) async fn into_viewer(self, app: &App) -> Result<Box<Viewer>> {
        let (tenant, claims) = match self {
            Self::Viewer(viewer) => return Ok(viewer),
            Self::Tenant(tenant, claims) => (tenant, claims),
        };
        let (user, customer) = tenant.user.ok_or_else(|| {
            Error::new(
                Code::TenantNotMigrated,
                "The migration has not mapped this tenant to a project user. Request a new token from register-tenant.",
            )
        })?;
        Ok(Box::new(Viewer {
            user,
            customer: Some(customer),
            project: tenant.project,
            organization: tenant.organization,
            permissions: crate::concepts::customers::users::permissions(app, tenant.project, user).await?,
            database_auth_token: None,
            member: None,
            edits: None,
            claims: Some(claims),
        }))
    }
}

/// The callers of v1's dashboard endpoints.
#[derive(Clone, Debug)]
pub enum TenantOrHost {
    /// A host's backend: an API key or a member.
    Host(Host),
    /// A v1 tenant.
    Tenant(TenantCaller),
    /// A project user; v1 takes their tokens too.
    Viewer(Box<Viewer>),
}

impl TenantOrHost {
    /// What this caller can reach.
    pub const fn reach(&self) -> Reach {
        match self {
            Self::Host(host) => Reach::Organization(host.organization),
            Self::Tenant(tenant) => Reach::Project(tenant.project),
            Self::Viewer(viewer) => Reach::Project(viewer.project),
        }
    }
}

/// What [`TenantOrHost`] proves.
#[derive(Debug)]
pub enum HostOrBearer {
    /// A host's key or token.
    Host(KeyOrMember),
    /// A v1 tenant.
    Tenant(TenantCaller),
    /// A project user.
    Viewer(Box<Viewer>),
}

impl Caller for TenantOrHost {
    type Proved = HostOrBearer;

    async fn prove(app: &App, Presented { credential, origin }: Presented<'_>) -> Result<HostOrBearer> {
        match credential {
            Some(Credential::Key(text)) => KeyOrMember::of_key(app, text, origin).await.map(HostOrBearer::Host),
            Some(Credential::Token(token)) if tokens::is_ours(&app.base_url, token) => {
                Ok(match Bearer::of(app, token).await? {
                    Bearer::Viewer(viewer) => HostOrBearer::Viewer(viewer),
                    Bearer::Tenant(tenant, _) => HostOrBearer::Tenant(tenant),
                })
            }
            Some(Credential::Token(token)) => KeyOrMember::of_foreign_token(app, token, origin).await.map(HostOrBearer::Host),
            None => Err(missing()),
        }
    }

    async fn authenticate(app: &App, proved: HostOrBearer, named: Named) -> Result<Self> {
        match proved {
            HostOrBearer::Host(host) => host.host(app, &named).await.map(Self::Host),
            HostOrBearer::Tenant(tenant) => Ok(Self::Tenant(tenant)),
            HostOrBearer::Viewer(viewer) => Ok(Self::Viewer(viewer)),
        }
    }

    fn who(&self) -> (Who, OrganizationId) {
        match self {
            Self::Host(host) => (host.who(), host.organization),
            Self::Tenant(tenant) => (Who::Tenant(tenant.id), tenant.organization),
            Self::Viewer(viewer) => (viewer.acting(), viewer.organization),
        }
    }
}
