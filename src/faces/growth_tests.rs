//! What the service asks its store is found by an index, however much the store holds. The statements are not listed here: they
//! are recorded while every call of the API, every page of the console, pages, page calls and the background work run, so that
//! a new query is looked at by itself.

use super::{
    background::{self, worker},
    console::tests::open_every_page,
};
use crate::{
    ground::{
        store::{Conn, Tx, holding::watched},
        tidy::Batch,
        time::Timestamp,
    },
    on,
    testing::{
        ACME, Statements, StoreKind, World,
        endpoints::{Takes, endpoints},
        growth::{ROWS, fill},
        rows::{run, without_references},
    },
};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use std::{collections::BTreeSet, fmt::Write};

/// Tables that do not grow with organizations, hosts, customers or time: a row for the service, or for each node, key, kind of job or rule.
const SMALL: [&str; 6] = ["configuration_version", "job_turn", "signing_keys", "rate_counts", "store_state", "tidy_rules"];

/// Retention without anything that is kept for ever, so that each rule has something to ask.
const NOTHING_FOR_EVER: [&str; 8] =
    ["--audit-days", "30", "--chat-days", "30", "--chart-days", "30", "--chart-versions", "100"];

/// Statements that may read a table whole: a part of their text, and why. Each is rare, or reads what it has to.
const MAY_SCAN: [(&str, &str); 12] = [
    ("UPDATE jobs SET due_at = 0", "the tests' own"),
    ("WITH v (", "written in one statement by primary keys; its plan depends on how many values there are"),
    ("number, numbered_cutoff FROM revocations", "what a node reads when it starts"),
    ("FROM organizations ORDER BY created_at, id LIMIT 1", "one row, the first of its index"),
    ("FROM sign_in_providers LIMIT 1", "whether there is one"),
    ("FROM identity_providers WHERE keys_url IS NOT NULL", "the keys of all of them, which a node fetches now and then"),
    ("SUM(LENGTH(sealed) + 200) OVER", "the sweep of shared answers, which measures all of them"),
    ("PARTITION BY workspace_id ORDER BY created_at", "tidying, by one node: what is beyond a number of each workspace"),
    ("PARTITION BY report_id ORDER BY due_at", "tidying, by one node: what is beyond a number of each report"),
    ("oldest_pass FROM isolation_projects", "numbers of all projects that allow checks, for a node's metrics"),
    ("oldest_complete FROM key_checks", "the same of key checks"),
    ("DELETE FROM revocations WHERE subject_kind", "tidying, by one node: what no report holds on to"),
];

/// Whether a statement may read a table whole.
fn may_scan(sql: &str) -> bool {
    MAY_SCAN.iter().any(|(part, _)| sql.contains(part))
}

/// Everything that the service asks its store, as far as requests and background work reach.
async fn everything_asked(world: &World) -> BTreeSet<String> {
    let statements = Statements::recorded();
    open_pages(world).await;
    open_every_page(world).await;
    let (all, token) = endpoints(world).await;
    for endpoint in all {
        // A node that does not look refuses after a while, and nothing looks here.
        world.app.refresh().await.expect("refreshed");
        let credential = if endpoint.takes == Takes::Viewer { &token } else { &world.key };
        let ask = async |path: &str| {
            let body = endpoint.fresh().to_string();
            endpoint.send(world, path, &[&format!("Bearer {credential}")], &body).await.json()["data"]["next"].clone()
        };
        for path in [endpoint.path.clone(), endpoint.with_query("limit", "1")] {
            if let Some(next) = ask(&path).await.as_str() {
                ask(&format!("{}&after={next}", endpoint.with_query("limit", "1"))).await;
            }
        }
        if endpoint.takes == Takes::HostOrViewer {
            endpoint.send(world, &endpoint.path, &[&format!("Bearer {token}")], &endpoint.fresh().to_string()).await;
        }
    }
    world.make_jobs_due().await;
    worker(world.app.clone()).work_off().await.expect("worked off");
    for periodic in background::periodic() {
        // As a node does it: none of them asks for a second connection.
        watched((periodic.run)(world.app.clone())).await.expect("done");
    }
    tidy_all(world).await;
    world.app.refresh().await.expect("refreshed");
    let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "];
    statements.take().into_keys().filter(|sql| verbs.iter().any(|verb| sql.starts_with(verb))).collect()
}

/// Lets every rule of retention delete, whether it is due or not.
async fn tidy_all(world: &World) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    for rule in background::tidying() {
        let batch = Batch { settings: &world.app.settings, now: Timestamp::now(), most: 100 };
        (rule.run)(batch, &mut tx.conn()).await.expect(rule.name);
    }
    tx.commit().await.expect("committed");
}

/// Opens a dashboard page and a workspace, and makes the calls that pages make most.
async fn open_pages(world: &World) {
    let signed = world.sign_in_as(ACME, "ada", Some("Analyst")).await;
    let token = signed["token"].as_str().expect("a token");
    let application = world.applied.applications["Orders"].id;
    let dashboard = &world.applied.dashboards["Orders/Overview"];
    for path in [
        format!("/share/application/{application}?jwt={token}"),
        format!("/share/workspace/{}/{}?jwt={token}", world.applied.project_id, world.applied.workspaces["Ask"]),
    ] {
        let reply = world.get(&path, "").await;
        assert_eq!(reply.status.as_u16(), 200, "{path}: {}", reply.text);
    }
    let scope = json!({"application": application, "timezone": "UTC", "locale": "en"});
    let target = json!({"scope": scope, "dashboard": dashboard.id, "filters": {}});
    let chart = dashboard.charts.values().next().expect("a chart");
    let place = json!({"scope": scope, "dashboard": dashboard.id});
    let calls: [(&str, Value); 7] = [
        ("open-dashboard", json!({"request": target})),
        ("tile-data", json!({"request": {"scope": scope, "dashboard": dashboard.id, "chart": chart, "filters": {}}})),
        ("find-dashboards", json!({"scope": scope, "search": "over"})),
        ("default-dashboard", json!({"target": place})),
        ("save-view", json!({"request": {"target": place, "name": "Mine", "filters": {}, "isDefault": true}})),
        ("delete-view", json!({"request": {"target": place, "view": dashboard.id}})),
        ("library", json!({"scope": scope})),
    ];
    for (call, body) in calls {
        world.post(&format!("/share/fn/{call}"), token, &body).await;
    }
}

/// The tables that PostgreSQL would read whole for a statement. A plan that holds for any values takes a range for a third of a
/// table, and reads the table then: it is let pass where an index is found as soon as reading it whole is not offered.
async fn scanned_by_postgres(conn: &mut Conn<'_>, sql: &str) -> Vec<String> {
    let mut scanned = Vec::new();
    scans(&plan_of(conn, sql).await, false, &mut scanned);
    if scanned.is_empty() {
        return scanned;
    }
    run(conn, "SET LOCAL enable_seqscan = off".to_owned()).await;
    let mut without_index = Vec::new();
    scans(&plan_of(conn, sql).await, true, &mut without_index);
    run(conn, "SET LOCAL enable_seqscan = on".to_owned()).await;
    scanned.retain(|table| without_index.contains(table));
    scanned
}

/// PostgreSQL's plan of a statement, for any values.
async fn plan_of(conn: &mut Conn<'_>, sql: &str) -> Value {
    run(conn, format!("PREPARE asked AS {sql}")).await;
    let types = "SELECT COALESCE(array_to_string(parameter_types, ', '), '') FROM pg_prepared_statements WHERE name = 'asked'";
    let types: String = on!(&mut *conn, |c| sqlx::query_scalar(types).fetch_one(c).await).expect("its types");
    run(conn, "DEALLOCATE asked".to_owned()).await;
    // A plan for any values takes a limit for a tenth of the table. Parts of lists are short.
    let (given, sql) = if types.is_empty() { (String::new(), sql.to_owned()) } else { (format!("({types})"), limited(sql)) };
    run(conn, format!("PREPARE asked {given} AS {sql}")).await;
    let nulls = vec!["NULL"; types.split(", ").filter(|one| !one.is_empty()).count()].join(", ");
    let values = if nulls.is_empty() { String::new() } else { format!("({nulls})") };
    let explain = format!("EXPLAIN (FORMAT JSON) EXECUTE asked {values}");
    let plan: Value = on!(&mut *conn, |c| sqlx::query_scalar(AssertSqlSafe(explain)).fetch_one(c).await).expect("a plan");
    run(conn, "DEALLOCATE asked".to_owned()).await;
    plan
}

/// A statement with a short limit in place of a parameter.
fn limited(sql: &str) -> String {
    let mut parts = sql.split("LIMIT $");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let _ = write!(text, "LIMIT 51{rest}");
    }
    text
}

/// The tables that a plan reads whole; with `by_index`, also those of which it reads an index whole.
fn scans(plan: &Value, by_index: bool, found: &mut Vec<String>) {
    match plan {
        Value::Object(node) => {
            let kind = node.get("Node Type").and_then(Value::as_str).unwrap_or_default();
            let whole_index = by_index && kind.starts_with("Index") && !node.contains_key("Index Cond");
            if kind == "Seq Scan" || whole_index {
                found.push(node["Relation Name"].as_str().unwrap_or_default().to_owned());
            }
            node.values().for_each(|part| scans(part, by_index, found));
        }
        Value::Array(parts) => parts.iter().for_each(|part| scans(part, by_index, found)),
        _ => {}
    }
}

/// The tables that SQLite would read whole for a statement. `None` for a statement that is PostgreSQL's own.
async fn scanned_by_sqlite(conn: &mut Conn<'_>, sql: &str) -> Option<Vec<String>> {
    let explain = format!("EXPLAIN QUERY PLAN {}", sql.replace(" COLLATE \"C\"", ""));
    type Step = (i64, i64, i64, String);
    let plan: Vec<Step> = on!(conn, |c| sqlx::query_as(AssertSqlSafe(explain)).fetch_all(c).await).ok()?;
    let scanned = plan.iter().filter_map(|(.., step)| step.strip_prefix("SCAN ")?.split(' ').next());
    Some(scanned.map(|name| table_of(sql, name)).collect())
}

/// The table that a statement knows by a name.
fn table_of(sql: &str, name: &str) -> String {
    let words: Vec<&str> =
        sql.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).filter(|word| !word.is_empty()).collect();
    let named = words.windows(3).find(|three| ["FROM", "JOIN", "UPDATE", "INTO"].contains(&three[0]) && three[2] == name);
    named.map_or(name, |three| three[1]).to_owned()
}

async fn recorded() -> BTreeSet<String> {
    let world = World::with(StoreKind::Postgres, &NOTHING_FOR_EVER).await;
    let asked = everything_asked(&world).await;
    assert!(asked.len() > 200, "only {} statements were recorded", asked.len());
    asked
}

#[tokio::test]
async fn no_statement_reads_a_table_that_grows_whole_on_postgres() {
    let asked = recorded().await;
    let world = World::new(StoreKind::Postgres).await;
    let mut tx: Tx = world.app.db.write().await.expect("a transaction");
    without_references(&mut tx).await;
    let conn = &mut tx.conn();
    let large = fill(conn, &SMALL).await;
    run(conn, "SET LOCAL plan_cache_mode = force_generic_plan".to_owned()).await;
    let mut told = String::new();
    for sql in asked.into_iter().filter(|sql| !may_scan(sql)) {
        let mut scanned = scanned_by_postgres(conn, &sql).await;
        scanned.retain(|table| large.contains_key(table));
        if !scanned.is_empty() {
            let _ = writeln!(told, "{}: {sql}\n", scanned.join(", "));
        }
    }
    tx.roll_back().await.expect("rolled back");
    assert!(told.is_empty(), "of {ROWS} rows each, these read all:\n{told}");
}

#[tokio::test]
async fn no_statement_reads_a_table_that_grows_whole_on_sqlite() {
    let asked = recorded().await;
    let world = World::new(StoreKind::Sqlite).await;
    let mut lease = world.app.db.read().await.expect("a connection");
    let conn = &mut lease.conn();
    let large = crate::testing::rows::schema(conn).await;
    let (mut told, mut known) = (String::new(), 0);
    for sql in asked {
        let Some(mut scanned) = scanned_by_sqlite(conn, &sql).await else { continue };
        known += 1;
        scanned.retain(|table| large.contains_key(table) && !SMALL.contains(&table.as_str()));
        if !scanned.is_empty() && !may_scan(&sql) {
            let _ = writeln!(told, "{}: {sql}\n", scanned.join(", "));
        }
    }
    assert!(known > 190, "SQLite knows only {known} of the statements");
    assert!(told.is_empty(), "these read all rows:\n{told}");
}
