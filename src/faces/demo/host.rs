//! The demo's host products, which embed Inlay's pages: "Skyport", a portal for airports, and "Basket", a platform for shops. They
//! have an origin of their own and use Inlay as every host does: with an API key, one call, an iframe.

mod portal;
mod session;
#[cfg(test)]
mod tests;

pub use portal::{BASKET, Customer, PRODUCTS, Product, Project, Rows, SKYPORT, User};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use session::{Inlay, Session, SignIn, SignInError};
use std::{collections::BTreeMap, fmt};
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
    /// What the host's products embed.
    pub embedded: Vec<Embedded>,
}

/// What a product embeds.
#[derive(Clone, Debug)]
pub struct Embedded {
    /// The product.
    pub product: &'static Product,
    /// The project.
    pub project_id: String,
    /// The application that the product's pages embed.
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
            .field("embedded", &self.embedded)
            .finish_non_exhaustive()
    }
}

impl HostSettings {
    fn api(&self) -> &str {
        self.api_url.as_str().trim_end_matches('/')
    }

    fn embed(&self) -> &str {
        self.embed_url.as_str().trim_end_matches('/')
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

/// The products' pages and their sign-in.
///
/// # Errors
/// The key is not valid in a header, or the HTTP client cannot be created.
pub fn router(settings: &HostSettings) -> Result<Router, HostError> {
    let mut all = Router::new();
    for embedded in &settings.embedded {
        all = all.merge(product(settings, embedded)?);
    }
    Ok(all
        .route("/healthz", get(|| async { Json(json!({ "status": "ok" })) }))
        .route("/assets/{file}", get(asset))
        .fallback(|| async { (StatusCode::NOT_FOUND, "Not found.\n") })
        .layer(fixed(header::CONTENT_SECURITY_POLICY, &content_security_policy(settings)))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer")))
}

/// The pages of a product and its sign-in.
fn product(settings: &HostSettings, embedded: &Embedded) -> Result<Router, HostError> {
    let Product { base, .. } = embedded.product;
    let page = |path: &str, html: &str| {
        let html = render(html, path, settings, embedded);
        get(move || async move { Html(html) })
    };
    let (home, ask) = (embedded.product.home(), format!("{base}/ask"));
    let (compare, how) = (format!("{base}/compare"), format!("{base}/how"));
    Ok(Router::new()
        .route(home, page(home, &portal("Performance", "embedUrl")))
        .route(&ask, page(&ask, &portal("Ask", "askUrl")))
        .route(&compare, page(&compare, include_str!("../../../demo/host/compare.html")))
        .route(&how, page(&how, include_str!("../../../demo/host/how.html")))
        .route(&format!("{base}/session"), post(open_session))
        .with_state(Inlay::new(settings, embedded.clone())?))
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

/// A page around one frame, by its title and by the field of [`Session`] with the frame's address.
fn portal(title: &str, address: &str) -> String {
    include_str!("../../../demo/host/portal.html").replace("{{title}}", title).replace("{{address}}", address)
}

/// Fills a page's placeholders: the navigation that all pages share, the product's words, and the data for the scripts.
fn render(html: &str, path: &str, settings: &HostSettings, embedded: &Embedded) -> String {
    let product = embedded.product;
    let known = json!({
        "name": product.name,
        "base": product.base,
        "property": product.property,
        "codes": product.codes,
        "customers": product.customers,
        "compared": product.compared,
        "projectId": embedded.project_id,
        "apiUrl": settings.api(),
    });
    // A JSON block must not contain `</`, which would end it.
    let known = known.to_string().replace('<', "\\u003c");
    let (rail, customer) = (rail(path, settings, product), capitalised(product.property));
    let origin = settings.embed_url.origin().ascii_serialization();
    let words: [(&str, &str); 19] = [
        ("rail", &rail),
        ("portal", &known),
        ("id", product.id),
        ("name", product.name),
        ("home", product.home()),
        ("base", product.base),
        ("property", product.property),
        ("customer", &customer),
        ("customers", product.customers_called),
        ("code", if product.codes { product.customers[0].id } else { "" }),
        ("example", product.compared[0]),
        ("beside", product.compared[1]),
        ("own", product.rows.own),
        ("table", product.rows.table),
        ("column", product.rows.column),
        ("api", settings.api()),
        ("origin", &origin),
        ("embed", settings.embed()),
        ("application", &embedded.application_id),
    ];
    words.iter().fold(html.to_owned(), |html, (place, text)| html.replace(&format!("{{{{{place}}}}}"), text))
}

/// The navigation of a product's pages, with the ways to the other products.
fn rail(path: &str, settings: &HostSettings, product: &Product) -> String {
    let switch = settings.embedded.iter().map(|Embedded { product: one, .. }| {
        let current = if one.id == product.id { " aria-current=\"true\"" } else { "" };
        let Product { id, name, .. } = one;
        format!(
            "<a href=\"{}\"{current}><img src=\"/assets/{id}.svg\" alt=\"\" width=\"34\" height=\"34\">{name}</a>",
            one.home()
        )
    });
    let filled = include_str!("../../../demo/host/rail.html")
        .replace("{{name}}", product.name)
        .replace("{{home}}", product.home())
        .replace("{{base}}", product.base);
    let link = format!("href=\"{path}\"");
    filled.replace(&link, &format!("{link} aria-current=\"page\"")).replace("{{products}}", &switch.collect::<String>())
}

/// The word with a capital first letter.
fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    first.to_uppercase() + rest
}

const ASSETS: [(&str, &str, &[u8]); 11] = [
    ("host.css", "text/css", include_bytes!("../../../demo/host/host.css")),
    ("skyport.css", "text/css", include_bytes!("../../../demo/host/skyport.css")),
    ("basket.css", "text/css", include_bytes!("../../../demo/host/basket.css")),
    ("stage.css", "text/css", include_bytes!("../../../demo/host/stage.css")),
    ("how.css", "text/css", include_bytes!("../../../demo/host/how.css")),
    ("embed.js", "text/javascript", include_bytes!("../../../demo/host/embed.js")),
    ("portal.js", "text/javascript", include_bytes!("../../../demo/host/portal.js")),
    ("compare.js", "text/javascript", include_bytes!("../../../demo/host/compare.js")),
    ("inter.woff2", "font/woff2", include_bytes!("../../../demo/host/inter.woff2")),
    ("skyport.svg", "image/svg+xml", include_bytes!("../../../demo/host/skyport.svg")),
    ("basket.svg", "image/svg+xml", include_bytes!("../../../demo/host/basket.svg")),
];

async fn asset(Path(file): Path<String>) -> Response {
    let Some((_, kind, bytes)) = ASSETS.iter().find(|(name, ..)| *name == file) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    ([(header::CONTENT_TYPE, *kind), (header::CACHE_CONTROL, "no-cache")], *bytes).into_response()
}
