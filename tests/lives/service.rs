//! The real binary in a folder of its own, with a project and its database, and calls to it over HTTP.

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::Value;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor};
use sqlx_postgres::PgConnection;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use std::{env, fs, net::TcpListener, path::Path, process::Stdio, time::Duration};
use tempfile::TempDir;
use tokio::{
    io::AsyncWriteExt,
    process::{Child, Command},
    time::sleep,
};
use url::Url;
use uuid::Uuid;

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
    environment: Vec<(&'static str, String)>,
    running: Option<Child>,
    http: Client,
    url: String,
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
            environment.push(("INLAY_DATABASE_URL", fresh_database().await));
        }
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
        let mut service = Self {
            folder,
            environment,
            running: None,
            http,
            url: format!("http://{listen}"),
            organization: String::new(),
            applied: Value::Null,
            key: String::new(),
        };
        service.prepare().await;
        service.serve().await;
        service
    }

    async fn prepare(&mut self) {
        write_database(&self.folder.path().join("warehouse.db")).await;
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
        let mut server = self.binary();
        server.arg("serve").stdout(log.try_clone().expect("a log")).stderr(log);
        let mut running = server.spawn().expect("the server starts");
        for _ in 0..600 {
            if let Some(ended) = running.try_wait().expect("asked") {
                panic!("the server ended with {ended}: {}", fs::read_to_string(self.log()).unwrap_or_default());
            }
            if self.http.get(format!("{}/readyz", self.url)).send().await.is_ok_and(|ready| ready.status() == StatusCode::OK) {
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

    fn binary(&self) -> Command {
        let mut binary = Command::new(env!("CARGO_BIN_EXE_inlay"));
        for (name, _) in env::vars().filter(|(name, _)| name.starts_with("INLAY_")) {
            binary.env_remove(name);
        }
        binary.envs(self.environment.iter().map(|(name, value)| (name, value))).kill_on_drop(true).stdin(Stdio::null());
        binary
    }

    /// Runs a command of the binary beside the server. Returns whether it succeeded, what it printed, and what it logged.
    pub async fn run(&self, arguments: &[&str], input: &str) -> (bool, String, String) {
        let mut command = self.binary();
        command.args(arguments).arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the command starts");
        let mut stdin = child.stdin.take().expect("its input");
        stdin.write_all(input.as_bytes()).await.expect("written");
        drop(stdin);
        let done = child.wait_with_output().await.expect("the command ends");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (done.status.success(), text(done.stdout), text(done.stderr))
    }

    /// The JSON of a command that succeeds.
    pub async fn command(&self, arguments: &[&str], input: &str) -> Value {
        let (done, printed, logged) = self.run(arguments, input).await;
        assert!(done, "{arguments:?}: {printed} {logged}");
        serde_json::from_str(&printed).expect("one JSON object")
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
        Api { http: self.http.clone(), url: self.url.clone(), credential: credential.to_owned() }
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

/// A caller with a credential.
#[derive(Clone, Debug)]
pub struct Api {
    http: Client,
    url: String,
    credential: String,
}

impl Api {
    /// The token or key.
    pub fn credential(&self) -> &str {
        &self.credential
    }

    /// The server's origin.
    pub fn origin(&self) -> &str {
        &self.url
    }

    /// A request to a path, without a credential.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url))
    }

    pub async fn call(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let mut request = self.request(method.clone(), path);
        if !self.credential.is_empty() {
            request = request.bearer_auth(&self.credential);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        Reply::of(request, format!("{method} {path} {}", body.map(Value::to_string).unwrap_or_default())).await
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.call(Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> Reply {
        self.call(Method::PUT, path, Some(body)).await
    }

    pub async fn delete(&self, path: &str) -> Reply {
        self.call(Method::DELETE, path, None).await
    }
}

/// A response.
#[derive(Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its text.
    pub text: String,
    /// The target of a redirect.
    pub location: Option<String>,
    /// The cookies that it sets, without their attributes.
    pub cookies: Vec<String>,
    asked: String,
}

impl Reply {
    pub async fn of(request: RequestBuilder, asked: String) -> Self {
        let response = request.send().await.unwrap_or_else(|problem| panic!("{asked}: {problem:?}"));
        let header = |name: &str| {
            let all = response.headers().get_all(name).iter().filter_map(|value| value.to_str().ok().map(str::to_owned));
            all.collect::<Vec<String>>()
        };
        let first = |cookie: String| cookie.split(';').next().unwrap_or_default().to_owned();
        let cookies = header("set-cookie").into_iter().map(first).collect();
        let (status, location) = (response.status().as_u16(), header("location").pop());
        Self { status, location, cookies, text: response.text().await.expect("a body"), asked }
    }

    /// Its JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|problem| panic!("{}: {problem}: {}", self.asked, self.text))
    }

    /// The data of a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        assert_eq!(self.status, 200, "{}: {}", self.asked, self.text);
        self.json()["data"].clone()
    }

    /// The error of a refusal with exactly this status and code.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text);
        let error = self.json()["error"].clone();
        assert_eq!(error["code"], code, "{}: {}", self.asked, self.text);
        error
    }
}

/// A text of an answer.
#[track_caller]
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// The texts of a list.
#[track_caller]
pub fn texts(value: &Value) -> Vec<String> {
    list(value).iter().map(text).collect()
}

/// A list of an answer.
#[track_caller]
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

async fn write_database(path: &Path) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection: SqliteConnection = options.connect().await.expect("the database opens");
    connection.execute(DATABASE).await.expect("the database is filled");
}

async fn fresh_database() -> String {
    let server = env::var("INLAY_TEST_POSTGRES")
        .expect("the tests on PostgreSQL need a server: run them by `make test` or `scripts/with-postgres cargo test`");
    let name = format!("inlay_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(&server).await.expect("INLAY_TEST_POSTGRES names a server that answers");
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut admin).await.expect("a database can be made");
    let mut url = Url::parse(&server).expect("INLAY_TEST_POSTGRES is an address");
    url.set_path(&name);
    url.into()
}
