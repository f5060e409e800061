//! Retention over all tables: each has a rule, or a reason why it does not grow without end.

use super::tidying;
use crate::{
    ground::{
        config::Settings,
        store::{Conn, Tx},
        tidy::{Batch, DAY, MOST},
        time::Timestamp,
    },
    on,
    testing::{
        on_both_stores,
        rows::{Schema, fill, run, schema, without_references},
    },
};
use clap::Parser;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Why tables without a rule do not grow without end.
const BOUNDED: &[(&[&str], &str)] = &[
    (
        &["configuration_version", "configuration_changes", "store_state", "rate_counts", "job_turn", "tidy_rules"],
        "some numbers, or a row for each organization, person or node",
    ),
    (&["organizations", "accounts", "members"], "people whom an operator or owner let in"),
    (
        &["api_keys", "identity_providers", "sign_in_providers", "sign_in_subjects", "language_models"],
        "made by owners, one by one",
    ),
    (
        &[
            "projects",
            "roles",
            "connections",
            "catalog_tables",
            "applications",
            "workspaces",
            "workspace_versions",
            "webhooks",
            "isolation_projects",
            "key_checks",
            "verified_answers",
        ],
        "made by members, one by one",
    ),
    (&["customers", "project_users", "tenants"], "the host's own customers and users; they go with their project"),
    (
        &["dashboards", "dashboard_charts", "default_dashboards"],
        "a number for each user (INLAY_DASHBOARDS_OF_USER), of 500 charts each",
    ),
    (&["chat_pins"], "chosen by users, 100 for each"),
    (&["saved_views"], "saved by users, 50 of each dashboard"),
    (&["reports", "report_unsubscribed"], "a number for each user (INLAY_REPORTS_OF_USER), with their recipients"),
    (&["jobs", "job_queues"], "deleted when they end; a row for each queue that fails"),
    (&["v1_writes"], "a row for each caller and kind of call"),
];

/// A row that is too old, and one that is not.
struct Case {
    rule: &'static str,
    table: &'static str,
    /// The unique column, and whether it holds bytes instead of an id.
    key: (&'static str, bool),
    time: &'static str,
    given: &'static [(&'static str, &'static str)],
}

const fn case(rule: &'static str, table: &'static str, key: &'static str, time: &'static str) -> Case {
    Case { rule, table, key: (key, false), time, given: &[] }
}

const CASES: &[Case] = &[
    case("audit_events", "audit_events", "id", "at"),
    case("chat_threads", "chat_threads", "id", "updated_at"),
    case("chat_answer_slots", "chat_answer_slots", "id", "ends_at"),
    Case {
        given: &[("library_name", "NULL"), ("space_id", "NULL"), ("origin_id", "NULL")],
        ..case("charts", "charts", "id", "unplaced_at")
    },
    Case { key: ("id", true), ..case("console_links", "console_links", "id", "expires_at") },
    Case { key: ("id", true), ..case("console_sessions", "console_sessions", "id", "seen_at") },
    Case { key: ("subject", true), ..case("console_attempts", "console_attempts", "subject", "last_at") },
    Case { key: ("key", true), ..case("answers", "answers", "key", "expires_at") },
    Case { given: &[("state", "'failed'")], ..case("webhook_deliveries", "webhook_deliveries", "id", "created_at") },
    Case { given: &[("expires_at", "NULL"), ("due_at", "DUE")], ..case("report_runs", "report_runs", "id", "ended_at") },
    case("signing_keys", "signing_keys", "id", "retired_at"),
    case("report_mails", "report_mails", "user_id", "day"),
    case("chat_usage", "chat_usage", "user_id", "day"),
    case("project_evaluation_usage", "project_evaluation_usage", "project_id", "day"),
    case("evaluation_usage", "evaluation_usage", "organization_id", "day"),
    case("usage_days", "usage_days", "subject_id", "day"),
    Case { given: &[("subject_kind", "'user'")], ..case("revocations_of_users", "revocations", "subject_id", "cutoff") },
    Case { given: &[("subject_kind", "'tenant'")], ..case("revocations_of_tenants", "revocations", "subject_id", "cutoff") },
    Case {
        given: &[("subject_kind", "'customer'")],
        ..case("revocations_of_customers", "revocations", "subject_id", "cutoff")
    },
    Case { given: &[("subject_kind", "'project'")], ..case("revocations_of_projects", "revocations", "subject_id", "cutoff") },
    Case { given: &[("subject_kind", "'key'")], ..case("revocations_of_keys", "revocations", "subject_id", "cutoff") },
];

/// Every setting that keeps rows for ever by default, as a number of days.
const DAYS: &[&str] = &["--audit-days", "30", "--chat-days", "30", "--chart-days", "30", "--chart-versions", "100"];

#[derive(Parser)]
struct Given {
    #[command(flatten)]
    settings: Settings,
}

fn settings(flags: &[&str]) -> Settings {
    Given::parse_from(["inlay"].iter().chain(flags)).settings
}

/// A key in SQL.
fn key(conn: &Conn<'_>, is_bytes: bool, id: Uuid) -> String {
    match (conn, is_bytes) {
        (Conn::Sqlite(_), _) => format!("x'{}'", id.simple()),
        (Conn::Postgres(_), true) => format!("'\\x{}'", id.simple()),
        (Conn::Postgres(_), false) => format!("'{id}'"),
    }
}

/// An id as it was made at a time: its first part.
fn id_of(at: Timestamp) -> Uuid {
    Uuid::from_u128((u128::from(at.0.unsigned_abs()) << 80) | (Uuid::new_v4().as_u128() >> 48))
}

async fn add(tx: &mut Tx, schema: &Schema, case: &Case, at: Timestamp) {
    let conn = &mut tx.conn();
    let time = if case.time == "day" { format!("'{}'", at.to_utc().date_naive()) } else { at.0.to_string() };
    let mut given = vec![(case.key.0, key(conn, case.key.1, id_of(at))), (case.time, time)];
    if case.table == "console_sessions" {
        given.push(("created_at", at.0.to_string()));
    }
    given.extend(case.given.iter().map(|(name, sql)| (*name, sql.replace("DUE", &at.0.to_string()))));
    fill(conn, schema, case.table, &given).await;
}

async fn count(tx: &mut Tx, table: &str) -> i64 {
    let sql = format!("SELECT COUNT(*) FROM {table}");
    on!(&mut tx.conn(), |c| sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(c).await).expect("counted")
}

/// Runs a rule once, within the transaction.
async fn tidied(settings: &Settings, tx: &mut Tx, name: &str) -> u64 {
    let rule = tidying().into_iter().find(|rule| rule.name == name).unwrap_or_else(|| panic!("a rule {name}"));
    let batch = Batch { settings, now: Timestamp::now(), most: rule.batch };
    (rule.run)(batch, &mut tx.conn()).await.unwrap_or_else(|problem| panic!("{name}: {problem:?}"))
}

on_both_stores! {
    async fn every_table_has_a_rule_or_a_reason(world) {
        let schema = schema(&mut world.app.db.read().await.expect("a connection").conn()).await;
        let rules = tidying();
        let ruled: BTreeSet<&str> = rules.iter().flat_map(|rule| rule.tables).copied().collect();
        let bounded: BTreeSet<&str> = BOUNDED.iter().flat_map(|(tables, _)| *tables).copied().collect();
        let gone: Vec<&&str> = ruled.union(&bounded).filter(|table| !schema.contains_key(**table)).collect();
        assert!(gone.is_empty(), "these tables are no more: {gone:?}");
        let missing: Vec<&String> =
            schema.keys().filter(|table| !ruled.contains(table.as_str()) && !bounded.contains(table.as_str())).collect();
        assert!(missing.is_empty(), "these tables need a rule in faces/background.rs, or a reason in this test: {missing:?}");
        let both: Vec<&&str> = ruled.intersection(&bounded).collect();
        assert!(both.is_empty(), "{both:?}");
        let names: BTreeSet<&str> = rules.iter().map(|rule| rule.name).collect();
        assert_eq!(names.len(), rules.len(), "names are unique");
        assert!(rules.iter().all(|rule| (1..=MOST).contains(&rule.batch)));
    }

    async fn what_is_too_old_goes_and_the_rest_stays(world) {
        let settings = settings(DAYS);
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let schema = schema(&mut tx.conn()).await;
        for case in CASES {
            run(&mut tx.conn(), format!("DELETE FROM {}", case.table)).await;
            if case.table == "revocations" {
                run(&mut tx.conn(), "DELETE FROM reports".to_owned()).await;
                run(&mut tx.conn(), "DELETE FROM report_runs".to_owned()).await;
            }
            for at in [Timestamp(86_400_000 * 7), Timestamp::now().plus(DAY)] {
                add(&mut tx, &schema, case, at).await;
            }
            assert_eq!((case.rule, tidied(&settings, &mut tx, case.rule).await), (case.rule, 1));
            assert_eq!((case.rule, count(&mut tx, case.table).await), (case.rule, 1));
            assert_eq!((case.rule, tidied(&settings, &mut tx, case.rule).await), (case.rule, 0));
        }
        tx.roll_back().await.expect("rolled back");
    }

    async fn what_people_wrote_is_kept_for_ever_by_default(world) {
        let settings = settings(&[]);
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let schema = schema(&mut tx.conn()).await;
        for name in ["audit_events", "chat_threads", "charts"] {
            let case = CASES.iter().find(|case| case.rule == name).expect("a case");
            run(&mut tx.conn(), format!("DELETE FROM {name}")).await;
            add(&mut tx, &schema, case, Timestamp(1)).await;
            assert_eq!((name, tidied(&settings, &mut tx, name).await), (name, 0));
        }
        tx.roll_back().await.expect("rolled back");
    }

    async fn every_rule_runs(world) {
        let settings = settings(DAYS);
        for rule in tidying() {
            let mut tx = world.app.db.write().await.expect("a transaction");
            tidied(&settings, &mut tx, rule.name).await;
            tx.roll_back().await.expect("rolled back");
        }
    }

    async fn pages_of_reports_are_kept_up_to_a_number_and_a_size(world) {
        let settings = settings(&["--report-pages", "2", "--report-bytes", "20"]);
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let schema = schema(&mut tx.conn()).await;
        for table in ["report_runs", "reports"] {
            run(&mut tx.conn(), format!("DELETE FROM {table}")).await;
        }
        let (report, project) = (Uuid::now_v7(), world.applied.project_id.0);
        let given = [("id", key(&tx.conn(), false, report)), ("project_id", key(&tx.conn(), false, project))];
        fill(&mut tx.conn(), &schema, "reports", &given).await;
        for number in 1..=4 {
            let page = key(&tx.conn(), true, Uuid::now_v7());
            let given = [
                ("id", key(&tx.conn(), false, Uuid::now_v7())), ("report_id", key(&tx.conn(), false, report)),
                ("due_at", number.to_string()), ("expires_at", "9000000000000".to_owned()), ("snapshot", page),
            ];
            fill(&mut tx.conn(), &schema, "report_runs", &given).await;
        }
        assert_eq!(tidied(&settings, &mut tx, "report_pages_beyond_number").await, 2);
        assert_eq!(tidied(&settings, &mut tx, "report_pages_beyond_bytes").await, 1, "two of 16 bytes are more than 20");
        let kept = "SELECT due_at FROM report_runs WHERE snapshot IS NOT NULL";
        let kept: Vec<i64> = on!(&mut tx.conn(), |c| sqlx::query_scalar(kept).fetch_all(c).await).expect("read");
        assert_eq!(kept, [4], "the newest stays, and every run");
        assert_eq!(count(&mut tx, "report_runs").await, 4);
        tx.roll_back().await.expect("rolled back");
    }

    async fn the_newest_versions_of_a_chart_stay(world) {
        let settings = settings(DAYS);
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let schema = schema(&mut tx.conn()).await;
        let chart = key(&tx.conn(), false, Uuid::now_v7());
        fill(&mut tx.conn(), &schema, "charts", &[("id", chart.clone()), ("version", "130".to_owned())]).await;
        for version in 1..=130 {
            let given = [("chart_id", chart.clone()), ("version", version.to_string())];
            fill(&mut tx.conn(), &schema, "chart_versions", &given).await;
        }
        assert_eq!(tidied(&settings, &mut tx, "chart_versions").await, 30);
        assert_eq!(tidied(&settings, &mut tx, "chart_versions").await, 0);
        tx.roll_back().await.expect("rolled back");
    }

    async fn a_revocation_stays_while_a_report_of_its_time_could_run(world) {
        let settings = settings(&[]);
        let mut tx = world.app.db.write().await.expect("a transaction");
        without_references(&mut tx).await;
        let schema = schema(&mut tx.conn()).await;
        let subject = key(&tx.conn(), false, Uuid::now_v7());
        for (kind, column, rule) in [
            ("user", "owner_id", "revocations_of_users"),
            ("project", "project_id", "revocations_of_projects"),
            ("key", "key_id", "revocations_of_keys"),
        ] {
            for table in ["reports", "report_runs", "revocations"] {
                run(&mut tx.conn(), format!("DELETE FROM {table}")).await;
            }
            let given = [("subject_kind", format!("'{kind}'")), ("subject_id", subject.clone()), ("cutoff", "1".to_owned())];
            fill(&mut tx.conn(), &schema, "revocations", &given).await;
            fill(&mut tx.conn(), &schema, "reports", &[(column, subject.clone())]).await;
            assert_eq!((kind, tidied(&settings, &mut tx, rule).await), (kind, 0));
            run(&mut tx.conn(), "DELETE FROM reports".to_owned()).await;
            assert_eq!((kind, tidied(&settings, &mut tx, rule).await), (kind, 1));
        }
        tx.roll_back().await.expect("rolled back");
    }
}
