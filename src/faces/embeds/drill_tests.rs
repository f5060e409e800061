//! Following marks through the page's server functions, on both stores: permissions, rows, filters.

use crate::testing::{ACME, GLOBEX, Reply, World, on_both_stores};
use serde_json::{Value, json};

/// A user of a company whose role has `drillDown`.
async fn driller(world: &World, company: &str) -> String {
    world.sign_in_as(company, "driller", Some("Analyst")).await["token"].as_str().expect("a token").to_owned()
}

/// Drills into a chart of the Overview.
async fn drill(world: &World, token: &str, chart: &str, mark: Value, by: Value) -> Reply {
    drill_by(world, token, chart, json!({"mark": mark, "by": by})).await
}

/// Drills into a chart of the Overview, by a column or in an order.
async fn drill_by(world: &World, token: &str, chart: &str, asked: Value) -> Reply {
    let dashboard = &world.applied.dashboards["Orders/Overview"];
    follow(world, "drill-down", token, (dashboard.id.to_string(), dashboard.charts[chart].to_string()), asked).await
}

fn scope(world: &World) -> Value {
    json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" })
}

/// Follows a mark of a chart on a dashboard.
async fn follow(world: &World, how: &str, token: &str, (dashboard, chart): (String, String), mut asked: Value) -> Reply {
    asked["tile"] = json!({ "scope": scope(world), "dashboard": dashboard, "chart": chart, "filters": {} });
    world.post(&format!("/share/fn/{how}"), token, &json!({ "request": asked })).await
}

/// Charts with queries of more than one step, and charts that group by computed values.
const DEEP: [Drawn; 11] = [
    (
        "With",
        "with mine as (select * from orders where amount > 1) select region, count(*) as n from mine group by region",
        "region",
    ),
    ("Derived", "select s.region, sum(s.amount) as n from (select region, amount from orders) s group by s.region", "region"),
    ("Twice", "select region, count(*) as n from orders where amount >= (select min(amount) from orders) group by 1", "region"),
    ("Having", "select region, count(*) as n from orders group by region having count(*) > 0", "region"),
    ("Distinct", "select distinct region from orders", "region"),
    (
        "Monthly",
        "with m as (select strftime('%Y-%m-01', day) as month, amount from orders) select month, sum(amount) as n from m group by 1",
        "month",
    ),
    ("Loud", "with l as (select upper(region) as region from orders) select region, count(*) as n from l group by 1", "region"),
    ("Sized", "select case when amount > 15 then 'big' else 'small' end as size, count(*) as n from orders group by 1", "size"),
    ("Hidden", "select upper(region) as loud, count(*) as n from orders group by region", "loud"),
    (
        "Mixed",
        "select case when amount is null then 'none' else 'some' end as kind, count(*) as n from orders group by amount order by amount",
        "kind",
    ),
    (
        "Running",
        "with days as (select date(day) as d, count(*) as n from orders group by 1) select d, n, sum(n) over (order by d) as total from days",
        "d",
    ),
];

/// Creates a dashboard with these charts. Returns its id and theirs.
async fn deep(world: &World) -> Made {
    let chart = |(name, sql, x): &Drawn| {
        format!("  - {{ name: {name}, connection: warehouse, type: bar, sql: \"{sql}\", encoding: {{ x: {x}, y: [n] }} }}\n")
    };
    dashboard_of(world, World::project_file(), &DEEP, chart).await
}

/// A chart of these tests: its name, its query and the column of its marks.
type Drawn = (&'static str, &'static str, &'static str);
/// A dashboard's id, and the ids of its charts by name.
type Made = (String, std::collections::BTreeMap<String, String>);

/// Creates a dashboard with these charts, as `written` puts each into the file.
async fn dashboard_of(world: &World, file: &str, drawn: &[Drawn], written: impl Fn(&Drawn) -> String) -> Made {
    let charts: String = drawn.iter().map(written).collect();
    let places: String =
        drawn.iter().map(|(name, ..)| format!("          - {{ chart: {name}, x: 0, y: 0, w: 6, h: 4 }}\n")).collect();
    let text = file
        .replace("workspaces:\n", &format!("{charts}workspaces:\n"))
        .replace("      - name: More\n", &format!("      - name: Drilled\n        charts:\n{places}      - name: More\n"));
    let applied = world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
    let dashboard = &applied.dashboards["Orders/Drilled"];
    let charts = dashboard.charts.iter().map(|(name, id)| (name.clone(), id.to_string()));
    (dashboard.id.to_string(), charts.collect())
}

/// Charts that ask the semantic model.
const MEANT: [Drawn; 6] = [
    ("Regions", "{ measures: [revenue, mean_order], dimensions: [{ name: orders.region }] }", "region"),
    ("Places", "{ measures: [order_count], dimensions: [{ name: orders.place }] }", "place"),
    (
        "Months",
        "{ measures: [revenue], dimensions: [{ name: orders.day, grain: month }], filters: [{ dimension: orders.amount, value: { from: 15 } }] }",
        "day_month",
    ),
    ("All", "{ measures: [order_count] }", ""),
    ("Weekdays", "{ measures: [revenue], dimensions: [{ name: orders.day, cycle: weekday }] }", "day_weekday"),
    (
        "Newest",
        "{ measures: [revenue, part], metrics: { part: { share: { of: revenue } } }, dimensions: [{ name: orders.region }], \
          filters: [{ dimension: time, value: { relative: today }, newest: true }] }",
        "region",
    ),
];

/// Creates a dashboard with these charts. Returns its id and theirs.
async fn meant(world: &World) -> Made {
    let chart = |(name, query, x): &Drawn| {
        let (kind, encoding) =
            if x.is_empty() { ("number", "value: order_count".to_owned()) } else { ("bar", format!("x: {x}, y: [revenue]")) };
        format!("  - {{ name: {name}, connection: warehouse, type: {kind}, query: {query}, encoding: {{ {encoding} }} }}\n")
    };
    let described = World::project_file().replace(
        "connection: warehouse, table: orders, ",
        "columns: { region: {}, amount: {} }, drill: [id, amount, region], connection: warehouse, table: orders, ",
    );
    dashboard_of(world, &described, &MEANT, chart).await
}

/// 1,500 more orders of ACME, with amounts from 101 to 1,600.
const MANY_ORDERS: &str =
    "insert into orders with recursive numbers(n) as (select 1000 union all select n + 1 from numbers where n < 2499)
    select n, 'acme', 'north', n - 899, '2024-01-16' from numbers";

/// Number charts, each with the ids of the rows behind its number for ACME. Empty where they cannot be listed.
const NUMBERS: [Drawn; 7] = [
    ("Written", "sql: \"select count(*) as n from orders where amount > 15\", encoding: { value: n }", "2"),
    ("Counted", "query: { measures: [order_count] }, encoding: { value: order_count }", "1 2 3"),
    (
        "Newest",
        "query: { measures: [order_count], dimensions: [{ name: orders.day, grain: month, as: month }] }, encoding: { value: order_count, x: month }",
        "3",
    ),
    (
        "Compared",
        "query: { measures: [order_count], filters: [{ dimension: time, value: { from: \"2024-02-01\", to: \"2024-03-01\" } }], compare: previous }, \
         encoding: { value: order_count, compare: order_count_previous }",
        "2",
    ),
    (
        "Whole",
        "query: { measures: [order_count, whole], metrics: { whole: { total: { of: order_count } } }, \
         dimensions: [{ name: orders.day, grain: month, as: month }] }, encoding: { value: whole, x: month, y: [order_count] }",
        "1 2 3",
    ),
    (
        "Beside",
        "sql: \"select date(day) as d, count(*) as n, max(id) as last from orders group by 1\", encoding: { value: last, x: d, y: [n] }",
        "",
    ),
    (
        "Both",
        "sql: \"select count(case when amount > 15 then 1 end) as n, count(case when amount < 15 then 1 end) as b from orders\", \
         encoding: { value: n, compare: b }",
        "",
    ),
];

/// The ids of the returned rows.
fn ids(reply: &Reply) -> Vec<i64> {
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    let mut ids: Vec<i64> =
        reply.json()["data"]["rows"].as_array().expect("rows").iter().filter_map(|row| row[0].as_i64()).collect();
    ids.sort_unstable();
    ids
}

on_both_stores! {
    async fn the_rows_behind_a_number_are_the_viewer_s_own(world) {
        for (company, own) in [(ACME, vec![1, 2, 3]), (GLOBEX, vec![11, 12])] {
            let token = driller(&world, company).await;
            assert_eq!(ids(&drill(&world, &token, "Count", json!({}), Value::Null).await), own);
        }
    }

    async fn a_chart_that_asks_the_model_leads_to_the_rows_behind_its_marks(world) {
        let (dashboard, charts) = meant(&world).await;
        let (acme, globex) = (driller(&world, ACME).await, driller(&world, GLOBEX).await);
        let ask = async |how: &str, token: &str, chart: &str, asked: Value| {
            follow(&world, how, token, (dashboard.clone(), charts[chart].clone()), asked).await
        };
        for (token, chart, mark, own) in [
            (&acme, "Regions", json!({"name": "south"}), vec![2]),
            (&globex, "Regions", json!({"name": "south"}), vec![12]),
            (&acme, "Places", json!({"name": "nowhere"}), vec![3]),
            (&globex, "Months", json!({"row": 1}), vec![12]),
            (&acme, "Months", json!({"row": 0}), vec![2]),
            (&acme, "All", json!({}), vec![1, 2, 3]),
            (&acme, "Weekdays", json!({"name": "Thu"}), vec![2]),
            (&globex, "Weekdays", json!({"name": "Mon"}), vec![11]),
            (&acme, "Newest", json!({"row": 0}), vec![3]),
            (&globex, "Newest", json!({"row": 0}), vec![12]),
        ] {
            assert_eq!(ids(&ask("drill-down", token, chart, json!({"mark": mark, "by": null})).await), own, "{chart} {mark}");
        }
        let listed = ask("drill-down", &acme, "All", json!({"mark": {}, "by": null})).await.json();
        let names: Vec<&Value> = listed["data"]["columns"].as_array().expect("columns").iter().map(|column| &column["name"]).collect();
        assert_eq!(names, ["id", "amount", "region"], "as the table's `drill` says: {listed}");
        let offered: Vec<&Value> = listed["columns"].as_array().expect("columns").iter().map(|column| &column[0]).collect();
        assert!(offered.contains(&&json!("day")), "a breakdown may be by any: {listed}");
        let by = ask("drill-down", &globex, "Regions", json!({"mark": {"name": "north"}, "by": "day"})).await.json();
        let names: Vec<&Value> = by["data"]["columns"].as_array().expect("columns").iter().map(|column| &column["name"]).collect();
        assert_eq!(names, ["day", "revenue", "mean_order"], "{by}");
        assert_eq!(by["labels"], json!(["day", "Revenue", "Revenue of an order"]), "{by}");
        assert_eq!(by["data"]["rows"], json!([["2024-01-15", 70.0, 70.0]]), "{by}");
        let narrowed = ask("mark-filters", &acme, "Regions", json!({"mark": {"name": "south"}})).await.json();
        assert_eq!(narrowed, json!({"f_warehouse.orders.region": "south"}));
        let narrowed = ask("mark-filters", &acme, "Places", json!({"mark": {"name": "south"}})).await.json();
        assert_eq!(narrowed, json!({"f_warehouse.orders.place": "south"}), "a declared dimension");
    }

    async fn a_mark_keeps_its_own_rows_and_names_what_it_stands_for(world) {
        let token = driller(&world, ACME).await;
        let reply = drill(&world, &token, "Orders", json!({"row": 1}), Value::Null).await;
        assert_eq!(ids(&reply), [2]);
        assert_eq!(reply.json()["filters"]["filter_region"], "south", "the dashboard's own filter: {}", reply.text);
        assert_eq!(reply.json()["filters"]["f_warehouse.orders.id"], 2, "{}", reply.text);
        let by = drill(&world, &token, "Count", json!({}), json!("region")).await.json();
        assert_eq!(by["data"]["columns"][1]["name"], "n", "the chart's own number: {by}");
        assert_eq!(by["data"]["rows"].as_array().map(Vec::len), Some(3));
        let unknown = drill(&world, &token, "Count", json!({}), json!("x\" from orders --")).await;
        assert_eq!(ids(&unknown), [1, 2, 3], "a column that is not on offer is no column");
    }

    async fn a_list_that_is_cut_is_sorted_and_counted_by_the_server(world) {
        world.change_source(MANY_ORDERS).await;
        let token = driller(&world, ACME).await;
        let ask = async |asked: Value| {
            let reply = drill_by(&world, &token, "Count", asked).await;
            assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
            reply.json()
        };
        let unsorted = ask(json!({"mark": {}})).await;
        assert_eq!((&unsorted["count"], &unsorted["more"]), (&json!("1,000 of 1,503 rows"), &json!(true)), "{unsorted}");
        let at = |reply: &Value, name: &str| {
            reply["data"]["columns"].as_array().and_then(|all| all.iter().position(|column| column["name"] == name)).expect("a column")
        };
        let first = |reply: &Value, name: &str| reply["data"]["rows"][0][at(reply, name)].clone();
        let order = |by: &str, descending: bool| json!({"mark": {}, "order": {"by": by, "descending": descending}});
        let most = ask(order("amount", true)).await;
        assert_eq!((first(&most, "amount").as_f64(), &most["count"]), (Some(1_600.0), &json!("1,000 of 1,503 rows, sorted by amount, descending")));
        let least = ask(order("amount", false)).await;
        assert_eq!((first(&least, "amount").as_f64(), &least["count"]), (Some(10.5), &json!("1,000 of 1,503 rows, sorted by amount, ascending")));
        for other in ["company\" desc --", "no_such_column"] {
            assert_eq!(ask(order(other, true)).await["count"], "1,000 of 1,503 rows", "{other} is not shown, so it sorts nothing");
        }
        let few = ask(json!({"mark": {}, "by": "region", "order": {"by": "region", "descending": false}})).await;
        assert_eq!((&few["count"], &few["more"]), (&json!("3 values"), &json!(false)), "{few}");
        let values = ask(json!({"mark": {}, "by": "amount", "order": {"by": "amount", "descending": true}})).await;
        assert_eq!(values["data"]["rows"].as_array().map(Vec::len), Some(50));
        assert_eq!((first(&values, "amount").as_f64(), &values["more"]), (Some(1_600.0), &json!(true)));
        assert_eq!(values["count"], "50 of 1,503 values, sorted by amount, descending", "{}", values["count"]);
        let own = drill_by(&world, &driller(&world, GLOBEX).await, "Count", order("amount", true)).await.json();
        assert_eq!((&own["count"], &own["more"]), (&json!("2 rows"), &json!(false)), "another company's rows do not count");
    }

    async fn a_number_leads_to_its_rows_where_they_can_be_listed(world) {
        let (dashboard, charts) = dashboard_of(&world, World::project_file(), &NUMBERS, |(name, body, _)| {
            format!("  - {{ name: {name}, connection: warehouse, type: number, {body} }}\n")
        }).await;
        let token = driller(&world, ACME).await;
        let request = json!({ "request": { "scope": scope(&world), "dashboard": dashboard, "filters": {} } });
        let opened = world.post("/share/fn/open-dashboard", &token, &request).await.json();
        let tiles = opened["content"]["dashboard"]["tiles"].as_array().expect("tiles").clone();
        for (name, _, wanted) in NUMBERS {
            let tile = tiles.iter().find(|tile| tile["face"]["title"] == name).expect("a tile");
            let reply = follow(&world, "drill-down", &token, (dashboard.clone(), charts[name].clone()), json!({"mark": {}})).await;
            assert_eq!(tile["drills"] == json!(true), !wanted.is_empty(), "{name}: {tile}");
            if wanted.is_empty() {
                assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (422, &json!("DRILL_UNAVAILABLE")), "{name}: {}", reply.text);
            } else {
                let found = ids(&reply).iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
                assert_eq!(found, wanted, "{name}");
            }
        }
    }

    async fn drill_down_is_for_those_who_may(world) {
        let reply = drill(&world, &world.token(ACME).await, "Count", json!({}), Value::Null).await;
        assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (403, &json!("PERMISSION_DENIED")), "{}", reply.text);
        let token = driller(&world, ACME).await;
        let closed = drill(&world, &token, "Notes", json!({}), Value::Null).await;
        assert_eq!(closed.json()["code"], "ROW_RULE_UNRESOLVED", "{}", closed.text);
    }

    async fn a_row_without_a_value_is_found_by_that(world) {
        let token = driller(&world, ACME).await;
        let without = drill(&world, &token, "Orders", json!({"row": 2}), Value::Null).await;
        assert_eq!(ids(&without), [3]);
        assert_eq!(without.json()["filters"], json!({}), "a filter has no form for it");
        let unsaid = drill(&world, &token, "Orders", json!({"name": "nobody"}), Value::Null).await;
        assert_eq!((unsaid.status.as_u16(), &unsaid.json()["code"]), (422, &json!("DRILL_UNAVAILABLE")), "{}", unsaid.text);
    }

    async fn rows_are_found_behind_with_sub_queries_having_and_distinct(world) {
        let (dashboard, charts) = deep(&world).await;
        for (company, south) in [(ACME, 2), (GLOBEX, 12)] {
            let token = driller(&world, company).await;
            let ask = async |chart: &str, mark: Value, by: Value| {
                follow(&world, "drill-down", &token, (dashboard.clone(), charts[chart].clone()), json!({"mark": mark, "by": by})).await
            };
            for chart in ["With", "Twice", "Having", "Distinct"] {
                assert_eq!(ids(&ask(chart, json!({"name": "south"}), Value::Null).await), [south], "{chart}");
            }
            let derived = ask("Derived", json!({"name": "south"}), Value::Null).await.json();
            let names: Vec<&str> = derived["data"]["columns"].as_array().expect("columns").iter().filter_map(|column| column["name"].as_str()).collect();
            assert_eq!(names, ["region", "amount"], "what the sub-query gives");
            assert_eq!(derived["data"]["rows"].as_array().map(Vec::len), Some(1), "{derived}");
            let by = ask("With", json!({"name": "north"}), json!("day")).await.json();
            assert_eq!(by["data"]["rows"], json!([["2024-01-15", 1]]), "{by}");
            let loud = ask("Loud", json!({"name": "SOUTH"}), Value::Null).await.json();
            assert_eq!((&loud["data"]["rows"], &loud["filters"]), (&json!([["SOUTH"]]), &json!({})), "{loud}");
            let month = ask("Monthly", json!({"row": 0}), Value::Null).await.json();
            assert_eq!(month["data"]["rows"].as_array().map(Vec::len), Some(1), "{month}");
        }
    }

    async fn rows_are_found_behind_what_a_chart_works_out(world) {
        let (dashboard, charts) = deep(&world).await;
        for (company, big, south, first) in [(ACME, vec![2], vec![2], vec![1]), (GLOBEX, vec![11, 12], vec![12], vec![11])] {
            let token = driller(&world, company).await;
            let ask = async |chart: &str, mark: Value, by: Value| {
                follow(&world, "drill-down", &token, (dashboard.clone(), charts[chart].clone()), json!({"mark": mark, "by": by})).await
            };
            let sized = ask("Sized", json!({"name": "big"}), Value::Null).await;
            assert_eq!(ids(&sized), big);
            assert_eq!(sized.json()["told"], json!([["size", "big"]]));
            assert_eq!(sized.json()["filters"], json!({}), "a filter has no form for it");
            let by = ask("Sized", json!({"name": "big"}), json!("company")).await.json();
            assert_eq!(by["data"]["rows"], json!([[company, big.len()]]), "broken down, it adds up: {by}");
            // It groups by a column that it does not show, with one value behind the mark.
            assert_eq!(ids(&ask("Hidden", json!({"name": "SOUTH"}), Value::Null).await), south);
            // Each day's orders, though the window function reads all days.
            let day = ask("Running", json!({"row": 0}), Value::Null).await;
            assert_eq!(ids(&day), first);
            assert_eq!(day.json()["filters"]["f_warehouse.orders.day"]["from"], "2024-01-15", "{}", day.text);
            // Two groups have this name, and the mark is one of them.
            let mixed = ask("Mixed", json!({"row": 1}), Value::Null).await;
            assert_eq!((mixed.status.as_u16(), &mixed.json()["code"]), (422, &json!("DRILL_UNAVAILABLE")), "{}", mixed.text);
            if company == ACME {
                assert_eq!(ids(&ask("Mixed", json!({"row": 0}), Value::Null).await), [3]);
            }
        }
    }

    async fn whoever_sees_a_dashboard_may_filter_it_by_a_mark(world) {
        let (dashboard, charts) = deep(&world).await;
        let token = world.token(ACME).await;
        let narrow = async |chart: &str, mark: Value| {
            let reply = follow(&world, "mark-filters", &token, (dashboard.clone(), charts[chart].clone()), json!({"mark": mark})).await;
            assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
            reply.json()
        };
        assert_eq!(narrow("With", json!({"name": "south"})).await, json!({"f_warehouse.orders.region": "south"}));
        assert_eq!(narrow("With", json!({"name": "nobody"})).await, json!({}));
        assert_eq!(narrow("Loud", json!({"name": "SOUTH"})).await, json!({}));
        let month = json!({"f_warehouse.orders.day": {"from": "2024-01-01", "to": "2024-02-01"}});
        assert_eq!(narrow("Monthly", json!({"row": 0})).await, month);
        let overview = &world.applied.dashboards["Orders/Overview"];
        let place = (overview.id.to_string(), overview.charts["Orders"].to_string());
        let listed = follow(&world, "mark-filters", &token, place, json!({"mark": {"row": 1}})).await;
        assert_eq!(listed.json(), json!({}), "a list's row stands for itself alone");
        let request = json!({ "request": { "scope": scope(&world), "dashboard": dashboard, "filters": {} } });
        let opened = world.post("/share/fn/open-dashboard", &token, &request).await.json();
        let tiles = opened["content"]["dashboard"]["tiles"].as_array().expect("tiles").clone();
        let narrowing = tiles.iter().filter(|tile| tile["narrows"] == true).filter_map(|tile| tile["face"]["title"].as_str());
        let mut narrowing: Vec<&str> = narrowing.collect();
        narrowing.sort_unstable();
        assert_eq!(narrowing, ["Derived", "Distinct", "Having", "Monthly", "Running", "Twice", "With"]);
    }
}
