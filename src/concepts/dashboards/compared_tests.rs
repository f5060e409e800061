//! Comparisons of periods whose last days have no data yet, on both stores.

use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};

/// Orders of each of the last two weeks' days: 10 each in the last 7 days, 5 each before. ACME has none of today yet.
const TWO_WEEKS: &str = "insert into orders with recursive days(n) as (select 0 union all select n + 1 from days where n < 13),
    companies(first, company) as (values (100, 'acme'), (200, 'globex'))
    select first + n, company, 'north', case when n < 7 then 10 else 5 end, date('now', '-' || n || ' days') from days, companies
    where n > 0 or company = 'globex'";

/// Adds charts of revenue in these periods, compared with the ones before. Returns the dashboard's id.
async fn dashboard(world: &World, periods: &[(&str, &str)]) -> String {
    let chart = |(name, period): &(&str, &str)| {
        format!(
            "  - {{ name: {name}, connection: warehouse, type: number, encoding: {{ value: revenue, compare: revenue_previous }}, \
             query: {{ measures: [revenue], filters: [{{ dimension: time, value: {{ {period} }} }}], compare: previous }} }}\n"
        )
    };
    let charts: String = periods.iter().map(chart).collect();
    let places: String =
        periods.iter().map(|(name, _)| format!("          - {{ chart: {name}, x: 0, y: 0, w: 6, h: 4 }}\n")).collect();
    let text = World::project_file()
        .replace("workspaces:\n", &format!("{charts}workspaces:\n"))
        .replace("      - name: More\n", &format!("      - name: Compared\n        charts:\n{places}      - name: More\n"));
    let applied = world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
    applied.dashboards["Orders/Compared"].id.to_string()
}

/// The row of each chart of a dashboard, and the text of the value before, by the chart's name.
async fn compared(world: &World, company: &str, dashboard: &str, name: &str) -> (Value, Value) {
    let scope = json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
    let token = world.sign_in_as(company, "ann", None).await["token"].as_str().expect("a token").to_owned();
    let request = json!({ "request": { "scope": scope, "dashboard": dashboard, "filters": {} } });
    let opened = world.post("/share/fn/open-dashboard", &token, &request).await.json();
    let tiles = opened["content"]["dashboard"]["tiles"].as_array().expect("tiles");
    let at = tiles.iter().position(|tile| tile["face"]["title"] == name).expect("the chart");
    let tile = json!({ "scope": scope, "dashboard": dashboard, "chart": tiles[at]["id"], "filters": {} });
    let again = world.post("/share/fn/tile-data", &token, &json!({ "request": tile })).await.json();
    let before = |drawing: &Value| {
        let html = drawing["number"].as_str().expect("a number");
        html.split_once("<span>from ").map_or(Value::Null, |(_, rest)| json!(rest.split('<').next()))
    };
    assert_eq!(before(&again["drawings"][0]), before(&opened["drawings"][at]), "{again}");
    (tiles[at]["content"]["ready"]["data"]["rows"][0].clone(), before(&opened["drawings"][at]))
}

on_both_stores! {
    async fn a_period_is_compared_with_as_many_days_as_have_data(world) {
        world.change_source(TWO_WEEKS).await;
        let dashboard = dashboard(&world, &[("Week", "relative: last_7_days"), ("Day", "relative: today"), ("Old", "from: \"2024-02-01\", to: \"2024-03-01\"")]).await;
        let (rows, before) = compared(&world, ACME, &dashboard, "Week").await;
        assert_eq!((rows, before), (json!([60.0, 30.0]), json!("€30 in the same 6 days before")), "today has no data yet");
        let (rows, before) = compared(&world, GLOBEX, &dashboard, "Week").await;
        assert_eq!((rows, before), (json!([70.0, 35.0]), json!("€35")), "all days have data");
        let (rows, before) = compared(&world, ACME, &dashboard, "Day").await;
        assert_eq!((rows, before), (json!([null, null]), Value::Null), "there is nothing to compare");
        let (rows, before) = compared(&world, ACME, &dashboard, "Old").await;
        assert_eq!((rows, before), (json!([20.0, 10.5]), json!("€10.50")), "a period that is long over is compared as it is");
    }

    async fn who_asks_for_fresh_rows_gets_the_newest_day_afresh(world) {
        world.change_source(TWO_WEEKS).await;
        let dashboard = dashboard(&world, &[("Week", "relative: last_7_days")]).await;
        let scope = json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
        let token = world.token(ACME).await;
        let request = json!({ "request": { "scope": scope, "dashboard": dashboard, "filters": {} } });
        let opened = world.post("/share/fn/open-dashboard", &token, &request).await.json();
        let chart = opened["content"]["dashboard"]["tiles"][0]["id"].as_str().expect("a chart").to_owned();
        let application = world.applied.applications["Orders"].id;
        let path = format!("/v2/api/applications/{application}/dashboards/{dashboard}/charts/{chart}/data");
        let asked = async |body: Value| world.post(&path, &token, &body).await.data()["rows"].clone();
        assert_eq!(asked(json!({})).await, json!([[60.0, 30.0]]));
        world.change_source("insert into orders values (900, 'acme', 'north', 10, date('now'))").await;
        assert_eq!(asked(json!({})).await, json!([[60.0, 30.0]]), "remembered");
        assert_eq!(asked(json!({ "refresh": true })).await, json!([[70.0, 35.0]]), "today has data now");
    }
}
