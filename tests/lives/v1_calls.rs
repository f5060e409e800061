//! The v1 calls of a host, as it wrote them years ago.

use super::service::{Api, Reply, list, text, texts};
use serde_json::{Value, json};

/// A caller of v1 in a workspace: the host's backend with its key, or a tenant's page with its token.
#[derive(Clone, Debug)]
pub struct V1 {
    /// The caller.
    pub api: Api,
    /// The workspace.
    pub workspace: String,
}

impl V1 {
    /// One of the five writes.
    pub async fn write(&self, action: &str, body: &Value) -> Reply {
        self.api.post(&format!("/v1/api/dashboard/{action}"), body).await
    }

    pub async fn create(&self, name: &str) -> String {
        let made = self.write("create", &json!({ "workspaceId": self.workspace, "name": name })).await.data();
        assert_eq!(made["name"], name);
        text(&made["dashboardId"])
    }

    pub async fn copy(&self, dashboard: &str) -> String {
        text(&self.write("clone", &json!({ "sourceDashboardId": dashboard })).await.data()["dashboardId"])
    }

    pub async fn add(&self, dashboard: &str, chart: &str) -> Vec<String> {
        let charts = json!([{ "chartId": chart, "chartVersion": 1 }]);
        let added = self.write("add-charts", &json!({ "targetDashboardId": dashboard, "charts": charts })).await.data();
        assert_eq!(added["dashboardId"], dashboard, "v1 answers v1 ids");
        texts(&added["addedChartIds"])
    }

    pub async fn append(&self, source: &str, target: &str) -> Vec<String> {
        let body = json!({ "sourceDashboardId": source, "targetDashboardId": target });
        texts(&self.write("append-charts-from", &body).await.data()["addedChartIds"])
    }

    pub async fn remove(&self, dashboard: &str, charts: &[String]) {
        let removed = self.write("remove-charts", &json!({ "dashboardId": dashboard, "chartIds": charts })).await.data();
        assert_eq!(texts(&removed["removedChartIds"]), charts);
    }

    /// Saves a chart as the chat's page does.
    pub async fn save_from_chat(&self, title: &str) -> String {
        let config = json!({
            "title": title, "type": "bar", "sqlOverride": "select id, amount from orders where amount > 1 order by id",
            "encoding": { "x": "id", "y": ["amount"] },
        });
        let body = json!({ "workspaceId": self.workspace, "chartConfig": config });
        let saved = self.api.post("/v1/api/chart/save-from-chat", &body).await.data();
        assert_eq!((&saved["name"], &saved["chartVersion"]), (&json!(title), &json!(1)));
        text(&saved["chartId"])
    }

    /// The list of a tenant or of the host.
    pub async fn list(&self) -> Vec<Value> {
        let path = format!("/v1/api/dashboard/list-workspace-dashboards?workspaceId={}", self.workspace);
        list(&self.api.get(&path).await.data()["dashboards"]).clone()
    }

    /// The entry of a dashboard in the list.
    pub async fn entry(&self, dashboard: &str) -> Value {
        let all = self.list().await;
        all.iter().find(|one| one["id"] == dashboard).unwrap_or_else(|| panic!("{dashboard} is not in {all:?}")).clone()
    }

    /// Everything that v1 can do, once around: the five writes, the list and a saved chart. Returns the dashboards that it made.
    pub async fn round(&self, shared: &str, chart: &str) -> [String; 2] {
        let made = self.create("Round").await;
        let added = self.add(&made, chart).await;
        let saved = self.save_from_chat("Saved").await;
        let saved = self.add(&made, &saved).await;
        let appended = self.append(shared, &made).await;
        self.remove(&made, &added).await;
        let copy = self.copy(&made).await;
        assert!(!appended.is_empty() && saved.len() == 1);
        for dashboard in [&made, &copy] {
            self.entry(dashboard).await;
        }
        [made, copy]
    }
}

/// What a v1 write became after the migration: the v2 call that its refusal names, with the v1 body's remaining fields.
pub async fn follow(v1: &V1, action: &str, body: &Value) -> Value {
    let refused = v1.write(action, body).await.refused(410, "MIGRATED_TO_V2");
    let endpoint = text(&refused["details"]["endpoint"]);
    assert!(!endpoint.contains(['{', '}']), "{endpoint}");
    let (method, path) = endpoint.split_once(' ').expect("method and path");
    if action != "remove-charts" {
        let kept = ["name", "charts", "sourceDashboardId"].into_iter();
        let kept = kept.filter_map(|field| Some((field.to_owned(), body.get(field)?.clone())));
        return v1.api.call(method.parse().expect("a method"), path, Some(&kept.collect())).await.data();
    }
    // One call for each chart; the endpoint names the first.
    let (charts, first) = path.rsplit_once('/').expect("a chart");
    assert_eq!(first, body["chartIds"][0]);
    let mut last = Value::Null;
    for chart in texts(&body["chartIds"]) {
        last = v1.api.call(method.parse().expect("a method"), &format!("{charts}/{chart}"), None).await.data();
    }
    last
}
