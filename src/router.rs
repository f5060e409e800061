//! Every route, in one flat table.

use crate::{applications, charts, customers, dashboards, embeds, migration, operations, roles, state::App, tenants, tokens, web::middleware, workspaces};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::from_fn,
    routing::{delete, get, patch, post, put},
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
        .route("/v1/api/projects/user-token", post(customers::v1::user_token))
        .route("/v1/api/projects/register-organization", post(customers::v1::register_organization))
        .route("/v1/api/projects/register-user", post(customers::v1::register_user))
        .route("/v1/api/projects/{projectId}/users/{projectUserId}", put(customers::v1::change_user))
        .route("/v1/api/projects/{projectId}/user-roles", get(roles::v1::list_roles).post(roles::v1::create_role))
        .route("/v1/api/projects/{projectId}/user-roles/{roleId}", patch(roles::v1::change_role).delete(roles::v1::remove_role))
        .route("/v1/api/tenant/register-tenant", post(tenants::v1::register_tenant))
        .route("/v1/api/migration/analyze-roles", post(migration::v1::analyze_roles))
        .route("/v1/api/migration/create-roles", post(migration::v1::create_roles))
        .merge(v1_dashboards())
        // v2
        .merge(v2_dashboards())
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

/// v1's dashboards and charts.
fn v1_dashboards() -> Router<App> {
    use dashboards::v1::{lists, writes};
    Router::new()
        .route("/v1/api/dashboard/create", post(writes::create))
        .route("/v1/api/dashboard/clone", post(writes::clone))
        .route("/v1/api/dashboard/add-charts", post(writes::add_charts))
        .route("/v1/api/dashboard/append-charts-from", post(writes::append_charts_from))
        .route("/v1/api/dashboard/remove-charts", post(writes::remove_charts))
        .route("/v1/api/chart/save-from-chat", post(charts::v1::save_from_chat))
        .route("/v1/api/dashboard/list-workspaces", get(workspaces::v1::list_workspaces))
        .route("/v1/api/dashboard/list-workspace-dashboards", get(lists::list_workspace_dashboards))
}

/// Applications, their dashboards, and the charts on them.
fn v2_dashboards() -> Router<App> {
    use dashboards::v2::{chart_data, lists, writes};
    Router::new()
        .route("/v2/api/applications", get(applications::v2::list))
        .route("/v2/api/dashboards/lookup", get(lists::look_up))
        .route("/v2/api/applications/{applicationId}/dashboards", get(lists::list).post(writes::create))
        .route("/v2/api/applications/{applicationId}/dashboards/{dashboardId}/clone", post(writes::clone))
        .route("/v2/api/applications/{applicationId}/dashboards/{dashboardId}/append-charts", post(writes::append_charts))
        .route("/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts", post(writes::add_charts))
        .route("/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}", delete(writes::remove_chart))
        .route(
            "/v2/api/applications/{applicationId}/dashboards/{dashboardId}/charts/{chartId}/data",
            post(chart_data::chart_data),
        )
}
