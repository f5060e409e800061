//! Every list of the API comes in parts for those who ask for them: `limit`, `after`, `next`.

use crate::{
    faces::docs::DOCUMENT,
    testing::{
        ACME, World,
        endpoints::{Endpoint, Takes, endpoints},
        on_both_stores,
    },
};
use axum::http::Method;
use serde_json::{Value, json};

/// The entries of a list's answer.
fn entries(data: &Value) -> Vec<Value> {
    let lists = data.as_object().expect("an object").values().filter_map(Value::as_array);
    lists.max_by_key(|list| list.len()).cloned().unwrap_or_default()
}

/// Every list with a credential that it takes.
async fn lists(world: &World) -> Vec<(Endpoint, String)> {
    let (all, token) = endpoints(world).await;
    // A list of messages has some.
    for tried in all.iter().filter(|one| one.path.ends_with("/test")) {
        for _ in 0..3 {
            world.post(&tried.path, &world.key, &json!({})).await.data();
        }
    }
    let lists = all
        .into_iter()
        .filter(|one| one.method == Method::GET && !one.path.contains("/lookup?") && !one.path.ends_with("/model"));
    lists.map(|one| if one.takes == Takes::Viewer { (one, token.clone()) } else { (one, world.key.clone()) }).collect()
}

/// All entries of a list, one at a time. `meanwhile` is called before each part but the first.
async fn one_by_one(world: &World, list: &Endpoint, credential: &str, mut meanwhile: impl AsyncFnMut(usize)) -> Vec<Value> {
    let (mut found, mut after) = (Vec::new(), None::<String>);
    loop {
        let path = list.with_query("limit", "1");
        let path = after.as_ref().map_or_else(|| path.clone(), |after| format!("{path}&after={after}"));
        let data = world.get(&path, credential).await.data();
        let part = entries(&data);
        assert!(part.len() <= 1, "{path}: {data}");
        found.extend(part);
        match data["next"].as_str() {
            None => return found,
            Some(next) => after = Some(next.to_owned()),
        }
        assert!(found.len() < 100, "{path} has no end");
        meanwhile(found.len()).await;
    }
}

on_both_stores! {
    async fn every_list_takes_limit_and_after(world) {
        let (mut described, mut asked) = (0, 0);
        for (path, operations) in DOCUMENT["paths"].as_object().expect("paths") {
            let parameters = operations["get"]["parameters"].as_array().cloned().unwrap_or_default();
            let has = |name: &str| parameters.iter().any(|one| one["name"] == json!(name));
            assert_eq!(has("limit"), has("after"), "{path}");
            described += usize::from(has("limit"));
        }
        for (list, credential) in lists(&world).await {
            asked += 1;
            let first = world.get(&list.with_query("limit", "500"), &credential).await.data();
            assert!(!entries(&first).is_empty() && first["next"].is_null(), "{}: {first}", list.path);
            for (field, bad) in [
                ("limit", "0"), ("limit", "501"), ("limit", "-1"), ("limit", "1.5"), ("limit", "ten"), ("limit", ""),
                ("limit", "99999999999999999999"), ("after", ""), ("after", "x"), ("after", "W10"), ("after", "WyJ4IixudWxsXQ"),
            ] {
                let error = world.get(&list.with_query(field, bad), &credential).await.refused(400, "VALIDATION_FAILED");
                assert!(error["details"][field].is_string(), "{} {field}={bad}: {error}", list.path);
            }
        }
        assert_eq!(described, asked, "the description, and the lists of the table of endpoints");
    }

    async fn parts_together_are_the_whole_list(world) {
        for name in ["Crew", "Desk"] {
            let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
            world.post(&path, &world.key, &json!({"name": name, "permissions": {}})).await.data();
        }
        for (list, credential) in lists(&world).await {
            let mut whole = entries(&world.get(&list.path, &credential).await.data());
            let mut parts = one_by_one(&world, &list, &credential, async |_| {}).await;
            if list.path.contains("list-workspaces") {
                // Its parts are in the order of the ids.
                assert!(parts.is_sorted_by_key(|one| one["workspace_id"].to_string()), "{parts:?}");
                let id = |one: &Value| one["workspace_id"].to_string();
                whole.sort_by_key(id);
                parts.sort_by_key(id);
            }
            assert_eq!(parts, whole, "{}", list.path);
        }
    }

    async fn a_cursor_of_one_list_is_none_of_another(world) {
        let roles = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        world.post(&roles, &world.key, &json!({"name": "Crew", "permissions": {}})).await.data();
        let next = world.get(&format!("{roles}?limit=1"), &world.key).await.data()["next"].clone();
        let next = next.as_str().expect("more roles");
        world.get(&format!("{roles}?after={next}"), &world.key).await.data();
        let refused = world.get(&format!("/v2/api/applications?after={next}"), &world.key).await;
        refused.refused(400, "VALIDATION_FAILED");
    }

    async fn entries_that_come_and_go_move_no_others(world) {
        let dashboards = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
        let mut last = Value::Null;
        for name in ["One", "Two", "Three", "Four"] {
            last = world.post(&dashboards, &world.key, &json!({"name": name})).await.data()["dashboardId"].clone();
        }
        let viewer = world.token(ACME).await;
        let list = endpoints(&world).await.0.into_iter().find(|one| one.method == Method::GET && one.path == dashboards);
        let list = list.expect("the list of dashboards");
        let before: Vec<Value> = entries(&world.get(&dashboards, &viewer).await.data());
        let remove = async |id: &Value| {
            let mut tx = world.app.db.write().await.expect("a transaction");
            let id = id.as_str().expect("an id").parse().expect("an id");
            crate::concepts::dashboards::delete(&mut tx.conn(), id).await.expect("deleted");
            tx.commit().await.expect("committed");
        };
        let walked = one_by_one(&world, &list, &viewer, async |read| match read {
            // What was read last goes, and its place with it.
            2 => remove(&before[1]["id"]).await,
            3 => {
                world.post(&dashboards, &world.key, &json!({"name": "Late"})).await.data();
            }
            4 => remove(&last).await,
            _ => {}
        }).await;
        let names: Vec<&str> = walked.iter().map(|one| one["name"].as_str().expect("a name")).collect();
        let expected: Vec<&str> = before.iter().map(|one| one["name"].as_str().expect("a name")).filter(|name| *name != "Four").chain(["Late"]).collect();
        assert_eq!(names, expected);
    }
}
