//! The audit log's search, and the page of the migration.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    flows::v1_migration::calls::V1Calls,
    testing::{ACME, GLOBEX, World, on_both_stores},
};
use serde_json::{Value, json};

fn at(world: &World, rest: &str) -> String {
    format!("/console/organizations/{}/{rest}", world.organization)
}

async fn make_role(world: &World, name: &str) {
    let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
    world.post(&path, &world.key, &json!({"name": name, "permissions": {}})).await.data();
}

/// Where a page's button leads.
pub(super) fn turn(page: &str, rel: &str) -> String {
    let (_, rest) = page.split_once(&format!("rel=\"{rel}\" href=\"")).expect("a button");
    rest.split('"').next().expect("an address").replace("&amp;", "&")
}

async fn register(world: &World, key: &str, company: &str, permissions: Value) -> (String, String) {
    let body = json!({
        "projectId": world.applied.project_id, "key": key, "displayName": key, "prefilters": {"company": company},
        "tenantEditingPermissions": permissions,
    });
    let data = world.post("/v1/api/tenant/register-tenant", &world.key, &body).await.data();
    (data["tenantId"].as_str().expect("an id").to_owned(), data["token"].as_str().expect("a token").to_owned())
}

on_both_stores! {
    async fn the_log_is_searched_paged_and_exported_as_it_is_searched(world) {
        for number in 0..55 {
            make_role(&world, &format!("Crew {number:02}")).await;
        }
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let first = browser.get(&at(&world, "audit?action=ROLE.c&resource=crew")).await.text;
        assert!(first.contains("Crew 54") && first.contains("Crew 05") && !first.contains("Crew 04"), "{first}");
        assert!(first.contains("page=2") && !first.contains("rel=\"prev\""), "{first}");
        // Events that come meanwhile move no page.
        make_role(&world, "Crew 55").await;
        let second = browser.get(&turn(&first, "next")).await.text;
        assert!(second.contains("Crew 04") && second.contains("Crew 00") && !second.contains("Crew 05") && !second.contains("rel=\"next\""), "{second}");
        let back = browser.get(&turn(&second, "prev")).await.text;
        assert!(back.contains("Crew 55") && back.contains("Crew 06") && !back.contains("Crew 05") && back.contains("Page 1"), "{back}");
        for bad in ["after=x", "before=x", "after=W10"] {
            assert_eq!(browser.get(&at(&world, &format!("audit?{bad}"))).await.status, 400, "{bad}");
        }
        let exported = browser.get(&at(&world, "audit/export?action=ROLE.c&resource=crew%200")).await.text;
        assert_eq!(exported.lines().count(), 11, "{exported}");
        for (query, found) in [
            ("who=command%20line", false), ("who=nobody", false), ("until=2020-01-01", false), ("since=2020-01-01", true),
            ("project=nonsense", false), ("who=", true), ("since=nonsense", true),
        ] {
            let page = browser.get(&at(&world, &format!("audit?resource=crew&{query}"))).await.text;
            assert_eq!(page.contains("Crew 54"), found, "{query}: {page}");
        }
        let project = browser.get(&at(&world, &format!("audit?resource=crew&project={}", world.applied.project_id))).await.text;
        assert!(project.contains("Crew 54") && project.contains("Shop"), "{project}");
    }

    async fn the_migrations_page_says_where_each_step_stands(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Admin).await;
        let path = at(&world, "migration");
        let empty = browser.get(&path).await.text;
        assert!(empty.contains("there is nothing to migrate") && !empty.contains("migration/finalize") && !empty.contains("migration/users"), "{empty}");
        let (_, token) = register(&world, "Bakery", ACME, json!({"addDashboard": true})).await;
        let before = browser.get(&path).await.text;
        for part in ["No role gives 1 tenant what v1 lets them do, so they would be view-only: addDashboard.", "1 tenant has no project user yet.",
            "company = acme", "Bakery", "none yet", "migration/users", "No calls to v1 recorded."] {
            assert!(before.contains(part), "{part}: {before}");
        }
        assert!(!before.contains("migration/finalize"), "{before}");
        let refused = browser.submit(&at(&world, "migration/finalize"), &[]).await;
        assert!(refused.status == 409 && refused.text.contains("1 tenant has no project user yet. Create project users first."), "{}", refused.text);
        assert!(!refused.text.contains("inlay migration"), "{}", refused.text);
        assert_eq!(target(&browser.submit(&at(&world, "migration/users"), &[]).await), path);
        let mapped = browser.get(&path).await.text;
        for part in ["1 tenant became a user, and 0 dashboards became theirs.", "migration/finalize", "/users/", "/customers/", "No role gives 1 tenant what v1 lets them do"] {
            assert!(mapped.contains(part), "{part}: {mapped}");
        }
        let workspace = world.applied.applications["Orders"].legacy_workspace_id.expect("a workspace");
        world.get("/v1/api/dashboard/list-workspaces", &world.key).await.data();
        world.get(&format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={workspace}"), &token).await.data();
        world.app.part::<V1Calls>().write_down(&world.app).await.expect("written");
        let called = browser.get(&path).await.text;
        for part in ["<code>register-tenant</code>", "<code>list-workspaces</code>", "<code>list-workspace-dashboards</code>", "Still called"] {
            assert!(called.contains(part), "{part}: {called}");
        }
        assert!(!called.contains("v1 writes were called"), "who only reads keeps nobody from the end: {called}");
        let create = json!({"workspaceId": workspace, "name": "Mine"});
        world.post("/v1/api/dashboard/create", &token, &create).await.data();
        world.post("/v1/api/dashboard/create", &world.key, &create).await.data();
        world.app.part::<V1Calls>().write_down(&world.app).await.expect("written");
        let called = browser.get(&path).await.text;
        for part in ["Tenants&#x27; pages", "An API key without a name", "Still called", "v1 writes were called within the last 7 days"] {
            assert!(called.replace('\'', "&#x27;").contains(part), "{part}: {called}");
        }
        assert_eq!(browser.submit(&at(&world, "migration/finalize"), &[]).await.status, 303);
        let after = browser.get(&path).await.text;
        assert!(after.contains("The migration is finalized. The five v1 writes return 410") && !after.contains("migration/finalize"), "{after}");
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert_eq!(viewer.submit(&at(&world, "migration/users"), &[]).await.status, 403);
    }

    async fn tenants_are_searched_and_told_by_what_is_left(world) {
        for number in 0..51 {
            register(&world, &format!("Shop {number:02}"), GLOBEX, json!({})).await;
        }
        register(&world, "Lone editor", ACME, json!({"addChart": true})).await;
        let mut browser = Browser::signed_in(&world, MemberRole::Viewer).await;
        let first = browser.get(&at(&world, "migration")).await.text;
        assert!(first.contains("Shop 49") && !first.contains("Shop 50") && first.contains("page=2"), "{first}");
        let second = browser.get(&at(&world, "migration?page=2")).await.text;
        assert!(second.contains("Shop 50") && second.contains("Lone editor") && !second.contains("Shop 49"), "{second}");
        let found = browser.get(&at(&world, "migration?q=LONE")).await.text;
        assert!(found.contains("Lone editor") && found.contains("loses addChart") && !found.contains("Shop 01"), "{found}");
        let none = browser.get(&at(&world, "migration?q=nobody")).await.text;
        assert!(none.contains("No tenants match this search."), "{none}");
        let left = browser.get(&at(&world, "migration?left=role&q=shop%2000")).await.text;
        assert!(left.contains("none needed"), "{left}");
    }
}
