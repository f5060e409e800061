//! An organization's projects.

use super::{
    answer::Page,
    developer,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    concepts::{
        organizations::members::{Admin, Reads, Worker},
        projects::{self, Project, ProjectSettings},
    },
    flows::health,
    ground::error::Result,
};
use inlay_console::{
    Draft, Section,
    pages::{
        developer::{Drafts, origins_field},
        projects::{self as views, Overview, ProjectRow, Step},
    },
};

/// `GET /console/organizations/{organization}/projects`
pub async fn list(visit: Visit) -> Page {
    let app = visit.app();
    let mut rows = Vec::new();
    for project in projects::list(app, visit.member.organization).await? {
        let counts = projects::counts(&mut app.db.read().await?.conn(), project.id).await?;
        let counts = [counts.connections, counts.customers, counts.applications];
        rows.push(ProjectRow { id: project.id.to_string(), name: project.name, counts });
    }
    let organization = visit.member.organization.to_string();
    visit.page("Projects", Section::Projects, || views::list(&organization, &rows, visit.is::<Worker>())).await
}

/// `GET …/projects/new`
pub async fn show_new(visit: Visit<Worker>) -> Page {
    draw_new(&visit, Draft::of([("timezone", "UTC"), ("locale", "en")])).await
}

async fn draw_new(visit: &Visit<Worker>, draft: Draft) -> Page {
    let organization = visit.member.organization.to_string();
    visit.page("New project", Section::Projects, || views::new(&organization, &draft)).await
}

fn settings(typed: &Typed) -> ProjectSettings {
    ProjectSettings {
        name: typed.get("name").to_owned(),
        allowed_origins: typed.lines("allowedOrigins"),
        timezone: typed.given("timezone").unwrap_or("UTC").to_owned(),
        locale: typed.given("locale").unwrap_or("en").to_owned(),
    }
}

/// `POST /console/organizations/{organization}/projects`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    match projects::create(visit.app(), &visit.member, settings(&typed)).await {
        Ok(id) => Ok(visit.done(&format!("/console/projects/{id}"), "Project created.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw_new(&visit, draft).await?, status))
        }
    }
}

/// `GET /console/projects/{project}`
pub async fn show(visit: Visit) -> Page {
    let draft = draft_of(visit.project()?);
    draw(&visit, draft).await
}

fn draft_of(project: &Project) -> Draft {
    Draft::of([
        ("name", project.name.clone()),
        ("allowedOrigins", project.allowed_origins.join("\n")),
        ("timezone", project.timezone.clone()),
        ("locale", project.locale.clone()),
        ("seen", super::seen(project)),
    ])
}

async fn draw<R: Reads>(visit: &Visit<R>, draft: Draft) -> Page {
    let project = visit.project()?;
    let page = Overview {
        id: project.id.to_string(),
        name: project.name.clone(),
        broken: health::broken(visit.app(), &visit.member, project.id).await?,
        steps: steps(visit).await?,
        may_change: visit.is::<Worker>(),
        may_delete: visit.is::<Admin>(),
    };
    visit.page(&page.name, Section::Overview, || views::overview(&page, &draft)).await
}

async fn steps<R: Reads>(visit: &Visit<R>) -> Result<Vec<Step>> {
    let app = visit.app();
    let counts = projects::counts(&mut app.db.read().await?.conn(), visit.project()?.id).await?;
    let keys = crate::concepts::organizations::keys::list(app, &visit.member).await?;
    let developer = format!("/console/organizations/{}/developer", visit.member.organization);
    let step = |name, told, address: String, done| Step { name, told, address, done };
    Ok(vec![
        step("Connect a database", "where your customers' rows are", visit.at("connections"), counts.connections > 0),
        step(
            "Open tables",
            "with the rule that decides which rows each viewer sees",
            visit.at("connections"),
            counts.tables > 0,
        ),
        step("Create a role", "what users may do; without a role they can only view", visit.at("roles"), counts.roles > 0),
        step("Create charts", "an SQL query and how to draw its result", visit.at("charts"), counts.charts > 0),
        step(
            "Put them on a dashboard",
            "in an application, which is what hosts embed",
            visit.at("applications"),
            counts.placed > 0,
        ),
        step("Create an API key", "for your server", developer, keys.iter().any(|key| key.revoked_at.is_none())),
        step("Embed it", "code for your server and page, with the real ids", visit.at("embed"), counts.customers > 0),
    ])
}

/// `POST /console/projects/{project}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let project = visit.project()?;
    let now = super::seen(project);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        projects::change(visit.app(), &visit.member, project.id, settings(&typed)).await
    };
    match saved.await {
        Ok(()) => Ok(visit.done(&visit.at(""), "Saved.")),
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(&visit, draft.with("seen", now)).await?, status))
        }
    }
}

/// `POST …/origins`: sets only the allowed origins, from the organization's Developer page.
pub async fn change_origins(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let Project { id, name, allowed_origins, timezone, locale, .. } = visit.project()?.clone();
    let field = origins_field(&id.to_string());
    let now = super::seen(&allowed_origins);
    let saved = async {
        super::unchanged(typed.get("seen"), &now)?;
        let settings = ProjectSettings { name, allowed_origins: typed.lines(&field), timezone, locale };
        projects::change(visit.app(), &visit.member, id, settings).await
    };
    // That page belongs to the organization.
    let saved = saved.await;
    let visit = Visit { project: None, ..visit };
    match saved {
        Ok(()) => Ok(visit.done(&visit.at("developer"), "Allowed origins saved.")),
        Err(problem) => {
            let drafts = |mut draft: Draft| {
                if let Some(told) = draft.problem("allowedOrigins").map(str::to_owned) {
                    draft.refuse(&field, told);
                }
                Drafts { origins: Some((id.to_string(), draft)), ..Drafts::default() }
            };
            developer::refused(&visit, &typed, problem, drafts).await
        }
    }
}
