//! The pages through the router, on both stores: statuses, messages, headers, charts in the first HTML.

use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};

fn overview(world: &World) -> (String, String) {
    let application = world.applied.applications["Orders"].id;
    (format!("/share/application/{application}"), world.applied.dashboards["Orders/Overview"].id.to_string())
}

/// The JSON block with the page's data.
fn inlined(html: &str) -> Value {
    let start = html.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
    let end = html[start..].find("</script>").expect("its end") + start;
    serde_json::from_str::<Value>(&html[start..end]).expect("JSON")["content"].clone()
}

/// The dashboard that is open on the page.
fn opened(html: &str) -> Value {
    inlined(html)["content"]["application"]["dashboard"].clone()
}

on_both_stores! {
    async fn charts_are_drawn_in_the_first_html(world) {
        let (path, _) = overview(&world);
        let page = world.get(&format!("{path}?jwt={}", world.token(ACME).await), "").await;
        assert_eq!(page.status.as_u16(), 200);
        let tiles = opened(&page.text)["tiles"].clone();
        let state = |tile: &Value| tile["content"].as_object().and_then(|content| content.keys().next().cloned());
        let states: Vec<String> = tiles.as_array().expect("tiles").iter().filter_map(state).collect();
        assert_eq!(states, ["ready", "ready", "ready", "failed"], "one failed chart leaves the others as they are");
        assert_eq!(page.text.matches("preserveAspectRatio").count(), 2, "a bar chart and a line chart");
        assert!(!page.text.contains(&world.token(ACME).await), "the token is not in the page");
    }

    async fn the_page_holds_no_sql_and_no_foreign_rows(world) {
        let (path, _) = overview(&world);
        let page = world.get(&format!("{path}?jwt={}", world.token(GLOBEX).await), "").await;
        let text = page.text.to_lowercase();
        for word in ["select id", "select count", "select name", "sqloverride", "from orders", "organization.company", "sqlite", "warehouse.db", "acme", "nobody may read"] {
            assert!(!text.contains(word), "the page holds {word:?}");
        }
    }

    async fn messages_have_their_status(world) {
        let (path, dashboard) = overview(&world);
        let token = world.token(ACME).await;
        let desk = world.applied.dashboards["Office/Desk"].id;
        for (address, status, message) in [
            (path.clone(), 401, "Invalid or missing token."),
            (format!("{path}?jwt=x"), 401, "Invalid or missing token."),
            (format!("{path}?jwt={token}x"), 401, "Invalid or missing token."),
            (format!("{path}?tokenHandoff=true"), 401, "Invalid or missing token."),
            (format!("{path}?tokenHandoff=true&parentOrigin=javascript:alert(1)"), 401, "Invalid or missing token."),
            (format!("{path}?jwt={token}&dashboardId={desk}"), 404, "Dashboard not found."),
            (format!("{path}?jwt={token}&dashboardId=x"), 404, "Dashboard not found."),
            (format!("{path}?jwt={token}&dashboardId=01890000-0000-7000-8000-000000000000"), 404, "Dashboard not found."),
            (format!("/share/application/{dashboard}?jwt={token}"), 404, "Dashboard not found."),
            (format!("/share/dashboard/x?jwt={token}"), 404, "Dashboard not found."),
        ] {
            let page = world.get(&address, "").await;
            assert_eq!(page.status.as_u16(), status, "{address}");
            assert!(page.text.contains(message) && !page.text.contains("Overview"), "{address}");
        }
    }

    async fn both_generations_of_ids_open_a_dashboard(world) {
        let token = world.token(ACME).await;
        let ids = &world.applied.dashboards["Orders/More"];
        for id in [ids.id, ids.legacy_dashboard_id.expect("a v1 id")] {
            let page = world.get(&format!("/share/dashboard/{id}?jwt={token}"), "").await;
            assert_eq!(opened(&page.text)["name"], "More");
        }
    }

    async fn a_page_of_a_neighbour_does_not_open(world) {
        let (neighbour, _) = world.neighbour().await;
        let token = world.token(ACME).await;
        let page = world.get(&format!("/share/application/{}?jwt={token}", neighbour.applications["Orders"].id), "").await;
        assert_eq!(page.status.as_u16(), 404);
    }

    async fn pages_carry_the_contract_s_headers(world) {
        let (path, _) = overview(&world);
        for address in [format!("{path}?jwt={}", world.token(ACME).await), path.clone()] {
            let headers = world.get(&address, "").await.headers;
            let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
            assert_eq!((header("cache-control"), header("referrer-policy")), ("no-store".to_owned(), "no-referrer".to_owned()));
            let policy = header("content-security-policy");
            assert!(policy.contains("'nonce-") && policy.contains("'wasm-unsafe-eval'") && !policy.contains("'unsafe-eval'"));
            assert!(policy.ends_with("frame-ancestors https://host.example"), "{policy}");
            assert!(!headers.contains_key("set-cookie") && !headers.contains_key("x-frame-options"));
        }
    }

    async fn a_hand_off_page_waits_without_data(world) {
        let (path, _) = overview(&world);
        let page = world.get(&format!("{path}?tokenHandoff=true&parentOrigin=https%3A%2F%2Fhost.example"), "").await;
        assert_eq!((page.status.as_u16(), &inlined(&page.text)["content"]), (200, &json!("awaitingToken")));
    }

    async fn filters_of_the_address_narrow_and_defaults_apply(world) {
        let (path, dashboard) = overview(&world);
        let token = world.token(ACME).await;
        let address = format!("{path}?jwt={token}&dashboardId={dashboard}&filter_region=%22north%22&filter_nothing=1&filter_period=oops");
        let text = world.get(&address, "").await.text;
        assert_eq!(inlined(&text)["parameters"]["filters"], json!({"filter_region": "north"}));
        let tiles = opened(&text)["tiles"].clone();
        assert_eq!(tiles[0]["content"]["ready"]["data"]["rows"].as_array().expect("rows").len(), 1);
        assert_eq!(tiles[0]["filterKeys"], json!(["filter_region", "filter_period"]));
        assert_eq!(tiles[2]["filterKeys"], json!([]));
    }

    async fn server_functions_take_the_token_from_the_header(world) {
        let application = world.applied.applications["Orders"].id;
        let dashboard = &world.applied.dashboards["Orders/Overview"];
        let request = json!({ "request": {
            "scope": { "application": application, "timezone": "UTC", "locale": "en" }, "dashboard": dashboard.id, "chart": dashboard.charts["Orders"],
            "filters": { "filter_region": "south" },
        } });
        let token = world.token(ACME).await;
        let answer = world.post("/share/fn/tile-data", &token, &request).await;
        assert_eq!(answer.json()["content"]["ready"]["data"]["rows"].as_array().map(Vec::len), Some(1), "{}", answer.text);
        let refused = world.post("/share/fn/tile-data", "", &request).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (401, &json!("MISSING_CREDENTIALS")));
        let refused = world.post("/share/fn/tile-data", &world.key, &request).await;
        assert_eq!(refused.status.as_u16(), 401, "an API key opens no page");
        let choices = json!({ "request": {
            "scope": { "application": application, "timezone": "UTC", "locale": "en" }, "dashboard": dashboard.id, "key": "region", "search": "" }});
        let offered = world.post("/share/fn/filter-choices", &token, &choices).await.json();
        assert_eq!(offered.as_array().map(|all| all.iter().filter(|choice| !choice["value"].is_null()).count()), Some(2), "{offered}");
    }

    async fn a_filter_without_its_column_fails_alone(world) {
        let application = world.applied.applications["Orders"].id;
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        let token = world.token(ACME).await;
        let choices = |key: &str| json!({ "request": {
            "scope": { "application": application, "timezone": "UTC", "locale": "en" }, "dashboard": dashboard, "key": key, "search": "" }});
        let hide = "rowRule: \"company = {{organization.company}}\", columns: { region: { hidden: true } } }";
        let hidden = World::project_file().replacen("rowRule: \"company = {{organization.company}}\" }", hide, 1)
            .replacen("sql: \"select id, region, amount, day", "sql: \"select id, amount, day", 1)
            .replacen("          - { key: region, label: Region, column: warehouse.orders.region, control: select }\n", "", 1);
        let told = async |key: &str| {
            let refused = world.post("/share/fn/filter-choices", &token, &choices(key)).await;
            (refused.status.as_u16(), refused.json()["code"].clone())
        };
        assert_eq!(told("gone").await, (422, json!("FILTER_UNAVAILABLE")));
        assert_eq!(told("f_other.orders.region").await, (422, json!("FILTER_UNAVAILABLE")));
        world.apply(&hidden).await.unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(told("f_warehouse.orders.region").await, (422, json!("FILTER_UNAVAILABLE")));
        let page = world.get(&format!("/share/application/{application}?jwt={token}"), "").await;
        assert_eq!(page.status.as_u16(), 200, "{}", page.text);
    }

    async fn a_chart_is_drawn_for_the_size_that_a_page_has(world) {
        let application = world.applied.applications["Orders"].id;
        let dashboard = &world.applied.dashboards["Orders/Overview"];
        let request = |chart: &str, size: (u32, u32)| json!({ "request": {
            "tile": { "scope": { "application": application, "timezone": "UTC", "locale": "en" }, "dashboard": dashboard.id, "chart": dashboard.charts[chart],
                "filters": {} },
            "size": size } });
        let token = world.token(ACME).await;
        let picture = world.post("/share/fn/tile-picture", &token, &request("Orders", (905, 301))).await.json();
        let picture = picture.as_str().expect("a picture").to_owned();
        assert!(picture.starts_with("<svg") && picture.contains("viewBox=\"0 0 896 304\""), "{picture}");
        let failed = world.post("/share/fn/tile-picture", &token, &request("Notes", (905, 301))).await;
        assert_eq!((failed.status.as_u16(), &failed.json()["code"]), (422, &json!("ROW_RULE_UNRESOLVED")));
        let refused = world.post("/share/fn/tile-picture", "", &request("Orders", (905, 301))).await;
        assert_eq!(refused.status.as_u16(), 401);
    }
}
