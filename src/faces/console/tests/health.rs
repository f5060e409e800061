//! The Health page of a project, and the line on its overview.

use super::{Browser, browser::target};
use crate::{
    concepts::{
        access::Grant,
        chat::testing::{Act, Script},
        language_models::Budgets,
        organizations::MemberRole,
        reports::{self, StoredReport, ending, runs},
        usage::Usage,
    },
    ground::time::Timestamp,
    on,
    testing::{ACME, World, on_both_stores},
};
use inlay_contract::{
    ids::{ProjectUserId, ReportId},
    report::{ReportState, RunState},
};
use serde_json::json;
use std::fs;

fn own(world: &World) -> String {
    format!("/console/projects/{}", world.applied.project_id)
}

async fn write(world: &World, sql: &'static str) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    let project = world.applied.project_id;
    let done = on!(&mut tx.conn(), |c| sqlx::query(sql).bind(project).bind(Timestamp::now()).execute(c).await.map(drop));
    done.expect("written");
    tx.commit().await.expect("committed");
    world.app.refresh().await.expect("refreshed");
}

/// What a leak found by a check leaves in the store.
async fn leak(world: &World) {
    write(
        world,
        "INSERT INTO isolation_projects (project_id, allowed, allowed_at, planned_for, outcome, ended_at, passed_at) \
        VALUES ($1, TRUE, 0, 0, 'leaked', $2, NULL)",
    )
    .await;
}

/// A weekly report of a user whose last run has failed.
async fn failed_report(world: &World, user: ProjectUserId) {
    let edit = json!({
        "name": "Weekly", "recipients": ["grace@example.test"], "cron": "0 8 * * MON", "timezone": "UTC", "locale": "en",
        "subject": "Weekly", "message": "", "format": "link", "filters": {},
    });
    let now = Timestamp::now();
    let report = StoredReport {
        id: ReportId::generate(),
        application: world.applied.applications["Orders"].id,
        dashboard: world.applied.dashboards["Orders/Overview"].id,
        grant: Grant { project: world.applied.project_id, user, key: None, at: now },
        edit: serde_json::from_value(edit).expect("settings"),
        state: ReportState::Active,
        problem: None,
        raised: None,
        next_at: None,
    };
    let mut tx = world.app.db.write().await.expect("a transaction");
    let conn = &mut tx.conn();
    reports::insert(conn, &report).await.expect("inserted");
    let run = runs::insert(conn, report.id, now, false).await.expect("inserted").expect("a run");
    let run = runs::find(conn, run).await.expect("read").expect("a run");
    ending::conclude(conn, &run, RunState::Failed, Some("s3cret")).await.expect("ended");
    tx.commit().await.expect("committed");
}

on_both_stores! {
    async fn a_fresh_project_has_no_problems(world) {
        let mut owner = Browser::signed_in(&world, MemberRole::Owner).await;
        let made = owner.submit(&format!("/console/organizations/{}/projects", world.organization), &[("name", "Fresh")]).await;
        let project = target(&made).to_owned();
        let page = owner.get(&format!("{project}/health")).await;
        assert_eq!(page.status, 200, "{}", page.text);
        assert!(page.text.contains("Nothing needs attention.") && page.text.contains("<time"), "{}", page.text);
        assert!(!page.text.contains(">Broken<") && !page.text.contains(">Warning<"), "{}", page.text);
        assert!(!owner.get(&project).await.text.contains("attention"), "the overview is silent");
    }

    async fn a_table_without_a_rule_is_named_and_what_is_fine_is_listed(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let page = viewer.get(&format!("{}/health", own(&world))).await.text;
        let notes = world.applied.tables["notes"].to_string();
        let table = format!("/connections/{}/tables/{notes}\">Open the table</a>", world.applied.connections["warehouse"]);
        for told in [
            ">Warning<",
            "Table notes of warehouse has no row rule: users see none of its rows.",
            &table,
            "Every user sees all rows of table rates of warehouse.",
            "1 connection responds",
            "1 table with a row rule",
            "No flaw of the semantic model",
        ] {
            assert!(page.contains(told), "{told}: {page}");
        }
        assert!(!page.contains(">Broken<") && !page.contains("No user has role"), "{page}");
        world.sign_in_as(ACME, "ada", None).await;
        let page = viewer.get(&format!("{}/health", own(&world))).await.text;
        assert!(page.contains("No user has role Analyst."), "{page}");
    }

    async fn a_connection_whose_file_is_gone_is_broken(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        fs::remove_file(world.folder().join("warehouse.db")).expect("removed");
        let begun = world.app.now();
        let page = viewer.get(&format!("{}/health", own(&world))).await.text;
        let connection = format!("/connections/{}\">Open the connection</a>", world.applied.connections["warehouse"]);
        for told in [">Broken<", "Connection warehouse does not work.", &connection] {
            assert!(page.contains(told), "{told}: {page}");
        }
        assert!(page.find(">Broken<") < page.find(">Warning<") && !page.contains("connection responds"), "{page}");
        assert!(!page.contains("warehouse.db"), "no address: {page}");
        let since = |page: &str| page.split("Failing since <time datetime=\"").nth(1).map(|rest| rest[..16].to_owned());
        let minutes = [begun, world.app.now()].map(|at| at.to_string()[..16].to_owned());
        assert!(since(&page).is_some_and(|since| minutes.contains(&since)), "{minutes:?}: {page}");
        // The overview asks no connection.
        assert!(!viewer.get(&own(&world)).await.text.contains("attention"));
    }

    async fn the_overview_leads_to_what_is_broken(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        assert!(!viewer.get(&own(&world)).await.text.contains("attention"));
        leak(&world).await;
        let overview = viewer.get(&own(&world)).await.text;
        assert!(overview.contains(&format!("{}/health\">1 thing needs attention</a>", own(&world))), "{overview}");
        let page = viewer.get(&format!("{}/health", own(&world))).await.text;
        for told in ["The last isolation check found", "Open the isolation checks"] {
            assert!(page.contains(told), "{told}: {page}");
        }
    }

    async fn reports_that_failed_and_webhooks_that_rest_are_told(world) {
        let signed = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
        let user = signed["projectUserId"].as_str().and_then(|id| id.parse().ok()).expect("an id");
        failed_report(&world, user).await;
        world.listen().await;
        write(
            &world,
            "INSERT INTO job_queues (kind, queue_id, failures, rests_until) \
            SELECT 'webhook', id, 7, $2 FROM webhooks WHERE project_id = $1",
        )
        .await;
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let page = viewer.get(&format!("{}/health", own(&world))).await.text;
        let owner = format!("/users/{user}\">Open its owner</a>");
        for told in [
            "Report Weekly failed at its last run.",
            &owner,
            &format!("/applications/{}/dashboards/{}\">Open its dashboard</a>", world.applied.applications["Orders"].id, world.applied.dashboards["Orders/Overview"].id),
            "See who changed it</a>",
            "The webhook at 127.0.0.1 rejects deliveries: the last 7 attempts failed.",
        ] {
            assert!(page.contains(told), "{told}: {page}");
        }
        let changes = page.split('"').find(|part| part.contains("/audit?action=webhook")).expect("a link").replace("&amp;", "&");
        let log = viewer.get(&changes).await;
        assert!(log.status == 200 && log.text.contains("webhook.created"), "{changes}: {}", log.text);
        assert!(!page.contains("/hooks") && !page.contains("s3cret"), "no path of a webhook, no error: {page}");
        assert!(viewer.get(&own(&world)).await.text.contains("2 things need attention"));
    }

    async fn a_connection_that_works_again_is_not_called_failing(world) {
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let (file, away) = (world.folder().join("warehouse.db"), world.folder().join("away.db"));
        fs::rename(&file, &away).expect("moved");
        assert!(viewer.get(&format!("{}/health", own(&world))).await.text.contains("Failing since"));
        fs::rename(&away, &file).expect("moved back");
        let page = viewer.get(&format!("{}/health", own(&world))).await.text;
        assert!(page.contains("1 connection responds") && !page.contains("Failing since"), "{page}");
    }

    async fn a_language_model_that_fails_is_told(world) {
        let token = world.token(ACME).await;
        let chat = format!("/v2/api/workspaces/{}/chat", world.applied.workspaces["Ask"]);
        let mut viewer = Browser::signed_in(&world, MemberRole::Viewer).await;
        let mut asked = async |acts: Vec<Act>, times: usize| {
            Script::play(&world, acts, Budgets::default()).await;
            for _ in 0..times {
                world.post(&chat, &token, &json!({"message": "How many orders are there?"})).await;
            }
            world.app.part::<Usage>().write_down(&world.app).await.expect("written");
            viewer.get(&format!("{}/health", own(&world))).await.text
        };
        let page = asked(vec![Act::Say("Six.")], 1).await;
        assert!(page.contains("1 answer of the language model since yesterday (UTC), none failed"), "{page}");
        let page = asked(vec![Act::Status(401)], 2).await;
        assert!(page.contains("The language model failed for 2 of 3 answers since yesterday (UTC).") && page.contains("Last failed"), "{page}");
        let link = format!("/console/organizations/{}/model\">Open the language model</a>", world.organization);
        assert!(page.contains(&link), "{page}");
    }

    async fn another_organizations_project_does_not_exist(world) {
        let mut stranger = Browser::stranger(&world).await;
        assert_eq!(stranger.get(&format!("{}/health", own(&world))).await.status, 404);
    }
}
