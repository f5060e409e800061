//! Customers and project users in the store.

mod pairs;

pub use pairs::{Pair, Sought, find_pair, find_pairs};

use super::{Customer, ProjectUser, properties::Properties};
use crate::{
    concepts::{projects, roles},
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, RoleId};
use sqlx::{FromRow, types::Json};

row! {
    /// A customer of a project.
    pub(crate) struct CustomerRow in "customers" {
        id: CustomerId,
        project_id: ProjectId,
        external_id: String,
        name: String,
        properties: Json<Properties>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

row! {
    /// A user of a project.
    pub(crate) struct ProjectUserRow in "project_users" {
        id: ProjectUserId,
        project_id: ProjectId,
        customer_id: Option<CustomerId>,
        external_id: String,
        name: String,
        properties: Json<Properties>,
        role_id: Option<RoleId>,
        created_at: Timestamp,
        updated_at: Timestamp,
        seen_at: Option<Timestamp>,
    }
}

#[derive(FromRow)]
struct FoundProperties {
    own: Json<Properties>,
    customers: Option<Json<Properties>>,
}

impl From<CustomerRow> for Customer {
    fn from(row: CustomerRow) -> Self {
        Self { id: row.id, external_id: row.external_id, name: row.name, properties: row.properties.0 }
    }
}

impl From<ProjectUserRow> for ProjectUser {
    fn from(row: ProjectUserRow) -> Self {
        Self {
            id: row.id,
            external_id: row.external_id,
            name: row.name,
            properties: row.properties.0,
            user_role_id: row.role_id,
            project_organization_id: row.customer_id,
            created_at: row.created_at,
            updated_at: row.updated_at,
            project: row.project_id,
        }
    }
}

/// Creates a customer unless the project has one with the same external id. Returns whether it was created.
pub async fn insert_customer(conn: &mut Conn<'_>, project: ProjectId, customer: &Customer) -> Result<bool> {
    const SQL: &str = sql!(inserts!(CustomerRow), " ON CONFLICT (project_id, external_id) DO NOTHING");
    let now = Timestamp::now();
    let row = CustomerRow {
        id: customer.id,
        project_id: project,
        external_id: customer.external_id.clone(),
        name: customer.name.clone(),
        properties: Json(customer.properties.clone()),
        created_at: now,
        updated_at: now,
    };
    let made = on!(conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()));
    Ok(made.map_err(projects::adding)? == 1)
}

/// Creates a user unless their customer (or, without one, the project) has one with the same external id. Returns whether it was created.
pub async fn insert_user(conn: &mut Conn<'_>, user: &ProjectUser) -> Result<bool> {
    const SQL: &str = sql!(inserts!(ProjectUserRow), " ON CONFLICT DO NOTHING");
    let row = ProjectUserRow {
        id: user.id,
        project_id: user.project,
        customer_id: user.project_organization_id,
        external_id: user.external_id.clone(),
        name: user.name.clone(),
        properties: Json(user.properties.clone()),
        role_id: user.user_role_id,
        created_at: user.created_at,
        updated_at: user.created_at,
        seen_at: None,
    };
    let made = on!(conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()));
    Ok(made.map_err(if user.user_role_id.is_some() { role_is_gone } else { projects::adding })? == 1)
}

/// Locks a user against other writers until this transaction ends.
pub async fn lock_user(conn: &mut Conn<'_>, id: ProjectUserId) -> Result<()> {
    const SQL: &str = "UPDATE project_users SET external_id = external_id WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

const LOCK_CUSTOMER: &str = "UPDATE customers SET external_id = external_id WHERE project_id = $1";

/// A customer of a project by external id, locked against other writers until this transaction ends. Lock a customer before its users.
pub async fn locked_customer(conn: &mut Conn<'_>, project: ProjectId, external_id: &str) -> Result<Option<Customer>> {
    const SQL: &str = sql!(LOCK_CUSTOMER, " AND external_id = $2 RETURNING ", columns!(CustomerRow));
    let found = on!(conn, |c| sqlx::query_as::<_, CustomerRow>(SQL).bind(project).bind(external_id).fetch_optional(c).await)?;
    Ok(found.map(Customer::from))
}

/// A customer of a project, locked against other writers until this transaction ends.
pub async fn locked_customer_by_id(conn: &mut Conn<'_>, project: ProjectId, id: CustomerId) -> Result<Option<Customer>> {
    const SQL: &str = sql!(LOCK_CUSTOMER, " AND id = $2 RETURNING ", columns!(CustomerRow));
    let found = on!(conn, |c| sqlx::query_as::<_, CustomerRow>(SQL).bind(project).bind(id).fetch_optional(c).await)?;
    Ok(found.map(Customer::from))
}

const LOCK_USER: &str = "UPDATE project_users SET external_id = external_id WHERE";

/// A user of a project, locked against other writers until this transaction ends.
pub async fn locked_user(conn: &mut Conn<'_>, project: ProjectId, id: ProjectUserId) -> Result<Option<ProjectUser>> {
    const SQL: &str = sql!(LOCK_USER, " id = $1 AND project_id = $2 RETURNING ", columns!(ProjectUserRow));
    let found = on!(conn, |c| sqlx::query_as::<_, ProjectUserRow>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    Ok(found.map(ProjectUser::from))
}

/// A user of a customer by external id, locked against other writers until this transaction ends.
pub async fn locked_user_of_customer(
    conn: &mut Conn<'_>,
    customer: CustomerId,
    external_id: &str,
) -> Result<Option<ProjectUser>> {
    const SQL: &str = sql!(LOCK_USER, " customer_id = $1 AND external_id = $2 RETURNING ", columns!(ProjectUserRow));
    let found = on!(conn, |c| {
        let find = sqlx::query_as::<_, ProjectUserRow>(SQL).bind(customer).bind(external_id);
        find.fetch_optional(c).await
    })?;
    Ok(found.map(ProjectUser::from))
}

/// Sets a user's role, or removes it. Name and properties stay as they are stored.
pub async fn set_role(conn: &mut Conn<'_>, project: ProjectId, id: ProjectUserId, role: Option<RoleId>) -> Result<()> {
    const SQL: &str = "UPDATE project_users SET role_id = $3, updated_at = $4 WHERE id = $1 AND project_id = $2";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(project).bind(role).bind(Timestamp::now());
        update.execute(c).await.map(drop)
    })
    .map_err(role_is_gone)
}

/// Updates a customer's name and properties.
pub async fn update_customer(conn: &mut Conn<'_>, customer: &Customer) -> Result<()> {
    const SQL: &str = "UPDATE customers SET name = $2, properties = $3, updated_at = $4 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(customer.id).bind(&customer.name).bind(Json(&customer.properties));
        update.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Updates a user's name, properties and role.
pub async fn update_user(conn: &mut Conn<'_>, user: &ProjectUser) -> Result<()> {
    const SQL: &str = "UPDATE project_users SET name = $2, properties = $3, role_id = $4, updated_at = $5 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(user.id).bind(&user.name).bind(Json(&user.properties)).bind(user.user_role_id);
        update.bind(user.updated_at).execute(c).await.map(drop)
    })
    .map_err(role_is_gone)
}

/// A role that another node has just deleted is treated as not existing.
fn role_is_gone(fault: sqlx::Error) -> Error {
    let names_nothing = fault.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation);
    if names_nothing { roles::not_found() } else { fault.into() }
}

const USERS: &str = sql!("SELECT ", columns!(ProjectUserRow), " FROM project_users");

/// A user of a project.
pub async fn find_user(conn: &mut Conn<'_>, project: ProjectId, id: ProjectUserId) -> Result<Option<ProjectUser>> {
    const SQL: &str = sql!(USERS, " WHERE id = $1 AND project_id = $2");
    let found = on!(conn, |c| sqlx::query_as::<_, ProjectUserRow>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    Ok(found.map(ProjectUser::from))
}

/// A user of any project of an organization.
pub async fn find_user_of_organization(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    id: ProjectUserId,
) -> Result<Option<ProjectUser>> {
    const SQL: &str =
        sql!(USERS, " WHERE id = $1 AND project_id IN (SELECT p.id FROM projects p WHERE p.organization_id = $2)");
    let found = on!(conn, |c| sqlx::query_as::<_, ProjectUserRow>(SQL).bind(id).bind(organization).fetch_optional(c).await)?;
    Ok(found.map(ProjectUser::from))
}

/// A user of a customer by external id.
pub async fn find_user_of_customer(
    conn: &mut Conn<'_>,
    customer: CustomerId,
    external_id: &str,
) -> Result<Option<ProjectUser>> {
    const SQL: &str = sql!(USERS, " WHERE customer_id = $1 AND external_id = $2");
    let found = on!(conn, |c| {
        let find = sqlx::query_as::<_, ProjectUserRow>(SQL).bind(customer).bind(external_id);
        find.fetch_optional(c).await
    })?;
    Ok(found.map(ProjectUser::from))
}

const CUSTOMERS: &str = sql!("SELECT ", columns!(CustomerRow), " FROM customers WHERE project_id = $1");

/// A customer of a project by external id.
pub async fn find_customer(conn: &mut Conn<'_>, project: ProjectId, external_id: &str) -> Result<Option<Customer>> {
    const SQL: &str = sql!(CUSTOMERS, " AND external_id = $2");
    let found = on!(conn, |c| sqlx::query_as::<_, CustomerRow>(SQL).bind(project).bind(external_id).fetch_optional(c).await)?;
    Ok(found.map(Customer::from))
}

/// A customer of a project.
pub async fn find_customer_by_id(conn: &mut Conn<'_>, project: ProjectId, id: CustomerId) -> Result<Option<Customer>> {
    const SQL: &str = sql!(CUSTOMERS, " AND id = $2");
    let found = on!(conn, |c| sqlx::query_as::<_, CustomerRow>(SQL).bind(project).bind(id).fetch_optional(c).await)?;
    Ok(found.map(Customer::from))
}

/// The properties that row rules read for a user of a project: their own and their customer's.
pub async fn properties_of(
    conn: &mut Conn<'_>,
    project: ProjectId,
    id: ProjectUserId,
) -> Result<Option<(Properties, Option<Properties>)>> {
    const SQL: &str = "SELECT u.properties AS own, c.properties AS customers FROM project_users u LEFT JOIN customers c ON c.id = u.customer_id \
        WHERE u.id = $1 AND u.project_id = $2";
    let found = on!(conn, |c| sqlx::query_as::<_, FoundProperties>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    Ok(found.map(|found| (found.own.0, found.customers.map(|Json(properties)| properties))))
}
