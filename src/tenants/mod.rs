//! Tenants: what v1 called the host's customers. The migration makes a customer and a project user of each.

pub mod mapping;
pub mod registration;
pub mod store;
pub mod v1;

#[cfg(test)]
mod tests;

use crate::{customers::properties::Properties, error::Result, state::App, store::Conn};
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
    /// What makes it the same tenant at the next registration.
    pub key: String,
    /// Its name.
    pub name: String,
    /// What its rows are narrowed by; they become its customer's and user's properties.
    pub prefilters: Properties,
    /// What its users may do in v1, where an unset flag is off.
    pub permissions: RolePermissions,
    /// What the host keeps with it.
    pub metadata: Map<String, Value>,
    /// The user that the migration made for it, with their customer.
    pub user: Option<(ProjectUserId, CustomerId)>,
    /// The role that its user gets.
    pub role: Option<RoleId>,
}

/// A tenant of a project.
pub async fn find(app: &App, project: ProjectId, id: TenantId) -> Result<Option<Tenant>> {
    let found = store::find(&mut app.db.read().await?.conn(), id).await?;
    Ok(found.filter(|tenant| tenant.project == project))
}

/// A tenant of a project as it stands in this transaction; others who would change it wait.
pub async fn locked(conn: &mut Conn<'_>, project: ProjectId, key: &str) -> Result<Option<Tenant>> {
    store::lock(conn, project, key).await?;
    store::find_by_key(conn, project, key).await
}
