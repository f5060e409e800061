//! What others have made costs nobody anything.

use crate::{
    report::{Row, show},
    tools::{
        load::{Load, Tally},
        site::{Context, Site, Store, Tenant},
        wire::Caller,
    },
};
use inlay_harness::{text, write_sqlite};
use serde_json::json;
use std::time::Duration;

/// 10,000 dashboards of other users in an application.
pub async fn dashboards(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant("Crowded", None).await;
    let node = site.node().await;
    let other = tenant.user(&node, "c9", "collector").await;
    let made = other.post(&tenant.dashboards(), &json!({ "name": "Mine" })).await.data();
    let token = text(&tenant.signs_in(&node.caller(&tenant.key), "c1", "viewer").await.data()["token"]);
    let (visitor, viewer) = (node.caller(""), node.caller(&token));
    let (page, list) = (tenant.page(&token), tenant.dashboards());
    let few = [timed(&visitor, &page).await, timed(&viewer, &list).await];
    let hex: String = text(&made["dashboardId"]).replace('-', "");
    write_sqlite(&site.store_file(), &copies(&hex, 10_000)).await;
    let many = [timed(&visitor, &page).await, timed(&viewer, &list).await];
    let row = |what: &str, few: &Tally, many: &Tally| {
        let ratio = many.percentile(50).as_secs_f64() / few.percentile(50).as_secs_f64();
        let allowed = context.pick(1.2, 2.0);
        Row::timed(
            "10,000 dashboards of others in an application",
            format!("{what} at most 1.2 times as long (p50)"),
            format!(
                "{} with one, {} with 10,000: ratio {ratio:.2}; {} failed",
                show(few.percentile(50)),
                show(many.percentile(50)),
                many.failed()
            ),
            ratio <= allowed && many.failed() == 0,
        )
    };
    vec![row("a page takes", &few[0], &many[0]), row("a list takes", &few[1], &many[1])]
}

async fn timed(caller: &Caller, path: &str) -> Tally {
    let mut tally = Tally::default();
    for number in 0..45 {
        let answer = caller.get(path).await;
        // The first ones warm up.
        if number >= 5 {
            tally.add(&answer);
        }
    }
    tally
}

/// Copies of a dashboard, each of which belongs to its owner.
fn copies(id: &str, count: usize) -> String {
    format!(
        "create temp table one as select * from dashboards where id = x'{id}';
         create temp table many as with recursive n(i) as (select 1 union all select i + 1 from n where i < {count}) select one.* from one, n;
         update many set id = randomblob(16);
         insert into dashboards select * from many;
         analyze;"
    )
}

/// As many users as a large installation has.
pub async fn users(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant("Grown", None).await;
    let node = site.node().await;
    let warm = Load::begin(2, tenant.known_users(node.caller(&tenant.key))).during(Duration::from_secs(1)).await;
    assert_eq!(warm.failed(), 0, "{}", warm.faults());
    let (before, _) = node.memory();
    let few = measured(&context, &tenant, &node.caller(&tenant.key)).await;
    let count = context.pick(1_000_000, 100_000);
    write_sqlite(&site.store_file(), &many_users(&tenant.project().replace('-', ""), count)).await;
    let many = measured(&context, &tenant, &node.caller(&tenant.key)).await;
    let (after, _) = node.memory();
    let ratio = many.percentile(50).as_secs_f64() / few.percentile(50).as_secs_f64();
    let name = format!("{count} users of a project");
    vec![
        Row::timed(
            &name,
            "a sign-in takes at most 1.3 times as long (p50)",
            format!(
                "{} before, {} with them: ratio {ratio:.2}; {} failed",
                show(few.percentile(50)),
                show(many.percentile(50)),
                many.failed()
            ),
            ratio <= context.pick(1.3, 2.0) && many.failed() == 0,
        ),
        Row::fact(&name, "less than 200 MiB more memory", format!("{before} → {after} MiB"), after < before + 200),
    ]
}

async fn measured(context: &Context, tenant: &Tenant, caller: &Caller) -> Tally {
    Load::begin(2, tenant.known_users(caller.clone())).during(Duration::from_secs(context.pick(8, 3))).await
}

/// Users, a hundred to a customer.
fn many_users(project: &str, count: usize) -> String {
    format!(
        "with recursive n(i) as (select 0 union all select i + 1 from n where i < {} - 1)
         insert into customers (id, project_id, external_id, name, properties, created_at, updated_at)
         select randomblob(16), x'{project}', 'grown-' || i, 'Grown ' || i, '{{}}', 0, 0 from n;
         with recursive n(i) as (select 0 union all select i + 1 from n where i < {count} - 1)
         insert into project_users (id, project_id, customer_id, external_id, name, properties, created_at, updated_at)
         select randomblob(16), x'{project}', c.id, 'grown-' || i, 'Grown ' || i, '{{}}', 0, 0 from n
         join customers c on c.project_id = x'{project}' and c.external_id = 'grown-' || (i / 100);",
        count / 100
    )
}
