//! `GET /v1/api/dashboard/list-workspace-dashboards`, before and after the migration is finalized.

use crate::{
    concepts::{
        access::{Authorized, TenantOrHost},
        applications,
        dashboards::{
            self, Dashboard, Owner,
            writer::{Who, Writer},
        },
        organizations,
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
use inlay_contract::ids::{DashboardId, ProjectUserId, WorkspaceId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// The tenant that owns it, if the caller does; after the migration is finalized, the id of the owner's customer.
    #[schema(required = true)]
    tenant_id: Option<Uuid>,
    #[schema(required = true)]
    owner_project_user_id: Option<ProjectUserId>,
    created_at: Timestamp,
}

impl ListedDashboard {
    fn of(dashboard: Dashboard, caller: &Writer, finalized: bool) -> Self {
        Self {
            id: dashboard.v1_id(),
            tenant_id: tenant_id(&dashboard, caller, finalized),
            owner_project_user_id: dashboard.owner.user(),
            created_at: dashboard.created_at,
            name: dashboard.name,
        }
    }
}

/// For tenants and users, a value means that the dashboard is their own (docs/spec/service.md, "v1 tenant and listing endpoints"; docs/spec/contract.md,
/// section 12, P13). An API key has none of its own, and gets every owner.
fn tenant_id(dashboard: &Dashboard, caller: &Writer, finalized: bool) -> Option<Uuid> {
    if caller.who != Who::Host && !caller.owns(dashboard) {
        return None;
    }
    match dashboard.owner {
        Owner::User { customer, .. } if finalized => customer.map(|customer| customer.0),
        owner => owner.tenant().map(|tenant| tenant.0),
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
    let (application, finalized) = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let application = applications::of_v1_workspace(conn, writer.reach(), workspace).await?;
        (application, organizations::find(conn, writer.organization).await?.migration_finalized)
    };
    let listed = match application {
        Some(application) => dashboards::list(&app, application.id, &writer).await?,
        None => Vec::new(),
    };
    let dashboards = listed.into_iter().map(|dashboard| ListedDashboard::of(dashboard, &writer, finalized)).collect();
    Ok(Answer(Dashboards { dashboards }))
}
