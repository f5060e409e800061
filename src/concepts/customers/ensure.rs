//! Creates missing customers and users for imports and the migration, within the caller's transaction.

use super::{
    Customer, ProjectUser,
    properties::{Properties, merge},
    store,
};
use crate::{
    concepts::projects,
    ground::{error::Result, store::Conn, time::Timestamp},
};
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId, RoleId};

/// A user to create unless one with the same external id exists.
#[derive(Clone, Copy, Debug)]
pub struct NewUser<'a> {
    /// The host's own id.
    pub external_id: &'a str,
    /// Their name.
    pub name: &'a str,
    /// Their role. An existing user keeps their role.
    pub role: Option<RoleId>,
}

/// The customer with this external id, created if missing. An existing one keeps name and properties and gets missing properties.
pub async fn ensure(
    conn: &mut Conn<'_>,
    project: ProjectId,
    external_id: &str,
    name: &str,
    properties: &Properties,
) -> Result<CustomerId> {
    let new = Customer {
        id: CustomerId::generate(),
        external_id: external_id.to_owned(),
        name: name.to_owned(),
        properties: properties.clone(),
    };
    if store::insert_customer(conn, project, &new).await? {
        return Ok(new.id);
    }
    let found = store::locked_customer(conn, project, external_id).await?;
    let mut customer = found.ok_or_else(projects::unknown)?;
    if fill(&mut customer.properties, properties) {
        store::update_customer(conn, &customer).await?;
    }
    Ok(customer.id)
}

/// The user with this external id within a customer, created if missing. An existing one keeps name, properties and role and
/// gets what is missing.
pub async fn ensure_user(
    conn: &mut Conn<'_>,
    project: ProjectId,
    customer: CustomerId,
    wanted: NewUser<'_>,
    properties: &Properties,
) -> Result<ProjectUserId> {
    let now = Timestamp::now();
    let new = ProjectUser {
        id: ProjectUserId::generate(),
        external_id: wanted.external_id.to_owned(),
        name: wanted.name.to_owned(),
        properties: properties.clone(),
        user_role_id: wanted.role,
        project_organization_id: Some(customer),
        created_at: now,
        updated_at: now,
        project,
    };
    if store::insert_user(conn, &new).await? {
        return Ok(new.id);
    }
    let found = store::locked_user_of_customer(conn, customer, wanted.external_id).await?;
    let mut user = found.ok_or_else(projects::unknown)?;
    let before = user.user_role_id;
    user.user_role_id = before.or(wanted.role);
    if fill(&mut user.properties, properties) || user.user_role_id != before {
        user.updated_at = now;
        store::update_user(conn, &user).await?;
    }
    Ok(user.id)
}

/// Adds missing properties. Returns whether there were any.
fn fill(stored: &mut Properties, offered: &Properties) -> bool {
    let missing: Properties =
        offered.iter().filter(|(key, _)| !stored.contains_key(*key)).map(|(key, value)| (key.clone(), value.clone())).collect();
    merge(stored, &missing)
}

/// Merges properties into a customer's and a user's, as embed-token does.
pub async fn merge_properties(
    conn: &mut Conn<'_>,
    project: ProjectId,
    customer: CustomerId,
    user: ProjectUserId,
    sent: &Properties,
) -> Result<()> {
    if let Some(mut customer) = store::locked_customer_by_id(conn, project, customer).await?
        && merge(&mut customer.properties, sent)
    {
        store::update_customer(conn, &customer).await?;
    }
    if let Some(mut user) = store::locked_user(conn, project, user).await?
        && merge(&mut user.properties, sent)
    {
        user.updated_at = Timestamp::now();
        store::update_user(conn, &user).await?;
    }
    Ok(())
}
