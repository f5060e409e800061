//! Embed: the code for hosts, and the playground.

mod play;
mod properties;

pub use play::{make_test_user, people, reasons};

use super::{answer::Page, origin_of, visit::Visit};
use crate::{
    concepts::{
        access::caller::Reach,
        applications,
        organizations::members::{Reads, Worker},
        projects::framing,
        roles::{self, Role},
    },
    ground::error::Result,
};
use inlay_console::{
    Draft, Section,
    pages::embed::{EmbedPage, failures::Tried, show as view},
};

/// `GET /console/projects/{project}/embed`
pub async fn show(visit: Visit) -> Page {
    draw(&visit, Draft::default()).await
}

async fn draw<R: Reads>(visit: &Visit<R>, draft: Draft) -> Page {
    let (app, project) = (visit.app(), visit.project()?);
    let embeds = embeddable(visit).await?;
    let sent = Some(draft.value("embed")).filter(|path| !path.is_empty());
    let asked = sent.unwrap_or_else(|| visit.person.query("embed"));
    let chosen = embeds.iter().find(|(path, _)| path == asked).or(embeds.first()).map(|(path, _)| path.clone());
    let chosen = chosen.unwrap_or_default();
    let chats = crate::flows::management::workspaces::list(app, &visit.member, project.id).await?;
    let unpublished = chats.into_iter().filter(|chat| chat.production.is_none());
    let console = origin_of(&app.base_url);
    let origin = visit.person.query("origin").trim();
    let tried = (!origin.is_empty()).then(|| {
        let verdict = framing::judge(&project.allowed_origins, &console, origin);
        Tried { typed: origin.to_owned(), may_frame: verdict.may_frame, told: verdict.told }
    });
    let roles = roles::list(app, project.id).await?;
    let page = EmbedPage {
        project: project.id.to_string(),
        organization: visit.member.organization.to_string(),
        base_url: app.base_url.clone(),
        embed_url: app.embed_url.clone(),
        embed_origin: origin_of(&app.embed_url),
        embeds,
        role: role_in_code(&roles, visit.person.query("role")),
        roles: roles.into_iter().map(|role| (role.id.to_string(), role.name)).collect(),
        properties: properties::read(visit).await?,
        allowed_origins: project.allowed_origins.clone(),
        unpublished: unpublished.map(|chat| (chat.id.to_string(), chat.name)).collect(),
        tried,
        playground: if visit.is::<Worker>() { Some(play::playground(visit, &chosen).await?) } else { None },
        chosen,
    };
    let frames = page.embed_origin.clone();
    visit.framing("Embed", Section::Embed, &frames, || view(&page, &draft)).await
}

/// The id of the role in the code: the one that is asked for, otherwise the one with the fewest permissions, so that code which
/// is copied unread gives nobody more than needed. Of several, the first by name.
fn role_in_code(roles: &[Role], asked: &str) -> String {
    let asked = roles.iter().find(|role| role.id.to_string() == asked);
    let least = || roles.iter().min_by_key(|role| role.permissions.resolve().count());
    asked.or_else(least).map(|role| role.id.to_string()).unwrap_or_default()
}

/// Everything that can be embedded: the page's path and its name. Workspaces only once they are in production.
pub async fn embeddable<R: Reads>(visit: &Visit<R>) -> Result<Vec<(String, String)>> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let applications = applications::all(app, Reach::Project(project)).await?;
    let chats = crate::flows::management::workspaces::list(app, &visit.member, project).await?;
    let chats = chats.into_iter().filter(|chat| chat.production.is_some());
    let dashboards = applications.into_iter().map(|one| (format!("/share/application/{}", one.id), one.name));
    let chats = chats.map(|one| (format!("/share/workspace/{project}/{}", one.id), format!("{} (chat)", one.name)));
    Ok(dashboards.chain(chats).collect())
}
