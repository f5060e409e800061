//! A workspace's name and deletion, and the applications that use it.

use super::{Browser, browser::target};
use crate::{
    concepts::{applications, organizations::MemberRole},
    testing::{World, on_both_stores},
};
use inlay_contract::ids::{AgentId, WorkspaceId};
use serde_json::json;

fn project(world: &World, rest: &str) -> String {
    format!("/console/projects/{}/{rest}", world.applied.project_id)
}

async fn workspace_of_orders(world: &World) -> Option<WorkspaceId> {
    let id = world.applied.applications["Orders"].id;
    let mut lease = world.app.db.read().await.expect("a lease");
    applications::find(&mut lease.conn(), id).await.expect("read").expect("there").workspace
}

on_both_stores! {
    async fn a_workspace_is_renamed(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let rename = format!("{path}/name");
        let renamed = browser.submit(&rename, &[("seen", "Ask"), ("name", "Ask the shop")]).await;
        let page = browser.get(target(&renamed)).await.text;
        assert!(page.contains("<h1") && page.contains("Ask the shop"), "{page}");
        let late = browser.submit(&rename, &[("seen", "Ask"), ("name", "Mine")]).await;
        assert!(late.status == 409 && late.text.contains("value=\"Mine\""), "{}", late.text);
        let connection = world.applied.connections["warehouse"].to_string();
        let second = browser.submit(&project(&world, "workspaces"), &[("name", "Second"), ("connection", &connection)]).await;
        assert_eq!(second.status, 303, "{}", second.text);
        for (name, told) in [("Second", "Second"), ("", "must not be empty")] {
            let refused = browser.submit(&rename, &[("seen", "Ask the shop"), ("name", name)]).await;
            assert!(matches!(refused.status.as_u16(), 400 | 409) && refused.text.contains(told), "{name}: {}", refused.text);
        }
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("workspace.renamed"), "{audit}");
    }

    async fn a_workspace_replaces_an_agent(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let ask = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let agent = AgentId::generate().to_string();
        let set = browser.submit(&format!("{ask}/agent"), &[("seen", ""), ("agentId", &agent)]).await;
        let page = browser.get(target(&set)).await.text;
        assert!(page.contains("Agent saved.") && page.contains(&format!("value=\"{agent}\"")), "{page}");
        let saved = json!({"agentId": agent, "chartConfig": {"title": "Rates", "type": "table", "sqlOverride": "select name from rates"}});
        world.post("/v1/api/chart/save-from-chat", &world.key, &saved).await.data();
        let late = browser.submit(&format!("{ask}/agent"), &[("seen", ""), ("agentId", "")]).await;
        assert_eq!(late.status, 409, "{}", late.text);
        let connection = world.applied.connections["warehouse"].to_string();
        let second = browser.submit(&project(&world, "workspaces"), &[("name", "Second"), ("connection", &connection)]).await;
        let second = format!("{}/agent", target(&second).split('?').next().expect("a path"));
        for (given, told) in [(agent.as_str(), "is the agent of the workspace Ask"), ("my agent", "must be a UUID")] {
            let refused = browser.submit(&second, &[("seen", ""), ("agentId", given)]).await;
            assert!(refused.status == 400 && refused.text.contains(told) && refused.text.contains(given), "{}", refused.text);
        }
        assert_eq!(browser.submit(&format!("{ask}/agent"), &[("seen", &agent), ("agentId", " ")]).await.status, 303);
        world.post("/v1/api/chart/save-from-chat", &world.key, &saved).await.refused(404, "NOT_FOUND");
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("workspace.agentChanged"), "{audit}");
    }

    async fn a_workspace_in_production_is_kept_and_another_goes(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let path = project(&world, &format!("workspaces/{}", world.applied.workspaces["Ask"]));
        let kept = browser.submit(&format!("{path}/remove"), &[]).await;
        assert!(kept.status == 409 && kept.text.contains("Take it out of production first"), "{}", kept.text);
        let page = browser.get(&path).await.text;
        assert!(page.contains("is no longer linked to it"), "{page}");
        let out = browser.submit(&format!("{path}/versions"), &[("step", "unpublish"), ("number", "0")]).await;
        assert_eq!(out.status, 303, "{}", out.text);
        let gone = browser.submit(&format!("{path}/remove"), &[]).await;
        assert!(browser.get(target(&gone)).await.text.contains("Workspace deleted."));
        assert_eq!(browser.get(&path).await.status, 404);
        assert_eq!(workspace_of_orders(&world).await, None);
        let audit = browser.get(&format!("/console/organizations/{}/audit", world.organization)).await.text;
        assert!(audit.contains("workspace.deleted"), "{audit}");
    }

    async fn an_applications_workspace_is_chosen(world) {
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let ask = world.applied.workspaces["Ask"];
        let path = project(&world, &format!("applications/{}", world.applied.applications["Orders"].id));
        assert_eq!(workspace_of_orders(&world).await, Some(ask));
        assert_eq!(browser.save(&path, &[("name", "Orders"), ("workspace", "")]).await.status, 303);
        assert_eq!(workspace_of_orders(&world).await, None);
        assert_eq!(browser.save(&path, &[("name", "Orders"), ("workspace", &ask.to_string())]).await.status, 303);
        assert_eq!(workspace_of_orders(&world).await, Some(ask));
        let (neighbour, _) = world.neighbour().await;
        let foreign = neighbour.workspaces["Ask"].to_string();
        let refused = browser.save(&path, &[("name", "Orders"), ("workspace", &foreign)]).await;
        assert!(refused.status == 400 && refused.text.contains("does not exist in this project"), "{}", refused.text);
        assert_eq!(workspace_of_orders(&world).await, Some(ask));
    }
}
