//! Customers and project users in the store.

use super::{Customer, ProjectUser, properties::Properties};
use crate::{
    error::{Error, Result},
    on, projects, roles,
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::{CustomerId, OrganizationId, ProjectId, ProjectUserId, RoleId};
use sqlx::types::Json;

type UserRow =
    (ProjectUserId, ProjectId, Option<CustomerId>, String, String, Json<Properties>, Option<RoleId>, Timestamp, Timestamp);

macro_rules! select_user {
    ($rest:literal) => {
        concat!(
            "SELECT id, project_id, customer_id, external_id, name, properties, role_id, created_at, updated_at ",
            "FROM project_users ",
            $rest
        )
    };
}

fn user((id, project, customer, external_id, name, Json(properties), role, created_at, updated_at): UserRow) -> ProjectUser {
    ProjectUser {
        id,
        external_id,
        name,
        properties,
        user_role_id: role,
        project_organization_id: customer,
        created_at,
        updated_at,
        project,
    }
}

/// A customer of a project with one of its users, in one look: what a repeated sign-in reads.
///
/// # Errors
/// The store is away.
pub async fn find_pair(
    conn: &mut Conn<'_>,
    project: ProjectId,
    customer: &str,
    person: &str,
) -> Result<Option<(Customer, Option<ProjectUser>)>> {
    const SQL: &str = "SELECT c.id, c.name, c.properties, u.id, u.name, u.properties, u.role_id, u.created_at, u.updated_at \
        FROM customers c LEFT JOIN project_users u ON u.customer_id = c.id AND u.external_id = $3 \
        WHERE c.project_id = $1 AND c.external_id = $2";
    type Row = (
        CustomerId,
        String,
        Json<Properties>,
        Option<ProjectUserId>,
        Option<String>,
        Option<Json<Properties>>,
        Option<RoleId>,
        Option<Timestamp>,
        Option<Timestamp>,
    );
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).bind(customer).bind(person).fetch_optional(c).await)?;
    Ok(found.map(|(id, name, Json(properties), user_id, user_name, user_properties, role, created_at, updated_at)| {
        let user = user_id.zip(user_name).zip(user_properties).zip(created_at).zip(updated_at);
        let user = user.map(|((((id_of_user, name), Json(properties)), created_at), updated_at)| ProjectUser {
            id: id_of_user,
            external_id: person.to_owned(),
            name,
            properties,
            user_role_id: role,
            project_organization_id: Some(id),
            created_at,
            updated_at,
            project,
        });
        (Customer { id, external_id: customer.to_owned(), name, properties }, user)
    }))
}

/// Makes a customer unless the project has one of the same external id; whether it was made.
///
/// # Errors
/// The store is away.
pub async fn insert_customer(conn: &mut Conn<'_>, project: ProjectId, customer: &Customer) -> Result<bool> {
    const SQL: &str = "INSERT INTO customers (id, project_id, external_id, name, properties, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (project_id, external_id) DO NOTHING";
    let made = on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(customer.id).bind(project).bind(&customer.external_id).bind(&customer.name);
        insert.bind(Json(&customer.properties)).bind(Timestamp::now()).execute(c).await.map(|done| done.rows_affected())
    })
    .map_err(projects::adding)?;
    Ok(made == 1)
}

/// Makes a user unless their customer (or, without one, the project) has one of the same external id; whether it was made.
///
/// # Errors
/// The store is away.
pub async fn insert_user(conn: &mut Conn<'_>, user: &ProjectUser) -> Result<bool> {
    const SQL: &str = "INSERT INTO project_users \
        (id, project_id, customer_id, external_id, name, properties, role_id, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT DO NOTHING";
    let made = on!(conn, |c| {
        let insert =
            sqlx::query(SQL).bind(user.id).bind(user.project).bind(user.project_organization_id).bind(&user.external_id);
        let insert = insert.bind(&user.name).bind(Json(&user.properties)).bind(user.user_role_id).bind(user.created_at);
        insert.execute(c).await.map(|done| done.rows_affected())
    })
    .map_err(if user.user_role_id.is_some() { role_is_gone } else { projects::adding })?;
    Ok(made == 1)
}

/// Makes other writers of a customer and its users wait until this transaction ends, in both databases.
///
/// # Errors
/// The store is away.
pub async fn lock_customer(conn: &mut Conn<'_>, project: ProjectId, external_id: &str) -> Result<()> {
    const SQL: &str = "UPDATE customers SET external_id = external_id WHERE project_id = $1 AND external_id = $2";
    on!(conn, |c| sqlx::query(SQL).bind(project).bind(external_id).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes other writers of a user wait until this transaction ends.
///
/// # Errors
/// The store is away.
pub async fn lock_user(conn: &mut Conn<'_>, id: ProjectUserId) -> Result<()> {
    const SQL: &str = "UPDATE project_users SET external_id = external_id WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Writes a customer's name and properties.
///
/// # Errors
/// The store is away.
pub async fn update_customer(conn: &mut Conn<'_>, customer: &Customer) -> Result<()> {
    const SQL: &str = "UPDATE customers SET name = $2, properties = $3, updated_at = $4 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(customer.id).bind(&customer.name).bind(Json(&customer.properties));
        update.bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Writes a user's name, properties and role.
///
/// # Errors
/// The store is away.
pub async fn update_user(conn: &mut Conn<'_>, user: &ProjectUser) -> Result<()> {
    const SQL: &str = "UPDATE project_users SET name = $2, properties = $3, role_id = $4, updated_at = $5 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(user.id).bind(&user.name).bind(Json(&user.properties)).bind(user.user_role_id);
        update.bind(user.updated_at).execute(c).await.map(drop)
    })
    .map_err(role_is_gone)
}

/// A role that another node has deleted a moment ago is one that does not exist.
fn role_is_gone(fault: sqlx::Error) -> Error {
    let names_nothing = fault.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation);
    if names_nothing { roles::not_found() } else { fault.into() }
}

/// A user of a project.
///
/// # Errors
/// The store is away.
pub async fn find_user(conn: &mut Conn<'_>, project: ProjectId, id: ProjectUserId) -> Result<Option<ProjectUser>> {
    const SQL: &str = select_user!("WHERE id = $1 AND project_id = $2");
    Ok(on!(conn, |c| sqlx::query_as::<_, UserRow>(SQL).bind(id).bind(project).fetch_optional(c).await)?.map(user))
}

/// A user of any project of an organization.
///
/// # Errors
/// The store is away.
pub async fn find_user_of_organization(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    id: ProjectUserId,
) -> Result<Option<ProjectUser>> {
    const SQL: &str =
        select_user!("WHERE id = $1 AND project_id IN (SELECT p.id FROM projects p WHERE p.organization_id = $2)");
    Ok(on!(conn, |c| sqlx::query_as::<_, UserRow>(SQL).bind(id).bind(organization).fetch_optional(c).await)?.map(user))
}

/// A user of a customer by external id.
///
/// # Errors
/// The store is away.
pub async fn find_user_of_customer(
    conn: &mut Conn<'_>,
    customer: CustomerId,
    external_id: &str,
) -> Result<Option<ProjectUser>> {
    const SQL: &str = select_user!("WHERE customer_id = $1 AND external_id = $2");
    Ok(on!(conn, |c| sqlx::query_as::<_, UserRow>(SQL).bind(customer).bind(external_id).fetch_optional(c).await)?.map(user))
}

type CustomerRow = (CustomerId, String, String, Json<Properties>);

fn customer((id, external_id, name, Json(properties)): CustomerRow) -> Customer {
    Customer { id, external_id, name, properties }
}

/// A customer of a project by external id.
///
/// # Errors
/// The store is away.
pub async fn find_customer(conn: &mut Conn<'_>, project: ProjectId, external_id: &str) -> Result<Option<Customer>> {
    const SQL: &str = "SELECT id, external_id, name, properties FROM customers WHERE project_id = $1 AND external_id = $2";
    let found = on!(conn, |c| sqlx::query_as::<_, CustomerRow>(SQL).bind(project).bind(external_id).fetch_optional(c).await)?;
    Ok(found.map(customer))
}

/// A customer of a project.
///
/// # Errors
/// The store is away.
pub async fn find_customer_by_id(conn: &mut Conn<'_>, project: ProjectId, id: CustomerId) -> Result<Option<Customer>> {
    const SQL: &str = "SELECT id, external_id, name, properties FROM customers WHERE project_id = $1 AND id = $2";
    let found = on!(conn, |c| sqlx::query_as::<_, CustomerRow>(SQL).bind(project).bind(id).fetch_optional(c).await)?;
    Ok(found.map(customer))
}

/// What row rules read of a user of a project: their own properties and their customer's.
///
/// # Errors
/// The store is away.
pub async fn properties(
    conn: &mut Conn<'_>,
    project: ProjectId,
    id: ProjectUserId,
) -> Result<Option<(Properties, Option<Properties>)>> {
    const SQL: &str = "SELECT u.properties, c.properties FROM project_users u LEFT JOIN customers c ON c.id = u.customer_id \
        WHERE u.id = $1 AND u.project_id = $2";
    type Row = (Json<Properties>, Option<Json<Properties>>);
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    Ok(found.map(|(Json(own), customer)| (own, customer.map(|Json(properties)| properties))))
}
