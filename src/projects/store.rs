//! Projects in the store.

use super::Project;
use crate::{
    error::Result,
    on,
    store::{Conn, version},
    time::Timestamp,
};
use inlay_contract::ids::{OrganizationId, ProjectId};
use sqlx::types::Json;

/// A project by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: ProjectId) -> Result<Option<Project>> {
    const SQL: &str = "SELECT organization_id, name, allowed_origins, timezone, locale FROM projects WHERE id = $1";
    type Row = (OrganizationId, String, Json<Vec<String>>, String, String);
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?;
    Ok(found.map(|(organization, name, Json(allowed_origins), timezone, locale)| Project {
        id,
        organization,
        name,
        allowed_origins,
        timezone,
        locale,
    }))
}

/// A project's id by its name.
///
/// # Errors
/// The store is away.
pub async fn find_by_name(conn: &mut Conn<'_>, organization: OrganizationId, name: &str) -> Result<Option<ProjectId>> {
    const SQL: &str = "SELECT id FROM projects WHERE organization_id = $1 AND name = $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).bind(name).fetch_optional(c).await)?)
}

/// The projects of an organization, in the order of their making.
///
/// # Errors
/// The store is away.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<ProjectId>> {
    const SQL: &str = "SELECT id FROM projects WHERE organization_id = $1 ORDER BY created_at, id";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).fetch_all(c).await)?)
}

/// Makes or changes the project of a name; its id.
///
/// # Errors
/// The store is away.
pub async fn put(conn: &mut Conn<'_>, project: &Project) -> Result<ProjectId> {
    const SQL: &str = "INSERT INTO projects (id, organization_id, name, allowed_origins, timezone, locale, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (organization_id, name) DO UPDATE SET \
        allowed_origins = excluded.allowed_origins, timezone = excluded.timezone, locale = excluded.locale RETURNING id";
    let id = on!(conn, |c| {
        let put = sqlx::query_scalar(SQL).bind(project.id).bind(project.organization).bind(&project.name);
        let put = put.bind(Json(&project.allowed_origins)).bind(&project.timezone).bind(&project.locale);
        put.bind(Timestamp::now()).fetch_one(c).await
    })?;
    version::bump(conn).await?;
    Ok(id)
}
