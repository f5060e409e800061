//! Roles in the store.

use super::Role;
use crate::{
    concepts::projects,
    ground::{
        error::{Code, Error, Result},
        store::{
            Conn, is_taken,
            rows::{self, columns, row, sql},
            version::{self, Scope},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    ids::{OrganizationId, ProjectId, RoleId},
    permissions::RolePermissions,
};
use sqlx::{FromRow, types::Json};

row! {
    /// A role.
    pub(crate) struct RoleRow in "roles" {
        id: RoleId,
        project_id: ProjectId,
        name: String,
        permissions: Json<RolePermissions>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

#[derive(FromRow)]
struct FoundRole {
    #[sqlx(flatten)]
    row: RoleRow,
    organization_id: OrganizationId,
}

impl From<FoundRole> for Role {
    fn from(FoundRole { row, organization_id }: FoundRole) -> Self {
        Self {
            id: row.id,
            name: row.name,
            organization_id,
            project_id: row.project_id,
            permissions: row.permissions.0,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

const SELECT: &str =
    sql!("SELECT ", columns!(RoleRow as r), ", p.organization_id FROM roles r JOIN projects p ON p.id = r.project_id");

/// A role by its id.
pub async fn find(conn: &mut Conn<'_>, id: RoleId) -> Result<Option<Role>> {
    const SQL: &str = sql!(SELECT, " WHERE r.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundRole>(SQL).bind(id).fetch_optional(c).await)?.map(Role::from))
}

/// The next roles of a project, by name.
pub async fn part_of_project(conn: &mut Conn<'_>, project: ProjectId, after: Option<&str>, most: i64) -> Result<Vec<Role>> {
    const SQL: &str = sql!(SELECT, " WHERE r.project_id = $1 AND r.name > $2 ORDER BY r.name LIMIT $3");
    let after = after.unwrap_or_default();
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundRole>(SQL).bind(project).bind(after).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Role::from).collect())
}

/// The roles of a project, by name.
pub async fn list_of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Role>> {
    const SQL: &str = sql!(SELECT, " WHERE r.project_id = $1 ORDER BY r.name");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundRole>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Role::from).collect())
}

/// Creates a role.
///
/// # Errors
///
/// 409 `ROLE_NAME_TAKEN`.
pub async fn insert_row(conn: &mut Conn<'_>, project: ProjectId, name: &str, permissions: &RolePermissions) -> Result<RoleId> {
    let (id, now) = (RoleId::generate(), Timestamp::now());
    let row = RoleRow {
        id,
        project_id: project,
        name: name.to_owned(),
        permissions: Json(permissions.clone()),
        created_at: now,
        updated_at: now,
    };
    name_is_free(rows::insert(conn, row).await, name)?;
    changed(conn, id).await?;
    Ok(id)
}

/// Increments the version of the organization whose role this is.
async fn changed(conn: &mut Conn<'_>, id: RoleId) -> Result<()> {
    const SQL: &str = "SELECT p.organization_id FROM roles r JOIN projects p ON p.id = r.project_id WHERE r.id = $1";
    let found: Option<OrganizationId> = on!(&mut *conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_optional(c).await)?;
    version::bump(conn, found.map(Scope::from).as_slice()).await.map(drop)
}

/// Locks a role against other writers until this transaction ends.
pub async fn lock(conn: &mut Conn<'_>, id: RoleId) -> Result<()> {
    const SQL: &str = "UPDATE roles SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates a role. `permissions` replace all old ones.
///
/// # Errors
///
/// 409 `ROLE_NAME_TAKEN`.
pub async fn update(conn: &mut Conn<'_>, id: RoleId, name: &str, permissions: &RolePermissions) -> Result<()> {
    const SQL: &str = "UPDATE roles SET name = $2, permissions = $3, updated_at = $4 WHERE id = $1";
    let done = on!(conn, |c| {
        sqlx::query(SQL).bind(id).bind(name).bind(Json(permissions)).bind(Timestamp::now()).execute(c).await.map(drop)
    });
    name_is_free(done, name)?;
    changed(conn, id).await
}

fn name_is_free(done: Result<(), sqlx::Error>, name: &str) -> Result<()> {
    match done {
        Err(fault) if is_taken(&fault) => Err(Error::new(
            Code::RoleNameTaken,
            format!("A role named `{name}` already exists in this project. Choose another name."),
        )),
        other => other.map_err(projects::adding),
    }
}

/// Deletes a role. Its users have no role then.
pub async fn delete(conn: &mut Conn<'_>, id: RoleId) -> Result<()> {
    const SQL: &str = "DELETE FROM roles WHERE id = $1";
    // While it is there.
    changed(conn, id).await?;
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// How many users have a role.
pub async fn users(conn: &mut Conn<'_>, id: RoleId) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM project_users WHERE role_id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_one(c).await)?)
}

/// The roles that neither a user nor a tenant of v1 has, by name. None before the project has users.
pub async fn without_users(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(RoleId, String)>> {
    // One user is looked for by the index. PostgreSQL would read all users for NOT EXISTS.
    const SQL: &str = "SELECT r.id, r.name FROM roles r WHERE r.project_id = $1 \
        AND EXISTS (SELECT 1 FROM project_users p WHERE p.project_id = $1) \
        AND (SELECT u.role_id FROM project_users u WHERE u.role_id = r.id LIMIT 1) IS NULL \
        AND (SELECT t.role_id FROM tenants t WHERE t.role_id = r.id LIMIT 1) IS NULL ORDER BY r.name";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(project).fetch_all(c).await)?)
}
