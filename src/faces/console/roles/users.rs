//! The users of a role: who has it, and moving users in and out.

use super::found;
use crate::{
    concepts::{
        organizations::members::{Reads, Worker},
        roles::{self, Role},
    },
    faces::console::{
        answer::Page,
        people::{MOST, SHOWN, user_row},
        submission::{Submission, Typed},
        turning,
        visit::Visit,
    },
    flows::management::people::{self, Moved, SEARCHED},
    ground::error::{Error, Result},
};
use inlay_console::pages::roles::RoleUsers;
use inlay_contract::ids::{ProjectUserId, RoleId};
use url::form_urlencoded::Serializer;

/// The users of a role in cursors.
const USERS: &str = "role users";

/// The users of a role page by page, or those that a search finds: with the role, and without.
pub(super) async fn held<R: Reads>(visit: &Visit<R>, role: &Role) -> Result<RoleUsers> {
    let (app, by, project) = (visit.app(), &visit.member, role.project_id);
    let search = visit.person.query("q").trim().to_owned();
    let others = roles::list(app, project).await?.into_iter().filter(|other| other.id != role.id);
    let mut page = RoleUsers {
        most: usize::try_from(MOST).unwrap_or_default(),
        other_roles: others.map(|other| (other.id.to_string(), other.name)).collect(),
        ..RoleUsers::default()
    };
    if search.is_empty() {
        let side = turning::side(visit, USERS)?;
        let mut with = people::with_role(app, by, project, role.id, side.as_ref(), SHOWN + 1).await?;
        page.turns = turning::turns(visit, USERS, side.as_ref(), &mut with, SHOWN, |one| (one.name.clone(), one.id.0))?;
        page.with = with.into_iter().map(user_row).collect();
    } else {
        let found = people::search_for_role(app, by, project, role.id, &search, MOST).await?;
        page.with = found.with.into_iter().map(user_row).collect();
        page.others = found.others.into_iter().map(user_row).collect();
        page.searched = people::has_beyond(app, by, project, SEARCHED).await?.then_some(SEARCHED);
        page.search = search;
    }
    Ok(page)
}

fn user_of(typed: &Typed) -> Result<ProjectUserId> {
    typed.get("user").parse().map_err(|_| Error::not_found("Project user"))
}

/// Leads back to the role, and to the search from which the user was moved.
fn back(visit: &Visit<Worker>, typed: &Typed, role: RoleId, told: &str) -> Page {
    let own = visit.at(&format!("roles/{role}"));
    let own = match typed.get("q") {
        "" => own,
        search => format!("{own}?{}", Serializer::new(String::new()).append_pair("q", search).finish()),
    };
    Ok(visit.done(&own, told))
}

/// `POST …/roles/{role}/users`: gives a user the role.
pub async fn assign(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let role = found(&visit).await?;
    let Moved { user, changed } =
        people::assign(visit.app(), &visit.member, role.project_id, role.id, user_of(&typed)?).await?;
    let told = if changed {
        format!("{} now has the role {}.", user.name, role.name)
    } else {
        format!("{} has this role already.", user.name)
    };
    back(&visit, &typed, role.id, &told)
}

/// `POST …/roles/{role}/users/move`: takes a user out, who gets the role in `to` or none.
pub async fn take_out(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let (role, project) = (found(&visit).await?, visit.project()?.id);
    let to = typed.given("to").map(str::parse::<RoleId>).transpose().map_err(|_| roles::not_found())?;
    let next = match to {
        Some(id) => Some(roles::of_project(visit.app(), project, id).await?),
        None => None,
    };
    let Moved { user, changed } = people::take_out(visit.app(), &visit.member, project, role.id, user_of(&typed)?, to).await?;
    let told = match (changed, &next) {
        (false, _) => format!("{} no longer has this role.", user.name),
        (true, Some(next)) => format!("{} now has the role {}.", user.name, next.name),
        (true, None) => format!("{} has no role now and can only view.", user.name),
    };
    back(&visit, &typed, role.id, &told)
}
