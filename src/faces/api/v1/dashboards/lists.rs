//! `GET /v1/api/dashboard/list-workspace-dashboards`, before and after the migration is finalized.

use crate::{
    concepts::{
        access::{Authorized, TenantOrHost},
        dashboards::{self, Dashboard, writer::Writer},
    },
    flows::v1_migration::calls::V1Calls,
    ground::{
        error::{Result, refusals},
        state::App,
        time::Timestamp,
        web::{
            Answer,
            body::{BodyObject, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::ids::{DashboardId, ProjectUserId, TenantId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;

/// A list of dashboards.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = v1::Dashboards)]
pub struct Dashboards {
    dashboards: Vec<ListedDashboard>,
}

/// A dashboard in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = v1::ListedDashboard)]
pub struct ListedDashboard {
    id: DashboardId,
    name: String,
    #[schema(required = true)]
    tenant_id: Option<TenantId>,
    #[schema(required = true)]
    owner_project_user_id: Option<ProjectUserId>,
    created_at: Timestamp,
}

impl From<Dashboard> for ListedDashboard {
    fn from(dashboard: Dashboard) -> Self {
        Self {
            id: dashboard.v1_id(),
            tenant_id: dashboard.owner.tenant(),
            owner_project_user_id: dashboard.owner.user(),
            created_at: dashboard.created_at,
            name: dashboard.name,
        }
    }
}

body! {
    /// The filter of the list.
    struct WorkspaceQuery {
        /// The workspace.
        workspace_id: WorkspaceId,
    }
}

/// Lists the dashboards of a workspace as the caller sees them.
#[utoipa::path(
    get,
    path = "/v1/api/dashboard/list-workspace-dashboards",
    tag = "v1 dashboards",
    params(WorkspaceQuery),
    security(("apiKey" = []), ("memberToken" = []), ("tenantToken" = []), ("userToken" = [])),
    responses(
        (status = 200, body = Dashboards),
        (status = "default", description = refusals![NotFound]),
    ),
)]
pub async fn list_workspace_dashboards(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<TenantOrHost>,
) -> Result<Answer<Dashboards>> {
    app.part::<V1Calls>().note(actor.organization, actor.who, "list-workspace-dashboards");
    let WorkspaceQuery { workspace_id: workspace } = WorkspaceQuery::of(&body, &app.settings.limits)?;
    let writer = Writer::v1(&caller);
    let dashboards = match crate::concepts::applications::of_v1_workspace(&app, writer.reach(), workspace).await? {
        Some(application) => dashboards::list(&app, application.id, &writer).await?,
        None => Vec::new(),
    };
    Ok(Answer(Dashboards { dashboards: dashboards.into_iter().map(ListedDashboard::from).collect() }))
}
