//! Several nodes over one PostgreSQL: starts, revocations, new signing keys, changes, an upgrade one node after the other.

use super::store::refused_after;
use crate::{
    report::{Row, show},
    tools::{
        balancer::Balancer,
        load::{Load, Tally},
        node::Node,
        site::{Context, Site, Store, Tenant},
        wire::Caller,
    },
};
use futures::future::join_all;
use inlay_harness::text;
use serde_json::json;
use sqlx::{Connection, Executor};
use sqlx_postgres::PgConnection;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Three nodes start at once on an empty store, and take each other's tokens.
pub async fn three_start(context: Context) -> Vec<Row> {
    let (mut slowest, mut refused, mut tried, mut down) = (Duration::ZERO, Tally::default(), 0, Vec::new());
    for _ in 0..context.pick(5, 1) {
        let site = Site::new(&context, Store::Postgres).await;
        let log = site.folder().join("nodes.log");
        let started = join_all((0..3).map(|_| Node::try_start(&site.binary, &log))).await;
        let (nodes, failed): (Vec<_>, Vec<_>) = started.into_iter().partition(Result::is_ok);
        down.extend(failed.into_iter().filter_map(Result::err));
        let nodes: Vec<Node> = nodes.into_iter().filter_map(Result::ok).collect();
        slowest = slowest.max(nodes.iter().map(|node| node.ready_after).max().unwrap_or_default());
        let tenant = site.tenant("Started", None).await;
        for from in &nodes {
            let signed = tenant.signs_in(&from.caller(&tenant.key), "c1", "user").await.data();
            for to in &nodes {
                refused.add(&to.caller(&text(&signed["token"])).get(&tenant.dashboards()).await);
                tried += 1;
            }
        }
    }
    let name = "three nodes start at once on an empty PostgreSQL";
    vec![
        Row::fact(name, "all come up", format!("{} did not {down:?}; slowest {}", down.len(), show(slowest)), down.is_empty()),
        Row::fact(
            name,
            "tokens of one are accepted by the others",
            format!("{} of {tried} refused {}", refused.failed(), refused.faults()),
            refused.failed() == 0 && tried > 0,
        ),
    ]
}

/// Three processes start at once on an empty folder.
pub async fn three_on_sqlite(context: Context) -> Vec<Row> {
    let (mut down, mut none) = (Vec::new(), 0);
    for _ in 0..5 {
        let site = Site::new(&context, Store::Sqlite).await;
        let (binary, log) = (site.binary.without("INLAY_SECRET_KEY"), site.folder().join("nodes.log"));
        let started = join_all((0..3).map(|_| Node::try_start(&binary, &log))).await;
        none += usize::from(started.iter().all(Result::is_err));
        down.extend(started.into_iter().filter_map(Result::err));
    }
    let unclear = down.iter().any(|told| told.contains("error returned from database") || told.contains("panicked"));
    vec![Row::fact(
        "three processes start at once on an empty folder",
        "all come up, or refuse in a clear sentence",
        format!("{} of 15 did not come up {:?}", down.len(), down.first()),
        !unclear && none == 0,
    )]
}

async fn pair(context: &Context, name: &str) -> (Site, Tenant, Node, Node) {
    let site = Site::new(context, Store::Postgres).await;
    let tenant = site.tenant(name, None).await;
    let (one, other) = (site.node().await, site.node().await);
    (site, tenant, one, other)
}

/// Users are revoked by the command line while both nodes do what they can.
pub async fn revocation(context: Context) -> Vec<Row> {
    let (site, tenant, one, other) = pair(&context, "Revoking").await;
    let busy = [&one, &other].map(|node| Load::begin(8, tenant.known_users(node.caller(&tenant.key))));
    let mut waits = Vec::new();
    for number in 0..context.pick(15, 4) {
        let signed = tenant.signs_in(&one.caller(&tenant.key), "c1", &format!("leaver-{number}")).await.data();
        let token = text(&signed["token"]);
        assert!(other.caller(&token).get(&tenant.dashboards()).await.is_ok());
        site.binary.json(&["revoke", "user", &text(&signed["projectUserId"])], "").await;
        let (here, there) = tokio::join!(refused_after(&one, &tenant, &token), refused_after(&other, &tenant, &token));
        waits.push(here.max(there));
    }
    let mut others = Tally::default();
    for load in busy {
        others.merge(load.end().await);
    }
    waits.sort_unstable();
    let longest = waits.last().copied().unwrap_or_default();
    let name = "users are revoked while two nodes are fully loaded";
    vec![
        Row::timed(
            name,
            "refused by every node within 1 s of the commit",
            format!(
                "p50 {}, longest of {} {}; beside {} sign-ins",
                show(waits[waits.len() / 2]),
                waits.len(),
                show(longest),
                others.count()
            ),
            longest < context.limit(Duration::from_secs(1)),
        ),
        Row::fact(
            name,
            "nobody else is refused",
            format!("{} refused {}", others.failed(), others.faults()),
            others.failed() == 0,
        ),
    ]
}

/// One of two nodes dies. The other serves on.
pub async fn one_dies(context: Context) -> Vec<Row> {
    let (_site, tenant, one, other) = pair(&context, "Bereft").await;
    let dying = Load::begin(4, tenant.known_users(one.caller(&tenant.key)));
    let load = Load::begin(4, tenant.known_users(other.caller(&tenant.key)));
    sleep(Duration::from_secs(2)).await;
    one.kill().await;
    drop(dying.end().await);
    let tally = load.during(Duration::from_secs(2)).await;
    let seen = format!("{} of {} failed {}, p99 {}", tally.failed(), tally.count(), tally.faults(), show(tally.percentile(99)));
    vec![Row::fact("one of two nodes is killed under load", "no request to the other fails", seen, tally.failed() == 0)]
}

/// The signing key is rotated under load. Fresh tokens of one node are taken to the other at once.
pub async fn rotations(context: Context) -> Vec<Row> {
    let (site, tenant, one, other) = pair(&context, "Rotating").await;
    let (of_load, from, to) = (tenant.clone(), one.caller(&tenant.key), other.caller(""));
    let load = Load::begin(4, move |worker, _| {
        let (tenant, from, to) = (of_load.clone(), from.clone(), to.clone());
        async move {
            let signed = tenant.signs_in(&from, "c1", &format!("user-{worker}")).await;
            if !signed.is_ok() {
                return signed;
            }
            to.with(&text(&signed.data()["token"])).get(&tenant.dashboards()).await
        }
    });
    let (mut rotated, mut told) = (0, String::new());
    let database = site.database.as_deref().expect("PostgreSQL");
    let mut store = PgConnection::connect(database).await.expect("the store answers");
    for _ in 0..context.pick(6, 2) {
        sleep(Duration::from_millis(500)).await;
        // A key may be rotated once an hour, counted from when the last one gave way: here two hours have passed.
        store.execute("UPDATE signing_keys SET retired_at = retired_at - 7200000").await.expect("hours pass");
        let (done, printed, logged) = site.binary.run(&["signing-key", "rotate"], "").await;
        rotated += usize::from(done);
        if !done {
            told = format!("{printed} {logged}");
        }
    }
    sleep(Duration::from_secs(1)).await;
    let tally = load.end().await;
    vec![Row::fact(
        "the signing key is rotated under load",
        "no fresh token is refused by another node",
        format!("{rotated} rotations {told}; {} of {} refused {}", tally.failed(), tally.count(), tally.faults()),
        tally.failed() == 0 && rotated == context.pick(6, 2),
    )]
}

/// Two nodes behind a balancer are replaced one after the other.
pub async fn rolling_upgrade(context: Context) -> Vec<Row> {
    let mut site = Site::new(&context, Store::Postgres).await;
    site.set("INLAY_DRAIN_SECONDS", "3");
    let tenant = site.tenant("Upgraded", None).await;
    let nodes = [site.node().await, site.node().await];
    let balancer = Balancer::start(&[nodes[0].address, nodes[1].address]).await;
    let caller = Caller::new(balancer.address, &tenant.key).afresh();
    let signing = tenant.known_users(caller.clone());
    let page = tenant.page(&text(&tenant.signs_in(&caller, "c1", "viewer").await.data()["token"]));
    let load = Load::begin(4, move |worker, number| {
        let (sign_in, caller, page) = (signing(worker, number), caller.clone(), page.clone());
        async move { if number % 5 == 4 { caller.with("").get(&page).await } else { sign_in.await } }
    });
    let mut replaced = Vec::new();
    let mut stops = Vec::new();
    for old in nodes {
        sleep(Duration::from_secs(1)).await;
        let address = old.address;
        old.terminate();
        stops.push(old.ended(Duration::from_secs(40)).await);
        let new = site.node().await;
        balancer.replace(address, new.address);
        replaced.push(new);
    }
    sleep(Duration::from_secs(1)).await;
    let tally = load.end().await;
    let stops: Vec<String> = stops.into_iter().map(|stop| stop.map_or("killed".to_owned(), show)).collect();
    vec![Row::fact(
        "two nodes behind a balancer are replaced one after the other, under load",
        "no request fails",
        format!(
            "{} of {} failed {}; the nodes stopped after {}",
            tally.failed(),
            tally.count(),
            tally.faults(),
            stops.join(" and ")
        ),
        tally.failed() == 0 && tally.count() > 0,
    )]
}

/// Another organization changes its configuration a thousand times a second, as far as the machine goes.
pub async fn changes_of_others(context: Context) -> Vec<Row> {
    let (site, tenant, one, other) = pair(&context, "Calm").await;
    let restless = site.tenant("Restless", None).await;
    let time = Duration::from_secs(context.pick(10, 4));
    let calm = Load::begin(4, tenant.known_users(one.caller(&tenant.key))).during(time).await;
    let role = format!("/v1/api/projects/{}/user-roles/{}", restless.project(), restless.role());
    let changer = other.caller(&restless.key);
    let begun = Instant::now();
    let changes = Load::begin(4, move |worker, number| {
        let (changer, role) = (changer.clone(), role.clone());
        async move {
            // Four workers with 250 changes a second each.
            let due = begun + Duration::from_millis(4) * u32::try_from(number).unwrap_or(u32::MAX);
            tokio::time::sleep_until(due.into()).await;
            let on = (number + worker) % 2 == 0;
            changer.call("PATCH", &role, &json!({ "permissions": { "addFilter": on } }).to_string()).await
        }
    });
    let beside = Load::begin(4, tenant.known_users(one.caller(&tenant.key))).during(time).await;
    let changes = changes.end().await;
    let ratio = beside.rate() / calm.rate();
    vec![Row::timed(
        "another organization changes its configuration up to 1,000 times a second",
        "sign-ins go on at more than half their rate, none refused",
        format!(
            "{:.0}/s calm, {:.0}/s beside {:.0} changes/s: ratio {ratio:.2}; {} refused {}",
            calm.rate(),
            beside.rate(),
            changes.rate(),
            beside.failed(),
            beside.faults()
        ),
        ratio > 0.5 && beside.failed() == 0,
    )]
}

/// What a second node adds. A report only, where the load and PostgreSQL share the nodes' cores.
pub async fn two_nodes(context: Context) -> Vec<Row> {
    let (_site, tenant, one, other) = pair(&context, "Paired").await;
    let time = Duration::from_secs(8);
    let alone = Load::begin(16, tenant.known_users(one.caller(&tenant.key))).during(time).await;
    let loads = [&one, &other].map(|node| Load::begin(8, tenant.known_users(node.caller(&tenant.key))));
    let [first, second] = loads;
    let (first, second) = tokio::join!(first.during(time), second.during(time));
    let together = first.rate() + second.rate();
    let failed = first.failed() + second.failed() + alone.failed();
    vec![Row::fact(
        "repeat sign-ins on one node and on two",
        "none refused; on separate cores 1.8 times as many",
        format!(
            "{:.0}/s and {together:.0}/s: ratio {:.2} on shared cores; {failed} refused",
            alone.rate(),
            together / alone.rate()
        ),
        failed == 0,
    )]
}
