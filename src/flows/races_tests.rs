//! Members and hosts who change the same things of a project at the same moment, on both stores: of a name only one becomes the
//! owner, and nothing that was answered with success is undone.

use crate::{
    concepts::{
        applications::{self, Application},
        catalog::{self, CatalogTable},
        charts, connections,
        dashboards::{self, Owner},
        organizations::members::{Member, Worker},
        projects::{self, ProjectSettings},
        workspaces::{self, WorkspaceSettings},
    },
    flows::{
        management::{self, chart_copies},
        project_file, shared_dashboards,
    },
    ground::{
        error::{Error, Result},
        web::origin::Origin,
    },
    testing::{World, on_both_stores, overlapped},
};
use axum::http::Method;
use futures::future::join_all;
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{ChartId, ConnectionId},
};
use inlay_query::{Source, SourceKind, SourceLimits};
use serde_json::{Value, json};

async fn by(world: &World) -> Member<Worker> {
    Member::new(&world.membership(&world.key).await, Origin::default()).expect("a member")
}

fn warehouse(world: &World) -> ConnectionId {
    world.applied.connections["warehouse"]
}

async fn orders_application(world: &World) -> Application {
    let id = world.applied.applications["Orders"].id;
    management::applications::find(&world.app, &by(world).await, world.applied.project_id, id).await.expect("an application")
}

/// Four calls at once: one does it, the others get this code.
async fn one_does<T>(code: &str, call: impl AsyncFn() -> Result<T>) {
    let answers = join_all((0..4).map(|_| call())).await;
    let codes: Vec<&str> = answers.iter().filter_map(|answer| answer.as_ref().err()).map(|error| error.code.as_str()).collect();
    assert_eq!(codes, [code; 3]);
}

fn code_of<T>(answer: Result<T, Error>) -> &'static str {
    answer.err().map_or("", |error| error.code.as_str())
}

fn number() -> ChartDefinition {
    let text = json!({"title": "Late", "type": "number", "sqlOverride": "select count(*) as n from rates", "encoding": {"value": "n"}, "options": {}});
    serde_json::from_value(text).expect("a definition")
}

/// Saves a chart of the library.
async fn save(world: &World, id: Option<ChartId>, name: &str) -> Result<management::charts::Saved> {
    let definition = number();
    let settings = management::charts::ChartSettings {
        name: name.to_owned(),
        connection: warehouse(world),
        kind: definition.kind,
        sql: definition.sql_override.unwrap_or_default(),
        encoding: definition.encoding,
        options: definition.options,
        cache_seconds: None,
    };
    management::charts::save(&world.app, &by(world).await, world.applied.project_id, id, settings).await
}

async fn tables(world: &World) -> Vec<CatalogTable> {
    let mut lease = world.app.db.read().await.expect("a connection");
    catalog::of_connection(&mut lease.conn(), warehouse(world)).await.expect("read")
}

async fn version_of(world: &World, chart: ChartId) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    charts::find(&mut lease.conn(), world.applied.project_id, chart, None).await.expect("a chart").version
}

fn webhooks(world: &World) -> String {
    format!("/v2/api/projects/{}/webhooks", world.applied.project_id)
}

on_both_stores! {
    async fn a_name_is_given_once(world) {
        let (app, by, project) = (&world.app, &by(&world).await, world.applied.project_id);
        let settings = || ProjectSettings { name: "New".to_owned(), allowed_origins: vec![], timezone: "UTC".to_owned(), locale: "en".to_owned() };
        one_does("PROJECT_NAME_TAKEN", async || projects::create(app, by, settings()).await).await;
        one_does("APPLICATION_NAME_TAKEN", async || management::applications::create(app, by, project, "New").await).await;
        let draft = async || {
            let settings = WorkspaceSettings::default();
            management::workspaces::draft(app, by, project, None, "New", warehouse(&world), &settings).await
        };
        one_does("WORKSPACE_NAME_TAKEN", draft).await;
        let application = orders_application(&world).await;
        one_does("DASHBOARD_NAME_TAKEN", async || shared_dashboards::add_dashboard(app, by, &application, "New").await).await;
        let source = world.applied.dashboards["Orders/More"].id;
        one_does("DASHBOARD_NAME_TAKEN", async || shared_dashboards::clone_dashboard(app, by, &application, source, "Copy").await).await;
        one_does("CHART_NAME_TAKEN", async || save(&world, None, "New").await).await;
        let notes = world.applied.tables["notes"];
        management::catalog::remove(app, by, project, warehouse(&world), notes).await.expect("removed");
        one_does("TABLE_LISTED", async || management::catalog::add(app, by, project, warehouse(&world), "notes").await).await;
    }

    async fn every_save_of_a_chart_is_a_version(world) {
        let chart = world.applied.charts["Count"];
        let saved = join_all((0..4).map(|_| save(&world, Some(chart), "Count"))).await;
        let mut versions: Vec<i64> = saved.into_iter().map(|saved| saved.expect("saved").version).collect();
        versions.sort_unstable();
        assert_eq!(versions, [2, 3, 4, 5]);
        let (app, by) = (&world.app, by(&world).await);
        let restored = join_all((1..4).map(|number| management::charts::restore(app, &by, world.applied.project_id, chart, number))).await;
        let mut versions: Vec<i64> = restored.into_iter().map(|version| version.expect("restored")).collect();
        versions.sort_unstable();
        assert_eq!(versions, [6, 7, 8]);
    }

    async fn copies_of_a_chart_are_updated_once(world) {
        let (app, by, chart) = (&world.app, &by(&world).await, world.applied.charts["Count"]);
        save(&world, Some(chart), "Count").await.expect("saved");
        let both = ["Overview", "More"].map(|name| &world.applied.dashboards[&format!("Orders/{name}")]);
        let chosen = both.iter().map(|dashboard| dashboard.id).collect();
        let updates = join_all((0..4).map(|_| chart_copies::update(app, by, world.applied.project_id, chart, 2, &chosen))).await;
        let mut updated: Vec<usize> = updates.into_iter().map(|updated| updated.expect("updated")).collect();
        updated.sort_unstable();
        assert_eq!(updated, [0, 0, 0, 2]);
        for dashboard in both {
            assert_eq!(version_of(&world, dashboard.charts["Count"]).await, 2);
        }
    }

    async fn a_copy_that_is_taken_off_meanwhile_is_not_updated(world) {
        let (chart, more) = (world.applied.charts["Count"], &world.applied.dashboards["Orders/More"]);
        save(&world, Some(chart), "Count").await.expect("saved");
        let copy = more.charts["Count"];
        let mut first = world.app.db.write().await.expect("a transaction");
        assert!(dashboards::touch(&mut first.conn(), more.id).await.expect("locked"));
        assert!(dashboards::unplace(&mut first.conn(), more.id, copy).await.expect("taken off"));
        let (by, chosen) = (by(&world).await, [more.id].into());
        let update = chart_copies::update(&world.app, &by, world.applied.project_id, chart, 2, &chosen);
        assert_eq!(overlapped(&world, first, update).await.expect("updated"), 0);
        assert_eq!(version_of(&world, copy).await, 1);
    }

    async fn a_chart_that_is_saved_meanwhile_is_not_copied_unseen(world) {
        let chart = world.applied.charts["Count"];
        save(&world, Some(chart), "Count").await.expect("saved");
        let project = world.applied.project_id;
        let mut first = world.app.db.write().await.expect("a transaction");
        let conn = &mut first.conn();
        projects::lock(conn, project).await.expect("locked");
        let seen = charts::find(conn, project, chart, None).await.expect("the chart");
        charts::update(conn, &charts::Chart { version: 3, ..seen }).await.expect("saved");
        let dashboard = &world.applied.dashboards["Orders/More"];
        let (by, chosen) = (by(&world).await, [dashboard.id].into());
        let update = chart_copies::update(&world.app, &by, project, chart, 2, &chosen);
        assert_eq!(code_of(overlapped(&world, first, update).await), "CHANGED_MEANWHILE");
        assert_eq!(version_of(&world, dashboard.charts["Count"]).await, 1);
    }

    async fn every_draft_of_a_workspace_is_a_version(world) {
        let (app, by, id) = (&world.app, &by(&world).await, world.applied.workspaces["Ask"]);
        let draft = async |question: &str| {
            let settings = WorkspaceSettings { example_questions: vec![question.to_owned()], ..Default::default() };
            management::workspaces::draft(app, by, world.applied.project_id, Some(id), "Ask", warehouse(&world), &settings).await
        };
        let drafted = join_all(["a", "b", "c", "d"].map(draft)).await;
        assert!(drafted.iter().all(Result::is_ok), "{drafted:?}");
        let versions = workspaces::list_versions(&mut world.app.db.read().await.expect("a connection").conn(), id).await.expect("read");
        assert_eq!(versions.len(), 5);
    }

    async fn dashboards_that_are_added_at_once_have_places_of_their_own(world) {
        let (app, by, application) = (&world.app, &by(&world).await, orders_application(&world).await);
        let added = join_all(["A", "B", "C", "D"].map(|name| shared_dashboards::add_dashboard(app, by, &application, name))).await;
        assert!(added.iter().all(Result::is_ok), "{added:?}");
        let id = added.into_iter().next_back().expect("one").expect("added");
        let order = async || {
            let mut lease = app.db.read().await.expect("a connection");
            let all = dashboards::of_application(&mut lease.conn(), application.id).await.expect("read");
            all.into_iter().filter(|one| one.owner == Owner::Shared).map(|one| one.id).collect::<Vec<_>>()
        };
        let before = order().await;
        let at = before.iter().position(|known| *known == id).expect("there");
        // Two who move the same dashboard up move it two places.
        let moved = join_all((0..2).map(|_| shared_dashboards::move_dashboard(app, by, &application, id, true))).await;
        assert!(moved.iter().all(Result::is_ok), "{moved:?}");
        assert_eq!(order().await.iter().position(|known| *known == id), Some(at - 2));
    }

    async fn a_default_dashboard_outlives_no_deletion(world) {
        let (app, by, application) = (&world.app, &by(&world).await, orders_application(&world).await);
        let names = ["Overview", "More"].map(|name| world.applied.dashboards[&format!("Orders/{name}")].id);
        let removed = join_all(names.map(|id| shared_dashboards::remove_dashboard(app, by, &application, id))).await;
        assert!(removed.iter().all(Result::is_ok), "{removed:?}");
        assert_eq!(orders_application(&world).await.default_dashboard, None);
    }

    async fn a_column_that_is_hidden_meanwhile_stays_hidden(world) {
        let mut orders = tables(&world).await.into_iter().find(|table| table.name == "orders").expect("listed");
        let (id, rows) = (orders.id, orders.rows.clone());
        orders.columns.entry("amount".to_owned()).or_default().hidden = true;
        let mut first = world.app.db.write().await.expect("a transaction");
        projects::lock(&mut first.conn(), world.applied.project_id).await.expect("locked");
        catalog::put(&mut first.conn(), warehouse(&world), &orders).await.expect("hidden");
        let settings = management::catalog::TableSettings {
            label: Some("All orders".to_owned()), description: None, synonyms: vec![], rows, columns: [].into(), despite_uses: vec![], despite_unknown: vec![],
        };
        let member = by(&world).await;
        let change = management::catalog::change(&world.app, &member, world.applied.project_id, warehouse(&world), id, settings);
        overlapped(&world, first, change).await.expect("changed");
        let orders = tables(&world).await.into_iter().find(|table| table.name == "orders").expect("listed");
        assert_eq!((orders.label.as_deref(), orders.columns["amount"].hidden), (Some("All orders"), true));
    }

    async fn a_table_that_is_removed_meanwhile_stays_removed(world) {
        let rates = tables(&world).await.into_iter().find(|table| table.name == "rates").expect("listed");
        let mut first = world.app.db.write().await.expect("a transaction");
        projects::lock(&mut first.conn(), world.applied.project_id).await.expect("locked");
        catalog::delete(&mut first.conn(), rates.id).await.expect("removed");
        let settings = management::catalog::TableSettings {
            label: None, description: None, synonyms: vec![], rows: rates.rows.clone(), columns: [].into(), despite_uses: vec![], despite_unknown: vec![],
        };
        let member = by(&world).await;
        let change = management::catalog::change(&world.app, &member, world.applied.project_id, warehouse(&world), rates.id, settings);
        assert_eq!(code_of(overlapped(&world, first, change).await), "NOT_FOUND");
        assert!(tables(&world).await.iter().all(|table| table.name != "rates"));
    }

    async fn a_connection_that_gets_a_chart_meanwhile_is_in_use(world) {
        let spare = Source::new(ConnectionId::generate(), "spare", SourceKind::Sqlite, "sqlite:/nowhere.db");
        let mut tx = world.app.db.write().await.expect("a transaction");
        connections::put(&mut tx.conn(), &world.app.sealer, world.applied.project_id, &spare).await.expect("stored");
        tx.commit().await.expect("committed");
        world.app.refresh().await.expect("refreshed");
        let chart = charts::Chart {
            id: ChartId::generate(),
            project: world.applied.project_id,
            connection: spare.id,
            name: "Late".to_owned(),
            version: 1,
            definition: number(),
        };
        let mut first = world.app.db.write().await.expect("a transaction");
        charts::insert(&mut first.conn(), &chart, charts::Origin::default()).await.expect("stored");
        let member = by(&world).await;
        let removal = management::connections::remove(&world.app, &member, world.applied.project_id, spare.id);
        assert_eq!(code_of(overlapped(&world, first, removal).await), "CONNECTION_IN_USE");
        let mut lease = world.app.db.read().await.expect("a connection");
        let found = charts::find(&mut lease.conn(), chart.project, chart.id, None).await.expect("still there");
        let name = connections::name(&mut lease.conn(), spare.id).await.expect("read");
        assert_eq!((found.name.as_str(), name.as_deref()), ("Late", Some("spare")));
    }

    async fn a_url_that_is_changed_meanwhile_is_not_put_back(world) {
        let (app, project, id) = (&world.app, world.applied.project_id, warehouse(&world));
        let member = by(&world).await;
        let old = management::connections::find(app, &member, project, id).await.expect("a connection");
        let moved = Source { url: old.url.replace("warehouse.db", "elsewhere.db"), ..old };
        let mut first = app.db.write().await.expect("a transaction");
        projects::lock(&mut first.conn(), project).await.expect("locked");
        connections::put(&mut first.conn(), &app.sealer, project, &moved).await.expect("changed");
        let settings = management::connections::ConnectionSettings {
            name: "renamed".to_owned(), kind: moved.kind, address: management::connections::GivenAddress::Whole(None), database_auth: None, limits: SourceLimits::default(),
        };
        let change = management::connections::save(app, &member, project, Some(id), settings);
        assert_eq!(code_of(overlapped(&world, first, change).await), "CHANGED_MEANWHILE");
        let now = management::connections::find(app, &member, project, id).await.expect("a connection");
        assert_eq!((now.name.as_str(), now.url), ("warehouse", moved.url));
    }

    async fn changes_of_a_webhook_keep_each_other(world) {
        let sent = json!({"url": "https://127.0.0.1/one", "events": ["dashboard.saved"]});
        let made = world.post(&webhooks(&world), &world.key, &sent).await.data();
        let path = format!("{}/{}", webhooks(&world), made["webhook"]["id"].as_str().or(made["id"].as_str()).expect("an id"));
        let change = async |body: Value| world.call(Method::PATCH, &path, &world.key, Some(&body)).await.data();
        for round in 0..4 {
            let url = format!("https://127.0.0.1/{round}");
            let active = round % 2 == 1;
            futures::join!(change(json!({"url": url})), change(json!({"active": active})), change(json!({"events": ["token.refused"]})));
            let now = change(json!({})).await;
            let now = now.get("webhook").unwrap_or(&now);
            assert_eq!((&now["url"], &now["active"], &now["events"]), (&json!(url), &json!(active), &json!(["token.refused"])));
        }
    }

    async fn a_project_has_as_many_webhooks_as_it_may(world) {
        let sent = json!({"url": "https://127.0.0.1/one", "events": ["dashboard.saved"]});
        let replies = join_all((0..24).map(async |_| world.post(&webhooks(&world), &world.key, &sent).await.status.as_u16())).await;
        assert_eq!(replies.iter().filter(|status| **status == 200).count(), 20, "{replies:?}");
    }

    async fn the_project_that_a_file_was_compared_with_stays_until_the_file_is_applied(world) {
        let (app, by, project) = (&world.app, &by(&world).await, world.applied.project_id);
        let mut first = app.db.write().await.expect("a transaction");
        projects::lock(&mut first.conn(), project).await.expect("locked");
        applications::put(&mut first.conn(), project, "Late", &inlay_contract::theme::Theme::default(), None).await.expect("created");
        let mut lease = app.db.read().await.expect("a connection");
        let conn = &mut lease.conn();
        let state = project_file::project_state::ProjectState::read(conn, &app.sealer, world.organization, "Shop").await;
        let seen = state.expect("read").fingerprint();
        drop(lease);
        let nothing = |_: &str| None;
        let incoming = project_file::apply::Incoming {
            text: World::project_file(), folder: world.folder(), environment: &nothing, seen: Some(&seen), despite: None, check_data: false,
        };
        let (target, actor) = (world.target(), by.actor());
        let applied = overlapped(&world, first, project_file::apply::apply_as(&target, &actor, &incoming)).await;
        let problem = applied.expect_err("refused").to_string();
        assert!(problem.contains("was changed since you opened the page"), "{problem}");
    }
}
