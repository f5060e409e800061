//! A page that stays open in a user's browser: what it asks the server with the token that it was opened with.

use super::service::{Api, Reply, Service, list, orders_of, text};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};
use tokio::task::JoinHandle;

/// An open page of a dashboard, and beside it one of a workspace.
#[derive(Clone, Debug)]
pub struct Page {
    api: Api,
    company: &'static str,
    application: String,
    dashboard: String,
    workspace: Value,
}

impl Page {
    /// Opens the application and the workspace with a token in their addresses.
    pub async fn open(service: &Service, token: &str, company: &'static str) -> Self {
        let (application, workspace) = (service.application(), service.id("workspaces", "Ask"));
        let path = format!("/share/workspace/{}/{workspace}", service.project());
        for address in [format!("/share/application/{application}"), path.clone()] {
            let html = service.with("").get(&format!("{address}?jwt={token}")).await;
            assert_eq!(html.status, 200, "{}", html.text);
        }
        Self {
            api: service.with(token),
            company,
            application,
            dashboard: text(&service.applied["dashboards"]["Orders/Overview"]["id"]),
            workspace: json!({ "path": path, "search": "" }),
        }
    }

    /// Calls a function of the page.
    pub async fn function(&self, name: &str, arguments: &Value) -> Reply {
        self.api.post(&format!("/share/fn/{name}"), arguments).await
    }

    /// A dashboard as the page opens it.
    pub async fn dashboard(&self, id: &str) -> Value {
        let scope = json!({ "application": self.application, "timezone": "UTC", "locale": "en" });
        let request = json!({ "request": { "scope": scope, "dashboard": id, "filters": {} } });
        let reply = self.function("open-dashboard", &request).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.json()["content"]["dashboard"].clone()
    }

    /// Asks everything again that the page shows: its own company's rows and nothing else.
    pub async fn shows_its_rows(&self) {
        let opened = self.dashboard(&self.dashboard).await;
        let tile = &list(&opened["tiles"])[0];
        assert_eq!(ids(&tile["content"]["ready"]["data"]["rows"]), orders_of(self.company), "{opened}");
        let (dashboard, chart) = (text(&opened["id"]), text(&tile["id"]));
        let path = format!("/v2/api/applications/{}/dashboards/{dashboard}/charts/{chart}/data", self.application);
        assert_eq!(ids(&self.api.post(&path, &json!({})).await.data()["rows"]), orders_of(self.company));
        let threads = self.function("workspace/threads", &json!({ "address": self.workspace, "search": "" })).await;
        assert_eq!(threads.status, 200, "{}", threads.text);
    }
}

/// The ids of rows.
pub fn ids(rows: &Value) -> Vec<i64> {
    list(rows).iter().map(|row| row[0].as_i64().expect("an id")).collect()
}

/// Something that goes on while something else happens.
pub struct GoingOn {
    stop: Arc<AtomicBool>,
    rounds: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl GoingOn {
    /// Begins to do something again and again.
    pub fn begin<F: Future<Output = ()> + Send>(mut round: impl FnMut() -> F + Send + 'static) -> Self {
        let (stop, rounds) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (ended, counted) = (Arc::clone(&stop), Arc::clone(&rounds));
        let task = tokio::spawn(async move {
            while !ended.load(Ordering::Relaxed) {
                round().await;
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        Self { stop, rounds, task }
    }

    /// Ends it after at least one whole round.
    pub async fn end(self) {
        while self.rounds.load(Ordering::Relaxed) == 0 && !self.task.is_finished() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        self.stop.store(true, Ordering::Relaxed);
        self.task.await.expect("every round ends well");
    }
}
