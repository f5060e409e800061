//! The effects and the errors of forms.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, StoreKind, World, ids_of, on_both_stores},
};
use serde_json::json;

fn project(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/{rest}", world.applied.project_id)
}

fn table(world: &World) -> String {
    project(world, &format!("connections/{}/tables/{}", world.applied.connections["warehouse"], world.applied.tables["orders"]))
}

/// A hidden field of a page's form.
fn hidden(page: &str, name: &str) -> String {
    let (_, rest) = page.split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
    rest.split('"').next().expect("a value").to_owned()
}

on_both_stores! {
    async fn a_rule_is_checked_before_it_is_saved_and_counts_at_once(world) {
        let token = world.token(ACME).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = table(&world);
        let seen = hidden(&browser.get(&path).await.text, "seen");
        let save = |rule: &'static str, seen: String| vec![("access", "rule".to_owned()), ("rowRule", rule.to_owned()), ("seen", seen)];
        let send = async |browser: &mut Browser<'_>, fields: Vec<(&str, String)>| {
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            browser.submit(&path, &fields).await
        };
        let refused = send(&mut browser, save("compny = {{organization.company}}", seen.clone())).await;
        assert!(refused.status == 400 && refused.text.contains("compny"), "{}", refused.text);
        let checked = browser.submit(&format!("{path}/check"), &[("value", "nothing = 1")]).await.data();
        assert!(checked["problem"].as_str().is_some_and(|told| told.contains("nothing")), "{checked}");
        let saved = send(&mut browser, save("company = {{organization.company}} and id < 3", seen.clone())).await;
        assert_eq!(target(&saved), path);
        let rows = world.post(&world.chart_path("Orders"), &token, &json!({})).await.data()["rows"].as_array().expect("rows").len();
        assert_eq!(rows, ids_of(ACME).into_iter().filter(|id| *id < 3).count());
        let overtaken = send(&mut browser, save("company = {{organization.company}}", seen)).await;
        assert!(overtaken.status == 409 && overtaken.text.contains("was changed since you opened"), "{}", overtaken.text);
        let again = hidden(&overtaken.text, "seen");
        assert_eq!(send(&mut browser, save("company = {{organization.company}}", again)).await.status, 303);
    }

    async fn a_search_finds_customers_and_users_of_this_project(world) {
        world.sign_in_as(ACME, "ada.lovelace", Some("Analyst")).await;
        world.sign_in_as("globex", "grace", None).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let list = project(&world, "customers");
        let all = browser.get(&list).await.text;
        assert!(all.contains("globex") && !all.contains("ada.lovelace"), "users are listed when they are looked for: {all}");
        let ada = browser.get(&format!("{list}?q=%20LOVE")).await.text;
        for told in ["ada.lovelace", ACME, "Analyst", "/users/"] {
            assert!(ada.contains(told), "{told}: {ada}");
        }
        assert!(!ada.contains("grace"), "{ada}");
        let nobody = browser.get(&format!("{list}?q=lovelace%25")).await.text;
        assert!(nobody.contains("ada.lovelace"), "wild cards are no letters of names: {nobody}");
        assert!(browser.get(&format!("{list}?q=nobody")).await.text.contains("No customers or users match"));
        assert_eq!(Browser::stranger(&world).await.get(&format!("{list}?q=love")).await.status, 404);
    }

    async fn what_is_used_is_not_removed(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("connections/{}", world.applied.connections["warehouse"]));
        let page = browser.get(&path).await.text;
        assert!(page.contains("Charts, filters or workspaces use it.") && page.contains("workspace Ask"), "{page}");
        let refused = browser.submit(&format!("{path}/remove"), &[]).await;
        assert_eq!(refused.status, 409, "{}", refused.text);
    }

    async fn no_connection_leads_to_a_file_that_the_operator_did_not_name(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Owner).await;
        let fields = [("name", "passwd"), ("kind", "sqlite"), ("url", "sqlite:/srv/any.db"), ("auth", "none")];
        let refused = browser.submit(&project(&world, "connections"), &fields).await;
        let told = "cannot be used here: the operator of this service names the folders for SQLite files in INLAY_SQLITE_FOLDERS";
        assert!(refused.status == 400 && refused.text.contains(told), "{}", refused.text);
        assert!(!refused.text.contains("/srv/any.db"), "an address is never sent back");
    }

    async fn a_filter_names_a_column_that_the_database_has(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let made = browser.submit(&project(&world, "applications"), &[("name", "Filtered")]).await;
        let made = browser.submit(&format!("{}/dashboards", target(&made)), &[("dashboard", "Overview")]).await;
        let dashboard = target(&made).to_owned();
        let filter = |column: &'static str| [("name", "Overview"), ("filter.0.key", "region"), ("filter.0.column", column), ("filter.0.control", "select")];
        let wrong = browser.save(&dashboard, &filter("warehouse.orders.regoin")).await;
        assert!(wrong.status == 400 && wrong.text.contains("aria-describedby=\"told-filter-0-column\" aria-invalid=\"true\""), "{}", wrong.text);
        for on in ["warehouse.orders.region", "warehouse.orders.place"] {
            assert!(browser.get(&dashboard).await.text.contains(&format!("value=\"{on}\"")), "{on} is offered");
            assert_eq!(browser.save(&dashboard, &filter(on)).await.status, 303, "{on}");
        }
    }

    async fn what_is_made_here_is_exported_and_applied_again_unchanged(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let connection = world.applied.connections["warehouse"].to_string();
        let chart = [("name", "Revenue"), ("connection", &connection), ("kind", "number"), ("sql", "select sum(amount) as r from orders"), ("value", "r")];
        let made = browser.submit(&project(&world, "charts"), &chart).await;
        let chart = target(&made).rsplit('/').next().expect("an id").to_owned();
        let made = browser.submit(&project(&world, "applications"), &[("name", "Made here")]).await;
        let application = target(&made).to_owned();
        let made = browser.submit(&format!("{application}/dashboards"), &[("dashboard", "Overview")]).await;
        let dashboard = target(&made).to_owned();
        assert_eq!(browser.submit(&format!("{dashboard}/charts"), &[("chart", &chart)]).await.status, 303);
        let file = browser.get(&project(&world, "file/download")).await.text;
        assert!(file.contains("Made here") && file.contains("select sum(amount) as r from orders"), "{file}");
        let path = project(&world, "file");
        let compared = browser.submit(&path, &[("file", &file), ("compare", "on")]).await;
        assert!(compared.text.contains("would change nothing"), "{}", compared.text);
        let applied = browser.save(&path, &[("file", &file)]).await;
        assert_eq!(applied.status, 303, "{}", applied.text);
        let tiles = browser.get(&dashboard).await.text.matches("Left edge of Revenue").count();
        assert_eq!(tiles, 1, "the chart stands there once");
        let other = file.replace("name: Shop", "name: Elsewhere");
        assert_eq!(browser.submit(&path, &[("file", &other)]).await.status, 400);
        let secret = file.replace("sqlite:", "sqlite:${INLAY_SECRET_KEY}");
        assert_eq!(browser.submit(&path, &[("file", &secret)]).await.status, 400);
    }

    async fn a_workspace_goes_from_draft_to_production_and_back(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let connection = world.applied.connections["warehouse"].to_string();
        let form = [("connection", connection.as_str()), ("tables", "orders")];
        assert_eq!(browser.save(&path, &form).await.status, 303);
        let overtaken = browser.submit(&path, &[&form[..], &[("seen", "1")]].concat()).await;
        assert!(overtaken.status == 409 && overtaken.text.contains("was changed since you opened"), "{}", overtaken.text);
        let step = |step: &'static str, number: &'static str| [("step", step), ("number", number)];
        let early = browser.submit(&format!("{path}/versions"), &step("promote", "2")).await;
        assert!(early.status == 409 && early.text.contains("draft"), "{}", early.text);
        for (name, number) in [("publish", "2"), ("promote", "2"), ("roll-back", "0")] {
            assert_eq!(browser.submit(&format!("{path}/versions"), &step(name, number)).await.status, 303, "{name}");
        }
        let unknown = browser.save(&path, &[("connection", &connection), ("tables", "nothing")]).await;
        assert!(unknown.status == 400 && unknown.text.contains("nothing"));
    }

    async fn a_key_is_shown_once(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = format!("/console/organizations/{}/developer", world.organization);
        let made = browser.submit(&format!("{path}/keys"), &[("label", "Production"), ("kind", "organization")]).await;
        let (_, rest) = made.text.split_once("inlay_").expect("a key");
        let key = format!("inlay_{}", rest.split('<').next().unwrap_or_default());
        world.post("/v1/api/projects/embed-token", &key, &world.sign_in_body(ACME, "ada")).await.data();
        let secret = key.rsplit('_').next().expect("a secret").to_owned();
        assert!(!browser.get(&path).await.text.contains(&secret));
    }

    async fn text_of_people_is_never_code(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let evil = "<script>alert(1)</script>\"><img src=x>";
        let refused = browser.submit(&project(&world, "roles"), &[("name", "Analyst"), ("seen", evil), ("flag.addChart", evil)]).await;
        assert!(refused.status == 409 && !refused.text.contains("<img src=x>"), "{}", refused.text);
        let made = browser.submit(&project(&world, "roles"), &[("name", evil)]).await;
        let page = browser.get(target(&made)).await.text;
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x>") && page.contains("&lt;script&gt;alert"), "{page}");
    }
}

#[tokio::test]
async fn a_connection_is_tried_before_it_is_saved() {
    let folder = std::env::temp_dir().to_string_lossy().into_owned();
    let world = World::with(StoreKind::Sqlite, &["--sqlite-folders", &folder]).await;
    let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
    let missing = format!("sqlite:{folder}/there-is-no-such-file.db");
    let fields = [("name", "second"), ("kind", "sqlite"), ("url", &missing), ("auth", "none")];
    let refused = browser.submit(&project(&world, "connections"), &fields).await;
    assert!(refused.status == 422 && refused.text.contains("value=\"second\""), "{}", refused.text);
    let names = browser.get(&project(&world, "connections")).await.text;
    assert!(!names.contains("second"));
}
