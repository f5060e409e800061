//! The Embed page: code samples that send the properties of the row rules, and the playground.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, GLOBEX, World, ids_of, on_both_stores},
};
use inlay_contract::page::PageMessage;
use serde_json::json;

/// The Rust sample compiles, with the names that the page fills in.
#[expect(dead_code, clippy::print_stderr, reason = "it is only compiled: a program that speaks to its terminal")]
#[path = "../../../../crates/console/src/pages/embed/samples/host.rs"]
mod host_in_rust;

fn project(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/{rest}", world.applied.project_id)
}

on_both_stores! {
    async fn the_code_sends_every_property_that_a_rule_reads(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (connection, table) = (world.applied.connections["warehouse"], world.applied.tables["orders"]);
        let path = project(&world, &format!("connections/{connection}/tables/{table}"));
        let rule = "company = {{organization.company}} and id < {{ user.most-of }}";
        assert_eq!(browser.save(&path, &[("access", "rule"), ("rowRule", rule)]).await.status, 303);
        let empty = browser.get(&project(&world, "embed")).await.text;
        for part in ["the company of this customer", "the most-of of this user", "organizationId"] {
            assert!(empty.contains(part), "{part}: {empty}");
        }
        world.sign_in_as(ACME, "ada", None).await;
        let known = browser.get(&project(&world, "embed")).await.text;
        assert!(!known.contains("the company of this customer") && known.contains("the most-of of this user"), "{known}");
    }

    async fn the_code_has_the_role_with_the_fewest_permissions_until_another_is_chosen(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let made = async |browser: &mut Browser<'_>, fields: &[(&str, &str)]| {
            target(&browser.submit(&project(&world, "roles"), fields).await).rsplit('/').next().expect("an id").to_owned()
        };
        // By name, the one that grants the most comes first.
        let most = made(&mut browser, &[("name", "Aaa"), ("flag.addChart", "on"), ("flag.editCharts", "on"), ("flag.addDashboard", "on")]).await;
        let least = made(&mut browser, &[("name", "Zzz viewer"), ("flag.drillDown", "off")]).await;
        let page = browser.get(&project(&world, "embed")).await.text;
        let code = |page: &str| page.split("data-remember=\"language\"").nth(1).expect("the code").split("2. Your page").next().expect("its end").to_owned();
        assert!(code(&page).contains(&least) && !code(&page).contains(&most), "{page}");
        assert!(page.contains("<strong>Zzz viewer</strong>") && page.contains(&format!("<option value=\"{most}\"")), "{page}");
        let page = browser.get(&format!("{}?role={most}", project(&world, "embed"))).await.text;
        assert!(code(&page).contains(&most) && !code(&page).contains(&least), "{page}");
        let kept = format!("<input type=\"hidden\" name=\"role\" value=\"{most}\"");
        assert_eq!(page.matches(&kept).count(), 2, "the choice of the page to embed and the test of an origin keep it: {page}");
        let unknown = browser.get(&format!("{}?role=nonsense", project(&world, "embed"))).await.text;
        assert!(code(&unknown).contains(&least), "{unknown}");
    }

    async fn a_test_user_is_signed_in_as_hosts_do_and_never_in_the_place_of_a_real_one(world) {
        let real = world.sign_in_as(ACME, "Test user", None).await["projectUserId"].clone();
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, "embed/test-user");
        let (customer, user) = (("customer", ACME), ("user", "Test user"));
        let made = browser.submit(&path, &[customer, user, ("organization.company", ACME)]).await;
        let id = target(&made).rsplit("user=").next().expect("a user").to_owned();
        assert_ne!(real, json!(id), "the external ids are of their own");
        let shown = browser.get(&project(&world, &format!("users/{id}"))).await.text;
        assert!(shown.contains("inlay-test:Test user"), "{shown}");
        let token = browser.submit(&project(&world, &format!("users/{id}/token")), &[]).await.data()["token"].as_str().expect("a token").to_owned();
        let rows = world.post(&world.chart_path("Orders"), &token, &json!({})).await.data()["rows"].as_array().expect("rows").len();
        assert_eq!(rows, ids_of(ACME).len());
        let log = browser.get(&format!("/console/organizations/{}/audit?action=projectUser.created", world.organization)).await.text;
        assert!(log.contains("projectUser.created") && log.contains("member-"), "in the member's name: {log}");

        let again = browser.submit(&path, &[customer, user, ("organization.company", ""), ("scripted", "true")]).await.data();
        assert_eq!(again["id"], json!(id), "the same user, whose property has gone");
        assert_eq!(world.post(&world.chart_path("Orders"), &token, &json!({})).await.status, 422);
        let refused = browser.submit(&path, &[customer, ("user", "")]).await;
        assert!(refused.status == 400 && refused.text.contains("must not be empty") && refused.text.contains(ACME), "{}", refused.text);
        let scripted = browser.submit(&path, &[customer, ("user", ""), ("scripted", "true")]).await;
        assert!(scripted.json()["error"]["details"]["user"].is_string(), "{}", scripted.text);
    }

    async fn what_lies_behind_a_failing_chart_is_told_to_the_operator_alone(world) {
        let mut body = world.sign_in_body(ACME, "eve");
        body["organization"]["properties"] = json!({"company": null});
        let lacking = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let (token, user) = (lacking["token"].as_str().expect("a token"), lacking["projectUserId"].as_str().expect("an id"));
        let told = world.post(&world.chart_path("Orders"), token, &json!({})).await;
        assert!(told.status == 422 && !told.text.contains("organization.company"), "{}", told.text);
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let chart = world.chart_path("Orders");
        let application = chart.split('/').nth(4).expect("an application");
        let path = format!("/share/application/{application}");
        let ask = [("user", user), ("path", path.as_str()), ("search", "")];
        let reasons = browser.submit(&project(&world, "embed/reasons"), &ask).await;
        for part in ["ROW_RULE_UNRESOLVED", "organization.company", "Orders"] {
            assert!(reasons.status == 200 && reasons.text.contains(part), "{part}: {}", reasons.text);
        }
        // Reasons also work for a dashboard's page by its id alone.
        let alone = format!("/share/dashboard/{}", world.applied.dashboards["Orders/Overview"].id);
        let alone = browser.submit(&project(&world, "embed/reasons"), &[ask[0], ("path", alone.as_str()), ask[2]]).await;
        assert!(alone.status == 200 && alone.text.contains("organization.company"), "{}", alone.text);
        assert!(alone.text.contains(&format!("applications/{application}/dashboards/")), "{}", alone.text);
        let viewer = crate::concepts::access::Viewer::by_token(&world.app, token).await.expect("a viewer");
        assert!(crate::faces::embeds::reasons::find(&world.app, viewer, &path, "").await.is_err(), "a viewer's own token");
        let well = world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned();
        body["organization"]["properties"] = json!({"company": ACME});
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let fine = browser.submit(&project(&world, "embed/reasons"), &[("user", &well), ask[1], ask[2]]).await.text;
        // A table without a rule is closed to everybody; nothing else fails.
        assert!(!fine.contains("organization.company") && fine.matches("ROW_RULE_UNRESOLVED").count() == 1, "{fine}");
        let asked = async |browser: &mut Browser<'_>, path: &str| {
            browser.submit(&project(&world, "embed/reasons"), &[("user", &well), ("path", path), ask[2]]).await
        };
        let nonsense = asked(&mut browser, "/share/dashboard/nonsense").await;
        assert!(nonsense.status == 200 && nonsense.text.contains("the page shows Dashboard not found"), "{}", nonsense.text);
        let none = asked(&mut browser, "/share/report").await;
        assert_eq!(none.status, 404, "{}", none.text);
    }

    async fn customers_and_users_are_found_by_their_names(world) {
        for (company, user) in [(ACME, "ada"), (ACME, "bob"), (GLOBEX, "ada")] {
            world.sign_in_as(company, user, None).await;
        }
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, "embed/people");
        let all = browser.get(&format!("{path}?customers=CM")).await.data();
        assert_eq!((all["customers"].as_array().map(Vec::len), all["users"].as_array().map(Vec::len)), (Some(1), Some(3)), "{all}");
        let acme = all["customers"][0]["id"].as_str().expect("an id");
        let found = browser.get(&format!("{path}?customer={acme}&users=ad")).await.data();
        assert_eq!(found["users"].as_array().map(Vec::len), Some(1), "{found}");
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert_eq!(viewer.get(&path).await.status, 403);
    }

    async fn an_origin_is_judged_and_drafts_are_named(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let page = browser.get(&format!("{}?origin=ftp%3A%2F%2Fx", project(&world, "embed"))).await.text;
        assert!(page.contains("is not an origin") && page.contains("/docs/troubleshooting"), "{page}");
        for message in [PageMessage::DashboardNotFound, PageMessage::InvalidToken, PageMessage::WorkspaceNotPublished] {
            assert!(page.contains(message.text()), "{}", message.text());
        }
    }

    async fn the_console_frames_chats_of_a_project_that_names_its_origins(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let settings = [("name", "Named"), ("timezone", "UTC"), ("locale", "en"), ("allowedOrigins", "https://host.example")];
        let path = format!("/console/projects/{}", world.applied.project_id);
        assert_eq!(browser.save(&path, &settings).await.status, 303);
        let page = browser.get(&format!("{path}/embed")).await.text;
        let at = page.split("value=\"/share/workspace/").nth(1).and_then(|rest| rest.split('"').next()).expect("a chat");
        let ancestors = async |parent: &str| {
            let address = format!("/share/workspace/{at}?tokenHandoff=true&parentOrigin={parent}");
            let policy = world.get(&address, "").await.headers["content-security-policy"].to_str().expect("text").to_owned();
            policy.split("frame-ancestors ").nth(1).expect("ancestors").to_owned()
        };
        assert_eq!(ancestors("https://other.example").await, "https://host.example");
        assert_eq!(ancestors(&world.app.base_url).await, format!("https://host.example {}", world.app.base_url));
    }
}
