//! Editing through the page's server functions, on both stores: own copies, permissions, conflicts, previews.

use crate::{
    on,
    testing::{ACME, GLOBEX, Reply, World, on_both_stores},
};
use serde_json::{Value, json};

/// A user with a role of exactly these permissions.
pub(super) async fn sign_in(world: &World, user: &str, permissions: &Value) -> String {
    let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
    let name = format!("Role of {user}");
    let role = world.post(&path, &world.key, &json!({"name": name, "permissions": permissions})).await.data();
    let mut body = world.sign_in_body(ACME, user);
    body["user"]["userRoleId"] = role["userRole"]["id"].clone();
    let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
    data["token"].as_str().expect("a token").to_owned()
}

pub(super) async fn analyst(world: &World, user: &str) -> String {
    world.sign_in_as(ACME, user, Some("Analyst")).await["token"].as_str().expect("a token").to_owned()
}

pub(super) fn scope(world: &World) -> Value {
    json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" })
}

pub(super) fn shared(world: &World) -> Value {
    json!(world.applied.dashboards["Orders/Overview"].id)
}

pub(super) fn chart(world: &World, name: &str) -> Value {
    json!(world.applied.dashboards["Orders/Overview"].charts[name])
}

/// A dashboard as the page opens it.
pub(super) async fn open(world: &World, token: &str, dashboard: &Value) -> Value {
    let request = json!({ "request": { "scope": scope(world), "dashboard": dashboard, "filters": {} } });
    let reply = world.post("/share/fn/open-dashboard", token, &request).await;
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    reply.json()["content"]["dashboard"].clone()
}

/// The body of a save without changes.
pub(super) fn unchanged(view: &Value) -> Value {
    let filters = view["filters"].as_array().expect("filters").iter().map(|filter| json!({"kept": {"key": filter["key"]}}));
    let tile = |tile: &Value| json!({"x": tile["x"], "y": tile["y"], "w": tile["w"], "h": tile["h"], "chart": {"kept": {"chart": tile["id"]}}});
    let tiles = view["tiles"].as_array().expect("tiles").iter().map(tile);
    json!({ "version": view["version"], "name": view["name"], "filters": filters.collect::<Value>(), "tiles": tiles.collect::<Value>() })
}

pub(super) async fn save(world: &World, token: &str, dashboard: &Value, edit: &Value) -> Reply {
    let body = json!({ "target": { "scope": scope(world), "dashboard": dashboard }, "edit": edit });
    world.post("/share/fn/save-dashboard", token, &body).await
}

#[track_caller]
pub(super) fn saved(reply: &Reply) -> Value {
    assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
    reply.json()
}

#[track_caller]
pub(super) fn refused(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status.as_u16(), reply.json()["code"].as_str()), (status, Some(code)), "{}", reply.text);
}

/// A chart with a question about the orders.
fn built(question: &Value) -> Value {
    json!({ "title": "Built", "type": "bar", "encoding": { "x": "region", "y": ["count"] }, "options": { "question": question } })
}

fn connection(world: &World) -> Value {
    json!(world.applied.connections["warehouse"])
}

async fn preview(world: &World, token: &str, chart: &Value) -> Reply {
    let target = json!({ "scope": scope(world), "dashboard": shared(world) });
    world
        .post("/share/fn/preview-chart", token, &json!({ "request": { "target": target, "chart": chart, "filters": {} } }))
        .await
}

on_both_stores! {
    async fn a_copy_refreshes_as_often_as_the_shared_dashboard(world) {
        let text = World::project_file().replacen("      - name: Overview\n", "      - name: Overview\n        refresh: 300\n", 1);
        world.apply(&text).await.unwrap_or_else(|problem| panic!("{problem}"));
        let ann = analyst(&world, "ann").await;
        let view = open(&world, &ann, &shared(&world)).await;
        let mut edit = unchanged(&view);
        edit["name"] = json!("Mine");
        let copy = saved(&save(&world, &ann, &shared(&world), &edit).await)["dashboard"].clone();
        let mine = open(&world, &ann, &copy).await;
        assert_eq!((&view["refresh"], &mine["refresh"], &mine["name"]), (&json!(300), &json!(300), &json!("Mine")));
    }

    async fn a_saved_edit_of_a_shared_dashboard_is_the_user_s_own_copy(world) {
        let ann = analyst(&world, "ann").await;
        let view = open(&world, &ann, &shared(&world)).await;
        let mut edit = unchanged(&view);
        edit["name"] = json!("  Mine ");
        edit["tiles"][0]["w"] = json!(5);
        let answer = saved(&save(&world, &ann, &shared(&world), &edit).await);
        assert_ne!(answer["dashboard"], shared(&world));
        let mine = open(&world, &ann, &shared(&world)).await;
        assert_eq!((&mine["id"], &mine["name"], &mine["tiles"][0]["w"]), (&answer["dashboard"], &json!("Mine"), &json!(5)));
        assert_eq!(mine["tiles"].as_array().map(Vec::len), Some(4));
        assert_eq!(answer["charts"][0], mine["tiles"][0]["id"]);
        assert_eq!(mine["version"], answer["version"]);
        let bob = analyst(&world, "bob").await;
        assert_eq!(open(&world, &bob, &shared(&world)).await["name"], "Overview");
        // A colleague can open the copy by its id, read-only.
        assert_eq!(open(&world, &bob, &answer["dashboard"]).await["version"], Value::Null);
        refused(&save(&world, &bob, &answer["dashboard"], &edit).await, 403, "NOT_DASHBOARD_OWNER");
        let body = world.sign_in_body(GLOBEX, "eve");
        let eve = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["token"].clone();
        refused(&save(&world, eve.as_str().expect("a token"), &answer["dashboard"], &edit).await, 404, "NOT_FOUND");
    }

    /// Each lifetime of its own would fill the results that all share.
    async fn a_page_does_not_say_how_long_rows_are_reused(world) {
        let flags = json!({"createChart": true, "createChartSQL": true, "removeChart": true});
        let ann = sign_in(&world, "ann", &flags).await;
        let mut edit = unchanged(&open(&world, &ann, &shared(&world)).await);
        let mut definition = built(&Value::Null);
        definition["sqlOverride"] = json!("select region, count(*) as count from orders group by region");
        definition["options"] = json!({});
        definition["cacheSeconds"] = json!(u32::MAX);
        edit["tiles"][0]["chart"] = json!({"made": {"connection": connection(&world), "definition": definition}});
        saved(&save(&world, &ann, &shared(&world), &edit).await);
        let mut lease = world.app.db.read().await.expect("a connection");
        let sql = "SELECT CAST(definition AS TEXT) FROM charts WHERE name = 'Built'";
        let stored: String = on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("the chart");
        assert!(!stored.contains("cacheSeconds"), "{stored}");
    }

    async fn the_later_of_two_saves_is_refused(world) {
        let ann = analyst(&world, "ann").await;
        let view = open(&world, &ann, &shared(&world)).await;
        let edit = unchanged(&view);
        let first = saved(&save(&world, &ann, &shared(&world), &edit).await);
        refused(&save(&world, &ann, &shared(&world), &edit).await, 409, "DASHBOARD_CHANGED");
        let mine = open(&world, &ann, &first["dashboard"]).await;
        let second = saved(&save(&world, &ann, &first["dashboard"], &unchanged(&mine)).await);
        assert_eq!(second["version"].as_i64(), first["version"].as_i64().map(|version| version + 1));
        assert_eq!(second["dashboard"], first["dashboard"]);
        refused(&save(&world, &ann, &first["dashboard"], &unchanged(&mine)).await, 409, "DASHBOARD_CHANGED");
    }

    async fn what_was_overtaken_can_still_be_saved_beside(world) {
        let ann = analyst(&world, "ann").await;
        let edit = unchanged(&open(&world, &ann, &shared(&world)).await);
        let first = saved(&save(&world, &ann, &shared(&world), &edit).await);
        let mut beside = edit.clone();
        beside["beside"] = json!(true);
        beside["name"] = json!("Mine as well");
        let second = saved(&save(&world, &ann, &shared(&world), &beside).await);
        assert_ne!(second["dashboard"], first["dashboard"]);
        let view = open(&world, &ann, &second["dashboard"]).await;
        assert_eq!((&view["name"], view["tiles"].as_array().map(Vec::len)), (&json!("Mine as well"), Some(4)));
        let mover = sign_in(&world, "mo", &json!({"editCharts": true, "addDashboard": false})).await;
        refused(&save(&world, &mover, &shared(&world), &beside).await, 403, "PERMISSION_DENIED");
    }

    async fn each_change_needs_its_own_flag(world) {
        let only = |flag: &str| {
            let flags = ["addChart", "addFilter", "createChart", "editCharts", "removeChart", "addDashboard", "canDuplicateDashboard"];
            flags.into_iter().map(|one| (one.to_owned(), json!(one == flag))).collect::<Value>()
        };
        let question = json!({"table": "orders", "dimensions": [{"column": "region"}], "measures": [{"aggregate": "count"}]});
        let place = |chart: Value| json!({"x": 0, "y": 20, "w": 6, "h": 4, "chart": chart});
        let library = json!(world.applied.charts["Rates"]);
        let changes: [(&str, Value); 4] = [
            ("addChart", place(json!({"picked": {"chart": library}}))),
            ("createChart", place(json!({"made": {"connection": connection(&world), "definition": built(&question)}}))),
            ("editCharts", Value::Null),
            ("removeChart", Value::Null),
        ];
        for (at, (flag, added)) in changes.iter().enumerate() {
            for granted in changes.iter().map(|(flag, _)| *flag) {
                let token = sign_in(&world, &format!("user {at} {granted}"), &only(granted)).await;
                let mut edit = unchanged(&open(&world, &token, &shared(&world)).await);
                let tiles = edit["tiles"].as_array_mut().expect("tiles");
                match *flag {
                    "removeChart" => drop(tiles.pop()),
                    "editCharts" => {
                        tiles[0]["chart"] = json!({"changed": {"chart": chart(&world, "Orders"), "definition":
                            {"title": "Renamed", "type": "line", "encoding": {"x": "id", "y": ["amount"]}}}});
                    }
                    _ => tiles.push(added.clone()),
                }
                let reply = save(&world, &token, &shared(&world), &edit).await;
                if granted == *flag { drop(saved(&reply)) } else { refused(&reply, 403, "PERMISSION_DENIED") }
            }
        }
        let viewer = world.token(ACME).await;
        let mut edit = unchanged(&open(&world, &viewer, &shared(&world)).await);
        assert_eq!(edit["version"], Value::Null, "a view-only user gets no version to edit");
        edit["version"] = json!(1);
        refused(&save(&world, &viewer, &shared(&world), &edit).await, 403, "VIEW_ONLY");
    }

    async fn sql_by_hand_needs_its_flag_and_passes_the_door(world) {
        let made = |sql: &str| json!({"made": {"connection": connection(&world), "definition":
            {"title": "By hand", "type": "table", "sqlOverride": sql}}});
        let without = analyst(&world, "ann").await;
        refused(&preview(&world, &without, &made("select id from orders")).await, 403, "PERMISSION_DENIED");
        let with = sign_in(&world, "sue", &json!({"createChart": true, "createChartSQL": true})).await;
        let rows = preview(&world, &with, &made("select id from orders order by id")).await.json();
        assert_eq!(rows["content"]["ready"]["data"]["rows"], json!([[1], [2], [3]]), "row rules hold: {rows}");
        for sql in ["select note from notes", "delete from orders", "select * from sqlite_master", "select 1; select 2", "x"] {
            let reply = preview(&world, &with, &made(sql)).await;
            let problem = reply.json()["content"]["failed"]["problem"]["code"].clone();
            assert!(["QUERY_FAILED", "ROW_RULE_UNRESOLVED"].contains(&problem.as_str().unwrap_or_default()), "{sql}: {}", reply.text);
        }
    }

    async fn a_question_is_answered_with_the_viewer_s_own_rows(world) {
        let ann = analyst(&world, "ann").await;
        let ask = |question: Value| json!({"made": {"connection": connection(&world), "definition": built(&question)}});
        let question = json!({"table": "orders", "dimensions": [{"column": "day", "grain": "quarter"}],
            "measures": [{"aggregate": "count"}, {"aggregate": "sum", "column": "amount"}],
            "filters": [{"column": "region", "value": ["north", "o'south", "south"]}]});
        let answer = preview(&world, &ann, &ask(question)).await.json();
        assert_eq!(answer["content"]["ready"]["data"]["rows"], json!([["2024-01-01", 2, 30.5]]), "{answer}");
        // The northern order, joined with each of its company's three: the condition does not narrow those.
        let pairs = json!({"table": "orders", "joins": [{"key": "company", "table": "orders", "column": "company"}],
            "measures": [{"aggregate": "count", "column": "id", "via": "company"}], "filters": [{"column": "region", "value": ["north"]}]});
        let answer = preview(&world, &ann, &ask(pairs)).await.json();
        assert_eq!(answer["content"]["ready"]["data"]["rows"], json!([[3]]), "{answer}");
        for question in [
            json!({"table": "notes", "dimensions": [{"column": "note"}]}),
            json!({"table": "orders", "dimensions": [{"column": "id\" from orders --"}]}),
            json!({"table": "orders", "dimensions": [{"column": "id"}], "filters": [{"column": "nothing", "value": 1}]}),
        ] {
            let answer = preview(&world, &ann, &ask(question.clone())).await;
            assert!(answer.json()["content"]["failed"].is_object(), "{question}: {}", answer.text);
        }
        let foreign = json!({"made": {"connection": "01890000-0000-7000-8000-000000000000", "definition":
            built(&json!({"table": "orders", "measures": [{"aggregate": "count"}]}))}});
        refused(&preview(&world, &ann, &foreign).await, 404, "NOT_FOUND");
    }

    async fn a_chart_is_changed_without_its_sql_being_told(world) {
        let ann = analyst(&world, "ann").await;
        let target = json!({ "scope": scope(&world), "dashboard": shared(&world) });
        let told = world.post("/share/fn/open-chart", &ann, &json!({ "target": target, "chart": chart(&world, "Orders") })).await;
        assert_eq!(told.json()["columns"], json!(["id", "region", "amount", "day"]), "{}", told.text);
        assert!(!told.text.to_lowercase().contains("select"), "{}", told.text);
        let mut edit = unchanged(&open(&world, &ann, &shared(&world)).await);
        edit["tiles"][0]["chart"] = json!({"changed": {"chart": chart(&world, "Orders"), "definition":
            {"title": "By region", "type": "bar", "encoding": {"x": "region", "y": ["amount"]}}}});
        let answer = saved(&save(&world, &ann, &shared(&world), &edit).await);
        let mine = open(&world, &ann, &answer["dashboard"]).await;
        assert_eq!(mine["tiles"][0]["face"], json!({"title": "By region", "type": "bar"}));
        assert_eq!(mine["tiles"][0]["content"]["ready"]["data"]["rows"].as_array().map(Vec::len), Some(3), "the query is the chart's own");
        assert_eq!(open(&world, &world.token(ACME).await, &shared(&world)).await["tiles"][0]["face"]["title"], "Orders");
    }

    async fn filters_are_added_by_who_may_and_keep_their_place(world) {
        let ann = analyst(&world, "ann").await;
        let mut edit = unchanged(&open(&world, &ann, &shared(&world)).await);
        let added = json!({"added": {"label": "Amount", "column": "warehouse.orders.amount", "control": "number-range"}});
        edit["filters"].as_array_mut().expect("filters").push(added);
        let answer = saved(&save(&world, &ann, &shared(&world), &edit).await);
        let filters = open(&world, &ann, &answer["dashboard"]).await["filters"].clone();
        let keys: Vec<&Value> = filters.as_array().expect("filters").iter().map(|filter| &filter["key"]).collect();
        assert_eq!(keys, ["region", "period", "amount"]);
        let bob = sign_in(&world, "bob", &json!({"addChart": true, "addFilter": false})).await;
        refused(&save(&world, &bob, &shared(&world), &edit).await, 403, "PERMISSION_DENIED");
    }

    async fn edits_that_do_not_fit_are_refused(world) {
        let ann = analyst(&world, "ann").await;
        let view = open(&world, &ann, &shared(&world)).await;
        for (pointer, value) in [("/name", json!(" ")), ("/tiles/0/w", json!(13)), ("/tiles/0/w", json!(0)), ("/tiles/0/x", json!(9)),
            ("/tiles/0/y", json!(20000)), ("/tiles/1/chart", json!({"kept": {"chart": chart(&world, "Orders")}}))] {
            let mut edit = unchanged(&view);
            *edit.pointer_mut(pointer).expect("a field") = value;
            let reply = save(&world, &ann, &shared(&world), &edit).await;
            refused(&reply, 400, "VALIDATION_FAILED");
        }
        let mut edit = unchanged(&view);
        edit["tiles"][0]["chart"] = json!({"kept": {"chart": "01890000-0000-7000-8000-000000000000"}});
        refused(&save(&world, &ann, &shared(&world), &edit).await, 409, "DASHBOARD_CHANGED");
    }

    async fn dashboards_are_made_duplicated_and_opened_first(world) {
        let ann = analyst(&world, "ann").await;
        let made = world.post("/share/fn/create-dashboard", &ann, &json!({ "scope": scope(&world), "name": "Empty" })).await;
        assert_eq!(open(&world, &ann, &made.json()).await["tiles"], json!([]));
        let target = json!({ "scope": scope(&world), "dashboard": shared(&world) });
        let twin = world.post("/share/fn/duplicate-dashboard", &ann, &json!({ "target": target, "name": "Twin" })).await.json();
        assert_eq!(open(&world, &ann, &twin).await["name"], "Twin");
        assert_eq!(open(&world, &ann, &shared(&world)).await["name"], "Overview", "a duplicate stands beside the original");
        let chosen = json!({ "target": { "scope": scope(&world), "dashboard": twin } });
        let reply = world.post("/share/fn/default-dashboard", &ann, &chosen).await;
        assert_eq!(reply.status.as_u16(), 200, "{}", reply.text);
        let application = world.applied.applications["Orders"].id;
        let page = |token: String| format!("/share/application/{application}?jwt={token}");
        assert!(world.get(&page(ann.clone()), "").await.text.contains("<h1>Twin</h1>"));
        assert!(world.get(&page(world.token(ACME).await), "").await.text.contains("<h1>Overview</h1>"), "others keep theirs");
        let viewer = sign_in(&world, "vic", &json!({"canSetDefaultDashboard": false})).await;
        let chosen = json!({ "target": { "scope": scope(&world), "dashboard": shared(&world) } });
        refused(&world.post("/share/fn/default-dashboard", &viewer, &chosen).await, 403, "PERMISSION_DENIED");
        refused(&world.post("/share/fn/create-dashboard", &viewer, &json!({ "scope": scope(&world), "name": "X" })).await, 403, "VIEW_ONLY");
    }

    async fn a_chart_is_built_of_measures_and_shows_the_user_s_own_rows(world) {
        let ann = analyst(&world, "ann").await;
        let by_place = |measure: &str| json!({ "measures": [measure], "dimensions": [{ "name": "orders.place" }] });
        let made = |query: Value| {
            let definition = json!({ "title": "By place", "type": "bar", "encoding": { "x": "place", "y": ["revenue"] }, "options": { "query": query } });
            json!({ "made": { "connection": connection(&world), "definition": definition } })
        };
        let shown = preview(&world, &ann, &made(by_place("revenue"))).await.json();
        let own = json!([["north", 10.5], ["nowhere", null], ["south", 20.0]]);
        assert_eq!(shown["content"]["ready"]["data"]["rows"], own);
        let odd = preview(&world, &ann, &made(by_place("profit"))).await.json();
        let told = odd["content"]["failed"]["problem"]["message"].as_str().unwrap_or_default();
        assert!(told.contains("there is no measure `profit`; the measures are mean_order,"), "{odd}");
        let mut edit = unchanged(&open(&world, &ann, &shared(&world)).await);
        edit["tiles"][0]["chart"] = made(by_place("profit"));
        assert_eq!(save(&world, &ann, &shared(&world), &edit).await.status.as_u16(), 422);
        edit["tiles"][0]["chart"] = made(by_place("revenue"));
        let answer = saved(&save(&world, &ann, &shared(&world), &edit).await);
        let mine = json!({ "scope": scope(&world), "dashboard": answer["dashboard"] });
        let opened = world.post("/share/fn/open-chart", &ann, &json!({ "target": mine, "chart": answer["charts"][0] })).await.json();
        assert_eq!(opened["definition"]["options"]["query"], by_place("revenue"), "{opened}");
        assert_eq!(opened["columns"], json!(["place", "revenue"]));
    }

    async fn the_model_is_on_offer_with_what_each_measure_is_made_of(world) {
        let ann = analyst(&world, "ann").await;
        let target = json!({ "target": { "scope": scope(&world), "dashboard": shared(&world) } });
        let offered = world.post("/share/fn/offered-tables", &ann, &target).await.json();
        let model = &offered[0]["model"];
        let told = |list: &Value, last: &str| -> Vec<String> {
            let list = list.as_array().expect("a list").iter();
            list.map(|one| format!("{} {} {}", one["name"], one["label"], one[last]).replace('"', "")).collect()
        };
        let numbers = ["mean_order Revenue of an order [orders]", "mean_rate mean_rate [rates]", "order_count order_count [orders]", "revenue Revenue [orders]"];
        assert_eq!(told(&model["numbers"], "facts"), numbers);
        let own = json!([{ "table": "orders", "via": "", "isOnly": true }]);
        let orders = &model["tables"][0];
        assert_eq!((&orders["name"], &orders["time"], &orders["ways"]), (&json!("orders"), &json!("day"), &own));
        assert_eq!(told(&orders["dimensions"], "kind"), ["place Place text", "day day date", "id id number"]);
        assert_eq!(model["tables"][1]["time"], json!(null));
        assert_eq!(model["tables"].as_array().map(Vec::len), Some(2), "a table without a rule is not on offer");
    }

    async fn the_library_and_the_tables_show_what_the_user_may_take(world) {
        let ann = analyst(&world, "ann").await;
        let target = json!({ "target": { "scope": scope(&world), "dashboard": shared(&world) } });
        let library = world.post("/share/fn/chart-library", &ann, &target).await.json();
        let titles: Vec<&Value> = library.as_array().expect("charts").iter().map(|chart| &chart["face"]["title"]).collect();
        assert_eq!(titles, ["Count", "Notes", "Orders", "Rates"]);
        let tables = world.post("/share/fn/offered-tables", &ann, &target).await.json();
        let names: Vec<&Value> = tables[0]["tables"].as_array().expect("tables").iter().map(|table| &table["name"]).collect();
        assert_eq!(names, ["orders", "rates"], "a table without a rule is not on offer");
        let orders = &tables[0]["tables"][0];
        assert!(!orders.to_string().contains("place"), "no chart of the dashboard queries the model: {orders}");
        let viewer = world.token(ACME).await;
        refused(&world.post("/share/fn/chart-library", &viewer, &target).await, 403, "VIEW_ONLY");
        refused(&world.post("/share/fn/offered-tables", &viewer, &target).await, 403, "VIEW_ONLY");
    }
}
