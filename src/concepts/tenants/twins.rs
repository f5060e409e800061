//! Twins: tenants with the same permissions. They get the same role, whenever they are registered (docs/spec/service.md,
//! "Versioning", rule 7; docs/spec/contract.md, section 12, D8). Permissions are compared by the 20 resolved flags, never by
//! their text.

use super::store;
use crate::ground::{error::Result, state::App, store::Conn};
use inlay_contract::{
    ids::{OrganizationId, ProjectId, ProjectUserId, RoleId, TenantId},
    permissions::{Permissions, RolePermissions},
};

/// A role that tenants of a project have.
#[derive(Clone, Copy, Debug)]
pub struct RoleInUse {
    /// The project.
    pub(super) project: ProjectId,
    /// What those tenants were registered with.
    pub(super) tenants: Permissions,
    /// The role.
    pub(super) role: RoleId,
    /// What the role grants: more than the registrations, where the component's permissions filled in what they left out.
    pub(super) grants: Permissions,
}

/// A tenant that has no role.
#[derive(Clone, Copy, Debug)]
pub struct WithoutRole {
    /// The tenant.
    pub(super) id: TenantId,
    /// Its project.
    pub(super) project: ProjectId,
    /// What it was registered with.
    pub(super) permissions: Permissions,
}

/// The role of the oldest twins; without twins, a role of other tenants that grants exactly these permissions.
fn role_for(in_use: &[RoleInUse], project: ProjectId, permissions: Permissions) -> Option<RoleId> {
    let here = || in_use.iter().filter(|used| used.project == project);
    let twin = here().find(|used| used.tenants == permissions);
    twin.or_else(|| here().find(|used| used.grants == permissions)).map(|used| used.role)
}

/// The role of a project's tenants with the same permissions.
pub async fn role_of_twins(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    project: ProjectId,
    permissions: &RolePermissions,
) -> Result<Option<RoleId>> {
    Ok(role_for(&store::roles_in_use(conn, organization).await?, project, permissions.in_v1()))
}

/// Gives every tenant of an organization that has no role the role of its twins, and its user if that user has none. Returns
/// how many got one.
pub async fn share_roles(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<usize> {
    let in_use = store::roles_in_use(conn, organization).await?;
    if in_use.is_empty() {
        return Ok(0);
    }
    let mut given = 0;
    for tenant in store::without_role(conn, organization).await? {
        if let Some(role) = role_for(&in_use, tenant.project, tenant.permissions) {
            store::give_role(conn, tenant.id, role).await?;
            given += 1;
        }
    }
    Ok(given)
}

/// Whether a tenant's user has another role than the migration gave it. The host set that one, by a sign-in for example.
pub async fn role_is_hosts(conn: &mut Conn<'_>, tenant: TenantId) -> Result<bool> {
    store::user_has_other_role(conn, tenant).await
}

/// Keeps the role that the host set for a user, if the user was a tenant: registrations no longer change it.
pub async fn keep_role(app: &App, user: ProjectUserId) -> Result<()> {
    let following = store::following(&mut app.db.read().await?.conn(), user).await?;
    if let Some(tenant) = following {
        let mut tx = app.db.write().await?;
        store::keep_role(&mut tx.conn(), tenant).await?;
        tx.commit().await?;
    }
    Ok(())
}
