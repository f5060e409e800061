//! `GET /share/…`: every embeddable page.

use super::{address::Asked, message_of};
use crate::{
    concepts::projects::Project,
    faces::embeds::{assets, headers},
    ground::{
        error::{Error, Kind, Result},
        memory::{self, Kept},
        state::App,
        web::{
            packed::Packed,
            respond::status,
            rows::{self, LONG},
        },
    },
};
use axum::{
    extract::{OriginalUri, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use inlay_app::frame::ssr::{Assets, Document};
use inlay_contract::{ids::ProjectUserId, page::PageMessage};
use std::{future::Future, sync::Arc, time::Instant};

/// The address of one kind of page, and how such a page is opened and rendered.
pub trait FramePage: Sized + Send + Sync + 'static {
    /// The page's data.
    type Shown: Send + 'static;
    /// The message of a page that does not exist.
    const MISSING: PageMessage;

    /// Parses a path below the embed host and its query. `None` for a path of another page.
    fn read(app: &App, path: &str, search: &str) -> Option<Self>;
    /// The parameters that every page has.
    fn asked(&self) -> &Asked;
    /// The project of the address, for any token: it determines which origins may frame the page, and its language.
    fn project(&self, app: &App) -> impl Future<Output = Result<Option<Arc<Project>>>> + Send;
    /// The page for a token's user.
    fn open(&self, app: &App, token: &str) -> impl Future<Output = Result<Self::Shown>> + Send;
    /// A page without content: one message, or the wait for a token.
    fn bare(&self, project: Option<&Project>, message: Option<PageMessage>) -> Self::Shown;
    /// The message that a page shows instead of content.
    fn message(shown: &Self::Shown) -> Option<PageMessage>;
    /// Who looks at the page.
    fn viewer(shown: &Self::Shown) -> Option<ProjectUserId>;
    /// The page's document.
    fn document(shown: Self::Shown) -> Document;
}

/// Renders a page. Its status follows its message (docs/spec/contract.md, section 6); a viewer above the rate limit gets 429
/// (section 12, D12).
///
/// # Errors
/// 404 for a path of another page.
pub async fn show<P: FramePage>(State(app): State<App>, OriginalUri(uri): OriginalUri, given: HeaderMap) -> Result<Response> {
    let started = Instant::now();
    let address = P::read(&app, uri.path(), uri.query().unwrap_or_default()).ok_or_else(|| Error::not_found("Page"))?;
    let kept = Kept::default();
    let (project, shown) = match address.project(&app).await {
        Ok(project) => {
            let shown = kept.during(content(&app, &address, project.as_deref())).await;
            (project, shown)
        }
        Err(problem) => (None, Err(problem)),
    };
    let wait = shown.as_ref().err().filter(|problem| problem.kind() == Kind::RateLimited).and_then(Error::retry_seconds);
    let shown = shown.unwrap_or_else(|problem| {
        if status(problem.code).is_server_error() {
            tracing::error!(code = problem.code.as_str(), context = problem.context, "a page could not be opened");
        }
        address.bare(None, Some(message_of(&problem, P::MISSING)))
    });
    let nonce = headers::nonce()?;
    let allowed = project.map(|project| project.allowed_origins.clone()).unwrap_or_default();
    let ancestors = headers::ancestors(&app, allowed, address.asked().parent_origin.as_ref());
    let mut headers = headers::of_page(&nonce, &app.embed_url, &ancestors)?;
    let mut code =
        P::message(&shown).map_or(StatusCode::OK, |message| StatusCode::from_u16(message.status()).unwrap_or(StatusCode::OK));
    if let Some(seconds) = wait {
        code = StatusCode::TOO_MANY_REQUESTS;
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    let brotli = assets::accepts_brotli(&given);
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if brotli {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
    }
    let (base, packed) = (assets::base(&app.embed_url), app.part::<Packed>());
    let write = move || {
        let viewer = P::viewer(&shown).map(|viewer| viewer.to_string()).unwrap_or_default();
        let html = P::document(shown).html(&Assets { base, charts: assets::charts() }, &nonce);
        // Other encodings are left to the layer around all answers.
        if brotli { packed.brotli(&html, &[&nonce, &viewer]) } else { html.into_bytes() }
    };
    let html = if kept.bytes() > LONG { memory::apart(write).await? } else { write() };
    metrics::histogram!("inlay_page_seconds").record(started.elapsed().as_secs_f64());
    Ok(rows::in_pieces((code, headers, html).into_response(), kept))
}

/// The content of an address. A page that waits for its token is in the project's language already.
async fn content<P: FramePage>(app: &App, address: &P, project: Option<&Project>) -> Result<P::Shown> {
    if address.asked().awaits_token() {
        return Ok(address.bare(project, None));
    }
    match &address.asked().token {
        Some(token) => address.open(app, token).await,
        None => Ok(address.bare(None, Some(PageMessage::InvalidToken))),
    }
}
