//! Choosing tables, models, examples and their evaluation, copies, and the editor of shared dashboards.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    faces::background,
    testing::{ACME, Reply, StoreKind, World, on_both_stores},
};
use axum::http::Method;
use inlay_contract::ids::DashboardId;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

fn project(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/{rest}", world.applied.project_id)
}

fn dashboard(world: &World) -> (String, DashboardId) {
    let id = world.applied.dashboards["Orders/Overview"].id;
    let path = format!("applications/{}/dashboards/{id}", world.applied.applications["Orders"].id);
    (project(world, &path), id)
}

async fn ada(world: &World) -> String {
    world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned()
}

/// A model's server that always answers with one sentence and records its requests.
async fn model() -> (String, tokio::sync::mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/v1/", listener.local_addr().expect("an address"));
    let (sender, heard) = tokio::sync::mpsc::channel(8);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 64 * 1024];
            let read = stream.read(&mut request).await.unwrap_or_default();
            let _ = sender.send(String::from_utf8_lossy(&request[..read]).into_owned()).await;
            let word = json!({"choices": [{"index": 0, "delta": {"content": "I am ready."}, "finish_reason": null}]});
            let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
            let body = format!("data: {word}\n\ndata: {end}\n\ndata: [DONE]\n\n");
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
            let _ = stream.write_all(format!("{head}content-length: {}\r\n\r\n{body}", body.len()).as_bytes()).await;
        }
    });
    (address, heard)
}

/// Allows models and sources on this machine.
async fn at_home(kind: StoreKind) -> World {
    World::with(kind, &["--allow-private-sources", "true"]).await
}

on_both_stores! {
    async fn dashboards_are_moved_and_the_file_keeps_their_order(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let application = project(&world, &format!("applications/{}", world.applied.applications["Orders"].id));
        let (overview, _) = dashboard(&world);
        let made = browser.submit(&format!("{application}/dashboards"), &[("dashboard", "Third")]).await;
        let third = target(&made).to_owned();
        let order = async |browser: &mut Browser<'_>| {
            let file = browser.get(&project(&world, "file/download")).await.text;
            let mut found: Vec<_> = ["Overview", "More", "Third"].map(|name| (file.find(&format!("- name: {name}\n")), name)).to_vec();
            found.sort_unstable();
            found.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
        };
        assert_eq!(order(&mut browser).await, ["Overview", "More", "Third"]);
        for (path, way, expected) in [
            (&third, "up", ["Overview", "Third", "More"]),
            (&overview, "down", ["Third", "Overview", "More"]),
            (&third, "up", ["Third", "Overview", "More"]),
            (&third, "down", ["Overview", "Third", "More"]),
        ] {
            assert_eq!(target(&browser.submit(&format!("{path}/move"), &[("way", way)]).await), application);
            assert_eq!(order(&mut browser).await, expected);
        }
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert_eq!(viewer.submit(&format!("{third}/move"), &[("way", "up")]).await.status, 403);
        assert!(!viewer.get(&application).await.text.contains("/move"));
    }

    async fn a_workspaces_words_are_all_set_here(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let connection = world.applied.connections["warehouse"].to_string();
        let words = [("connection", connection.as_str()), ("userName", "Guest"), ("thinkingPlaceholder", "Counting…"), ("disclaimerText", "Check figures.")];
        assert_eq!(browser.save(&path, &words).await.status, 303);
        let page = browser.get(&path).await.text;
        for value in ["Guest", "Counting…", "Check figures."] {
            assert!(page.contains(&format!("value=\"{value}\"")), "{value}: {page}");
        }
    }

    async fn a_language_model_is_kept_from_sql_here(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let connection = world.applied.connections["warehouse"].to_string();
        let written = async |browser: &mut Browser<'_>, fields: &[(&str, &str)]| {
            let fields: Vec<(&str, &str)> = [("connection", connection.as_str())].into_iter().chain(fields.iter().copied()).collect();
            assert_eq!(browser.save(&path, &fields).await.status, 303);
            let file = browser.get(&project(&world, "file/download")).await.text;
            (file.contains("modelOnly: true"), browser.get(&path).await.text.matches("name=\"modelOnly\" type=\"checkbox\" value=\"on\" checked").count())
        };
        assert_eq!(written(&mut browser, &[("modelOnly", "on")]).await, (true, 1));
        assert_eq!(written(&mut browser, &[]).await, (false, 0), "the tick taken away");
    }

    async fn a_filters_default_is_shown_set_and_survives_another_key(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (path, id) = dashboard(&world);
        let charts = &world.applied.dashboards["Orders/Overview"].charts;
        let places = [("Orders", [0, 0, 8, 6]), ("Count", [8, 0, 4, 3]), ("Rates", [8, 3, 4, 3]), ("Notes", [0, 6, 12, 4])];
        let mut fields = vec![("name".to_owned(), "Overview".to_owned())];
        for (chart, edges) in places {
            let edge = |(name, value): (&str, u16)| (format!("place.{}.{name}", charts[chart]), value.to_string());
            fields.extend(["x", "y", "w", "h"].into_iter().zip(edges).map(edge));
        }
        let save = async |browser: &mut Browser<'_>, key: &str, default: &str| {
            let filter = [("key", key), ("label", "Period"), ("column", "warehouse.orders.day"), ("control", "date-range"), ("default", default)];
            let filter = filter.map(|(part, value)| (format!("filter.0.{part}"), value.to_owned()));
            let all: Vec<(String, String)> = fields.iter().cloned().chain(filter).collect();
            let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            browser.save(&path, &all).await
        };
        let stored = async || {
            let mut lease = world.app.db.read().await.expect("a connection");
            let filters = crate::concepts::dashboards::find(&mut lease.conn(), id).await.expect("read").expect("a dashboard").filters;
            filters.into_iter().map(|filter| (filter.key, json!(filter.default))).collect::<Vec<_>>()
        };
        assert_eq!(target(&save(&mut browser, "period", "last_30_days").await), path);
        assert_eq!(stored().await, [("period".to_owned(), json!({"relative": "last_30_days"}))]);
        let page = browser.get(&path).await.text;
        assert!(page.contains("name=\"filter.0.default\" value=\"last_30_days\""), "{page}");
        save(&mut browser, "time", "last_30_days").await;
        assert_eq!(stored().await, [("time".to_owned(), json!({"relative": "last_30_days"}))]);
        let refused = save(&mut browser, "time", "North").await;
        assert!(refused.status == 400 && refused.text.contains("must be a period, such as last_30_days"), "{}", refused.text);
        save(&mut browser, "time", "").await;
        assert_eq!(stored().await, [("time".to_owned(), json!(null))]);
    }

    async fn tables_are_chosen_from_what_the_database_has(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let connection = project(&world, &format!("connections/{}", world.applied.connections["warehouse"]));
        let notes = world.applied.tables["notes"];
        let page = browser.get(&format!("{connection}/tables/{notes}")).await.text;
        assert!(page.contains("It is used by chart Notes"), "{page}");
        assert_eq!(browser.submit(&format!("{connection}/tables/{notes}/remove"), &[]).await.status, 303);
        let page = browser.get(&format!("{connection}/tables")).await.text;
        assert!(page.contains("add.notes") && !page.contains("add.orders") && page.contains("<code>region</code>"), "{page}");
        let sample = browser.submit(&format!("{connection}/tables/sample"), &[("table", "notes")]).await;
        assert!(sample.status == 200 && sample.text.contains("nobody may read this"), "{}", sample.text);
        let ticked = |page: &str| page.contains(r#"name="add.notes" value="on" checked"#);
        let sample = browser.submit(&format!("{connection}/tables/sample"), &[("table", "notes"), ("add.notes", "on")]).await;
        assert!(ticked(&sample.text) && !ticked(&page), "a look at rows leaves the ticks: {}", sample.text);
        let refused = browser.submit(&format!("{connection}/tables"), &[("add.notes", "on"), ("add.none", "on")]).await;
        assert!(refused.status == 400 && ticked(&refused.text), "{} {}", refused.status, refused.text);
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("table.sampled"), "{audit}");
        let missing = browser.submit(&format!("{connection}/tables/sample"), &[("table", "orders; drop table orders")]).await;
        assert!(missing.status == 200 && missing.text.contains("role=\"alert\""), "{}", missing.text);
        let added = browser.submit(&format!("{connection}/tables"), &[("add.notes", "on")]).await;
        assert!(target(&added).contains("/tables/"), "one table leads to its page");
        let none = browser.submit(&format!("{connection}/tables"), &[("chosen", "on")]).await;
        assert!(none.status == 400 && none.text.contains("Select at least one table"), "{}", none.text);
        let wrong = browser.submit(&format!("{connection}/tables"), &[("add.nothing", "on")]).await;
        assert!(wrong.status == 400 && wrong.text.contains("nothing"), "{}", wrong.text);
    }

    async fn examples_are_written_and_judged_before_a_version_goes_into_production(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (path, user) = (project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"])), ada(&world).await);
        let none = browser.submit(&format!("{path}/evaluate"), &[("number", "1"), ("user", &user)]).await;
        assert!(none.status == 400 && none.text.contains("without examples"), "{}", none.text);
        let connection = world.applied.connections["warehouse"].to_string();
        let lacking = [("connection", connection.as_str()), ("example.0.question", "How many orders?")];
        let refused = browser.save(&path, &lacking).await;
        assert!(refused.status == 400 && refused.text.contains("is required with the question"), "{}", refused.text);
        let form = [
            ("connection", connection.as_str()),
            ("tables", "orders"),
            ("example.0.question", "How many orders?"),
            ("example.0.query", "select count(*) as n from orders"),
            ("example.1.question", "How many orders are there?"),
            ("example.1.query", "select count(*) + 1 as n from orders"),
        ];
        assert_eq!(browser.save(&path, &form).await.status, 303);
        let (evaluate, form) = (format!("{path}/evaluate"), [("number", "2"), ("user", user.as_str())]);
        assert_eq!(browser.submit(&evaluate, &form).await.status, 303);
        let page = browser.get(&path).await.text;
        assert!(page.contains("Waiting") && page.contains("data-under-way") && page.contains("as ada"), "{page}");
        let again = browser.submit(&evaluate, &form).await;
        let told = again.text.contains("is already being evaluated") && again.text.contains("Waiting");
        assert!(again.status == 409 && told, "{}", again.text);
        let work_off = async || background::worker(world.app.clone()).work_off().await.expect("worked off");
        work_off().await;
        let piece = browser.get(&format!("{path}?only=evaluations")).await;
        let page = &piece.text;
        assert!(page.contains("1 of 2 right") && page.contains("The built-in analyst") && page.contains("How many orders are there?"), "{page}");
        assert!(!page.contains("<html") && !page.contains("data-under-way") && piece.headers["cache-control"] == "no-store", "{page}");
        browser.submit(&evaluate, &form).await;
        let page = browser.get(&path).await.text;
        let cancel = page.split('"').find(|part| part.ends_with("/cancel")).expect("a form").to_owned();
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let seen = viewer.get(&path).await.text;
        assert!(seen.contains("Waiting") && !seen.contains("/cancel"), "a viewer follows it and no more: {seen}");
        assert_eq!(browser.submit(&cancel, &[]).await.status, 303);
        work_off().await;
        assert!(browser.get(&path).await.text.contains("Cancelled"));
        assert_eq!(browser.submit(&cancel, &[]).await.status, 303, "who comes late is told so");
        assert!(browser.get(&path).await.text.contains("has already ended"));
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        for action in ["evaluationStarted", "evaluated", "evaluationCancelled"] {
            assert!(audit.contains(&format!("workspace.{action}")), "{action}: {audit}");
        }
    }

    async fn a_shared_dashboard_is_duplicated_whole(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (path, _) = dashboard(&world);
        let taken = browser.submit(&format!("{path}/clone"), &[("name", "More")]).await;
        assert!(taken.status == 409 && taken.text.contains("value=\"More\"") && taken.text.contains("is taken"), "{}", taken.text);
        let made = browser.submit(&format!("{path}/clone"), &[("name", "Overview, again")]).await;
        let page = browser.get(target(&made)).await.text;
        assert!(page.contains("Left edge of Orders") && page.contains("warehouse.orders.region"), "{page}");
        let role = project(&world, &format!("roles/{}", world.applied.roles["Analyst"]));
        assert_eq!(browser.submit(&format!("{role}/clone"), &[("name", "Analyst")]).await.status, 409);
        let made = browser.submit(&format!("{role}/clone"), &[("name", "Analyst (Copy)")]).await;
        let copy = browser.get(target(&made)).await.text;
        assert!(copy.contains("value=\"Analyst (Copy)\"") && copy.contains("addChart"), "{copy}");
    }

    async fn an_earlier_version_of_a_chart_is_had_again(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("charts/{}", world.applied.charts["Count"]));
        let connection = world.applied.connections["warehouse"].to_string();
        let changed = [("name", "Number"), ("connection", connection.as_str()), ("kind", "number"), ("sql", "select count(*) + 1 as n from orders"), ("value", "n")];
        assert_eq!(browser.save(&path, &changed).await.status, 303);
        assert_eq!(browser.submit(&format!("{path}/restore"), &[("number", "1")]).await.status, 303);
        let page = browser.get(&path).await.text;
        assert!(page.contains("value=\"Count\"") && page.contains("select count(*) + 1 as n from orders"), "the other version stays: {page}");
        assert_eq!(browser.submit(&format!("{path}/restore"), &[("number", "9")]).await.status, 404);
    }

    async fn every_form_notices_what_others_saved_meanwhile(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (dashboard, _) = dashboard(&world);
        let pages = [
            project(&world, "").trim_end_matches('/').to_owned(),
            project(&world, &format!("connections/{}", world.applied.connections["warehouse"])),
            project(&world, &format!("charts/{}", world.applied.charts["Orders"])),
            project(&world, &format!("applications/{}", world.applied.applications["Orders"].id)),
            project(&world, &format!("users/{}", ada(&world).await)),
            project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"])),
            dashboard,
        ];
        for page in pages {
            let overtaken = browser.submit(&page, &[("seen", "something else"), ("name", "Typed")]).await;
            let told = overtaken.text.contains("was changed since you opened");
            assert!(overtaken.status == 409 && told, "{page}: {}", overtaken.text);
        }
    }

    async fn a_member_edits_a_shared_dashboard_and_nothing_else(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (path, id) = dashboard(&world);
        let user = world.sign_in_as(ACME, "ada", Some("Analyst")).await["projectUserId"].as_str().expect("an id").to_owned();
        assert!(browser.get(&format!("{path}/edit")).await.text.contains("data-editing"));
        let answer = browser.submit(&format!("{path}/token"), &[("user", &user)]).await.data();
        let token = answer["token"].as_str().expect("a token").to_owned();
        let name = async || {
            let mut lease = world.app.db.read().await.expect("a connection");
            crate::concepts::dashboards::find(&mut lease.conn(), id).await.expect("read").expect("there").name
        };
        let saved = save(&world, &token, "Renamed").await;
        assert!(saved.status == 200 && saved.text.contains(&id.to_string()), "{}", saved.text);
        assert_eq!(name().await, "Renamed", "the shared dashboard itself is changed");
        let file = browser.get(&project(&world, "file/download")).await.text;
        assert!(file.contains("name: Renamed"), "a project file finds it by its new name: {file}");
        let looked = browser.submit(&project(&world, &format!("users/{user}/token")), &[]).await.data();
        let looked = looked["token"].as_str().expect("a token").to_owned();
        let refused = save(&world, &looked, "Mine").await;
        assert!(refused.text.contains("VIEWING_AS") || refused.text.contains("VIEW_ONLY"), "{}", refused.text);
        // The token is valid for this dashboard, and for what every user sees.
        let beside = save_with(&world, &token, "Another", &json!({"beside": true})).await;
        assert!(beside.text.contains("PERMISSION_DENIED"), "{}", beside.text);
        let asked = format!("/v2/api/workspaces/{}/chat", world.applied.workspaces["Ask"]);
        let reader = world.token(ACME).await;
        let events = world.post(&asked, &reader, &json!({"message": "orders by region"})).await.events();
        let drawn = events.iter().find(|event| event["type"] == "tool-result").expect("a chart");
        let body = json!({"workspaceId": world.applied.workspaces["Ask"], "chartConfig": drawn["toolResult"]["result"]["chartConfig"]});
        let private = world.post("/v1/api/chart/save-from-chat", &reader, &body).await.data()["chartId"].clone();
        let picked = json!({"tiles": [{"chart": {"picked": {"chart": private}}, "x": 0, "y": 0, "w": 12, "h": 5}]});
        let refused = save_with(&world, &token, "Renamed", &picked).await;
        assert!(refused.text.contains("NOT_FOUND"), "a customer's own chart stays theirs: {}", refused.text);
        let (v2, body) = (format!("/v2/api/applications/{}/dashboards", world.applied.applications["Orders"].id), json!({"name": "Mine"}));
        world.call(Method::POST, &v2, &token, Some(&body)).await.refused(403, "VIEWING_AS");
        let member = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(member.contains("dashboard.saved") && member.contains("dashboard.opened"), "{member}");
        let mut tx = world.app.db.write().await.expect("a transaction");
        crate::on!(&mut tx.conn(), |c| sqlx::query("UPDATE members SET role = 'viewer'").execute(c).await.map(drop)).expect("written");
        tx.commit().await.expect("committed");
        let refused = save(&world, &token, "Again").await;
        assert!(refused.text.contains("MEMBER_NOT_PERMITTED"), "{}", refused.text);
        assert_eq!(name().await, "Renamed", "a member who may not work with projects any more changes nothing");
    }
}

/// Saves as the page's editor does: the dashboard with another name and only its first chart.
async fn save(world: &World, token: &str, name: &str) -> Reply {
    save_with(world, token, name, &json!({})).await
}

/// The same with some other fields.
async fn save_with(world: &World, token: &str, name: &str, other: &Value) -> Reply {
    let (_, id) = dashboard(world);
    let (version, chart) = {
        let mut lease = world.app.db.read().await.expect("a connection");
        let conn = &mut lease.conn();
        let charts = crate::concepts::dashboards::charts_on(conn, id).await.expect("read");
        (crate::concepts::dashboards::version(conn, id).await.expect("read"), charts[0].chart.id)
    };
    let scope = json!({"application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en"});
    let tile = json!({"chart": {"kept": {"chart": chart}}, "x": 0, "y": 0, "w": 12, "h": 5});
    let mut edit = json!({"version": version, "name": name, "tiles": [tile], "filters": []});
    for (field, value) in other.as_object().into_iter().flatten() {
        edit[field] = value.clone();
    }
    let body = json!({"target": {"scope": scope, "dashboard": id}, "edit": edit});
    world.post("/share/fn/save-dashboard", token, &body).await
}

#[tokio::test]
async fn a_model_is_tried_kept_sealed_and_never_shown() {
    for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
        let world = at_home(kind).await;
        let (address, mut heard) = model().await;
        let mut browser = Browser::signed_in(&world, MemberRole::Admin).await;
        let path = format!("/console/organizations/{}/model", world.organization);
        let settings = [
            ("provider", "openai"),
            ("address", address.as_str()),
            ("model", "small"),
            ("key", "sk-secret"),
            ("userTokens", "1000"),
        ];
        let tried = browser.save(&path, &[&settings[..], &[("try", "on")]].concat()).await;
        assert!(tried.status == 200 && tried.text.contains("I am ready."), "{}", tried.text);
        assert!(heard.recv().await.expect("asked").contains("Bearer sk-secret") && !tried.text.contains("sk-secret"));
        let saved = browser.save(&path, &settings).await;
        assert_eq!(target(&saved), path, "{}", saved.text);
        let page = browser.get(&path).await.text;
        assert!(page.contains("value=\"small\"") && page.contains("A key is stored") && !page.contains("sk-secret"), "{page}");
        let kept = [("provider", "openai"), ("address", address.as_str()), ("model", "large")];
        assert_eq!(browser.save(&path, &kept).await.status, 303, "an empty key keeps the one that is there");
        let mut lease = world.app.db.read().await.expect("a connection");
        let own = crate::concepts::language_models::own(&mut lease.conn(), &world.app.sealer, world.organization, None)
            .await
            .expect("read");
        drop(lease);
        let own = own.expect("a model").settings;
        assert_eq!((own.model.as_str(), own.key.expose_secret()), ("large", "sk-secret"));
        for step in [("try", "on"), ("model", "large")] {
            let elsewhere = [("provider", "openai"), ("address", "http://127.0.0.1:9/v1/"), ("model", "large"), step];
            let refused = browser.save(&path, &elsewhere).await;
            assert!(
                refused.status == 400 && refused.text.contains("must be entered again"),
                "a key goes nowhere else: {}",
                refused.text
            );
        }
        assert_eq!(browser.submit(&format!("{path}/remove"), &[]).await.status, 303);
        assert_eq!(target(&browser.submit(&format!("{path}/remove"), &[]).await), path);
        assert!(browser.get(&path).await.text.contains("The model has already been removed."));
    }
}

#[tokio::test]
async fn no_model_is_reached_in_private_networks_unless_the_operator_allows_it() {
    let world = World::new(StoreKind::Sqlite).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Admin).await;
    let path = format!("/console/organizations/{}/model", world.organization);
    for address in
        ["http://127.0.0.1:9/v1/", "http://169.254.169.254/latest/", "file:///etc/passwd", "https://user:word@models.example/"]
    {
        let form = [("provider", "openai"), ("address", address), ("model", "small"), ("try", "on")];
        let refused = browser.save(&path, &form).await;
        assert!(refused.status == 400, "{address}: {}", refused.text);
    }
}
