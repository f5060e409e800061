//! An organization's tenants and their state in the migration.

use super::{calls::LastCall, store};
use crate::{
    concepts::{
        customers::properties::Properties,
        organizations::members::{Member, Reads},
    },
    ground::{error::Result, state::App},
};
use inlay_contract::{
    ids::{CustomerId, ProjectId, ProjectUserId, RoleId},
    permissions::{Flag, Permissions, RolePermissions},
};

/// A tenant in the list.
#[derive(Clone, Debug)]
pub struct ListedTenant {
    /// Its project.
    pub project: ProjectId,
    /// Its name.
    pub name: String,
    /// The key by which a later registration finds the same tenant.
    pub key: String,
    /// The filters of its rows, which become properties of its customer and user.
    pub prefilters: Properties,
    /// The customer that the migration created for it.
    pub customer: Option<(CustomerId, String)>,
    /// The user that the migration created for it.
    pub user: Option<(ProjectUserId, String)>,
    /// The role of that user, or the role that the user will get.
    pub role: Option<(RoleId, String)>,
    /// Its permissions in v1.
    pub permissions: RolePermissions,
    /// The number of its dashboards, its user's included.
    pub dashboards: i64,
}

/// A filter of tenants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Left {
    /// All tenants.
    #[default]
    Any,
    /// Tenants without a project user.
    User,
    /// Tenants without a role.
    Role,
}

/// Tenants with the same v1 permissions and no role that grants them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Without {
    /// The permissions that they would lose in v2.
    pub lost: Vec<Flag>,
    /// The number of tenants.
    pub tenants: i64,
}

/// The v1 permissions of a tenant that a user without a role does not have in v2.
#[must_use]
pub fn lost_without_role(permissions: &RolePermissions) -> Vec<Flag> {
    let (v1, none) = (permissions.in_v1(), Permissions::without_role());
    Flag::ALL.into_iter().filter(|flag| v1.allows(*flag) && !none.allows(*flag)).collect()
}

/// A page of an organization's tenants whose name or key contains a text, oldest first.
pub async fn list(
    app: &App,
    by: &Member<impl Reads>,
    text: &str,
    left: Left,
    (after, most): (i64, i64),
) -> Result<Vec<ListedTenant>> {
    store::tenants(&mut app.db.read().await?.conn(), by.organization, text, left, (after, most)).await
}

/// The tenants that v1 lets edit and that would be view-only in v2, by the permissions that they would lose.
pub async fn without_role(app: &App, by: &Member<impl Reads>) -> Result<Vec<Without>> {
    let sets = store::permissions_without_role(&mut app.db.read().await?.conn(), by.organization).await?;
    let mut found: Vec<Without> = Vec::new();
    for (permissions, tenants) in sets {
        let lost = lost_without_role(&permissions);
        if lost.is_empty() {
            continue;
        }
        match found.iter_mut().find(|known| known.lost == lost) {
            Some(known) => known.tenants += tenants,
            None => found.push(Without { lost, tenants }),
        }
    }
    Ok(found)
}

/// The last v1 calls, newest first.
pub async fn last_calls(app: &App, by: &Member<impl Reads>, most: i64) -> Result<Vec<LastCall>> {
    store::last_calls(&mut app.db.read().await?.conn(), by.organization, most).await
}
