//! The API for hosts: `/v1/api` and `/v2/api`.

pub mod chart_bodies;
pub mod v1;
pub mod v2;

#[cfg(test)]
mod tests;

#[cfg(test)]
mod conventions_tests;

#[cfg(test)]
mod stored_values_tests;

use crate::ground::state::App;
use utoipa_axum::{router::OpenApiRouter, routes};

/// `/v1/api` and `/v2/api`. A route can only be added with its description.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::default()
        .routes(routes!(v1::embed_token::embed_token))
        .routes(routes!(v1::user_token::user_token))
        .routes(routes!(v1::register::register_organization))
        .routes(routes!(v1::register::register_user))
        .routes(routes!(v1::users::change_user))
        .routes(routes!(v1::roles::list_roles, v1::roles::create_role))
        .routes(routes!(v1::roles::change_role, v1::roles::remove_role))
        .routes(routes!(v2::applications::list))
        .routes(routes!(v2::dashboards::lists::list, v2::dashboards::writes::create))
        .routes(routes!(v2::dashboards::lists::look_up))
        .routes(routes!(v2::dashboards::writes::clone))
        .routes(routes!(v2::dashboards::writes::append_charts))
        .routes(routes!(v2::dashboards::writes::add_charts))
        .routes(routes!(v2::dashboards::writes::remove_chart))
        .routes(routes!(v2::dashboards::chart_data::chart_data))
        .routes(routes!(v2::model::query_model))
        .routes(routes!(v2::model::see_model))
        .routes(routes!(v1::save_from_chat::save_from_chat))
        .routes(routes!(v1::workspaces::list_workspaces))
        .routes(routes!(v1::dashboards::lists::list_workspace_dashboards))
        .routes(routes!(v1::dashboards::writes::create))
        .routes(routes!(v1::dashboards::writes::clone))
        .routes(routes!(v1::dashboards::writes::add_charts))
        .routes(routes!(v1::dashboards::writes::append_charts_from))
        .routes(routes!(v1::dashboards::writes::remove_charts))
        .routes(routes!(v1::tenants::register_tenant))
        .routes(routes!(v1::migration::analyze_roles))
        .routes(routes!(v1::migration::create_roles))
        .routes(routes!(v2::chat::ask_workspace))
        .routes(routes!(v2::chat::threads::list_threads))
        .routes(routes!(v2::chat::threads::open_thread, v2::chat::threads::rename_thread, v2::chat::threads::delete_thread))
        .routes(routes!(v2::chat::favorites::list_favorites, v2::chat::favorites::add_favorite))
        .routes(routes!(v2::chat::favorites::remove_favorite))
        .routes(routes!(v2::webhooks::list_webhooks, v2::webhooks::create_webhook))
        .routes(routes!(v2::webhooks::change_webhook, v2::webhooks::delete_webhook))
        .routes(routes!(v2::webhooks::test_webhook))
        .routes(routes!(v2::webhooks::list_deliveries))
}
