//! Every route, in one flat table. The API's handlers declare their own paths and methods, with their description.

use crate::{
    applications, charts, chat, console, customers, dashboards, description, embeds, migration, operations, reports, roles,
    state::App, tenants, tokens, usage, web::middleware, webhooks, workspaces,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
    routing::{get, post},
};
use tower::ServiceBuilder;
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};
use utoipa_axum::{router::OpenApiRouter, routes};

/// The service.
pub fn router(app: App) -> Router {
    let around = ServiceBuilder::new()
        .layer(from_fn(middleware::observe))
        .layer(middleware::cors())
        // Pages and responses are compressed. The pages' files are compressed already; event streams stay uncompressed.
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(4)))
        .layer(from_fn_with_state(app.clone(), console::problems::draw))
        .layer(from_fn(middleware::envelope))
        .layer(CatchPanicLayer::custom(middleware::on_panic))
        .layer(DefaultBodyLimit::max(app.settings.limits.max_body_bytes));
    Router::from(api())
        .route("/openapi.json", get(description::document))
        .route("/docs", get(description::page))
        .route("/docs/{*page}", get(description::guide))
        // Embeds
        .route("/share/application/{id}", get(embeds::frame::show::<embeds::address::Address>))
        .route("/share/dashboard/{id}", get(embeds::frame::show::<embeds::address::Address>))
        .route("/share/workspace/{project}/{workspace}", get(embeds::frame::show::<embeds::workspace::Address>))
        .route("/share/fn/workspace/{function}", post(embeds::calls::answer))
        .route("/share/chat", post(embeds::workspace::stream::answer))
        .route("/share/assistant", post(embeds::assistant::answer))
        .route("/share/report", get(reports::pages::show))
        .route("/share/report/unsubscribe", get(reports::pages::ask).post(reports::pages::unsubscribe))
        .route("/share/fn/{function}", post(embeds::calls::answer))
        .route("/share/loaded", post(usage::beacon::loaded))
        .route("/pkg/{version}/{*file}", get(embeds::assets::file))
        .route("/sdk/{file}", get(embeds::assets::sdk))
        .merge(console::routes())
        // Operations
        .route("/.well-known/jwks.json", get(tokens::v1::jwks))
        .route("/healthz", get(operations::healthz))
        .route("/readyz", get(operations::readyz))
        .route("/metrics", get(operations::metrics))
        .method_not_allowed_fallback(middleware::method_not_allowed)
        .fallback(middleware::unknown_path)
        .layer(around)
        .with_state(app)
}

/// `/v1/api` and `/v2/api`. A route can only be added with its description.
pub fn api() -> OpenApiRouter<App> {
    use dashboards::{v1, v2};
    OpenApiRouter::default()
        .routes(routes!(customers::v1::embed_token::embed_token))
        .routes(routes!(customers::v1::user_token::user_token))
        .routes(routes!(customers::v1::register::register_organization))
        .routes(routes!(customers::v1::register::register_user))
        .routes(routes!(customers::v1::users::change_user))
        .routes(routes!(roles::v1::list_roles, roles::v1::create_role))
        .routes(routes!(roles::v1::change_role, roles::v1::remove_role))
        .routes(routes!(applications::v2::list))
        .routes(routes!(v2::lists::list, v2::writes::create))
        .routes(routes!(v2::lists::look_up))
        .routes(routes!(v2::writes::clone))
        .routes(routes!(v2::writes::append_charts))
        .routes(routes!(v2::writes::add_charts))
        .routes(routes!(v2::writes::remove_chart))
        .routes(routes!(v2::chart_data::chart_data))
        .routes(routes!(charts::v1::save_from_chat))
        .routes(routes!(workspaces::v1::list_workspaces))
        .routes(routes!(v1::lists::list_workspace_dashboards))
        .routes(routes!(v1::writes::create))
        .routes(routes!(v1::writes::clone))
        .routes(routes!(v1::writes::add_charts))
        .routes(routes!(v1::writes::append_charts_from))
        .routes(routes!(v1::writes::remove_charts))
        .routes(routes!(tenants::v1::register_tenant))
        .routes(routes!(migration::v1::analyze_roles))
        .routes(routes!(migration::v1::create_roles))
        .routes(routes!(chat::v2::ask_workspace))
        .routes(routes!(chat::v2::threads::list_threads))
        .routes(routes!(chat::v2::threads::open_thread, chat::v2::threads::rename_thread, chat::v2::threads::delete_thread))
        .routes(routes!(chat::v2::favorites::list_favorites, chat::v2::favorites::add_favorite))
        .routes(routes!(chat::v2::favorites::remove_favorite))
        .routes(routes!(webhooks::v2::list_webhooks, webhooks::v2::create_webhook))
        .routes(routes!(webhooks::v2::change_webhook, webhooks::v2::delete_webhook))
        .routes(routes!(webhooks::v2::test_webhook))
        .routes(routes!(webhooks::v2::list_deliveries))
}
