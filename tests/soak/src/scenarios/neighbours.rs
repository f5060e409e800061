//! One customer or project asks for more than its source can do. The others' charts come as before.

use super::sources::source;
use crate::{
    report::{Row, show},
    tools::{
        load::{Load, Tally},
        node::Node,
        site::{Context, Site, Store, Tenant},
        wire::Caller,
    },
};
use serde_json::json;
use std::time::Duration;
use tokio::time::sleep;

/// Both are customers of one project, with one connection.
pub async fn in_the_project(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant("Shared", Some(&source(&context).await)).await;
    let node = site.node().await;
    beside(&context, "a noisy customer of the same project", &node, (&tenant, QUIET), (&tenant, NOISY)).await
}

/// Both are customers of one project, whose data are a file of SQLite: what one asks takes the processors of the node.
pub async fn on_the_same_file(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant("Filed", None).await;
    let node = site.node().await;
    let quiet = Noise { chart: ["Overview", "Local"], filter: "" };
    let noisy = Noise { chart: ["Heavy", "Heavy"], filter: "f_local.numbers.n" };
    beside(&context, "a noisy customer on the same SQLite file", &node, (&tenant, quiet), (&tenant, noisy)).await
}

/// They are two projects, with connections to one server.
pub async fn in_another_project(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let database = source(&context).await;
    let (quiet, noisy) = (site.tenant("Quiet", Some(&database)).await, site.tenant("Noisy", Some(&database)).await);
    let node = site.node().await;
    beside(&context, "a noisy customer of another project", &node, (&quiet, QUIET), (&noisy, NOISY)).await
}

/// What somebody asks for: a chart by its dashboard and name, and a filter that makes each question another one.
#[derive(Clone, Copy)]
struct Noise {
    chart: [&'static str; 2],
    filter: &'static str,
}

const QUIET: Noise = Noise { chart: ["Overview", "Remote"], filter: "" };
const NOISY: Noise = Noise { chart: ["Slow", "Slow"], filter: "f_remote.slow.amount" };

async fn beside(context: &Context, name: &str, node: &Node, quiet: (&Tenant, Noise), noisy: (&Tenant, Noise)) -> Vec<Row> {
    let ((quiet, asked), (noisy, noise)) = (quiet, noisy);
    let viewer = quiet.user(node, "c7", "viewer").await;
    let rows = quiet.rows(asked.chart[0], asked.chart[1]);
    let time = Duration::from_secs(context.pick(15, 4));
    let alone = asks(viewer.clone(), rows.clone()).during(time).await;
    let slow = noisy.rows(noise.chart[0], noise.chart[1]);
    let mut viewers = Vec::new();
    // One customer with many users: their queries are the same, so each asks with its own condition.
    for number in 0..24 {
        viewers.push(noisy.user(node, "c9", &format!("noise-{number}")).await);
    }
    let noise = Load::begin(24, move |worker, number| {
        let (viewer, path) = (viewers[worker].clone(), slow.clone());
        async move {
            let filters = json!({ "filters": { noise.filter: { "from": 0, "to": 10_000 + 100 * number + worker } } });
            let answer = viewer.post(&path, &filters).await;
            if !answer.is_ok() {
                sleep(Duration::from_millis(100)).await;
            }
            answer
        }
    });
    sleep(Duration::from_secs(2)).await;
    let together = asks(viewer, rows).during(time).await;
    let noise = noise.end().await;
    judged(context, name, &alone, &together, &noise)
}

/// Two of a customer's viewers ask for a quick chart again and again.
fn asks(viewer: Caller, path: String) -> Load {
    Load::begin(2, move |_, _| {
        let (viewer, path) = (viewer.clone(), path.clone());
        async move {
            let answer = viewer.post(&path, &json!({})).await;
            sleep(Duration::from_millis(20)).await;
            answer
        }
    })
}

fn judged(context: &Context, name: &str, alone: &Tally, together: &Tally, noise: &Tally) -> Vec<Row> {
    let (before, after) = (alone.percentile(99), together.percentile(99));
    let calm = after <= before * 2 || after < context.limit(Duration::from_millis(250));
    let seen =
        format!("p99 {} alone, {} beside {} of its queries ({})", show(before), show(after), noise.count(), noise.faults());
    vec![
        Row::fact(
            name,
            "nobody else is refused",
            format!("{} of {} refused {}", together.failed(), together.count(), together.faults()),
            together.failed() == 0 && together.count() > 0,
        ),
        Row::timed(name, "others' p99 at most twice that of alone, or < 250 ms", seen, calm),
    ]
}
