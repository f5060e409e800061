//! After any changes of a project's charts and their copies: applying an export changes nothing, and applying it as a new
//! project creates the same dashboards.

mod story;

use super::{
    export::export,
    model::ProjectFile,
    tests::{compared, edited},
};
use crate::{
    concepts::{
        charts::{self, Chart},
        dashboards::{Dashboard, PlacedChart},
        organizations::members::{Member, Worker},
    },
    flows::{management::applications, shared_dashboards},
    ground::web::origin::Origin,
    testing::{World, on_both_stores},
};
use inlay_contract::ids::{ApplicationId, DashboardId};
use serde_json::json;
use story::{ACTS, Act, InLibrary, Story};

async fn by(world: &World) -> Member<Worker> {
    Member::new(&world.membership(&world.key).await, Origin::default()).expect("a member")
}

async fn exported(world: &World, project: &str) -> String {
    let file: ProjectFile = export(&world.app.db, &world.app.sealer, world.organization, project).await.expect("exported");
    file.to_yaml().expect("YAML")
}

/// Everything that a file covers, with its ids.
#[derive(Debug, PartialEq)]
struct State {
    library: Vec<Chart>,
    production: Vec<(String, Option<i64>)>,
    applications: Vec<(ApplicationId, Option<DashboardId>)>,
    dashboards: Vec<(Dashboard, Vec<PlacedChart>)>,
}

async fn state(world: &World) -> State {
    let mut lease = world.app.db.read().await.expect("a lease");
    let conn = &mut lease.conn();
    let project = world.applied.project_id;
    let applications = crate::concepts::applications::of_project(conn, project).await.expect("read");
    let mut all = Vec::new();
    for application in &applications {
        for dashboard in crate::concepts::dashboards::of_application(conn, application.id).await.expect("read") {
            let charts = crate::concepts::dashboards::charts_on(conn, dashboard.id).await.expect("read");
            all.push((dashboard, charts));
        }
    }
    let workspaces = crate::concepts::workspaces::latest_versions(conn, project).await.expect("read");
    State {
        library: charts::list_of_file(conn, project).await.expect("read"),
        production: workspaces.into_iter().map(|one| (one.name, one.production)).collect(),
        applications: applications.iter().map(|one| (one.id, one.default_dashboard)).collect(),
        dashboards: all,
    }
}

/// Exports a project and applies it again.
async fn changes_nothing(world: &World, after: &str) {
    let text = exported(world, "Shop").await;
    assert_eq!(
        compared(world, &text).await.unwrap_or_else(|problem| panic!("{after}: {problem}\n{text}")),
        "",
        "{after}\n{text}"
    );
    let before = state(world).await;
    world.apply(&text).await.unwrap_or_else(|problem| panic!("{after}: {problem}\n{text}"));
    assert_eq!(state(world).await, before, "{after}\n{text}");
    assert_eq!(exported(world, "Shop").await, text, "{after}");
}

/// Exports a project and applies it as another one.
async fn makes_the_same(world: &World, after: &str) {
    let text = exported(world, "Shop").await.replacen("name: Shop", &format!("name: {after}"), 1);
    world.apply(&text).await.unwrap_or_else(|problem| panic!("{after}: {problem}\n{text}"));
    assert_eq!(exported(world, after).await, text, "{after}");
}

/// Runs all acts in an order that the seed determines, and checks the export after each.
async fn told(world: &World, seed: usize) {
    let mut left = ACTS.to_vec();
    left.extend([InLibrary::Update, InLibrary::Rename, InLibrary::Change].map(Act::Library));
    let mut story = Story { world, by: by(world).await, step: seed };
    let mut told = String::new();
    while !left.is_empty() {
        let act = left.remove(story.step * 5 % left.len());
        story.act(act).await;
        told.push_str(&format!("{act:?} "));
        changes_nothing(world, &told).await;
        story.step += 3;
    }
    makes_the_same(world, "Twin").await;
}

on_both_stores! {
    async fn what_is_exported_changes_nothing_when_charts_are_renamed(world) {
        let story = Story { world: &world, by: by(&world).await, step: 0 };
        let count = story.library().await.into_iter().find(|chart| chart.name == "Count").expect("a chart");
        story.save_named(&count, "Tally").await;
        changes_nothing(&world, "renamed").await;
        makes_the_same(&world, "Twin").await;
        let text = exported(&world, "Shop").await;
        assert!(text.contains("of: Tally") && text.contains("chart: Count"), "{text}");
    }

    async fn what_is_exported_changes_nothing_in_one_order(world) { told(&world, 1).await; }
    async fn what_is_exported_changes_nothing_in_a_second_order(world) { told(&world, 2).await; }
    async fn what_is_exported_changes_nothing_in_a_third_order(world) { told(&world, 10).await; }
    async fn what_is_exported_changes_nothing_in_a_fourth_order(world) { told(&world, 23).await; }

    async fn every_act_alone_changes_nothing(world) {
        let by = by(&world).await;
        let start = exported(&world, "Shop").await;
        for (step, act) in ACTS.into_iter().enumerate() {
            Story { world: &world, by: by.clone(), step }.act(act).await;
            changes_nothing(&world, &format!("{act:?}")).await;
            makes_the_same(&world, &format!("Twin {step}")).await;
            world.apply(&start).await.expect("as it was");
        }
    }

    async fn what_lost_its_column_or_table_is_exported_and_applied(world) {
        let (app, by, project) = (&world.app, by(&world).await, world.applied.project_id);
        world.apply(&edited("exampleQuestions", "tables: [rates, notes], exampleQuestions")).await.expect("applied");
        let connection = world.applied.connections["warehouse"];
        let open = crate::flows::management::catalog::opened(app, &by, project, connection).await.expect("opened");
        let orders = open.tables.iter().find(|table| table.name == "orders").expect("listed").clone();
        let mut columns = orders.columns.clone();
        columns.entry("region".to_owned()).or_default().hidden = true;
        let uses = crate::flows::management::catalog_uses::uses(app, &by, project, &open, &orders, crate::flows::management::catalog_uses::Part::Columns(&["region".to_owned()])).await.expect("uses");
        assert!(uses.contains(&"filter Region of Orders / Overview".to_owned()), "{uses:?}");
        let settings = crate::flows::management::catalog::TableSettings { label: None, description: None, synonyms: Vec::new(), rows: orders.rows.clone(), columns, despite_uses: uses, despite_unknown: Vec::new() };
        crate::flows::management::catalog::change(app, &by, project, connection, orders.id, settings).await.expect("hidden");
        crate::flows::management::catalog::remove(app, &by, project, connection, world.applied.tables["notes"]).await.expect("removed");
        changes_nothing(&world, "hidden and removed").await;
        // What was valid before this file must still be checked.
        let text = exported(&world, "Shop").await;
        let without = text.replacen("hidden: true", "hidden: false", 1);
        world.apply(&without).await.unwrap_or_else(|problem| panic!("{problem}\n{without}"));
        let refused = compared(&world, &text).await.expect_err("refused");
        assert!(refused.contains("`warehouse.orders.region` is not a visible column"), "{refused}");
    }

    async fn an_earlier_version_of_a_workspace_goes_on(world) {
        let text = edited("publish: true, exampleQuestions: [\"How many orders?\"]", "exampleQuestions: [\"What else?\"]");
        assert!(compared(&world, &text).await.expect("compared").contains("publish: true → false"));
        let mut tx = world.app.db.write().await.expect("a transaction");
        let settings = crate::concepts::workspaces::WorkspaceSettings { example_questions: vec!["A draft?".to_owned()], ..Default::default() };
        let workspace = world.applied.workspaces["Ask"];
        crate::concepts::workspaces::add_version(&mut tx.conn(), workspace, 2, world.applied.connections["warehouse"], &settings).await.expect("a draft");
        tx.commit().await.expect("committed");
        changes_nothing(&world, "a draft").await;
        assert_eq!(state(&world).await.production, [("Ask".to_owned(), Some(1))]);
    }

    async fn dashboards_of_the_api_keep_their_places(world) {
        let (app, by, project) = (&world.app, by(&world).await, world.applied.project_id);
        let application = applications::find(app, &by, project, world.applied.applications["Orders"].id).await.expect("there");
        let path = format!("/v2/api/applications/{}/dashboards", application.id);
        let made = world.post(&path, &world.key, &json!({"name": "By the API"})).await.data();
        let made = serde_json::from_value(made["dashboardId"].clone()).expect("an id");
        shared_dashboards::move_dashboard(app, &by, &application, made, true).await.expect("moved");
        changes_nothing(&world, "moved").await;
        let mut tx = world.app.db.write().await.expect("a transaction");
        crate::concepts::applications::set_default(&mut tx.conn(), application.id, Some(made)).await.expect("set");
        tx.commit().await.expect("committed");
        changes_nothing(&world, "opens first").await;
        let text = edited("        default: true\n", "").replace("      - name: More\n", "      - name: More\n        default: true\n");
        let chosen = world.apply(&text).await.expect("applied");
        let first = state(&world).await.applications.into_iter().find(|(id, _)| *id == application.id).expect("there");
        assert_eq!(first.1, Some(chosen.dashboards["Orders/More"].id), "the file's word counts");
    }

    async fn a_chart_of_a_dashboard_alone_is_checked_as_others_are(world) {
        let own = |what: &str| edited("chart: Orders, x: 0, y: 0, w: 8, h: 6", &format!("chart: Mine, x: 0, y: 0, w: 8, h: 6, own: {{ {what} }}"));
        let made = compared(&world, &own("connection: warehouse, type: number, sql: select 1 as n, encoding: { value: n }")).await.expect("compared");
        assert!(made.contains("charts › Mine: ") && made.contains("sql: select 1 as n"), "{made}");
        for (what, told) in [
            ("connection: nowhere, type: number, sql: select 1", "charts[0].own.connection: there is no connection named `nowhere`"),
            ("connection: warehouse, type: number", "charts[0].own.sql: is required"),
            ("connection: warehouse, type: number, sql: select 1 from sqlite_master", "charts[0].own.sql: the query is not allowed"),
            ("of: Nothing, connection: warehouse, type: text", "charts[0].own.of: there is no chart named `Nothing`"),
            ("surprise: 1, connection: warehouse, type: text", "surprise"),
        ] {
            let refused = compared(&world, &own(what)).await.expect_err("refused");
            assert!(refused.contains(told), "{what}: {refused}");
        }
    }
}
