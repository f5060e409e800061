//! `GET /share/…` and `POST /share/fn/…`.

use super::{
    address::Address,
    assets,
    backend::{Backend, message_of},
    headers, page,
};
use crate::{
    access::Viewer,
    error::{Error, Result},
    projects,
    state::App,
};
use axum::{
    body::Body,
    extract::{OriginalUri, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use inlay_app::{
    backend::SharedBackend,
    ssr::{self, Assets},
};
use inlay_contract::page::{EmbedPage, PageContent, PageMessage};
use std::{sync::Arc, time::Instant};

/// A page, drawn. Its status follows its message (contract section 6).
pub async fn show(State(app): State<App>, OriginalUri(uri): OriginalUri) -> Result<Response> {
    let started = Instant::now();
    let address = Address::read(uri.path(), uri.query().unwrap_or_default()).ok_or_else(|| Error::not_found("Page"))?;
    let (page, allowed_origins) = content(&app, &address).await;
    let nonce = headers::nonce()?;
    let headers = headers::of_page(&nonce, &app.embed_url, &allowed_origins)?;
    let status = match &page.content {
        PageContent::Message { message } => StatusCode::from_u16(message.status()).unwrap_or(StatusCode::OK),
        PageContent::AwaitingToken | PageContent::Application(_) => StatusCode::OK,
    };
    let assets = Assets { base: assets::base(&app.embed_url) };
    let html = ssr::render(page, &assets, &nonce);
    metrics::histogram!("inlay_page_seconds").record(started.elapsed().as_secs_f64());
    Ok((status, headers, html).into_response())
}

/// What an address shows, and which origins may frame it.
async fn content(app: &App, address: &Address) -> (EmbedPage, Vec<String>) {
    let origins =
        |project: Option<Arc<projects::Project>>| project.map_or_else(Vec::new, |project| project.allowed_origins.clone());
    if address.parameters.token_handoff && address.token.is_none() {
        let content = if address.parameters.parent_origin.is_some() {
            PageContent::AwaitingToken
        } else {
            PageContent::Message { message: PageMessage::InvalidToken }
        };
        return (page::page(address, None, content), Vec::new());
    }
    let Some(token) = &address.token else { return (page::message(address, PageMessage::InvalidToken), Vec::new()) };
    let viewer = match Viewer::by_token(app, token).await {
        Ok(viewer) => viewer,
        Err(refused) => return (page::message(address, message_of(&refused)), Vec::new()),
    };
    let allowed = origins(projects::by_id(app, viewer.project).await.ok().flatten());
    match page::open(app, viewer, address).await {
        Ok(page) => (page, allowed),
        Err(fault) => {
            tracing::error!(code = fault.code, context = fault.context, "a page could not be opened");
            (page::message(address, message_of(&fault)), allowed)
        }
    }
}

/// The pages' server functions.
pub async fn server_function(State(app): State<App>, request: Request) -> Response<Body> {
    let backend: SharedBackend = Arc::new(Backend(app));
    inlay_app::backend::answer(backend, request).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;

    #[test]
    fn an_expired_token_has_its_own_message() {
        assert_eq!(message_of(&tokens::expired()), PageMessage::SessionExpired);
        assert_eq!(message_of(&Error::unauthenticated("INVALID_TOKEN", "")), PageMessage::InvalidToken);
        assert_eq!(message_of(&Error::internal("x")), PageMessage::Unavailable);
    }
}
