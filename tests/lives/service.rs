//! The real binary in a folder of its own, with a project and its database, and calls to it over HTTP.

use inlay_harness::{Binary, free_port, fresh_database, write_sqlite};
use reqwest::{Method, StatusCode};
use serde_json::Value;
use std::{env, fs, time::Duration};
use tempfile::TempDir;
use tokio::{process::Child, time::sleep};

pub use inlay_harness::{Api, Reply, list, text, texts};

/// The company of most users.
pub const ACME: &str = "acme";
/// Another company.
pub const GLOBEX: &str = "globex";
/// The owner of the organization, who may sign in to the console.
pub const OWNER: (&str, &str) = ("owner@example.test", "correct horse battery");

/// The ids of a company's orders.
pub fn orders_of(company: &str) -> Vec<i64> {
    match company {
        ACME => vec![1, 2, 3],
        GLOBEX => vec![11, 12],
        _ => Vec::new(),
    }
}

const DATABASE: &str = "
    create table orders (id integer primary key, company text, region text, amount real);
    insert into orders values (1, 'acme', 'north', 10.5), (2, 'acme', 'south', 20), (3, 'acme', null, null),
        (11, 'globex', 'north', 70), (12, 'globex', 'south', 80);
    create table rates (name text, rate real);
    insert into rates values ('EUR', 1.0), ('GBP', 1.2);";

/// `Alone` is a workspace that v1 hosts have and that no application was made of yet.
const PROJECT: &str = r#"
version: 1
project: { name: Shop, allowedOrigins: ["https://host.example"] }
connections:
  - { name: warehouse, kind: sqlite, url: "sqlite:warehouse.db" }
tables:
  - { connection: warehouse, table: orders, rowRule: "company = {{organization.company}}" }
  - { connection: warehouse, table: rates, rows: all }
roles:
  - { name: Analyst, permissions: { addChart: true, addFilter: true, createChart: true, editCharts: true, removeChart: true,
      addDashboard: true, canDuplicateDashboard: true } }
charts:
  - { name: Orders, connection: warehouse, type: bar, sql: "select id, amount from orders order by id",
      encoding: { x: id, y: [amount] } }
  - { name: Rates, connection: warehouse, type: line, sql: "select name, rate from rates order by name",
      encoding: { x: name, y: [rate] } }
workspaces:
  - { name: Ask, connection: warehouse, publish: true }
  - { name: Alone, connection: warehouse, publish: true }
applications:
  - name: Orders
    workspace: Ask
    dashboards:
      - { name: Overview, default: true, charts: [{ chart: Orders, x: 0, y: 0, w: 6, h: 4 }, { chart: Rates, x: 6, y: 0, w: 6, h: 4 }] }
"#;

/// Where the server keeps its data.
#[derive(Clone, Copy, Debug)]
pub enum Store {
    Sqlite,
    Postgres,
}

/// A running server.
pub struct Service {
    folder: TempDir,
    binary: Binary,
    running: Option<Child>,
    api: Api,
    /// The organization's id.
    pub organization: String,
    /// The result of applying the project file: ids by name.
    pub applied: Value,
    /// A key of the owner, bound to the organization.
    pub key: String,
}

impl Service {
    /// Creates the organization and its project, and serves them.
    pub async fn start(store: Store) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let listen = format!("127.0.0.1:{}", free_port());
        let mut environment = vec![
            ("INLAY_DATA_DIR", folder.path().join("data").display().to_string()),
            ("INLAY_LISTEN", listen.clone()),
            ("INLAY_SECRET_KEY", "0123456789abcdef0123456789abcdef".to_owned()),
            // However busy the machine, the first HTML holds the charts.
            ("INLAY_PAGE_WAIT_MS", "30000".to_owned()),
            // What goes on beside a step of the migration asks as fast as it can.
            ("INLAY_USER_REQUESTS_PER_SECOND", "0".to_owned()),
        ];
        if matches!(store, Store::Postgres) {
            let server = env::var("INLAY_TEST_POSTGRES")
                .expect("the tests on PostgreSQL need a server: run them by `make test` or `scripts/with-postgres cargo test`");
            environment.push(("INLAY_DATABASE_URL", fresh_database(&server).await));
        }
        let mut service = Self {
            folder,
            binary: Binary::new(env!("CARGO_BIN_EXE_inlay"), environment),
            running: None,
            api: Api::new(&format!("http://{listen}"), ""),
            organization: String::new(),
            applied: Value::Null,
            key: String::new(),
        };
        service.prepare().await;
        service.serve().await;
        service
    }

    async fn prepare(&mut self) {
        write_sqlite(&self.folder.path().join("warehouse.db"), DATABASE).await;
        let file = self.folder.path().join("project.yaml");
        fs::write(&file, PROJECT).expect("written");
        self.organization =
            text(&self.command(&["organization", "create", "--name", "Acme Analytics"], "").await["organizationId"]);
        let organization = self.organization.clone();
        let member =
            ["member", "add", "--organization", &organization, "--email", OWNER.0, "--role", "owner", "--password-stdin"];
        self.command(&member, OWNER.1).await;
        let key = ["api-key", "create", "--member", OWNER.0, "--organization", &organization];
        self.key = text(&self.command(&key, "").await["apiKey"]);
        let file = file.display().to_string();
        self.applied = self.command(&["apply", &file, "--organization", &organization], "").await;
    }

    /// Serves, and waits until the server is ready.
    pub async fn serve(&mut self) {
        let log = fs::File::create(self.log()).expect("a log");
        let mut server = self.binary.command();
        server.arg("serve").stdout(log.try_clone().expect("a log")).stderr(log);
        let mut running = server.spawn().expect("the server starts");
        for _ in 0..600 {
            if let Some(ended) = running.try_wait().expect("asked") {
                panic!("the server ended with {ended}: {}", fs::read_to_string(self.log()).unwrap_or_default());
            }
            if self.api.request(Method::GET, "/readyz").send().await.is_ok_and(|ready| ready.status() == StatusCode::OK) {
                self.running = Some(running);
                return;
            }
            sleep(Duration::from_millis(100)).await;
        }
        panic!("the server was not ready within a minute: {}", fs::read_to_string(self.log()).unwrap_or_default());
    }

    /// Stops the server without a warning, as a crash does.
    pub async fn crash(&mut self) {
        self.running.take().expect("a running server").kill().await.expect("killed");
    }

    fn log(&self) -> std::path::PathBuf {
        self.folder.path().join("server.log")
    }

    /// Runs a command of the binary beside the server. Returns whether it succeeded, what it printed, and what it logged.
    pub async fn run(&self, arguments: &[&str], input: &str) -> (bool, String, String) {
        self.binary.run(arguments, input).await
    }

    /// The JSON of a command that succeeds.
    pub async fn command(&self, arguments: &[&str], input: &str) -> Value {
        self.binary.json(arguments, input).await
    }

    /// A step of the migration, which succeeds.
    pub async fn migrate(&self, step: &str) -> Value {
        self.command(&["migration", step, "--organization", &self.organization], "").await
    }

    /// The host's backend.
    pub fn host(&self) -> Api {
        self.with(&self.key)
    }

    /// A caller with a token.
    pub fn with(&self, credential: &str) -> Api {
        self.api.with(credential)
    }

    /// An id of the applied project by its kind and name.
    pub fn id(&self, kind: &str, name: &str) -> String {
        text(&self.applied[kind][name])
    }

    /// The project's id.
    pub fn project(&self) -> String {
        text(&self.applied["projectId"])
    }

    /// The id of the application `Orders`.
    pub fn application(&self) -> String {
        text(&self.applied["applications"]["Orders"]["id"])
    }
}
