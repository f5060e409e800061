//! Converts a tenant to a customer with one project user.

use super::{Tenant, store};
use crate::{
    concepts::customers::{self, properties::Properties},
    ground::{
        audit::{self, Actor, Deed},
        error::Result,
        store::Conn,
    },
};
use inlay_contract::ids::{CustomerId, ProjectUserId};
use serde_json::Value;

/// The result for a tenant.
#[derive(Clone, Copy, Debug)]
pub struct Mapped {
    /// The user of the tenant.
    pub user: ProjectUserId,
    /// Their customer.
    pub customer: CustomerId,
    /// How many dashboards were moved from the tenant to the user.
    pub dashboards: u64,
}

/// Creates a customer and a user for a tenant. Both get its prefilters as properties; the user gets its role and dashboards. An
/// existing customer or user with the same external id is kept, and gets missing prefilters.
pub async fn map(conn: &mut Conn<'_>, actor: &Actor, tenant: &Tenant) -> Result<Mapped> {
    let customer = customers::ensure(conn, tenant.project, &tenant.key, &tenant.name, &tenant.prefilters).await?;
    let wanted = customers::NewUser { external_id: &tenant.key, name: &tenant.name, role: tenant.role };
    let user = customers::ensure_user(conn, tenant.project, customer, wanted, &tenant.prefilters).await?;
    let dashboards = store::set_user(conn, tenant.id, user).await?;
    let deed = Deed::new("tenant.mapped", tenant.id.0).in_project(tenant.project).named(&tenant.name);
    let deed = deed.with("projectUserId", user.to_string()).with("projectOrganizationId", customer.to_string());
    audit::record(conn, actor, deed.with("dashboards", dashboards)).await?;
    Ok(Mapped { user, customer, dashboards })
}

/// Copies changed prefilters to the tenant's customer and user: keys that the tenant no longer has are removed, others take its values.
pub async fn carry_over(
    conn: &mut Conn<'_>,
    tenant: &Tenant,
    before: &Properties,
    (user, customer): (ProjectUserId, CustomerId),
) -> Result<()> {
    let mut sent = tenant.prefilters.clone();
    for key in before.keys() {
        sent.entry(key.clone()).or_insert(Value::Null);
    }
    customers::merge_properties(conn, tenant.project, customer, user, &sent).await
}
