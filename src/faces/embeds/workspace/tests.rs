//! The workspace's page through the router, on both stores: statuses, messages, headers, parameters.

use crate::testing::{ACME, GLOBEX, Reply, World, on_both_stores};
use axum::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

fn page(world: &World) -> String {
    format!("/share/workspace/{}/{}", world.applied.project_id, world.applied.workspaces["Ask"])
}

/// The JSON block with the page's data.
fn inlined(html: &str) -> Value {
    let start = html.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
    let end = html[start..].find("</script>").expect("its end") + start;
    serde_json::from_str(&html[start..end]).expect("JSON")
}

pub(super) async fn token(world: &World, company: &str, user: &str, role: Option<&str>) -> String {
    world.sign_in_as(company, user, role).await["token"].as_str().expect("a token").to_owned()
}

/// Asks a question as the page does. Returns the events of the answer.
pub(super) async fn ask(world: &World, token: &str, message: &str) -> Vec<Value> {
    let body = json!({"address": {"path": page(world), "search": ""}, "thread": null, "message": message, "replaces": null});
    let reply = world.post("/share/chat", token, &body).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    reply.events()
}

/// Calls a server function of the page.
pub(super) async fn call(world: &World, token: &str, function: &str, arguments: Value) -> Reply {
    let mut body = arguments;
    body["address"] = json!({"path": page(world), "search": ""});
    world.post(&format!("/share/fn/workspace/{function}"), token, &body).await
}

/// The chart of an answer, as the page identifies it.
async fn charted(world: &World, token: &str) -> Value {
    let events = ask(world, token, "orders by region").await;
    let chart = events.iter().find_map(|event| event.get("chart")).expect("a chart");
    assert!(chart["chart"]["shown"]["rows"]["drawing"].is_object(), "{chart}");
    chart["source"].clone()
}

on_both_stores! {
    async fn messages_have_their_status(world) {
        let good = world.token(ACME).await;
        let (neighbour, _) = world.neighbour().await;
        let (project, workspace) = (world.applied.project_id, world.applied.workspaces["Ask"]);
        let path = page(&world);
        for (address, status, message) in [
            (path.clone(), 401, "Invalid or missing token."),
            (format!("{path}?jwt=x"), 401, "Invalid or missing token."),
            (format!("{path}?jwt={good}x"), 401, "Invalid or missing token."),
            (format!("{path}?tokenHandoff=true&parentOrigin=nonsense"), 401, "Invalid or missing token."),
            (format!("/share/workspace/{project}/{}?jwt={good}", Uuid::now_v7()), 404, "Workspace not found."),
            (format!("/share/workspace/{project}/x?jwt={good}"), 404, "Workspace not found."),
            (format!("/share/workspace/{}/{workspace}?jwt={good}", neighbour.project_id), 404, "Workspace not found."),
            (format!("/share/workspace/{}/{}?jwt={good}", neighbour.project_id, neighbour.workspaces["Ask"]), 404, "Workspace not found."),
        ] {
            let reply = world.get(&address, "").await;
            assert_eq!(reply.status.as_u16(), status, "{address}");
            assert!(reply.text.contains(message) && !reply.text.contains("How many orders?"), "{address}");
        }
        world.apply(&World::project_file().replace("publish: true", "publish: false")).await.expect("applied");
        let reply = world.get(&format!("{path}?jwt={good}"), "").await;
        assert_eq!(reply.status.as_u16(), 200);
        assert!(reply.text.contains("This workspace has not been published"));
    }

    async fn pages_carry_the_contract_s_headers(world) {
        let good = world.token(ACME).await;
        for address in [format!("{}?jwt={good}", page(&world)), page(&world)] {
            let headers = world.get(&address, "").await.headers;
            let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
            assert_eq!((header("cache-control"), header("referrer-policy")), ("no-store".to_owned(), "no-referrer".to_owned()));
            let policy = header("content-security-policy");
            assert!(policy.contains("'nonce-") && !policy.contains("'unsafe-eval'"));
            assert!(policy.ends_with("frame-ancestors https://host.example"), "{policy}");
            assert!(!headers.contains_key("set-cookie") && !headers.contains_key("x-frame-options"));
        }
    }

    async fn the_console_may_frame_the_page_and_nobody_else_by_asking(world) {
        let own = &world.app.base_url;
        for (asking, end) in [(own.as_str(), format!("https://host.example {own}")), ("https://evil.example", "https://host.example".to_owned())] {
            let address = format!("{}?tokenHandoff=true&parentOrigin={}", page(&world), asking.replace(':', "%3A").replace('/', "%2F"));
            let headers = world.get(&address, "").await.headers;
            let policy = headers.get("content-security-policy").and_then(|value| value.to_str().ok()).unwrap_or_default();
            assert!(policy.ends_with(&format!("frame-ancestors {end}")), "{asking}: {policy}");
        }
    }

    async fn the_address_s_words_are_shown_and_stay_text(world) {
        let words = "%7B%22userName%22%3A%22%3Cimg%20src%3Dx%3E%22%2C%22inputPlaceholder%22%3A%22Ask%20Ada%22%7D";
        let starters = "%5B%22One%3C%2Fscript%3E%22%2C%22b%22%2C%22c%22%2C%22d%22%5D";
        let good = world.token(ACME).await;
        let address = format!("{}?jwt={good}&placeholderOverrides={words}&exampleQuestions={starters}&nav=canvas", page(&world));
        let text = world.get(&address, "").await.text;
        let content = inlined(&text);
        assert_eq!(content["content"]["workspace"]["starters"], json!(["One</script>", "b", "c"]));
        assert!(text.contains("placeholder=\"Ask Ada\"") && text.contains("Hello &lt;img src=x&gt;"));
        assert!(!text.contains("<img src=x>") && !text.contains("One</script>\""), "markup of the address");
        assert!(text.contains("aria-label=\"Canvas\"") && !text.contains(&good), "the panel is open, the token is not in the page");
    }

    async fn history_and_favorites_show_their_user_s_name(world) {
        let mut body = world.sign_in_body(ACME, "ada");
        body["user"]["name"] = json!("Ada Lovelace");
        let signed = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let token = signed["token"].as_str().expect("a token");
        for (panel, shows) in [("favorites", true), ("canvas", false)] {
            let text = world.get(&format!("{}?jwt={token}&nav={panel}", page(&world)), "").await.text;
            assert_eq!(text.contains("class=\"panel-owner\">Ada Lovelace<"), shows, "{panel}");
            assert_eq!(inlined(&text)["content"]["workspace"]["viewerName"], json!("Ada Lovelace"));
        }
    }

    async fn a_hand_off_page_waits_without_data(world) {
        let address = format!("{}?tokenHandoff=true&parentOrigin=https%3A%2F%2Fhost.example", page(&world));
        let reply = world.get(&address, "").await;
        assert_eq!((reply.status.as_u16(), &inlined(&reply.text)["content"]), (200, &json!("awaitingToken")));
        let good = world.token(ACME).await;
        let opened = call(&world, &good, "open", json!({})).await.json();
        assert_eq!(opened["page"]["content"]["workspace"]["name"], "Ask");
        assert_eq!(call(&world, "", "open", json!({})).await.status.as_u16(), 401);
        assert_eq!(call(&world, &world.key, "open", json!({})).await.status.as_u16(), 401);
    }

    async fn the_latest_thread_stands_in_the_first_html(world) {
        let good = world.token(ACME).await;
        charted(&world, &good).await;
        let address = format!("{}?jwt={good}", page(&world));
        let text = world.get(&address, "").await.text;
        assert!(text.contains("orders by region") && text.contains("preserveAspectRatio"), "the chart is drawn");
        let lower = text.to_lowercase();
        for word in ["select ", "sqloverride", "globex", "organization.company", "warehouse.db"] {
            assert!(!lower.contains(word), "the page holds {word:?}");
        }
        let fresh = world.get(&format!("{address}&prompt=Hello"), "").await.text;
        assert_eq!(inlined(&fresh)["content"]["workspace"]["thread"], Value::Null);
        let other = world.get(&format!("{}?jwt={}", page(&world), token(&world, ACME, "other", None).await), "").await.text;
        assert!(!other.contains("orders by region"));
    }

    async fn an_answer_streams_without_sql(world) {
        let good = world.token(ACME).await;
        let events = ask(&world, &good, "orders by region").await;
        let kinds: Vec<&String> = events.iter().filter_map(|event| event.as_object()?.keys().next()).collect();
        assert_eq!((kinds[0].as_str(), kinds[kinds.len() - 1].as_str()), ("begun", "over"), "{kinds:?}");
        assert!(kinds.iter().any(|kind| *kind == "prose") && kinds.iter().any(|kind| *kind == "chart"));
        assert_eq!(events[events.len() - 1], json!({"over": "done"}));
        let told = serde_json::to_string(&events).expect("JSON").to_lowercase();
        assert!(!told.contains("select ") && !told.contains("sqloverride"), "{told}");
        let body = json!({"address": {"path": page(&world), "search": ""}, "message": " ", "thread": null, "replaces": null});
        assert_eq!(world.post("/share/chat", &good, &body).await.json()["code"], "VALIDATION_FAILED");
        assert_eq!(world.post("/share/chat", "", &body).await.json()["code"], "MISSING_CREDENTIALS");
        assert_eq!(world.post("/share/chat", &good, &json!({})).await.status.as_u16(), 400);
    }

    async fn charts_are_kept_arranged_and_made_a_dashboard(world) {
        let editor = token(&world, ACME, "one", Some("Analyst")).await;
        let source = charted(&world, &editor).await;
        for place in ["favorites", "canvas"] {
            assert_eq!(call(&world, &editor, "pin", json!({"place": place, "source": source})).await.status.as_u16(), 200);
        }
        let second = charted(&world, &editor).await;
        call(&world, &editor, "pin", json!({"place": "canvas", "source": second})).await;
        let canvas = call(&world, &editor, "pins", json!({"place": "canvas"})).await.json();
        let ids: Vec<&Value> = canvas.as_array().expect("pins").iter().map(|pin| &pin["id"]).collect();
        assert_eq!(ids.len(), 2);
        assert!(canvas[0]["chart"]["shown"]["rows"]["data"]["rows"].is_array(), "{canvas}");
        let order = json!({"order": [[ids[1], true], [ids[0], false]]});
        assert_eq!(call(&world, &editor, "arrange", order.clone()).await.status.as_u16(), 200);
        let arranged = call(&world, &editor, "pins", json!({"place": "canvas"})).await.json();
        assert_eq!((&arranged[0]["id"], &arranged[0]["wide"]), (ids[1], &json!(true)));
        let stranger = token(&world, ACME, "two", Some("Analyst")).await;
        assert_eq!(call(&world, &stranger, "arrange", order).await.status.as_u16(), 404);
        assert_eq!(call(&world, &stranger, "unpin", json!({"pin": ids[0]})).await.status.as_u16(), 404);
        assert_eq!(call(&world, &stranger, "pin", json!({"place": "canvas", "source": source})).await.status.as_u16(), 404);
        assert_eq!(call(&world, &editor, "save-canvas", json!({"name": "Mine"})).await.status.as_u16(), 200);
        let path = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
        let listed = world.get(&path, &editor).await.data();
        let mine = listed["dashboards"].as_array().expect("dashboards").iter().find(|one| one["name"] == "Mine");
        assert_eq!(mine.expect("the dashboard")["kind"], "dashboard");
        let viewer = token(&world, ACME, "three", None).await;
        let refused = call(&world, &viewer, "save-canvas", json!({"name": "Mine"})).await;
        assert_eq!(refused.json()["code"], "VIEW_ONLY");
        call(&world, &editor, "unpin", json!({"pin": ids[0]})).await;
        assert_eq!(call(&world, &editor, "pins", json!({"place": "canvas"})).await.json().as_array().map(Vec::len), Some(1));
    }

    async fn a_canvas_becomes_a_dashboard_whole_or_not_at_all(world) {
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let body = json!({"name": "Creator", "permissions": {"addDashboard": true, "addChart": false}});
        let role = world.post(&path, &world.key, &body).await.data()["userRole"]["id"].clone();
        let mut sign_in = world.sign_in_body(ACME, "one");
        sign_in["user"]["userRoleId"] = role;
        let data = world.post("/v1/api/projects/embed-token", &world.key, &sign_in).await.data();
        let creator = data["token"].as_str().expect("a token").to_owned();
        let source = charted(&world, &creator).await;
        call(&world, &creator, "pin", json!({"place": "canvas", "source": source})).await;
        let dashboards = format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id);
        let charts = async || {
            let mut lease = world.app.db.read().await.expect("a connection");
            let sql = "SELECT COUNT(*) FROM charts";
            let count: i64 = crate::on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("counted");
            (count, world.get(&dashboards, &creator).await.data())
        };
        let before = charts().await;
        let refused = call(&world, &creator, "save-canvas", json!({"name": "Mine"})).await;
        assert_eq!((&refused.json()["code"], &refused.json()["details"]["permission"]), (&json!("PERMISSION_DENIED"), &json!("addChart")));
        assert_eq!(charts().await, before, "neither a dashboard nor a chart stays");
        let editor = token(&world, ACME, "one", Some("Analyst")).await;
        assert_eq!(call(&world, &editor, "save-canvas", json!({"name": "Mine"})).await.status.as_u16(), 200);
        let after = charts().await;
        assert_eq!(after.0, before.0 + 2, "one in the library, one on the dashboard");
        assert_eq!(after.1["dashboards"].as_array().map(Vec::len), before.1["dashboards"].as_array().map(|all| all.len() + 1));
    }

    async fn a_chart_is_saved_and_changed_by_its_reader_alone(world) {
        let one = token(&world, ACME, "one", None).await;
        let source = charted(&world, &one).await;
        let saved = call(&world, &one, "save-chart", json!({"source": source})).await;
        assert_eq!(saved.status.as_u16(), 200, "{}", saved.text);
        let change = json!({"source": source, "title": "By region", "kind": "pie"});
        let changed = call(&world, &one, "edit-chart", change.clone()).await.json();
        assert_eq!((&changed["chart"]["title"], &changed["chart"]["kind"]), (&json!("By region"), &json!("pie")), "{changed}");
        let address = format!("{}?jwt={one}", page(&world));
        assert!(world.get(&address, "").await.text.contains("By region"), "the change stays");
        let unfit = json!({"source": source, "title": "x", "kind": "sankey"});
        assert_eq!(call(&world, &one, "edit-chart", unfit).await.json()["code"], "CHART_UNFIT");
        let other = token(&world, ACME, "two", None).await;
        for (function, arguments) in [("edit-chart", change.clone()), ("save-chart", json!({"source": source}))] {
            assert_eq!(call(&world, &other, function, arguments).await.status.as_u16(), 404);
        }
        let roles = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let body = json!({"name": "Still", "permissions": {"canEditChartFromSession": false}});
        let role = world.post(&roles, &world.key, &body).await.data()["userRole"]["id"].clone();
        let mut sign_in = world.sign_in_body(ACME, "one");
        sign_in["user"]["userRoleId"] = role;
        let data = world.post("/v1/api/projects/embed-token", &world.key, &sign_in).await.data();
        let refused = call(&world, data["token"].as_str().expect("a token"), "edit-chart", change.clone()).await;
        assert_eq!(refused.json()["code"], "PERMISSION_DENIED");
        // An older token still holds the permission; the service checks the role.
        let late = call(&world, &one, "edit-chart", change).await;
        assert_eq!((late.status.as_u16(), &late.json()["code"]), (403, &json!("PERMISSION_DENIED")), "{}", late.text);
    }

    async fn threads_are_kept_by_their_user_alone(world) {
        let one = token(&world, ACME, "one", None).await;
        let events = ask(&world, &one, "How many orders?").await;
        let (thread, answer) = (&events[0]["begun"]["thread"], &events[0]["begun"]["answer"]);
        let listed = call(&world, &one, "threads", json!({"search": "MANY"})).await.json();
        assert_eq!((&listed[0]["title"], &listed[0]["day"]), (&json!("How many orders?"), &json!("Today")));
        assert_eq!(call(&world, &one, "rate", json!({"answer": answer, "helpful": true})).await.status.as_u16(), 200);
        let opened = call(&world, &one, "thread", json!({"thread": thread})).await.json();
        assert_eq!(opened["shown"]["turns"][0]["answer"]["helpful"], json!(true));
        let before_the_first = json!({"thread": thread, "before": events[0]["begun"]["question"]});
        let earlier = call(&world, &one, "earlier-turns", before_the_first).await.json();
        assert_eq!(earlier, json!({"turns": [], "hasEarlier": false}));
        let other = token(&world, GLOBEX, "one", None).await;
        for (function, arguments) in [
            ("thread", json!({"thread": thread})),
            ("earlier-turns", json!({"thread": thread, "before": events[0]["begun"]["question"]})),
            ("rename-thread", json!({"thread": thread, "title": "Mine"})),
            ("delete-thread", json!({"thread": thread})),
            ("rate", json!({"answer": answer, "helpful": false})),
        ] {
            assert_eq!(call(&world, &other, function, arguments).await.status.as_u16(), 404, "{function}");
        }
        assert_eq!(call(&world, &one, "rename-thread", json!({"thread": thread, "title": "Counted"})).await.status.as_u16(), 200);
        assert_eq!(call(&world, &one, "threads", json!({"search": "counted"})).await.json()[0]["title"], "Counted");
        assert_eq!(call(&world, &one, "delete-thread", json!({"thread": thread})).await.status.as_u16(), 200);
        assert_eq!(call(&world, &one, "thread", json!({"thread": thread})).await.status.as_u16(), 404);
        let allowed = world.call(Method::GET, "/share/fn/workspace/threads", &one, None).await;
        assert_eq!(allowed.status.as_u16(), 405);
    }
}
