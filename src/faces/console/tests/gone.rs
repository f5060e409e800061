//! Removing what somebody else has just removed redirects to its list, with a notice.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{World, on_both_stores},
};

fn organization(world: &World, rest: &str) -> String {
    format!("/console/organizations/{}/{rest}", world.organization)
}

fn project(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/{rest}", world.applied.project_id)
}

/// Sends a removal and checks the redirect and the notice.
async fn removed(browser: &mut Browser<'_>, path: &str, fields: &[(&str, &str)], list: &str, told: &str) {
    let reply = browser.submit(path, fields).await;
    assert_eq!(target(&reply), list, "{path}");
    let page = browser.get(list).await;
    assert!(page.status == 200 && page.text.contains(told), "{path}: {told}: {}", page.text);
}

/// A removal: its address and fields, the redirect, and the first and the later notice.
type Step<'s> = (String, &'s [(&'s str, &'s str)], &'s str, &'s str, &'s str);

on_both_stores! {
    async fn what_is_removed_twice_leads_back_with_a_sentence(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Owner).await;
        let applied = &world.applied;
        let application = format!("applications/{}", applied.applications["Orders"].id);
        let dashboard = format!("{application}/dashboards/{}", applied.dashboards["Orders/Overview"].id);
        let connection = format!("connections/{}", applied.connections["warehouse"]);
        let tile = applied.dashboards["Orders/Overview"].charts["Count"].to_string();
        let steps: [Step<'_>; 6] = [
            (format!("{dashboard}/charts/remove"), &[("removeChart", tile.as_str())], &dashboard, "Chart removed from the dashboard.", "This chart has already been removed from the dashboard."),
            (format!("{dashboard}/remove"), &[], &application, "Dashboard deleted.", "This dashboard has already been deleted."),
            (format!("{application}/remove"), &[], "applications", "Application deleted.", "This application has already been deleted"),
            (format!("roles/{}/remove", applied.roles["Analyst"]), &[], "roles", "Role deleted.", "This role has already been deleted."),
            (format!("charts/{}/remove", applied.charts["Notes"]), &[], "charts", "Chart deleted from the library.", "This chart has already been deleted from the library."),
            (format!("{connection}/tables/{}/remove", applied.tables["notes"]), &[], &connection, "Table removed from the catalogue.", "This table has already been removed from the catalogue."),
        ];
        for (path, fields, list, told, before) in steps {
            for told in [told, before] {
                removed(&mut browser, &project(&world, &path), fields, &project(&world, list), told).await;
            }
        }
        // Removing a part of a deleted object redirects to that object's list.
        removed(&mut browser, &project(&world, &format!("{dashboard}/remove")), &[], &project(&world, "applications"), "This application has already been deleted").await;
        let nowhere = project(&world, &format!("connections/{}/tables/{}/remove", applied.roles["Analyst"], applied.tables["notes"]));
        removed(&mut browser, &nowhere, &[], &project(&world, "connections"), "This connection has already been removed.").await;
    }

    async fn a_tile_of_a_dashboard_that_is_gone_leads_to_its_application(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let application = format!("applications/{}", world.applied.applications["Orders"].id);
        let dashboard = format!("{application}/dashboards/{}", world.applied.dashboards["Orders/More"].id);
        browser.submit(&project(&world, &format!("{dashboard}/remove")), &[]).await;
        let tile = world.applied.dashboards["Orders/More"].charts["Count"].to_string();
        let path = project(&world, &format!("{dashboard}/charts/remove"));
        removed(&mut browser, &path, &[("removeChart", &tile)], &project(&world, &application), "This dashboard has already been deleted.").await;
    }

    async fn what_is_still_used_is_told_where_it_stands(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let connection = project(&world, &format!("connections/{}", world.applied.connections["warehouse"]));
        let used = browser.submit(&format!("{connection}/remove"), &[]).await;
        assert!(used.status == 409 && used.text.contains("Remove those first.") && used.text.contains("warehouse"), "{}", used.text);
        let workspace = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let used = browser.submit(&format!("{workspace}/remove"), &[]).await;
        assert!(used.status == 409 && used.text.contains("Take it out of production first."), "{}", used.text);
    }

    async fn keys_providers_models_and_workspaces_are_removed_once(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Owner).await;
        let id = world.applied.roles["Analyst"];
        for (path, list, before) in [
            (format!("developer/keys/{id}/revoke"), "developer", "This key has already been revoked."),
            (format!("developer/identity-providers/{id}/remove"), "developer", "This identity provider has already been removed."),
            (format!("developer/sign-in-providers/{id}/remove"), "developer", "This provider has already been removed."),
            ("model/remove".to_owned(), "model", "The model has already been removed."),
        ] {
            removed(&mut browser, &organization(&world, &path), &[], &organization(&world, list), before).await;
        }
        for (path, list, before) in [
            ("model/remove".to_owned(), "model", "The model has already been removed."),
            (format!("workspaces/{id}/remove"), "workspaces", "This workspace has already been deleted."),
            (format!("workspaces/{id}/evaluations/{id}/cancel"), "workspaces", "This workspace has already been deleted."),
            (format!("connections/{id}/remove"), "connections", "This connection has already been removed."),
        ] {
            removed(&mut browser, &project(&world, &path), &[], &project(&world, list), before).await;
        }
    }
}
