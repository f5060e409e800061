//! A host that knows v2 alone: from the first sign-in of a user, through everything that its backend and its pages call, to the
//! deletion of its project.

use super::{
    page::{Page, ids},
    service::{ACME, Api, GLOBEX, OWNER, Reply, Service, list, orders_of, text, texts},
};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::sleep;
use url::form_urlencoded::Serializer;

/// The whole life.
pub async fn life(service: Service) {
    let host = Host { service };
    let editing = host.creates_a_role().await;
    let ann = host.signs_in_for_the_first_time(&editing).await;
    let page = Page::open(&host.service, ann.credential(), ACME).await;
    page.shows_its_rows().await;
    let own = host.edits(&ann, &page).await;
    host.talks(&ann, &own).await;
    host.knows_customers_apart(&own).await;
    host.changes_what_a_user_may(&ann, &editing, &own).await;
    host.changes_what_a_customer_sees(&ann).await;
    page.shows_its_rows().await;
    host.cuts_off(&own).await;
    host.deletes_its_project(&ann, &page).await;
}

struct Host {
    service: Service,
}

impl Host {
    fn backend(&self) -> Api {
        self.service.host()
    }

    fn roles(&self) -> String {
        format!("/v1/api/projects/{}/user-roles", self.service.project())
    }

    /// The path of the application's dashboards, or of one of them.
    fn dashboards(&self, dashboard: Option<&str>) -> String {
        let all = format!("/v2/api/applications/{}/dashboards", self.service.application());
        dashboard.map_or_else(|| all.clone(), |dashboard| format!("{all}/{dashboard}"))
    }

    fn sign_in_body(&self, company: &str, user: &str) -> Value {
        json!({
            "projectId": self.service.project(),
            "organization": { "externalId": company, "properties": { "company": company } },
            "user": { "externalId": user, "name": format!("{user} of {company}") },
        })
    }

    async fn sign_in(&self, body: &Value) -> Value {
        self.backend().post("/v1/api/projects/embed-token", body).await.data()
    }

    async fn creates_a_role(&self) -> Value {
        let permissions = json!({
            "addChart": true, "addFilter": false, "createChart": false, "editCharts": false, "removeChart": true,
            "addDashboard": true, "canDuplicateDashboard": true,
        });
        let body = json!({ "name": "Editing", "permissions": permissions });
        let role = self.backend().post(&self.roles(), &body).await.data()["userRole"].clone();
        self.backend().post(&self.roles(), &body).await.refused(409, "ROLE_NAME_TAKEN");
        let listed = self.backend().get(&self.roles()).await.data();
        assert!(list(&listed["userRoles"]).contains(&role));
        role["id"].clone()
    }

    async fn signs_in_for_the_first_time(&self, role: &Value) -> Api {
        let mut body = self.sign_in_body(ACME, "ann");
        body["user"]["userRoleId"] = role.clone();
        let first = self.sign_in(&body).await;
        assert_eq!((&first["userCreated"], &first["organizationCreated"]), (&json!(true), &json!(true)));
        let again = self.sign_in(&body).await;
        assert_eq!((&again["userCreated"], &again["organizationCreated"]), (&json!(false), &json!(false)));
        assert_eq!(
            (&again["projectUserId"], &again["projectOrganizationId"]),
            (&first["projectUserId"], &first["projectOrganizationId"])
        );
        self.service.with(&text(&first["token"]))
    }

    /// Every write of v2. Returns the user's own dashboard, with one chart on it.
    async fn edits(&self, ann: &Api, page: &Page) -> String {
        let applications = ann.get("/v2/api/applications").await.data();
        let overview = text(&self.service.applied["dashboards"]["Orders/Overview"]["id"]);
        assert_eq!(applications["applications"][0]["defaultDashboardId"], overview);
        let made = ann.post(&self.dashboards(None), &json!({ "name": "Mine" })).await.data();
        assert_eq!(made["kind"], "dashboard");
        let own = text(&made["dashboardId"]);
        let at = self.dashboards(Some(&own));
        let picked = json!({ "charts": [{ "chartId": self.service.id("charts", "Orders") }] });
        let added = texts(&ann.post(&format!("{at}/charts"), &picked).await.data()["addedChartIds"]);
        ann.post(&format!("{}/charts", self.dashboards(Some(&overview))), &picked)
            .await
            .refused(409, "SHARED_DASHBOARD_READ_ONLY");
        let appended = ann.post(&format!("{at}/append-charts"), &json!({ "sourceDashboardId": overview })).await.data();
        for chart in texts(&appended["addedChartIds"]) {
            let removed = ann.delete(&format!("{at}/charts/{chart}")).await.data();
            assert_eq!(removed["removedChartId"], chart);
        }
        let rows = ann.post(&format!("{at}/charts/{}/data", added[0]), &json!({})).await.data();
        assert_eq!(ids(&rows["rows"]), orders_of(ACME));
        assert_eq!(list(&page.dashboard(&own).await["tiles"]).len(), 1, "the page shows what the API made");
        let copy =
            ann.post(&format!("{}/clone", self.dashboards(Some(&overview))), &json!({ "name": "My overview" })).await.data();
        let listed = ann.get(&self.dashboards(None)).await.data();
        let entry = list(&listed["dashboards"]).iter().find(|one| one["id"] == copy["dashboardId"]).expect("the copy");
        assert_eq!((&entry["replacesDashboardId"], &entry["isDefault"]), (&json!(overview), &json!(true)));
        assert_eq!(page.dashboard(&overview).await["id"], copy["dashboardId"], "the page opens the copy in its place");
        let shared = self.backend().post(&self.dashboards(None), &json!({ "name": "For everybody" })).await.data();
        assert_eq!(shared["kind"], "template");
        let found = ann.get(&format!("/v2/api/dashboards/lookup?dashboardId={}", text(&shared["dashboardId"]))).await.data();
        assert_eq!(
            (&found["applicationId"], &found["dashboardId"]),
            (&json!(self.service.application()), &shared["dashboardId"])
        );
        own
    }

    /// The chat, and a chart of it on the dashboard.
    async fn talks(&self, ann: &Api, own: &str) {
        let workspace = format!("/v2/api/workspaces/{}", self.service.id("workspaces", "Ask"));
        let answer = ann.post(&format!("{workspace}/chat"), &json!({ "message": "orders by region" })).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let events = answer.text.split("\n\n").filter_map(|block| block.strip_prefix("data: "));
        let events: Vec<Value> = events.map(|event| serde_json::from_str(event).expect("JSON")).collect();
        assert_eq!((&events[0]["type"], &events[events.len() - 1]["type"]), (&json!("thread"), &json!("done")));
        let chart = events.iter().find(|event| event["toolResult"]["toolName"] == "generateChart").expect("a chart");
        let body = json!({ "workspaceId": self.service.id("workspaces", "Ask"), "chartConfig": chart["toolResult"]["result"]["chartConfig"] });
        let saved = ann.post("/v1/api/chart/save-from-chat", &body).await.data();
        let at = self.dashboards(Some(own));
        let added = ann.post(&format!("{at}/charts"), &json!({ "charts": [{ "chartId": saved["chartId"] }] })).await.data();
        let rows = ann.post(&format!("{at}/charts/{}/data", text(&added["addedChartIds"][0])), &json!({})).await.data();
        assert!(!list(&rows["rows"]).is_empty());
        let thread = text(&events[0]["threadId"]);
        assert_eq!(ann.get(&format!("{workspace}/threads")).await.data()["threads"][0]["threadId"], thread);
        ann.delete(&format!("{workspace}/threads/{thread}")).await.data();
        ann.get(&format!("{workspace}/threads/{thread}")).await.refused(404, "NOT_FOUND");
    }

    /// A colleague sees the dashboard and cannot write it; another customer sees nothing of it.
    async fn knows_customers_apart(&self, own: &str) {
        let mut body = self.sign_in_body(ACME, "ben");
        body["user"]["defaultUserRoleId"] = json!(self.service.id("roles", "Analyst"));
        let ben = self.service.with(&text(&self.sign_in(&body).await["token"]));
        let charts = format!("{}/charts", self.dashboards(Some(own)));
        let picked = json!({ "charts": [{ "chartId": self.service.id("charts", "Rates") }] });
        ben.post(&charts, &picked).await.refused(403, "NOT_DASHBOARD_OWNER");
        let eve = self.sign_in(&self.sign_in_body(GLOBEX, "eve")).await;
        let eve = self.service.with(&text(&eve["token"]));
        eve.post(&charts, &picked).await.refused(404, "NOT_FOUND");
        eve.post(&self.dashboards(None), &json!({ "name": "x" })).await.refused(403, "VIEW_ONLY");
        Page::open(&self.service, eve.credential(), GLOBEX).await.shows_its_rows().await;
        let html = self.service.with("").get(&format!("/share/dashboard/{own}?jwt={}", eve.credential())).await;
        assert_eq!(html.status, 404);
        assert!(html.text.contains("Dashboard not found."), "{}", html.text);
        // Registered ahead of the first sign-in, as hosts that import their users do.
        let registered = json!({ "projectId": self.service.project(), "name": "Initech", "externalId": "initech", "properties": { "company": ACME } });
        self.backend().post("/v1/api/projects/register-organization", &registered).await.data();
        let user = json!({ "projectId": self.service.project(), "name": "Ina", "projectOrganizationId": "initech" });
        let user = self.backend().post("/v1/api/projects/register-user", &user).await.data()["userId"].clone();
        let token = json!({ "userId": user, "apiKey": self.service.key, "expiration": "5m" });
        let token = self.service.with("").post("/v1/api/projects/user-token", &token).await.data();
        Page::open(&self.service, &text(&token["token"]), ACME).await.shows_its_rows().await;
    }

    /// A role is read when it is used; a token says what it said.
    async fn changes_what_a_user_may(&self, ann: &Api, editing: &Value, own: &str) {
        let user = text(&self.sign_in(&self.sign_in_body(ACME, "ann")).await["projectUserId"]);
        let path = format!("/v1/api/projects/{}/users/{user}", self.service.project());
        let picked = json!({ "charts": [{ "chartId": self.service.id("charts", "Rates") }] });
        let charts = format!("{}/charts", self.dashboards(Some(own)));
        self.backend().put(&path, &json!({ "userRoleId": null })).await.data();
        ann.post(&charts, &picked).await.refused(403, "VIEW_ONLY");
        self.backend().put(&path, &json!({ "userRoleId": editing })).await.data();
        ann.post(&charts, &picked).await.data();
        let role = format!("{}/{}", self.roles(), text(editing));
        let less = json!({ "permissions": { "addDashboard": true, "addChart": false } });
        self.backend().call(Method::PATCH, &role, Some(&less)).await.data();
        let refused = ann.post(&charts, &picked).await.refused(403, "PERMISSION_DENIED");
        assert_eq!(refused["details"]["permission"], "addChart");
        self.backend().delete(&role).await.data();
        ann.post(&charts, &picked).await.refused(403, "VIEW_ONLY");
        let mut body = self.sign_in_body(ACME, "ann");
        body["user"]["userRoleId"] = editing.clone();
        self.backend().post("/v1/api/projects/embed-token", &body).await.refused(404, "USER_ROLE_NOT_FOUND");
    }

    /// A property is read when a query runs.
    async fn changes_what_a_customer_sees(&self, ann: &Api) {
        let overview = &self.service.applied["dashboards"]["Orders/Overview"];
        let at = self.dashboards(Some(&text(&overview["id"])));
        let path = format!("{at}/charts/{}/data", text(&overview["charts"]["Orders"]));
        for (company, expected) in
            [(json!(GLOBEX), Some(orders_of(GLOBEX))), (Value::Null, None), (json!(ACME), Some(orders_of(ACME)))]
        {
            let mut body = self.sign_in_body(ACME, "ann");
            body["organization"]["properties"]["company"] = company;
            self.sign_in(&body).await;
            let reply = ann.post(&path, &json!({})).await;
            match expected {
                Some(rows) => assert_eq!(ids(&reply.data()["rows"]), rows),
                None => drop(reply.refused(422, "ROW_RULE_UNRESOLVED")),
            }
        }
    }

    /// A revoked user, customer and key are cut off within a second; others go on.
    async fn cuts_off(&self, own: &str) {
        let signed = self.sign_in(&self.sign_in_body(ACME, "leaver")).await;
        let (leaver, user) = (self.service.with(&text(&signed["token"])), text(&signed["projectUserId"]));
        leaver.get(&self.dashboards(None)).await.data();
        self.service.command(&["revoke", "user", &user], "").await;
        self.becomes(&leaver, "TOKEN_REVOKED").await;
        let again = self.sign_in(&self.sign_in_body(ACME, "leaver")).await;
        self.service.with(&text(&again["token"])).get(&self.dashboards(None)).await.data();
        let theirs = self.sign_in(&self.sign_in_body(GLOBEX, "eve")).await;
        let (eve, customer) = (self.service.with(&text(&theirs["token"])), text(&theirs["projectOrganizationId"]));
        self.service.command(&["revoke", "customer", &customer], "").await;
        self.becomes(&eve, "TOKEN_REVOKED").await;
        let html = self.service.with("").get(&format!("/share/dashboard/{own}?jwt={}", eve.credential())).await;
        assert_eq!(html.status, 401, "{}", html.text);
    }

    /// Waits for at most a second until a caller is refused with 401.
    async fn becomes(&self, caller: &Api, code: &str) {
        let begun = Instant::now();
        loop {
            let reply = caller.get(&self.dashboards(None)).await;
            if reply.status != 200 {
                reply.refused(401, code);
                return;
            }
            assert!(begun.elapsed() < Duration::from_secs(1), "still not {code}");
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// The owner deletes the project in the console. Nothing of it answers any more.
    async fn deletes_its_project(&self, ann: &Api, page: &Page) {
        let mut console = Console { api: self.service.with(""), cookie: String::new() };
        let (email, password) = OWNER;
        let signed = console.post("/console/sign-in", &[("email", email), ("password", password)]).await;
        assert_eq!(signed.status, 303, "{}", signed.text);
        console.cookie = signed.cookies.join("; ");
        let shown = console.get(&format!("/console/projects/{}/delete", self.service.project())).await;
        let field = |name: &str| {
            let (_, rest) = shown.text.split_once(&format!("name=\"{name}\" value=\"")).expect("a form");
            rest.split('"').next().expect("a value").to_owned()
        };
        let path = format!("/console/organizations/{}/projects/{}/delete", self.service.organization, self.service.project());
        let fields = [("csrf", field("csrf")), ("seen", field("seen")), ("confirm", "Shop".to_owned())];
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let gone = console.post(&path, &fields).await;
        let list = format!("/console/organizations/{}/projects", self.service.organization);
        assert_eq!((gone.status, gone.location.as_deref()), (303, Some(list.as_str())), "{}", gone.text);
        self.becomes(ann, "TOKEN_REVOKED").await;
        let threads =
            page.function("workspace/threads", &json!({ "address": { "path": "/share", "search": "" }, "search": "" })).await;
        assert_ne!(threads.status, 200);
        let body = self.sign_in_body(ACME, "ann");
        self.backend().post("/v1/api/projects/embed-token", &body).await.refused(404, "PROJECT_NOT_FOUND");
        assert_eq!(self.backend().get("/v2/api/applications").await.data()["applications"], json!([]));
        let html = self
            .service
            .with("")
            .get(&format!("/share/application/{}?jwt={}", self.service.application(), ann.credential()))
            .await;
        assert!(html.status == 401 && html.text.contains("Invalid or missing token."), "{} {}", html.status, html.text);
    }
}

/// A browser in the management console.
struct Console {
    api: Api,
    cookie: String,
}

impl Console {
    async fn get(&self, path: &str) -> Reply {
        let request = self.api.request(Method::GET, path).header("cookie", &self.cookie);
        Reply::of(request, format!("GET {path}")).await
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let body = Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.api.request(Method::POST, path).header("cookie", &self.cookie).header("origin", self.api.origin());
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
        Reply::of(request, format!("POST {path}")).await
    }
}
