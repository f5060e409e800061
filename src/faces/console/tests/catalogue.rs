//! Connections and tables in use: renaming, hiding, testing before saving.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{ACME, Reply, World, on_both_stores},
};
use serde_json::json;

fn connection(world: &World) -> String {
    format!("/console/projects/{}/connections/{}", world.applied.project_id, world.applied.connections["warehouse"])
}

fn table(world: &World, name: &str) -> String {
    format!("{}/tables/{}", connection(world), world.applied.tables[name])
}

const RULE: &str = "company = {{organization.company}}";

/// The values that the page suggests for a filter of the overview.
async fn choices(world: &World, key: &str) -> Reply {
    let scope = json!({ "application": world.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
    let dashboard = world.applied.dashboards["Orders/Overview"].id;
    let request = json!({ "request": { "scope": scope, "dashboard": dashboard, "key": key, "search": "" } });
    world.post("/share/fn/filter-choices", &world.token(ACME).await, &request).await
}

async fn ada(world: &World) -> String {
    world.sign_in_as(ACME, "ada", None).await["projectUserId"].as_str().expect("an id").to_owned()
}

on_both_stores! {
    async fn what_names_a_connection_follows_its_new_name(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let id = world.applied.dashboards["Orders/Overview"].id;
        let before = crate::concepts::dashboards::version(&mut world.app.db.read().await.expect("a lease").conn(), id).await.expect("read");
        let saved = browser.save(&connection(&world), &[("name", "w.2"), ("kind", "sqlite"), ("auth", "none")]).await;
        let notice = browser.get(target(&saved)).await.text;
        assert!(notice.contains("2 filters of dashboards") && notice.contains("f_warehouse.…"), "{notice}");
        let mut lease = world.app.db.read().await.expect("a lease");
        let conn = &mut lease.conn();
        let columns: Vec<_> = crate::concepts::dashboards::find(conn, id).await.expect("read").expect("there").filters.into_iter().map(|filter| filter.column).collect();
        assert_eq!(columns, ["w.2.orders.region", "w.2.orders.day"]);
        assert!(crate::concepts::dashboards::version(conn, id).await.expect("read") > before, "an editor that is open meanwhile notices");
        drop(lease);
        assert_eq!(choices(&world, "region").await.status, 200);
        let path = world.chart_path("Orders");
        let rows = world.post(&path, &world.token(ACME).await, &json!({"filters": {"filter_region": "north"}})).await.data();
        assert_eq!(rows["rows"].as_array().map(Vec::len), Some(1), "the filter narrows as before");
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("warehouse") && audit.contains("connection.changed"), "{audit}");
    }

    async fn hiding_what_is_in_use_says_where_and_asks(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = table(&world, "orders");
        let hide = [("access", "rule"), ("rowRule", RULE), ("label", "Typed"), ("column.region.label", ""), ("column.region.hidden", "on")];
        let asked = browser.save(&path, &hide).await;
        assert_eq!(asked.status, 409, "{}", asked.text);
        for use_of in ["filter Region of Orders / Overview", "chart Orders", "value=\"Typed\""] {
            assert!(asked.text.contains(use_of), "{use_of}: {}", asked.text);
        }
        let listed = "value=\"chart Orders\nfilter Region of Orders / Overview\"";
        assert!(asked.text.contains(listed), "a chart that does not name the column is none of them: {}", asked.text);
        assert_eq!(choices(&world, "region").await.status, 200, "nothing is hidden yet");
        let partly = browser.save(&path, &[&hide[..], &[("despiteUses", "chart Orders")]].concat()).await;
        assert_eq!(partly.status, 409, "whoever was told of less is asked again");
        let known = [("despiteUses", "chart Orders\nfilter Region of Orders / Overview")];
        assert_eq!(browser.save(&path, &[&hide[..], &known].concat()).await.status, 303);
        assert_eq!(choices(&world, "region").await.json()["code"], json!("FILTER_UNAVAILABLE"));
        let unused = [("access", "rule"), ("rowRule", RULE), ("column.region.label", ""), ("column.region.hidden", "on"), ("column.company.label", ""), ("column.company.hidden", "on")];
        assert_eq!(browser.save(&path, &unused).await.status, 303, "nothing names this one");
    }

    async fn closing_a_table_in_use_says_where_and_asks(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let asked = browser.save(&table(&world, "rates"), &[("access", "nothing")]).await;
        assert!(asked.status == 409 && asked.text.contains("chart Rates"), "{}", asked.text);
        assert_eq!(browser.save(&table(&world, "rates"), &[("access", "nothing"), ("despiteUses", "chart Rates")]).await.status, 303);
        assert_eq!(browser.save(&table(&world, "notes"), &[("access", "nothing")]).await.status, 303, "it was closed before");
    }

    async fn a_rule_is_tested_as_it_is_typed_and_nothing_is_saved_or_lost(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let (path, user) = (table(&world, "orders"), ada(&world).await);
        let form = |rule: &'static str, user: &str| [("access", "rule"), ("rowRule", rule), ("label", "Typed"), ("column.day.label", ""), ("column.day.hidden", "on"), ("user", user), ("test", "on")].map(|(name, value)| (name, value.to_owned()));
        let send = async |browser: &mut Browser<'_>, rule, user: &str| {
            let fields = form(rule, user);
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            browser.save(&path, &fields).await
        };
        let tried = send(&mut browser, "company = {{organization.company}} and id < 3", &user).await;
        let text = tried.text.replace("&#x27;", "'").replace("&lt;", "<");
        assert!(tried.status == 200 && text.contains("company = 'acme' and id < 3") && text.contains("All 2 rows."), "{text}");
        assert!(text.contains("value=\"Typed\"") && !text.contains("2024-01-15"), "what is typed stays, the column is hidden: {text}");
        let stored = browser.get(&path).await.text;
        assert!(!stored.contains("Typed") && !stored.contains("id &lt; 3") && !stored.contains("id < 3"), "{stored}");
        let wrong = send(&mut browser, "compny = 1", &user).await;
        assert!(wrong.status == 400 && wrong.text.contains("compny") && wrong.text.contains("value=\"Typed\""), "{}", wrong.text);
        let nobody = send(&mut browser, RULE, "").await;
        assert!(nobody.status == 400 && nobody.text.contains("rows depend on the user"), "{}", nobody.text);
        let mut body = world.sign_in_body(ACME, "eve");
        body["organization"]["properties"] = json!({"company": null});
        let lacking = world.post("/v1/api/projects/embed-token", &world.key, &body).await.data()["projectUserId"].as_str().expect("an id").to_owned();
        let refused = send(&mut browser, RULE, &lacking).await;
        assert!(refused.text.contains("organization.company") && refused.text.contains("role=\"alert\""), "{}", refused.text);
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("table.testedAs"), "{audit}");
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert!(!viewer.get(&path).await.text.contains("name=\"test\""), "whoever may not test is not offered it");
    }

    async fn a_rule_with_a_property_that_nobody_has_is_asked_about_once(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = table(&world, "orders");
        let form = |rule: &'static str| vec![("access", "rule"), ("rowRule", rule), ("label", "Typed")];
        let new = "company = {{organization.company}} and region = {{user.regoin}}";
        assert_eq!(browser.save(&path, &form(new)).await.status, 303, "before anybody has signed in, nothing can be said");
        let mut body = world.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["region"] = json!("north");
        body["user"]["properties"] = json!({"team": "\"odd\": %"});
        world.post("/v1/api/projects/embed-token", &world.key, &body).await.data();
        let told = "No user has the property `regoin` yet. Every query of this table fails for those without it. A similar property is in use: {{organization.region}}.";
        let plain = |page: &str| page.replace("&#x27;", "'").replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
        let shown = plain(&browser.get(&path).await.text);
        assert!(shown.contains(&format!("<p class=\"warning\">{told}")), "the stored rule is warned about: {shown}");
        assert_eq!(browser.save(&path, &form(new)).await.status, 303, "an unchanged rule is not asked about");

        let other = "company = {{organization.company}} and region = {{user.odd}}";
        let asked = browser.save(&path, &form(other)).await;
        assert_eq!(asked.status, 409, "a value is not a property: {}", asked.text);
        let by_case = "company = {{organization.company}} and region = {{user.Team}}";
        assert_eq!(browser.save(&path, &form(by_case)).await.status, 409, "`team` is another property");
        let page = plain(&asked.text);
        for part in ["Not saved yet: no customer or user has a property that this row rule reads.", "No user has the property `odd` yet.", "name=\"despiteUnknown\" value=\"user.odd\"", "value=\"Typed\"", "aria-invalid=\"true\""] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(browser.get(&path).await.text.contains("regoin"), "nothing is saved yet");
        let two = "region = {{user.odd}} or region = {{user.te_m}}";
        let asked = browser.save(&path, &[form(two), vec![("despiteUnknown", "user.odd")]].concat()).await;
        assert!(asked.status == 409 && asked.text.contains("value=\"user.odd\nuser.te_m\""), "whoever was told of less is asked again: {}", asked.text);
        let kept = [form(other), vec![("despiteUnknown", "user.odd")]].concat();
        let hides = [("column.region.label", ""), ("column.region.hidden", "on")];
        let used = browser.save(&path, &[kept.clone(), hides.to_vec()].concat()).await;
        assert!(used.status == 409 && used.text.contains("chart Orders") && used.text.contains("value=\"user.odd\""), "the next question keeps the answer: {}", used.text);
        assert_eq!(browser.save(&path, &kept).await.status, 303);
        for known in [RULE, "region = {{organization.region}}", "region = {{user.team}}"] {
            assert_eq!(browser.save(&path, &form(known)).await.status, 303, "{known}");
            assert!(!browser.get(&path).await.text.contains("the property `"), "{known}");
        }
    }

    async fn what_the_chat_knows_of_columns_is_set_here(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = table(&world, "orders");
        let form = [
            ("access", "rule"), ("rowRule", RULE), ("column.amount.label", ""), ("column.amount.synonyms", "turnover, sales"),
            ("column.amount.terms", "big, large >= 50 / bigness"), ("column.region.label", ""), ("column.region.references", "rates.name"),
        ];
        assert_eq!(browser.save(&path, &form).await.status, 303);
        let page = browser.get(&path).await.text.replace("&gt;", ">");
        for set in ["value=\"turnover, sales\"", "value=\"big, large >= 50 / bigness\"", "value=\"rates.name\""] {
            assert!(page.contains(set), "{set}: {page}");
        }
        let file = browser.get(&format!("/console/projects/{}/file/download", world.applied.project_id)).await.text;
        assert!(file.contains("bigness") && file.contains("rates.name") && file.contains("turnover"), "{file}");
        assert_eq!(browser.save(&path, &[("access", "rule"), ("rowRule", RULE), ("column.amount.label", "Amount")]).await.status, 303);
        let page = browser.get(&path).await.text;
        assert!(page.contains("turnover, sales"), "what a form does not send stays");
        let wrong = browser.save(&path, &[("access", "rule"), ("rowRule", RULE), ("column.amount.label", ""), ("column.amount.terms", "big")]).await;
        assert!(wrong.status == 400 && wrong.text.contains("cannot be read at"), "{}", wrong.text);
        let wrong = browser.save(&path, &[("access", "rule"), ("rowRule", RULE), ("column.region.label", ""), ("column.region.references", "nothing.id")]).await;
        assert!(wrong.status == 400 && wrong.text.contains("must name a column of a listed table"), "{}", wrong.text);
        let gone = browser.get(&table(&world, "rates")).await.text;
        assert!(gone.contains("column orders.region"), "what refers to a table names it: {gone}");
    }
}
