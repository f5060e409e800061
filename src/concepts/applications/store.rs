//! Applications in the store.

use super::{Application, Place};
use crate::{
    concepts::access::caller::Reach,
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    ids::{ApplicationId, DashboardId, OrganizationId, ProjectId, WorkspaceId},
    theme::Theme,
};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// An application.
    pub(crate) struct ApplicationRow in "applications" {
        id: ApplicationId,
        project_id: ProjectId,
        name: String,
        theme: Json<Theme>,
        workspace_id: Option<WorkspaceId>,
        default_dashboard_id: Option<DashboardId>,
        created_at: Timestamp,
    }
}

#[derive(FromRow)]
struct FoundApplication {
    #[sqlx(flatten)]
    row: ApplicationRow,
    organization_id: OrganizationId,
}

impl ApplicationRow {
    /// A new application without a default dashboard.
    fn new(id: ApplicationId, project: ProjectId, name: &str, theme: Theme, workspace: Option<WorkspaceId>) -> Self {
        Self {
            id,
            project_id: project,
            name: name.to_owned(),
            theme: Json(theme),
            workspace_id: workspace,
            default_dashboard_id: None,
            created_at: Timestamp::now(),
        }
    }
}

impl From<FoundApplication> for Application {
    fn from(FoundApplication { row, organization_id }: FoundApplication) -> Self {
        Self {
            id: row.id,
            project: row.project_id,
            organization: organization_id,
            name: row.name,
            theme: row.theme.0,
            workspace: row.workspace_id,
            default_dashboard: row.default_dashboard_id,
            created_at: row.created_at,
        }
    }
}

const SELECT: &str = sql!(
    "SELECT ",
    columns!(ApplicationRow as a),
    ", p.organization_id FROM applications a JOIN projects p ON p.id = a.project_id"
);

/// An application by its id.
pub async fn find(conn: &mut Conn<'_>, id: ApplicationId) -> Result<Option<Application>> {
    const SQL: &str = sql!(SELECT, " WHERE a.id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundApplication>(SQL).bind(id).fetch_optional(c).await)?.map(Application::from))
}

/// The oldest application of a v1 workspace.
pub async fn find_by_workspace(conn: &mut Conn<'_>, workspace: WorkspaceId) -> Result<Option<Application>> {
    const SQL: &str = sql!(SELECT, " WHERE a.workspace_id = $1 ORDER BY a.created_at, a.id LIMIT 1");
    Ok(on!(conn, |c| sqlx::query_as::<_, FoundApplication>(SQL).bind(workspace).fetch_optional(c).await)?
        .map(Application::from))
}

/// The applications of a project, by name.
pub async fn of_project(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Application>> {
    const SQL: &str = sql!(SELECT, " WHERE a.project_id = $1 ORDER BY a.name, a.id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundApplication>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Application::from).collect())
}

/// The next applications of an organization or of one project, by name.
pub async fn part_within(conn: &mut Conn<'_>, reach: Reach, after: Option<Place>, most: i64) -> Result<Vec<Application>> {
    const OF_ORGANIZATION: &str =
        sql!(SELECT, " WHERE p.organization_id = $1 AND (a.name, a.id) > ($2, $3) ORDER BY a.name, a.id LIMIT $4");
    const OF_PROJECT: &str =
        sql!(SELECT, " WHERE a.project_id = $1 AND (a.name, a.id) > ($2, $3) ORDER BY a.name, a.id LIMIT $4");
    let (sql, of) = match reach {
        Reach::Organization(organization) => (OF_ORGANIZATION, organization.0),
        Reach::Project(project) => (OF_PROJECT, project.0),
    };
    let (name, id) = after.unwrap_or((String::new(), ApplicationId(Uuid::nil())));
    let rows =
        on!(conn, |c| sqlx::query_as::<_, FoundApplication>(sql).bind(of).bind(&name).bind(id).bind(most).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Application::from).collect())
}

/// Creates an application of a project, or changes the one with the same name. Returns its id.
pub async fn put(
    conn: &mut Conn<'_>,
    project: ProjectId,
    name: &str,
    theme: &Theme,
    workspace: Option<WorkspaceId>,
) -> Result<ApplicationId> {
    const SQL: &str = sql!(
        inserts!(ApplicationRow),
        " ON CONFLICT (project_id, name) DO UPDATE SET theme = excluded.theme, \
        workspace_id = excluded.workspace_id RETURNING id"
    );
    let row = ApplicationRow::new(ApplicationId::generate(), project, name, theme.clone(), workspace);
    Ok(on!(conn, |c| rows::query_scalar(SQL, row).fetch_one(c).await)?)
}

/// Creates an application for a workspace, with the default theme, unless the project has one with that name. Returns whether
/// it was created.
pub async fn insert(
    conn: &mut Conn<'_>,
    id: ApplicationId,
    project: ProjectId,
    name: &str,
    workspace: WorkspaceId,
) -> Result<bool> {
    const SQL: &str = sql!(inserts!(ApplicationRow), " ON CONFLICT (project_id, name) DO NOTHING");
    let row = ApplicationRow::new(id, project, name, Theme::default(), Some(workspace));
    Ok(on!(conn, |c| rows::query(SQL, row).execute(c).await.map(|done| done.rows_affected()))? == 1)
}

/// Sets the default dashboard.
pub async fn set_default(conn: &mut Conn<'_>, id: ApplicationId, dashboard: Option<DashboardId>) -> Result<()> {
    const SQL: &str = "UPDATE applications SET default_dashboard_id = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(dashboard).execute(c).await.map(drop))?;
    Ok(())
}

/// Updates an application's name, theme and workspace.
pub async fn update(
    conn: &mut Conn<'_>,
    id: ApplicationId,
    name: &str,
    theme: &Theme,
    workspace: Option<WorkspaceId>,
) -> Result<()> {
    const SQL: &str = "UPDATE applications SET name = $2, theme = $3, workspace_id = $4 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(name).bind(Json(theme)).bind(workspace).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes an application with its dashboards.
pub async fn delete(conn: &mut Conn<'_>, id: ApplicationId) -> Result<()> {
    const SQL: &str = "DELETE FROM applications WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}
