//! Roles for tenants' permissions: proposed from their registrations, created as the host chooses.

use crate::{
    concepts::{
        roles::{self, Role},
        tenants::{self, Tenant, twins},
    },
    ground::{
        audit::Actor,
        error::{Error, Result},
        names,
        state::App,
    },
};
use inlay_contract::{
    ids::{ProjectId, TenantId},
    permissions::{Flag, RolePermissions},
};
use serde::Serialize;
use std::{collections::BTreeSet, sync::Arc};
use utoipa::ToSchema;

/// A role that gives tenants the same permissions in v2 as in v1.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedRole {
    /// A name that is free in the project.
    pub suggested_name: String,
    /// All permissions, written out, because a missing one means something else in v2.
    pub permissions: RolePermissions,
    /// The tenants that would get it.
    pub tenant_ids: Vec<TenantId>,
}

/// Proposes a role for each distinct set of permissions among a project's tenants. Permissions that a tenant's registration
/// leaves out come from those of the v1 component.
pub async fn propose(app: &App, project: ProjectId, component: &RolePermissions) -> Result<Vec<ProposedRole>> {
    let tenants = tenants::of_project(&mut app.db.read().await?.conn(), project).await?;
    let taken = roles::list(app, project).await?.into_iter().map(|role| role.name).collect();
    Ok(proposals(&tenants, component, taken))
}

fn proposals(tenants: &[Tenant], component: &RolePermissions, mut taken: BTreeSet<String>) -> Vec<ProposedRole> {
    let mut proposed: Vec<ProposedRole> = Vec::new();
    for tenant in tenants {
        // Written out as they resolve: a flag without effect makes no other role (docs/spec/contract.md, section 12, D8).
        let resolved = tenant.permissions.or(component).in_v1();
        let permissions: RolePermissions = Flag::ALL.into_iter().map(|flag| (flag, resolved.allows(flag))).collect();
        match proposed.iter_mut().find(|role| role.permissions == permissions) {
            Some(role) => role.tenant_ids.push(tenant.id),
            None => {
                let suggested_name = free_name(base_name(&permissions), &taken);
                taken.insert(suggested_name.clone());
                proposed.push(ProposedRole { suggested_name, permissions, tenant_ids: vec![tenant.id] });
            }
        }
    }
    proposed
}

fn base_name(permissions: &RolePermissions) -> &'static str {
    let all = || Flag::ALL.into_iter().filter(|flag| flag.grants_editing()).all(|flag| permissions.get(flag) == Some(true));
    match permissions.grants_editing() {
        false => "Viewer",
        true if all() => "Editor",
        true => "Limited editor",
    }
}

fn free_name(base: &str, taken: &BTreeSet<String>) -> String {
    names::first_free(base.to_owned(), |number| format!("{base} {number}"), |name| taken.contains(name))
}

/// A role that the host chose.
#[derive(Debug)]
pub struct ChosenRole {
    /// Its name.
    pub name: String,
    /// Its permissions.
    pub permissions: RolePermissions,
    /// The tenants that get it.
    pub tenants: Vec<TenantId>,
}

/// Creates the chosen roles and assigns them to their tenants, all or none.
///
/// # Errors
///
/// 404 for a tenant that the project does not have, 409 `ROLE_NAME_TAKEN`.
pub async fn create(app: &App, actor: &Actor, project: ProjectId, chosen: &[ChosenRole]) -> Result<Vec<Role>> {
    let mut tx = app.db.write().await?;
    let mut ids = Vec::with_capacity(chosen.len());
    for role in chosen {
        let conn = &mut tx.conn();
        let id = roles::insert(conn, actor, project, &role.name, &role.permissions).await?;
        for tenant in &role.tenants {
            if !tenants::set_role(conn, project, *tenant, id).await? {
                return Err(Error::not_found("Tenant"));
            }
        }
        ids.push(id);
    }
    // Tenants that were registered since the proposal are in no list.
    twins::share_roles(&mut tx.conn(), actor.organization).await?;
    tx.commit().await?;
    app.refresh().await?;
    let mut made = Vec::with_capacity(ids.len());
    for id in ids {
        made.push(Arc::unwrap_or_clone(roles::of_project(app, project, id).await?));
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::customers::properties::Properties;
    use inlay_contract::ids::ProjectId;
    use serde_json::{Map, json};

    fn tenant(permissions: serde_json::Value) -> Tenant {
        Tenant {
            id: TenantId::generate(),
            project: ProjectId::generate(),
            key: String::new(),
            name: String::new(),
            prefilters: Properties::new(),
            permissions: serde_json::from_value(permissions).expect("permissions"),
            metadata: Map::new(),
            user: None,
            role: None,
            role_kept: false,
        }
    }

    fn component(permissions: serde_json::Value) -> RolePermissions {
        serde_json::from_value(permissions).expect("permissions")
    }

    #[test]
    fn tenants_who_may_the_same_share_a_proposal() {
        let tenants = [
            tenant(json!({"addChart": true})),
            tenant(json!({"addChart": true, "readOnly": false, "createChartSQL": true})),
            tenant(json!({"addChart": true, "aiCharts": false})),
            tenant(json!({"hideHeader": true, "aiCharts": false})),
            tenant(json!({"readOnly": true, "addChart": true})),
            tenant(json!({"readOnly": true, "drillDown": true})),
        ];
        let proposed =
            proposals(&tenants, &component(json!({"aiCharts": true})), BTreeSet::from(["Limited editor".to_owned()]));
        let told: Vec<(&str, &[TenantId])> =
            proposed.iter().map(|role| (role.suggested_name.as_str(), role.tenant_ids.as_slice())).collect();
        let ids: Vec<TenantId> = tenants.iter().map(|tenant| tenant.id).collect();
        let expected = [
            ("Limited editor 2", &ids[..2]),
            ("Limited editor 3", &ids[2..3]),
            ("Viewer", &ids[3..4]),
            ("Viewer 2", &ids[4..]),
        ];
        assert_eq!(told, expected);
        assert_eq!(proposed[0].permissions.get(Flag::AiCharts), Some(true));
        assert!(Flag::ALL.into_iter().all(|flag| proposed.iter().all(|role| role.permissions.get(flag).is_some())));
    }

    #[test]
    fn a_proposal_means_in_v2_what_its_tenants_had_in_v1() {
        let v1 = tenant(json!({"addChart": true, "drillDown": true}));
        let proposed = proposals(std::slice::from_ref(&v1), &RolePermissions::default(), BTreeSet::new());
        let resolved = proposed[0].permissions.resolve();
        let on: Vec<Flag> = Flag::ALL.into_iter().filter(|flag| resolved.allows(*flag)).collect();
        assert_eq!(on, [Flag::AddChart, Flag::DrillDown]);
    }
}
