//! The demo's project file against the contract's types and against the demo's data.

use super::{PROJECT, data, host::AIRPORTS, names};
use inlay_contract::{
    chart::definition::{ChartType, Encoding, Names},
    filter::FilterDefinition,
    permissions::Flag,
    theme::Theme,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use sqlx::{AssertSqlSafe, Column, ConnectOptions, Row, SqliteConnection, sqlite::SqliteConnectOptions};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Deserialize)]
struct Project {
    project: Named,
    charts: Vec<Chart>,
    roles: Vec<Role>,
    applications: Vec<Application>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
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
    encoding: Encoding,
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

fn project() -> Project {
    serde_saphyr::from_str(PROJECT).unwrap()
}

/// The names of columns that an encoding reads.
fn columns(encoding: &Encoding) -> BTreeSet<String> {
    let Value::Object(parts) = serde_json::to_value(encoding).unwrap() else { unreachable!() };
    let parts: Map<String, Value> = parts.into_iter().filter(|(part, _)| part != "markdown" && part != "bins").collect();
    parts
        .into_values()
        .flat_map(|names| match serde_json::from_value(names).unwrap() {
            Names::One(name) => vec![name],
            Names::Many(names) => names,
        })
        .collect()
}

/// The demo's database as the row rule shows it to an airport.
async fn open(airport: &str) -> SqliteConnection {
    let folder = std::env::temp_dir().join("inlay-demo-project");
    let path = data::load(&folder).await.unwrap();
    let mut connection = SqliteConnectOptions::new().filename(path).read_only(true).connect().await.unwrap();
    let view = format!("CREATE TEMP VIEW flights AS SELECT * FROM main.flights WHERE origin = '{airport}'");
    sqlx::query(AssertSqlSafe(view)).execute(&mut connection).await.unwrap();
    connection
}

#[tokio::test]
async fn every_chart_has_rows_and_its_columns_for_a_large_and_the_smallest_airport() {
    for airport in ["ATL", AIRPORTS.last().unwrap().code] {
        let mut connection = open(airport).await;
        for chart in project().charts {
            let Some(sql) = chart.sql else { continue };
            let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&mut connection).await.unwrap();
            let first = rows.first().unwrap_or_else(|| panic!("{airport}: no rows for {}", chart.name));
            let got: BTreeSet<String> = first.columns().iter().map(|column| column.name().to_owned()).collect();
            assert!(columns(&chart.encoding).is_subset(&got), "{}: {got:?}", chart.name);
            assert!(rows.len() < 20_000, "{}: {} rows for {airport}", chart.name, rows.len());
        }
    }
}

#[tokio::test]
async fn a_chart_has_the_same_rows_in_the_same_order_each_time() {
    let mut connection = open("LAX").await;
    for chart in project().charts {
        let Some(sql) = chart.sql else { continue };
        let mut answers = Vec::new();
        // Reversed, SQLite walks unordered parts of a result the other way round.
        for reversed in ["OFF", "ON"] {
            let pragma = format!("PRAGMA reverse_unordered_selects = {reversed}");
            sqlx::query(AssertSqlSafe(pragma)).execute(&mut connection).await.unwrap();
            let rows = sqlx::query(AssertSqlSafe(sql.clone())).fetch_all(&mut connection).await.unwrap();
            let text =
                |row: sqlx::sqlite::SqliteRow| (0..row.len()).map(|at| format!("{:?}", value(&row, at))).collect::<Vec<_>>();
            answers.push(rows.into_iter().map(text).collect::<Vec<_>>());
        }
        assert_eq!(answers[0], answers[1], "{}", chart.name);
    }
}

fn value(row: &sqlx::sqlite::SqliteRow, at: usize) -> Option<String> {
    let text = row.try_get_unchecked::<Option<String>, _>(at);
    text.unwrap_or_else(|_| row.try_get_unchecked::<Option<f64>, _>(at).unwrap().map(|number| number.to_string()))
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
        assert!(types.iter().collect::<std::collections::HashSet<_>>().len() >= kinds);
        assert!(dashboard.filters.len() >= 2);
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
