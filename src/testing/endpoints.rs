//! Every endpoint of the API, each with a request that it accepts, for tests that ask all of them the same question.

use super::{ACME, Reply, World};
use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Value, json};
use uuid::Uuid;

/// The callers that an endpoint takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// An API key.
    Key,
    /// An API key or a member's token.
    Host,
    /// Also the tokens of v1 tenants and project users.
    HostOrTenant,
    /// An API key, or the token of a project user or of a tenant that the migration mapped.
    HostOrViewer,
    /// The token of a project user or of a mapped tenant.
    Viewer,
}

/// An endpoint with a request that it accepts.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// Its method.
    pub(crate) method: Method,
    /// Its path, with its query.
    pub(crate) path: String,
    /// A body that it accepts; null where it takes none. `{new}` stands for a text that no request has sent before.
    pub(crate) body: Value,
    /// The callers that it takes.
    pub(crate) takes: Takes,
    /// Whether `apiKey` may be in the body.
    pub(crate) key_in_body: bool,
}

impl Endpoint {
    /// Whether it belongs to v1.
    pub(crate) fn is_v1(&self) -> bool {
        self.path.starts_with("/v1/")
    }

    /// Whether it reads a body.
    pub(crate) fn has_body(&self) -> bool {
        !self.body.is_null()
    }

    /// Its body with a new text.
    pub(crate) fn fresh(&self) -> Value {
        let text = self.body.to_string().replace("{new}", &Uuid::now_v7().simple().to_string());
        serde_json::from_str(&text).expect("JSON")
    }

    /// Its body, or its query, with one more field.
    pub(crate) fn with(&self, field: &str, value: &Value) -> (String, Value) {
        let mut body = self.fresh();
        match body.as_object_mut() {
            Some(fields) => {
                fields.insert(field.to_owned(), value.clone());
                (self.path.clone(), body)
            }
            None => (self.with_query(field, value.as_str().unwrap_or_default()), body),
        }
    }

    /// Its path with one more parameter.
    pub(crate) fn with_query(&self, field: &str, value: &str) -> String {
        let pair = url::form_urlencoded::Serializer::new(String::new()).append_pair(field, value).finish();
        format!("{}{}{pair}", self.path, if self.path.contains('?') { '&' } else { '?' })
    }

    /// Sends a request to it, exactly as given.
    pub(crate) async fn send(&self, world: &World, path: &str, authorization: &[&str], body: &str) -> Reply {
        let mut request = Request::builder().method(self.method.clone()).uri(path);
        for value in authorization {
            request = request.header("authorization", *value);
        }
        if self.has_body() {
            request = request.header("content-type", "application/json");
        }
        let body = if self.has_body() { Body::from(body.to_owned()) } else { Body::empty() };
        world.send(request.body(body).expect("a request")).await
    }

    /// Fails unless the request was accepted. What a request deletes is gone for the next one, whoever sends it.
    #[track_caller]
    pub(crate) fn accepted(&self, reply: &Reply, about: &str) {
        let deletes = self.method == Method::DELETE || self.path.ends_with("/remove-charts");
        let code = reply.json()["error"]["code"].clone();
        let gone = deletes && [json!("NOT_FOUND"), json!("USER_ROLE_NOT_FOUND")].contains(&code);
        assert!(reply.status.as_u16() == 200 || gone, "{} {} {about}: {} {}", self.method, self.path, reply.status, reply.text);
    }
}

/// Every endpoint, those that delete last, and the token of a user with an answer and a favourite.
pub(crate) async fn endpoints(world: &World) -> (Vec<Endpoint>, String) {
    let project = world.applied.project_id;
    let ada = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
    let (user, token) = (&ada["projectUserId"], ada["token"].as_str().expect("a token").to_owned());
    let mut all = sign_ups(world, user).await;
    all.extend(v1(world));
    all.extend(v2(world));
    all.extend(webhooks(world).await);
    all.extend(chat(world, &token).await);
    let user_path = format!("/v1/api/projects/{project}/users/{}", user.as_str().expect("an id"));
    all.push(endpoint(
        Method::PUT,
        user_path,
        json!({"name": "Ada", "properties": {"a": 1}, "userRoleId": null}),
        Takes::Host,
        true,
    ));
    all.sort_by_key(|one| (one.method == Method::DELETE, one.path.ends_with("/remove-charts")));
    (all, token)
}

fn endpoint(method: Method, path: impl Into<String>, body: Value, takes: Takes, key_in_body: bool) -> Endpoint {
    Endpoint { method, path: path.into(), body, takes, key_in_body }
}

async fn sign_ups(world: &World, user: &Value) -> Vec<Endpoint> {
    let (project, analyst) = (world.applied.project_id, world.applied.roles["Analyst"]);
    let roles = format!("/v1/api/projects/{project}/user-roles");
    let made = async |name: &str| {
        let role = world.post(&roles, &world.key, &json!({"name": name, "permissions": {}})).await.data();
        format!("{roles}/{}", role["userRole"]["id"].as_str().expect("an id"))
    };
    let (changed, deleted) = (made("To change").await, made("To delete").await);
    let tenant = json!({"projectId": project, "displayName": "Tenant", "key": "tenant", "prefilters": {"company": ACME},
        "tenantEditingPermissions": {"addChart": true}, "customMetadata": {"plan": "gold"}, "expiration": "15m"});
    let tenant_id = world.post("/v1/api/tenant/register-tenant", &world.key, &tenant).await.data()["tenantId"].clone();
    let signed_in = json!({"projectId": project, "expiration": "5m",
        "organization": {"externalId": ACME, "name": "Acme", "properties": {"company": ACME}},
        "user": {"externalId": "eve", "name": "Eve", "properties": {"team": "a"}, "userRoleId": analyst, "defaultUserRoleId": analyst}});
    let customer = json!({"projectId": project, "name": "Customer", "externalId": "{new}", "properties": {"a": 1}});
    let registered = json!({"projectId": project, "name": "User", "externalId": "{new}", "projectOrganizationId": ACME,
        "properties": {"a": 1}, "userRoleId": analyst});
    let role = json!({"name": "{new}", "permissions": {"addChart": true}});
    let analyzed = json!({"projectId": project, "sdkTenantEditingPermissions": {"addChart": true}});
    let chosen = json!({"projectId": project, "roles": [{"name": "{new}", "permissions": {"addChart": true}, "tenantIds": [tenant_id]}]});
    let post = |path: &str, body: Value| endpoint(Method::POST, path, body, Takes::Host, true);
    vec![
        endpoint(Method::POST, "/v1/api/projects/embed-token", signed_in, Takes::Key, false),
        post("/v1/api/projects/user-token", json!({"userId": user, "expiration": "5m"})),
        post("/v1/api/projects/register-organization", customer),
        post("/v1/api/projects/register-user", registered),
        post("/v1/api/tenant/register-tenant", tenant),
        post("/v1/api/migration/analyze-roles", analyzed),
        post("/v1/api/migration/create-roles", chosen),
        endpoint(Method::GET, roles.clone(), Value::Null, Takes::Host, false),
        post(&roles, role.clone()),
        endpoint(Method::PATCH, changed, role, Takes::Host, true),
        endpoint(Method::DELETE, deleted, Value::Null, Takes::Host, false),
    ]
}

fn v1(world: &World) -> Vec<Endpoint> {
    let workspace = world.applied.workspaces["Ask"];
    let (overview, more) = (&world.applied.dashboards["Orders/Overview"], &world.applied.dashboards["Orders/More"]);
    let config = json!({"title": "Saved", "type": "bar", "sqlOverride": "select name, rate from rates", "encoding": {"x": "name", "y": ["rate"]},
        "options": {}});
    let saved = json!({"workspaceId": workspace, "connectionId": world.applied.connections["warehouse"], "chartConfig": config, "name": "Rates",
        "sql": "select 1", "thumbnail": "data:image/png;base64,iVBORw0KGgo="});
    let charts = json!([{"chartId": world.applied.charts["Rates"], "chartVersion": 1}]);
    let dashboard =
        |call: &str, body: Value| endpoint(Method::POST, format!("/v1/api/dashboard/{call}"), body, Takes::HostOrTenant, true);
    let list = format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={workspace}");
    vec![
        endpoint(Method::GET, "/v1/api/dashboard/list-workspaces", Value::Null, Takes::Host, false),
        endpoint(Method::GET, list, Value::Null, Takes::HostOrTenant, false),
        dashboard("create", json!({"workspaceId": workspace, "name": "Made", "connectionId": "anything"})),
        dashboard("clone", json!({"sourceDashboardId": overview.id, "targetWorkspaceId": workspace, "name": "Copy"})),
        dashboard("add-charts", json!({"targetDashboardId": overview.id, "charts": charts})),
        dashboard("append-charts-from", json!({"sourceDashboardId": more.id, "targetDashboardId": overview.id})),
        dashboard("remove-charts", json!({"dashboardId": overview.id, "chartIds": [overview.charts["Notes"]]})),
        endpoint(Method::POST, "/v1/api/chart/save-from-chat", saved, Takes::HostOrTenant, true),
    ]
}

fn v2(world: &World) -> Vec<Endpoint> {
    let (overview, more) = (&world.applied.dashboards["Orders/Overview"], &world.applied.dashboards["Orders/More"]);
    let dashboards = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
    let here = format!("{dashboards}/{}", overview.id);
    let both = |method: Method, path: String, body: Value| endpoint(method, path, body, Takes::HostOrViewer, false);
    let charts = json!([{"chartId": world.applied.charts["Rates"], "chartVersion": 1}]);
    let data = json!({"filters": {"filter_region": ["north"]}, "dbAuthToken": "t", "timezone": "UTC", "refresh": false});
    let asked = json!({"measures": ["mean_rate"], "dimensions": [{"name": "rates.name", "as": "currency"}],
        "filters": [{"dimension": "rates.name", "value": "EUR", "not": true}], "limit": 5,
        "connection": "warehouse", "dbAuthToken": "t",
        "timezone": "UTC", "refresh": false});
    vec![
        both(Method::GET, "/v2/api/applications".to_owned(), Value::Null),
        both(Method::GET, dashboards.clone(), Value::Null),
        both(Method::GET, format!("/v2/api/dashboards/lookup?dashboardId={}", overview.id), Value::Null),
        both(Method::POST, dashboards.clone(), json!({"name": "Made"})),
        both(Method::POST, format!("{here}/clone"), json!({"name": "Copy", "replace": true})),
        both(Method::POST, format!("{here}/charts"), json!({"charts": charts})),
        both(Method::POST, format!("{here}/append-charts"), json!({"sourceDashboardId": more.id})),
        both(Method::POST, world.chart_path("Rates"), data),
        both(Method::POST, format!("/v2/api/projects/{}/query", world.applied.project_id), asked),
        both(Method::GET, format!("/v2/api/projects/{}/model", world.applied.project_id), Value::Null),
        both(Method::DELETE, format!("{dashboards}/{}/charts/{}", more.id, more.charts["Count"]), Value::Null),
    ]
}

async fn webhooks(world: &World) -> Vec<Endpoint> {
    let all = format!("/v2/api/projects/{}/webhooks", world.applied.project_id);
    let body = json!({"url": "https://hooks.example.com/a", "events": ["report.sent"]});
    let made = async || {
        let id = world.post(&all, &world.key, &body).await.data()["webhook"]["id"].clone();
        format!("{all}/{}", id.as_str().expect("an id"))
    };
    let (kept, deleted) = (made().await, made().await);
    let host = |method: Method, path: String, body: Value| endpoint(method, path, body, Takes::Host, false);
    vec![
        host(Method::GET, all.clone(), Value::Null),
        host(Method::POST, all.clone(), body),
        host(
            Method::PATCH,
            kept.clone(),
            json!({"url": "https://hooks.example.com/b", "events": ["report.sent"], "active": true}),
        ),
        host(Method::POST, format!("{kept}/test"), json!({})),
        host(Method::GET, format!("{kept}/deliveries"), Value::Null),
        host(Method::DELETE, deleted, Value::Null),
    ]
}

async fn chat(world: &World, token: &str) -> Vec<Endpoint> {
    let workspace = format!("/v2/api/workspaces/{}", world.applied.workspaces["Ask"]);
    let ask = format!("{workspace}/chat");
    let events = world.post(&ask, token, &json!({"message": "orders by region"})).await.events();
    let (thread, answer) = (events[0]["threadId"].as_str().expect("a thread"), &events[0]["answerId"]);
    let favorite = world.post(&format!("{workspace}/favorites"), token, &json!({"messageId": answer})).await.data();
    let thread = format!("{workspace}/threads/{thread}");
    let user = |method: Method, path: String, body: Value| endpoint(method, path, body, Takes::Viewer, false);
    let question = json!({"message": "How many orders?", "dbAuthToken": "t", "timezone": "UTC", "locale": "en"});
    vec![
        user(Method::POST, ask, question),
        user(Method::GET, format!("{workspace}/threads"), Value::Null),
        user(Method::GET, thread.clone(), Value::Null),
        user(Method::PATCH, thread.clone(), json!({"title": "Orders"})),
        user(Method::GET, format!("{workspace}/favorites"), Value::Null),
        user(Method::POST, format!("{workspace}/favorites"), json!({"messageId": answer, "result": 0})),
        user(Method::DELETE, format!("{workspace}/favorites/{}", favorite["favoriteId"].as_str().expect("an id")), Value::Null),
        user(Method::DELETE, thread, Value::Null),
    ]
}
