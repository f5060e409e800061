//! Tenants: v1's customers of the host. The migration creates a customer and a project user for each of them.

pub mod mapping;
mod store;
pub mod twins;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::TenantRow;
pub use store::{find_by_key, hand_over_dashboards, insert, of_project, set_role, unmapped, update};

use crate::{
    concepts::customers::properties::Properties,
    ground::{error::Result, state::App, store::Conn},
};
use inlay_contract::{
    ids::{CustomerId, ProjectId, ProjectUserId, RoleId, TenantId},
    permissions::RolePermissions,
};
use serde_json::{Map, Value};

/// A tenant.
#[derive(Clone, Debug, PartialEq)]
pub struct Tenant {
    /// Its id.
    pub id: TenantId,
    /// The project that it belongs to.
    pub project: ProjectId,
    /// The key by which a later registration finds the same tenant.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The filters of its rows, which become properties of its customer and user.
    pub prefilters: Properties,
    /// Its users' permissions in v1, where an unset flag is off.
    pub permissions: RolePermissions,
    /// The host's own data about it.
    pub metadata: Map<String, Value>,
    /// The user that the migration created for it, with their customer.
    pub user: Option<(ProjectUserId, CustomerId)>,
    /// The role that its user gets.
    pub role: Option<RoleId>,
    /// Whether the host itself set the role of its user. Registrations no longer change it then.
    pub role_kept: bool,
}

/// A tenant of a project.
pub async fn find(app: &App, project: ProjectId, id: TenantId) -> Result<Option<Tenant>> {
    let found = store::find(&mut app.db.read().await?.conn(), id).await?;
    Ok(found.filter(|tenant| tenant.project == project))
}

/// A tenant of a project, locked against other writers until this transaction ends.
pub async fn locked(conn: &mut Conn<'_>, project: ProjectId, key: &str) -> Result<Option<Tenant>> {
    store::lock(conn, project, key).await?;
    store::find_by_key(conn, project, key).await
}
