//! Dashboards through the router, on both stores: one file for each group of endpoints, one for every role shape and write,
//! one for attacks.

mod attacks;
mod copied;
mod many;
mod migrated;
mod roles;
mod v1;
mod v2_lists;
mod v2_writes;

use crate::{
    ground::audit::{
        Event,
        store::{Wanted, newest},
    },
    testing::{Reply, World},
};
use axum::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// Every flag that grants editing, on.
fn everything() -> Value {
    json!({
        "addChart": true, "addFilter": true, "createChart": true, "editCharts": true, "removeChart": true,
        "canDuplicateDashboard": true, "addDashboard": true
    })
}

/// Creates a role with these permissions. Returns its id.
async fn role(world: &World, permissions: &Value) -> Value {
    let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
    let body = json!({"name": Uuid::now_v7(), "permissions": permissions});
    world.post(&path, &world.key, &body).await.data()["userRole"]["id"].clone()
}

/// Signs in a user of a company with a role. Returns their token.
async fn sign_in(world: &World, company: &str, user: &str, permissions: &Value) -> String {
    let mut body = world.sign_in_body(company, user);
    body["user"]["userRoleId"] = if permissions.is_null() { Value::Null } else { role(world, permissions).await };
    let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
    data["token"].as_str().expect("a token").to_owned()
}

/// An id that no object has.
fn nothing() -> String {
    Uuid::now_v7().to_string()
}

/// The path of the dashboards of an application of the project file.
fn dashboards_of(world: &World, application: &str) -> String {
    format!("/v2/api/applications/{}/dashboards", world.applied.applications[application].id)
}

/// The path of a dashboard of the application Orders.
fn at(world: &World, dashboard: &str) -> String {
    format!("{}/{dashboard}", dashboards_of(world, "Orders"))
}

/// The id of the shared dashboard Overview.
fn overview(world: &World) -> String {
    world.applied.dashboards["Orders/Overview"].id.to_string()
}

/// Creates a dashboard in the application Orders. Returns its id.
async fn create(world: &World, credential: &str, name: &str) -> String {
    let data = world.post(&dashboards_of(world, "Orders"), credential, &json!({ "name": name })).await.data();
    id(&data["dashboardId"])
}

/// Clones a dashboard of the application Orders. Returns the response's data.
async fn clone(world: &World, credential: &str, dashboard: &str, body: Value) -> Value {
    world.post(&format!("{}/clone", at(world, dashboard)), credential, &body).await.data()
}

/// Adds library charts by name.
async fn add(world: &World, credential: &str, dashboard: &str, charts: &[&str]) -> Reply {
    let charts: Vec<Value> = charts.iter().map(|name| json!({"chartId": world.applied.charts[*name]})).collect();
    world.post(&format!("{}/charts", at(world, dashboard)), credential, &json!({ "charts": charts })).await
}

/// The ids of the added charts.
fn added(reply: &Reply) -> Vec<String> {
    ids(&reply.data()["addedChartIds"])
}

/// Removes a chart.
async fn remove(world: &World, credential: &str, dashboard: &str, chart: &str) -> Reply {
    world.call(Method::DELETE, &format!("{}/charts/{chart}", at(world, dashboard)), credential, None).await
}

/// Requests a chart's rows.
async fn rows(world: &World, credential: &str, dashboard: &str, chart: &str) -> Reply {
    world.post(&format!("{}/charts/{chart}/data", at(world, dashboard)), credential, &json!({})).await
}

/// The caller's list of the dashboards of Orders.
async fn listed(world: &World, credential: &str) -> Vec<Value> {
    let data = world.get(&dashboards_of(world, "Orders"), credential).await.data();
    data["dashboards"].as_array().expect("a list").clone()
}

fn id(value: &Value) -> String {
    value.as_str().expect("an id").to_owned()
}

fn ids(value: &Value) -> Vec<String> {
    value.as_array().expect("ids").iter().map(id).collect()
}

/// The audit log of the world's organization, newest first.
async fn audit_of(world: &World) -> Vec<Event> {
    let wanted = Wanted::of(world.organization, 1000);
    newest(&mut world.app.db.read().await.expect("a connection").conn(), &wanted).await.expect("the log")
}

/// The names of a list.
fn names(listed: &[Value]) -> Vec<&str> {
    listed.iter().map(|dashboard| dashboard["name"].as_str().expect("a name")).collect()
}
