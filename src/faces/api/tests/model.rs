//! `POST …/query` and `GET …/model`: what viewers, hosts and strangers get of a project's semantic model.

use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use inlay_contract::ids::ProjectId;
use serde_json::{Value, json};

fn path(world: &World, end: &str) -> String {
    format!("/v2/api/projects/{}/{end}", world.applied.project_id)
}

async fn asked(world: &World, credential: &str, query: &Value) -> Value {
    world.post(&path(world, "query"), credential, query).await.data()
}

/// A query that has no meaning: its field and what is said.
async fn refused(world: &World, credential: &str, query: &Value) -> (String, String) {
    let error = world.post(&path(world, "query"), credential, query).await.refused(400, "VALIDATION_FAILED");
    let details = error["details"].as_object().expect("details").clone();
    let (field, why) = details.into_iter().next().expect("a field");
    (field, why.as_str().expect("a sentence").to_owned())
}

on_both_stores! {
    async fn each_viewer_gets_the_numbers_of_their_own_rows(world) {
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        let query = json!({"measures": ["revenue", "order_count", "mean_order"], "dimensions": [{"name": "orders.place"}], "totals": true});
        let answer = asked(&world, &acme, &query).await;
        assert_eq!(answer["rows"], json!([["north", 10.5, 1, 10.5], ["nowhere", null, 1, null], ["south", 20.0, 1, 20.0]]));
        assert_eq!(answer["totals"], json!([null, 30.5, 3, 30.5 / 3.0]));
        assert_eq!(answer["sentence"], "Revenue, order_count and Revenue of an order by Place.");
        assert_eq!(
            answer["columns"][1],
            json!({"name": "revenue", "type": "number", "role": "measure", "label": "Revenue", "format": {"style": "currency", "currency": "EUR"}})
        );
        assert_eq!(answer["columns"][0], json!({"name": "place", "type": "text", "role": "dimension", "label": "Place"}));
        assert_eq!((&answer["truncated"], &answer["cached"]), (&json!(false), &json!(false)));
        assert_eq!(asked(&world, &acme, &query).await["cached"], json!(true));
        let others = asked(&world, &globex, &query).await;
        assert_eq!(others["rows"], json!([["north", 70.0, 1, 70.0], ["south", 80.0, 1, 80.0]]));
    }

    async fn a_period_stands_beside_the_one_before(world) {
        let acme = world.token(ACME).await;
        let query = json!({"measures": ["revenue"], "compare": "previous",
            "filters": [{"dimension": "time", "value": {"from": "2024-02-01", "to": "2024-03-01"}}]});
        let answer = asked(&world, &acme, &query).await;
        assert_eq!(answer["rows"], json!([[20.0, 10.5]]));
        assert_eq!(answer["columns"][1]["role"], "previous");
        assert_eq!(answer["columns"][1]["label"], "Revenue, period before");
    }

    async fn a_query_says_metrics_of_its_own_and_counts_from_the_newest_row(world) {
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        let metrics = json!({"part": {"share": {"of": "revenue"}, "label": "Part", "format": {"style": "percent"}}, "twice": {"formula": "revenue * 2"}});
        let query = json!({"measures": ["part", "twice"], "metrics": metrics, "dimensions": [{"name": "orders.day", "cycle": "weekday"}]});
        let answer = asked(&world, &globex, &query).await;
        assert_eq!(answer["rows"], json!([["Mon", 70.0 / 150.0, 140.0], ["Tue", 80.0 / 150.0, 160.0]]));
        assert_eq!((&answer["columns"][0]["label"], &answer["columns"][1]["label"]), (&json!("day (weekday)"), &json!("Part")));
        assert_eq!(answer["columns"][1]["format"], json!({"style": "percent"}));
        let newest = json!({"measures": ["order_count"], "dimensions": [{"name": "orders.day"}],
            "filters": [{"dimension": "time", "value": {"relative": "today"}, "newest": true}]});
        // Each viewer's newest row is their own.
        assert_eq!(asked(&world, &acme, &newest).await["rows"], json!([["2024-03-01", 1]]));
        assert_eq!(asked(&world, &globex, &newest).await["rows"], json!([["2024-12-31", 1]]));
        let weekend = json!({"measures": ["order_count"], "filters": [{"dimension": "time", "cycle": "weekday", "value": ["Thu", "Fri"]}]});
        assert_eq!(asked(&world, &acme, &weekend).await["rows"], json!([[2]]));
    }

    async fn a_query_says_measures_of_its_own_and_keeps_the_first_of_each_group(world) {
        let (acme, globex) = (world.token(ACME).await, world.token(GLOBEX).await);
        let north = json!([{"dimension": "orders.place", "value": "north"}]);
        let aggregates = json!({"northern": {"table": "orders", "aggregate": "count", "filters": north},
            "days": {"table": "orders", "aggregate": "countDistinct", "of": "orders.day", "label": "Days", "format": {"style": "percent"}}});
        let metrics = json!({"part": {"ratio": ["northern", "order_count"]}});
        let query = json!({"measures": ["northern", "days", "part"], "aggregates": aggregates, "metrics": metrics});
        let answer = asked(&world, &acme, &query).await;
        assert_eq!(answer["rows"], json!([[1, 3, 1.0 / 3.0]]));
        assert_eq!(answer["columns"][0]["label"], "Number of orders where Place is north");
        assert_eq!((&answer["columns"][1]["label"], &answer["columns"][1]["format"]), (&json!("Days"), &json!({"style": "percent"})));
        assert_eq!(asked(&world, &globex, &query).await["rows"], json!([[1, 2, 0.5]]));
        let first = json!({"measures": ["days"], "aggregates": {"days": {"table": "orders", "aggregate": "max", "of": ["orders.id"]}},
            "dimensions": [{"name": "orders.day", "grain": "year"}, {"name": "orders.place"}],
            "sort": [{"by": "place"}], "top": {"rows": 1, "per": "day_year"}});
        assert_eq!(asked(&world, &acme, &first).await["rows"].as_array().map(Vec::len), Some(1));
    }

    async fn lists_are_asked_for_without_measures(world) {
        let acme = world.token(ACME).await;
        let query = json!({"dimensions": [{"name": "orders.place"}], "limit": 2});
        assert_eq!(asked(&world, &acme, &query).await["rows"], json!([["north"], ["nowhere"]]));
    }

    async fn a_key_sees_open_tables_alone(world) {
        let open = json!({"measures": ["mean_rate"]});
        assert_eq!(asked(&world, &world.key, &open).await["rows"], json!([[1.1]]));
        let ruled = json!({"measures": ["revenue"]});
        world.post(&path(&world, "query"), &world.key, &ruled).await.refused(422, "ROW_RULE_UNRESOLVED");
    }

    async fn what_has_no_meaning_is_refused_with_its_field(world) {
        let acme = world.token(ACME).await;
        for (query, field, why) in [
            (json!({}), "measures", "must name a measure"),
            (json!({"measures": ["profit"]}), "measures[0]", "there is no measure `profit`; the measures are mean_order, mean_rate, order_count and revenue"),
            (json!({"measures": ["revenue"], "dimensions": [{"name": "rates.name"}]}), "dimensions[0]", "no key leads from orders to rates"),
            (json!({"measures": ["revenue", "mean_rate"], "dimensions": [{"name": "orders.place"}]}), "dimensions[0]", "no key leads from rates to orders"),
            (json!({"measures": ["revenue"], "dimensions": [{"name": "orders.company"}]}), "dimensions[0]", "orders has no dimension `company`"),
            (json!({"measures": ["revenue"], "dimensions": [{"name": "notes.note"}]}), "dimensions[0]", "there is no table `notes`"),
            (json!({"measures": ["revenue"], "compare": "year"}), "compare", "needs exactly one filter on the time"),
            (json!({"measures": ["revenue"], "sort": [{"by": "x"}]}), "sort[0].by", "the answer has no column `x`"),
            (json!({"measures": ["revenue"], "limit": 50_001}), "limit", "must be 1 to 50,000"),
            (json!({"measures": ["revenue"], "limit": 0}), "limit", "must be an integer of at least 1"),
            (json!({"measures": ["revenue"], "connection": "cellar"}), "connection", "must name a connection"),
            (json!({"measures": "revenue"}), "measures", "must be a list"),
            (json!({"measures": ["revenue"], "metrics": {"revenue": {"running": "order_count"}}}), "metrics.revenue", "the project has a measure"),
            (json!({"measures": ["revenue"], "metrics": {"x": {"sum": "revenue"}}}), "metrics", "must hold metrics by name: unknown field `sum`"),
            (json!({"measures": ["x"], "metrics": {"x": {"formula": "(select company from orders)"}}}), "measures[0]", "may hold names of measures"),
            (json!({"measures": ["x"], "metrics": {"x": {"formula": "1 +".repeat(3_000)}}}), "measures[0]", "is too long"),
            (json!({"measures": ["revenue"], "dimensions": [{"name": "time", "cycle": "month"}]}), "dimensions[0].cycle", "cannot be read"),
            (json!({"measures": ["n"], "aggregates": {"n": {"aggregate": "count"}}}), "aggregates.n.table", "is required"),
            (json!({"measures": ["n"], "aggregates": {"n": {"table": "orders", "aggregate": "mode"}}}), "aggregates.n.aggregate", "cannot be read"),
            (json!({"measures": ["n"], "aggregates": {"n": {"table": "orders", "aggregate": "sum", "of": 5}}}), "aggregates.n.of", "must be a name, or a list of 1 to 8 names"),
            (json!({"measures": ["n"], "aggregates": {"n": {"table": "orders", "aggregate": "sum", "of": ["orders.company"]}}}), "aggregates.n.of[0]", "orders has no dimension `company`"),
            (json!({"measures": ["n"], "aggregates": {"n": {"table": "orders", "aggregate": "sum", "of": "orders.day", "format": {"style": "odd"}}}}), "aggregates.n.format", "is not valid"),
            (json!({"measures": ["n"], "aggregates": {"n": {"table": "notes", "aggregate": "count"}}}), "aggregates.n.table", "there is no table `notes`"),
            (json!({"measures": ["n"], "aggregates": {"n": {"table": "orders", "aggregate": "count", "filters": [{"dimension": "orders.day"}]}}}), "aggregates.n.filters[0].value", "is required"),
            (json!({"measures": ["n"], "aggregates": {"n": 5}}), "aggregates.n", "must be an object"),
            (json!({"measures": ["n"], "aggregates": []}), "aggregates", "must be an object of at most 100 fields"),
            (json!({"measures": ["revenue"], "top": {"rows": 1}}), "top.per", "is required"),
            (json!({"measures": ["revenue"], "dimensions": [{"name": "orders.place"}], "top": {"rows": 1, "per": "place"}}), "top", "needs an order"),
            (json!({"measures": ["revenue"], "compare": "month"}), "compare", "cannot be read"),
            (json!({"measures": ["revenue"], "filters": [{"dimension": "orders.place", "value": {"x": 1}}]}), "filters[0].value", "is not valid"),
            (json!({"measures": ["revenue"], "having": [{"measure": "revenue", "comparison": ">", "than": "1"}]}), "having[0].than", "must be a number"),
        ] {
            let told = refused(&world, &acme, &query).await;
            assert!(told.0 == field && told.1.contains(why), "{query}: {told:?}");
        }
    }

    async fn texts_stay_texts(world) {
        let acme = world.token(ACME).await;
        for text in ["' or 1 = 1 --", "north' or 'a' = 'a", "\\", "%", "nor_h", "x'"] {
            let query = json!({"measures": ["order_count"], "filters": [{"dimension": "orders.place", "value": text}]});
            assert_eq!(asked(&world, &acme, &query).await["rows"], json!([[0]]), "{text}");
        }
        for text in ["\\' or 1=1 --", "''"] {
            let query = json!({"measures": ["order_count"], "filters": [{"dimension": "orders.place", "value": text}]});
            assert_eq!(refused(&world, &acme, &query).await.0, "filters[0].value", "{text}");
        }
    }

    async fn the_model_tells_names_and_no_sql(world) {
        let acme = world.token(ACME).await;
        for credential in [&acme, &world.key] {
            let reply = world.get(&path(&world, "model"), credential).await;
            let model = reply.data();
            assert_eq!(model["metrics"], json!([{"name": "mean_order", "label": "Revenue of an order"}]));
            let orders = &model["tables"][0];
            assert_eq!(orders["name"], "orders");
            assert_eq!((&orders["connection"], &orders["time"]), (&json!("warehouse"), &json!("orders.day")));
            assert_eq!(orders["dimensions"], json!([{"name": "orders.place", "label": "Place"}, {"name": "orders.day"}, {"name": "orders.id"}]));
            assert_eq!(orders["measures"][1], json!({"name": "revenue", "label": "Revenue", "aggregate": "sum", "format": {"style": "currency", "currency": "EUR"}}));
            assert!(!reply.text.contains("coalesce") && !reply.text.contains("notes") && !reply.text.contains("company"), "{}", reply.text);
        }
    }

    async fn a_hidden_column_is_no_way_out(world) {
        let text = World::project_file().replace("rowRule: \"company", "columns: { amount: { hidden: true } }, rowRule: \"company");
        let text = text.replace("sql: \"coalesce(region, 'nowhere')\"", "sql: amount + 1");
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let acme = world.token(ACME).await;
        world.post(&path(&world, "query"), &acme, &json!({"measures": ["revenue"]})).await.refused(422, "QUERY_FAILED");
        let by = |name: &str| json!({"measures": ["order_count"], "dimensions": [{"name": name}]});
        assert!(refused(&world, &acme, &by("orders.amount")).await.1.contains("has no dimension `amount`"));
        // What is made of it, too.
        world.post(&path(&world, "query"), &acme, &by("orders.place")).await.refused(422, "QUERY_FAILED");
        assert_eq!(asked(&world, &acme, &json!({"measures": ["order_count"]})).await["rows"], json!([[3]]));
    }

    async fn a_closed_table_is_absent(world) {
        world.apply(&World::project_file().replace(", rowRule: \"company = {{organization.company}}\"", "")).await.expect("applied");
        let acme = world.token(ACME).await;
        assert!(refused(&world, &acme, &json!({"measures": ["revenue"]})).await.1.contains("there is no measure `revenue`"));
        let model = world.get(&path(&world, "model"), &acme).await.data();
        assert_eq!(model["tables"].as_array().map(Vec::len), Some(1));
    }

    async fn a_change_of_the_model_counts_at_once(world) {
        let acme = world.token(ACME).await;
        let query = json!({"measures": ["revenue"]});
        assert_eq!(asked(&world, &acme, &query).await["rows"], json!([[30.5]]));
        world.apply(&World::project_file().replace("of: amount,", "of: amount, where: amount > 15,")).await.expect("applied");
        assert_eq!(asked(&world, &acme, &query).await["rows"], json!([[20.0]]));
    }

    async fn other_projects_are_out_of_reach(world) {
        let (neighbour, key) = world.neighbour().await;
        let acme = world.token(ACME).await;
        let query = json!({"measures": ["mean_rate"]});
        for id in [neighbour.project_id, ProjectId::generate()] {
            let there = |end: &str| format!("/v2/api/projects/{id}/{end}");
            world.post(&there("query"), &acme, &query).await.refused(404, "PROJECT_NOT_FOUND");
            world.get(&there("model"), &acme).await.refused(404, "PROJECT_NOT_FOUND");
            world.post(&there("query"), &world.key, &query).await.refused(404, "PROJECT_NOT_FOUND");
        }
        world.post(&path(&world, "query"), &key, &query).await.refused(404, "PROJECT_NOT_FOUND");
        world.post(&path(&world, "query"), "", &query).await.refused(401, "MISSING_CREDENTIALS");
    }
}
