//! The customers' database of the tests: orders of two companies, and tables with every kind of access.

use sqlx::{ConnectOptions, Executor};
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use std::path::{Path, PathBuf};

/// The company of most tests' viewer.
pub(crate) const ACME: &str = "acme";
/// The other company.
pub(crate) const GLOBEX: &str = "globex";

/// The ids of a company's orders.
pub(crate) fn ids_of(company: &str) -> Vec<i64> {
    match company {
        ACME => vec![1, 2, 3],
        GLOBEX => vec![11, 12],
        _ => Vec::new(),
    }
}

const SQL: &str = "
    create table orders (id integer primary key, company text, region text, amount real, day text);
    insert into orders values (1, 'acme', 'north', 10.5, '2024-01-15'), (2, 'acme', 'south', 20, '2024-02-29'),
        (3, 'acme', null, null, '2024-03-01'), (11, 'globex', 'north', 70, '2024-01-15'), (12, 'globex', 'south', 80, '2024-12-31');
    create table rates (name text, rate real);
    insert into rates values ('EUR', 1.0), ('GBP', 1.2);
    create table notes (id integer, note text);
    insert into notes values (1, 'nobody may read this');";

/// Creates the database in a folder. Returns its path.
pub(super) async fn write(folder: &Path) -> PathBuf {
    let path = folder.join("warehouse.db");
    let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let mut connection: SqliteConnection = options.connect().await.expect("the source opens");
    connection.execute(SQL).await.expect("the source is filled");
    path
}

/// Changes it.
pub(super) async fn change(folder: &Path, sql: &'static str) {
    let options = SqliteConnectOptions::new().filename(folder.join("warehouse.db"));
    let mut connection: SqliteConnection = options.connect().await.expect("the source opens");
    connection.execute(sql).await.expect("the source is changed");
}

/// The project file for it.
pub(super) const PROJECT: &str = r##"
version: 1
project: { name: Shop, allowedOrigins: ["https://host.example"] }
connections:
  - { name: warehouse, kind: sqlite, url: "sqlite:warehouse.db" }
tables:
  - { key: id, time: day, dimensions: { place: { sql: "coalesce(region, 'nowhere')", label: Place } }, measures: { revenue: { aggregate: sum, of: amount, label: Revenue, format: { style: currency, currency: EUR } }, order_count: { aggregate: count } }, connection: warehouse, table: orders, rowRule: "company = {{organization.company}}" }
  - { columns: { name: { label: Currency } }, measures: { mean_rate: { aggregate: average, of: rate } }, connection: warehouse, table: rates, rows: all }
  - { connection: warehouse, table: notes }
roles:
  - { name: Analyst, permissions: { addChart: true, addFilter: true, createChart: true, createChartSQL: false, editCharts: true,
      removeChart: true, addDashboard: true, canDuplicateDashboard: true, drillDown: true } }
charts:
  - { name: Orders, connection: warehouse, type: bar, sql: "select id, region, amount, day from orders order by id",
      encoding: { x: id, y: [amount] } }
  - { name: Count, connection: warehouse, type: number, sql: "select count(*) as n from orders", encoding: { value: n } }
  - { name: Rates, connection: warehouse, type: line, sql: "select name, rate from rates order by name",
      encoding: { x: name, y: [rate] } }
  - { name: Notes, connection: warehouse, type: table, sql: "select note from notes" }
workspaces:
  - { name: Ask, connection: warehouse, publish: true, exampleQuestions: ["How many orders?"] }
applications:
  - name: Orders
    workspace: Ask
    theme: { primary: "#0b5fff" }
    dashboards:
      - name: Overview
        default: true
        filters:
          - { key: region, label: Region, column: warehouse.orders.region, control: select }
          - { key: period, label: Period, column: warehouse.orders.day, control: date-range }
        charts:
          - { chart: Orders, x: 0, y: 0, w: 8, h: 6 }
          - { chart: Count, x: 8, y: 0, w: 4, h: 3 }
          - { chart: Rates, x: 8, y: 3, w: 4, h: 3 }
          - { chart: Notes, x: 0, y: 6, w: 12, h: 4 }
      - name: More
        charts:
          - { chart: Count, x: 0, y: 0, w: 12, h: 4 }
  - name: Office
    dashboards:
      - { name: Desk, charts: [{ chart: Rates, x: 0, y: 0, w: 6, h: 4 }] }
metrics: { mean_order: { ratio: [revenue, order_count], label: Revenue of an order } }
"##;
