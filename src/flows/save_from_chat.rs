//! Saving a chart to the library.

use crate::{
    concepts::{
        access::{TenantOrHost, caller::Reach, tenant::TenantCaller},
        charts::{self, Chart, Maker},
        chat::pins,
        connections,
        dashboards::writer::Writer,
        projects, workspaces,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId, ProjectId, WorkspaceId},
    permissions::Flag,
};

/// A chart as the request gives it.
#[derive(Debug)]
pub struct SavedChart {
    /// Its name.
    pub name: String,
    /// Its query and how it is drawn.
    pub definition: ChartDefinition,
    /// A picture of it, as a data URL.
    pub thumbnail: Option<String>,
    /// The connection, or where to find it.
    pub connection: ConnectionHint,
}

/// The fields that a connection is resolved from.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionHint {
    /// The connection. It takes precedence over the workspace's.
    pub connection: Option<ConnectionId>,
    /// A workspace: the chart gets its project, and the connection of its production version.
    pub workspace: Option<WorkspaceId>,
}

/// Saves a chart to the library of a project. A chart from a chat answer needs no permission; other SQL of a project user or tenant needs
/// `createChartSQL`.
///
/// # Errors
/// 404 for a connection or workspace out of reach, 400 when neither gives a connection, 422 `QUERY_FAILED` for SQL of a project user or tenant that can
/// never run, 403 `PERMISSION_DENIED` for SQL that they may not write.
pub async fn save(app: &App, actor: &Actor, caller: &TenantOrHost, saved: SavedChart) -> Result<Chart> {
    let (project, connection) = resolve(app, caller.reach(), saved.connection).await?;
    let SavedChart { name, definition, thumbnail, .. } = saved;
    if let (Some(sql), TenantOrHost::Tenant(_) | TenantOrHost::Viewer(_)) = (&definition.sql_override, caller) {
        let open = connections::open(app, connection).await?;
        inlay_query::tables_read(open.source.kind, sql, &open.catalog)?;
        may_write(app, caller, sql).await?;
    }
    let chart = Chart { id: ChartId::generate(), project, connection, name, version: 1, definition };
    let origin = charts::Origin { library_name: None, thumbnail: thumbnail.as_deref(), maker: maker(caller) };
    let mut tx = app.db.write().await?;
    charts::insert(&mut tx.conn(), &chart, origin).await?;
    let deed = Deed::new("chart.created", chart.id.0).in_project(project).named(&chart.name);
    audit::record(&mut tx.conn(), actor, deed).await?;
    tx.commit().await?;
    Ok(chart)
}

/// Refuses SQL that is not from a chat answer to this user, unless their role lets them write SQL.
async fn may_write(app: &App, caller: &TenantOrHost, sql: &str) -> Result<()> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let answered = match maker(caller).user {
        Some(user) => pins::is_of_an_answer(conn, user, sql).await?,
        None => false,
    };
    if answered { Ok(()) } else { Writer::v1(caller).require_flag(conn, Flag::CreateChartSql).await }
}

fn maker(caller: &TenantOrHost) -> Maker {
    match caller {
        TenantOrHost::Host(_) => Maker::default(),
        TenantOrHost::Viewer(viewer) => Maker::user(viewer.user, viewer.customer),
        TenantOrHost::Tenant(TenantCaller { user: Some((user, customer)), .. }) => Maker::user(*user, Some(*customer)),
        TenantOrHost::Tenant(tenant) => Maker::tenant(tenant.id),
    }
}

async fn resolve(app: &App, reach: Reach, hint: ConnectionHint) -> Result<(ProjectId, ConnectionId)> {
    let workspace = match hint.workspace {
        None => None,
        Some(id) => {
            let found = workspaces::find_within(&mut app.db.read().await?.conn(), reach, id).await?;
            Some(found.ok_or_else(|| Error::not_found("Workspace"))?)
        }
    };
    match (hint.connection, workspace) {
        (Some(connection), workspace) => {
            let project = project_of(app, reach, connection).await?;
            if workspace.is_some_and(|workspace| workspace.project != project) {
                return Err(Error::not_found("Connection"));
            }
            Ok((project, connection))
        }
        (None, Some(workspace)) => {
            let connection = workspace.production_connection.ok_or_else(|| {
                Error::invalid("connectionId", "is required because the workspace has no production version with a connection")
            })?;
            Ok((workspace.project, connection))
        }
        (None, None) => Err(Error::invalid("connectionId", "is required unless `workspaceId` is given")),
    }
}

/// The project of a connection within reach.
async fn project_of(app: &App, reach: Reach, connection: ConnectionId) -> Result<ProjectId> {
    let project = connections::open(app, connection).await?.project;
    let found = projects::by_id(app, project).await?.filter(|project| reach.holds(project.organization, project.id));
    found.map(|project| project.id).ok_or_else(|| Error::not_found("Connection"))
}
