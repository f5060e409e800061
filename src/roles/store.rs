//! Roles in the store.

use super::Role;
use crate::{
    error::{Code, Error, Result},
    on, projects,
    store::{Conn, is_taken, version},
    time::Timestamp,
};
use inlay_contract::{
    ids::{OrganizationId, ProjectId, RoleId},
    permissions::RolePermissions,
};
use sqlx::types::Json;

type Row = (RoleId, String, OrganizationId, ProjectId, Json<RolePermissions>, Timestamp, Timestamp);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.name, p.organization_id, r.project_id, r.permissions, r.created_at, r.updated_at ",
            "FROM roles r JOIN projects p ON p.id = r.project_id ",
            $rest
        )
    };
}

fn role((id, name, organization_id, project_id, Json(permissions), created_at, updated_at): Row) -> Role {
    Role { id, name, organization_id, project_id, permissions, created_at, updated_at }
}

/// A role by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: RoleId) -> Result<Option<Role>> {
    const SQL: &str = select!("WHERE r.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(role))
}

/// The roles of a project, by name.
///
/// # Errors
/// The store is away.
pub async fn list(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Role>> {
    const SQL: &str = select!("WHERE r.project_id = $1 ORDER BY r.name");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(role).collect())
}

/// Makes a role.
///
/// # Errors
/// 409 `ROLE_NAME_TAKEN`, or the store is away.
pub async fn insert(conn: &mut Conn<'_>, project: ProjectId, name: &str, permissions: &RolePermissions) -> Result<RoleId> {
    const SQL: &str =
        "INSERT INTO roles (id, project_id, name, permissions, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)";
    let id = RoleId::generate();
    let done = on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(project).bind(name).bind(Json(permissions));
        insert.bind(Timestamp::now()).execute(c).await.map(drop)
    });
    name_is_free(done, name)?;
    version::bump(conn).await?;
    Ok(id)
}

/// Makes others who would change a role wait until this transaction ends.
///
/// # Errors
/// The store is away.
pub async fn lock(conn: &mut Conn<'_>, id: RoleId) -> Result<()> {
    const SQL: &str = "UPDATE roles SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Changes a role; `permissions` are replaced whole.
///
/// # Errors
/// 409 `ROLE_NAME_TAKEN`, or the store is away.
pub async fn update(conn: &mut Conn<'_>, id: RoleId, name: &str, permissions: &RolePermissions) -> Result<()> {
    const SQL: &str = "UPDATE roles SET name = $2, permissions = $3, updated_at = $4 WHERE id = $1";
    let done = on!(conn, |c| {
        sqlx::query(SQL).bind(id).bind(name).bind(Json(permissions)).bind(Timestamp::now()).execute(c).await.map(drop)
    });
    name_is_free(done, name)?;
    version::bump(conn).await
}

fn name_is_free(done: Result<(), sqlx::Error>, name: &str) -> Result<()> {
    match done {
        Err(fault) if is_taken(&fault) => {
            Err(Error::new(Code::RoleNameTaken, format!("A role called `{name}` exists in this project. Choose another name.")))
        }
        other => other.map_err(projects::adding),
    }
}

/// Removes a role; its users are left without one.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: RoleId) -> Result<()> {
    const SQL: &str = "DELETE FROM roles WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    version::bump(conn).await
}

/// How many users have a role.
///
/// # Errors
/// The store is away.
pub async fn users(conn: &mut Conn<'_>, id: RoleId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM project_users WHERE role_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_one(c).await)?)
}
