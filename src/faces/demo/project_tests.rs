//! The demo's project files against the contract's types, and their charts on the demo's data: queried through the query engine with
//! the files' own row rules, and drawn.

mod file;

use super::{
    data::{LoadError, flights, shop},
    host::{BASKET, Product, SKYPORT},
};
use crate::{
    flows::project_file::apply::apply,
    testing::{World, on_both_stores},
};
use chrono::{Days, NaiveDate};
use file::{Chart, Project, Tile};
use inlay_contract::{
    chart::{
        self,
        definition::{ChartDefinition, ChartType},
        number, pivot, table,
    },
    data::ChartData,
    filter::{Control, FilterValue},
    format::NumberStyle,
    ids::ConnectionId,
    permissions::Flag,
};
use inlay_query::{Catalog, Engine, Filter, Limits, Query, SecurityContext, Source, SourceKind};
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, ConnectOptions, Row};
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
};

/// A product with its data.
struct Case {
    product: &'static Product,
    /// The newest day of the data.
    newest: NaiveDate,
    /// The tables of which a customer sees some rows.
    tables: &'static [&'static str],
    /// A column that a dashboard filters by.
    filtered: (&'static str, &'static str),
    /// How many dashboards the application has.
    dashboards: usize,
    /// The most lines of SQL in its charts.
    sql: usize,
}

const FLIGHTS: Case = Case {
    product: &SKYPORT,
    newest: flights::RECORDED_TO,
    tables: &["flights"],
    filtered: ("flights", "destination"),
    dashboards: 2,
    sql: 25,
};

const SHOPS: Case = Case {
    product: &BASKET,
    newest: NaiveDate::from_ymd_opt(2026, 11, 26).unwrap(),
    tables: &["orders", "products", "customers", "visits"],
    filtered: ("products", "category"),
    dashboards: 3,
    sql: 25,
};

const CASES: [&Case; 2] = [&FLIGHTS, &SHOPS];

impl Case {
    fn today(&self) -> NaiveDate {
        self.newest + Days::new(1)
    }

    fn column(&self) -> &'static str {
        self.product.rows.column
    }

    fn folder(&self) -> PathBuf {
        std::env::temp_dir().join("inlay-demo-project")
    }

    async fn database(&self) -> PathBuf {
        let loaded: Result<PathBuf, LoadError> = match self.product.id {
            "skyport" => flights::load(&self.folder(), self.newest).await,
            _ => shop::load(&self.folder(), self.newest).await,
        };
        loaded.unwrap()
    }

    async fn everything(&self) -> SqliteConnection {
        SqliteConnectOptions::new().filename(self.database().await).read_only(true).connect().await.unwrap()
    }
}

/// The demo is to show the model, not SQL.
#[test]
fn most_charts_ask_the_model() {
    for case in CASES {
        let project = Project::of(case);
        let (by_meaning, by_sql): (Vec<_>, Vec<_>) = project.queried().partition(|(chart, _)| chart.query.is_some());
        let lines: usize = by_sql.iter().map(|(_, sql)| sql.trim().lines().count()).sum();
        assert!(by_meaning.len() >= 20 && lines <= case.sql, "{} charts by meaning, {lines} lines of SQL", by_meaning.len());
    }
}

/// Runs queries as the demo's customers do.
struct Door {
    engine: Engine,
    source: Source,
    catalog: Catalog,
    property: &'static str,
    today: NaiveDate,
}

impl Door {
    async fn open(case: &Case) -> Self {
        let url = format!("sqlite:{}", case.database().await.display());
        let project = Project::of(case);
        let source = Source::new(ConnectionId::generate(), &*project.connections[0].name, SourceKind::Sqlite, url);
        let tables = project.tables.into_iter().map(|table| table.in_catalog().as_queried());
        let catalog = Catalog::new(tables.collect());
        Self { engine: Engine::new(Limits::default()), source, catalog, property: case.product.property, today: case.today() }
    }

    async fn ask(&self, customer: &str, sql: &str, filters: Vec<Filter>) -> ChartData {
        let properties = json!({ self.property: customer }).as_object().cloned();
        let viewer = SecurityContext { organization: properties, user: Some(Map::new()), ..SecurityContext::default() };
        let query = Query { filters, ..Query::new(sql, self.today) };
        self.engine
            .run(&self.source, &self.catalog, &viewer, &query)
            .await
            .unwrap_or_else(|problem| panic!("{sql}: {problem:?}"))
    }
}

/// Draws rows as the page does.
fn draw(project: &Project, chart: &Chart, rows: &ChartData) {
    let definition = ChartDefinition {
        title: chart.name.clone(),
        kind: chart.kind,
        sql_override: None,
        encoding: chart.encoding.clone(),
        options: chart.options.clone(),
        cache_seconds: None,
    };
    let theme = project.applications[0].theme.chart();
    let drawn = match chart.kind {
        ChartType::Number => number::view(&definition, rows, "en").map(|_| ()),
        ChartType::Table => table::view(&definition, rows, "en").map(|_| ()),
        ChartType::Pivot => pivot::view(&definition, rows, "en").map(|_| ()),
        _ => chart::option(&definition, rows, &theme, "en").map(|_| ()),
    };
    drawn.unwrap_or_else(|problem| panic!("{}: {problem}", chart.name));
}

#[tokio::test]
async fn every_chart_has_rows_and_is_drawn_for_the_largest_and_the_smallest_customer() {
    for case in CASES {
        let (door, project) = (Door::open(case).await, Project::of(case));
        for customer in [&case.product.customers[0], case.product.customers.last().unwrap()] {
            for (chart, sql) in project.queried() {
                let rows = door.ask(customer.id, sql, Vec::new()).await;
                let found = rows.rows.len();
                assert!(found > 0 && !rows.truncated, "{}: {found} rows for {}", customer.id, chart.name);
                draw(&project, chart, &rows);
            }
        }
    }
}

/// A chart's names are those of its columns: a misspelt label or format would do nothing.
#[tokio::test]
async fn options_name_columns_of_their_charts() {
    for case in CASES {
        let (door, project) = (Door::open(case).await, Project::of(case));
        for (chart, sql) in project.queried() {
            let rows = door.ask(case.product.customers[0].id, sql, Vec::new()).await;
            let columns: HashSet<&str> = rows.columns.iter().map(|column| &*column.name).collect();
            for option in ["labels", "formats", "totals"] {
                for name in chart.options.get(option).and_then(|named| named.as_object()).into_iter().flat_map(Map::keys) {
                    assert!(columns.contains(&**name), "{}: {option} of {name}, but the columns are {columns:?}", chart.name);
                }
            }
        }
    }
}

#[tokio::test]
async fn filters_that_keep_nothing_are_no_error() {
    for case in CASES {
        let (door, project) = (Door::open(case).await, Project::of(case));
        let (table, column) = case.filtered;
        let nowhere =
            || Filter { table: table.into(), column: column.into(), value: FilterValue::from_json(json!("nowhere")).unwrap() };
        for (chart, sql) in project.queried() {
            let rows = door.ask(case.product.customers[0].id, sql, vec![nowhere()]).await;
            // Without rows the page shows a message instead of a chart.
            if !rows.rows.is_empty() {
                draw(&project, chart, &rows);
            }
        }
    }
}

#[tokio::test]
async fn a_customer_sees_its_own_rows_and_no_others() {
    for case in CASES {
        let (door, mut everything, column) = (Door::open(case).await, case.everything().await, case.column());
        for customer in case.product.customers {
            for table in case.tables {
                let counted = format!("SELECT count(*) FROM {table} WHERE {column} = $1");
                let counted = sqlx::query_scalar(AssertSqlSafe(counted)).bind(customer.id);
                let own: i64 = counted.fetch_one(&mut everything).await.unwrap();
                let sql = format!("select {column}, count(*) as found from {table} group by 1");
                let seen = door.ask(customer.id, &sql, Vec::new()).await;
                assert_eq!(seen.rows, [[json!(customer.id), json!(own)]], "{table} of {}", customer.id);
            }
        }
    }
}

/// The demo's database with the rows that the row rule gives a customer.
async fn own_rows(case: &Case, customer: &str) -> SqliteConnection {
    let mut connection = case.everything().await;
    for table in case.tables {
        let column = case.column();
        let view = format!("CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE {column} = '{customer}'");
        sqlx::query(AssertSqlSafe(view)).execute(&mut connection).await.unwrap();
    }
    connection
}

#[tokio::test]
async fn a_chart_has_its_rows_in_the_same_order_each_time() {
    for case in CASES {
        let project = Project::of(case);
        let mut connection = own_rows(case, case.product.customers[2].id).await;
        for (chart, sql) in project.queried() {
            let mut answers = Vec::new();
            // With this setting reversed, SQLite reads unordered parts of a result backwards.
            for reversed in ["OFF", "ON"] {
                let pragma = format!("PRAGMA reverse_unordered_selects = {reversed}");
                sqlx::query(AssertSqlSafe(pragma)).execute(&mut connection).await.unwrap();
                let rows = sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_all(&mut connection).await.unwrap();
                let cells = |row: &SqliteRow| (0..row.len()).map(|at| cell(row, at)).collect::<Vec<_>>();
                answers.push(rows.iter().map(cells).collect::<Vec<_>>());
            }
            assert_eq!(answers[0], answers[1], "{}", chart.name);
        }
    }
}

/// A cell's text. The last digits of a sum depend on the order in which its parts were read.
fn cell(row: &SqliteRow, at: usize) -> Option<String> {
    let number = || row.try_get_unchecked::<Option<f64>, _>(at).unwrap().map(|number| format!("{number:.6}"));
    match row.try_get_unchecked::<Option<String>, _>(at) {
        Ok(text) => text.map(|text| text.parse().map_or(text, |number: f64| format!("{number:.6}"))),
        Err(_) => number(),
    }
}

#[test]
fn dashboards_fill_their_grid_without_holes_or_overlaps() {
    let projects = CASES.map(Project::of);
    for dashboard in projects.iter().flat_map(|project| &project.applications).flat_map(|application| &application.dashboards) {
        let mut cells = BTreeSet::new();
        for Tile { chart, x, y, w, h } in &dashboard.charts {
            for cell in (*x..x + w).flat_map(|column| (*y..y + h).map(move |row| (row, column))) {
                assert!(cell.1 < 12 && cells.insert(cell), "{}: {chart} at {cell:?}", dashboard.name);
            }
        }
        let rows = cells.last().unwrap().0 + 1;
        assert_eq!(cells.len(), usize::from(rows) * 12, "{} has holes", dashboard.name);
    }
}

#[test]
fn applications_show_what_the_demo_promises() {
    for case in CASES {
        let project = Project::of(case);
        let [application] = &project.applications[..] else { panic!("one application") };
        assert!(application.theme.primary.is_some());
        assert_eq!(application.dashboards.len(), case.dashboards);
        for (place, dashboard) in application.dashboards.iter().enumerate() {
            assert_eq!(dashboard.default, place == 0, "{}", dashboard.name);
            let (charts, kinds) = if place == 0 { (8, 6) } else { (5, 4) };
            let shown =
                dashboard.charts.iter().map(|tile| project.charts.iter().find(|chart| chart.name == tile.chart).unwrap());
            let types: Vec<ChartType> = shown.map(|chart| chart.kind).collect();
            assert!(types.len() >= charts);
            assert!(types.iter().collect::<HashSet<_>>().len() >= kinds);
            let controls: Vec<Control> = dashboard.filters.iter().map(|filter| filter.control).collect();
            assert!(controls.contains(&Control::Select) && controls.contains(&Control::DateRange));
        }
    }
    let about = Project::of(&SHOPS).charts.into_iter().find_map(|chart| chart.encoding.markdown).unwrap();
    assert!(about.contains("made up"), "whoever sees the shops reads that they are made up");
}

/// A newcomer took a share for a number: the words say which it is.
#[test]
fn names_say_whether_a_number_is_a_share() {
    for case in CASES {
        let project = Project::of(case);
        let measures = project.tables.iter().flat_map(|table| table.measures.values()).map(|one| (&one.label, &one.format));
        let metrics = project.metrics.values().map(|metric| (&metric.label, &metric.format));
        for (label, format) in measures.chain(metrics) {
            let is_share = format.as_ref().is_some_and(|format| format.style == NumberStyle::Percent);
            let label = label.as_deref().unwrap();
            let says = ["Share", "margin", "Conversion"].iter().any(|word| label.contains(word));
            assert_eq!(says, is_share, "{label}");
        }
    }
}

#[test]
fn filters_stand_on_columns_that_the_file_describes() {
    for case in CASES {
        let project = Project::of(case);
        for filter in project.applications.iter().flat_map(|application| &application.dashboards).flat_map(|one| &one.filters) {
            let [connection, table, column] = filter.column.split('.').collect::<Vec<_>>()[..] else {
                panic!("{}", filter.column)
            };
            assert_eq!(connection, project.connections[0].name);
            let described = project.tables.iter().find(|one| one.table == table).unwrap();
            assert!(described.columns.contains_key(column), "{}", filter.column);
        }
    }
}

#[test]
fn the_analyst_spells_out_every_flag_and_each_user_has_a_role() {
    for case in CASES {
        let project = Project::of(case);
        let role = |name: &str| project.roles.iter().find(|role| role.name == name).unwrap();
        let all: BTreeSet<&str> = Flag::ALL.into_iter().map(Flag::name).collect();
        assert_eq!(role("Analyst").permissions.keys().map(String::as_str).collect::<BTreeSet<_>>(), all);
        assert!(role("Viewer").permissions.is_empty());
        for user in case.product.customers.iter().flat_map(|customer| &customer.users) {
            role(user.role);
        }
    }
}

/// Applies a product's project, and signs the analyst of its first customer in. Returns the path of the chat and the token.
async fn opened(world: &World, case: &Case) -> (String, String) {
    case.database().await;
    let (product, folder) = (case.product, case.folder());
    let applied = apply(&world.target(), product.project.file, &folder, &|_| None).await;
    let applied = applied.unwrap_or_else(|problem| panic!("{problem}"));
    world.app.refresh().await.unwrap();
    assert!(applied.applications.contains_key(product.project.application));
    let customer = &product.customers[0];
    let user = customer.user("analyst").unwrap();
    let body = json!({
        "projectId": applied.project_id,
        "organization": { "externalId": customer.id, "properties": { product.property: customer.id } },
        "user": { "externalId": user.id, "userRoleId": applied.roles[user.role] },
    });
    let token =
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["token"].as_str().unwrap().to_owned();
    (format!("/v2/api/workspaces/{}/chat", applied.workspaces[product.project.workspace]), token)
}

/// The charts of the built-in analyst's answer, as text.
async fn charts(world: &World, (chat, token): &(String, String), question: &str) -> String {
    let events = world.post(chat, token, &json!({ "message": question })).await.events();
    let made = |event: &&Value| event["toolResult"]["toolName"] == "generateChart";
    events.iter().filter(made).map(|event| event["toolResult"]["result"].to_string()).collect()
}

on_both_stores! {
    async fn the_projects_are_applied_and_answer_their_example_questions(world) {
        for case in CASES {
            let chat = opened(&world, case).await;
            for question in Project::of(case).workspaces.into_iter().flat_map(|workspace| workspace.example_questions) {
                assert!(!charts(&world, &chat, &question).await.is_empty(), "{question}");
            }
        }
    }

    async fn the_chat_tells_late_flights_from_their_share(world) {
        let chat = opened(&world, &FLIGHTS).await;
        for (question, share) in [
            ("late flights by month", false),
            ("share of late flights by month", true),
            ("late share by month", true),
        ] {
            let found = charts(&world, &chat, question).await;
            assert!(!found.is_empty() && found.contains("late_share") == share, "{question}: {found}");
        }
    }
}
