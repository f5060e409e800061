//! The users who have a role, and moving users between roles.

use super::{ListedUser, Place, store, user};
use crate::{
    concepts::{
        customers::{ProjectUser, users::Change},
        organizations::members::{Member, Reads, Works},
        projects,
        roles::{self, Role},
    },
    flows::registration,
    ground::{error::Result, paging::Side, state::App},
};
use inlay_contract::{
    field::Field,
    ids::{ProjectId, ProjectUserId, RoleId},
};
use std::{collections::HashSet, sync::Arc};

/// A role of a project.
async fn role_of(app: &App, by: &Member<impl Reads>, project: ProjectId, role: RoleId) -> Result<Arc<Role>> {
    projects::of_organization(app, by.organization, project).await?;
    roles::of_project(app, project, role).await
}

/// The users with a role on one side of a place, by name.
///
/// # Errors
/// 404 when the project has no such role.
pub async fn with_role(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    role: RoleId,
    side: Option<&Side<Place>>,
    most: i64,
) -> Result<Vec<ListedUser>> {
    role_of(app, by, project, role).await?;
    store::users_beside(&mut app.db.read().await?.conn(), store::Of::Role(role), side, most).await
}

/// The users that a search finds.
#[derive(Clone, Debug, Default)]
pub struct FoundForRole {
    /// Those who have the role.
    pub with: Vec<ListedUser>,
    /// The others of the project.
    pub others: Vec<ListedUser>,
}

/// The users of a project whose name or external id contains a text: those who have a role, and the others. Each most recently
/// changed first.
///
/// # Errors
/// 404 when the project has no such role.
pub async fn search_for_role(
    app: &App,
    by: &Member<impl Reads>,
    project: ProjectId,
    role: RoleId,
    text: &str,
    most: i64,
) -> Result<FoundForRole> {
    role_of(app, by, project, role).await?;
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let mut with = store::users_with_role_named(conn, role, text, most).await?;
    // In a large project only the search of all of it finds those whose name begins with the text, wherever they are.
    let found = store::users_named(conn, project, None, text, most).await?;
    let (also, others): (Vec<ListedUser>, Vec<ListedUser>) = found.into_iter().partition(|one| one.role_id == Some(role));
    let known: HashSet<ProjectUserId> = with.iter().map(|one| one.id).collect();
    with.extend(also.into_iter().filter(|one| !known.contains(&one.id)));
    with.truncate(usize::try_from(most).unwrap_or_default());
    Ok(FoundForRole { with, others })
}

/// A user after a change of their role.
#[derive(Clone, Debug)]
pub struct Moved {
    /// The user.
    pub user: ProjectUser,
    /// Whether anything changed.
    pub changed: bool,
}

/// Gives a user a role. Changes nothing if they have it.
///
/// # Errors
/// 404 when the project has no such user or role.
pub async fn assign(app: &App, by: &Member<impl Works>, project: ProjectId, role: RoleId, id: ProjectUserId) -> Result<Moved> {
    let before = user(app, by, project, id).await?;
    if before.user_role_id == Some(role) {
        return Ok(Moved { user: before, changed: false });
    }
    moved(app, by, project, id, Field::Value(role)).await
}

/// Takes a role from a user, who gets another one or none. Changes nothing if they do not have it.
///
/// # Errors
/// 404 when the project has no such user or role.
pub async fn take_out(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    role: RoleId,
    id: ProjectUserId,
    to: Option<RoleId>,
) -> Result<Moved> {
    let before = user(app, by, project, id).await?;
    if before.user_role_id != Some(role) {
        return Ok(Moved { user: before, changed: false });
    }
    moved(app, by, project, id, to.map_or(Field::Null, Field::Value)).await
}

async fn moved(
    app: &App,
    by: &Member<impl Works>,
    project: ProjectId,
    id: ProjectUserId,
    role: Field<RoleId>,
) -> Result<Moved> {
    let change = Change { role, ..Change::default() };
    let user = registration::users::change(app, &by.actor(), project, id, &change).await?;
    Ok(Moved { user, changed: true })
}
