//! Filters on charts that ask the semantic model, on both stores: on columns of joined tables, on declared dimensions, on the period
//! that a chart compares.

use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Executor};
use sqlx_sqlite::SqliteConnectOptions;

const DATABASE: &str = "
    create table regions (id integer primary key, name text);
    insert into regions values (1, 'north'), (2, 'south');
    create table customers (id integer primary key, company text, region_id integer, segment text);
    insert into customers values (1, 'acme', 1, 'trade'), (2, 'acme', 2, 'trade'), (3, 'acme', null, 'retail'), (9, 'globex', 1, 'trade');
    create table orders (id integer primary key, company text, customer_id integer, amount integer, day text);
    insert into orders values (1, 'acme', 1, 10, '2024-01-15'), (2, 'acme', 2, 200, '2024-02-10'), (3, 'acme', 3, 40, '2024-02-20'),
        (4, 'acme', null, 5, '2024-03-05'), (5, 'acme', 1, 100, '2024-03-06'), (9, 'globex', 9, 7, '2024-02-01');
    create table returns (id integer primary key, company text, customer_id integer, amount integer, day text);
    insert into returns values (1, 'acme', 1, 4, '2024-03-01'), (2, 'acme', 2, 50, '2024-03-01');";

const PROJECT: &str = r#"
version: 1
project: { name: Shop, allowedOrigins: ["https://host.example"] }
connections: [{ name: shop, kind: sqlite, url: "sqlite:shop.db" }]
tables:
  - { connection: shop, table: regions, rows: all, key: id, columns: { name: {} } }
  - { connection: shop, table: customers, rowRule: "company = {{organization.company}}", key: id,
      columns: { region_id: { references: regions.id }, segment: { label: Segment }, company: { label: Company } }, dimensions: { kind: { sql: "upper(segment)" } } }
  - { connection: shop, table: orders, rowRule: "company = {{organization.company}}", key: id, time: day,
      columns: { customer_id: { references: customers.id } },
      dimensions: { size: { sql: "case when amount >= 50 then 'large' else 'small' end" } },
      measures: { revenue: { aggregate: sum, of: amount } } }
  - { connection: shop, table: returns, rowRule: "company = {{organization.company}}", key: id, time: day,
      columns: { customer_id: { references: customers.id } }, measures: { refunds: { aggregate: sum, of: amount } } }
roles: [{ name: Analyst, permissions: { drillDown: true, addFilter: true } }]
charts:
  - { name: Total, connection: shop, type: number, query: { measures: [revenue] }, encoding: { value: revenue } }
  - { name: By region, connection: shop, type: bar, query: { measures: [revenue], dimensions: [{ name: regions.name, as: region }] },
      encoding: { x: region, y: [revenue] } }
  - { name: Rate, connection: shop, type: number, query: { measures: [return_rate] }, encoding: { value: return_rate } }
  - { name: Beside, connection: shop, type: bar, encoding: { x: day_month, y: [revenue] }, query: { measures: [revenue], compare: previous,
      dimensions: [{ name: orders.day, grain: month }], filters: [{ dimension: time, value: { from: "2024-03-01", to: "2024-04-01" } }] } }
  - { name: By size, connection: shop, type: bar, query: { measures: [revenue], dimensions: [{ name: orders.size }] }, encoding: { x: size, y: [revenue] } }
  - { name: By segment, connection: shop, type: table, query: { measures: [revenue], dimensions: [{ name: customers.segment, as: kind }, { name: orders.size }] },
      encoding: { columns: [kind, size, revenue] } }
  - { name: By weekday, connection: shop, type: bar, query: { measures: [revenue], dimensions: [{ name: orders.day, cycle: weekday, as: weekday }] },
      encoding: { x: weekday, y: [revenue] } }
  - { name: By month, connection: shop, type: line, query: { measures: [revenue], dimensions: [{ name: orders.day, grain: month }] },
      encoding: { x: day_month, y: [revenue] } }
  - { name: Written, connection: shop, type: number, sql: "select sum(amount) as n from orders", encoding: { value: n } }
applications:
  - name: Shop
    dashboards:
      - name: Sales
        filters:
          - { key: region, label: Region, column: shop.regions.name, control: select }
          - { key: kind, label: Kind, column: shop.customers.kind, control: select }
          - { key: size, label: Size, column: shop.orders.size, control: select }
          - { key: day, label: Day, column: shop.orders.day, control: date-range }
        charts:
          - { chart: Total, x: 0, y: 0, w: 4, h: 3 }
          - { chart: By region, x: 4, y: 0, w: 4, h: 3 }
          - { chart: Rate, x: 8, y: 0, w: 4, h: 3 }
          - { chart: Beside, x: 0, y: 3, w: 4, h: 3 }
          - { chart: Written, x: 4, y: 3, w: 4, h: 3 }
          - { chart: By size, x: 8, y: 3, w: 4, h: 3 }
          - { chart: By segment, x: 0, y: 6, w: 4, h: 3 }
          - { chart: By weekday, x: 4, y: 6, w: 4, h: 3 }
          - { chart: By month, x: 8, y: 6, w: 4, h: 3 }
metrics: { return_rate: { ratio: [refunds, revenue] } }
"#;

/// A dashboard over the shop, opened by a viewer.
struct Shop<'w> {
    world: &'w World,
    application: Value,
    dashboard: Value,
    charts: Value,
    token: String,
}

impl<'w> Shop<'w> {
    async fn open(world: &'w World, company: &str) -> Self {
        let file = SqliteConnectOptions::new().filename(world.folder().join("shop.db")).create_if_missing(true);
        let mut database = file.connect().await.expect("the source opens");
        let is_new = database.execute("select 1 from regions").await.is_err();
        if is_new {
            database.execute(DATABASE).await.expect("the source is filled");
        }
        let applied = world.apply(PROJECT).await.unwrap_or_else(|problem| panic!("{problem}"));
        let dashboard = &applied.dashboards["Shop/Sales"];
        let (application, charts) = (json!(applied.applications["Shop"].id), json!(dashboard.charts));
        Self { world, application, dashboard: json!(dashboard.id), charts, token: world.token(company).await }
    }

    fn path(&self, chart: &str) -> String {
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        let (application, dashboard, chart) = (text(&self.application), text(&self.dashboard), text(&self.charts[chart]));
        format!("/v2/api/applications/{application}/dashboards/{dashboard}/charts/{chart}/data")
    }

    async fn rows(&self, chart: &str, filters: Value) -> Value {
        self.world.post(&self.path(chart), &self.token, &json!({ "filters": filters })).await.data()["rows"].clone()
    }

    async fn asked(&self, call: &str, more: Value) -> Value {
        let mut request = json!({ "scope": { "application": self.application, "timezone": "UTC", "locale": "en" }, "dashboard": self.dashboard });
        more.as_object().expect("fields").iter().for_each(|(field, value)| request[field] = value.clone());
        self.world.post(&format!("/share/fn/{call}"), &self.token, &json!({ "request": request })).await.json()
    }
}

on_both_stores! {
    async fn a_filter_on_a_joined_table_leaves_out_the_rows_that_belong_to_others(world) {
        let shop = Shop::open(&world, ACME).await;
        assert_eq!(shop.rows("Total", json!({})).await, json!([[355]]));
        assert_eq!(shop.rows("By region", json!({})).await, json!([["north", 110], ["south", 200], [null, 45]]));
        // The chart names no region, and its numbers are of the region all the same.
        assert_eq!(shop.rows("Total", json!({"filter_region": "south"})).await, json!([[200]]));
        // No row of another region is left under "no region".
        assert_eq!(shop.rows("By region", json!({"filter_region": "north"})).await, json!([["north", 110]]));
        assert_eq!(shop.rows("By region", json!({"f_shop.customers.segment": "trade"})).await, json!([["north", 110], ["south", 200]]));
        assert_eq!(shop.rows("Total", json!({"filter_region": []})).await, json!([[null]]));
        // Two numbers of two tables, both of the region.
        assert_eq!(shop.rows("Rate", json!({"filter_region": "south"})).await, json!([[0.25]]));
    }

    async fn a_filter_that_reaches_half_of_a_chart_s_numbers_does_not_narrow_it(world) {
        let shop = Shop::open(&world, ACME).await;
        let all = shop.rows("Rate", json!({})).await;
        assert_eq!(shop.rows("Rate", json!({"filter_day": {"from": "2024-03-01"}})).await, all, "returns have no day of an order");
        assert_eq!(shop.rows("Rate", json!({"filter_size": "large"})).await, all);
        let tiles = shop.asked("open-dashboard", json!({"filters": {}})).await["content"]["dashboard"]["tiles"].clone();
        let keys = |at: usize| tiles[at]["filterKeys"].clone();
        assert_eq!((keys(0), keys(2)), (json!(["filter_region", "filter_kind", "filter_size", "filter_day"]), json!(["filter_region", "filter_kind"])));
        let written = keys(4);
        assert!(!written.to_string().contains("region") && written.to_string().contains("filter_day"), "{written}: SQL hears of filters on its tables");
    }

    async fn a_declared_dimension_filters_and_offers_its_values(world) {
        let shop = Shop::open(&world, ACME).await;
        assert_eq!(shop.rows("Total", json!({"filter_size": "large"})).await, json!([[300]]));
        assert_eq!(shop.rows("By region", json!({"filter_kind": ["RETAIL", "it's"]})).await, json!([[null, 40]]));
        assert_eq!(shop.rows("Total", json!({"filter_kind": "TRADE", "filter_size": "small", "filter_region": "north"})).await, json!([[10]]));
        assert_eq!(shop.rows("Total", json!({"f_shop.orders.size": "large"})).await, json!([[300]]));
        let many = vec!["enormous"; 2_000];
        let refused = shop.world.post(&shop.path("Total"), &shop.token, &json!({"filters": {"filter_size": many}})).await.refused(400, "VALIDATION_FAILED");
        assert!(refused.to_string().contains("filters.filter_size"), "{refused}");
        let offered = shop.asked("filter-choices", json!({"key": "kind", "search": ""})).await;
        assert_eq!(offered, json!([{"value": "TRADE", "count": 2}, {"value": "RETAIL", "count": 1}]));
        let theirs = Shop::open(&world, GLOBEX).await;
        let offered = theirs.asked("filter-choices", json!({"key": "kind", "search": ""})).await;
        assert_eq!(offered, json!([{"value": "TRADE", "count": 1}]), "the values of the viewer's own rows");
        let refused = shop.asked("refused-filters", json!({"filters": {"f_shop.orders.size": "large", "f_shop.orders.weight": 1}})).await;
        assert_eq!(refused, json!(["f_shop.orders.weight"]));
    }

    async fn a_filter_of_the_time_moves_the_period_that_is_compared(world) {
        let shop = Shop::open(&world, ACME).await;
        assert_eq!(shop.rows("Beside", json!({})).await, json!([["2024-03-01", 105, 240]]));
        let february = json!({"filter_day": {"from": "2024-02-01", "to": "2024-03-01"}});
        assert_eq!(shop.rows("Beside", february).await, json!([["2024-02-01", 240, 10]]));
        // A second filter of the time narrows the rows.
        let both = json!({"f_shop.orders.day": {"from": "2024-02-01", "to": "2024-03-01"}, "filter_day": {"from": "2024-02-01", "to": "2024-02-15"}});
        assert_eq!(shop.rows("Beside", both).await, json!([["2024-02-01", 200, null]]));
        let odd = json!({"filters": {"filter_day": {"from": "2024-02-03", "to": "2024-03-01"}}});
        let refused = shop.world.post(&shop.path("Beside"), &shop.token, &odd).await.refused(422, "QUERY_FAILED");
        assert!(refused["message"].as_str().is_some_and(|told| told.contains("cannot show the chosen period") && told.contains("whole month")), "{refused}");
        assert_eq!(shop.rows("Beside", json!({"filter_region": "south"})).await, json!([["2024-03-01", null, 200]]));
    }

    async fn a_filter_of_the_default_time_reaches_each_number_by_the_time_of_its_own_table(world) {
        let shop = Shop::open(&world, ACME).await;
        let march = json!({"f_shop.time": {"from": "2024-03-01", "to": "2024-04-01"}});
        assert_eq!(shop.rows("Total", march.clone()).await, json!([[105]]));
        assert_eq!(shop.rows("Rate", march.clone()).await, json!([[54.0 / 105.0]]), "returns of March over orders of March");
        assert_eq!(shop.rows("Written", march).await, json!([[355]]), "SQL has no measures");
        let february = json!({"f_shop.time": {"from": "2024-02-01", "to": "2024-03-01"}});
        assert_eq!(shop.rows("Beside", february).await, json!([["2024-02-01", 240, 10]]), "it is the period that is compared");
        let both = json!({"filter_day": {"from": "2024-02-01", "to": "2024-03-01"}, "f_shop.time": {"from": "2024-02-15", "to": "2024-03-01"}});
        assert_eq!(shop.rows("Total", both).await, json!([[40]]), "beside a filter on the column");
        let refused = shop.asked("refused-filters", json!({"filters": {"f_shop.time": {"from": "2024-02-01", "to": null}, "f_else.time": 1}})).await;
        assert_eq!(refused, json!(["f_else.time"]));
        let tiles = shop.asked("open-dashboard", json!({"filters": {"f_shop.time": {"from": "2024-02-01", "to": null}}})).await["content"]["dashboard"]["tiles"].clone();
        let reached: Vec<bool> = (0..5).map(|at| tiles[at]["filterKeys"].to_string().contains("f_shop.time")).collect();
        assert_eq!(reached, [true, true, true, true, false]);
    }

    async fn a_file_filters_by_the_default_time_where_a_table_has_one(world) {
        Shop::open(&world, ACME).await;
        let filter = |control: &str| PROJECT.replace("column: shop.orders.day, control: date-range", &format!("column: shop.time, control: {control}"));
        world.apply(&filter("date-range")).await.expect("applied");
        let told = world.apply(&filter("select")).await.expect_err("refused").to_string();
        assert!(told.contains("filters[3].control: must be date-range: the filter is on the default time"), "{told}");
        let timeless = filter("date-range").replace(" time: day,", "").replace("dimension: time,", "dimension: orders.day,");
        let told = world.apply(&timeless).await.expect_err("refused").to_string();
        assert!(told.contains("filters[3].column: `shop.time` is not a visible column"), "{told}");
    }

    async fn an_editor_is_offered_the_dimensions_that_reach_a_chart(world) {
        let shop = Shop::open(&world, ACME).await;
        let editor = world.sign_in_as(ACME, "eve", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        let scope = json!({ "application": shop.application, "timezone": "UTC", "locale": "en" });
        let target = json!({ "target": { "scope": scope, "dashboard": shop.dashboard } });
        let offered = world.post("/share/fn/offered-tables", &editor, &target).await.json();
        let tables = offered[0]["tables"].as_array().expect("tables");
        let dimensions = |name: &str| tables.iter().find(|table| table["name"] == name).expect("a table")["dimensions"].clone();
        assert_eq!(dimensions("customers"), json!([{ "name": "kind", "label": "kind", "kind": "text" }]));
        assert_eq!(dimensions("orders"), json!([{ "name": "size", "label": "size", "kind": "text" }]));
        assert_eq!(dimensions("regions"), json!(null), "it declares none");
        assert_eq!(offered[0]["time"], json!(true));
    }

    async fn the_rows_behind_a_mark_are_those_of_the_filters(world) {
        let shop = Shop::open(&world, ACME).await;
        let tile = json!({ "scope": { "application": shop.application, "timezone": "UTC", "locale": "en" }, "dashboard": shop.dashboard,
            "chart": shop.charts["Total"], "filters": { "filter_region": "north" } });
        let request = json!({ "request": { "tile": tile, "mark": { "row": 0 } } });
        let signed_in = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let token = signed_in["token"].as_str().expect("a token").to_owned();
        let behind = world.post("/share/fn/drill-down", &token, &request).await.json();
        let amounts: Vec<Value> = behind["data"]["rows"].as_array().into_iter().flatten().map(|row| row[0].clone()).collect();
        assert_eq!(amounts, [json!(1), json!(5)], "{behind}");
    }

    async fn marks_filter_by_what_their_chart_is_grouped_by(world) {
        let shop = Shop::open(&world, ACME).await;
        let scope = json!({ "application": shop.application, "timezone": "UTC", "locale": "en" });
        let mark = async |chart: &str, row: usize| {
            let tile = json!({ "scope": scope, "dashboard": shop.dashboard, "chart": shop.charts[chart], "filters": {} });
            shop.world.post("/share/fn/mark-filters", &shop.token, &json!({ "request": { "tile": tile, "mark": { "row": row } } })).await.json()
        };
        // The dashboard's own filters on a column of a joined table, on a declared dimension and on days.
        assert_eq!(mark("By region", 1).await, json!({"filter_region": "south"}));
        assert_eq!(mark("By size", 0).await, json!({"filter_size": "large"}));
        assert_eq!(mark("Beside", 0).await, json!({"filter_day": {"from": "2024-03-01", "to": "2024-04-01"}}));
        assert_eq!(mark("By segment", 1).await, json!({"f_shop.customers.segment": "trade", "filter_size": "large"}));
        assert_eq!(mark("By region", 2).await, json!({}), "there is no filter on rows without a region");
        assert_eq!(mark("Total", 0).await, json!({}));
        assert_eq!(mark("By weekday", 0).await, json!({}), "the Mondays of all weeks are no period");
        let tiles = shop.asked("open-dashboard", json!({"filters": {"f_shop.customers.company": "acme"}})).await["content"]["dashboard"]["tiles"].clone();
        let tile = |id: &Value| tiles.as_array().expect("tiles").iter().find(|tile| tile["id"] == *id).expect("a tile").clone();
        let narrows = |chart: &str| tile(&shop.charts[chart])["narrows"] == json!(true);
        assert_eq!(["By region", "By size", "By segment", "Total", "By weekday"].map(narrows), [true, true, true, false, false]);
        assert_eq!(tile(&shop.charts["By segment"])["labels"], json!({"f_shop.customers.company": "Company", "f_shop.customers.segment": "Segment",
            "f_shop.orders.size": "size"}));
    }

    async fn a_month_that_a_filter_leaves_out_is_not_drawn_as_one_without_revenue(world) {
        let shop = Shop::open(&world, ACME).await;
        let scope = json!({ "application": shop.application, "timezone": "UTC", "locale": "en" });
        let drawn = async |filters: Value| {
            let tile = json!({ "scope": scope, "dashboard": shop.dashboard, "chart": shop.charts["By month"], "filters": filters });
            shop.world.post("/share/fn/tile-data", &shop.token, &json!({ "request": tile })).await.text
        };
        // North has no order in February.
        let north = drawn(json!({"filter_region": "north"})).await;
        let february = "[1706745600000,0.0]";
        assert!(north.contains(february), "{north}");
        let picked = drawn(json!({"f_shop.orders.day": ["2024-01-15", "2024-03-06"]})).await;
        assert!(picked.contains("[1709251200000,100.0]") && !picked.contains(february), "{picked}");
    }

    async fn a_period_without_rows_is_told_the_days_that_have_some(world) {
        let acme = Shop::open(&world, ACME).await;
        let nearest = async |shop: &Shop, filters: Value| shop.asked("nearest-data", json!({"filters": filters})).await;
        let late = json!({"from": "2024-05-01", "to": "2024-05-11"});
        let told = nearest(&acme, json!({"filter_day": late, "filter_region": "north"})).await;
        assert_eq!(told, json!({"span": "Jan 15, 2024 to Mar 6, 2024", "period": "Feb 26, 2024 – Mar 6, 2024",
            "filters": {"filter_day": {"from": "2024-02-26", "to": "2024-03-07"}, "filter_region": "north"}}));
        for path in ["f_shop.orders.day", "f_shop.time"] {
            assert_eq!(nearest(&acme, json!({ path: late })).await["span"], told["span"], "{path}");
        }
        let early = nearest(&acme, json!({"filter_day": {"from": "2020-01-01", "to": "2020-01-02"}})).await;
        assert_eq!((&early["period"], &early["filters"]["filter_day"]), (&json!("Jan 15, 2024"), &json!({"from": "2024-01-15", "to": "2024-01-16"})));
        // The period has orders, so another filter is the reason.
        assert_eq!(nearest(&acme, json!({"filter_day": {"from": "2024-03-01"}, "filter_region": "west"})).await, Value::Null);
        assert_eq!(nearest(&acme, json!({"filter_region": {"relative": "today"}})).await, Value::Null, "a name is no day");
        assert_eq!(nearest(&acme, json!({"filter_nothing": late})).await, Value::Null);
        assert_eq!(nearest(&acme, json!({"f_shop.orders.nothing": late})).await["code"], json!("QUERY_FAILED"));
        let theirs = Shop::open(&world, GLOBEX).await;
        assert_eq!(nearest(&theirs, json!({"filter_day": late})).await["span"], json!("Feb 1, 2024 to Feb 1, 2024"), "each customer's own days");
    }
}
