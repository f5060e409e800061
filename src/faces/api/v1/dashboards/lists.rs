//! `GET /v1/api/dashboard/list-workspace-dashboards`, before and after the migration is finalized.

use crate::{
    concepts::{
        access::{Authorized, TenantOrHost},
        applications,
        dashboards::{
            Dashboard, Owner, lists,
            writer::{Who, Writer},
        },
        organizations,
    },
    flows::v1_migration::calls::V1Calls,
    ground::{
        error::{Result, refusals},
        paging::Part,
        state::App,
        time::Timestamp,
        web::{
            Answer,
            body::{BodyObject, body},
            paging::PageQuery,
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
    /// `after` of the next part. Missing at the end of the list, and where no part was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
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

/// For tenants and users, a value means that the dashboard is their own (docs/spec/service.md, "v1 tenant and listing
/// endpoints"; docs/spec/contract.md, section 12, P13). An API key has none of its own, and gets every owner.
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

/// The list in cursors.
const LIST: &str = "v1.dashboards";

/// Lists the dashboards of a workspace as the caller sees them.
///
/// All of them, unless `limit` or `after` asks for a part.
#[utoipa::path(
    get,
    path = "/v1/api/dashboard/list-workspace-dashboards",
    tag = "v1 dashboards",
    params(WorkspaceQuery, PageQuery),
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
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let after = page.after(LIST)?;
    let writer = Writer::v1(&caller);
    let (application, finalized) = {
        let mut lease = app.db.read().await?;
        let conn = &mut lease.conn();
        let application = applications::of_v1_workspace(conn, writer.reach(), workspace).await?;
        (application, organizations::find(conn, writer.organization).await?.migration_finalized)
    };
    let part = match application {
        Some(application) => lists::part(&app, application.id, &writer, after, page.most_of_whole()).await?,
        None => Part { entries: Vec::new(), next: None },
    };
    let (dashboards, next) = part.answer(LIST, |dashboard| ListedDashboard::of(dashboard, &writer, finalized))?;
    Ok(Answer(Dashboards { dashboards, next }))
}
