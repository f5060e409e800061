//! Memory has a limit.

use super::undisturbed;
use crate::{
    report::Row,
    tools::{
        load::{Load, Tally, at_once},
        site::{Context, Site, Store, Tenant, data_of, project},
    },
};
use inlay_harness::write_sqlite;
use serde_json::json;
use std::time::Duration;

/// The budget that the node is told, in MiB.
const BUDGET: u64 = 512;

/// A chart of many rows, with a table of its own for each company.
fn large(count: usize) -> String {
    format!(
        "create table if not exists events (id integer primary key, company text, note text);
         with recursive n(i) as (select 0 union all select i + 1 from n where i < {count})
         insert into events select null, 'c' || (i % 8), printf('%0150d', i) from n;"
    )
}

/// Answers of 5 MB for eight customers, asked for by sixty at once, and their pages.
pub async fn limit(context: Context) -> Vec<Row> {
    let mut site = Site::new(&context, Store::Sqlite).await;
    site.set("INLAY_MEMORY_MB", BUDGET.to_string());
    let tenant = large_tenant(&site).await;
    let mut node = site.node().await;
    let mut viewers = Vec::new();
    for number in 0..8 {
        viewers.push(tenant.user(&node, &format!("c{number}"), "viewer").await);
    }
    let path = tenant.rows("Events", "Events");
    let others = Load::begin(2, tenant.known_users(node.caller(&tenant.key)));
    let mut answers = Tally::default();
    for round in 0..context.pick(4, 1) {
        let (viewers, path) = (viewers.clone(), path.clone());
        let asked = at_once(60, move |number| {
            let (viewer, path) = (viewers[number % 8].patient(Duration::from_secs(60)), path.clone());
            let filter = json!({ "filters": { "f_local.events.id": { "from": number / 8 + round, "to": 10_000_000 } } });
            async move { viewer.post(&path, &filter).await }
        });
        answers.merge(asked.await);
    }
    let others = others.end().await;
    let (now, peak) = node.memory();
    let name = "60 ask at once for answers of 5 MB, with a budget of 512 MiB";
    vec![
        Row::fact(
            name,
            "memory stays under the budget",
            format!("{now} MiB, at most {peak}; lives: {}", node.lives()),
            peak <= BUDGET && node.lives(),
        ),
        Row::fact(
            name,
            "each is answered, or refused with 503",
            format!("{} of {} answered, {}", answers.succeeded(), answers.count(), answers.faults()),
            answers.names.keys().all(|name| name == "200" || name.starts_with("503")),
        ),
        undisturbed(&context, name, "sign-ins beside", &others),
    ]
}

/// A project with a chart of many rows beside the usual one.
async fn large_tenant(site: &Site) -> Tenant {
    let data = site.folder().join("warehouse.db");
    write_sqlite(&data, &data_of("sqlite")).await;
    write_sqlite(&data, &large(240_000)).await;
    let tables = "tables:\n  - { connection: local, table: events, rowRule: \"company = {{organization.company}}\" }\n";
    let charts =
        "charts:\n  - { name: Events, connection: local, type: table, sql: \"select id, note from events\", encoding: {} }\n";
    let dashboard = "      - { name: Events, charts: [{ chart: Events, x: 0, y: 0, w: 6, h: 4 }] }\n";
    let file = project("Large", None).replace("tables:\n", tables).replace("charts:\n", charts) + dashboard;
    site.tenant_of("Large", &file).await
}

/// Ten thousand different small answers are remembered.
pub async fn answers(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let file = project("Remembered", None).replace("cacheSeconds: 0", "cacheSeconds: 300");
    let tenant = site.tenant_of("Remembered", &file).await;
    let node = site.node().await;
    let viewer = tenant.user(&node, "c1", "viewer").await;
    let path = tenant.rows("Overview", "Local");
    drop(viewer.post(&path, &json!({})).await);
    let (before, _) = node.memory();
    let load = Load::begin(8, move |worker, number| {
        let (viewer, path) = (viewer.clone(), path.clone());
        let filter = json!({ "filters": { "f_local.orders.amount": { "from": 0, "to": 1000 + number * 8 + worker } } });
        async move { viewer.post(&path, &filter).await }
    });
    let tally = load.during(Duration::from_secs(context.pick(20, 5))).await;
    let (after, _) = node.memory();
    let seen = format!("{} answers, {} refused {}: {before} → {after} MiB", tally.count(), tally.failed(), tally.faults());
    vec![Row::fact(
        "thousands of different answers",
        "less than 200 MiB more memory, none refused",
        seen,
        after < before + 200 && tally.failed() == 0,
    )]
}
