//! Changes of users by the host and its members. A role that they set is no longer changed by registrations of the tenant that
//! the user was.

use crate::{
    concepts::{
        customers::{
            ProjectUser,
            users::{self, Change},
        },
        tenants::twins,
    },
    ground::{audit::Actor, error::Result, state::App},
};
use inlay_contract::{
    field::Field,
    ids::{ProjectId, ProjectUserId},
};

/// Changes a user.
///
/// # Errors
///
/// 404 for a user or role that the project does not have.
pub async fn change(app: &App, actor: &Actor, project: ProjectId, id: ProjectUserId, change: &Change) -> Result<ProjectUser> {
    let changed = users::change(app, actor, project, id, change).await?;
    if !matches!(change.role, Field::Absent) {
        twins::keep_role(app, id).await?;
    }
    Ok(changed)
}
