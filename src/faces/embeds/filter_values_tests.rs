//! The values of select filters and their names, on both stores: a viewer's own rows, and names of rows that they may see.

use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Executor};
use sqlx_sqlite::SqliteConnectOptions;

/// The order of customer 9 is acme's, and its customer is globex's.
const DATABASE: &str = "
    create table customers (id integer primary key, company text, first text, last text);
    insert into customers values (1, 'acme', 'Ann', 'Ash'), (2, 'acme', 'Bob', 'Birch'), (3, 'acme', null, null), (9, 'globex', 'Eve', 'Elm');
    create table orders (id integer primary key, company text, customer_id integer, region text);
    insert into orders values (1, 'acme', 2, 'north'), (2, 'acme', 2, 'north'), (3, 'acme', 1, 'south'), (4, 'acme', 3, 'south'),
        (5, 'acme', 9, 'south'), (6, 'acme', null, 'south'), (7, 'globex', 9, 'north');
    create table visits (id integer primary key, page text);
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000)
    insert into visits select n, 'page ' || n from numbers;";

const PROJECT: &str = r#"
version: 1
project: { name: Shop, allowedOrigins: ["https://host.example"] }
connections: [{ name: shop, kind: sqlite, url: "sqlite:shop.db" }]
tables:
  - { connection: shop, table: customers, rowRule: "company = {{organization.company}}", key: id, display: name,
      columns: { id: {} }, dimensions: { name: { sql: "first || ' ' || last" } } }
  - { connection: shop, table: orders, rowRule: "company = {{organization.company}}", key: id,
      columns: { customer_id: { references: customers.id }, region: {} }, measures: { orders: { aggregate: count } } }
  - { connection: shop, table: visits, rows: all }
roles: [{ name: Analyst, permissions: { addFilter: true } }]
charts:
  - { name: Orders, connection: shop, type: number, query: { measures: [orders] }, encoding: { value: orders } }
applications:
  - name: Shop
    dashboards:
      - name: Sales
        filters:
          - { key: customer, label: Customer, column: shop.orders.customer_id, control: select }
          - { key: own, label: Own, column: shop.customers.id, control: select }
          - { key: region, label: Region, column: shop.orders.region, control: select }
          - { key: page, label: Page, column: shop.visits.page, control: select }
        charts: [{ chart: Orders, x: 0, y: 0, w: 4, h: 3 }]
"#;

struct Shop<'w> {
    world: &'w World,
    application: Value,
    dashboard: Value,
    token: String,
}

impl<'w> Shop<'w> {
    async fn open(world: &'w World, company: &str) -> Self {
        let file = SqliteConnectOptions::new().filename(world.folder().join("shop.db")).create_if_missing(true);
        let mut database = file.connect().await.expect("the source opens");
        if database.execute("select 1 from customers").await.is_err() {
            database.execute(DATABASE).await.expect("the source is filled");
        }
        let applied = world.apply(PROJECT).await.unwrap_or_else(|problem| panic!("{problem}"));
        let dashboard = json!(applied.dashboards["Shop/Sales"].id);
        Self { world, application: json!(applied.applications["Shop"].id), dashboard, token: world.token(company).await }
    }

    async fn asked(&self, call: &str, more: Value) -> Value {
        let mut request = json!({ "scope": { "application": self.application, "timezone": "UTC", "locale": "en" }, "dashboard": self.dashboard });
        more.as_object().expect("fields").iter().for_each(|(field, value)| request[field] = value.clone());
        self.world.post(&format!("/share/fn/{call}"), &self.token, &json!({ "request": request })).await.json()
    }

    async fn offered(&self, key: &str, search: &str) -> Value {
        self.asked("filter-choices", json!({"key": key, "search": search})).await
    }

    /// The filters of the dashboard as it opens with these values.
    async fn opened(&self, filters: Value) -> Value {
        self.asked("open-dashboard", json!({ "filters": filters })).await["content"]["dashboard"]["filters"].clone()
    }
}

on_both_stores! {
    async fn a_select_offers_the_names_of_the_rows_that_its_viewer_may_see(world) {
        let shop = Shop::open(&world, ACME).await;
        let of_orders = json!([
            {"value": 2, "name": "Bob Birch", "count": 2},
            {"value": 1, "name": "Ann Ash", "count": 1},
            {"value": 3, "count": 1},
            {"value": 9, "count": 1},
        ]);
        assert_eq!(shop.offered("customer", "").await, of_orders, "Eve is another company's");
        let own = json!([{"value": 1, "name": "Ann Ash", "count": 1}, {"value": 2, "name": "Bob Birch", "count": 1}, {"value": 3, "count": 1}]);
        assert_eq!(shop.offered("own", "").await, own);
        let plain = json!([{"value": "south", "count": 4}, {"value": "north", "count": 2}]);
        assert_eq!(shop.offered("region", "").await, plain);
        let theirs = Shop::open(&world, GLOBEX).await;
        assert_eq!(theirs.offered("customer", "").await, json!([{"value": 9, "name": "Eve Elm", "count": 1}]));
    }

    async fn a_select_lists_its_values_where_their_names_cannot_be_read(world) {
        let shop = Shop::open(&world, ACME).await;
        let plain = json!([{"value": 2, "count": 2}, {"value": 1, "count": 1}, {"value": 3, "count": 1}, {"value": 9, "count": 1}]);
        // The rule of the customers reads what this viewer does not have. That of the orders does not.
        let text = PROJECT.replacen("customers, rowRule: \"company = {{organization.company}}\"", "customers, rowRule: \"company = {{user.desk}}\"", 1);
        assert_ne!(text, PROJECT);
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(shop.offered("customer", "").await, plain);
        let filters = shop.opened(json!({"filter_customer": [2]})).await;
        assert_eq!(filters[0].get("names"), None, "{filters}");
    }

    async fn a_search_finds_names_and_values_beyond_the_first_ones(world) {
        let shop = Shop::open(&world, ACME).await;
        assert_eq!(shop.offered("customer", "birch").await, json!([{"value": 2, "name": "Bob Birch", "count": 2}]));
        assert_eq!(shop.offered("customer", "9").await, json!([{"value": 9, "count": 1}]));
        assert_eq!(shop.offered("customer", "elm").await, json!([]));
        assert_eq!(shop.offered("page", "").await.as_array().map(Vec::len), Some(200));
        assert_eq!(shop.offered("page", "page 999").await, json!([{"value": "page 999", "count": 1}]));
    }

    async fn a_dashboard_opens_with_the_names_of_the_chosen_values(world) {
        let shop = Shop::open(&world, ACME).await;
        let filters = shop.opened(json!({"filter_customer": [2, 9, 77], "filter_region": ["north"]})).await;
        assert_eq!((&filters[0]["isNamed"], &filters[0]["names"]), (&json!(true), &json!([[2, "Bob Birch"]])), "{filters}");
        assert_eq!(filters[2].get("isNamed").or(filters[2].get("names")), None, "{filters}");
        let filters = shop.opened(json!({})).await;
        assert_eq!((&filters[0]["isNamed"], filters[0].get("names")), (&json!(true), None));
    }
}
