//! After the migration is finalized, the five v1 writes answer 410 and name the v2 call with its ids filled in.

use crate::{
    concepts::{
        applications,
        dashboards::{
            writer::Writer,
            writes::{self, DashboardRef},
        },
        organizations, workspaces,
    },
    flows::v1_migration::calls::V1Calls,
    ground::{
        audit::Actor,
        error::{Code, Error, Result},
        state::App,
        store::Conn,
    },
};
use inlay_contract::ids::{ChartId, DashboardId, WorkspaceId};
use serde_json::{Map, Value};

/// A v1 write, and the ids in its v2 counterpart's path.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "each is the v1 endpoint of its name")]
pub enum Call {
    Create { workspace: WorkspaceId },
    Clone { source: DashboardId },
    AddCharts { target: DashboardId },
    AppendChartsFrom { target: DashboardId },
    RemoveCharts { dashboard: DashboardId, first: Option<ChartId> },
}

impl Call {
    /// The end of its path.
    const fn name(self) -> &'static str {
        match self {
            Self::Create { .. } => "create",
            Self::Clone { .. } => "clone",
            Self::AddCharts { .. } => "add-charts",
            Self::AppendChartsFrom { .. } => "append-charts-from",
            Self::RemoveCharts { .. } => "remove-charts",
        }
    }
}

/// Records who calls a v1 write, and refuses it if the organization's migration is finalized.
///
/// # Errors
/// 410 `MIGRATED_TO_V2`; 404 for what the caller does not see.
pub async fn refuse(app: &App, actor: &Actor, writer: &Writer, call: Call) -> Result<()> {
    app.part::<V1Calls>().note(writer.organization, actor.who, call.name());
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    if !organizations::find(conn, writer.organization).await?.migration_finalized {
        return Ok(());
    }
    let endpoint = endpoint(conn, writer, call).await?;
    let message = format!("This project has migrated to v2. Call {endpoint} instead.");
    let details = Map::from_iter([("endpoint".to_owned(), Value::String(endpoint))]);
    Err(Error::new(Code::MigratedToV2, message).with_details(details))
}

async fn endpoint(conn: &mut Conn<'_>, writer: &Writer, call: Call) -> Result<String> {
    let (dashboard, method, end) = match call {
        Call::Create { workspace } => return new_dashboard(conn, writer, workspace).await,
        Call::Clone { source } => (source, "POST", "clone".to_owned()),
        Call::AddCharts { target } => (target, "POST", "charts".to_owned()),
        Call::AppendChartsFrom { target } => (target, "POST", "append-charts".to_owned()),
        Call::RemoveCharts { dashboard, first } => {
            let chart = first.map_or_else(|| "{chartId}".to_owned(), |chart| chart.to_string());
            (dashboard, "DELETE", format!("charts/{chart}"))
        }
    };
    let (application, dashboard) = writes::find(conn, writer, DashboardRef { application: None, dashboard }).await?;
    Ok(format!("{method} /v2/api/applications/{}/dashboards/{}/{end}", application.id, dashboard.id))
}

async fn new_dashboard(conn: &mut Conn<'_>, writer: &Writer, workspace: WorkspaceId) -> Result<String> {
    let workspace = workspaces::find_within(conn, writer.reach(), workspace).await?;
    let workspace = workspace.ok_or_else(|| Error::not_found("Workspace"))?;
    let application = applications::find_by_workspace(conn, workspace.id).await?;
    let application = application.map_or_else(|| "{applicationId}".to_owned(), |application| application.id.to_string());
    Ok(format!("POST /v2/api/applications/{application}/dashboards"))
}
