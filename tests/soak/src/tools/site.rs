//! An installation: a store, a project or several, and the nodes that serve them.

use super::{
    cluster::Cluster,
    node::Node,
    wire::{Answer, Caller},
};
use inlay_harness::{Binary, fresh_database, text, write_sqlite};
use serde_json::{Value, json};
use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tempfile::TempDir;
use uuid::Uuid;

/// What all scenarios share.
#[derive(Clone)]
pub struct Context {
    /// Whether all of it is run, at its full length.
    pub whole: bool,
    pub binary: PathBuf,
    pub cluster: Arc<Cluster>,
}

impl Context {
    pub fn new(whole: bool, cluster: Arc<Cluster>) -> Self {
        let beside = || env::current_exe().expect("this program's path").with_file_name("inlay");
        let binary = env::var_os("INLAY_BIN").map_or_else(beside, PathBuf::from);
        assert!(binary.exists(), "{} is not there: build it, or name it in INLAY_BIN", binary.display());
        Self { whole, binary, cluster }
    }

    /// A number of the whole suite, or of the quick one.
    pub const fn pick<T: Copy>(&self, whole: T, quick: T) -> T {
        if self.whole { whole } else { quick }
    }

    /// What is promised, or five times that in the quick suite: its binary is a debug build, its machine busy.
    pub const fn limit(&self, promised: Duration) -> Duration {
        if self.whole { promised } else { promised.saturating_mul(5) }
    }
}

/// Where nodes keep their data.
#[derive(Clone, Copy, Debug)]
pub enum Store {
    Sqlite,
    Postgres,
}

impl Store {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }
}

/// An installation, with a folder of its own.
pub struct Site {
    folder: TempDir,
    pub binary: Binary,
    /// The store's address, where it is PostgreSQL.
    pub database: Option<String>,
}

impl Site {
    /// One without any data yet.
    pub async fn new(context: &Context, store: Store) -> Self {
        let database = match store {
            Store::Sqlite => None,
            Store::Postgres => Some(fresh_database(&context.cluster.url("postgres")).await),
        };
        Self::over(context, database)
    }

    /// One whose store has this address.
    pub fn over(context: &Context, database: Option<String>) -> Self {
        let folder = tempfile::Builder::new().prefix("inlay-soak.").tempdir().expect("a folder");
        let data = folder.path().join("data");
        Self::within(context, folder, &data, database)
    }

    /// One whose data are in this folder.
    pub fn within(context: &Context, folder: TempDir, data: &Path, database: Option<String>) -> Self {
        let settings = [
            ("INLAY_DATA_DIR", data.display().to_string()),
            ("INLAY_SECRET_KEY", "0123456789abcdef0123456789abcdef".to_owned()),
            // The issuer of tokens is the same on every node.
            ("INLAY_BASE_URL", "http://inlay.test".to_owned()),
            ("INLAY_ALLOW_PRIVATE_SOURCES", "true".to_owned()),
            ("INLAY_ALLOW_PRIVATE_WEBHOOKS", "true".to_owned()),
            ("INLAY_KEY_REQUESTS_PER_SECOND", "0".to_owned()),
            ("INLAY_USER_REQUESTS_PER_SECOND", "0".to_owned()),
            ("INLAY_DRAIN_SECONDS", "1".to_owned()),
        ];
        let database_setting = database.clone().map(|url| ("INLAY_DATABASE_URL", url));
        let binary = Binary::new(&context.binary, settings.into_iter().chain(database_setting));
        Self { folder, binary, database }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The file of an embedded store.
    pub fn store_file(&self) -> PathBuf {
        self.folder.path().join("data/inlay.db")
    }

    /// Changes a setting of everything that is started from now on.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.binary = self.binary.with(name, value);
    }

    /// Starts a node.
    pub async fn node(&self) -> Node {
        self.node_of(&self.binary).await
    }

    /// Starts a node with other settings.
    pub async fn node_of(&self, binary: &Binary) -> Node {
        Node::start(binary, &self.folder.path().join(format!("node-{}.log", Uuid::now_v7().simple()))).await
    }

    /// Makes an organization with a project, whose `local` data are in a file, and whose `remote` data at an address of PostgreSQL.
    pub async fn tenant(&self, name: &str, remote: Option<&str>) -> Tenant {
        self.tenant_of(name, &project(name, remote)).await
    }

    /// Makes an organization with a project of a file.
    pub async fn tenant_of(&self, name: &str, project: &str) -> Tenant {
        let data = self.folder.path().join("warehouse.db");
        if !data.exists() {
            write_sqlite(&data, &data_of("sqlite")).await;
        }
        let organization = text(&self.binary.json(&["organization", "create", "--name", name], "").await["organizationId"]);
        let owner = format!("{}@example.test", name.to_lowercase());
        let member = ["member", "add", "--organization", &organization, "--email", &owner, "--role", "owner"];
        self.binary.json(&member, "").await;
        let key = ["api-key", "create", "--member", &owner, "--organization", &organization];
        let key = text(&self.binary.json(&key, "").await["apiKey"]);
        let file = self.folder.path().join(format!("{name}.yaml"));
        fs::write(&file, project).expect("written");
        let applied = self.binary.json(&["apply", &file.display().to_string(), "--organization", &organization], "").await;
        Tenant { key, applied }
    }
}

/// An organization with its project.
#[derive(Clone, Debug)]
pub struct Tenant {
    /// A key of its owner.
    pub key: String,
    /// The result of applying the project file: ids by name.
    pub applied: Value,
}

impl Tenant {
    pub fn project(&self) -> String {
        text(&self.applied["projectId"])
    }

    pub fn application(&self) -> String {
        text(&self.applied["applications"]["Figures"]["id"])
    }

    pub fn role(&self) -> String {
        text(&self.applied["roles"]["Editor"])
    }

    pub fn dashboard(&self) -> String {
        text(&self.applied["dashboards"]["Figures/Overview"]["id"])
    }

    /// The path of the application's dashboards.
    pub fn dashboards(&self) -> String {
        format!("/v2/api/applications/{}/dashboards", self.application())
    }

    /// The path of a chart's rows, by the name of its dashboard and its own.
    pub fn rows(&self, dashboard: &str, chart: &str) -> String {
        let dashboard = &self.applied["dashboards"][format!("Figures/{dashboard}")];
        format!("{}/{}/charts/{}/data", self.dashboards(), text(&dashboard["id"]), text(&dashboard["charts"][chart]))
    }

    /// The address of a dashboard's page.
    pub fn page(&self, token: &str) -> String {
        format!("/share/application/{}?jwt={token}", self.application())
    }

    pub fn sign_in(&self, company: &str, user: &str) -> Value {
        json!({
            "projectId": self.project(),
            "organization": { "externalId": company, "properties": { "company": company } },
            "user": { "externalId": user, "name": user, "defaultUserRoleId": self.role() },
        })
    }

    /// Signs a user in.
    pub async fn signs_in(&self, node: &Caller, company: &str, user: &str) -> Answer {
        node.post("/v1/api/projects/embed-token", &self.sign_in(company, user)).await
    }

    /// A caller who is a signed-in user.
    pub async fn user(&self, node: &Node, company: &str, user: &str) -> Caller {
        let signed = self.signs_in(&node.caller(&self.key), company, user).await.data();
        node.caller(&text(&signed["token"]))
    }

    /// The request that signs users in, as load: the worker's own user, again and again.
    pub fn known_users(&self, caller: Caller) -> impl Fn(usize, usize) -> futures::future::BoxFuture<'static, Answer> + use<> {
        let this = self.clone();
        move |worker, _| {
            let (this, caller) = (this.clone(), caller.clone());
            Box::pin(async move { this.signs_in(&caller, "c1", &format!("known-{worker}")).await })
        }
    }
}

/// Statements that make the sources' data: 200 companies with 20 orders each.
pub fn data_of(kind: &str) -> String {
    let rows = if kind == "sqlite" {
        "with recursive n(i) as (select 0 union all select i + 1 from n where i < 3999)
         insert into orders select i, 'c' || (i % 200), 'r' || (i % 4), i % 97 from n;
         create table numbers as select id as n from orders;"
    } else {
        "insert into orders select i, 'c' || (i % 200), 'r' || (i % 4), i % 97 from generate_series(0, 3999) i;
         create view slow as select orders.* from orders cross join (select count(*) from pg_sleep(2)) s;"
    };
    format!("create table orders (id integer primary key, company text, region text, amount real); {rows}")
}

/// A project file: one dashboard, with a chart of each source.
pub fn project(name: &str, remote: Option<&str>) -> String {
    let sql = |table: &str| format!("select region, sum(amount) as total from {table} group by region order by region");
    let chart = |name: &str, connection: &str, table: &str| {
        let encoding = "encoding: { x: region, y: [total] }";
        format!("  - {{ name: {name}, connection: {connection}, type: bar, sql: \"{}\", {encoding} }}\n", sql(table))
    };
    let (connection, tables, charts, tiles, slow) = remote.map_or_else(Default::default, |url| {
        (
            format!("  - {{ name: remote, kind: postgres, url: \"{url}\", cacheSeconds: 0 }}\n"),
            "  - { connection: remote, table: orders, rowRule: \"company = {{organization.company}}\" }\n  \
             - { connection: remote, table: slow, rowRule: \"company = {{organization.company}}\" }\n",
            chart("Remote", "remote", "orders") + &chart("Slow", "remote", "slow"),
            ", { chart: Remote, x: 6, y: 0, w: 6, h: 4 }",
            "      - { name: Slow, charts: [{ chart: Slow, x: 0, y: 0, w: 6, h: 4 }] }\n",
        )
    });
    // 16 million steps and more.
    let heavy =
        "select a.n % 7 as part, count(*) as total from numbers a cross join numbers b where a.n * b.n % 11 = 1 group by part";
    let heavy =
        format!("  - {{ name: Heavy, connection: local, type: bar, sql: \"{heavy}\", encoding: {{ x: part, y: [total] }} }}\n");
    format!(
        "version: 1\n\
         project: {{ name: {name}, allowedOrigins: [\"https://host.example\"] }}\n\
         connections:\n  - {{ name: local, kind: sqlite, url: \"sqlite:warehouse.db\", cacheSeconds: 0 }}\n{connection}\
         tables:\n  - {{ connection: local, table: orders, rowRule: \"company = {{{{organization.company}}}}\" }}\n  \
         - {{ connection: local, table: numbers, rows: all }}\n{tables}\
         roles:\n  - {{ name: Editor, permissions: {{ addChart: true, createChart: true, editCharts: true, removeChart: true, \
         addDashboard: true, canDuplicateDashboard: true }} }}\n\
         charts:\n{}{heavy}{charts}\
         applications:\n  - name: Figures\n    dashboards:\n      \
         - {{ name: Overview, default: true, charts: [{{ chart: Local, x: 0, y: 0, w: 6, h: 4 }}{tiles}] }}\n      \
         - {{ name: Heavy, charts: [{{ chart: Heavy, x: 0, y: 0, w: 6, h: 4 }}] }}\n{slow}",
        chart("Local", "local", "orders")
    )
}
