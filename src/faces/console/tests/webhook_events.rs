//! The webhook messages about members' changes.

use super::{Browser, browser::target};
use crate::{
    concepts::organizations::MemberRole,
    testing::{World, on_both_stores},
};
use serde_json::{Value, json};

/// The messages about dashboards, in order: action and name.
async fn told(world: &World) -> Vec<Value> {
    let told = world.told().await.into_iter().filter(|(event, _)| event == "dashboard.saved");
    told.map(|(_, data)| json!([data["action"], data["name"]])).collect()
}

on_both_stores! {
    async fn shared_dashboards_that_members_make_and_change_are_told(world) {
        world.listen().await;
        let mut browser = Browser::signed_in(&world, MemberRole::Member).await;
        let applied = &world.applied;
        let application = format!("/console/projects/{}/applications/{}", applied.project_id, applied.applications["Orders"].id);
        let made = browser.submit(&format!("{application}/dashboards"), &[("dashboard", "New")]).await;
        let dashboard = target(&made).to_owned();
        let chart = applied.charts["Count"].to_string();
        assert_eq!(browser.submit(&format!("{dashboard}/charts"), &[("chart", &chart)]).await.status, 303);
        assert_eq!(browser.submit(&format!("{dashboard}/clone"), &[("name", "Second")]).await.status, 303);
        let first = [json!(["dashboard.created", "New"]), json!(["dashboard.chartsAdded", "New"]), json!(["dashboard.cloned", "Second"])];
        assert_eq!(told(&world).await, first);
        assert_eq!(browser.submit(&format!("{dashboard}/remove"), &[]).await.status, 303);
        assert_eq!(told(&world).await.len(), 3, "a dashboard that is gone was not saved");
    }
}
