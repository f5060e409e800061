//! `dbAuthToken` on the pages and in the API, on both stores: the value reaches the database, and one that is not the viewer's
//! property is refused (docs/spec/contract.md, section 6).

use crate::testing::{ACME, GLOBEX, Reply, StoreKind, World};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor};
use sqlx_postgres::PgConnection;
use std::env;
use uuid::Uuid;

/// Without a row rule: the view alone decides, by the setting that `dbAuthToken` feeds.
const LEDGER: &str = "
    create table entries (id int, company text);
    insert into entries values (1, 'acme'), (2, 'acme'), (3, 'globex');
    create view ledger as select id, company from entries where company = current_setting('app.company', true);";

/// A database whose view reads the setting. Returns its URL.
async fn ledger() -> String {
    let server = env::var("INLAY_TEST_POSTGRES").expect("a server");
    let name = format!("ledger_{}", Uuid::now_v7().simple());
    let mut admin = PgConnection::connect(&server).await.expect("the server answers");
    sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name}"))).execute(&mut admin).await.expect("a database");
    let mut url = url::Url::parse(&server).expect("an address");
    url.set_path(&name);
    let mut database = PgConnection::connect(url.as_str()).await.expect("the database answers");
    database.execute(LEDGER).await.expect("the view is created");
    url.into()
}

fn project(url: &str) -> String {
    let connection = format!(
        "connections:\n  - {{ name: books, kind: postgres, url: \"{url}\", databaseAuth: {{ setting: app.company, equals: organization.company }} }}\n"
    );
    World::project_file()
        .replacen("connections:\n", &connection, 1)
        .replacen("tables:\n", "tables:\n  - { connection: books, table: ledger, rows: all }\n", 1)
        .replacen(
            "charts:\n",
            "charts:\n  - { name: Ledger, connection: books, type: table, sql: \"select id from ledger order by id\" }\n",
            1,
        )
        .replacen("workspaces:\n", "workspaces:\n  - { name: Books, connection: books, publish: true }\n", 1)
        .replacen(
            "charts: [{ chart: Rates, x: 0, y: 0, w: 6, h: 4 }]",
            "charts: [{ chart: Ledger, x: 0, y: 0, w: 6, h: 4 }]",
            1,
        )
}

/// A world with the ledger, and what refers to it.
struct Books {
    world: World,
    application: String,
    dashboard: String,
    chart: String,
    workspace: String,
}

impl Books {
    async fn on(kind: StoreKind) -> Self {
        let world = World::with(kind, &["--allow-private-sources", "true"]).await;
        let applied = world.apply(&project(&ledger().await)).await.unwrap_or_else(|problem| panic!("{problem}"));
        let desk = &applied.dashboards["Office/Desk"];
        Self {
            application: applied.applications["Office"].id.to_string(),
            dashboard: desk.id.to_string(),
            chart: desk.charts["Ledger"].to_string(),
            workspace: format!("/share/workspace/{}/{}", applied.project_id, applied.workspaces["Books"]),
            world,
        }
    }

    /// The chart in the first HTML of the application's page: its ids, or the code of its problem.
    async fn first_html(&self, company: &str, sent: &str) -> Result<Vec<i64>, String> {
        let token = self.world.token(company).await;
        let html = self.world.get(&format!("/share/application/{}?jwt={token}{sent}", self.application), "").await.text;
        let start = html.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
        let end = html[start..].find("</script>").expect("its end") + start;
        let page: Value = serde_json::from_str(&html[start..end]).expect("JSON");
        rows(&page["content"]["content"]["application"]["dashboard"]["tiles"][0]["content"])
    }

    /// The same chart as the open page asks for it.
    async fn tile(&self, company: &str, sent: Option<&str>) -> Result<Vec<i64>, String> {
        let scope = json!({ "application": self.application, "timezone": "UTC", "locale": "en", "dbAuthToken": sent });
        let request = json!({ "scope": scope, "dashboard": self.dashboard, "chart": self.chart, "filters": {} });
        let reply =
            self.world.post("/share/fn/tile-data", &self.world.token(company).await, &json!({ "request": request })).await;
        rows(&reply.json()["content"])
    }

    /// The same chart for a host without a page.
    async fn headless(&self, company: &str, sent: Option<&str>) -> Reply {
        let Self { application, dashboard, chart, .. } = self;
        let path = format!("/v2/api/applications/{application}/dashboards/{dashboard}/charts/{chart}/data");
        self.world.post(&path, &self.world.token(company).await, &json!({ "dbAuthToken": sent })).await
    }

    /// The rows of an answer's chart about the ledger, on the workspace's page at this address.
    async fn answer(&self, company: &str, search: &str) -> Option<Value> {
        let address = json!({ "path": self.workspace, "search": search });
        let body = json!({ "address": address, "thread": null, "message": "ledger by company", "replaces": null });
        let reply = self.world.post("/share/chat", &self.world.token(company).await, &body).await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
        let charts = reply.events().into_iter().filter_map(|event| event.get("chart").cloned());
        charts.map(|chart| chart["chart"]["shown"]["rows"]["data"]["rows"].clone()).find(Value::is_array)
    }
}

/// The ids of a tile's rows, or the code of its problem.
fn rows(content: &Value) -> Result<Vec<i64>, String> {
    match content["ready"]["data"]["rows"].as_array() {
        Some(rows) => Ok(rows.iter().filter_map(|row| row[0].as_i64()).collect()),
        None => Err(content["failed"]["problem"]["code"].as_str().map_or_else(|| content.to_string(), str::to_owned)),
    }
}

async fn a_dashboard_passes_it_on(books: &Books) {
    let refused = || Err("QUERY_FAILED".to_owned());
    assert_eq!(books.first_html(ACME, "&dbAuthToken=acme").await, Ok(vec![1, 2]));
    assert_eq!(books.first_html(GLOBEX, "&dbAuthToken=globex").await, Ok(vec![3]));
    for sent in ["&dbAuthToken=globex", "&dbAuthToken=", ""] {
        assert_eq!(books.first_html(ACME, sent).await, refused(), "{sent:?}");
    }
    assert_eq!(books.tile(ACME, Some("acme")).await, Ok(vec![1, 2]));
    for sent in [Some("globex"), None] {
        assert_eq!(books.tile(ACME, sent).await, refused(), "{sent:?}");
    }
}

async fn the_chart_data_s_body_passes_it_on(books: &Books) {
    assert_eq!(books.headless(ACME, Some("acme")).await.data()["rows"], json!([[1], [2]]));
    for sent in [Some("globex"), None] {
        books.headless(ACME, sent).await.refused(422, "QUERY_FAILED");
    }
}

async fn a_workspace_passes_it_on(books: &Books) {
    assert_eq!(books.answer(ACME, "?dbAuthToken=acme").await, Some(json!([["acme", 2]])));
    for search in ["?dbAuthToken=globex", ""] {
        assert_eq!(books.answer(ACME, search).await, None, "{search:?}");
    }
}

async fn everywhere(kind: StoreKind) {
    let books = Books::on(kind).await;
    a_dashboard_passes_it_on(&books).await;
    the_chart_data_s_body_passes_it_on(&books).await;
    a_workspace_passes_it_on(&books).await;
}

#[tokio::test]
async fn database_auth_tokens_reach_the_database_on_sqlite() {
    everywhere(StoreKind::Sqlite).await;
}

#[tokio::test]
async fn database_auth_tokens_reach_the_database_on_postgres() {
    everywhere(StoreKind::Postgres).await;
}
