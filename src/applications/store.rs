//! Applications in the store.

use super::Application;
use crate::{error::Result, on, store::Conn, time::Timestamp};
use inlay_contract::{
    ids::{ApplicationId, DashboardId, OrganizationId, ProjectId, WorkspaceId},
    theme::Theme,
};
use sqlx::types::Json;

type Row = (ApplicationId, ProjectId, OrganizationId, String, Json<Theme>, Option<WorkspaceId>, Option<DashboardId>);

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT a.id, a.project_id, p.organization_id, a.name, a.theme, a.legacy_workspace_id, a.default_dashboard_id ",
            "FROM applications a JOIN projects p ON p.id = a.project_id ",
            $rest
        )
    };
}

fn application((id, project, organization, name, Json(theme), legacy_workspace, default_dashboard): Row) -> Application {
    Application { id, project, organization, name, theme, legacy_workspace, default_dashboard }
}

/// An application by its id.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, id: ApplicationId) -> Result<Option<Application>> {
    const SQL: &str = select!("WHERE a.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?.map(application))
}

/// The oldest application that stands for a v1 workspace.
///
/// # Errors
/// The store is away.
pub async fn of_workspace(conn: &mut Conn<'_>, workspace: WorkspaceId) -> Result<Option<Application>> {
    const SQL: &str = select!("WHERE a.legacy_workspace_id = $1 ORDER BY a.created_at, a.id LIMIT 1");
    Ok(on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(workspace).fetch_optional(c).await)?.map(application))
}

/// The applications of a project, by name.
///
/// # Errors
/// The store is away.
pub async fn of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Application>> {
    const SQL: &str = select!("WHERE a.project_id = $1 ORDER BY a.name, a.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(application).collect())
}

/// The applications of an organization, by name.
///
/// # Errors
/// The store is away.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Application>> {
    const SQL: &str = select!("WHERE p.organization_id = $1 ORDER BY a.name, a.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(application).collect())
}

/// Makes an application of a project, or changes the one of the same name; its id.
///
/// # Errors
/// The store is away.
pub async fn put(
    conn: &mut Conn<'_>,
    project: ProjectId,
    name: &str,
    theme: &Theme,
    legacy_workspace: Option<WorkspaceId>,
) -> Result<ApplicationId> {
    const SQL: &str = "INSERT INTO applications (id, project_id, name, theme, legacy_workspace_id, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (project_id, name) DO UPDATE SET theme = excluded.theme, \
        legacy_workspace_id = excluded.legacy_workspace_id RETURNING id";
    Ok(on!(conn, |c| {
        let put = sqlx::query_scalar(SQL).bind(ApplicationId::generate()).bind(project).bind(name).bind(Json(theme));
        put.bind(legacy_workspace).bind(Timestamp::now()).fetch_one(c).await
    })?)
}

/// Makes an application for a workspace, with the default look, unless the project has one of that name; whether it was made.
///
/// # Errors
/// The store is away.
pub async fn insert(
    conn: &mut Conn<'_>,
    id: ApplicationId,
    project: ProjectId,
    name: &str,
    workspace: WorkspaceId,
) -> Result<bool> {
    const SQL: &str = "INSERT INTO applications (id, project_id, name, theme, legacy_workspace_id, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (project_id, name) DO NOTHING";
    let made = on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(project).bind(name).bind(Json(Theme::default()));
        insert.bind(workspace).bind(Timestamp::now()).execute(c).await.map(|done| done.rows_affected())
    });
    Ok(made? == 1)
}

/// Says which dashboard opens first.
///
/// # Errors
/// The store is away.
pub async fn set_default(conn: &mut Conn<'_>, id: ApplicationId, dashboard: Option<DashboardId>) -> Result<()> {
    const SQL: &str = "UPDATE applications SET default_dashboard_id = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(dashboard).execute(c).await.map(drop))?;
    Ok(())
}

/// Writes an application's name, look and workspace.
///
/// # Errors
/// The store is away.
pub async fn update(
    conn: &mut Conn<'_>,
    id: ApplicationId,
    name: &str,
    theme: &Theme,
    workspace: Option<WorkspaceId>,
) -> Result<()> {
    const SQL: &str = "UPDATE applications SET name = $2, theme = $3, legacy_workspace_id = $4 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(name).bind(Json(theme)).bind(workspace).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes an application with its dashboards.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: ApplicationId) -> Result<()> {
    const SQL: &str = "DELETE FROM applications WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
