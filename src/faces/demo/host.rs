//! The demo's host product: "Skyport", a portal for airports that embeds Inlay's pages. It has its own origin and uses Inlay as
//! every host does: with an API key, one call, an iframe.

mod portal;
mod session;
#[cfg(test)]
mod tests;

pub use portal::{AIRPORTS, Airport, User};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use session::{Inlay, Session, SignIn, SignInError};
use std::{collections::BTreeMap, fmt, sync::Arc};
use tower_http::set_header::SetResponseHeaderLayer;
use url::Url;

/// The host's settings for Inlay.
#[derive(Clone)]
pub struct HostSettings {
    /// Address of Inlay's API, as seen from the host's server.
    pub api_url: Url,
    /// Address of Inlay's embeddable pages, as seen from the browser.
    pub embed_url: Url,
    /// The API key. It stays on the server.
    pub api_key: String,
    /// The project.
    pub project_id: String,
    /// The application that the portal embeds.
    pub application_id: String,
    /// The workspace that answers questions.
    pub workspace_id: String,
    /// Ids of the project's roles by name.
    pub roles: BTreeMap<String, String>,
}

impl fmt::Debug for HostSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostSettings")
            .field("api_url", &self.api_url.as_str())
            .field("embed_url", &self.embed_url.as_str())
            .field("project_id", &self.project_id)
            .field("application_id", &self.application_id)
            .field("workspace_id", &self.workspace_id)
            .field("roles", &self.roles)
            .finish_non_exhaustive()
    }
}

impl HostSettings {
    fn api(&self, path: &str) -> String {
        format!("{}/{path}", self.api_url.as_str().trim_end_matches('/'))
    }

    /// The page of the dashboards.
    fn embed_page(&self) -> String {
        format!("{}/share/application/{}", self.embed_url.as_str().trim_end_matches('/'), self.application_id)
    }

    /// The page of the chat.
    fn ask_page(&self) -> String {
        let Self { project_id, workspace_id, .. } = self;
        format!("{}/share/workspace/{project_id}/{workspace_id}", self.embed_url.as_str().trim_end_matches('/'))
    }
}

/// Why the host cannot start.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The key holds characters that are not allowed in a header.
    #[error("the API key is not valid")]
    Key,
    /// The HTTP client cannot be created.
    #[error("the HTTP client cannot be created: {0}")]
    Client(#[source] reqwest::Error),
}

/// The portal's pages and its sign-in.
///
/// # Errors
/// The key is not valid in a header, or the HTTP client cannot be created.
pub fn router(settings: HostSettings) -> Result<Router, HostError> {
    let settings = Arc::new(settings);
    let inlay = Inlay::new(settings.clone())?;
    let page = |path: &str, html: &str| {
        let html = render(html, path, &settings);
        get(move || async move { Html(html) })
    };
    Ok(Router::new()
        .route("/", page("/", &portal("Performance", "embedUrl")))
        .route("/ask", page("/ask", &portal("Ask", "askUrl")))
        .route("/compare", page("/compare", include_str!("../../../demo/host/compare.html")))
        .route("/how", page("/how", include_str!("../../../demo/host/how.html")))
        .route("/session", post(open_session))
        .route("/healthz", get(|| async { Json(json!({ "status": "ok" })) }))
        .route("/assets/{file}", get(asset))
        .fallback(|| async { (StatusCode::NOT_FOUND, "Not found.\n") })
        .layer(fixed(header::CONTENT_SECURITY_POLICY, &content_security_policy(&settings)))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .with_state(inlay))
}

fn fixed(name: HeaderName, value: &str) -> SetResponseHeaderLayer<Option<HeaderValue>> {
    SetResponseHeaderLayer::overriding(name, HeaderValue::from_str(value).ok())
}

/// A host with such a policy must name the embed's origin in `frame-src`.
fn content_security_policy(settings: &HostSettings) -> String {
    let embed = settings.embed_url.origin().ascii_serialization();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; \
         frame-src {embed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

async fn open_session(State(inlay): State<Inlay>, Json(who): Json<SignIn>) -> Result<Session, SignInError> {
    inlay.sign_in(&who).await
}

/// A page of the portal around one frame, by its title and by the field of [`Session`] with the frame's address.
fn portal(title: &str, address: &str) -> String {
    include_str!("../../../demo/host/portal.html").replace("{{title}}", title).replace("{{address}}", address)
}

/// Fills a page's placeholders: the frame that all pages share, and the data for the scripts.
fn render(html: &str, path: &str, settings: &HostSettings) -> String {
    let known = json!({
        "airports": AIRPORTS,
        "projectId": settings.project_id,
        "apiUrl": settings.api_url.as_str().trim_end_matches('/'),
    });
    // A JSON block must not contain `</`, which would end it.
    let known = known.to_string().replace('<', "\\u003c");
    let link = format!("href=\"{path}\"");
    let rail = include_str!("../../../demo/host/rail.html").replace(&link, &format!("{link} aria-current=\"page\""));
    html.replace("{{rail}}", &rail)
        .replace("{{portal}}", &known)
        .replace("{{api}}", settings.api_url.as_str().trim_end_matches('/'))
        .replace("{{origin}}", &settings.embed_url.origin().ascii_serialization())
        .replace("{{embed}}", settings.embed_url.as_str().trim_end_matches('/'))
        .replace("{{application}}", &settings.application_id)
}

const ASSETS: [(&str, &str, &[u8]); 8] = [
    ("skyport.css", "text/css", include_bytes!("../../../demo/host/skyport.css")),
    ("stage.css", "text/css", include_bytes!("../../../demo/host/stage.css")),
    ("how.css", "text/css", include_bytes!("../../../demo/host/how.css")),
    ("embed.js", "text/javascript", include_bytes!("../../../demo/host/embed.js")),
    ("portal.js", "text/javascript", include_bytes!("../../../demo/host/portal.js")),
    ("compare.js", "text/javascript", include_bytes!("../../../demo/host/compare.js")),
    ("inter.woff2", "font/woff2", include_bytes!("../../../demo/host/inter.woff2")),
    ("icon.svg", "image/svg+xml", include_bytes!("../../../demo/host/icon.svg")),
];

async fn asset(Path(file): Path<String>) -> Response {
    let Some((_, kind, bytes)) = ASSETS.iter().find(|(name, ..)| *name == file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    ([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache")], *bytes).into_response()
}
