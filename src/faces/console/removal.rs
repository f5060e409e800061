//! Deleting a project: what is deleted with it, and who uses it.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::organizations::members::Admin,
    flows::project_removal::{self, Held, Leaving},
    ground::error::{Code, Error, Result},
};
use inlay_console::{
    Draft, Section,
    pages::removal::{self as views, Removal},
};
use inlay_contract::ids::ProjectId;

/// `GET …/delete`
pub async fn show(visit: Visit<Admin>) -> Page {
    let leaving = project_removal::look(visit.app(), &visit.member, visit.project()?.id).await?;
    let draft = Draft::default().with("seen", seen(&leaving));
    draw(&visit, &leaving, &draft).await
}

/// A fingerprint of what a delete form lists, without objects that users create at any time.
fn seen(leaving: &Leaving) -> String {
    super::seen(&(&leaving.project, leaving.held.made_by_members()))
}

fn goes(held: &Held) -> Vec<(&'static str, i64)> {
    vec![
        ("Connections", held.connections),
        ("Listed tables", held.tables),
        ("Roles", held.roles),
        ("Charts", held.charts),
        ("Applications", held.applications),
        ("Shared dashboards", held.dashboards),
        ("Dashboards of users", held.own_dashboards),
        ("Workspaces", held.workspaces),
        ("Conversations", held.threads),
        ("Reports and alerts", held.reports),
        ("Customers", held.customers),
        ("Users", held.users),
        ("Tenants of v1", held.tenants),
        ("Webhooks", held.webhooks),
    ]
}

async fn draw(visit: &Visit<Admin>, leaving: &Leaving, draft: &Draft) -> Page {
    let page = Removal {
        organization: visit.member.organization.to_string(),
        project: leaving.project.id.to_string(),
        name: leaving.project.name.clone(),
        goes: goes(&leaving.held),
        days: project_removal::DAYS,
        opened: leaving.lately.opened,
        customers: leaving.lately.customers,
        questions: leaving.lately.questions,
    };
    visit.page(&format!("Delete {}", page.name), Section::Overview, || views::draw(&page, draft)).await
}

/// `POST /console/organizations/{organization}/projects/{gone}/delete`: below the organization, because that still exists afterwards.
pub async fn remove(Submission { visit, typed }: Submission<Visit<Admin>>) -> Page {
    let id: ProjectId = visit.person.id("gone")?;
    match attempt(&visit, &typed, id).await {
        Ok(name) => Ok(visit.done(&visit.at("projects"), &format!("{name} deleted."))),
        Err(problem) if problem.code == Code::ProjectNotFound => {
            let deleted = project_removal::deleted(visit.app(), &visit.member, id).await?;
            let name = deleted.ok_or_else(|| Error::not_found("Project"))?;
            Ok(visit.done(&visit.at("projects"), &format!("{name} has already been deleted.")))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            let leaving = project_removal::look(visit.app(), &visit.member, id).await?;
            let visit = Visit { project: Some(leaving.project.clone()), ..visit };
            let draft = draft.with("seen", seen(&leaving));
            Ok(with_status(draw(&visit, &leaving, &draft).await?, status))
        }
    }
}

/// Deletes the project. Returns its name.
async fn attempt(visit: &Visit<Admin>, typed: &Typed, id: ProjectId) -> Result<String> {
    let leaving = project_removal::look(visit.app(), &visit.member, id).await?;
    super::unchanged(typed.get("seen"), &seen(&leaving))?;
    project_removal::remove(visit.app(), &visit.member, id, typed.get("confirm")).await?;
    Ok(leaving.project.name.clone())
}
