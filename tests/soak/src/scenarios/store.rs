//! The store goes away, or hangs.

use crate::{
    report::{Row, show},
    tools::{
        load::{Load, Tally, at_once},
        node::Node,
        proxy::{Passing, Proxy},
        site::{Context, Site, Store, Tenant},
    },
};
use inlay_harness::{fresh_database, text};
use sqlx::{Connection, Row as _};
use sqlx_postgres::PgConnection;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// PostgreSQL is restarted at once, under load.
pub async fn restarts(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Postgres).await;
    let tenant = site.tenant("Restarted", None).await;
    let node = site.node().await;
    let caller = node.caller(&tenant.key);
    let stored: Arc<Mutex<Vec<String>>> = Arc::default();
    let (of_load, ledger, from) = (tenant.clone(), Arc::clone(&stored), caller.clone());
    let load = Load::begin(8, move |worker, number| {
        let (tenant, ledger, caller) = (of_load.clone(), Arc::clone(&ledger), from.clone());
        async move {
            let user = format!("user-{worker}-{number}");
            let answer = tenant.signs_in(&caller, "c1", &user).await;
            if answer.is_ok() {
                ledger.lock().unwrap_or_else(PoisonError::into_inner).push(user);
            }
            answer
        }
    });
    sleep(Duration::from_secs(2)).await;
    let begun = Instant::now();
    let away = context.cluster.restart().await;
    sleep(Duration::from_secs(context.pick(6, 4))).await;
    let tally = load.end().await;
    let last = tally.last_failure.map_or(Duration::ZERO, |last| last.saturating_duration_since(begun));
    let late = last.saturating_sub(away);
    let users = stored.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mut missing = 0;
    for user in users.iter().rev().take(4000) {
        missing += usize::from(tenant.signs_in(&caller, "c1", user).await.json()["data"]["userCreated"] != false);
    }
    let name = "PostgreSQL restarts at once, under load";
    let faults = format!("{} of {} failed: {}", tally.failed(), tally.count(), tally.faults());
    vec![
        Row::fact(name, "every failure is 503 STORE_UNAVAILABLE", faults, tally.only(&["503 STORE_UNAVAILABLE"])),
        Row::fact(name, "nothing acknowledged is lost", format!("{missing} of {} missing", users.len()), missing == 0),
        Row::timed(
            name,
            "fails at most 1 s longer than the store is away",
            format!("away for {}, the last failure {} later, slowest {}", show(away), show(late), show(tally.slowest())),
            late < context.limit(Duration::from_secs(1)),
        ),
    ]
}

/// The network to the store goes silent for 20 s. Then its old connections are cut, or stay silent.
pub async fn silent(context: Context, forgotten: bool) -> Vec<Row> {
    let direct = fresh_database(&context.cluster.url("postgres")).await;
    let proxy = Proxy::start(context.cluster.port()).await;
    let through = direct.replace(&format!(":{}/", context.cluster.port()), &format!(":{}/", proxy.address.port()));
    let beside = Site::over(&context, Some(direct.clone()));
    let tenant = beside.tenant("Silenced", None).await;
    let site = Site::over(&context, Some(through));
    let node = site.node().await;
    let caller = node.caller(&tenant.key);
    let leaver = tenant.signs_in(&caller, "c1", "leaver").await.data();
    let load = Load::begin(8, tenant.known_users(caller.clone()));
    sleep(Duration::from_secs(1)).await;
    drop(load.end().await);
    proxy.pass(Passing::Silent { forgotten });
    let during = Load::begin(4, {
        let (tenant, caller) = (tenant.clone(), caller.patient(Duration::from_secs(25)));
        move |worker, number| {
            let (tenant, caller) = (tenant.clone(), caller.clone());
            async move { tenant.signs_in(&caller, "c1", &format!("new-{worker}-{number}")).await }
        }
    });
    sleep(Duration::from_secs(6)).await;
    let ready = node.caller("").afresh().get("/readyz").await;
    sleep(Duration::from_secs(14)).await;
    proxy.pass(Passing::All);
    let again = again(&tenant, &node).await;
    let during = during.end().await;
    let crowd = crowd(&tenant, &node).await;
    beside.binary.json(&["revoke", "user", &text(&leaver["projectUserId"])], "").await;
    let revoked = refused_after(&node, &tenant, &text(&leaver["token"])).await;
    let open = left_open(&direct).await;
    let name = if forgotten {
        "the store hangs for 20 s, old connections stay silent"
    } else {
        "the store hangs for 20 s, old connections are cut"
    };
    vec![
        Row::fact(
            name,
            "requests meanwhile are answered within 10 s, with 503; /readyz says 503",
            format!("slowest {}, {}; /readyz {}", show(during.slowest()), during.faults(), ready.name()),
            during.slowest() < Duration::from_secs(11) && during.only(&["503 STORE_UNAVAILABLE"]) && ready.status == 503,
        ),
        Row::timed(
            name,
            "serves again within 5 s, everybody",
            format!("after {}; then {} of 64 at once failed {}", show(again), crowd.failed(), crowd.faults()),
            again < context.limit(Duration::from_secs(5)) && crowd.failed() == 0,
        ),
        Row::timed(name, "then revocations count within 1 s", show(revoked), revoked < context.limit(Duration::from_secs(1))),
        Row::fact(name, "no transaction is left open", format!("{open} left open"), open == 0),
    ]
}

async fn again(tenant: &Tenant, node: &Node) -> Duration {
    let (begun, caller) = (Instant::now(), node.caller(&tenant.key).afresh());
    while begun.elapsed() < Duration::from_secs(30) {
        if tenant.signs_in(&caller, "c1", "again").await.is_ok() {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    begun.elapsed()
}

async fn crowd(tenant: &Tenant, node: &Node) -> Tally {
    let (tenant, caller) = (tenant.clone(), node.caller(&tenant.key));
    at_once(64, move |number| {
        let (tenant, caller) = (tenant.clone(), caller.clone());
        async move { tenant.signs_in(&caller, "c1", &format!("crowd-{number}")).await }
    })
    .await
}

/// How long a token is still accepted, ten seconds at most.
pub async fn refused_after(node: &Node, tenant: &Tenant, token: &str) -> Duration {
    let (begun, caller) = (Instant::now(), node.caller(token));
    while begun.elapsed() < Duration::from_secs(10) {
        if caller.get(&tenant.dashboards()).await.status == 401 {
            break;
        }
        sleep(Duration::from_millis(10)).await;
    }
    begun.elapsed()
}

async fn left_open(database: &str) -> i64 {
    sleep(Duration::from_secs(1)).await;
    let mut connection = PgConnection::connect(database).await.expect("the store answers");
    let query =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    sqlx::query(query).fetch_one(&mut connection).await.expect("a count").get(0)
}
