//! The console's routes, in one flat table.

use super::{
    account, answers, applications, audit, authentication, charts, connections, dashboards, developer, embed, file, health,
    isolation, key_check, members, migration, model,
    model_forms::{number as number_form, table as table_form},
    people, projects, removal, reports, roles, semantic_model, single_sign_on, table_choices, tables, usage, workspaces,
};
use crate::ground::{
    state::App,
    web::routing::{get, post},
};
use axum::Router;

/// `/console` and everything below it, and `/`, which redirects there.
pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(authentication::front_door))
        .route("/console", get(authentication::home))
        .route("/console/setup", get(authentication::show_setup).merge(post(authentication::make_owner)))
        .route("/console/sign-in", get(authentication::show_sign_in).merge(post(authentication::sign_in)))
        .route("/console/sign-out", post(authentication::sign_out))
        .route("/console/invitation/{token}", get(authentication::show_link).merge(post(authentication::use_link)))
        .route("/console/reset/{token}", get(authentication::show_link).merge(post(authentication::use_link)))
        .route("/console/forgotten", get(authentication::show_forgotten).merge(post(authentication::send_forgotten)))
        .route("/console/sso", get(single_sign_on::find).merge(post(single_sign_on::send)))
        .route("/console/sso/forget", post(single_sign_on::forget))
        .route("/console/sso/{provider}/callback", get(single_sign_on::arrive))
        .route("/console/sso/{provider}", get(single_sign_on::depart))
        .route("/console/{*rest}", get(authentication::unknown))
        // The signed-in person
        .route("/console/account", get(account::show))
        .route("/console/account/password", post(account::change_password))
        .route("/console/account/sessions/end", post(account::end_session))
        .route("/console/account/sessions/end-all", post(account::end_all))
        // An organization
        .route("/console/organizations/{organization}/projects", get(projects::list).merge(post(projects::create)))
        .route("/console/organizations/{organization}/projects/new", get(projects::show_new))
        .route("/console/organizations/{organization}/projects/{gone}/delete", post(removal::remove))
        .route("/console/organizations/{organization}/members", get(members::show))
        .route("/console/organizations/{organization}/members/invite", post(members::invite))
        .route("/console/organizations/{organization}/members/withdraw", post(members::withdraw))
        .route("/console/organizations/{organization}/members/{member}/role", post(members::set_role))
        .route("/console/organizations/{organization}/members/{member}/remove", post(members::remove))
        .route("/console/organizations/{organization}/members/{member}/new-password", post(members::new_password))
        .route("/console/organizations/{organization}/developer", get(developer::show))
        .route("/console/organizations/{organization}/developer/keys", post(developer::create_key))
        .route("/console/organizations/{organization}/developer/keys/{key}/revoke", post(developer::revoke_key))
        .route("/console/organizations/{organization}/developer/keys/{key}/limit", post(developer::limit_key))
        .route("/console/organizations/{organization}/developer/reports", post(reports::save))
        .route("/console/organizations/{organization}/developer/signing-keys", post(developer::rotate))
        .route("/console/organizations/{organization}/developer/identity-providers", post(developer::add_provider))
        .route(
            "/console/organizations/{organization}/developer/identity-providers/{provider}/remove",
            post(developer::remove_provider),
        )
        .route("/console/organizations/{organization}/developer/sign-in-providers", post(developer::add_sign_in))
        .route(
            "/console/organizations/{organization}/developer/sign-in-providers/{provider}/remove",
            post(developer::remove_sign_in),
        )
        .route("/console/organizations/{organization}/developer/short-name", post(developer::set_short_name))
        .route("/console/organizations/{organization}/audit", get(audit::show))
        .route("/console/organizations/{organization}/audit/export", get(audit::export))
        .route("/console/organizations/{organization}/model", get(model::show).merge(post(model::save_organizations)))
        .route("/console/organizations/{organization}/model/remove", post(model::remove_organizations))
        .route("/console/organizations/{organization}/migration", get(migration::show))
        .route("/console/organizations/{organization}/migration/users", post(migration::map_users))
        .route("/console/organizations/{organization}/migration/finalize", post(migration::finalize))
        // A project
        .route("/console/projects/{project}", get(projects::show).merge(post(projects::change)))
        .route("/console/projects/{project}/delete", get(removal::show))
        .route("/console/projects/{project}/origins", post(projects::change_origins))
        .route("/console/projects/{project}/health", get(health::show))
        .route("/console/projects/{project}/isolation", get(isolation::show).merge(post(isolation::allow)))
        .route("/console/projects/{project}/isolation/check", post(isolation::check))
        .route("/console/projects/{project}/isolation/{check}/download", get(isolation::download))
        .route("/console/projects/{project}/connections", get(connections::list).merge(post(connections::create)))
        .route("/console/projects/{project}/connections/new", get(connections::show_new))
        .route("/console/projects/{project}/connections/{connection}", get(connections::show).merge(post(connections::change)))
        .route("/console/projects/{project}/connections/{connection}/test", post(connections::test))
        .route("/console/projects/{project}/connections/{connection}/remove", post(connections::remove))
        .route(
            "/console/projects/{project}/connections/{connection}/tables",
            get(table_choices::show).merge(post(connections::add_table)),
        )
        .route("/console/projects/{project}/connections/{connection}/tables/sample", post(table_choices::sample))
        .route(
            "/console/projects/{project}/connections/{connection}/tables/{table}",
            get(tables::show).merge(post(tables::change)),
        )
        .route("/console/projects/{project}/connections/{connection}/tables/{table}/check", post(tables::check))
        .route("/console/projects/{project}/connections/{connection}/tables/{table}/remove", post(tables::remove))
        .route(
            "/console/projects/{project}/connections/{connection}/tables/{table}/model",
            get(table_form::show).merge(post(table_form::change)),
        )
        .route(
            "/console/projects/{project}/connections/{connection}/tables/{table}/measures/new",
            get(number_form::show_new_measure).merge(post(number_form::add_measure)),
        )
        .route("/console/projects/{project}/semantic-model", get(semantic_model::show))
        .route(
            "/console/projects/{project}/semantic-model/metrics/new",
            get(number_form::show_new_metric).merge(post(number_form::add_metric)),
        )
        .route(
            "/console/projects/{project}/semantic-model/{number}",
            get(semantic_model::show_number).merge(post(semantic_model::see_as)),
        )
        .route(
            "/console/projects/{project}/semantic-model/{number}/edit",
            get(number_form::show).merge(post(number_form::change)),
        )
        .route("/console/projects/{project}/semantic-model/{number}/remove", post(number_form::remove))
        .route("/console/projects/{project}/key-check", post(key_check::allow))
        .route("/console/projects/{project}/key-check/check", post(key_check::start))
        .route("/console/projects/{project}/roles", get(roles::list).merge(post(roles::create)))
        .route("/console/projects/{project}/roles/new", get(roles::show_new))
        .route("/console/projects/{project}/roles/preview", post(roles::preview))
        .route("/console/projects/{project}/roles/{role}", get(roles::show).merge(post(roles::change)))
        .route("/console/projects/{project}/roles/{role}/users", post(roles::assign))
        .route("/console/projects/{project}/roles/{role}/users/move", post(roles::take_out))
        .route("/console/projects/{project}/roles/{role}/clone", post(roles::clone))
        .route("/console/projects/{project}/roles/{role}/remove", post(roles::remove))
        .route("/console/projects/{project}/charts", get(charts::list).merge(post(charts::create)))
        .route("/console/projects/{project}/charts/new", get(charts::show_new))
        .route("/console/projects/{project}/charts/columns", post(charts::columns))
        .route("/console/projects/{project}/charts/{chart}", get(charts::show).merge(post(charts::change)))
        .route("/console/projects/{project}/charts/{chart}/restore", post(charts::restore))
        .route("/console/projects/{project}/charts/{chart}/copies", post(charts::update_copies))
        .route("/console/projects/{project}/charts/{chart}/remove", post(charts::remove))
        .route("/console/projects/{project}/applications", get(applications::list).merge(post(applications::create)))
        .route(
            "/console/projects/{project}/applications/{application}",
            get(applications::show).merge(post(applications::change)),
        )
        .route("/console/projects/{project}/applications/{application}/preview", post(applications::preview))
        .route("/console/projects/{project}/applications/{application}/remove", post(applications::remove))
        .route("/console/projects/{project}/applications/{application}/dashboards", post(applications::add_dashboard))
        .route(
            "/console/projects/{project}/applications/{application}/dashboards/{dashboard}",
            get(dashboards::show).merge(post(dashboards::change)),
        )
        .route(
            "/console/projects/{project}/applications/{application}/dashboards/{dashboard}/charts",
            post(dashboards::add_chart),
        )
        .route(
            "/console/projects/{project}/applications/{application}/dashboards/{dashboard}/charts/remove",
            post(dashboards::remove_chart),
        )
        .route("/console/projects/{project}/applications/{application}/dashboards/{dashboard}/remove", post(dashboards::remove))
        .route("/console/projects/{project}/applications/{application}/dashboards/{dashboard}/clone", post(dashboards::clone))
        .route("/console/projects/{project}/applications/{application}/dashboards/{dashboard}/move", post(dashboards::reorder))
        .route("/console/projects/{project}/applications/{application}/dashboards/{dashboard}/edit", get(dashboards::edit))
        .route("/console/projects/{project}/applications/{application}/dashboards/{dashboard}/token", post(dashboards::token))
        .route("/console/projects/{project}/workspaces", get(workspaces::list).merge(post(workspaces::create)))
        .route("/console/projects/{project}/workspaces/new", get(workspaces::show_new))
        .route("/console/projects/{project}/workspaces/{workspace}", get(workspaces::show).merge(post(workspaces::change)))
        .route("/console/projects/{project}/workspaces/{workspace}/name", post(workspaces::rename))
        .route("/console/projects/{project}/workspaces/{workspace}/agent", post(workspaces::set_agent))
        .route("/console/projects/{project}/workspaces/{workspace}/remove", post(workspaces::remove))
        .route("/console/projects/{project}/workspaces/{workspace}/versions", post(workspaces::advance))
        .route("/console/projects/{project}/workspaces/{workspace}/answers", get(answers::show).merge(post(answers::verify)))
        .route("/console/projects/{project}/workspaces/{workspace}/answers/synonym", post(answers::name))
        .route("/console/projects/{project}/workspaces/{workspace}/answers/measure", post(answers::measure))
        .route("/console/projects/{project}/workspaces/{workspace}/answers/ask", post(answers::ask))
        .route("/console/projects/{project}/workspaces/{workspace}/answers/dismiss", post(answers::dismiss))
        .route("/console/projects/{project}/workspaces/{workspace}/answers/{answer}/remove", post(answers::remove))
        .route("/console/projects/{project}/workspaces/{workspace}/evaluate", post(workspaces::evaluate))
        .route("/console/projects/{project}/workspaces/{workspace}/evaluations/{evaluation}/cancel", post(workspaces::cancel))
        .route("/console/projects/{project}/model", get(model::show).merge(post(model::save_projects)))
        .route("/console/projects/{project}/model/remove", post(model::remove_projects))
        .route("/console/projects/{project}/usage", get(usage::show))
        .route("/console/projects/{project}/embed", get(embed::show))
        .route("/console/projects/{project}/embed/people", get(embed::people))
        .route("/console/projects/{project}/embed/test-user", post(embed::make_test_user))
        .route("/console/projects/{project}/embed/reasons", post(embed::reasons))
        .route("/console/projects/{project}/file", get(file::show).merge(post(file::import)))
        .route("/console/projects/{project}/file/download", get(file::download))
        .route("/console/projects/{project}/file/draft", post(file::draft))
        .route("/console/projects/{project}/customers", get(people::list))
        .route("/console/projects/{project}/customers/{customer}", get(people::customer))
        .route("/console/projects/{project}/customers/{customer}/revoke", post(people::revoke_customer))
        .route("/console/projects/{project}/users/{user}", get(people::user).merge(post(people::change_user)))
        .route("/console/projects/{project}/users/{user}/revoke", post(people::revoke_user))
        .route("/console/projects/{project}/users/{user}/view", get(people::view))
        .route("/console/projects/{project}/users/{user}/token", post(people::token))
}
