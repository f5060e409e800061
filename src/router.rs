//! Every route, in one flat table.

use crate::{customers, dashboards, embeds, operations, roles, state::App, tokens, web::middleware};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::from_fn,
    routing::{get, patch, post, put},
};
use tower::ServiceBuilder;
use tower_http::{CompressionLevel, catch_panic::CatchPanicLayer, compression::CompressionLayer};

/// The service.
pub fn router(app: App) -> Router {
    let around = ServiceBuilder::new()
        .layer(from_fn(middleware::observe))
        .layer(middleware::cors())
        // Pages and answers; files of the pages come compressed, event streams stay as they are.
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(4)))
        .layer(from_fn(middleware::envelope))
        .layer(CatchPanicLayer::custom(middleware::on_panic))
        .layer(DefaultBodyLimit::max(app.settings.limits.max_body_bytes));
    Router::new()
        // v1
        .route("/v1/api/projects/embed-token", post(customers::v1::embed_token))
        .route("/v1/api/projects/{projectId}/users/{projectUserId}", put(customers::v1::change_user))
        .route("/v1/api/projects/{projectId}/user-roles", get(roles::v1::list_roles).post(roles::v1::create_role))
        .route("/v1/api/projects/{projectId}/user-roles/{roleId}", patch(roles::v1::change_role).delete(roles::v1::remove_role))
        // v2
        .route(
            "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data",
            post(dashboards::v2::chart_data),
        )
        // Embeds
        .route("/share/application/{id}", get(embeds::pages::show))
        .route("/share/dashboard/{id}", get(embeds::pages::show))
        .route("/share/fn/{function}", post(embeds::pages::server_function))
        .route("/pkg/{version}/{*file}", get(embeds::assets::file))
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
