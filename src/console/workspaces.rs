//! Workspaces of a project.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    connections,
    error::{Error, Result},
    organizations::members::{Reads, Worker},
    workspaces::{
        Version, WorkspaceSettings,
        manage::{self, Move},
        store::LatestVersion,
    },
};
use inlay_console::{
    Draft, Section,
    pages::workspaces::{self as views, VersionRow, WorkspacePage, WorkspaceRow},
};
use inlay_contract::ids::WorkspaceId;

/// `GET /console/projects/{project}/workspaces`
pub async fn list(visit: Visit) -> Page {
    let project = visit.project()?.id;
    let row = |one: LatestVersion| WorkspaceRow {
        id: one.id.to_string(),
        name: one.name,
        version: one.version,
        production: one.production,
    };
    let rows: Vec<_> = manage::list(visit.app(), &visit.member, project).await?.into_iter().map(row).collect();
    visit.page("Workspaces", Section::Workspaces, || views::list(&project.to_string(), &rows, visit.is::<Worker>())).await
}

/// `GET …/workspaces/new`
pub async fn show_new(visit: Visit<Worker>) -> Page {
    draw(&visit, None, Draft::default()).await
}

type Found = (LatestVersion, Vec<Version>);

async fn found<R: Reads>(visit: &Visit<R>) -> Result<Found> {
    let id: WorkspaceId = visit.person.id("workspace")?;
    manage::find(visit.app(), &visit.member, visit.project()?.id, id).await
}

/// `GET …/workspaces/{workspace}`
pub async fn show(visit: Visit) -> Page {
    let found = found(&visit).await?;
    let draft = draft_of(&found.0);
    draw(&visit, Some(&found), draft).await
}

fn draft_of(latest: &LatestVersion) -> Draft {
    let settings = &latest.settings;
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    Draft::of([("connection", latest.connection.to_string())])
        .with("tables", settings.tables.clone().unwrap_or_default().join("\n"))
        .with("questions", settings.example_questions.join("\n"))
        .with("instructions", text(&settings.instructions))
        .with("assistantName", text(&settings.placeholders.assistant_name))
        .with("inputPlaceholder", text(&settings.placeholders.input_placeholder))
}

async fn draw<R: Reads>(visit: &Visit<R>, found: Option<&Found>, draft: Draft) -> Page {
    let project = visit.project()?.id;
    let sources = connections::manage::list(visit.app(), &visit.member, project).await?;
    let version = |one: &Version, production: Option<i64>| VersionRow {
        number: one.number,
        published: one.published,
        production: production == Some(one.number),
    };
    let versions = found.map(|(latest, all)| all.iter().rev().map(|one| version(one, latest.production)).collect());
    let page = WorkspacePage {
        project: project.to_string(),
        id: found.map(|(latest, _)| latest.id.to_string()),
        name: found.map(|(latest, _)| latest.name.clone()).unwrap_or_default(),
        versions: versions.unwrap_or_default(),
        connections: sources.into_iter().map(|source| (source.id.to_string(), source.name)).collect(),
        may_change: visit.is::<Worker>(),
    };
    let title = if page.name.is_empty() { "New workspace" } else { &page.name };
    visit.page(title, Section::Workspaces, || views::show(&page, &draft)).await
}

/// The settings of a form over those of the newest version, whose other parts stay.
fn settings(typed: &Typed, old: Option<&WorkspaceSettings>) -> WorkspaceSettings {
    let mut settings = old.cloned().unwrap_or_default();
    let given = |name: &str| typed.given(name).map(str::to_owned);
    settings.example_questions = typed.lines("questions");
    settings.tables = Some(typed.lines("tables")).filter(|tables| !tables.is_empty());
    settings.instructions = given("instructions");
    settings.placeholders.assistant_name = given("assistantName");
    settings.placeholders.input_placeholder = given("inputPlaceholder");
    settings
}

async fn save(visit: &Visit<Worker>, typed: &Typed, found: Option<&Found>) -> Page {
    let project = visit.project()?.id;
    let name = found.map_or_else(|| typed.get("name").to_owned(), |(latest, _)| latest.name.clone());
    let saved = async {
        let connection = typed.get("connection").parse().map_err(|_| Error::invalid("connection", "is required"))?;
        let settings = settings(typed, found.map(|(latest, _)| &latest.settings));
        manage::draft(visit.app(), &visit.member, project, found.map(|(latest, _)| latest.id), &name, connection, &settings)
            .await
    };
    match saved.await {
        Ok(id) => {
            Ok(visit.done(&visit.at(&format!("workspaces/{id}")), "Saved as a draft. Publish it, then put it into production."))
        }
        Err(problem) => {
            let (status, draft) = typed.refused(problem)?;
            Ok(with_status(draw(visit, found, draft).await?, status))
        }
    }
}

/// `POST …/workspaces`
pub async fn create(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    save(&visit, &typed, None).await
}

/// `POST …/workspaces/{workspace}`
pub async fn change(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    save(&visit, &typed, Some(&found)).await
}

/// `POST …/workspaces/{workspace}/versions`
pub async fn advance(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let found = found(&visit).await?;
    let number = typed.get("number").parse::<i64>().unwrap_or_default();
    let (step, told) = match typed.get("step") {
        "publish" => (Move::Publish(number), format!("Version {number} is published.")),
        "promote" => (Move::Promote(number), format!("Version {number} is in production.")),
        "roll-back" => (Move::RollBack, "The version before is in production.".to_owned()),
        "unpublish" => (Move::Unpublish, "The workspace is out of production.".to_owned()),
        _ => return Err(Error::invalid("step", "is no step").into()),
    };
    match manage::advance(visit.app(), &visit.member, visit.project()?.id, found.0.id, step).await {
        Ok(()) => Ok(visit.done(&visit.at(&format!("workspaces/{}", found.0.id)), &told)),
        Err(problem) => {
            let (status, refused) = typed.refused(problem)?;
            let mut draft = draft_of(&found.0);
            draft.message = refused.message;
            Ok(with_status(draw(&visit, Some(&found), draft).await?, status))
        }
    }
}
