//! Chart data through the router, on both stores: row rules, filters, errors.

use crate::testing::{ACME, GLOBEX, World, ids_of, on_both_stores};
use serde_json::{Value, json};

async fn ids(world: &World, token: &str, filters: &Value) -> Vec<i64> {
    let data = world.post(&world.chart_path("Orders"), token, &json!({ "filters": filters })).await.data();
    let rows = data["rows"].as_array().expect("rows").clone();
    rows.iter().map(|row| row[0].as_i64().expect("an id")).collect()
}

on_both_stores! {
    async fn viewers_see_their_own_rows_only(world) {
        for company in [ACME, GLOBEX, "nobody", "' OR '1'='1"] {
            let token = world.token(company).await;
            assert_eq!(ids(&world, &token, &json!({})).await, ids_of(company), "{company}");
        }
    }

    async fn the_answer_has_the_contract_s_shape(world) {
        let token = world.token(ACME).await;
        let data = world.post(&world.chart_path("Orders"), &token, &json!({})).await.data();
        let names: Vec<&Value> = data["columns"].as_array().expect("columns").iter().map(|column| &column["name"]).collect();
        assert_eq!(names, ["id", "region", "amount", "day"]);
        assert_eq!(data["rows"][2], json!([3, null, null, "2024-03-01"]));
        assert_eq!((&data["truncated"], &data["cached"]), (&json!(false), &json!(false)));
        let again = world.post(&world.chart_path("Orders"), &token, &json!({})).await.data();
        assert_eq!((&again["cached"], &again["durationMs"], &again["rows"]), (&json!(true), &json!(0), &data["rows"]));
    }

    async fn properties_are_read_at_query_time(world) {
        let token = world.token(ACME).await;
        let mut body = world.sign_in_body(ACME, "viewer");
        body["organization"]["properties"] = json!({"company": GLOBEX});
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        assert_eq!(ids(&world, &token, &json!({})).await, ids_of(GLOBEX));
        for value in [Value::Null, json!({"a": 1})] {
            body["organization"]["properties"] = json!({"company": value});
            world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
            world.post(&world.chart_path("Orders"), &token, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        }
    }

    async fn filters_narrow_and_never_widen(world) {
        let token = world.token(ACME).await;
        for (filters, expected) in [
            (json!({"filter_region": "north"}), vec![1]),
            (json!({"filter_region": ["north", "south"]}), vec![1, 2]),
            (json!({"filter_region": []}), vec![]),
            (json!({"f_warehouse.orders.region": "south"}), vec![2]),
            (json!({"filter_period": {"from": "2024-02-01"}}), vec![2, 3]),
            (json!({"filter_period": {"from": "2024-02-01", "to": "2024-03-01"}, "filter_region": "south"}), vec![2]),
            (json!({"f_warehouse.orders.company": GLOBEX}), vec![]),
            (json!({"f_warehouse.orders.nothing": "x", "filter_nothing": "x", "bogus": 1, "f_other.t.c": 2}), vec![1, 2, 3]),
            (json!({"filter_region": null}), vec![1, 2, 3]),
            (json!({"f_warehouse.rates.name": "EUR"}), vec![1, 2, 3]),
        ] {
            assert_eq!(ids(&world, &token, &filters).await, expected, "{filters}");
        }
        let path = world.chart_path("Orders");
        for bad in [json!({"filter_region": {}}), json!({"filter_region": [[1]]}), json!({"filter_period": {"relative": "last_year"}})] {
            world.post(&path, &token, &json!({ "filters": bad })).await.refused(400, "VALIDATION_FAILED");
        }
        for bad in [json!([]), json!("x"), json!(5)] {
            world.post(&path, &token, &json!({ "filters": bad })).await.refused(400, "VALIDATION_FAILED");
        }
    }

    async fn failures_say_nothing_of_the_database(world) {
        let token = world.token(ACME).await;
        let error = world.post(&world.chart_path("Notes"), &token, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        let told = error.to_string().to_lowercase();
        assert!(["notes", "select", "sqlite", "warehouse", "company"].iter().all(|word| !told.contains(word)), "{told}");
    }

    async fn a_key_has_no_user_so_ruled_tables_stay_closed(world) {
        world.post(&world.chart_path("Orders"), &world.key, &json!({})).await.refused(422, "ROW_RULE_UNRESOLVED");
        assert_eq!(world.post(&world.chart_path("Rates"), &world.key, &json!({})).await.data()["rows"], json!([["EUR", 1.0], ["GBP", 1.2]]));
    }

    async fn foreign_and_missing_ids_answer_alike(world) {
        let token = world.token(ACME).await;
        let path = world.chart_path("Rates");
        let (neighbour, foreign_key) = world.neighbour().await;
        let theirs = neighbour.applications["Orders"].id.to_string();
        let ours = world.applied.applications["Orders"].id.to_string();
        let other_application = path.replace(&ours, &world.applied.applications["Office"].id.to_string());
        for path in [path.replace(&ours, &theirs), path.replace(&ours, "01890000-0000-7000-8000-000000000000"), other_application] {
            world.post(&path, &token, &json!({})).await.refused(404, "NOT_FOUND");
        }
        world.post(&path, &foreign_key, &json!({})).await.refused(404, "NOT_FOUND");
        world.post(&path, "", &json!({})).await.refused(401, "MISSING_CREDENTIALS");
        world.post(&path.replace(&ours, "x"), &token, &json!({})).await.refused(400, "VALIDATION_FAILED");
    }
}
