//! Saving a chart to the library.

use crate::{
    concepts::{
        access::{TenantOrHost, caller::Reach, tenant::TenantCaller},
        charts::{self, Chart, Maker},
        connections, customers, projects, workspaces,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Error, Result},
        state::App,
        store::Conn,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{AgentId, ChartId, ConnectionId, ProjectId, WorkspaceId},
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
    pub workspace: Option<WorkspaceRef>,
}

/// A workspace by its own id, or by the v1 agent that it replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkspaceRef {
    /// Its id.
    Id(WorkspaceId),
    /// The id of the agent.
    Agent(AgentId),
}

/// Refuses callers who may save nothing, before anything that they sent is read (docs/spec/contract.md, D2).
///
/// # Errors
/// 403 `VIEWING_AS` for a member who previews as a user, 401 when the user is deleted.
pub async fn may_save(app: &App, actor: &Actor, caller: &TenantOrHost) -> Result<()> {
    actor.who.may_change()?;
    match caller {
        TenantOrHost::Viewer(viewer) => viewer.security_context(app).await.map(drop),
        TenantOrHost::Host(_) | TenantOrHost::Tenant(_) => Ok(()),
    }
}

/// Saves a chart to the library of a project. No permission is needed: its rows are always those of whoever looks at it.
///
/// # Errors
/// 404 for a connection or workspace out of reach, 400 when neither gives a connection, 422 `QUERY_FAILED` for SQL of a project
/// user or tenant that can never run.
pub async fn save(app: &App, actor: &Actor, caller: &TenantOrHost, saved: SavedChart) -> Result<Chart> {
    let (project, connection) = resolve(app, caller.reach(), saved.connection).await?;
    let SavedChart { name, definition, thumbnail, .. } = saved;
    if let (Some(sql), TenantOrHost::Tenant(_) | TenantOrHost::Viewer(_)) = (&definition.sql_override, caller) {
        let open = connections::open(app, connection).await?;
        app.engine.tables_read(&open.source, &open.catalog, sql).await?;
    }
    let chart = Chart { id: ChartId::generate(), project, connection, name, version: 1, definition };
    let maker = maker(caller);
    let mut tx = app.db.write().await?;
    let thumbnail = match has_room(&mut tx.conn(), app, maker).await? {
        left if thumbnail.as_ref().is_some_and(|picture| picture.len() as u64 > left) => None,
        _ => thumbnail,
    };
    let origin = charts::Origin { library_name: None, thumbnail: thumbnail.as_deref(), maker };
    insert(&mut tx.conn(), actor, &chart, origin).await?;
    tx.commit().await?;
    Ok(chart)
}

/// Refuses a further chart of a user or tenant who keeps as many as they may. Returns how many bytes of pictures they may still store.
async fn has_room(conn: &mut Conn<'_>, app: &App, maker: Maker) -> Result<u64> {
    if let Some(user) = maker.user {
        // Of two charts at once the second waits here.
        customers::lock_user(conn, user).await?;
    }
    let (charts, bytes) = charts::kept_by(conn, maker).await?;
    let retention = &app.settings.retention;
    let most = retention.saved_charts_of_user;
    if maker.space.is_some() && usize::try_from(charts).is_ok_and(|charts| charts >= most) {
        let told = format!(
            "cannot be saved: the limit of {most} charts that are on no dashboard is reached. Add some to a dashboard first"
        );
        return Err(Error::invalid("chartConfig", told));
    }
    Ok(retention.thumbnail_bytes_of_user.saturating_sub(bytes.unsigned_abs()))
}

/// Adds a chart to the library within the caller's transaction.
pub async fn insert(conn: &mut Conn<'_>, actor: &Actor, chart: &Chart, origin: charts::Origin<'_>) -> Result<()> {
    charts::insert(conn, chart, origin).await?;
    let deed = Deed::new("chart.created", chart.id.0).in_project(chart.project).named(&chart.name);
    audit::record(conn, actor, deed).await
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
        Some(named) => {
            let mut lease = app.db.read().await?;
            let conn = &mut lease.conn();
            let found = match named {
                WorkspaceRef::Id(id) => workspaces::find_within(conn, reach, id).await?,
                WorkspaceRef::Agent(id) => workspaces::of_agent(conn, reach, id).await?,
            };
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
