//! `GET /share/…`.

use super::{
    address::{Address, Target},
    assets,
    backend::message_of,
    headers, page,
};
use crate::{
    access::Viewer,
    applications, dashboards,
    error::{Error, Result},
    projects::{self, Project},
    state::App,
    web::respond::status,
};
use axum::{
    extract::{OriginalUri, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use chrono::Utc;
use chrono_tz::Tz;
use inlay_app::ssr::{self, Assets};
use inlay_contract::page::{EmbedPage, PageContent, PageMessage};
use std::{sync::Arc, time::Instant};

/// A page, drawn. Its status follows its message (docs/spec/contract.md, section 6).
pub async fn show(State(app): State<App>, OriginalUri(uri): OriginalUri) -> Result<Response> {
    let started = Instant::now();
    let address = Address::read(uri.path(), uri.query().unwrap_or_default()).ok_or_else(|| Error::not_found("Page"))?;
    let project = project(&app, &address).await?;
    let page = content(&app, &address, project.as_deref()).await;
    let nonce = headers::nonce()?;
    let allowed = project.map(|project| project.allowed_origins.clone()).unwrap_or_default();
    let ancestors = headers::ancestors(&app, allowed, address.parameters.parent_origin.as_ref());
    let headers = headers::of_page(&nonce, &app.embed_url, &ancestors)?;
    let code = match &page.content {
        PageContent::Message { message } => StatusCode::from_u16(message.status()).unwrap_or(StatusCode::OK),
        PageContent::AwaitingToken | PageContent::Application(_) => StatusCode::OK,
    };
    let assets = Assets { base: assets::base(&app.embed_url) };
    let day = Utc::now().with_timezone(&page.timezone.parse().unwrap_or(Tz::UTC)).date_naive().to_string();
    let html = ssr::render(page, &assets, &nonce, &day);
    metrics::histogram!("inlay_page_seconds").record(started.elapsed().as_secs_f64());
    Ok((code, headers, html).into_response())
}

/// What an address shows. A page that waits for its token is in the project's language already.
async fn content(app: &App, address: &Address, project: Option<&Project>) -> EmbedPage {
    if address.parameters.token_handoff && address.token.is_none() && address.parameters.parent_origin.is_some() {
        return page::page(address, project, PageContent::AwaitingToken);
    }
    let Some(token) = &address.token else { return page::message(address, PageMessage::InvalidToken) };
    let opened = match Viewer::by_token(app, token).await {
        Ok(viewer) => page::open(app, viewer, address).await,
        Err(refused) => Err(refused),
    };
    opened.unwrap_or_else(|problem| {
        if status(problem.code).is_server_error() {
            tracing::error!(code = problem.code.as_str(), context = problem.context, "a page could not be opened");
        }
        page::message(address, message_of(&problem))
    })
}

/// The project that an address leads to, whatever the token: which origins may frame its pages (none named stands for any), which
/// language they have.
async fn project(app: &App, address: &Address) -> Result<Option<Arc<Project>>> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let application = match address.target {
        Target::Application { id, .. } => Some(id),
        Target::Dashboard(id) => dashboards::store::find(conn, id).await?.map(|dashboard| dashboard.application),
        Target::Nothing => None,
    };
    let Some(application) = application else { return Ok(None) };
    let Some(application) = applications::store::find(conn, application).await? else { return Ok(None) };
    projects::by_id(app, application.project).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens;
    use inlay_contract::code::Code;

    #[test]
    fn an_expired_token_has_its_own_message() {
        assert_eq!(message_of(&tokens::expired()), PageMessage::SessionExpired);
        assert_eq!(message_of(&Error::new(Code::InvalidToken, "")), PageMessage::InvalidToken);
        assert_eq!(message_of(&Error::internal("x")), PageMessage::Unavailable);
    }
}
