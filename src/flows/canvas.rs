//! Saves charts of a workspace's answers as library charts and dashboards.

use crate::{
    concepts::{
        access::{HostOrViewer, TenantOrHost, Viewer},
        charts::Chart,
        chat::pins::{self, PinCollection},
        dashboards::{
            writer::Writer,
            writes::{self, DashboardRef, Home, Pick},
        },
    },
    flows::save_from_chat::{ConnectionHint, SavedChart, save},
    ground::{
        audit::Actor,
        error::{Error, Result},
        state::App,
    },
};
use inlay_contract::{chart::definition::ChartDefinition, ids::WorkspaceId};

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
    let connection = ConnectionHint { connection: None, workspace: Some(workspace) };
    let saved = SavedChart { name: definition.title.clone(), definition, thumbnail: None, connection };
    save(app, actor, &TenantOrHost::Viewer(Box::new(viewer.clone())), saved).await
}

/// Creates a dashboard from the charts of the viewer's canvas, which are also saved to the library.
///
/// # Errors
/// 404 for a workspace out of reach, 403 if the viewer may not create dashboards.
pub async fn to_dashboard(app: &App, actor: &Actor, viewer: &Viewer, workspace: WorkspaceId, name: &str) -> Result<()> {
    let writer = Writer::v2(&HostOrViewer::Viewer(Box::new(viewer.clone())));
    let pinned = pins::list(app, viewer, workspace, PinCollection::Canvas).await?;
    let dashboard = writes::create(app, actor, &writer, Home::Workspace(workspace), name).await?;
    let mut picks = Vec::with_capacity(pinned.len());
    for pin in pinned {
        let chart = save_chart(app, actor, viewer, workspace, pin.definition).await?;
        picks.push(Pick { chart: chart.id, version: None });
    }
    let target = DashboardRef { application: Some(dashboard.application), dashboard: dashboard.id };
    writes::add_charts(app, actor, &writer, target, &picks).await.map(drop)
}
