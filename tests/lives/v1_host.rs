//! A host with the old component: from its v1 calls through each step of the migration, while its pages stay open and its calls
//! go on, to a host that calls v2 alone because every refusal told it where.

use super::{
    page::{GoingOn, Page, ids},
    service::{ACME, Api, GLOBEX, Service, list, orders_of, text},
    v1_calls::{V1, follow},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// The permissions that the old component was given for users who edit: with names that v2 never had, and with nulls.
fn editing() -> Value {
    json!({
        "addChart": true, "removeChart": true, "addDashboard": true, "canDuplicateDashboard": true, "editCharts": false,
        "editDashboardName": true, "deleteDashboard": null, "readOnly": null,
    })
}

/// A tenant as the host knows it.
struct Registered {
    id: Value,
    v1: V1,
}

struct Host {
    service: Service,
    /// The dashboard that the host's key made for everybody.
    shared: String,
    /// A chart of the library.
    chart: String,
}

/// The whole life.
pub async fn life(service: Service) {
    let mut host = Host::begin(service).await;
    let editor = host.register("editor", ACME, &editing()).await;
    let viewer = host.register("viewer", GLOBEX, &json!({})).await;
    let own = host.lives_on_v1(&editor, &viewer).await;
    // The host has framed one page already, for a user of the same customer.
    let page = host.page_of("editor", "ann").await;
    host.analyzes_and_creates_roles(&editor, &page).await;
    host.creates_users(&editor, &viewer, &page).await;
    host.finalizes(&editor, &page).await;
    host.calls_v2_by_what_v1_answered(&editor, &viewer, &own).await;
    host.goes_on_after_a_crash(&editor, &page, &own).await;
}

/// The claims of a token.
fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).expect("three parts");
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(payload).expect("base64")).expect("JSON")
}

impl Host {
    async fn begin(service: Service) -> Self {
        let workspace = service.id("workspaces", "Ask");
        let chart = service.id("charts", "Orders");
        let v1 = V1 { api: service.host(), workspace };
        let shared = v1.create("For everybody").await;
        v1.add(&shared, &chart).await;
        Self { service, shared, chart }
    }

    fn host(&self) -> V1 {
        V1 { api: self.service.host(), workspace: self.service.id("workspaces", "Ask") }
    }

    async fn registration(&self, name: &str, company: &str, permissions: &Value) -> Value {
        let body = json!({
            "projectId": self.service.project(), "key": name, "displayName": name, "prefilters": { "company": company },
            "tenantEditingPermissions": permissions,
        });
        self.service.host().post("/v1/api/tenant/register-tenant", &body).await.data()
    }

    async fn register(&self, name: &str, company: &str, permissions: &Value) -> Registered {
        let data = self.registration(name, company, permissions).await;
        let api = self.service.with(&text(&data["token"]));
        Registered { id: data["tenantId"].clone(), v1: V1 { api, ..self.host() } }
    }

    async fn page_of(&self, customer: &str, user: &str) -> Page {
        let body = json!({
            "projectId": self.service.project(),
            "organization": { "externalId": customer, "properties": { "company": ACME } },
            "user": { "externalId": user, "userRoleId": self.service.id("roles", "Analyst") },
        });
        let data = self.service.host().post("/v1/api/projects/embed-token", &body).await.data();
        Page::open(&self.service, &text(&data["token"]), ACME).await
    }

    /// v1 in full. Returns the tenant's dashboards.
    async fn lives_on_v1(&self, editor: &Registered, viewer: &Registered) -> [String; 2] {
        assert_eq!(claims(editor.v1.api.credential())["aud"], "inlay:tenant");
        let workspaces = self.service.host().get("/v1/api/dashboard/list-workspaces").await.data();
        let names: Vec<&Value> = list(&workspaces["workspaces"]).iter().map(|one| &one["workspace_id"]).collect();
        assert_eq!(names, [&json!(self.service.id("workspaces", "Alone")), &json!(self.service.id("workspaces", "Ask"))]);
        let own = editor.v1.round(&self.shared, &self.chart).await;
        self.host().round(&self.shared, &self.chart).await;
        for dashboard in &own {
            assert_eq!(editor.v1.entry(dashboard).await["tenantId"], editor.id, "its own");
        }
        assert_eq!(editor.v1.entry(&self.shared).await["tenantId"], Value::Null);
        assert!(viewer.v1.list().await.iter().all(|one| one["tenantId"].is_null()), "nothing of another tenant");
        let refused = json!({ "workspaceId": viewer.v1.workspace, "name": "x" });
        viewer.v1.write("create", &refused).await.refused(403, "VIEW_ONLY");
        let shared = json!({ "targetDashboardId": self.shared, "charts": [{ "chartId": self.chart, "chartVersion": 1 }] });
        editor.v1.write("add-charts", &shared).await.refused(409, "SHARED_DASHBOARD_READ_ONLY");
        // v1 hosts send the token without a scheme too.
        let path = format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={}", editor.v1.workspace);
        let bare = editor.v1.api.request(reqwest::Method::GET, &path).header("authorization", editor.v1.api.credential());
        assert_eq!(super::service::Reply::of(bare, path).await.status, 200);
        self.v2_takes_no_tenant_yet(&editor.v1.api).await;
        own
    }

    async fn v2_takes_no_tenant_yet(&self, api: &Api) {
        api.get("/v2/api/applications").await.refused(401, "TENANT_NOT_MIGRATED");
        let chat = format!("/v2/api/workspaces/{}/chat", self.service.id("workspaces", "Ask"));
        api.post(&chat, &json!({ "message": "How many orders?" })).await.refused(401, "TENANT_NOT_MIGRATED");
    }

    /// What v1 and the open page do goes on as before.
    async fn everything_goes_on(&self, tenant: &Registered, page: &Page) {
        for v1 in [&tenant.v1, &self.host()] {
            v1.round(&self.shared, &self.chart).await;
        }
        page.shows_its_rows().await;
    }

    async fn analyzes_and_creates_roles(&self, editor: &Registered, page: &Page) {
        let body = json!({ "sdkTenantEditingPermissions": { "aiCharts": true, "drillDown": true, "showLegacyMenu": true, "hideHeader": null } });
        let proposed = self.service.host().post("/v1/api/migration/analyze-roles", &body).await.data();
        assert_eq!(list(&proposed["proposedRoles"]).len(), 2);
        self.everything_goes_on(editor, page).await;
        // Registered between the two calls: in no proposal, but a twin of the editor.
        self.register(
            "between",
            GLOBEX,
            &json!({ "canDuplicateDashboard": true, "addDashboard": true, "removeChart": true, "addChart": true }),
        )
        .await;
        let chosen = |role: &Value| json!({ "name": role["suggestedName"], "permissions": role["permissions"], "tenantIds": role["tenantIds"] });
        let roles: Vec<Value> = list(&proposed["proposedRoles"]).iter().map(chosen).collect();
        let made = self.service.host().post("/v1/api/migration/create-roles", &json!({ "roles": roles })).await.data();
        assert_eq!(list(&made["userRoles"]).len(), 2);
        self.everything_goes_on(editor, page).await;
    }

    async fn creates_users(&self, editor: &Registered, viewer: &Registered, page: &Page) {
        let calls = self.everything_going_on(editor, page);
        let step = self.service.migrate("users").await;
        calls.end().await;
        assert_eq!((&step["mappedTenants"], &step["after"]["unmappedTenants"]), (&json!(3), &json!(0)));
        assert_eq!(step["madeApplications"], 1, "of the workspace that had none");
        self.everything_goes_on(editor, page).await;
        for (tenant, company) in [(editor, ACME), (viewer, GLOBEX)] {
            self.v2_takes_the_tenant(&tenant.v1.api, company).await;
        }
    }

    /// The tenant's old token on v2: its rows, and its chat.
    async fn v2_takes_the_tenant(&self, api: &Api, company: &str) {
        let overview = &self.service.applied["dashboards"]["Orders/Overview"];
        let at = format!("/v2/api/applications/{}/dashboards/{}", self.service.application(), text(&overview["id"]));
        let data = api.post(&format!("{at}/charts/{}/data", text(&overview["charts"]["Orders"])), &json!({})).await.data();
        assert_eq!(ids(&data["rows"]), orders_of(company));
        let workspace = format!("/v2/api/workspaces/{}", self.service.id("workspaces", "Ask"));
        let answer = api.post(&format!("{workspace}/chat"), &json!({ "message": "How many orders?" })).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(answer.text.contains("\"type\":\"done\""), "{}", answer.text);
        let threads = api.get(&format!("{workspace}/threads")).await.data();
        assert!(!list(&threads["threads"]).is_empty());
    }

    /// Everything, again and again, beside what follows.
    fn everything_going_on(&self, tenant: &Registered, page: &Page) -> GoingOn {
        let (callers, shared, chart, page) =
            ([tenant.v1.clone(), self.host()], self.shared.clone(), self.chart.clone(), page.clone());
        GoingOn::begin(move || {
            let (callers, shared, chart, page) = (callers.clone(), shared.clone(), chart.clone(), page.clone());
            async move {
                for v1 in &callers {
                    v1.round(&shared, &chart).await;
                }
                page.shows_its_rows().await;
            }
        })
    }

    async fn finalizes(&self, editor: &Registered, page: &Page) {
        self.register("late", ACME, &editing()).await;
        let arguments = ["migration", "finalize", "--organization", &self.service.organization];
        let (done, _, told) = self.service.run(&arguments, "").await;
        assert!(!done && told.contains("migration users"), "the late tenant has no user: {told}");
        self.everything_goes_on(editor, page).await;
        self.service.migrate("users").await;
        let dashboards = self.dashboards().await;
        // Calls that arrive meanwhile are answered as before or refused with 410, and nothing else.
        let (v1, refused) = (editor.v1.clone(), Arc::new(AtomicUsize::new(0)));
        let (counted, open) = (Arc::clone(&refused), page.clone());
        let calls = GoingOn::begin(move || {
            let (v1, refused, page) = (v1.clone(), Arc::clone(&counted), open.clone());
            async move {
                let reply = v1.write("create", &json!({ "workspaceId": v1.workspace, "name": "Meanwhile" })).await;
                match reply.status {
                    200 => assert_eq!(refused.load(Ordering::Relaxed), 0, "finalize does not go back"),
                    _ => {
                        reply.refused(410, "MIGRATED_TO_V2");
                        refused.fetch_add(1, Ordering::Relaxed);
                    }
                }
                page.shows_its_rows().await;
            }
        });
        let step = self.service.migrate("finalize").await;
        calls.end().await;
        for count in ["dashboards", "charts", "tenants"] {
            // A dashboard may be created meanwhile; none goes.
            assert!(step["before"][count].as_i64() <= step["after"][count].as_i64(), "{step}");
        }
        assert_eq!(step["after"]["tenantDashboards"], 0, "every dashboard has a user: {step}");
        let after = self.dashboards().await;
        assert!(dashboards.iter().all(|one| after.contains(one)), "every dashboard is kept under its v1 id");
        page.shows_its_rows().await;
    }

    /// The v1 ids of every dashboard that the host sees, by v2.
    async fn dashboards(&self) -> Vec<Value> {
        let path = format!("/v2/api/applications/{}/dashboards", self.service.application());
        let listed = self.service.host().get(&path).await.data();
        list(&listed["dashboards"]).iter().map(|one| one["legacyDashboardId"].clone()).collect()
    }

    async fn calls_v2_by_what_v1_answered(&self, editor: &Registered, viewer: &Registered, own: &[String; 2]) {
        let host = self.host();
        let alone = V1 { workspace: self.service.id("workspaces", "Alone"), ..self.host() };
        for (v1, target) in [(&editor.v1, &own[0]), (&host, &self.shared)] {
            let charts = json!([{ "chartId": self.chart, "chartVersion": 1 }]);
            let made = follow(v1, "create", &json!({ "workspaceId": v1.workspace, "name": "Followed" })).await;
            let copy = follow(v1, "clone", &json!({ "sourceDashboardId": target, "name": "Copied" })).await;
            for dashboard in [&made, &copy] {
                v1.entry(&text(&dashboard["dashboardId"])).await;
            }
            let added = follow(v1, "add-charts", &json!({ "targetDashboardId": target, "charts": charts })).await;
            let source = json!({ "sourceDashboardId": self.shared, "targetDashboardId": target });
            let appended = follow(v1, "append-charts-from", &source).await;
            let all: Vec<Value> = [&added, &appended].iter().flat_map(|one| list(&one["addedChartIds"]).clone()).collect();
            let removed = follow(v1, "remove-charts", &json!({ "dashboardId": target, "chartIds": all })).await;
            assert_eq!(removed["removedChartId"], all[all.len() - 1]);
            v1.save_from_chat("After the end").await;
        }
        follow(&alone, "create", &json!({ "workspaceId": alone.workspace, "name": "The first" })).await;
        assert_eq!(alone.list().await.len(), 1);
        let refused = json!({ "workspaceId": viewer.v1.workspace, "name": "x" });
        let endpoint = text(&viewer.v1.write("create", &refused).await.refused(410, "MIGRATED_TO_V2")["details"]["endpoint"]);
        let path = endpoint.strip_prefix("POST ").expect("a post");
        viewer.v1.api.post(path, &json!({ "name": "x" })).await.refused(403, "VIEW_ONLY");
        let workspaces = self.service.host().get("/v1/api/dashboard/list-workspaces").await.data();
        let applications = self.service.host().get("/v2/api/applications").await.data();
        assert_eq!(list(&workspaces["workspaces"]).len(), list(&applications["applications"]).len(), "one entry each");
        self.register_tenant_signs_users_in(editor, own).await;
    }

    /// After finalize `register-tenant` is a sign-in: its token opens the iframe, with the role that the tenant's permissions became.
    async fn register_tenant_signs_users_in(&self, editor: &Registered, own: &[String; 2]) {
        let permissions = [("editor", editing()), ("between", editing()), ("late", editing()), ("newest", editing())];
        let mut roles = Vec::new();
        for (name, permissions) in &permissions {
            let token = text(&self.registration(name, ACME, permissions).await["token"]);
            let claims = claims(&token);
            assert_eq!(claims["aud"], "inlay:embed", "{name}");
            for flag in ["addChart", "removeChart", "addDashboard", "canDuplicateDashboard", "aiCharts", "drillDown"] {
                assert_eq!(claims["permissions"][flag], true, "{name} {flag}");
            }
            for flag in ["editCharts", "addFilter", "createChart", "hideHeader"] {
                assert_eq!(claims["permissions"][flag], false, "{name} {flag}");
            }
            roles.push(claims["role"].clone());
        }
        assert!(roles.iter().all(|role| role.is_string() && *role == roles[0]), "twins have one role: {roles:?}");
        let data = self.registration("editor", ACME, &editing()).await;
        assert_eq!(data["tenantId"], editor.id);
        let token = text(&data["token"]);
        let page = Page::open(&self.service, &token, ACME).await;
        page.shows_its_rows().await;
        for dashboard in own {
            let html = self.service.with("").get(&format!("/share/dashboard/{dashboard}?jwt={token}")).await;
            assert_eq!(html.status, 200, "the v1 id opens: {}", html.text);
        }
        let customer = claims(&token)["customer"].clone();
        for v1 in [V1 { api: self.service.with(&token), ..self.host() }, editor.v1.clone()] {
            for dashboard in own {
                assert_eq!(v1.entry(dashboard).await["tenantId"], customer);
            }
        }
    }

    /// Tokens and pages outlive the process that issued and served them.
    async fn goes_on_after_a_crash(&mut self, editor: &Registered, page: &Page, own: &[String; 2]) {
        self.service.crash().await;
        self.service.serve().await;
        page.shows_its_rows().await;
        editor.v1.entry(&own[0]).await;
        let create = json!({ "workspaceId": editor.v1.workspace, "name": "x" });
        editor.v1.write("create", &create).await.refused(410, "MIGRATED_TO_V2");
    }
}
