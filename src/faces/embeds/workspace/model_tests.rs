//! Language models that ask the semantic model: whose rows they read, and their charts on the page, on both stores.

use super::tests::{ask, call, token};
use crate::{
    concepts::{
        chat::testing::{Act, Script},
        language_models::Budgets,
    },
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use serde_json::{Value, json};

/// Revenue by place, the highest first.
fn query() -> Value {
    json!({"measures": ["revenue"], "dimensions": [{"name": "orders.place"}], "sort": [{"by": "revenue", "descending": true}]})
}

/// What the model does: it asks, draws, and tells.
fn acts(query: &Value) -> Vec<Act> {
    let encoding = json!({"x": "place", "y": ["revenue"]});
    let chart = json!({"title": "Revenue by place", "type": "bar", "query": query, "encoding": encoding});
    vec![Act::Call("query_model", json!({ "query": query })), Act::Call("generateChart", chart), Act::Say("The south leads.")]
}

/// The chart of an answer to a scripted model.
async fn drawn(world: &World, token: &str) -> Value {
    Script::play(world, acts(&query()), Budgets::default()).await;
    let events = ask(world, token, "revenue by place").await;
    events.iter().find_map(|event| event.get("chart")).unwrap_or_else(|| panic!("{events:?}")).clone()
}

fn rows(chart: &Value) -> &Value {
    &chart["chart"]["shown"]["rows"]["data"]["rows"]
}

on_both_stores! {
    async fn a_chart_of_the_model_holds_the_viewer_s_rows_with_its_labels(world) {
        let one = token(&world, ACME, "one", None).await;
        let chart = drawn(&world, &one).await;
        assert_eq!(rows(&chart), &json!([["south", 20.0], ["north", 10.5], ["nowhere", null]]), "{chart}");
        let picture = chart["chart"]["shown"]["rows"]["drawing"].to_string();
        assert!(picture.contains("Revenue") && picture.contains("EUR"), "the model's label and format: {picture}");
        let proof = &chart["chart"]["proof"];
        let told = proof["sentence"].as_str().is_some_and(|told| told.contains("Revenue by Place"));
        assert!(told && proof["read"].as_str().is_some_and(|read| read.starts_with("3 rows")), "{proof}");
        // Kept, its rows are read anew.
        assert_eq!(call(&world, &one, "pin", json!({"place": "favorites", "source": chart["source"]})).await.status.as_u16(), 200);
        let pins = call(&world, &one, "pins", json!({"place": "favorites"})).await.json();
        assert_eq!(rows(&pins[0]), rows(&chart), "{pins}");
        assert!(pins[0]["chart"]["shown"]["rows"]["drawing"].to_string().contains("EUR"));
        // As another type, it stays a chart of the model.
        let change = json!({"source": chart["source"], "title": "Shares", "kind": "pie"});
        let changed = call(&world, &one, "edit-chart", change).await.json();
        assert_eq!((&changed["chart"]["kind"], rows(&changed)), (&json!("pie"), rows(&chart)), "{changed}");
        let picture = call(&world, &one, "chart-picture", json!({"chart": {"answer": chart["source"]}})).await.json();
        assert!(picture.as_str().is_some_and(|svg| svg.starts_with("<svg")), "{picture}");
        let other = drawn(&world, &token(&world, GLOBEX, "two", None).await).await;
        assert_eq!(rows(&other), &json!([["south", 80.0], ["north", 70.0]]));
    }

    async fn a_model_reads_the_viewer_s_rows_alone(world) {
        let script = Script::play(&world, acts(&query()), Budgets::default()).await;
        let events = ask(&world, &token(&world, ACME, "one", None).await, "revenue of all companies").await;
        let told = script.told();
        assert!(told.contains("20.0") && !told.contains("70") && !told.contains("80"), "{told}");
        assert!(told.contains("Revenue by Place"), "what was worked out: {told}");
        let all = json!(events).to_string() + &told;
        assert!(!all.contains("coalesce") && !all.contains("globex"), "neither SQL nor rules: {all}");
        let sent = script.sent();
        for name in ["\\\"orders.place\\\"", "mean_order", "Revenue of an order"] {
            assert!(sent.contains(name), "{name}: {sent}");
        }
        assert!(!sent.contains("coalesce") && !sent.contains("organization.company") && !sent.contains("notes"), "{sent}");
    }

    async fn tables_out_of_scope_are_no_part_of_the_model(world) {
        let file = World::project_file().replace("exampleQuestions: [\"How many orders?\"]", "tables: [orders], modelOnly: true");
        world.apply(&file).await.expect("applied");
        let one = token(&world, ACME, "one", None).await;
        let script = Script::play(&world, vec![
            Act::Call("query_model", json!({"query": {"measures": ["mean_rate"]}})),
            Act::Call("query_model", json!({"query": {"measures": ["revenue"], "dimensions": [{"name": "rates.name"}]}})),
            Act::Call("run_sql", json!({"sql": "select id from orders"})),
            Act::Say("I cannot say."),
        ], Budgets::default()).await;
        ask(&world, &one, "the rates").await;
        let (told, sent) = (script.told(), script.sent());
        assert!(told.contains("there is no measure `mean_rate`") && told.contains("there is no table `rates`"), "{told}");
        assert!(told.contains("SQL is not allowed here") && !told.contains("EUR"), "{told}");
        assert!(!sent.contains("Currency") && !sent.contains("run_sql\\\",\\\"description"), "{sent}");
    }

    async fn a_saved_chart_asks_the_model_wherever_it_stands(world) {
        let editor = token(&world, ACME, "one", Some("Analyst")).await;
        let chart = drawn(&world, &editor).await;
        let saved = call(&world, &editor, "save-chart", json!({"source": chart["source"]})).await;
        assert_eq!(saved.status.as_u16(), 200, "{}", saved.text);
        call(&world, &editor, "pin", json!({"place": "canvas", "source": chart["source"]})).await;
        assert_eq!(call(&world, &editor, "save-canvas", json!({"name": "Mine"})).await.status.as_u16(), 200);
        let application = world.applied.applications["Orders"].id;
        let listed = world.get(&format!("/v2/api/applications/{application}/dashboards"), &editor).await.data();
        let mine = listed["dashboards"].as_array().expect("dashboards").iter().find(|one| one["name"] == "Mine").expect("Mine");
        let scope = json!({"application": application, "timezone": "UTC", "locale": "en"});
        let request = json!({"request": {"scope": scope, "dashboard": mine["id"], "filters": {}}});
        let opened = world.post("/share/fn/open-dashboard", &editor, &request).await;
        let tile = &opened.json()["content"]["dashboard"]["tiles"][0];
        assert_eq!(tile["content"]["ready"]["data"]["rows"], *rows(&chart), "{}", opened.text);
        // The chart builder gets its query.
        let target = json!({"scope": scope, "dashboard": mine["id"]});
        let built = world.post("/share/fn/open-chart", &editor, &json!({"target": target, "chart": tile["id"]})).await;
        assert_eq!(built.json()["definition"]["options"]["query"], query(), "{} {tile}", built.text);
    }
}
