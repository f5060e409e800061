//! The process is killed, or its callers leave, in the middle of writes.

use crate::{
    report::{Row, show},
    tools::{
        load::{Load, at_once},
        node::Node,
        site::{Context, Site, Store, Tenant},
        wire::{Answer, Caller},
    },
};
use inlay_harness::text;
use serde_json::json;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row as _};
use sqlx_postgres::PgConnection;
use sqlx_sqlite::SqliteConnectOptions;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{io::AsyncWriteExt, net::TcpStream, time::sleep};

/// What the server said it had stored.
#[derive(Default)]
struct Acknowledged {
    users: Vec<String>,
    dashboards: Vec<String>,
}

type Ledger = Arc<Mutex<Acknowledged>>;

/// `kill -9` again and again, while users are created and dashboards copied.
pub async fn kills(context: Context, store: Store) -> Vec<Row> {
    let mut site = Site::new(&context, store).await;
    without_limit_of_copies(&mut site);
    let tenant = site.tenant("Killed", None).await;
    let mut node = site.node().await;
    let editor = tenant.user(&node, "c0", "editor").await;
    let (ledger, mut starts) = (Ledger::default(), vec![node.ready_after]);
    let mut faults = Vec::new();
    for round in 0..context.pick(30, 3) {
        let load = writing(&tenant, &node, &editor, round, &ledger);
        sleep(Duration::from_millis(context.pick(1500, 1200))).await;
        node.kill().await;
        let tally = load.end().await;
        let kinds = tally.names.keys().filter(|name| *name != "200" && !name.starts_with("no answer"));
        faults.extend(kinds.cloned());
        node = site.node().await;
        starts.push(node.ready_after);
    }
    let caller = node.caller(&tenant.key);
    let (users, dashboards) = {
        let all = ledger.lock().unwrap_or_else(PoisonError::into_inner);
        (all.users.clone(), all.dashboards.clone())
    };
    let lost = missing_users(&tenant, &caller, &users).await + missing_dashboards(&node, &editor, &dashboards).await;
    let half = half_done(&site, store).await;
    starts.sort_unstable();
    let (middle, longest) = (starts[starts.len() / 2], starts[starts.len() - 1]);
    let name = format!("killed {} times under load, {}", starts.len() - 1, store.name());
    let lost_row = format!(
        "{lost} of {} missing ({} users, {} dashboards)",
        users.len() + dashboards.len(),
        users.len(),
        dashboards.len()
    );
    let enough = users.len() > 10 && dashboards.len() > 5;
    vec![
        Row::fact(&name, "nothing acknowledged is lost", lost_row, lost == 0 && enough),
        Row::fact(
            &name,
            "nothing is half done",
            format!("{half}; other refusals: {faults:?}"),
            half.starts_with("0 ") && faults.is_empty(),
        ),
        Row::timed(
            &name,
            "ready less than 1 s after the start",
            format!("p50 {}, longest {}", show(middle), show(longest)),
            longest < context.limit(Duration::from_secs(1)),
        ),
    ]
}

/// A fast machine copies more dashboards than one user may own by default. Refusals would be no writes.
fn without_limit_of_copies(site: &mut Site) {
    site.set("INLAY_DASHBOARDS_OF_USER", "1000000");
}

/// Two of three workers create users, the third copies the dashboard.
fn writing(tenant: &Tenant, node: &Node, editor: &Caller, round: usize, ledger: &Ledger) -> Load {
    let (tenant, caller, ledger) = (tenant.clone(), node.caller(&tenant.key), Arc::clone(ledger));
    let editor = node.caller("").with_credential_of(editor);
    let copies = format!("{}/{}/clone", tenant.dashboards(), tenant.dashboard());
    Load::begin(6, move |worker, number| {
        let (tenant, caller, ledger) = (tenant.clone(), caller.clone(), Arc::clone(&ledger));
        let (editor, copies) = (editor.clone(), copies.clone());
        async move {
            if worker % 3 == 2 {
                let answer = editor.post(&copies, &json!({ "name": format!("Copy {round}-{worker}-{number}") })).await;
                if answer.is_ok() {
                    let id = text(&answer.data()["dashboardId"]);
                    ledger.lock().unwrap_or_else(PoisonError::into_inner).dashboards.push(id);
                }
                return answer;
            }
            let user = format!("user-{round}-{worker}-{number}");
            let answer = tenant.signs_in(&caller, "c1", &user).await;
            if answer.is_ok() {
                ledger.lock().unwrap_or_else(PoisonError::into_inner).users.push(user);
            }
            answer
        }
    })
}

async fn missing_users(tenant: &Tenant, caller: &Caller, users: &[String]) -> usize {
    let mut missing = 0;
    for user in users.iter().rev().take(4000) {
        let signed = tenant.signs_in(caller, "c1", user).await;
        missing += usize::from(signed.json()["data"]["userCreated"] != false);
    }
    missing
}

async fn missing_dashboards(node: &Node, editor: &Caller, dashboards: &[String]) -> usize {
    let editor = node.caller("").with_credential_of(editor);
    let mut missing = 0;
    for dashboard in dashboards.iter().rev().take(4000) {
        let found = editor.get(&format!("/v2/api/dashboards/lookup?dashboardId={dashboard}")).await;
        missing += usize::from(!found.is_ok());
    }
    missing
}

/// Dashboards without their chart and users without their customer, and whether the store is sound.
async fn half_done(site: &Site, store: Store) -> String {
    const HALF: &str = "SELECT (SELECT COUNT(*) FROM dashboards d WHERE NOT EXISTS (SELECT 1 FROM dashboard_charts c WHERE c.dashboard_id = d.id)) \
        + (SELECT COUNT(*) FROM project_users u WHERE NOT EXISTS (SELECT 1 FROM customers c WHERE c.id = u.customer_id))";
    if let (Store::Postgres, Some(database)) = (store, &site.database) {
        let mut connection = PgConnection::connect(database).await.expect("the store answers");
        let row = sqlx::query(HALF).fetch_one(&mut connection).await.expect("a count");
        return format!("{} half-done writes", row.get::<i64, _>(0));
    }
    let mut connection = SqliteConnectOptions::new().filename(site.store_file()).connect().await.expect("the store opens");
    let row = sqlx::query(HALF).fetch_one(&mut connection).await.expect("a count");
    let check =
        sqlx::query(AssertSqlSafe("PRAGMA integrity_check".to_owned())).fetch_one(&mut connection).await.expect("a check");
    let half: i64 = row.get(0);
    let sound: String = check.get(0);
    if sound == "ok" { format!("{half} half-done writes, the file is sound") } else { format!("integrity: {sound}") }
}

/// Callers send a write and leave before it is answered. Nobody else notices.
pub async fn callers_leave(context: Context, store: Store) -> Vec<Row> {
    let mut site = Site::new(&context, store).await;
    without_limit_of_copies(&mut site);
    let tenant = site.tenant("Left", None).await;
    let node = site.node().await;
    let editor = tenant.user(&node, "c0", "editor").await;
    let others = Load::begin(2, tenant.known_users(node.caller(&tenant.key)));
    let copies = format!("{}/{}/clone", tenant.dashboards(), tenant.dashboard());
    let (address, begun, mut left) = (node.address, Instant::now(), 0);
    while begun.elapsed() < Duration::from_secs(context.pick(15, 4)) {
        let request = editor.request("POST", &copies, &json!({ "name": format!("Left {left}") }).to_string());
        let leave = move |number: usize| {
            let request = request.clone();
            async move {
                let Ok(mut stream) = TcpStream::connect(address).await else { return nothing() };
                drop(stream.write_all(request.as_bytes()).await);
                sleep(Duration::from_millis(number as u64 % 8)).await;
                nothing()
            }
        };
        left += at_once(16, leave).await.count();
    }
    let tally = others.end().await;
    let half = half_done(&site, store).await;
    let faults = node.log().lines().filter(|line| line.contains(" ERROR ")).count();
    let name = format!("callers leave in the middle of a write, {}", store.name());
    let p99 = tally.percentile(99);
    vec![
        Row::fact(
            &name,
            "nobody else is refused, nothing is half done, no fault in the log",
            format!(
                "{left} left; {} of {} others refused {}; {half}, {faults} faults",
                tally.failed(),
                tally.count(),
                tally.faults()
            ),
            tally.failed() == 0 && half.starts_with("0 ") && faults == 0,
        ),
        Row::timed(&name, "others wait less than 1 s (p99)", show(p99), p99 < context.limit(Duration::from_secs(1))),
    ]
}

/// What a caller who has left has seen.
fn nothing() -> Answer {
    Answer { status: 200, body: String::new(), fault: String::new(), took: Duration::ZERO }
}
