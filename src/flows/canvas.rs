//! Saves charts of a workspace's answers as library charts and dashboards.

use crate::{
    concepts::{
        access::{TenantOrHost, Viewer},
        charts::{Chart, Origin},
        chat::pins::{self, PinCollection},
        dashboards::{
            writer::Writer,
            writes::{self, Home},
        },
    },
    flows::save_from_chat::{self, ConnectionHint, SavedChart, WorkspaceRef, save},
    ground::{
        audit::Actor,
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, WorkspaceId},
};

/// The maximum length of a dashboard's name, in characters.
const LONGEST_NAME: usize = 200;

/// A dashboard's name without surrounding white space.
///
/// # Errors
/// 400 for an empty or too long name.
pub fn name(text: &str) -> Result<&str> {
    let name = text.trim();
    if (1..=LONGEST_NAME).contains(&name.chars().count()) {
        return Ok(name);
    }
    Err(Error::invalid("name", format!("must have 1 to {LONGEST_NAME} characters")))
}

/// Saves an answer's chart to the library with its own title.
pub async fn save_chart(
    app: &App,
    actor: &Actor,
    viewer: &Viewer,
    workspace: WorkspaceId,
    definition: ChartDefinition,
) -> Result<Chart> {
    let connection = ConnectionHint { connection: None, workspace: Some(WorkspaceRef::Id(workspace)) };
    let saved = SavedChart { name: definition.title.clone(), definition, thumbnail: None, connection };
    save(app, actor, &TenantOrHost::Viewer(Box::new(viewer.clone())), saved).await
}

/// Creates a dashboard from the charts of the viewer's canvas, which are also saved to the library: everything or nothing
/// (docs/spec/contract.md, section 12, P10).
///
/// # Errors
/// 404 for a workspace out of reach, 403 if the viewer may not create dashboards or add charts.
pub async fn to_dashboard(app: &App, actor: &Actor, viewer: &Viewer, workspace: WorkspaceId, name: &str) -> Result<()> {
    let writer = Writer::page(viewer);
    let origin = Origin { library_name: None, thumbnail: None, maker: writer.maker() };
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let mut charts = Vec::new();
    for pin in pins::list_in(conn, viewer, workspace, PinCollection::Canvas).await? {
        let (name, definition) = (pin.definition.title.clone(), pin.definition);
        let chart = Chart {
            id: ChartId::generate(),
            project: viewer.project,
            connection: pin.connection,
            name,
            version: 1,
            definition,
        };
        save_from_chat::insert(conn, actor, &chart, origin).await?;
        charts.push(chart);
    }
    writes::create_with(conn, app, actor, &writer, Home::Workspace(workspace), name, &charts).await?;
    tx.commit().await
}
