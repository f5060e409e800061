//! The project file: export, compare, apply.

use super::{
    answer::Page,
    submission::{Submission, Typed, with_status},
    visit::Visit,
};
use crate::{
    connections,
    error::{Error, Kind, Result},
    organizations::members::{Reads, Worker},
    project_file::{
        apply::{ApplyProblem, Target, apply_as},
        compare::{self, compare},
        export::{export, variable},
        model::{ConnectionSection, ProjectFile},
    },
    state::App,
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use inlay_console::{
    Draft, Section,
    pages::file::{FilePage, Line, show as view},
};
use inlay_query::Source;
use std::path::Path;

/// `GET /console/projects/{project}/file`
pub async fn show(visit: Visit) -> Page {
    let draft = Draft::of([("file", yaml(&visit).await?)]);
    draw(&visit, draft, None).await
}

async fn yaml<R: Reads>(visit: &Visit<R>) -> Result<String> {
    let app = visit.app();
    let file = export(&app.db, &app.sealer, visit.member.organization, &visit.project()?.name).await?;
    file.to_yaml().map_err(Error::internal)
}

async fn draw<R: Reads>(visit: &Visit<R>, draft: Draft, compared: Option<Vec<Line>>) -> Page {
    let page = FilePage {
        project: visit.project()?.id.to_string(),
        yaml: yaml(visit).await?,
        compared,
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
pub async fn import(Submission { visit, typed }: Submission<Visit<Worker>>) -> Page {
    if typed.ticked("compare") {
        return match compared(&visit, &typed).await {
            Ok(lines) => draw(&visit, typed.draft(), Some(lines)).await,
            Err(problem) => refused(&visit, &typed, problem).await,
        };
    }
    match applied(&visit, &typed).await {
        Ok(()) => Ok(visit.done(&visit.at("file"), "Applied.")),
        Err(problem) => refused(&visit, &typed, problem).await,
    }
}

async fn refused(visit: &Visit<Worker>, typed: &Typed, problem: Error) -> Page {
    let (status, draft) = typed.refused(problem)?;
    Ok(with_status(draw(visit, draft, None).await?, status))
}

async fn compared(visit: &Visit<Worker>, typed: &Typed) -> Result<Vec<Line>> {
    let app = visit.app();
    let name = &visit.project()?.name;
    let lines = compare(&app.db, &app.sealer, visit.member.organization, name, typed.get("file")).await.map_err(told)?;
    let line = |line| match line {
        compare::Line::Same(text) => Line::Same(text),
        compare::Line::Gone(text) => Line::Gone(text),
        compare::Line::New(text) => Line::New(text),
    };
    Ok(lines.into_iter().map(line).collect())
}

fn told(problem: ApplyProblem) -> Error {
    match problem {
        ApplyProblem::Store(problem) => problem,
        problem @ ApplyProblem::File(_) => {
            let details = serde_json::Map::from_iter([("file".to_owned(), problem.to_string().into())]);
            Error::new(Kind::Invalid, "VALIDATION_FAILED", "The file was not applied.").with_details(details)
        }
    }
}

/// Applies the file to this project. Neither the server's environment nor its other files are in reach: `${NAME_URL}`, alone, is
/// the address that the connection of that name has, and a file of SQLite stands where the connection's stands already, or where the operator
/// lets files be.
async fn applied(visit: &Visit<Worker>, typed: &Typed) -> Result<()> {
    let app = visit.app();
    let project = visit.project()?;
    let text = typed.get("file");
    let file = ProjectFile::parse(text).map_err(|problem| told(problem.into()))?;
    if file.project.name.value != project.name {
        return Err(Error::invalid(
            "file",
            format!("is of the project `{}`; this one is `{}`", file.project.name.value, project.name),
        ));
    }
    let known = connections::manage::list(app, &visit.member, project.id).await?;
    for section in &file.connections {
        address(app, &known, section).map_err(|problem| {
            Error::invalid("file", format!("line {}: the address {problem}", section.url.referenced.line()))
        })?;
    }
    let environment = |name: &str| {
        let mut named = known.iter().filter(|source| variable(&source.name) == name);
        named.next().filter(|_| named.next().is_none()).map(|source| source.url.clone())
    };
    let target = Target { db: &app.db, sealer: &app.sealer, engine: &app.engine, organization: visit.member.organization };
    apply_as(&target, &visit.member.actor(), text, Path::new("/"), &environment).await.map_err(told)?;
    app.refresh().await
}

/// Whether a section leads where its connection leads already, or where whoever is signed in may lead one. A sealed address
/// goes back to its own connection whole: as a part of another one, it would be sent to whatever server that one names.
fn address(app: &App, known: &[Source], section: &ConnectionSection) -> Result<(), String> {
    let url = &section.url.value;
    let own = variable(&section.name.value);
    let is_own = known.iter().any(|source| source.name == section.name.value && source.kind == section.kind);
    if is_own && *url == format!("${{{own}}}") {
        return Ok(());
    }
    if url.contains("${") {
        return Err(if is_own {
            format!("reads a variable; here it may be `${{{own}}}` alone, the address that the connection has")
        } else {
            "reads a variable, and this project has no such connection of this kind; write the address out".to_owned()
        });
    }
    if known.iter().any(|source| source.url == *url && source.kind == section.kind) {
        return Ok(());
    }
    connections::manage::is_address(app, section.kind, Some(url))
}
