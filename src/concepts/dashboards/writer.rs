//! The callers that read and write dashboards, and their permissions. A write reads the role's current permissions, whatever
//! the token says (editing rule 6 in docs/spec/service.md).

use super::{Dashboard, Owner, store};
use crate::{
    concepts::{
        access::{HostOrViewer, TenantOrHost, Viewer, caller::Reach, tenant::TenantCaller},
        charts::Maker,
        organizations,
    },
    ground::{
        error::{Code, Error, Result},
        store::Conn,
    },
};
use inlay_contract::{
    ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, TenantId},
    permissions::{Flag, Permissions},
};
use serde_json::{Map, Value};

/// The API version of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// New dashboards get a v1 id. An API key also reaches tenants' dashboards.
    V1,
    /// An API key reaches shared dashboards only.
    V2,
}

/// The identity of a writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The host's backend.
    Host,
    /// A member of the organization, who edits a project's shared dashboards.
    Member {
        /// The project.
        project: ProjectId,
    },
    /// A project user.
    User {
        /// The user.
        user: ProjectUserId,
        /// Their customer, if they have one.
        customer: Option<CustomerId>,
        /// The project that their token is for.
        project: ProjectId,
    },
    /// A v1 tenant.
    Tenant {
        /// The tenant.
        tenant: TenantId,
        /// Its project.
        project: ProjectId,
        /// The user that the migration created for it. The tenant sees the dashboards of both, and new ones belong to the user.
        user: Option<(ProjectUserId, CustomerId)>,
        /// The permissions that its registration grants now.
        permissions: Permissions,
    },
}

/// A caller: identity, organization and API version.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// The identity.
    pub who: Who,
    /// The organization that they act for or belong to.
    pub organization: OrganizationId,
    /// The API version.
    pub generation: Generation,
}

impl Writer {
    /// A caller of v2.
    pub fn v2(caller: &HostOrViewer) -> Self {
        let generation = Generation::V2;
        match caller {
            HostOrViewer::Host(key) => Self { who: Who::Host, organization: key.organization, generation },
            HostOrViewer::Viewer(viewer) => Self { who: Who::of(viewer), organization: viewer.organization, generation },
        }
    }

    /// A caller of v1.
    pub fn v1(caller: &TenantOrHost) -> Self {
        let generation = Generation::V1;
        match caller {
            TenantOrHost::Host(host) => Self { who: Who::Host, organization: host.organization, generation },
            TenantOrHost::Viewer(viewer) => Self { who: Who::of(viewer), organization: viewer.organization, generation },
            TenantOrHost::Tenant(caller) => {
                let TenantCaller { id: tenant, project, organization, permissions, user } = *caller;
                Self { who: Who::Tenant { tenant, project, user, permissions }, organization, generation }
            }
        }
    }

    /// A viewer of the pages.
    pub const fn page(viewer: &Viewer) -> Self {
        Self { who: Who::of(viewer), organization: viewer.organization, generation: Generation::V2 }
    }

    /// A member who edits a shared dashboard on the page.
    pub const fn member(viewer: &Viewer) -> Self {
        let who = Who::Member { project: viewer.project };
        Self { who, organization: viewer.organization, generation: Generation::V2 }
    }

    /// What this writer can reach.
    pub const fn reach(&self) -> Reach {
        match self.who {
            Who::Host => Reach::Organization(self.organization),
            Who::Member { project } | Who::User { project, .. } | Who::Tenant { project, .. } => Reach::Project(project),
        }
    }

    /// The project user that the writer is or that a tenant became, with their customer.
    pub fn user(&self) -> Option<(ProjectUserId, Option<CustomerId>)> {
        match self.who {
            Who::Host | Who::Member { .. } => None,
            Who::User { user, customer, .. } => Some((user, customer)),
            Who::Tenant { user, .. } => user.map(|(user, customer)| (user, Some(customer))),
        }
    }

    /// The v1 tenant, if the writer is one.
    pub const fn tenant(&self) -> Option<TenantId> {
        match self.who {
            Who::Tenant { tenant, .. } => Some(tenant),
            Who::Host | Who::Member { .. } | Who::User { .. } => None,
        }
    }

    /// The creator of the charts that this writer adds to dashboards.
    pub fn maker(&self) -> Maker {
        match (self.user(), self.tenant()) {
            (Some((user, customer)), _) => Maker::user(user, customer),
            (None, Some(tenant)) => Maker::tenant(tenant),
            (None, None) => Maker::default(),
        }
    }

    /// Whether the writer may open this dashboard by its id, if it is within reach.
    pub fn sees(&self, dashboard: &Dashboard) -> bool {
        self.sees_those_of(dashboard.owner)
    }

    /// Whether the writer may open this owner's dashboards by their ids, if they are within reach.
    pub fn sees_those_of(&self, owner: Owner) -> bool {
        match (self.who, owner) {
            (_, Owner::Shared) => true,
            (Who::Host, owner) => self.generation == Generation::V1 && owner.tenant().is_some(),
            // Also while the migration moves them: the caller was read before it, the dashboard after.
            (Who::Tenant { tenant, .. }, owner) if owner.tenant() == Some(tenant) => true,
            (_, owner) => self.user().is_some_and(|(user, customer)| owner.is_seen_by(user, customer)),
        }
    }

    /// Whether this writer is the dashboard's only owner.
    pub fn owns(&self, dashboard: &Dashboard) -> bool {
        match (self.who, dashboard.owner) {
            (Who::Tenant { tenant, .. }, owner) if owner.tenant() == Some(tenant) => true,
            (_, Owner::User { user, .. }) => self.user().is_some_and(|(own, _)| own == user),
            _ => false,
        }
    }

    /// The owner of a dashboard that this writer creates.
    ///
    /// # Errors
    /// 403 `PROJECT_USER_WITHOUT_ORGANIZATION` for a user without a customer.
    pub fn space(&self) -> Result<Owner> {
        match self.who {
            Who::Host | Who::Member { .. } => Ok(Owner::Shared),
            Who::Tenant { tenant, user: None, .. } => Ok(Owner::Tenant(tenant)),
            Who::Tenant { tenant, user: Some((user, customer)), .. } => {
                Ok(Owner::User { user, customer: Some(customer), tenant: Some(tenant) })
            }
            Who::User { customer: None, .. } => Err(Error::new(
                Code::ProjectUserWithoutOrganization,
                "This user has no project organization, so they cannot own dashboards. Sign the user in with an organization.",
            )),
            Who::User { user, customer, .. } => Ok(Owner::User { user, customer, tenant: None }),
        }
    }

    /// Begins a write within the caller's transaction. The migration is not finalized before a v1 write ends, so it takes along
    /// what that wrote.
    ///
    /// # Errors
    /// 410 `MIGRATED_TO_V2` for a v1 write once the migration is finalized.
    pub async fn begin(&self, conn: &mut Conn<'_>) -> Result<()> {
        if self.generation == Generation::V1 && organizations::find_held(conn, self.organization).await?.migration_finalized {
            return Err(Error::new(Code::MigratedToV2, "This project has migrated to v2. Call the v2 endpoint instead."));
        }
        Ok(())
    }

    /// Refuses a write without the permission that it needs, and first the writer who cannot hold dashboards at all
    /// (docs/spec/contract.md, P15).
    ///
    /// # Errors
    ///
    /// 403 `PROJECT_USER_WITHOUT_ORGANIZATION`, `VIEW_ONLY` or `PERMISSION_DENIED`, 401 when the writer is deleted.
    pub async fn require(&self, conn: &mut Conn<'_>, needed: Flag) -> Result<()> {
        self.space()?;
        self.permissions(conn).await?.map_or(Ok(()), |permissions| allow(permissions, needed))
    }

    /// Refuses an action without a permission that does not grant editing.
    ///
    /// # Errors
    ///
    /// 403 `PERMISSION_DENIED`, 401 when the writer is deleted.
    pub async fn require_flag(&self, conn: &mut Conn<'_>, needed: Flag) -> Result<()> {
        match self.permissions(conn).await? {
            Some(permissions) if !permissions.allows(needed) => Err(lacks(needed)),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a change that needs no specific permission, such as moving charts, if the writer may not edit at all.
    ///
    /// # Errors
    ///
    /// 403 `PROJECT_USER_WITHOUT_ORGANIZATION` or `VIEW_ONLY`, 401 when the writer is deleted.
    pub async fn require_editing(&self, conn: &mut Conn<'_>) -> Result<()> {
        self.space()?;
        match self.permissions(conn).await? {
            Some(permissions) if !permissions.can_edit() => Err(view_only()),
            Some(_) | None => Ok(()),
        }
    }

    /// The writer's current permissions. `None` for the host and members, who may do everything.
    async fn permissions(&self, conn: &mut Conn<'_>) -> Result<Option<Permissions>> {
        let found = match self.who {
            Who::Host | Who::Member { .. } => return Ok(None),
            Who::User { user, project, .. } => store::permissions_of_user(conn, project, user).await?,
            Who::Tenant { permissions, .. } => Some(permissions),
        };
        found
            .map(Some)
            .ok_or_else(|| Error::new(Code::InvalidToken, "The token's user no longer exists. Sign the user in again."))
    }

    /// Refuses a change of a dashboard that the writer does not own.
    ///
    /// # Errors
    /// 409 `SHARED_DASHBOARD_READ_ONLY`, or 403 `NOT_DASHBOARD_OWNER` for a colleague's.
    pub fn require_own(&self, dashboard: &Dashboard) -> Result<()> {
        let changes_shared = matches!(self.who, Who::Member { .. }) && dashboard.owner == Owner::Shared;
        if self.who == Who::Host || changes_shared || self.owns(dashboard) {
            return Ok(());
        }
        if dashboard.owner == Owner::Shared {
            return Err(Error::new(
                Code::SharedDashboardReadOnly,
                "This dashboard is shared. Clone it and change the copy, which belongs to the user.",
            ));
        }
        Err(Error::new(
            Code::NotDashboardOwner,
            "This dashboard belongs to another user, and only that user can change it. Clone it and change the copy.",
        ))
    }
}

impl Who {
    /// A project user.
    pub const fn of(viewer: &Viewer) -> Self {
        Self::User { user: viewer.user, customer: viewer.customer, project: viewer.project }
    }
}

fn allow(permissions: Permissions, needed: Flag) -> Result<()> {
    if !permissions.can_edit() {
        return Err(view_only());
    }
    if permissions.allows(needed) {
        return Ok(());
    }
    Err(lacks(needed))
}

/// 403 for a role without a permission.
pub fn lacks(needed: Flag) -> Error {
    let details = Map::from_iter([("permission".to_owned(), Value::from(needed.name()))]);
    Error::new(Code::PermissionDenied, format!("This user's role lacks `{needed}`.")).with_details(details)
}

fn view_only() -> Error {
    Error::new(Code::ViewOnly, "This user's role is view-only. Give the user a role that grants editing.")
}
