//! The navigation around a page that no handler rendered: as much as its address and its reader allow.

use super::visit::{Person, csrf_of, place};
use crate::{
    concepts::projects,
    faces::embeds::{assets, headers::nonce},
    ground::{error::Result, state::App, web::origin::Origin},
};
use axum::http::HeaderMap;
use inlay_console::{NamedId, Section, Shell};
use inlay_contract::ids::ProjectId;

/// The navigation around a page, and the link to leave it.
pub struct ErrorPageShell {
    /// The navigation.
    pub shell: Shell,
    /// The nearest existing page: its address and the link's text.
    pub home: (String, String),
}

/// The navigation around a page for the person of a session. None for people who are signed out. When the store is unavailable
/// the person is unknown: then the links follow from the address only, and nothing is named.
pub async fn error_page_shell(
    app: &App,
    headers: &HeaderMap,
    secret: &str,
    path: &str,
    title: &str,
) -> Result<Option<ErrorPageShell>> {
    let known = async {
        let person = Person::of_session(app, headers, secret, Origin::default()).await?;
        let Some(person) = person else { return Ok(None) };
        placed(&person, path, title).await.map(Some)
    };
    let shell = match known.await {
        Ok(Some(shell)) => shell,
        Ok(None) => return Ok(None),
        Err(_) => by_address(secret, path, title)?,
    };
    let home = home(&shell);
    Ok(Some(ErrorPageShell { shell, home }))
}

/// The parts of an address below `/console`.
fn parts(path: &str) -> [&str; 3] {
    let mut parts = path.trim_start_matches("/console").split('/').skip(1);
    [(); 3].map(|()| parts.next().unwrap_or_default())
}

async fn placed(person: &Person, path: &str, title: &str) -> Result<Shell> {
    let [kind, id, _] = parts(path);
    let mut shell = person.shell(title, section(path))?;
    let project = match id.parse::<ProjectId>() {
        Ok(id) if kind == "projects" => projects::by_id(&person.app, id).await?,
        _ => None,
    };
    let mut here = person.memberships.iter().map(|one| one.organization);
    let organization = match &project {
        Some(project) => here.find(|one| *one == project.organization),
        None => here.find(|one| kind == "organizations" && one.to_string() == id),
    };
    if let Some(organization) = organization {
        place(&person.app, &mut shell, organization, project.as_deref()).await?;
    }
    Ok(shell)
}

fn by_address(secret: &str, path: &str, title: &str) -> Result<Shell> {
    let [kind, id, _] = parts(path);
    let named = |wanted: &str, name: &str| {
        let is_id = kind == wanted && uuid::Uuid::try_parse(id).is_ok();
        is_id.then(|| NamedId { id: id.to_owned(), name: name.to_owned() })
    };
    Ok(Shell {
        title: title.to_owned(),
        section: section(path),
        assets: assets::base(""),
        nonce: nonce()?,
        csrf: csrf_of(secret),
        person: Some("Account".to_owned()),
        organization: named("organizations", "This organization"),
        organizations: Vec::new(),
        project: named("projects", "This project"),
        projects: Vec::new(),
        notice: None,
    })
}

fn home(shell: &Shell) -> (String, String) {
    let project = shell.project.as_ref();
    let organization = shell.organization.as_ref();
    match (project, organization) {
        (Some(project), _) => (format!("/console/projects/{}", project.id), "Go to the project".to_owned()),
        (None, Some(one)) => (format!("/console/organizations/{}/projects", one.id), "Go to the projects".to_owned()),
        (None, None) => ("/console".to_owned(), "Go to the console".to_owned()),
    }
}

/// The section of the console that an address belongs to.
fn section(path: &str) -> Section {
    match parts(path) {
        ["account", ..] => Section::Account,
        ["organizations", _, part] => match part {
            "projects" => Section::Projects,
            "members" => Section::Members,
            "developer" => Section::Developer,
            "model" => Section::Model,
            "audit" => Section::Audit,
            "migration" => Section::Migration,
            _ => Section::Outside,
        },
        ["projects", _, part] => match part {
            "" => Section::Overview,
            "connections" => Section::Connections,
            "roles" => Section::Roles,
            "charts" => Section::Charts,
            "applications" => Section::Applications,
            "workspaces" => Section::Workspaces,
            "customers" | "users" => Section::Customers,
            "usage" => Section::Usage,
            "embed" => Section::Embed,
            "file" => Section::File,
            _ => Section::Outside,
        },
        _ => Section::Outside,
    }
}
