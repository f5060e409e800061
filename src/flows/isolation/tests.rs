//! Isolation checks on both stores: what passes, what is found when a rule is broken, what is kept and who reads it.

use super::{Checking, allow, check_now, list, measure, plan, report, run, start, ways::Way};
use crate::{
    concepts::{
        connections,
        isolation::{self, Findings, Outcome, Run},
        organizations::members::{Member, Worker as Working},
        projects::{self, Project},
        tokens,
    },
    flows::project_file::export,
    ground::{
        audit::Actor,
        error::Code,
        jobs::Worker,
        state::App,
        tidy::{self, DAY},
        time::Timestamp,
        web::origin::Origin,
    },
    on,
    testing::{World, on_both_stores},
};
use inlay_contract::ids::ProjectId;
use metrics_exporter_prometheus::PrometheusBuilder;
use std::{collections::BTreeSet, fs, sync::Arc, time::Duration};
use uuid::Uuid;

const RULE: &str = "rowRule: \"company = {{organization.company}}\"";

/// The project with a chart that groups, one that joins a table without a rule, and an example for the analyst.
fn file() -> String {
    let charts = "charts:\n  - { name: By region, connection: warehouse, type: bar, sql: \"select region, count(*) as n from orders group by region\", \
        encoding: { x: region, y: [n] } }\n  - { name: Mixed, connection: warehouse, type: table, \
        sql: \"select r.name, count(o.id) as n from rates r left join orders o on o.region = r.name group by r.name order by r.name\" }\n";
    let examples = "examples: [{ question: \"How many?\", sql: \"select count(*) as n from orders\" }], exampleQuestions";
    World::project_file().replacen("charts:\n", charts, 1).replacen("exampleQuestions", examples, 1)
}

fn actor(world: &World) -> Actor {
    Actor::operator(world.organization)
}

async fn member(world: &World, key: &str) -> Member<Working> {
    Member::new(&world.membership(key).await, Origin::default()).expect("a member who works")
}

async fn project(app: &App, id: ProjectId) -> Arc<Project> {
    projects::by_id(app, id).await.expect("read").expect("a project")
}

/// The world with the file, which allows checks.
async fn allowed(world: &World, text: &str) -> Arc<Project> {
    let applied = world.apply(text).await.expect("applied");
    let by = member(world, &world.key).await;
    allow(&world.app, &by, applied.project_id, true).await.expect("allowed");
    project(&world.app, applied.project_id).await
}

async fn checked(world: &World, project: &Arc<Project>) -> Run {
    check_now(&world.app, &actor(world), Arc::clone(project)).await.expect("checked")
}

async fn kept(app: &App, project: ProjectId) -> Vec<Run> {
    isolation::newest(&mut app.db.read().await.expect("a connection").conn(), project, 100).await.expect("read")
}

async fn count(world: &World, sql: &'static str) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_one(c).await).expect("a count")
}

/// Breaks the rule: this node remembers the catalogue without it, while the store says that there is one.
async fn break_rule(world: &World) -> Arc<Project> {
    let project = allowed(world, &file().replace(RULE, "rows: all")).await;
    connections::open(&world.app, world.applied.connections["warehouse"]).await.expect("opened");
    let restore =
        "UPDATE catalog_tables SET access = 'rule', row_rule = 'company = {{organization.company}}' WHERE name = 'orders'";
    let mut tx = world.app.db.write().await.expect("a transaction");
    on!(&mut tx.conn(), |c| sqlx::query(restore).execute(c).await.map(drop)).expect("restored");
    tx.commit().await.expect("committed");
    project
}

async fn work_off(app: &App) -> usize {
    Worker::new(app.clone(), vec![Arc::new(Checking)]).work_off().await.expect("worked off")
}

on_both_stores! {
    async fn the_project_passes_by_every_way_and_nothing_of_the_made_up_customers_is_stored(world) {
        let project = allowed(&world, &file()).await;
        let run = checked(&world, &project).await;
        let Findings { tables, ways, .. } = &run.findings;
        assert_eq!((run.outcome, run.findings.gaps), (Outcome::Passed, 0), "{:?}", run.findings);
        assert_eq!(tables.ruled, ["warehouse.orders"]);
        assert_eq!(tables.open, ["warehouse.rates"]);
        assert_eq!(tables.closed, ["warehouse.notes"]);
        let asked: BTreeSet<&str> = ways.iter().filter(|(_, tally)| tally.asked > 0).map(|(way, _)| way.as_str()).collect();
        assert_eq!(asked, Way::ALL.iter().map(|way| way.name()).collect());
        for (way, tally) in ways {
            assert!(tally.empty > 0, "{way}: {tally:?}");
            assert_eq!(tally.asked, tally.empty + tally.compared + tally.refused, "{way}: {tally:?}");
        }
        // The chart that joins rates has their names, also when there are no orders.
        assert!(ways["chart"].compared >= 2, "{:?}", ways["chart"]);
        assert!(ways["table"].refused == 2 && ways["table"].shared == 2, "{:?}", ways["table"]);
        for table in ["SELECT COUNT(*) FROM customers", "SELECT COUNT(*) FROM project_users", "SELECT COUNT(*) FROM usage_days"] {
            assert_eq!(count(&world, table).await, 0, "{table}");
        }
        assert_eq!(kept(&world.app, project.id).await, [run]);
    }

    async fn a_broken_rule_is_found_by_every_way_and_told_without_values(world) {
        let project = break_rule(&world).await;
        let run = checked(&world, &project).await;
        assert_eq!(run.outcome, Outcome::Leaked);
        let leaked: BTreeSet<&str> = run.findings.leaked.iter().map(|leak| leak.way.as_str()).collect();
        assert_eq!(leaked, Way::ALL.iter().map(|way| way.name()).collect(), "{:?}", run.findings);
        let told = serde_json::to_string(&run.findings).expect("JSON");
        for value in ["acme", "globex", "north", "2024-", "inlay-isolation"] {
            assert!(!told.contains(value), "{value} in {told}");
        }
    }

    async fn a_rule_that_is_right_in_one_project_hides_no_leak_of_another(world) {
        let whole = allowed(&world, &file()).await;
        let broken = allowed(&world, &file().replace("name: Shop,", "name: Broken,").replace(RULE, "rowRule: \"company = {{organization.company}} or id = {{user.number}}\"")).await;
        assert_eq!(checked(&world, &whole).await.outcome, Outcome::Passed);
        // Both properties have values that no row has: text and number.
        let run = checked(&world, &broken).await;
        assert_eq!(run.outcome, Outcome::Passed, "{:?}", run.findings);
        assert_eq!(run.findings.tables.ruled, ["warehouse.orders"]);
    }

    async fn a_rule_that_lets_everybody_see_rows_is_told_and_no_leak(world) {
        let rule = "rowRule: \"company = {{organization.company}} or region is null\"";
        let project = allowed(&world, &file().replace(RULE, rule)).await;
        let run = checked(&world, &project).await;
        assert_eq!(run.outcome, Outcome::Passed, "{:?}", run.findings);
        assert_eq!((run.findings.tables.partly.as_slice(), run.findings.tables.ruled.len()), (&["warehouse.orders".to_owned()][..], 0));
        assert!(run.findings.ways["chart"].shared > 0);
    }

    async fn a_source_that_is_away_makes_a_check_incomplete(world) {
        let project = allowed(&world, &file()).await;
        // A node that has no connection to the file yet.
        let node = world.another_node().await;
        fs::remove_file(world.folder().join("warehouse.db")).expect("removed");
        let run = check_now(&node, &actor(&world), Arc::clone(&project)).await.expect("checked");
        assert_eq!((run.outcome, run.findings.leaks), (Outcome::Incomplete, 0), "{:?}", run.findings);
        assert!(run.findings.missing.iter().any(|gap| gap.place == "warehouse"), "{:?}", run.findings.missing);
    }

    async fn a_check_ends_at_its_limit_and_is_incomplete(world) {
        let project = allowed(&world, &file()).await;
        let late = run(&world.app, project, Duration::ZERO).await.expect("ended");
        assert_eq!(late.outcome, Outcome::Incomplete);
    }

    async fn nothing_runs_where_it_is_not_allowed_and_once_a_night_where_it_is(world) {
        let id = world.applied.project_id;
        let refused = check_now(&world.app, &actor(&world), project(&world.app, id).await).await.expect_err("refused");
        assert_eq!(refused.code, Code::IsolationNotAllowed);
        let tonight = Timestamp::now();
        plan(&world.app, tonight).await.expect("planned");
        assert_eq!((work_off(&world.app).await, kept(&world.app, id).await.len()), (0, 0));

        let by = member(&world, &world.key).await;
        assert_eq!(start(&world.app, &by, id).await.expect_err("refused").code, Code::IsolationNotAllowed);
        allow(&world.app, &by, id, true).await.expect("allowed");
        for _ in 0..2 {
            plan(&world.app, tonight).await.expect("planned");
        }
        assert_eq!((work_off(&world.app).await, kept(&world.app, id).await.len()), (1, 1));
        plan(&world.app, tonight).await.expect("planned");
        assert_eq!(work_off(&world.app).await, 0, "once a night");
        start(&world.app, &by, id).await.expect("started");
        assert_eq!((work_off(&world.app).await, kept(&world.app, id).await.len()), (1, 2));

        plan(&world.app, tonight.plus(DAY)).await.expect("planned");
        allow(&world.app, &by, id, false).await.expect("forbidden");
        assert_eq!((work_off(&world.app).await, kept(&world.app, id).await.len()), (1, 2), "forbidden in the meantime");
    }

    async fn members_of_other_organizations_read_and_change_nothing(world) {
        let (_, key) = world.neighbour().await;
        let (stranger, id) = (member(&world, &key).await, world.applied.project_id);
        let code = |problem: crate::ground::error::Error| problem.code;
        assert_eq!(list(&world.app, &stranger, id).await.map_err(code).err(), Some(Code::ProjectNotFound));
        assert_eq!(allow(&world.app, &stranger, id, true).await.map_err(code).err(), Some(Code::ProjectNotFound));
        assert_eq!(start(&world.app, &stranger, id).await.map_err(code).err(), Some(Code::ProjectNotFound));
        let (choice, runs) = list(&world.app, &member(&world, &world.key).await, id).await.expect("read");
        assert!(choice.is_none() && runs.is_empty());
    }

    async fn a_report_verifies_and_a_changed_one_does_not(world) {
        let project = allowed(&world, &file()).await;
        let run = checked(&world, &project).await;
        let (signed, keys) = (report::sign(&world.app, &project, &run).expect("signed"), report::published_keys(&world.app));
        let read = report::verify(&signed, &keys).expect("valid");
        assert_eq!((read.check_id, read.outcome.as_str(), read.findings), (run.id, "passed", run.findings));
        assert_eq!(report::verify(&format!("{signed}\n"), &keys).expect("valid").project, "Shop");
        let (first, last) = (signed.find('.').expect("a part"), signed.rfind('.').expect("a part"));
        for at in [first + 10, (first + last) / 2, last + 10] {
            let other = if signed.as_bytes()[at] == b'A' { "B" } else { "A" };
            let mut changed = signed.clone();
            changed.replace_range(at..=at, other);
            assert_eq!(report::verify(&changed, &keys), Err(report::Unverified::WrongSignature), "at {at}");
        }
        let none = serde_json::json!({"keys": []});
        assert!(matches!(report::verify(&signed, &none), Err(report::Unverified::UnknownKey(_))));
        let token = world.token(crate::testing::ACME).await;
        assert_eq!(report::verify(&token, &keys), Err(report::Unverified::NotAReport), "a token is no report");
        let known = tokens::known(&world.app);
        assert!(tokens::verify(&known.keyring, &world.app.base_url, &signed, world.app.now()).is_err(), "and a report is no token");
    }

    async fn old_results_are_deleted(world) {
        let id = world.applied.project_id;
        let now = Timestamp::now();
        let mut tx = world.app.db.write().await.expect("a transaction");
        for days in [1, 399, 401, 500] {
            let at = now.minus(DAY * days);
            let run = Run { id: Uuid::now_v7(), project: id, began_at: at, ended_at: at, outcome: Outcome::Passed, findings: Findings::default() };
            isolation::record(&mut tx.conn(), &run).await.expect("kept");
        }
        tx.commit().await.expect("committed");
        tidy::tidy(&world.app, &[isolation::TIDY]).await.expect("tidied");
        assert_eq!(kept(&world.app, id).await.len(), 2);
    }

    async fn the_project_file_allows_and_forbids_checks(world) {
        let id = world.applied.project_id;
        let with = |said: &str| World::project_file().replace("name: Shop,", &format!("name: Shop, {said}"));
        let is_allowed = async || isolation::is_allowed(&mut world.app.db.read().await.expect("a connection").conn(), id).await.expect("read");
        let exported = async || {
            let file = export::export(&world.app.db, &world.app.sealer, world.organization, "Shop").await.expect("exported");
            file.project.isolation_check
        };
        assert_eq!((is_allowed().await, exported().await), (false, None));
        world.apply(&with("isolationCheck: true,")).await.expect("applied");
        assert_eq!((is_allowed().await, exported().await), (true, Some(true)));
        world.apply(World::project_file()).await.expect("applied");
        assert_eq!((is_allowed().await, exported().await), (true, Some(true)), "a file that does not say so leaves it");
        world.apply(&with("isolationCheck: false,")).await.expect("applied");
        assert_eq!((is_allowed().await, exported().await), (false, Some(false)));
        let events = "SELECT COUNT(*) FROM audit_events WHERE action IN ('isolation.allowed', 'isolation.forbidden')";
        assert_eq!(count(&world, events).await, 2);
    }

    async fn the_last_checks_are_measured(world) {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        let _guard = metrics::set_default_local_recorder(Box::leak(Box::new(recorder)));
        measure(&world.app).await.expect("measured");
        assert!(handle.render().contains("inlay_isolation_last_success_seconds 0"), "{}", handle.render());
        let project = break_rule(&world).await;
        checked(&world, &project).await;
        measure(&world.app).await.expect("measured");
        let text = handle.render();
        for line in ["inlay_isolation_projects 1", "inlay_isolation_leaking 1", "inlay_isolation_incomplete 0"] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}
