//! The migration from v1 to v2: roles for tenants' permissions, project users for the tenants, and the end of v1 writes.

pub mod calls;
pub mod roles;
mod store;
pub mod tenants;

#[cfg(test)]
mod races_tests;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::V1WriteRow;
pub use store::counts;

use crate::{
    concepts::{
        applications,
        organizations::{self, members},
        tenants::{self as registered, mapping, twins},
        workspaces,
    },
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        store::{Conn, Db, version},
    },
};
use inlay_contract::ids::OrganizationId;
use serde::Serialize;

/// The numbers of an organization's objects, which the migration must preserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Tenants.
    pub tenants: i64,
    /// Tenants without a project user.
    pub unmapped_tenants: i64,
    /// Customers.
    pub customers: i64,
    /// Project users.
    pub project_users: i64,
    /// Dashboards.
    pub dashboards: i64,
    /// Dashboards that only a tenant owns.
    pub tenant_dashboards: i64,
    /// Dashboards that a project user owns.
    pub user_dashboards: i64,
    /// Charts, in libraries and on dashboards.
    pub charts: i64,
}

/// The result of a step of the migration.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Before it.
    pub before: Counts,
    /// After it.
    pub after: Counts,
    /// How many tenants got a project user.
    pub mapped_tenants: usize,
    /// How many dashboards were moved to a project user.
    pub moved_dashboards: u64,
    /// How many workspaces got an application.
    pub made_applications: usize,
}

/// Creates an application of every workspace that has none, and a customer and a project user for every tenant that has none,
/// and moves its dashboards to that user. Each tenant has its own transaction, so that a running server continues and an
/// interrupted step can be repeated.
///
/// # Errors
/// 404 when the organization does not exist.
pub async fn map_tenants(db: &Db, actor: &Actor) -> Result<Step> {
    let organization = actor.organization;
    let mut tx = db.write().await?;
    tx.take_time().await?;
    let conn = &mut tx.conn();
    let known = organizations::find(conn, organization).await?;
    let before = store::counts(conn, organization).await?;
    let made_applications = make_applications(conn, organization).await?;
    if !known.migration_finalized {
        twins::share_roles(conn, organization).await?;
    }
    let waiting = registered::unmapped(conn, organization).await?;
    tx.commit().await?;
    let (mut mapped_tenants, mut moved_dashboards) = (0, 0);
    for tenant in &waiting {
        let mut tx = db.write().await?;
        let conn = &mut tx.conn();
        // Read again: it may have been registered anew since the list was read.
        let Some(tenant) = registered::locked(conn, tenant.project, &tenant.key).await? else { continue };
        if tenant.user.is_none() {
            moved_dashboards += mapping::map(conn, actor, &tenant).await?.dashboards;
            tx.commit().await?;
            mapped_tenants += 1;
        }
    }
    let mut tx = db.write().await?;
    tx.take_time().await?;
    moved_dashboards += registered::hand_over_dashboards(&mut tx.conn(), organization).await?;
    tx.commit().await?;
    let after = store::counts(&mut db.read().await?.conn(), organization).await?;
    Ok(Step { before, after, mapped_tenants, moved_dashboards, made_applications })
}

/// Creates an application of each workspace that has none. Returns how many.
async fn make_applications(conn: &mut Conn<'_>, organization: OrganizationId) -> Result<usize> {
    let mut made = 0;
    for workspace in workspaces::of_organization(conn, organization).await? {
        if applications::find_by_workspace(conn, workspace.id).await?.is_none() {
            applications::of_workspace(conn, &workspace).await?;
            made += 1;
        }
    }
    Ok(made)
}

/// Finalizes the migration of an organization: from now on v1 no longer writes dashboards.
///
/// # Errors
/// 409 `MIGRATION_INCOMPLETE` while a tenant has no project user; 404 when the organization does not exist.
pub async fn finalize(db: &Db, actor: &Actor) -> Result<Step> {
    let mut tx = db.write().await?;
    tx.take_time().await?;
    let step = finalize_in(&mut tx.conn(), actor).await?;
    tx.commit().await?;
    Ok(step)
}

async fn finalize_in(conn: &mut Conn<'_>, actor: &Actor) -> Result<Step> {
    let organization = actor.organization;
    // Writes of v1 that have begun end before this; later ones wait, and are refused (`organizations::find_held`).
    members::lock_organization(conn, organization).await?;
    let known = organizations::find(conn, organization).await?;
    let before = store::counts(conn, organization).await?;
    if before.unmapped_tenants > 0 {
        return Err(unmapped(before.unmapped_tenants));
    }
    let moved_dashboards = registered::hand_over_dashboards(conn, organization).await?;
    let mut made_applications = 0;
    if !known.migration_finalized {
        // Of workspaces and tenants that came since the users were created.
        made_applications = make_applications(conn, organization).await?;
        twins::share_roles(conn, organization).await?;
        store::finalize(conn, organization).await?;
        audit::record(conn, actor, Deed::new("migration.finalized", organization.0)).await?;
        version::bump(conn, &[organization.into()]).await?;
    }
    let after = store::counts(conn, organization).await?;
    Ok(Step { before, after, mapped_tenants: 0, moved_dashboards, made_applications })
}

fn unmapped(count: i64) -> Error {
    let told = if count == 1 {
        "1 tenant has no project user yet. Create project users first.".to_owned()
    } else {
        format!("{count} tenants have no project user yet. Create project users first.")
    };
    Error::new(Code::MigrationIncomplete, told)
}
