//! An organization with a project, its keys, and calls through the real router.

use super::{
    described,
    source::{self, PROJECT},
    store::{self, StoreKind},
};
use crate::{
    concepts::{
        chat::testing::HOME,
        connections,
        organizations::{
            self, MemberRole,
            api_keys::{self, PresentedKey},
            members::{self, Membership},
        },
        webhooks::EventKind,
    },
    faces::router::router,
    flows::project_file::apply::{Applied, Target, apply},
    ground::{config::Settings, state::App, store::seal::Sealer},
    on,
};
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode},
};
use clap::Parser;
use inlay_contract::ids::OrganizationId;
use serde_json::{Value, json};
use std::{env, fs, path::PathBuf};
use tower::ServiceExt;
use uuid::Uuid;

/// The default settings, without flags or environment.
#[derive(Parser)]
struct Defaults {
    #[command(flatten)]
    settings: Settings,
}

/// A complete service with one organization, one project and one key.
pub(crate) struct World {
    /// The state.
    pub(crate) app: App,
    /// The organization.
    pub(crate) organization: OrganizationId,
    /// The result of applying the project file.
    pub(crate) applied: Applied,
    /// An organization-bound key of its owner.
    pub(crate) key: String,
    /// For requests whose answers are no text.
    pub(crate) router: Router,
    folder: PathBuf,
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    /// Its status.
    pub(crate) status: StatusCode,
    /// Its headers.
    pub(crate) headers: HeaderMap,
    /// Its text.
    pub(crate) text: String,
}

impl Reply {
    /// Its JSON. Null when it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// The events of a stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        let told = self.text.split("\n\n").filter_map(|block| block.strip_prefix("data: "));
        told.map(|event| serde_json::from_str(event).expect("JSON")).collect()
    }

    /// The data of a success.
    #[track_caller]
    pub(crate) fn data(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        self.json()["data"].clone()
    }

    /// Checks for exactly this error and returns it.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> Value {
        let error = self.json()["error"].clone();
        assert_eq!((self.status.as_u16(), error["code"].as_str().unwrap_or_default()), (status, code), "{}", self.text);
        error
    }
}

impl World {
    pub(crate) async fn new(kind: StoreKind) -> Self {
        Self::with(kind, &[]).await
    }

    /// A world with other settings than the defaults, given as flags.
    pub(crate) async fn with(kind: StoreKind, flags: &[&str]) -> Self {
        let folder = env::temp_dir().join(format!("inlay-test-{}", Uuid::now_v7().simple()));
        fs::create_dir_all(&folder).expect("a temporary folder");
        source::write(&folder).await;
        let address = store::migrated(kind, &folder).await;
        let fixed = ["inlay", "--database-url", &address, "--secret-key", "0123456789abcdef0123456789abcdef"];
        let private = "--allow-private-sources";
        let home: &[&str] = if flags.contains(&private) { &[] } else { &[private, HOME] };
        let arguments = fixed.iter().chain(home).chain(flags);
        let settings = Defaults::parse_from(arguments).settings;
        let db = store::open(&address).await;
        let sealer = Sealer::new("0123456789abcdef0123456789abcdef");
        let engine = connections::engine(&settings, &db, &sealer);
        let app = App::new(db, sealer, settings, engine, super::renderer(), crate::faces::background::configured())
            .await
            .expect("the state");
        inlay_app::calls::register();
        let (organization, key) = organization(&app, MemberRole::Owner).await;
        let target = Target { db: &app.db, sealer: &app.sealer, engine: &app.engine, organization };
        let applied = apply(&target, PROJECT, &folder, &|_| None).await.expect("the project is applied");
        app.refresh().await.expect("refreshed");
        Self { router: router(app.clone()), app, organization, applied, key, folder }
    }

    /// Another organization with the same project and a key of its owner.
    pub(crate) async fn neighbour(&self) -> (Applied, String) {
        let (organization, key) = organization(&self.app, MemberRole::Owner).await;
        let target = Target { db: &self.app.db, sealer: &self.app.sealer, engine: &self.app.engine, organization };
        let applied = apply(&target, PROJECT, &self.folder, &|_| None).await.expect("the project is applied");
        self.app.refresh().await.expect("refreshed");
        (applied, key)
    }

    /// Another node on the same store.
    pub(crate) async fn another_node(&self) -> App {
        self.node_with(Sealer::new("0123456789abcdef0123456789abcdef")).await
    }

    /// A node with other secret keys.
    pub(crate) async fn node_with(&self, sealer: Sealer) -> App {
        let app = &self.app;
        let engine = connections::engine(&app.settings, &app.db, &sealer);
        App::new(
            app.db.clone(),
            sealer,
            app.settings.clone(),
            engine,
            super::renderer(),
            crate::faces::background::configured(),
        )
        .await
        .expect("the state")
    }

    /// A key of a new member of the organization; user-scoped or bound.
    pub(crate) async fn member_key(&self, role: MemberRole, user_scoped: bool) -> String {
        let key = make_key(&self.app, self.organization, role, (!user_scoped).then_some(self.organization)).await;
        self.app.refresh().await.expect("refreshed");
        key
    }

    /// The one membership of a key's owner.
    pub(crate) async fn membership(&self, key: &str) -> Membership {
        let mut lease = self.app.db.read().await.expect("a connection");
        let id = PresentedKey::parse(key).expect("a key").id;
        let record = organizations::find_key(&mut lease.conn(), id).await.expect("read").expect("a key");
        members::of_account(&mut lease.conn(), record.account).await.expect("read").remove(0)
    }

    /// Applies another project file to the organization.
    pub(crate) async fn apply(&self, text: &str) -> Result<Applied, crate::flows::project_file::apply::ApplyProblem> {
        let applied = apply(&self.target(), text, &self.folder, &|_| None).await;
        self.app.refresh().await.expect("refreshed");
        applied
    }

    /// The target for project files.
    pub(crate) fn target(&self) -> Target<'_> {
        Target { db: &self.app.db, sealer: &self.app.sealer, engine: &self.app.engine, organization: self.organization }
    }

    /// The folder of its databases.
    pub(crate) fn folder(&self) -> &std::path::Path {
        &self.folder
    }

    /// Changes the customers' database.
    pub(crate) async fn change_source(&self, sql: &'static str) {
        source::change(&self.folder, sql).await;
    }

    /// Makes every waiting job due.
    pub(crate) async fn make_jobs_due(&self) {
        let mut tx = self.app.db.write().await.expect("a transaction");
        on!(&mut tx.conn(), |c| sqlx::query("UPDATE jobs SET due_at = 0").execute(c).await.map(drop)).expect("due");
        tx.commit().await.expect("committed");
    }

    /// Creates a webhook for every event; nothing listens at its URL.
    pub(crate) async fn listen(&self) {
        let events = EventKind::CHOICES.map(EventKind::name);
        let webhook = json!({ "url": "https://127.0.0.1/hooks", "events": events });
        self.post(&format!("/v2/api/projects/{}/webhooks", self.applied.project_id), &self.key, &webhook).await.data();
    }

    /// The webhook messages in order: the event and its data.
    pub(crate) async fn told(&self) -> Vec<(String, Value)> {
        let mut lease = self.app.db.read().await.expect("a connection");
        let sql = "SELECT payload FROM webhook_deliveries ORDER BY created_at, id";
        let told: Vec<String> = on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_all(c).await).expect("read");
        let read = |text: String| {
            let message: Value = serde_json::from_str(&text).expect("JSON");
            (message["type"].as_str().expect("a type").to_owned(), message["data"].clone())
        };
        told.into_iter().map(read).collect()
    }

    /// The project file of the world.
    pub(crate) const fn project_file() -> &'static str {
        PROJECT
    }

    /// One call; `credential` is a key or token, or empty.
    pub(crate) async fn call(&self, method: Method, path: &str, credential: &str, body: Option<&Value>) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        if !credential.is_empty() {
            request = request.header("authorization", format!("Bearer {credential}"));
        }
        let request = match body {
            Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.exchange(request.expect("a request"), body).await
    }

    /// Sends a request unchanged.
    pub(crate) async fn send(&self, request: Request<Body>) -> Reply {
        self.exchange(request, None).await
    }

    /// Sends a request, and checks the response and the accepted body against the API description.
    async fn exchange(&self, request: Request<Body>, sent: Option<&Value>) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().to_string());
        let response = self.router.clone().oneshot(request).await.expect("the router does not fail");
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.expect("a body");
        let reply = Reply { status: parts.status, headers: parts.headers, text: String::from_utf8_lossy(&bytes).into_owned() };
        described::check(&method, &path, sent, &reply);
        reply
    }

    /// `POST` with a JSON body.
    pub(crate) async fn post(&self, path: &str, credential: &str, body: &Value) -> Reply {
        self.call(Method::POST, path, credential, Some(body)).await
    }

    /// `GET`
    pub(crate) async fn get(&self, path: &str, credential: &str) -> Reply {
        self.call(Method::GET, path, credential, None).await
    }

    /// An embed-token body for a user of a customer whose rows are a company's.
    pub(crate) fn sign_in_body(&self, company: &str, user: &str) -> Value {
        json!({
            "projectId": self.applied.project_id,
            "organization": { "externalId": company, "properties": { "company": company } },
            "user": { "externalId": user },
        })
    }

    /// Signs in a user with a role by its name in the project file. Returns the response's data.
    pub(crate) async fn sign_in_as(&self, company: &str, user: &str, role: Option<&str>) -> Value {
        let mut body = self.sign_in_body(company, user);
        if let Some(role) = role {
            body["user"]["userRoleId"] = json!(self.applied.roles[role]);
        }
        self.post("/v1/api/projects/embed-token", &self.key, &body).await.data()
    }

    /// A token of a user of a company, without a role.
    pub(crate) async fn token(&self, company: &str) -> String {
        let data = self.sign_in_as(company, "viewer", None).await;
        data["token"].as_str().expect("a token").to_owned()
    }

    /// The path of a chart of the Overview dashboard, by name.
    pub(crate) fn chart_path(&self, chart: &str) -> String {
        let dashboard = &self.applied.dashboards["Orders/Overview"];
        let application = self.applied.applications["Orders"].id;
        format!("/v2/api/applications/{application}/dashboards/{}/charts/{}/data", dashboard.id, dashboard.charts[chart])
    }
}

async fn organization(app: &App, role: MemberRole) -> (OrganizationId, String) {
    let mut tx = app.db.write().await.expect("a transaction");
    let id = organizations::create(&mut tx.conn(), "Acme Analytics").await.expect("an organization");
    tx.commit().await.expect("committed");
    (id, make_key(app, id, role, Some(id)).await)
}

async fn make_key(app: &App, organization: OrganizationId, role: MemberRole, bound_to: Option<OrganizationId>) -> String {
    let mut tx = app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    let email = format!("{}@example.test", Uuid::now_v7().simple());
    organizations::put_member(conn, organization, &email, role, None).await.expect("a member");
    let owner = organizations::account_of_member(conn, organization, &email).await.expect("an account");
    let key = api_keys::generate().expect("a key");
    organizations::insert_key(conn, &key, owner, bound_to).await.expect("stored");
    tx.commit().await.expect("committed");
    key.text
}
