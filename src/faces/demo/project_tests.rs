//! The demo's project file against the contract's types, and its charts on the demo's data: queried through the query engine
//! with the file's own row rule, and drawn.

use super::{PROJECT, data, host::AIRPORTS, names};
use crate::concepts::catalog::{CatalogTable, ColumnSettings, modelled};
use chrono::NaiveDate;
use inlay_contract::{
    chart::{
        self,
        definition::{ChartDefinition, ChartType, Encoding},
        number, table,
    },
    data::ChartData,
    filter::{Control, FilterDefinition, FilterValue},
    ids::{ConnectionId, TableId},
    model::{Dimension, Measure, Metric, ModelQuery, TableModel},
    permissions::Flag,
    theme::Theme,
};
use inlay_query::{Catalog, Engine, Filter, Limits, Query, RowAccess, SecurityContext, Source, SourceKind, compile};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sqlx::{AssertSqlSafe, ConnectOptions, Row};
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection, SqliteRow};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::PathBuf,
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Project {
    project: Named,
    tables: Vec<TableSection>,
    metrics: BTreeMap<String, Metric>,
    charts: Vec<Chart>,
    roles: Vec<Role>,
    applications: Vec<Application>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TableSection {
    table: String,
    row_rule: Option<String>,
    columns: BTreeMap<String, ColumnSettings>,
    key: Option<String>,
    time: Option<String>,
    #[serde(default)]
    drill: Vec<String>,
    display: Option<String>,
    #[serde(default)]
    dimensions: BTreeMap<String, Dimension>,
    #[serde(default)]
    measures: BTreeMap<String, Measure>,
}

impl TableSection {
    fn rows(&self) -> RowAccess {
        self.row_rule.clone().map_or(RowAccess::All, RowAccess::Rule)
    }

    fn in_catalog(&self) -> CatalogTable {
        CatalogTable {
            id: TableId::generate(),
            name: self.table.clone(),
            label: None,
            description: None,
            synonyms: Vec::new(),
            rows: self.rows(),
            columns: self.columns.clone(),
            model: TableModel {
                key: self.key.iter().cloned().collect(),
                time: self.time.clone(),
                drill: self.drill.clone(),
                display: self.display.clone(),
                fiscal_year_start: None,
                dimensions: self.dimensions.clone(),
                measures: self.measures.clone(),
            },
        }
    }
}

#[derive(Deserialize)]
struct Role {
    name: String,
    permissions: BTreeMap<String, bool>,
}

#[derive(Deserialize)]
struct Chart {
    name: String,
    #[serde(rename = "type")]
    kind: ChartType,
    sql: Option<String>,
    query: Option<ModelQuery>,
    encoding: Encoding,
    #[serde(default)]
    options: Map<String, Value>,
}

#[derive(Deserialize)]
struct Application {
    name: String,
    theme: Theme,
    dashboards: Vec<Dashboard>,
}

#[derive(Deserialize)]
struct Dashboard {
    name: String,
    #[serde(default)]
    default: bool,
    filters: Vec<FilterDefinition>,
    charts: Vec<Tile>,
}

#[derive(Deserialize)]
struct Tile {
    chart: String,
    x: u16,
    y: u16,
    w: u16,
    h: u16,
}

/// The file, with the SQL of the charts that ask its model.
fn project() -> Project {
    let mut project: Project = serde_saphyr::from_str(PROJECT).unwrap();
    let tables: Vec<CatalogTable> = project.tables.iter().map(TableSection::in_catalog).collect();
    let model = modelled(&tables, &project.metrics);
    for chart in &mut project.charts {
        let Some(query) = &chart.query else { continue };
        let query = ModelQuery { limit: query.limit.or(Some(50_000)), ..query.clone() };
        let compiled = compile(SourceKind::Sqlite, &model, &query, TODAY);
        chart.sql = Some(compiled.unwrap_or_else(|problem| panic!("{}: {problem}", chart.name)).sql);
    }
    project
}

const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2001, 7, 1).unwrap();

/// The demo is to show the model, not SQL.
#[test]
fn most_charts_ask_the_model() {
    let charts = project().charts;
    let (by_meaning, by_sql): (Vec<&Chart>, Vec<&Chart>) =
        charts.iter().filter(|chart| chart.sql.is_some()).partition(|chart| chart.query.is_some());
    let lines: usize = by_sql.iter().flat_map(|chart| &chart.sql).map(|sql| sql.trim().lines().count()).sum();
    assert!(by_meaning.len() >= 20 && lines <= 25, "{} charts by meaning, {lines} lines of SQL", by_meaning.len());
}

async fn database() -> PathBuf {
    data::load(&std::env::temp_dir().join("inlay-demo-project"), data::RECORDED_TO).await.unwrap()
}

/// Runs queries as the demo's customers do.
struct Door {
    engine: Engine,
    source: Source,
    catalog: Catalog,
}

impl Door {
    async fn open() -> Self {
        let url = format!("sqlite:{}", database().await.display());
        let source = Source::new(ConnectionId::generate(), "warehouse", SourceKind::Sqlite, url);
        let tables = project().tables.into_iter().map(|table| table.in_catalog().as_queried());
        Self { engine: Engine::new(Limits::default()), source, catalog: Catalog::new(tables.collect()) }
    }

    async fn ask(&self, airport: &str, sql: &str, filters: Vec<Filter>) -> ChartData {
        let properties = json!({ "airport": airport }).as_object().cloned();
        let viewer = SecurityContext { organization: properties, user: Some(Map::new()), ..SecurityContext::default() };
        let query = Query { filters, ..Query::new(sql, TODAY) };
        self.engine
            .run(&self.source, &self.catalog, &viewer, &query)
            .await
            .unwrap_or_else(|problem| panic!("{sql}: {problem:?}"))
    }
}

/// Draws rows as the page does.
fn draw(chart: &Chart, rows: &ChartData) {
    let definition = ChartDefinition {
        title: chart.name.clone(),
        kind: chart.kind,
        sql_override: None,
        encoding: chart.encoding.clone(),
        options: chart.options.clone(),
        cache_seconds: None,
    };
    let theme = project().applications[0].theme.chart();
    let drawn = match chart.kind {
        ChartType::Number => number::view(&definition, rows, "en").map(|_| ()),
        ChartType::Table => table::view(&definition, rows, "en").map(|_| ()),
        _ => chart::option(&definition, rows, &theme, "en").map(|_| ()),
    };
    drawn.unwrap_or_else(|problem| panic!("{}: {problem}", chart.name));
}

#[tokio::test]
async fn every_chart_has_rows_and_is_drawn_for_a_large_and_the_smallest_airport() {
    let door = Door::open().await;
    for airport in ["ATL", AIRPORTS.last().unwrap().code] {
        for chart in project().charts {
            let Some(sql) = &chart.sql else { continue };
            let rows = door.ask(airport, sql, Vec::new()).await;
            assert!(!rows.rows.is_empty() && !rows.truncated, "{airport}: {} rows for {}", rows.rows.len(), chart.name);
            draw(&chart, &rows);
        }
    }
}

#[tokio::test]
async fn filters_that_keep_nothing_are_no_error() {
    let door = Door::open().await;
    let nowhere = || Filter {
        table: "flights".into(),
        column: "destination".into(),
        value: FilterValue::from_json(json!("nowhere")).unwrap(),
    };
    for chart in project().charts {
        let Some(sql) = &chart.sql else { continue };
        let rows = door.ask("ATL", sql, vec![nowhere()]).await;
        // Without rows the page shows a message instead of a chart.
        if !rows.rows.is_empty() {
            draw(&chart, &rows);
        }
    }
}

#[tokio::test]
async fn an_airport_sees_its_own_departures_and_no_others() {
    let door = Door::open().await;
    let mut everything = SqliteConnectOptions::new().filename(database().await).read_only(true).connect().await.unwrap();
    for airport in &AIRPORTS {
        let own: i64 = sqlx::query_scalar("SELECT count(*) FROM flights WHERE origin = $1")
            .bind(airport.code)
            .fetch_one(&mut everything)
            .await
            .unwrap();
        let seen = door.ask(airport.code, "select origin, count(*) as flights from flights group by 1", Vec::new()).await;
        assert_eq!(seen.rows, [[json!(airport.code), json!(own)]], "{}", airport.code);
    }
}

/// The demo's database with the rows that the row rule gives an airport.
async fn departures(airport: &str) -> SqliteConnection {
    let mut connection = SqliteConnectOptions::new().filename(database().await).read_only(true).connect().await.unwrap();
    let view = format!("CREATE TEMP VIEW flights AS SELECT * FROM main.flights WHERE origin = '{airport}'");
    sqlx::query(AssertSqlSafe(view)).execute(&mut connection).await.unwrap();
    connection
}

#[tokio::test]
async fn a_chart_has_its_rows_in_the_same_order_each_time() {
    let mut connection = departures("LAX").await;
    for chart in project().charts {
        let Some(sql) = chart.sql else { continue };
        let mut answers = Vec::new();
        // With this setting reversed, SQLite reads unordered parts of a result backwards.
        for reversed in ["OFF", "ON"] {
            let pragma = format!("PRAGMA reverse_unordered_selects = {reversed}");
            sqlx::query(AssertSqlSafe(pragma)).execute(&mut connection).await.unwrap();
            let rows = sqlx::query(AssertSqlSafe(sql.clone())).fetch_all(&mut connection).await.unwrap();
            answers.push(rows.iter().map(|row| (0..row.len()).map(|at| cell(row, at)).collect::<Vec<_>>()).collect::<Vec<_>>());
        }
        assert_eq!(answers[0], answers[1], "{}", chart.name);
    }
}

fn cell(row: &SqliteRow, at: usize) -> Option<String> {
    let number = || row.try_get_unchecked::<Option<f64>, _>(at).unwrap().map(|number| number.to_string());
    row.try_get_unchecked::<Option<String>, _>(at).unwrap_or_else(|_| number())
}

#[test]
fn dashboards_fill_their_grid_without_holes_or_overlaps() {
    for dashboard in project().applications.into_iter().flat_map(|application| application.dashboards) {
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
fn the_application_shows_what_the_demo_promises() {
    let project = project();
    assert_eq!(project.project.name, names::PROJECT);
    let [application] = &project.applications[..] else { panic!("one application") };
    assert_eq!(application.name, names::APPLICATION);
    assert!(application.theme.primary.is_some());
    let [overview, second] = &application.dashboards[..] else { panic!("two dashboards") };
    assert!(overview.default && !second.default);
    for (dashboard, charts, kinds) in [(overview, 8, 6), (second, 5, 4)] {
        let shown = dashboard.charts.iter().map(|tile| project.charts.iter().find(|chart| chart.name == tile.chart).unwrap());
        let types: Vec<ChartType> = shown.map(|chart| chart.kind).collect();
        assert!(types.len() >= charts);
        assert!(types.iter().collect::<HashSet<_>>().len() >= kinds);
        let controls: Vec<Control> = dashboard.filters.iter().map(|filter| filter.control).collect();
        assert!(controls.contains(&Control::Select) && controls.contains(&Control::DateRange));
    }
}

#[test]
fn filters_stand_on_columns_that_the_file_describes() {
    let project = project();
    for filter in project.applications.iter().flat_map(|application| &application.dashboards).flat_map(|one| &one.filters) {
        let [connection, table, column] = filter.column.split('.').collect::<Vec<_>>()[..] else { panic!("{}", filter.column) };
        assert_eq!(connection, "warehouse");
        let described = project.tables.iter().find(|one| one.table == table).unwrap();
        assert!(described.columns.contains_key(column), "{}", filter.column);
    }
}

#[test]
fn the_analyst_spells_out_every_flag_and_each_user_has_a_role() {
    let project = project();
    let analyst = project.roles.iter().find(|role| role.name == names::ANALYST).unwrap();
    let all: BTreeSet<&str> = Flag::ALL.into_iter().map(Flag::name).collect();
    assert_eq!(analyst.permissions.keys().map(String::as_str).collect::<BTreeSet<_>>(), all);
    let roles: BTreeSet<&str> = project.roles.iter().map(|role| role.name.as_str()).collect();
    for user in AIRPORTS.iter().flat_map(|airport| &airport.users) {
        assert!(roles.contains(user.role), "{}", user.role);
    }
    let viewer = project.roles.iter().find(|role| role.name == names::VIEWER).unwrap();
    assert!(viewer.permissions.is_empty());
}
