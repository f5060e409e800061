//! A customer's database refuses, hangs, cuts its answers, or crawls. Nobody else notices, and it is used again as soon as it is well.

use super::undisturbed;
use crate::{
    report::{Row, show},
    tools::{
        load::{Tally, at_once},
        node::Node,
        proxy::{Passing, Proxy},
        site::{Context, Site, Store, Tenant, data_of},
        wire::Caller,
    },
};
use inlay_harness::{fresh_database, text};
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor};
use sqlx_postgres::PgConnection;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How long pages wait for charts.
const PAGE_WAIT: Duration = Duration::from_secs(2);

pub async fn refuses(context: Context) -> Vec<Row> {
    broken(context, "a source refuses", Passing::Refused).await
}

pub async fn hangs(context: Context) -> Vec<Row> {
    broken(context, "a source hangs", Passing::Silent { forgotten: false }).await
}

pub async fn is_forgotten(context: Context) -> Vec<Row> {
    broken(context, "a source hangs, and its connections stay silent", Passing::Silent { forgotten: true }).await
}

pub async fn cuts(context: Context) -> Vec<Row> {
    broken(context, "a source cuts its answers", Passing::Cut(200)).await
}

pub async fn crawls(context: Context) -> Vec<Row> {
    broken(context, "a source crawls", Passing::Crawling).await
}

/// A database of PostgreSQL with the data of sources.
pub async fn source(context: &Context) -> String {
    let database = fresh_database(&context.cluster.url("postgres")).await;
    let mut connection = PgConnection::connect(&database).await.expect("the source answers");
    connection.execute(AssertSqlSafe(data_of("postgres"))).await.expect("the data are written");
    database
}

async fn broken(context: Context, name: &str, passing: Passing) -> Vec<Row> {
    let direct = source(&context).await;
    let proxy = Proxy::start(context.cluster.port()).await;
    let through = direct.replace(&format!(":{}/", context.cluster.port()), &format!(":{}/", proxy.address.port()));
    let mut site = Site::new(&context, Store::Sqlite).await;
    site.set("INLAY_QUERY_TIMEOUT_SECONDS", "10");
    let tenant = site.tenant("Sourced", Some(&through)).await;
    let node = site.node().await;
    let viewer = tenant.user(&node, "c1", "viewer").await;
    let remote = tenant.rows("Overview", "Remote");
    let warm = viewer.post(&remote, &json!({})).await;
    assert!(warm.is_ok(), "{}", warm.body);
    proxy.pass(passing);
    let asking = {
        let (viewer, remote) = (viewer.clone(), remote.clone());
        tokio::spawn(async move { viewer.post(&remote, &json!({})).await })
    };
    let pages = pages(&tenant, &node).await;
    let others = others(&tenant, &node, &viewer).await;
    let asked = asking.await.expect("asked");
    proxy.pass(Passing::All);
    let (again, crowd) = recovered(&tenant, &node, &viewer).await;
    let longest = context.limit(PAGE_WAIT + Duration::from_millis(1500));
    vec![
        Row::timed(
            name,
            "the page comes within its wait and 1.5 s, with a filter on its columns, too",
            format!("{} of 2 not {}, slowest {}", pages.failed(), pages.faults(), show(pages.slowest())),
            pages.failed() == 0 && pages.slowest() < longest,
        ),
        undisturbed(&context, name, "charts of other sources and sign-ins", &others),
        Row::fact(
            name,
            "its chart says so in an envelope, or answers late",
            format!("{} after {}", asked.name(), show(asked.took)),
            ["200", "503 SOURCE_UNAVAILABLE", "504 QUERY_TIMEOUT"].contains(&asked.name().as_str()),
        ),
        Row::timed(
            name,
            "it is used again within 5 s of its recovery, by everybody",
            format!("after {}; then {} of 40 at once failed {}", show(again), crowd.failed(), crowd.faults()),
            again < context.limit(Duration::from_secs(5)) && crowd.failed() == 0,
        ),
    ]
}

/// A page with charts of both sources, by somebody whose answers nobody has asked for yet; then with a filter.
async fn pages(tenant: &Tenant, node: &Node) -> Tally {
    let signed = tenant.signs_in(&node.caller(&tenant.key), "c2", "reader").await.data();
    let page = tenant.page(&text(&signed["token"]));
    let mut both = Tally::default();
    for filter in ["", "&f_remote.orders.region=%22r1%22"] {
        both.add(&node.caller("").get(&format!("{page}{filter}")).await);
    }
    both
}

async fn others(tenant: &Tenant, node: &Node, viewer: &Caller) -> Tally {
    let mut all = Tally::default();
    let (local, host) = (tenant.rows("Overview", "Local"), node.caller(&tenant.key));
    for number in 0..40 {
        all.add(&viewer.post(&local, &json!({})).await);
        all.add(&tenant.signs_in(&host, "c3", &format!("beside-{number}")).await);
    }
    all
}

async fn recovered(tenant: &Tenant, node: &Node, viewer: &Caller) -> (Duration, Tally) {
    let (begun, remote) = (Instant::now(), tenant.rows("Overview", "Remote"));
    while begun.elapsed() < Duration::from_secs(45) && !viewer.post(&remote, &json!({})).await.is_ok() {
        sleep(Duration::from_millis(100)).await;
    }
    let again = begun.elapsed();
    let mut viewers = Vec::new();
    for number in 0..8 {
        viewers.push(tenant.user(node, &format!("c{}", 10 + number), "crowd").await);
    }
    let crowd = at_once(40, move |number| {
        let (viewer, remote) = (viewers[number % 8].clone(), remote.clone());
        async move { viewer.post(&remote, &json!({})).await }
    });
    (again, crowd.await)
}
