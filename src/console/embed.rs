//! Embed: what a host copies, and the playground.

use super::{answer::Page, origin_of, visit::Visit};
use crate::{
    access::caller::Reach,
    applications, connections,
    customers::people,
    error::Result,
    organizations::members::{Reads, Worker},
    roles, workspaces,
};
use inlay_console::{
    Section,
    pages::embed::{EmbedPage, show as view},
};
use inlay_query::RowAccess;
use std::collections::BTreeSet;

/// The most users that the playground offers.
const USERS_OFFERED: i64 = 200;

/// `GET /console/projects/{project}/embed`
pub async fn show(visit: Visit) -> Page {
    let (app, project) = (visit.app(), visit.project()?);
    let embeds = embeddable(&visit).await?;
    let asked = visit.person.query("embed");
    let chosen = embeds.iter().find(|(path, _)| path == asked).or(embeds.first()).map(|(path, _)| path.clone());
    let may_play = visit.is::<Worker>();
    let users = if may_play { people::newest(app, &visit.member, project.id, USERS_OFFERED).await? } else { Vec::new() };
    let page = EmbedPage {
        project: project.id.to_string(),
        organization: visit.member.organization.to_string(),
        base_url: app.base_url.clone(),
        embed_url: app.embed_url.clone(),
        embed_origin: origin_of(&app.embed_url),
        origin: origin_of(&app.base_url),
        embeds,
        chosen: chosen.unwrap_or_default(),
        roles: roles::list(app, project.id).await?.into_iter().map(|role| (role.id.to_string(), role.name)).collect(),
        properties: properties(&visit).await?,
        allowed_origins: project.allowed_origins.clone(),
        users: users.into_iter().map(super::people::named).collect(),
        may_play,
    };
    let frames = page.embed_origin.clone();
    visit.framing("Embed", Section::Embed, &frames, || view(&page)).await
}

/// What can be embedded: the path of its page, and its name. A workspace counts once it is in production.
///
/// # Errors
/// The store is away.
pub async fn embeddable<R: Reads>(visit: &Visit<R>) -> Result<Vec<(String, String)>> {
    let (app, project) = (visit.app(), visit.project()?.id);
    let applications = applications::list(app, Reach::Project(project)).await?;
    let chats = workspaces::manage::list(app, &visit.member, project).await?;
    let chats = chats.into_iter().filter(|chat| chat.production.is_some());
    let dashboards = applications.into_iter().map(|one| (format!("/share/application/{}", one.id), one.name));
    let chats = chats.map(|one| (format!("/share/workspace/{project}/{}", one.id), format!("{} (chat)", one.name)));
    Ok(dashboards.chain(chats).collect())
}

/// The properties that the project's row rules read of customers.
async fn properties(visit: &Visit) -> Result<Vec<String>> {
    let mut found = BTreeSet::new();
    for source in connections::manage::list(visit.app(), &visit.member, visit.project()?.id).await? {
        let open = connections::open(visit.app(), source.id).await?;
        for table in &open.tables {
            let RowAccess::Rule(rule) = &table.rows else { continue };
            let parts = rule.split("{{").skip(1).filter_map(|part| part.split("}}").next());
            found.extend(parts.filter_map(|part| part.trim().strip_prefix("organization.")).map(str::to_owned));
        }
    }
    Ok(found.into_iter().collect())
}
