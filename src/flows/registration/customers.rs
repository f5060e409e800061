//! Registering customers and users one by one, as older integrations do.

use crate::{
    concepts::{
        customers::{self, Customer, ProjectUser, properties::Properties},
        roles,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::ids::{CustomerId, ProjectId, ProjectUserId, RoleId};

/// A customer to register.
#[derive(Debug)]
pub struct NewCustomer {
    /// Its name.
    pub name: String,
    /// The host's own id. Defaults to the customer's id.
    pub external_id: Option<String>,
    /// Its properties.
    pub properties: Properties,
}

/// Registers a customer.
///
/// # Errors
///
/// 409 `EXTERNAL_ID_TAKEN`.
pub async fn register_customer(app: &App, actor: &Actor, project: ProjectId, new: NewCustomer) -> Result<Customer> {
    let id = CustomerId::generate();
    let external_id = new.external_id.unwrap_or_else(|| id.to_string());
    let customer = Customer { id, external_id, name: new.name, properties: without_nulls(new.properties) };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !customers::insert_customer(conn, project, &customer).await? {
        return Err(taken("customer"));
    }
    let deed = Deed::new("projectOrganization.created", id.0).in_project(project).named(&customer.name);
    audit::record(conn, actor, deed).await?;
    tx.commit().await?;
    Ok(customer)
}

/// A user to register.
#[derive(Debug)]
pub struct NewUser {
    /// Their name.
    pub name: String,
    /// The host's own id. Defaults to the user's id.
    pub external_id: Option<String>,
    /// Their id, if the host chooses it.
    pub id: Option<ProjectUserId>,
    /// Their properties.
    pub properties: Properties,
    /// Their role.
    pub role: Option<RoleId>,
    /// Their customer, by id or external id. A user without a customer cannot hold dashboards.
    pub customer: Option<String>,
}

/// Registers a user.
///
/// # Errors
///
/// 404 for a role or customer that the project does not have, 409 `EXTERNAL_ID_TAKEN`.
pub async fn register_user(app: &App, actor: &Actor, project: ProjectId, new: NewUser) -> Result<ProjectUser> {
    if let Some(role) = new.role {
        roles::of_project(app, project, role).await?;
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let customer = match &new.customer {
        Some(named) => Some(find_customer(conn, project, named).await?),
        None => None,
    };
    let id = new.id.unwrap_or_else(ProjectUserId::generate);
    let now = Timestamp::now();
    let user = ProjectUser {
        id,
        external_id: new.external_id.unwrap_or_else(|| id.to_string()),
        name: new.name,
        properties: without_nulls(new.properties),
        user_role_id: new.role,
        project_organization_id: customer,
        created_at: now,
        updated_at: now,
        project,
    };
    if !customers::insert_user(conn, &user).await? {
        return Err(taken("user"));
    }
    let deed = Deed::new("projectUser.created", id.0).in_project(project).named(&user.name);
    audit::record(conn, actor, deed).await?;
    tx.commit().await?;
    Ok(user)
}

/// A customer by id, otherwise by external id.
async fn find_customer(conn: &mut Conn<'_>, project: ProjectId, named: &str) -> Result<CustomerId> {
    if let Ok(id) = named.parse()
        && let Some(found) = customers::find_customer_by_id(conn, project, id).await?
    {
        return Ok(found.id);
    }
    let found = customers::find_customer(conn, project, named).await?;
    found.map(|customer| customer.id).ok_or_else(|| Error::not_found("Project organization"))
}

fn without_nulls(mut properties: Properties) -> Properties {
    properties.retain(|_, value| !value.is_null());
    properties
}

fn taken(what: &str) -> Error {
    Error::new(Code::ExternalIdTaken, format!("A {what} with this externalId or id already exists. Choose another one."))
}
