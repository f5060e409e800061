//! An organization's tenants as the migration sees them: what became of each, and what is left.

use super::{calls::LastCall, store};
use crate::{
    customers::properties::Properties,
    error::Result,
    organizations::members::{Member, Reads},
    state::App,
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
    /// What makes it the same tenant at the next registration.
    pub key: String,
    /// What its rows are narrowed by; its customer's and user's properties.
    pub prefilters: Properties,
    /// The customer that the migration made for it.
    pub customer: Option<(CustomerId, String)>,
    /// The user that it made.
    pub user: Option<(ProjectUserId, String)>,
    /// The role of that user; before there is one, the role that they will get.
    pub role: Option<(RoleId, String)>,
    /// What it may do in v1.
    pub permissions: RolePermissions,
    /// How many dashboards it has, its user's among them.
    pub dashboards: i64,
}

/// Which tenants are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Left {
    /// All.
    #[default]
    Any,
    /// Those without a project user.
    User,
    /// Those without a role.
    Role,
}

/// Tenants whose registrations allow the same, and whom no role gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Without {
    /// What they would lose in v2.
    pub lost: Vec<Flag>,
    /// How many they are.
    pub tenants: i64,
}

/// What a tenant may do in v1 and nobody without a role does in v2.
#[must_use]
pub fn lost_without_role(permissions: &RolePermissions) -> Vec<Flag> {
    let (v1, none) = (permissions.written_out().resolve(), Permissions::without_role());
    Flag::ALL.into_iter().filter(|flag| v1.allows(*flag) && !none.allows(*flag)).collect()
}

/// The tenants of an organization whose name or key holds a text, oldest first: so many after so many.
pub async fn list(
    app: &App,
    by: &Member<impl Reads>,
    text: &str,
    left: Left,
    (after, most): (i64, i64),
) -> Result<Vec<ListedTenant>> {
    store::tenants(&mut app.db.read().await?.conn(), by.organization, text, left, (after, most)).await
}

/// The tenants that would be view-only although v1 lets them do more, by what they would lose.
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

/// Who wrote through v1 last, the latest first.
pub async fn last_calls(app: &App, by: &Member<impl Reads>, most: i64) -> Result<Vec<LastCall>> {
    store::last_calls(&mut app.db.read().await?.conn(), by.organization, most).await
}
