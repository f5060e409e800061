//! Charts that ask the semantic model, on both stores: what a file says, what viewers see, what a change of the model does.

use super::{
    apply::Incoming,
    export::export,
    preview::preview,
    tests::{compared, edited, problems},
};
use crate::{
    ground::audit::Actor,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use serde_json::{Value, json};

const QUERY: &str = "query: { measures: [revenue], dimensions: [{ name: orders.place }] }";

/// The project file with a chart by a query on the dashboard Overview.
fn with_sales(query: &str) -> String {
    let tile = "          - { chart: Notes, x: 0, y: 6, w: 12, h: 4 }\n";
    let text = edited(tile, &format!("{tile}          - {{ chart: Sales, x: 0, y: 10, w: 12, h: 4 }}\n"));
    let notes = "  - { name: Notes, connection";
    let sales =
        format!("  - {{ name: Sales, connection: warehouse, type: bar, {query}, encoding: {{ x: place, y: [revenue] }} }}\n");
    text.replacen(notes, &format!("{sales}{notes}"), 1)
}

/// Applies a file and tells where the rows of its chart Sales are.
async fn applied(world: &World, text: &str) -> String {
    let applied = world.apply(text).await.unwrap_or_else(|problem| panic!("{problem}"));
    let dashboard = &applied.dashboards["Orders/Overview"];
    let application = applied.applications["Orders"].id;
    format!("/v2/api/applications/{application}/dashboards/{}/charts/{}/data", dashboard.id, dashboard.charts["Sales"])
}

async fn rows(world: &World, path: &str, token: &str, body: &Value) -> Value {
    world.post(path, token, body).await.data()["rows"].clone()
}

on_both_stores! {
    async fn a_chart_by_a_query_shows_each_viewer_their_rows_under_the_filters(world) {
        let path = applied(&world, &with_sales(QUERY)).await;
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        assert_eq!(rows(&world, &path, &acme, &json!({})).await, json!([["north", 10.5], ["nowhere", null], ["south", 20.0]]));
        assert_eq!(rows(&world, &path, &globex, &json!({})).await, json!([["north", 70.0], ["south", 80.0]]));
        let south = json!({"filters": {"filter_region": "south"}});
        assert_eq!(rows(&world, &path, &acme, &south).await, json!([["south", 20.0]]));
        let spring = json!({"filters": {"filter_period": {"from": "2024-02-01", "to": "2024-03-01"}}});
        assert_eq!(rows(&world, &path, &acme, &spring).await, json!([["south", 20.0]]));
        let page = world.get(&format!("/share/application/{}?jwt={acme}", world.applied.applications["Orders"].id), "").await;
        assert!(page.status.is_success() && page.text.contains("nowhere"), "the rows are in the first HTML");
    }

    async fn a_change_of_the_model_changes_its_charts_at_once(world) {
        let text = with_sales(QUERY);
        let path = applied(&world, &text).await;
        let token = world.token(GLOBEX).await;
        assert_eq!(rows(&world, &path, &token, &json!({})).await[0], json!(["north", 70.0]));
        let halved = text.replace("aggregate: sum, of: amount", "aggregate: sum, of: amount / 2");
        assert_eq!(applied(&world, &halved).await, path, "the chart is as it was");
        assert_eq!(rows(&world, &path, &token, &json!({})).await[0], json!(["north", 35.0]));
    }

    async fn a_query_that_means_nothing_names_its_place_in_the_file(world) {
        for (query, told) in [
            ("query: { measures: [profit] }", "charts[3].query.measures[0]: there is no measure `profit`"),
            ("query: { measures: [revenue], dimensions: [{ name: notes.note }] }", "charts[3].query.dimensions[0]"),
            ("query: { measures: [revenue], limit: 0 }", "charts[3].query.limit: must be 1 to 50,000"),
            ("query: { measure: [revenue] }", "charts[3].query.measure: `measure` is not a field here; valid fields are measures,"),
            ("query: {}", "charts[3].query.measures: must name a measure"),
            ("sql: select 1, query: { measures: [revenue] }", "charts[3].query: stands beside another query"),
            ("cacheSeconds: 5", "charts[3].sql: is required for every type but `text`, unless there is a `query`"),
        ] {
            let found = problems(&world, &with_sales(query)).await;
            assert!(found.contains(told) && found.contains("line 19"), "{query}: {found}");
        }
        let closed = with_sales(QUERY).replace(", rowRule: \"company = {{organization.company}}\"", "");
        let found = problems(&world, &closed).await;
        assert!(found.contains("charts[3].query.measures[0]: there is no measure `revenue`"), "nobody sees its rows: {found}");
    }

    async fn an_export_says_the_query_and_applying_it_changes_nothing(world) {
        let text = with_sales("query: { measures: [revenue], dimensions: [{ name: orders.day, grain: month }], having: [{ measure: revenue, comparison: \">\", than: 5.0 }], limit: 7 }");
        let text = text.replace("x: place, y: [revenue]", "x: day_month, y: [revenue]");
        let path = applied(&world, &text).await;
        let file = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported").to_yaml().expect("YAML");
        let (_, sales) = file.split_once("- name: Sales").expect("the chart");
        assert!(sales.contains("query:\n") && !sales.split_once("- name").expect("an end").0.contains("options"), "{sales}");
        assert_eq!(compared(&world, &file).await.expect("compared"), "");
        assert_eq!(applied(&world, &file).await, path);
        let changed = compared(&world, &text.replace("limit: 7", "limit: 8")).await.expect("compared");
        assert!(changed.contains("limit: 7 → 8"), "{changed}");
    }

    async fn whoever_takes_a_column_away_hears_of_the_charts_by_meaning(world) {
        let text = with_sales(QUERY);
        applied(&world, &text).await;
        let hidden = text.replacen("{{organization.company}}\" }", "{{organization.company}}\", columns: { amount: { hidden: true } } }", 1);
        let incoming = Incoming { text: &hidden, folder: world.folder(), environment: &|_| None, seen: None, despite: None, check_data: false };
        let found = preview(&world.target(), &Actor::operator(world.organization), &incoming).await;
        let losses = found.unwrap_or_else(|problem| panic!("{problem}")).losses;
        assert_eq!(losses[0].uses, ["chart Orders", "chart Sales"]);
    }

    async fn whoever_takes_a_measure_away_hears_of_the_charts_that_ask_for_it(world) {
        let text = with_sales(QUERY);
        applied(&world, &text).await;
        let ada = world.sign_in_as(ACME, "ada", Some("Analyst")).await["token"].as_str().expect("a token").to_owned();
        let dashboard = format!("/v2/api/applications/{}/dashboards/{}", world.applied.applications["Orders"].id, world.applied.dashboards["Orders/Overview"].id);
        world.post(&format!("{dashboard}/clone"), &ada, &json!({})).await.data();
        let losses = async |text: &str| {
            let incoming = Incoming { text, folder: world.folder(), environment: &|_| None, seen: None, despite: None, check_data: false };
            let found = preview(&world.target(), &Actor::operator(world.organization), &incoming).await;
            found.unwrap_or_else(|problem| panic!("{problem}")).losses
        };
        let without_chart = |text: &str| {
            let kept = text.lines().filter(|line| !line.contains("name: Sales") && !line.contains("chart: Sales"));
            kept.collect::<Vec<_>>().join("\n")
        };
        let revenue = "revenue: { aggregate: sum, of: amount, label: Revenue, format: { style: currency, currency: EUR } }, ";
        let without_metric = text.replace("mean_order: { ratio: [revenue, order_count], label: Revenue of an order }", "");
        let gone = losses(&without_chart(&without_metric.replace(revenue, ""))).await;
        let [lost] = &gone[..] else { panic!("{gone:?}") };
        assert!(lost.lost.starts_with("the semantic model of warehouse changes: there is no measure `revenue`"), "{}", lost.lost);
        assert_eq!(lost.uses, ["chart Sales", "1 chart owned by a user"]);
        let place = "dimensions: { place: { sql: \"coalesce(region, 'nowhere')\", label: Place } }, ";
        assert_eq!(losses(&without_chart(&text.replace(place, ""))).await[0].uses, lost.uses);
        assert_eq!(losses(&text.replace("of: amount,", "of: amount / 2,")).await, [], "charts follow a changed measure");
        let closed = losses(&without_chart(&text).replace(", rowRule: \"company = {{organization.company}}\"", "")).await;
        assert_eq!(closed.len(), 1, "a closed table is told once: {closed:?}");
    }

    async fn a_chart_shows_the_labels_and_formats_of_the_model_and_its_own_first(world) {
        let query = QUERY.replace("dimensions", "sort: [{ by: revenue }], dimensions");
        let plain = with_sales(&query).replace("name: Sales, connection: warehouse, type: bar", "name: Sales, connection: warehouse, type: table")
            .replace(", encoding: { x: place, y: [revenue] } }", " }");
        let shown = async |text: &str| {
            let applied = world.apply(text).await.unwrap_or_else(|problem| panic!("{problem}"));
            let dashboard = &applied.dashboards["Orders/Overview"];
            let scope = json!({ "application": applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
            let tile = json!({ "scope": scope, "dashboard": dashboard.id, "chart": dashboard.charts["Sales"], "filters": {} });
            let answer = world.post("/share/fn/tile-data", &world.token(GLOBEX).await, &json!({ "request": tile })).await;
            answer.json()["drawings"].to_string()
        };
        let picture = shown(&plain).await;
        assert!(picture.contains("\"Revenue\"") && picture.contains("\"Place\"") && picture.contains("€70"), "{picture}");
        // The rows are remembered, the words are new.
        let picture = shown(&plain.replace("label: Revenue, format: { style: currency, currency: EUR }", "label: Turnover")).await;
        assert!(picture.contains("\"Turnover\"") && !picture.contains("Revenue") && !picture.contains('€'), "{picture}");
        let own = plain.replace(" }\n  - { name: Notes", ", options: { labels: { revenue: Ours }, format: { style: percent } } }\n  - { name: Notes");
        let picture = shown(&own).await;
        assert!(picture.contains("\"Ours\"") && picture.contains("\"Place\"") && !picture.contains("Revenue") && !picture.contains('€'), "{picture}");
        let exported = export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("a project").to_yaml().expect("YAML");
        assert!(!exported.contains("place: Place"), "the chart itself stays as it was written\n{exported}");
    }
}
