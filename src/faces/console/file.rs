//! The project file: export, compare, apply.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    upload::Upload,
    visit::Visit,
};
use crate::{
    concepts::organizations::members::{Reads, Worker},
    flows::project_file::{
        apply::{ApplyProblem, Incoming, Target, apply_as},
        changes,
        draft::{self, Asked, Undrafted},
        export::{export, variable},
        losses,
        model::{ConnectionSection, ProjectFile},
        preview::{Preview, preview},
        project_state::ProjectState,
    },
    ground::{
        error::{Code, Error, Kind, Result},
        state::App,
        web::respond::status,
    },
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use inlay_console::{
    Draft, Section,
    pages::file::{ChangeRow, Comparison, FieldRow, FilePage, LossRow, Outcome, show as view},
};
use inlay_query::Source;
use std::path::Path;

/// `GET /console/projects/{project}/file`
pub async fn show(visit: Visit) -> Page {
    let project_state = project_state(&visit).await?;
    let draft = Draft::of([("file", yaml(&visit).await?), ("seen", project_state)]);
    draw(&visit, draft, None).await
}

async fn yaml<R: Reads>(visit: &Visit<R>) -> Result<String> {
    let app = visit.app();
    let file = export(&app.db, &app.sealer, visit.member.organization, &visit.project()?.name).await?;
    file.to_yaml().map_err(Error::internal)
}

/// A fingerprint of the project, so that applying a file overwrites nothing that the reader has not seen.
async fn project_state<R: Reads>(visit: &Visit<R>) -> Result<String> {
    let app = visit.app();
    let mut lease = app.db.read().await?;
    let name = &visit.project()?.name;
    Ok(ProjectState::read(&mut lease.conn(), &app.sealer, visit.member.organization, name).await?.fingerprint())
}

async fn draw<R: Reads>(visit: &Visit<R>, draft: Draft, compared: Option<Comparison>) -> Page {
    draw_noted(visit, draft, compared, None).await
}

/// The page with the notes of a draft, if its text is one.
async fn draw_noted<R: Reads>(
    visit: &Visit<R>,
    draft: Draft,
    compared: Option<Comparison>,
    notes: Option<Vec<String>>,
) -> Page {
    let page = FilePage {
        project: visit.project()?.id.to_string(),
        yaml: yaml(visit).await?,
        compared,
        notes,
        most: visit.app().settings.limits.max_body_bytes,
        too_large: too_large(visit.app()),
        may_change: visit.is::<Worker>(),
    };
    visit.page("Project file", Section::File, || view(&page, &draft)).await
}

/// `GET …/file/download`
pub async fn download(visit: Visit) -> Result<Response, super::answer::Refused> {
    let headers = [
        (header::CONTENT_TYPE, "application/yaml; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"project.yaml\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, yaml(&visit).await?).into_response())
}

/// `POST …/file`
pub async fn import(Upload { visit, mut typed, problem }: Upload<Visit<Worker>>) -> Page {
    if let Some(problem) = problem {
        return unread(&visit, &typed, problem).await;
    }
    typed.put_in_place("upload", "file");
    if typed.ticked("compare") {
        return match compared(&visit, typed.get("file")).await {
            Ok(found) => draw(&visit, typed.draft().with("seen", &found.seen), Some(comparison(found))).await,
            Err(problem) => refused(&visit, &typed, problem, "Applying this file would be refused.").await,
        };
    }
    match applied(&visit, &typed).await {
        Ok(()) => Ok(visit.done(&visit.at("file"), "Applied.")),
        Err(problem) if problem.code == Code::ChangedMeanwhile => {
            let told = "This project was changed since you opened the page, so nothing was applied. The changes that the file would make now are below. Apply again to make them.";
            asked(&visit, &typed, problem, told).await
        }
        Err(problem) if problem.code == Code::StillUsed => {
            let told = "Nothing was applied yet: this file breaks the objects listed below. Apply again to apply it anyway.";
            asked(&visit, &typed, problem, told).await
        }
        Err(problem) => refused(&visit, &typed, problem, "Nothing was applied.").await,
    }
}

/// `POST …/file/draft`: the project file with a draft of the semantic model, to be read, changed and applied. Changes nothing.
pub async fn draft(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    let connection = Some(typed.get("connection")).filter(|name| !name.is_empty());
    let asked = Asked { project: &visit.project()?.name, connection, listed_only: !typed.ticked("unlisted") };
    let seen = project_state(&visit).await?;
    let (file, notes) = match draft::draft(&target(&visit), &asked).await {
        Ok(drafted) => drafted,
        Err(Undrafted::Store(problem)) => return Err(problem.into()),
        Err(problem) => {
            let mut draft = Draft::of([("file", yaml(&visit).await?), ("seen", seen)]);
            draft.message = Some(format!("There is no draft: {problem}."));
            let code =
                if matches!(problem, Undrafted::Connection(_)) { Code::ValidationFailed } else { Code::SourceUnavailable };
            return Ok(with_status(draw(&visit, draft, None).await?, status(code)));
        }
    };
    let text = file.to_yaml().map_err(Error::internal)?;
    let notes = Some(notes.iter().map(ToString::to_string).collect());
    let found = compared(&visit, &text).await;
    // The state before the draft was made: what others change meanwhile is not overwritten unseen.
    let mut draft = Draft::of([("file", text), ("seen", seen)]);
    match found {
        Ok(found) => draw_noted(&visit, draft, Some(comparison(found)), notes).await,
        Err(problem) if problem.code == Code::ValidationFailed => {
            let told = problem.details.as_ref().and_then(|details| details.get("file")?.as_str());
            draft.refuse("file", told.unwrap_or(&problem.message));
            draft.message = Some("Applying this file would be refused.".to_owned());
            Ok(with_status(draw_noted(&visit, draft, None, notes).await?, status(problem.code)))
        }
        Err(problem) => Err(problem.into()),
    }
}

/// The page with the problems of the chosen file.
async fn unread(visit: &Visit<Worker>, typed: &Typed, problem: Error) -> Page {
    if problem.kind() != Kind::TooLarge {
        return refused(visit, typed, problem, "Nothing was applied.").await;
    }
    let mut draft = Draft::of([("file", yaml(visit).await?), ("seen", project_state(visit).await?)]);
    draft.refuse("upload", too_large(visit.app()));
    draft.message = Some("Nothing was applied.".to_owned());
    Ok(with_status(draw(visit, draft, None).await?, status(problem.code)))
}

fn too_large(app: &App) -> String {
    format!("is too large: file and text together may have at most {} KiB", app.settings.limits.max_body_bytes / 1024)
}

async fn refused(visit: &Visit<Worker>, typed: &Typed, problem: Error, told: &str) -> Page {
    let of_the_file = problem.code == Code::ValidationFailed;
    let (status, mut draft) = typed.refused(problem)?;
    if of_the_file {
        draft.message = Some(told.to_owned());
    }
    Ok(with_status(draw(visit, draft, None).await?, status))
}

/// Shows what applying the file would change, before it is applied.
async fn asked(visit: &Visit<Worker>, typed: &Typed, problem: Error, told: &str) -> Page {
    let (status, mut draft) = typed.refused(problem)?;
    draft.message = Some(told.to_owned());
    let found = match compared(visit, typed.get("file")).await {
        Ok(found) => found,
        Err(problem) => return refused(visit, typed, problem, "Applying this file would be refused.").await,
    };
    let draft = draft.with("seen", &found.seen);
    Ok(with_status(draw(visit, draft, Some(comparison(found))).await?, status))
}

fn comparison(found: Preview) -> Comparison {
    let row = |change: changes::Change| ChangeRow {
        kind: change.kind.to_string(),
        name: change.name,
        outcome: match change.outcome {
            changes::Outcome::Made => Outcome::Made,
            changes::Outcome::Changed => Outcome::Changed,
            changes::Outcome::Removed => Outcome::Removed,
            changes::Outcome::Stays => Outcome::Stays,
        },
        fields: change
            .fields
            .into_iter()
            .map(|field| FieldRow { field: field.field, old: field.old, new: field.new })
            .collect(),
    };
    Comparison {
        changes: found.changes.into_iter().map(row).collect(),
        warnings: found.warnings.iter().map(ToString::to_string).collect(),
        despite: losses::fingerprint(&found.losses),
        losses: found.losses.into_iter().map(|loss| LossRow { lost: loss.lost, uses: loss.uses }).collect(),
    }
}

fn told(problem: ApplyProblem) -> Error {
    match problem {
        ApplyProblem::Store(problem) => problem,
        problem @ ApplyProblem::File(_) => {
            let details = serde_json::Map::from_iter([("file".to_owned(), problem.to_string().into())]);
            Error::new(Code::ValidationFailed, "The file was not applied.").with_details(details)
        }
    }
}

/// The project's connections that a file may use here: the server's environment and its other files are out of reach.
/// `${NAME_URL}`, alone, is the current URL of the connection with that name. An SQLite file must be where the connection's
/// file is already, or in a folder that the operator allows.
async fn known_to(visit: &Visit<Worker>, text: &str) -> Result<Vec<Source>> {
    if text.is_empty() {
        return Err(Error::invalid("file", "is empty: paste a project file, or choose one"));
    }
    let app = visit.app();
    let project = visit.project()?;
    let file = ProjectFile::parse(text).map_err(|problem| told(problem.into()))?;
    if file.project.name.value != project.name {
        let line = file.project.name.referenced.line();
        let problem = format!(
            "line {line}: the file is for the project `{}`; this project is `{}`",
            file.project.name.value, project.name
        );
        return Err(Error::invalid("file", problem));
    }
    let known = crate::flows::management::connections::list(app, &visit.member, project.id).await?;
    for section in &file.connections {
        address(app, &known, section).map_err(|problem| {
            Error::invalid("file", format!("line {}: the address {problem}", section.url.referenced.line()))
        })?;
    }
    Ok(known)
}

async fn compared(visit: &Visit<Worker>, text: &str) -> Result<Preview> {
    let known = known_to(visit, text).await?;
    let environment = |name: &str| address_of(&known, name);
    let incoming =
        Incoming { text, folder: Path::new("/"), environment: &environment, seen: None, despite: None, check_data: false };
    preview(&target(visit), &visit.member.actor(), &incoming).await.map_err(told)
}

async fn applied(visit: &Visit<Worker>, typed: &Typed) -> Result<()> {
    let text = typed.get("file");
    let known = known_to(visit, text).await?;
    let environment = |name: &str| address_of(&known, name);
    let (seen, despite) = (Some(typed.get("seen")), Some(typed.get("despiteUses")));
    let incoming = Incoming { text, folder: Path::new("/"), environment: &environment, seen, despite, check_data: false };
    apply_as(&target(visit), &visit.member.actor(), &incoming).await.map_err(told)?;
    visit.app().refresh().await
}

fn target(visit: &Visit<Worker>) -> Target<'_> {
    let app = visit.app();
    Target { db: &app.db, sealer: &app.sealer, engine: &app.engine, organization: visit.member.organization }
}

/// The value of a variable: the URL of the one connection with this variable.
fn address_of(known: &[Source], name: &str) -> Option<String> {
    let mut named = known.iter().filter(|source| variable(&source.name) == name);
    named.next().filter(|_| named.next().is_none()).map(|source| source.url.clone())
}

/// Checks that a section's URL is the connection's current one, or one that the signed-in member may set. An encrypted URL is
/// only used whole and by its own connection: as part of another URL, it would be sent to the server that the other URL names.
fn address(app: &App, known: &[Source], section: &ConnectionSection) -> Result<(), String> {
    let url = &section.url.value;
    let own = variable(&section.name.value);
    let is_own = known.iter().any(|source| source.name == section.name.value && source.kind == section.kind);
    if is_own && *url == format!("${{{own}}}") {
        return Ok(());
    }
    if url.contains("${") {
        return Err(if is_own {
            format!("reads a variable; here only `${{{own}}}` is allowed, the connection's current address")
        } else {
            "reads a variable, but this project has no such connection of this kind; write out the address".to_owned()
        });
    }
    if known.iter().any(|source| source.url == *url && source.kind == section.kind) {
        return Ok(());
    }
    crate::flows::management::connections::is_address(app, section.kind, Some(url))
}
