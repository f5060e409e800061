//! Reports on both stores, from the page's server function to the recipient's mailbox.

mod alerts;
mod button;
mod mails;
mod owners;
mod rules;

use crate::{
    concepts::reports::store::{self, Rules},
    faces::background,
    ground::jobs::MOST_ATTEMPTS,
    on,
    testing::{ACME, MailServer, Reply, StoreKind, World},
};
use axum::http::Method;
use serde_json::{Value, json};
use std::{
    ops::Deref,
    sync::atomic::{AtomicI64, Ordering},
};

/// A time long ago, later at each use.
static MOMENT: AtomicI64 = AtomicI64::new(1000);

/// A world with reports, and its mail server.
pub(super) struct Studio {
    world: World,
    mail: MailServer,
    role: Value,
}

impl Deref for Studio {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Studio {
    pub(super) async fn new(kind: StoreKind) -> Self {
        Self::with(kind, &[]).await
    }

    /// The same with other settings than the defaults.
    pub(super) async fn with(kind: StoreKind, other: &[&str]) -> Self {
        let mail = MailServer::start().await;
        let flags =
            ["--smtp-url", &mail.url(), "--smtp-from", "Reports <reports@inlay.test>", "--embed-url", "https://embed.test"];
        let flags: Vec<&str> = flags.into_iter().chain(other.iter().copied()).collect();
        Self::of(World::with(kind, &flags).await, mail).await
    }

    /// The same for a service without a mail server.
    pub(super) async fn without_mail() -> Self {
        Self::of(World::new(StoreKind::Sqlite).await, MailServer::start().await).await
    }

    async fn of(world: World, mail: MailServer) -> Self {
        let path = format!("/v1/api/projects/{}/user-roles", world.applied.project_id);
        let role = json!({ "name": "Reader", "permissions": { "enableScheduleReport": true } });
        let role = world.post(&path, &world.key, &role).await.data()["userRole"]["id"].clone();
        let studio = Self { world, mail, role };
        studio.allow(Some(Rules::default())).await;
        studio
    }

    /// Turns reports on or off.
    pub(super) async fn allow(&self, rules: Option<Rules>) {
        let mut tx = self.app.db.write().await.expect("a transaction");
        store::put_rules(&mut tx.conn(), self.organization, rules.as_ref()).await.expect("put");
        tx.commit().await.expect("committed");
    }

    /// Signs in a user whose role allows reports. Returns the response's data.
    pub(super) async fn sign_in(&self, company: &str, user: &str) -> Value {
        let mut body = self.sign_in_body(company, user);
        body["user"]["userRoleId"] = self.role.clone();
        self.post("/v1/api/projects/embed-token", &self.key, &body).await.data()
    }

    /// A token of Ada at Acme.
    pub(super) async fn ada(&self) -> String {
        self.sign_in(ACME, "ada").await["token"].as_str().expect("a token").to_owned()
    }

    /// Calls the page's server function.
    pub(super) async fn ask(&self, token: &str, ask: Value) -> Reply {
        let scope = json!({ "application": self.applied.applications["Orders"].id, "timezone": "UTC", "locale": "en" });
        let target = json!({ "scope": scope, "dashboard": self.applied.dashboards["Orders/Overview"].id });
        self.post("/share/fn/reports", token, &json!({ "target": target, "ask": ask })).await
    }

    /// Saves a report. Returns it as its owner sees it.
    pub(super) async fn save(&self, token: &str, edit: &Value) -> Value {
        let saved = self.ask(token, json!({ "save": { "id": null, "edit": edit } })).await;
        assert_eq!(saved.status.as_u16(), 200, "{}", saved.text);
        saved.json()["report"].clone()
    }

    /// The runs of a report, newest first.
    pub(super) async fn history(&self, token: &str, report: &Value) -> Vec<Value> {
        let told = self.ask(token, json!({ "history": { "id": report["id"] } })).await.json();
        told["runs"].as_array().expect("runs").clone()
    }

    /// Makes every report and every waiting job due.
    pub(super) async fn make_due(&self) {
        let mut tx = self.app.db.write().await.expect("a transaction");
        // A different time at each call, because a scheduled time has only one run.
        let moment = MOMENT.fetch_add(1000, Ordering::Relaxed);
        let conn = &mut tx.conn();
        let reports = "UPDATE reports SET next_at = $1 WHERE next_at IS NOT NULL";
        on!(conn, |c| sqlx::query(reports).bind(moment).execute(c).await.map(drop)).expect("due");
        tx.commit().await.expect("committed");
        self.make_jobs_due().await;
    }

    /// Runs everything that is due, on several nodes at once.
    pub(super) async fn work(&self) {
        let nodes: Vec<_> = (0..3).map(|_| background::worker(self.app.clone())).collect();
        futures::future::try_join_all(nodes.iter().map(|node| node.work_off())).await.expect("worked off");
    }

    /// Retries jobs in progress; nothing else runs.
    pub(super) async fn try_again(&self) {
        self.make_jobs_due().await;
        self.work().await;
    }

    /// Retries jobs in progress for the last time.
    pub(super) async fn try_for_the_last_time(&self) {
        let mut tx = self.app.db.write().await.expect("a transaction");
        let before = MOST_ATTEMPTS - 1;
        let sql = "UPDATE jobs SET attempts = $1 WHERE kind = 'report'";
        on!(&mut tx.conn(), |c| sqlx::query(sql).bind(before).execute(c).await.map(drop)).expect("set");
        tx.commit().await.expect("committed");
        self.try_again().await;
    }

    /// Changes Ada's customer, or removes it.
    pub(super) async fn become_company(&self, company: Option<&str>) {
        let mut body = self.sign_in_body(ACME, "ada");
        body["organization"]["properties"]["company"] = json!(company);
        self.post("/v1/api/projects/embed-token", &self.key, &body).await.data();
    }

    /// Changes a permission of Ada's role.
    pub(super) async fn set_flag(&self, flag: &str, on: bool) {
        let role = self.role.as_str().expect("an id");
        let path = format!("/v1/api/projects/{}/user-roles/{role}", self.applied.project_id);
        let body = json!({ "permissions": { "enableScheduleReport": true, flag: on } });
        self.call(Method::PATCH, &path, &self.key, Some(&body)).await.data();
    }

    /// Runs everything that is scheduled.
    pub(super) async fn run_due(&self) {
        self.make_due().await;
        self.work().await;
    }
}

/// A report's settings with one recipient.
pub(super) fn edit() -> Value {
    json!({
        "name": "Orders of the week",
        "recipients": ["grace@example.test"],
        "cron": "0 8 * * MON",
        "timezone": "Europe/Berlin",
        "locale": "en",
        "subject": "Orders of the week",
        "message": "Have a look.",
        "format": "link",
        "filters": {},
    })
}

/// The same with some other settings.
pub(super) fn edit_with(other: &Value) -> Value {
    let mut edit = edit();
    for (key, value) in other.as_object().expect("an object") {
        edit[key] = value.clone();
    }
    edit
}

/// Tests that run once on each store.
macro_rules! in_both_studios {
    ($($(#[$doc:meta])* async fn $name:ident($studio:ident) $body:block)+) => {
        $(async fn $name($studio: $crate::concepts::reports::tests::Studio) $body)+

        mod on_sqlite {
            use crate::{concepts::reports::tests::Studio, testing::StoreKind};
            $($(#[$doc])* #[tokio::test] async fn $name() { super::$name(Studio::new(StoreKind::Sqlite).await).await; })+
        }

        mod on_postgres {
            use crate::{concepts::reports::tests::Studio, testing::StoreKind};
            $($(#[$doc])* #[tokio::test] async fn $name() { super::$name(Studio::new(StoreKind::Postgres).await).await; })+
        }
    };
}
pub(super) use in_both_studios;
