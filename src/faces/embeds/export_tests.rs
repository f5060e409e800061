//! Files through the page's server functions, on both stores: what they are, and for whom.

use crate::testing::{ACME, Reply, World, on_both_stores};
use serde_json::{Value, json};

fn scope(world: &World) -> Value {
    json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" })
}

fn dashboard(world: &World) -> Value {
    json!({ "request": { "scope": scope(world), "dashboard": world.applied.dashboards["Orders/Overview"].id, "filters": {} } })
}

fn chart(world: &World, name: &str) -> Value {
    let overview = &world.applied.dashboards["Orders/Overview"];
    json!({ "request": { "scope": scope(world), "dashboard": overview.id, "chart": overview.charts[name], "filters": {} } })
}

/// A call of a workspace's page.
async fn of_workspace(world: &World, token: &str, call: &str, mut arguments: Value) -> Reply {
    let path = format!("/share/workspace/{}/{}", world.applied.project_id, world.applied.workspaces["Ask"]);
    arguments["address"] = json!({"path": path, "search": ""});
    world.post(&format!("/share/{call}"), token, &arguments).await
}

/// Asks for a chart in a conversation. Returns its thread, and what identifies the chart.
async fn charted(world: &World, token: &str) -> (Value, Value) {
    let question = json!({"thread": null, "message": "orders by region", "replaces": null});
    let events = of_workspace(world, token, "chat", question).await.events();
    let found = |name: &str| events.iter().find_map(|event| event.get(name)).expect(name).clone();
    (found("begun")["thread"].clone(), found("chart")["source"].clone())
}

#[track_caller]
fn is_book(reply: &Reply) {
    assert!(reply.json().as_str().is_some_and(|file| file.starts_with("UEsDB")), "a workbook in base64: {}", reply.text);
}

on_both_stores! {
    async fn a_dashboard_is_a_pdf_and_a_chart_a_workbook(world) {
        let token = world.token(ACME).await;
        let pdf = world.post("/share/fn/dashboard-file", &token, &dashboard(&world)).await.json();
        assert!(pdf.as_str().is_some_and(|file| file.starts_with("JVBERi0") && file.len() > 5_000), "a PDF in base64: {pdf}");
        let book = world.post("/share/fn/chart-file", &token, &chart(&world, "Orders")).await.json();
        assert!(book.as_str().is_some_and(|file| file.starts_with("UEsDB")), "a workbook in base64: {book}");
    }

    async fn a_chart_that_is_html_is_a_picture_of_what_its_viewer_sees(world) {
        let token = world.token(ACME).await;
        let rows = world.post("/share/fn/tile-data", &token, &chart(&world, "Count")).await.json();
        let count = rows["content"]["ready"]["data"]["rows"][0][0].to_string();
        let request = |name: &str| json!({ "request": { "tile": chart(&world, name)["request"], "size": [720, 720] } });
        let picture = world.post("/share/fn/tile-picture", &token, &request("Count")).await.json();
        let picture = picture.as_str().expect("a picture");
        assert!(picture.starts_with("<svg") && picture.contains("width=\"360\""), "{picture}");
        assert!(picture.contains(">Count</text>") && picture.contains(&format!(">{count}</text>")), "{picture}");
        let closed = world.post("/share/fn/tile-picture", &token, &request("Notes")).await;
        assert_eq!((closed.status.as_u16(), &closed.json()["code"]), (422, &json!("ROW_RULE_UNRESOLVED")));
    }

    async fn files_are_for_those_who_may_and_of_what_they_see(world) {
        let refused = world.post("/share/fn/dashboard-file", "", &dashboard(&world)).await;
        assert_eq!(refused.status.as_u16(), 401);
        let closed = world.post("/share/fn/chart-file", &world.token(ACME).await, &chart(&world, "Notes")).await;
        assert_eq!((closed.status.as_u16(), &closed.json()["code"]), (422, &json!("ROW_RULE_UNRESOLVED")));
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let role = json!({"name": "No downloads", "permissions": {"hideDownloadButton": true}});
        let role = world.post(&path, &world.key, &role).await.data()["userRole"]["id"].clone();
        let mut body = world.sign_in_body(ACME, "nobody");
        body["user"]["userRoleId"] = role;
        let signed = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let token = signed["token"].as_str().expect("a token").to_owned();
        let refused = world.post("/share/fn/dashboard-file", &token, &dashboard(&world)).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("PERMISSION_DENIED")));
    }

    async fn a_chart_of_a_conversation_has_the_files_of_one_on_a_dashboard(world) {
        let token = world.token(ACME).await;
        let (thread, source) = charted(&world, &token).await;
        let answer = json!({"chart": {"answer": source}});
        is_book(&of_workspace(&world, &token, "fn/workspace/chart-file", answer.clone()).await);
        let picture = of_workspace(&world, &token, "fn/workspace/chart-picture", answer.clone()).await.json();
        assert!(picture.as_str().is_some_and(|svg| svg.starts_with("<svg")), "{picture}");
        // Charts that are HTML on the page are drawn with their title.
        for kind in ["number", "table"] {
            let edit = json!({"source": source, "title": "By region", "kind": kind});
            let edited = of_workspace(&world, &token, "fn/workspace/edit-chart", edit).await;
            assert_eq!(edited.status.as_u16(), 200, "{}", edited.text);
            let picture = of_workspace(&world, &token, "fn/workspace/chart-picture", answer.clone()).await.json();
            assert!(picture.as_str().is_some_and(|svg| svg.contains(">By region</text>")), "{kind}: {picture}");
        }
        // A pin outlives its conversation.
        let pin = json!({"place": "favorites", "source": source});
        assert_eq!(of_workspace(&world, &token, "fn/workspace/pin", pin).await.status.as_u16(), 200);
        let pins = of_workspace(&world, &token, "fn/workspace/pins", json!({"place": "favorites"})).await.json();
        let pinned = json!({"chart": {"pin": pins[0]["id"]}});
        assert_eq!(of_workspace(&world, &token, "fn/workspace/delete-thread", json!({"thread": thread})).await.status.as_u16(), 200);
        is_book(&of_workspace(&world, &token, "fn/workspace/chart-file", pinned.clone()).await);
        let other = world.sign_in_as(ACME, "other", None).await["token"].as_str().expect("a token").to_owned();
        for (token, chart) in [(&token, &answer), (&other, &answer), (&other, &pinned)] {
            for call in ["chart-file", "chart-picture"] {
                let reply = of_workspace(&world, token, &format!("fn/workspace/{call}"), chart.clone()).await;
                assert_eq!((reply.status.as_u16(), &reply.json()["code"]), (404, &json!("NOT_FOUND")), "{call} {chart}");
            }
        }
    }

    async fn what_a_page_shows_of_an_answer_becomes_its_files(world) {
        let token = world.token(ACME).await;
        let shown = world.post("/share/fn/tile-data", &token, &chart(&world, "Count")).await.json();
        let data = &shown["content"]["ready"]["data"];
        let book = json!({"scope": scope(&world), "title": "Shown", "data": data});
        is_book(&world.post("/share/fn/rows-file", &token, &book).await);
        let count = json!({"title": "Shown", "type": "number", "encoding": {"value": data["columns"][0]["name"]}}).to_string();
        let picture = json!({"scope": scope(&world), "definition": count, "data": data});
        let drawn = world.post("/share/fn/shown-picture", &token, &picture).await.json();
        assert!(drawn.as_str().is_some_and(|svg| svg.contains(">Shown</text>")), "{drawn}");
        // A page can send anything.
        let of = |rows: Value| {
            let mut data = data.clone();
            data["columns"] = json!([{"name": "a", "type": "text"}, {"name": "b", "type": "number"}]);
            data["rows"] = rows;
            data
        };
        for (kind, rows) in [("table", json!([["<b>", 1], ["x"], [], [1, 2, 3]])), ("pivot", json!([["<b>", 1]]))] {
            let encoding = if kind == "pivot" { json!({"rows": ["a"], "columns": ["a"], "value": "b"}) } else { json!({}) };
            let ragged = json!({"title": "<&>", "type": kind, "encoding": encoding}).to_string();
            let ragged = json!({"scope": scope(&world), "definition": ragged, "data": of(rows)});
            let drawn = world.post("/share/fn/shown-picture", &token, &ragged).await;
            assert!(drawn.status.as_u16() == 200 && drawn.text.contains("&lt;&amp;&gt;"), "{kind}: {}", drawn.text);
        }
        let ragged = json!({"title": "T", "type": "pivot", "encoding": {"rows": ["a"], "columns": ["a"], "value": "b"}}).to_string();
        let ragged = json!({"scope": scope(&world), "definition": ragged, "data": of(json!([["x", 1], [], ["y"]]))});
        let drawn = world.post("/share/fn/shown-picture", &token, &ragged).await.json();
        assert!(drawn.as_str().is_some_and(|svg| svg.starts_with("<svg")), "rows without a value for each column: {drawn}");
        for other in ["{}", "", r#"{"title": "T", "type": "bar", "encoding": {"x": "a", "y": ["b"]}}"#] {
            let body = json!({"scope": scope(&world), "definition": other, "data": of(json!([["x", 1]]))});
            assert_eq!(world.post("/share/fn/shown-picture", &token, &body).await.json(), Value::Null, "{other}");
        }
        for (call, body) in [("rows-file", &book), ("shown-picture", &picture)] {
            assert_eq!(world.post(&format!("/share/fn/{call}"), "", body).await.status.as_u16(), 401);
        }
    }
}
