//! `POST /v1/api/migration/analyze-roles` and `create-roles`.

use super::roles::{ChosenRole, ProposedRole, create, propose};
use crate::{
    access::{Authorized, Host, credential::HeaderOrBody},
    error::{Error, Result, refusals},
    projects,
    roles::Role,
    state::App,
    web::{Answer, Body, Fields, fields::Text},
};
use axum::extract::State;
use inlay_contract::{
    ids::{ProjectId, TenantId},
    permissions::RolePermissions,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Most roles in one call.
const MOST_ROLES: usize = 500;
/// Most tenants of one role in one call.
const MOST_TENANTS: usize = 100_000;

/// What analyze-roles answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedRoles {
    proposed_roles: Vec<ProposedRole>,
}

/// Whose tenants, and what the component allowed them.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct AnalyzeRolesBody {
    /// The project; may be left out when the organization has one.
    project_id: Option<ProjectId>,
    /// The permissions that the v1 component was given; they fill what a tenant's registration left out.
    sdk_tenant_editing_permissions: Option<RolePermissions>,
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
    let mut fields = Fields::of(&body);
    let project = fields.optional("projectId");
    let component = fields.permissions("sdkTenantEditingPermissions").unwrap_or_default();
    fields.finish()?;
    let project = projects::named_or_only(&app, caller.organization, project).await?;
    Ok(Answer(ProposedRoles { proposed_roles: propose(&app, project.id, &component).await? }))
}

/// What create-roles answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedRoles {
    user_roles: Vec<Role>,
}

/// The roles to make.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct CreateRolesBody {
    /// The project; may be left out when the organization has one.
    project_id: Option<ProjectId>,
    /// The roles, all made or none.
    #[schema(min_items = 1, max_items = 500)]
    roles: Vec<ChosenRoleBody>,
}

/// A proposed role under the name that the host chose.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct ChosenRoleBody {
    /// Unique within the project.
    #[schema(min_length = 1, max_length = 512)]
    name: String,
    /// The flags that the role mentions.
    permissions: RolePermissions,
    /// The tenants who get it; each has one role.
    #[schema(max_items = 100_000)]
    tenant_ids: Vec<TenantId>,
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
    let (project, chosen) = read(&body)?;
    let project = projects::named_or_only(&app, caller.organization, project).await?;
    Ok(Answer(CreatedRoles { user_roles: create(&app, &actor, project.id, &chosen).await? }))
}

fn read(body: &Body) -> Result<(Option<ProjectId>, Vec<ChosenRole>)> {
    let mut fields = Fields::of(body);
    let project = fields.optional("projectId");
    let items = fields.list("roles", MOST_ROLES).cloned().unwrap_or_default();
    let mut chosen = Vec::with_capacity(items.len());
    let mut given = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        let path = format!("roles[{index}]");
        let Value::Object(item) = item else {
            fields.problem(&path, "must be an object");
            continue;
        };
        chosen.extend(read_role(&mut fields, &path, item, &mut given));
    }
    fields.finish()?;
    if chosen.len() != items.len() {
        return Err(Error::internal("a role was neither read nor refused"));
    }
    Ok((project, chosen))
}

/// A role of the list. `given` holds the tenants who have one by now.
fn read_role(outer: &mut Fields<'_>, path: &str, item: &Body, given: &mut BTreeSet<TenantId>) -> Option<ChosenRole> {
    let mut fields = Fields::of(item);
    let name = fields.required::<Text>("name");
    let permissions = fields.required_permissions("permissions");
    let mut tenants = Vec::new();
    match item.get("tenantIds") {
        Some(Value::Array(ids)) if ids.len() <= MOST_TENANTS => {
            for (index, id) in ids.iter().enumerate() {
                let place = format!("tenantIds[{index}]");
                match fields.read::<TenantId>(&place, id) {
                    Some(id) if given.insert(id) => tenants.push(id),
                    Some(_) => fields.problem(&place, "is named twice"),
                    None => {}
                }
            }
        }
        None | Some(Value::Null) => fields.problem("tenantIds", "is required"),
        Some(_) => fields.problem("tenantIds", format!("must be a list of at most {MOST_TENANTS} items")),
    }
    for (place, problem) in fields.into_problems() {
        outer.problem(&format!("{path}.{place}"), problem);
    }
    let (name, permissions) = name.zip(permissions)?;
    Some(ChosenRole { name: name.0, permissions, tenants })
}
