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
            body::{BodyObject, List, Once, Text, body},
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

/// What analyze-roles answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedRoles {
    proposed_roles: Vec<ProposedRole>,
}

body! {
    /// Whose tenants, and what the component allowed them.
    struct AnalyzeRolesBody {
        /// The project; may be left out when the organization has one.
        project_id: Option<ProjectId>,
        /// The permissions that the v1 component was given; they fill what a tenant's registration left out.
        sdk_tenant_editing_permissions: Option<RolePermissions>,
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
    let component = sent.sdk_tenant_editing_permissions.unwrap_or_default();
    let project = projects::named_or_only(&app, caller.organization, sent.project_id).await?;
    Ok(Answer(ProposedRoles { proposed_roles: propose(&app, project.id, &component).await? }))
}

/// What create-roles answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedRoles {
    user_roles: Vec<Role>,
}

body! {
    /// The roles to make.
    struct CreateRolesBody {
        /// The project; may be left out when the organization has one.
        project_id: Option<ProjectId>,
        /// The roles, all made or none.
        roles: List<ChosenRoleBody, 1, 500>,
    }
}

body! {
    /// A proposed role under the name that the host chose.
    struct ChosenRoleBody {
        /// Unique within the project.
        name: Text,
        /// The flags that the role mentions.
        permissions: RolePermissions,
        /// The tenants who get it; each has one role.
        tenant_ids: List<Once<TenantId>, 0, 100_000>,
    }
}

impl From<ChosenRoleBody> for ChosenRole {
    fn from(ChosenRoleBody { name, permissions, tenant_ids }: ChosenRoleBody) -> Self {
        Self { name: name.0, permissions, tenants: tenant_ids.0.into_iter().map(|id| id.0).collect() }
    }
}

/// Makes roles and gives them to tenants: all of them, or none.
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
