//! Shows the embedded pages without the server: invented rows, files from `dist/pkg`. For working on their looks.
//!
//! `scripts/build-pages && cargo run -p inlay-app --features ssr --example preview`, then open
//! <http://127.0.0.1:3100/share/application/demo?jwt=preview>. Parameters: `dark`, `hideHeader`, `transparent`,
//! `dashboardId`, `tokenHandoff`, `message=sessionExpired`.

mod fixtures;

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Path, Request, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use fixtures::Fixtures;
use inlay_app::{backend, filters::query, ssr};
use inlay_contract::page::{EmbedPage, PageContent, PageParameters};
use std::{net::SocketAddr, sync::Arc};

const ADDRESS: &str = "127.0.0.1:3100";
const NONCE: &str = "preview";

#[tokio::main]
async fn main() -> std::io::Result<()> {
    backend::register();
    let router = Router::new()
        .route("/share/application/{id}", get(page))
        .route("/share/fn/{name}", post(function))
        .route("/pkg/{*file}", get(file))
        .with_state(Arc::new(Fixtures::default()));
    let address: SocketAddr = ADDRESS.parse().map_err(std::io::Error::other)?;
    axum::serve(tokio::net::TcpListener::bind(address).await?, router).await
}

async fn page(State(fixtures): State<Arc<Fixtures>>, request: Request) -> Response {
    let search = request.uri().query().unwrap_or_default().to_owned();
    let value = |name: &str| query::pairs(&search).find(|(key, _)| key == name).map(|(_, value)| value);
    let is_on = |name: &str| value(name).as_deref() == Some("true");
    let parameters = PageParameters {
        single_dashboard: value("dashboardId").is_some(),
        hide_header: is_on("hideHeader"),
        hide_download_button: is_on("hideDownloadButton"),
        transparent: is_on("transparent"),
        token_handoff: is_on("tokenHandoff"),
        parent_origin: value("parentOrigin"),
        auto_height: is_on("autoHeight"),
        filters: query::read(&search).0,
    };
    let content = match value("message").and_then(|message| serde_json::from_value(message.into()).ok()) {
        Some(message) => PageContent::Message { message },
        None if parameters.token_handoff => PageContent::AwaitingToken,
        None => PageContent::Application(Box::new(fixtures.application(is_on("dark"), &parameters.filters))),
    };
    let page =
        EmbedPage { content, parameters, locale: value("locale").unwrap_or_else(|| "en".into()), timezone: "UTC".into() };
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{NONCE}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self' 'nonce-{NONCE}'; \
         style-src-attr 'unsafe-inline'; font-src 'self' data:; img-src 'self' data:; connect-src 'self' http://{ADDRESS}"
    );
    let html = ssr::render(page, &ssr::Assets { base: "/pkg".into() }, NONCE);
    ([(header::CONTENT_SECURITY_POLICY, policy)], Html(html)).into_response()
}

async fn function(State(fixtures): State<Arc<Fixtures>>, request: Request) -> Response {
    backend::answer(fixtures, request).await
}

async fn file(Path(name): Path<String>) -> Response {
    let kind = match name.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    };
    match tokio::fs::read(format!("dist/pkg/{name}")).await {
        Ok(bytes) if !name.contains("..") => {
            ([(header::CONTENT_TYPE, kind), (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], Body::from(Bytes::from(bytes)))
                .into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
