//! Every route, in one flat table. Handlers of the API declare their own paths and methods, with their description.

use crate::{
    faces::{api, console, docs, embeds, operations},
    ground::{
        state::App,
        web::{
            middleware,
            routing::{get, post},
        },
    },
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
};
use tower::ServiceBuilder;
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};

/// The service.
pub fn router(app: App) -> Router {
    let around = ServiceBuilder::new()
        // Twice: below, so that a handler's panic is observed, compressed and drawn like any other answer; here for the layers themselves.
        .layer(CatchPanicLayer::custom(middleware::on_panic))
        .layer(from_fn(middleware::observe))
        .layer(middleware::cors())
        // Responses are compressed, and pages for callers without brotli; the pages' files and pages in brotli are compressed
        // already, event streams stay uncompressed. A page of 287 kB becomes 67.8 kB (gzip, 1.2 ms); level 4 takes 1.6 times as
        // long for 7 % less.
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(2)))
        .layer(from_fn_with_state(app.clone(), console::error_pages::draw))
        .layer(from_fn(middleware::envelope))
        .layer(CatchPanicLayer::custom(middleware::on_panic))
        .layer(DefaultBodyLimit::max(app.settings.limits.max_body_bytes));
    let mut routes = Router::from(api::routes())
        .route("/openapi.json", get(docs::document))
        .route("/docs", get(docs::page))
        .route("/docs/{*page}", get(docs::guide))
        // Embeds
        .route("/share/application/{id}", get(embeds::frame::show::<embeds::address::Address>))
        .route("/share/dashboard/{id}", get(embeds::frame::show::<embeds::address::Address>))
        .route("/share/workspace/{project}/{workspace}", get(embeds::frame::show::<embeds::workspace::Address>))
        .route("/share/fn/workspace/{function}", post(embeds::calls::answer))
        .route("/share/chat", post(embeds::workspace::stream::answer))
        .route("/share/assistant", post(embeds::dashboard_assistant::answer))
        .route("/share/report", get(crate::faces::embeds::reports::show))
        .route(
            "/share/report/unsubscribe",
            get(crate::faces::embeds::reports::ask).merge(post(crate::faces::embeds::reports::unsubscribe)),
        )
        .route("/share/fn/{function}", post(embeds::calls::answer))
        .route("/share/loaded", post(crate::faces::embeds::beacon::loaded))
        .route("/pkg/{version}/{*file}", get(embeds::assets::file))
        .route("/sdk/{file}", get(embeds::assets::sdk))
        .merge(console::routes())
        // Operations
        .route("/.well-known/jwks.json", get(crate::faces::api::v1::jwks::jwks))
        .route("/healthz", get(operations::healthz))
        .route("/readyz", get(operations::readyz));
    if app.settings.metrics_listen.is_none() {
        routes = routes.route("/metrics", get(operations::metrics));
    }
    routes
        .method_not_allowed_fallback(middleware::method_not_allowed)
        .fallback(middleware::unknown_path)
        .layer(around)
        .with_state(app)
}

/// What the port of `INLAY_METRICS_LISTEN` answers.
pub fn metrics(app: App) -> Router {
    Router::new()
        .route("/metrics", get(operations::metrics))
        .fallback(middleware::unknown_path)
        .layer(CatchPanicLayer::custom(middleware::on_panic))
        .with_state(app)
}
