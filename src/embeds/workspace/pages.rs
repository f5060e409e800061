//! `GET /share/workspace/…`.

use super::{
    address::Address,
    drawn,
    page::{self, Visit},
};
use crate::{
    embeds::{assets, headers},
    error::{Error, Result},
    projects,
    state::App,
    web::respond::status,
};
use axum::{
    extract::{OriginalUri, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use inlay_app::{
    ssr::Assets,
    workspace::{
        ssr,
        wire::{WorkspaceContent, WorkspacePage},
    },
};
use inlay_contract::{page::PageMessage, theme::Theme};
use std::time::Instant;

/// A page, drawn. Its status follows its message (docs/spec/contract.md, section 6).
pub async fn show(State(app): State<App>, OriginalUri(uri): OriginalUri) -> Result<Response> {
    let started = Instant::now();
    let address = Address::read(uri.path(), uri.query().unwrap_or_default()).ok_or_else(|| Error::not_found("Page"))?;
    let (page, theme) = content(&app, &address).await;
    let nonce = headers::nonce()?;
    let asking = address.parameters.parent_origin.as_ref();
    let ancestors = headers::ancestors(&app, allowed_origins(&app, &address).await?, asking);
    let headers = headers::of_page(&nonce, &app.embed_url, &ancestors)?;
    let code = match &page.content {
        WorkspaceContent::Message(message) => StatusCode::from_u16(message.status()).unwrap_or(StatusCode::OK),
        WorkspaceContent::AwaitingToken | WorkspaceContent::Workspace(_) => StatusCode::OK,
    };
    let assets = Assets { base: assets::base(&app.embed_url) };
    let html = ssr::render(page, &theme, &assets, &nonce);
    metrics::histogram!("inlay_page_seconds").record(started.elapsed().as_secs_f64());
    Ok((code, headers, html).into_response())
}

/// What an address shows, and its look.
async fn content(app: &App, address: &Address) -> (WorkspacePage, Theme) {
    let ground = ground(address.dark);
    if address.token_handoff && address.token.is_none() && address.parameters.parent_origin.is_some() {
        return (page::bare(address, WorkspaceContent::AwaitingToken), ground);
    }
    let Some(token) = &address.token else {
        return (page::bare(address, WorkspaceContent::Message(PageMessage::InvalidToken)), ground);
    };
    match opened(app, token, address).await {
        Ok((mut page, theme)) => {
            if let WorkspaceContent::Workspace(view) = &mut page.content
                && let Some(thread) = &mut view.thread
            {
                drawn::draw(app, thread).await;
            }
            (page, theme)
        }
        Err(problem) => {
            if status(problem.code).is_server_error() {
                tracing::error!(code = problem.code.as_str(), context = problem.context, "a page could not be opened");
            }
            (page::bare(address, WorkspaceContent::Message(page::message_of(&problem))), ground)
        }
    }
}

/// The page of whoever bears a token.
///
/// # Errors
/// They are not let in, or the store is away.
pub(super) async fn opened(app: &App, token: &str, address: &Address) -> Result<(WorkspacePage, Theme)> {
    let visit: Visit = page::enter(app, token, address).await?;
    let page = page::open(app, &visit, address).await?;
    Ok((page, visit.style.theme))
}

/// The look of a page of which nothing is known.
pub(super) fn ground(dark: Option<bool>) -> Theme {
    let background = (dark == Some(true)).then(|| page::DARK.to_owned());
    Theme { background, ..Theme::default() }
}

/// The origins that may frame a page: those of the project that its address names, whatever the token. None stands for any.
async fn allowed_origins(app: &App, address: &Address) -> Result<Vec<String>> {
    let Some((project, _)) = address.target else { return Ok(Vec::new()) };
    let project = projects::by_id(app, project).await?;
    Ok(project.map(|project| project.allowed_origins.clone()).unwrap_or_default())
}
