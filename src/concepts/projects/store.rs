//! Projects in the store.

use super::Project;
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, inserts, row, sql},
            version,
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::{
    ids::{OrganizationId, ProjectId},
    model::Metric,
};
use sqlx::types::Json;
use std::collections::BTreeMap;

row! {
    /// A project.
    pub(crate) struct ProjectRow in "projects" {
        id: ProjectId,
        organization_id: OrganizationId,
        name: String,
        allowed_origins: Json<Vec<String>>,
        timezone: String,
        locale: String,
        created_at: Timestamp,
        metrics: Option<Json<BTreeMap<String, Metric>>>,
    }
}

impl From<ProjectRow> for Project {
    fn from(row: ProjectRow) -> Self {
        Self {
            id: row.id,
            organization: row.organization_id,
            name: row.name,
            allowed_origins: row.allowed_origins.0,
            timezone: row.timezone,
            locale: row.locale,
            metrics: row.metrics.map(|Json(metrics)| metrics).unwrap_or_default(),
        }
    }
}

/// A project by its id.
pub async fn find(conn: &mut Conn<'_>, id: ProjectId) -> Result<Option<Project>> {
    const SQL: &str = sql!("SELECT ", columns!(ProjectRow), " FROM projects WHERE id = $1");
    Ok(on!(conn, |c| sqlx::query_as::<_, ProjectRow>(SQL).bind(id).fetch_optional(c).await)?.map(Project::from))
}

/// A project's id by its name.
pub async fn find_by_name(conn: &mut Conn<'_>, organization: OrganizationId, name: &str) -> Result<Option<ProjectId>> {
    const SQL: &str = "SELECT id FROM projects WHERE organization_id = $1 AND name = $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).bind(name).fetch_optional(c).await)?)
}

/// Locks a project against other writers of its settings and of what members manage in it, until this transaction ends. Changes
/// that first look whether a name is free, or that write a whole object from one that was read before, begin with it.
pub async fn lock(conn: &mut Conn<'_>, id: ProjectId) -> Result<()> {
    const SQL: &str = "UPDATE projects SET name = name WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// The projects of an organization, oldest first.
pub async fn list(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<Project>> {
    const SQL: &str =
        sql!("SELECT ", columns!(ProjectRow), " FROM projects WHERE organization_id = $1 ORDER BY created_at, id");
    let rows = on!(conn, |c| sqlx::query_as::<_, ProjectRow>(SQL).bind(organization).fetch_all(c).await)?;
    Ok(rows.into_iter().map(Project::from).collect())
}

/// The ids of an organization's projects, oldest first.
pub async fn of_organization(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<Vec<ProjectId>> {
    const SQL: &str = "SELECT id FROM projects WHERE organization_id = $1 ORDER BY created_at, id";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(organization).fetch_all(c).await)?)
}

/// Creates or changes the project with this name. Returns its id.
pub async fn put(conn: &mut Conn<'_>, project: &Project) -> Result<ProjectId> {
    const SQL: &str = sql!(
        inserts!(ProjectRow),
        " ON CONFLICT (organization_id, name) DO UPDATE SET \
        allowed_origins = excluded.allowed_origins, timezone = excluded.timezone, locale = excluded.locale, \
        metrics = excluded.metrics RETURNING id"
    );
    let row = ProjectRow {
        id: project.id,
        organization_id: project.organization,
        name: project.name.clone(),
        allowed_origins: Json(project.allowed_origins.clone()),
        timezone: project.timezone.clone(),
        locale: project.locale.clone(),
        created_at: Timestamp::now(),
        metrics: stored(&project.metrics),
    };
    let id = on!(conn, |c| rows::query_scalar(SQL, row).fetch_one(c).await)?;
    version::bump(conn, &[project.organization.into()]).await?;
    Ok(id)
}

/// Updates a project's name and settings.
pub async fn update(conn: &mut Conn<'_>, project: &Project) -> Result<()> {
    const SQL: &str = "UPDATE projects SET name = $2, allowed_origins = $3, timezone = $4, locale = $5 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(project.id).bind(&project.name).bind(Json(&project.allowed_origins));
        update.bind(&project.timezone).bind(&project.locale).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Updates a project's metrics.
pub async fn set_metrics(conn: &mut Conn<'_>, id: ProjectId, metrics: &BTreeMap<String, Metric>) -> Result<()> {
    const SQL: &str = "UPDATE projects SET metrics = $2 WHERE id = $1";
    let metrics = stored(metrics);
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(metrics).execute(c).await.map(drop))?;
    Ok(())
}

/// Metrics as they are stored. `None` without any.
fn stored(metrics: &BTreeMap<String, Metric>) -> Option<Json<BTreeMap<String, Metric>>> {
    (!metrics.is_empty()).then(|| Json(metrics.clone()))
}

/// The numbers of a project's objects that an embed needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Counts {
    /// Connections.
    pub connections: i64,
    /// Tables that project users' queries may name.
    pub tables: i64,
    /// Roles.
    pub roles: i64,
    /// Library charts and charts on dashboards.
    pub charts: i64,
    /// Applications.
    pub applications: i64,
    /// Charts on shared dashboards.
    pub placed: i64,
    /// Customers.
    pub customers: i64,
}

/// Counts a project's objects.
pub async fn counts(conn: &mut Conn<'_>, id: ProjectId) -> Result<Counts> {
    const SQL: &str = "SELECT (SELECT COUNT(*) FROM connections WHERE project_id = $1) AS connections, \
        (SELECT COUNT(*) FROM catalog_tables t JOIN connections c ON c.id = t.connection_id \
            WHERE c.project_id = $1 AND t.access <> 'nothing') AS tables, \
        (SELECT COUNT(*) FROM roles WHERE project_id = $1) AS roles, \
        (SELECT COUNT(*) FROM charts WHERE project_id = $1) AS charts, \
        (SELECT COUNT(*) FROM applications WHERE project_id = $1) AS applications, \
        (SELECT COUNT(*) FROM dashboard_charts p JOIN dashboards d ON d.id = p.dashboard_id \
            JOIN applications a ON a.id = d.application_id WHERE a.project_id = $1 AND d.owner_id IS NULL \
            AND d.tenant_id IS NULL) AS placed, \
        (SELECT COUNT(*) FROM customers WHERE project_id = $1) AS customers";
    Ok(on!(conn, |c| sqlx::query_as(SQL).bind(id).fetch_one(c).await)?)
}
