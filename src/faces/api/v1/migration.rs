//! `POST /v1/api/migration/analyze-roles` and `create-roles`.

use crate::{
    concepts::{
        access::{Authorized, Host, credential::HeaderOrBody},
        projects,
        roles::Role,
    },
    flows::v1_migration::roles::{ChosenRole, ProposedRole, create, propose},
    ground::{
        error::{Result, refusals},
        state::App,
        web::{
            Answer,
            body::{BodyObject, List, Once, Text, V1Permissions, body},
        },
    },
};
use axum::extract::State;
use inlay_contract::{
    ids::{ProjectId, TenantId},
    permissions::RolePermissions,
};
use serde::Serialize;
use utoipa::ToSchema;

/// The response of analyze-roles.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedRoles {
    proposed_roles: Vec<ProposedRole>,
}

body! {
    /// The project to analyze, and the permissions of its v1 component.
    struct AnalyzeRolesBody {
        /// The project. Optional if the organization has one project.
        project_id: Option<ProjectId>,
        /// The permissions of the v1 component. They fill in what a tenant's registration leaves out.
        sdk_tenant_editing_permissions: Option<V1Permissions>,
    }
}

/// Proposes a role for each distinct set of permissions among a project's tenants.
#[utoipa::path(
    post,
    path = "/v1/api/migration/analyze-roles",
    tag = "Tenants and migration",
    request_body = AnalyzeRolesBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = ProposedRoles),
        (status = "default", description = refusals![ProjectNotFound]),
    ),
)]
pub async fn analyze_roles(
    State(app): State<App>,
    Authorized { caller, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<ProposedRoles>> {
    let sent = AnalyzeRolesBody::of(&body, &app.settings.limits)?;
    let component = sent.sdk_tenant_editing_permissions.map(|sent| sent.0).unwrap_or_default();
    let project = projects::named_or_only(&app, caller.organization, sent.project_id).await?;
    Ok(Answer(ProposedRoles { proposed_roles: propose(&app, project.id, &component).await? }))
}

/// The response of create-roles.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedRoles {
    user_roles: Vec<Role>,
}

body! {
    /// The roles to create.
    struct CreateRolesBody {
        /// The project. Optional if the organization has one project.
        project_id: Option<ProjectId>,
        /// The roles. Either all of them are created or none.
        roles: List<ChosenRoleBody, 1, 500>,
    }
}

body! {
    /// A proposed role, with the name that the host chose.
    struct ChosenRoleBody {
        /// Unique within the project.
        name: Text,
        /// The role's permissions.
        permissions: RolePermissions,
        /// The tenants that get the role. Each tenant has one role.
        tenant_ids: List<Once<TenantId>, 0, 100_000>,
    }
}

impl From<ChosenRoleBody> for ChosenRole {
    fn from(ChosenRoleBody { name, permissions, tenant_ids }: ChosenRoleBody) -> Self {
        Self { name: name.0, permissions, tenants: tenant_ids.0.into_iter().map(|id| id.0).collect() }
    }
}

/// Creates roles and assigns them to tenants, all or none.
#[utoipa::path(
    post,
    path = "/v1/api/migration/create-roles",
    tag = "Tenants and migration",
    request_body = CreateRolesBody,
    security(("apiKey" = []), ("memberToken" = []), ()),
    responses(
        (status = 200, body = CreatedRoles),
        (status = "default", description = refusals![NotFound, ProjectNotFound, RoleNameTaken]),
    ),
)]
pub async fn create_roles(
    State(app): State<App>,
    Authorized { caller, actor, body, .. }: Authorized<Host, HeaderOrBody>,
) -> Result<Answer<CreatedRoles>> {
    let sent = CreateRolesBody::of(&body, &app.settings.limits)?;
    let chosen: Vec<ChosenRole> = sent.roles.0.into_iter().map(ChosenRole::from).collect();
    let project = projects::named_or_only(&app, caller.organization, sent.project_id).await?;
    Ok(Answer(CreatedRoles { user_roles: create(&app, &actor, project.id, &chosen).await? }))
}
