//! Who reads and writes dashboards, and what they may. A write reads the role at the time of writing, whatever
//! the token says (editing rule 6).

use super::{Dashboard, Owner, store};
use crate::{
    access::{HostOrViewer, TenantOrHost, Viewer, caller::Reach, tenant::TenantCaller},
    charts::Maker,
    error::{Code, Error, Result},
    store::Conn,
};
use inlay_contract::{
    ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, TenantId},
    permissions::{Flag, Permissions},
};
use serde_json::{Map, Value};

/// The API's generation that a call came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// Dashboards get a v1 id; a key reaches tenants' dashboards too.
    V1,
    /// A key reaches shared dashboards alone.
    V2,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The host's backend.
    Host,
    /// A member of the organization, who changes what is shared in a project.
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
        /// The user that the migration made for it: the dashboards of both are the tenant's, and new ones are the user's.
        user: Option<(ProjectUserId, CustomerId)>,
        /// What its registration allows now.
        permissions: Permissions,
    },
}

/// Who calls, for which organization, through which generation.
#[derive(Clone, Copy, Debug)]
pub struct Writer {
    /// Who.
    pub who: Who,
    /// The organization that they act for or belong to.
    pub organization: OrganizationId,
    /// The generation.
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

    /// A member who changes a shared dashboard on the page.
    pub const fn member(viewer: &Viewer) -> Self {
        let who = Who::Member { project: viewer.project };
        Self { who, organization: viewer.organization, generation: Generation::V2 }
    }

    /// What of the service is within reach.
    pub const fn reach(&self) -> Reach {
        match self.who {
            Who::Host => Reach::Organization(self.organization),
            Who::Member { project } | Who::User { project, .. } | Who::Tenant { project, .. } => Reach::Project(project),
        }
    }

    /// The project user that the writer is, or that a tenant became, with their customer.
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

    /// Who makes the charts that this writer puts on dashboards.
    pub fn maker(&self) -> Maker {
        match (self.user(), self.tenant()) {
            (Some((user, customer)), _) => Maker::user(user, customer),
            (None, Some(tenant)) => Maker::tenant(tenant),
            (None, None) => Maker::default(),
        }
    }

    /// Whether a dashboard within reach can be opened by its id.
    pub fn sees(&self, dashboard: &Dashboard) -> bool {
        self.sees_those_of(dashboard.owner)
    }

    /// Whether the dashboards of an owner within reach can be opened by their ids.
    pub fn sees_those_of(&self, owner: Owner) -> bool {
        match (self.who, owner) {
            (_, Owner::Shared) => true,
            (Who::Host, owner) => self.generation == Generation::V1 && owner.tenant().is_some(),
            (Who::Tenant { tenant, .. }, Owner::Tenant(owner)) => tenant == owner,
            (_, owner) => self.user().is_some_and(|(user, customer)| owner.is_seen_by(user, customer)),
        }
    }

    /// Whether a dashboard belongs to this writer alone.
    pub fn owns(&self, dashboard: &Dashboard) -> bool {
        match (self.who, dashboard.owner) {
            (Who::Tenant { tenant, .. }, Owner::Tenant(owner)) => tenant == owner,
            (_, Owner::User { user, .. }) => self.user().is_some_and(|(own, _)| own == user),
            _ => false,
        }
    }

    /// Whose a dashboard is that this writer makes.
    ///
    /// # Errors
    /// 403 `PROJECT_USER_WITHOUT_ORGANIZATION` for a user who has no space to hold one.
    pub fn space(&self) -> Result<Owner> {
        match self.who {
            Who::Host | Who::Member { .. } => Ok(Owner::Shared),
            Who::Tenant { tenant, user: None, .. } => Ok(Owner::Tenant(tenant)),
            Who::Tenant { tenant, user: Some((user, customer)), .. } => {
                Ok(Owner::User { user, customer: Some(customer), tenant: Some(tenant) })
            }
            Who::User { customer: None, .. } => Err(Error::new(
                Code::ProjectUserWithoutOrganization,
                "This user belongs to no project organization, so there is no space for their dashboards. Sign the user in with one.",
            )),
            Who::User { user, customer, .. } => Ok(Owner::User { user, customer, tenant: None }),
        }
    }

    /// Refuses a write that needs a permission which the writer does not have now.
    ///
    /// # Errors
    ///
    /// 403 `VIEW_ONLY` or `PERMISSION_DENIED`, 401 when the writer is gone.
    pub async fn require(&self, conn: &mut Conn<'_>, needed: Flag) -> Result<()> {
        self.permissions(conn).await?.map_or(Ok(()), |permissions| allow(permissions, needed))
    }

    /// Refuses what a flag that grants no editing does not allow.
    ///
    /// # Errors
    ///
    /// 403 `PERMISSION_DENIED`, 401 when the writer is gone.
    pub async fn require_flag(&self, conn: &mut Conn<'_>, needed: Flag) -> Result<()> {
        match self.permissions(conn).await? {
            Some(permissions) if !permissions.allows(needed) => Err(lacks(needed)),
            Some(_) | None => Ok(()),
        }
    }

    /// Refuses a change that needs no flag of its own, such as moving charts, to who may change nothing.
    ///
    /// # Errors
    ///
    /// 403 `VIEW_ONLY`, 401 when the writer is gone.
    pub async fn require_editing(&self, conn: &mut Conn<'_>) -> Result<()> {
        match self.permissions(conn).await? {
            Some(permissions) if !permissions.can_edit() => Err(view_only()),
            Some(_) | None => Ok(()),
        }
    }

    /// What the writer may do now; none for the host and members, who may do everything.
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

    /// Refuses a change of a dashboard that is not the writer's to change.
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
                "This dashboard is shared. Clone it first and change the copy, which lands in the user's space.",
            ));
        }
        Err(Error::new(
            Code::NotDashboardOwner,
            "This dashboard belongs to a colleague, who alone changes it. Clone it and change the copy.",
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

/// 403 for a role without a flag.
pub fn lacks(needed: Flag) -> Error {
    let details = Map::from_iter([("permission".to_owned(), Value::from(needed.name()))]);
    Error::new(Code::PermissionDenied, format!("This user's role lacks `{needed}`.")).with_details(details)
}

fn view_only() -> Error {
    Error::new(Code::ViewOnly, "This user's role is view-only. Give the user a role that grants editing.")
}
