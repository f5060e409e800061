//! How the pages open, on both stores: without a token, in any host's page, in the project's zone, and with parameters that ask for more.

use crate::testing::{ACME, GLOBEX, World, on_both_stores};
use serde_json::{Value, json};
use sqlx::ConnectOptions;
use sqlx_sqlite::{SqliteConnectOptions, SqliteConnection};
use std::time::{Duration, Instant};

/// The JSON block with the page's data.
fn block(html: &str) -> Value {
    let start = html.find("id=\"inlay-page\">").expect("a block") + "id=\"inlay-page\">".len();
    let end = html[start..].find("</script>").expect("its end") + start;
    serde_json::from_str(&html[start..end]).expect("JSON")
}

/// The page's content, without its pictures.
fn inlined(html: &str) -> Value {
    block(html)["content"].clone()
}

/// Locks the file of the world's source: everybody who asks it waits.
async fn locked(world: &World) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(world.folder().join("warehouse.db"));
    let mut connection: SqliteConnection = options.connect().await.expect("the source");
    sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut connection).await.expect("locked");
    connection
}

on_both_stores! {
    async fn a_page_does_not_wait_for_a_source_that_hangs(world) {
        let token = world.token(ACME).await;
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        let address = format!("/share/dashboard/{dashboard}?jwt={token}&f_warehouse.orders.region=north");
        let _lock = locked(&world).await;
        let wait = world.app.settings.limits.page_wait();
        let begun = Instant::now();
        let page = world.get(&address, "").await;
        let took = begun.elapsed();
        assert_eq!(page.status.as_u16(), 200);
        assert!(took < wait + wait / 4 + Duration::from_secs(1), "{took:?}");
        let filters = inlined(&page.text);
        assert!(page.text.contains("f_warehouse.orders.region"), "a column that is not told passes: {filters}");
    }

    async fn a_dashboard_s_page_needs_a_token(world) {
        let dashboard = world.applied.dashboards["Orders/Overview"].id;
        for address in [format!("/share/dashboard/{dashboard}"), format!("/share/dashboard/{dashboard}?jwt=x")] {
            let page = world.get(&address, "").await;
            assert_eq!(page.status.as_u16(), 401, "{address}");
            assert!(page.text.contains("Invalid or missing token.") && !page.text.contains("Overview"), "{address}");
        }
    }

    async fn a_project_without_origins_may_be_framed_anywhere(world) {
        let open = World::project_file().replace(", allowedOrigins: [\"https://host.example\"]", "");
        world.apply(&open).await.unwrap_or_else(|problem| panic!("{problem}"));
        let token = world.token(ACME).await;
        let workspace = format!("/share/workspace/{}/{}", world.applied.project_id, world.applied.workspaces["Ask"]);
        for path in [format!("/share/application/{}", world.applied.applications["Orders"].id), workspace] {
            let headers = world.get(&format!("{path}?jwt={token}"), "").await.headers;
            let policy = headers["content-security-policy"].to_str().expect("text");
            assert!(policy.ends_with("frame-ancestors *"), "{path}: {policy}");
        }
    }

    async fn zone_and_language_are_those_of_the_address_else_of_the_project(world) {
        let page = async |rest: &str| {
            let application = world.applied.applications["Orders"].id;
            let page = inlined(&world.get(&format!("/share/application/{application}?jwt={}{rest}", world.token(ACME).await), "").await.text);
            (page["timezone"].clone(), page["locale"].clone())
        };
        assert_eq!(page("").await, (json!("UTC"), json!("en")));
        let file = World::project_file().replace("name: Shop,", "name: Shop, timezone: Asia/Tokyo, locale: de,");
        world.apply(&file).await.unwrap_or_else(|problem| panic!("{problem}"));
        assert_eq!(page("").await, (json!("Asia/Tokyo"), json!("de")));
        assert_eq!(page("&timezone=Europe/Berlin&locale=fr").await, (json!("Europe/Berlin"), json!("fr")));
        assert_eq!(page("&timezone=Mars/Olympus&locale=!").await, (json!("Asia/Tokyo"), json!("de")));
    }

    async fn a_theme_is_a_workspace_s_parameter_alone(world) {
        let token = world.token(ACME).await;
        let application = format!("/share/application/{}?jwt={token}", world.applied.applications["Orders"].id);
        let workspace = format!("/share/workspace/{}/{}?jwt={token}", world.applied.project_id, world.applied.workspaces["Ask"]);
        let is_dark = async |address: &str| {
            let html = world.get(address, "").await.text.replace(' ', "");
            assert!(html.contains("--scheme:"), "{address}");
            html.contains("--scheme:dark")
        };
        for (background, own) in [("#ffffff", false), ("#0b1020", true)] {
            let theme = format!("theme: {{ primary: \"#0b5fff\", background: \"{background}\" }}");
            world.apply(&World::project_file().replace("theme: { primary: \"#0b5fff\" }", &theme)).await.expect("applied");
            for (address, dark) in [
                (workspace.clone(), own),
                (format!("{workspace}&theme=dark"), true),
                (format!("{workspace}&theme=light"), false),
                (application.clone(), own),
                (format!("{application}&theme=dark"), own),
                (format!("{application}&theme=light"), own),
            ] {
                assert_eq!(is_dark(&address).await, dark, "{background} {}", address.replace(&token, "…"));
            }
        }
    }

    async fn pictures_are_remembered_and_follow_every_change(world) {
        let application = world.applied.applications["Orders"].id;
        // The pictures, in the order of the charts: Orders, Count, Rates.
        let pictures = async |company: &str, rest: &str| {
            let page = world.get(&format!("/share/application/{application}?jwt={}{rest}", world.token(company).await), "").await;
            block(&page.text)["drawings"].as_array().expect("pictures").iter().map(Value::to_string).collect::<Vec<_>>()
        };
        let first = pictures(ACME, "").await;
        assert_eq!(pictures(ACME, "").await, first, "nothing changed");
        let other = pictures(GLOBEX, "").await;
        assert!(first[0] != other[0] && first[1] != other[1], "another customer's rows: {other:?}");
        let german = pictures(ACME, "&locale=de").await;
        assert!(german[0] != first[0], "another language: {german:?}");
        let narrowed = pictures(ACME, "&f_warehouse.orders.region=north").await;
        assert!(narrowed[1] != first[1], "a filter: {narrowed:?}");
        let change = async |from: &str, to: &str| {
            let file = World::project_file();
            assert!(file.contains(from), "{from}");
            world.apply(&file.replace(from, to)).await.unwrap_or_else(|problem| panic!("{problem}"));
            pictures(ACME, "").await
        };
        let line = change("name: Orders, connection: warehouse, type: bar", "name: Orders, connection: warehouse, type: line").await;
        assert!(line[0] != first[0] && line[1..] == first[1..], "the definition: {line:?}");
        let red = change("primary: \"#0b5fff\"", "primary: \"#b91c1c\"").await;
        assert!(red[0] != first[0] && red[2] != first[2], "the theme: {red:?}");
        let ruled = change("company = {{organization.company}}", "company = {{organization.company}} and region = 'north'").await;
        assert!(ruled[1] != first[1] && ruled[2] == first[2], "the rule: {ruled:?}");
        assert_eq!(change("primary: \"#0b5fff\"", "primary: \"#0b5fff\"").await, first, "as it was");
    }

    async fn parameters_of_the_address_grant_nothing(world) {
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let hidden = json!({ "hideHeader": true, "hideDownloadButton": true, "hideFilters": true, "disableTabs": true });
        let role = world.post(&path, &world.key, &json!({ "name": "Bare", "permissions": hidden })).await.data();
        let mut body = world.sign_in_body(ACME, "bare");
        body["user"]["userRoleId"] = role["userRole"]["id"].clone();
        let data = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let page = format!("/share/application/{}?jwt={}", world.applied.applications["Orders"].id, data["token"].as_str().expect("a token"));
        let seen = async |rest: &str| {
            let html = world.get(&format!("{page}{rest}"), "").await.text;
            let permissions = inlined(&html)["content"]["application"]["permissions"].clone();
            (permissions, html.contains("<h1"), html.contains("Download PDF"), html.contains("aria-label=\"Filters\""), html.contains("Dashboard tabs"))
        };
        let plain = seen("").await;
        assert_eq!((plain.1, plain.2, plain.3, plain.4), (false, false, false, false), "{}", plain.0);
        let asking = "&hideHeader=false&hideDownloadButton=false&hideFilters=false&disableTabs=false&addChart=true&readOnly=false&drillDown=true";
        assert_eq!(seen(asking).await, plain);
    }
}
