//! Key checks on both stores: what passes, what is reported until it is mended, and what runs where checks are not allowed.

use super::{Counting, allow, choice, counting, measure, plan, start};
use crate::{
    concepts::{
        key_checks::{Check, Findings, Gap, Key, Outcome},
        organizations::members::{Member, Worker as Working},
        projects::{self, Project},
    },
    flows::project_file::{export, preview::preview},
    ground::{audit::Actor, error::Code, jobs::Worker, state::App, tidy::DAY, time::Timestamp, web::origin::Origin},
    on,
    testing::{World, on_both_stores},
};
use inlay_contract::ids::ProjectId;
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;
use std::{fs, sync::Arc, time::Duration};

async fn member(world: &World, key: &str) -> Member<Working> {
    Member::new(&world.membership(key).await, Origin::default()).expect("a member who works")
}

/// The world with visits of clients. One of three clients is on two rows, and two rows have no id.
async fn with_clients(world: &World) -> Arc<Project> {
    world.change_source("create table clients (id integer, name text); create table visits (client_id integer)").await;
    world.change_source("insert into clients values (1, 'a'), (2, 'b'), (2, 'c'), (null, 'd'), (null, 'e')").await;
    world.change_source("insert into visits values (1), (2), (2)").await;
    let tables = "tables:\n  - { connection: warehouse, table: clients, rows: all, key: id, columns: { name: {} } }\n  \
        - { connection: warehouse, table: visits, rows: all, columns: { client_id: { references: clients.id } }, measures: { visits: { aggregate: count } } }\n";
    let applied = world.apply(&World::project_file().replacen("tables:\n", tables, 1)).await.expect("applied");
    projects::by_id(&world.app, applied.project_id).await.expect("read").expect("a project")
}

async fn allowed(world: &World) -> Arc<Project> {
    let project = with_clients(world).await;
    allow(&world.app, &member(world, &world.key).await, project.id, true).await.expect("allowed");
    project
}

async fn work_off(app: &App) -> usize {
    Worker::new(app.clone(), vec![Arc::new(Counting)]).work_off().await.expect("worked off")
}

async fn last(world: &World, project: ProjectId) -> Option<Check> {
    let by = member(world, &world.key).await;
    choice(&world.app, &by, project).await.expect("read").and_then(|choice| choice.last)
}

/// Starts a check, which this node runs.
async fn checked_by(world: &World, app: &App, project: ProjectId) -> Check {
    start(&world.app, &member(world, &world.key).await, project).await.expect("started");
    assert_eq!(work_off(app).await, 1);
    last(world, project).await.expect("a check")
}

async fn checked(world: &World, project: ProjectId) -> Check {
    checked_by(world, &world.app, project).await
}

fn clients() -> Key {
    Key { connection: "warehouse".to_owned(), table: "clients".to_owned(), columns: vec!["id".to_owned()] }
}

async fn count(world: &World, sql: &'static str) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("a count")
}

on_both_stores! {
    async fn a_key_that_is_not_unique_is_reported_until_it_is_mended(world) {
        let project = allowed(&world).await;
        let Check { findings, ended_at } = checked(&world, project.id).await;
        let [repeated] = findings.repeated.as_slice() else { panic!("{findings:?}") };
        assert_eq!((repeated.key.clone(), repeated.values), (clients(), 1));
        assert!(repeated.counted_at <= ended_at);
        // The keys of orders and of clients.
        assert_eq!((findings.outcome(), findings.counted, findings.gaps), (Outcome::Repeated, 2, 0), "{findings:?}");

        world.change_source("update clients set id = 3 where name = 'c'").await;
        let mended = checked(&world, project.id).await.findings;
        assert_eq!((mended.outcome(), mended.counted, mended.repeated.len()), (Outcome::Passed, 2, 0), "{mended:?}");
    }

    async fn a_join_to_a_key_that_is_not_unique_counts_rows_several_times(world) {
        let project = with_clients(&world).await;
        let body = json!({"measures": ["visits"], "dimensions": [{"name": "clients.name", "as": "client"}]});
        let path = format!("/v2/api/projects/{}/query", project.id);
        let by_client = world.post(&path, &world.key, &body).await.data();
        assert_eq!(by_client["rows"], json!([["a", 1], ["b", 2], ["c", 2]]), "three visits count as five");
        let whole = world.post(&path, &world.key, &json!({"measures": ["visits"]})).await.data();
        assert_eq!(whole["rows"], json!([[3]]), "without the join they are three");
    }

    async fn nothing_runs_where_it_is_not_allowed_and_once_a_night_where_it_is(world) {
        let id = with_clients(&world).await.id;
        let by = member(&world, &world.key).await;
        let tonight = Timestamp::now();
        plan(&world.app, tonight).await.expect("planned");
        assert_eq!((work_off(&world.app).await, last(&world, id).await), (0, None));
        assert_eq!(start(&world.app, &by, id).await.expect_err("refused").code, Code::KeyCheckNotAllowed);

        allow(&world.app, &by, id, true).await.expect("allowed");
        for _ in 0..2 {
            plan(&world.app, tonight).await.expect("planned");
        }
        assert_eq!(work_off(&world.app).await, 1);
        let first = last(&world, id).await.expect("a check");
        plan(&world.app, tonight).await.expect("planned");
        assert_eq!(work_off(&world.app).await, 0, "once a night");

        plan(&world.app, tonight.plus(DAY)).await.expect("planned");
        allow(&world.app, &by, id, false).await.expect("forbidden");
        assert_eq!((work_off(&world.app).await, last(&world, id).await), (1, Some(first)), "forbidden in the meantime");
        allow(&world.app, &by, id, true).await.expect("allowed");
        assert_eq!(last(&world, id).await, None, "what was found before is old");
    }

    async fn what_cannot_be_counted_is_a_gap_and_what_was_found_before_stays(world) {
        let project = allowed(&world).await;
        let found = checked(&world, project.id).await.findings.repeated;
        // A node that has no connection to the file yet.
        let node = world.another_node().await;
        fs::rename(world.folder().join("warehouse.db"), world.folder().join("away.db")).expect("moved");
        let Findings { counted, repeated, gaps, missing } = checked_by(&world, &node, project.id).await.findings;
        let gap = Gap { place: "warehouse".to_owned(), why: "The database did not answer.".to_owned() };
        assert_eq!((counted, repeated, gaps, missing), (0, found.clone(), 1, vec![gap]));

        let late = counting::count(&world.app, &project, Duration::ZERO, &[]).await.expect("ended");
        assert_eq!((late.outcome(), late.counted), (Outcome::Incomplete, 0), "{late:?}");
        let late = counting::count(&world.app, &project, Duration::ZERO, &found).await.expect("ended");
        assert_eq!(late.repeated, found);
    }

    async fn a_key_that_is_no_column_any_more_is_a_gap(world) {
        let project = allowed(&world).await;
        world.change_source("alter table clients rename column id to number").await;
        let findings = checked_by(&world, &world.another_node().await, project.id).await.findings;
        assert_eq!((findings.outcome(), findings.counted, findings.gaps), (Outcome::Incomplete, 1, 1), "{findings:?}");
        assert_eq!(findings.missing[0].place, "warehouse.clients(id)");
    }

    async fn members_of_other_organizations_read_and_change_nothing(world) {
        let (_, key) = world.neighbour().await;
        let (stranger, id) = (member(&world, &key).await, world.applied.project_id);
        let code = |problem: crate::ground::error::Error| problem.code;
        assert_eq!(choice(&world.app, &stranger, id).await.map_err(code).err(), Some(Code::ProjectNotFound));
        assert_eq!(allow(&world.app, &stranger, id, true).await.map_err(code).err(), Some(Code::ProjectNotFound));
        assert_eq!(start(&world.app, &stranger, id).await.map_err(code).err(), Some(Code::ProjectNotFound));
        assert_eq!(choice(&world.app, &member(&world, &world.key).await, id).await.expect("read"), None);
    }

    async fn the_project_file_allows_and_forbids_checks(world) {
        let id = world.applied.project_id;
        let with = |said: &str| World::project_file().replace("name: Shop,", &format!("name: Shop, {said}"));
        let exported = async || export::export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported");
        assert_eq!(exported().await.project.key_check, None);
        world.apply(&with("keyCheck: true,")).await.expect("applied");
        assert_eq!(exported().await.project.key_check, Some(true));
        world.apply(World::project_file()).await.expect("applied");
        assert_eq!(exported().await.project.key_check, Some(true), "a file that does not say so leaves it");

        let checked = checked(&world, id).await;
        let text = exported().await.to_yaml().expect("YAML");
        assert!(text.contains("keyCheck: true"), "{text}");
        let incoming = crate::flows::project_file::apply::Incoming {
            text: &text, folder: world.folder(), environment: &|_| None, seen: None, despite: None, check_data: false,
        };
        let changes = preview(&world.target(), &Actor::operator(world.organization), &incoming).await.expect("compared").changes;
        assert!(changes.is_empty(), "{changes:?}");
        world.apply(&text).await.expect("applied");
        assert_eq!(last(&world, id).await, Some(checked), "the same file once more keeps the result");

        world.apply(&with("keyCheck: false,")).await.expect("applied");
        assert_eq!(exported().await.project.key_check, Some(false));
        assert_eq!(count(&world, "SELECT COUNT(*) FROM audit_events WHERE action IN ('keyCheck.allowed', 'keyCheck.forbidden')").await, 2);
        assert_eq!(count(&world, "SELECT COUNT(*) FROM audit_events WHERE action = 'keyCheck.started'").await, 1);
    }

    async fn the_last_checks_are_measured(world) {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        let _guard = metrics::set_default_local_recorder(Box::leak(Box::new(recorder)));
        measure(&world.app).await.expect("measured");
        assert!(handle.render().contains("inlay_key_check_last_complete_seconds 0"), "{}", handle.render());
        let project = allowed(&world).await;
        for (sql, repeated) in [("select 1", 1), ("delete from clients where name = 'c'", 0)] {
            world.change_source(sql).await;
            checked(&world, project.id).await;
            measure(&world.app).await.expect("measured");
            let text = handle.render();
            for line in [format!("inlay_key_check_repeated {repeated}"), "inlay_key_check_projects 1".to_owned(), "inlay_key_check_incomplete 0".to_owned()] {
                assert!(text.contains(&line), "{line}: {text}");
            }
        }
    }
}
