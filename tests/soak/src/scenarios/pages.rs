//! Pages that ask for much, for many viewers at once.

use super::undisturbed;
use crate::{
    report::{Row, show},
    tools::{
        load::{Load, at_once},
        site::{Context, Site, Store, project},
    },
};
use inlay_harness::text;
use std::{fmt::Write, time::Duration};

/// How many charts the page has, and how many viewers open it at once.
const MANY: usize = 50;
/// The viewers' companies.
const COMPANIES: usize = 3;

/// 50 viewers of three customers open a page of 50 charts at once, nothing remembered before.
pub async fn fifty_charts(context: Context) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let tenant = site.tenant_of("Full", &full_project()).await;
    let node = site.node().await;
    let caller = node.caller(&tenant.key);
    let mut pages = Vec::new();
    for number in 0..MANY {
        let signed = tenant.signs_in(&caller, &format!("c{}", number % COMPANIES), &format!("viewer-{number}")).await.data();
        pages.push(tenant.page(&text(&signed["token"])));
    }
    let visitor = node.caller("");
    let (before, _) = node.memory();
    let beside = Load::begin(2, tenant.known_users(caller));
    let (from, asked) = (visitor.clone(), pages.clone());
    let opened = at_once(MANY, move |number| {
        let (visitor, page) = (from.clone(), asked[number].clone());
        async move { visitor.get(&page).await }
    })
    .await;
    let beside = beside.end().await;
    let (_, most) = node.memory();
    let last = visitor.get(&pages[0]).await;
    let (figures, ready) = (last.body.matches("<figure").count(), last.body.matches("data-state=\"ready\"").count());
    let name = format!("{MANY} viewers of {COMPANIES} customers open a page of {MANY} charts at once");
    vec![
        Row::timed(
            &name,
            "no page fails, slowest < 5 s",
            format!("{} of {} failed {}, slowest {}", opened.failed(), opened.count(), opened.faults(), show(opened.slowest())),
            opened.failed() == 0 && opened.slowest() < context.limit(Duration::from_secs(5)),
        ),
        Row::fact(
            &name,
            "each chart is in the first HTML, drawn when its rows are remembered",
            format!("{figures} charts, {ready} of them drawn"),
            figures == MANY && ready == MANY,
        ),
        undisturbed(&context, &name, "sign-ins beside", &beside),
        Row::fact(&name, "less than 300 MiB more memory", format!("{before} MiB, at most {most}"), most < before + 300),
    ]
}

/// The usual project with a first dashboard of many charts, each with a query of its own.
fn full_project() -> String {
    let (mut charts, mut tiles) = ("charts:\n".to_owned(), Vec::new());
    for number in 0..MANY {
        let sql =
            format!("select region, sum(amount) as total from orders where amount > {number} group by region order by region");
        let encoding = "encoding: { x: region, y: [total] }";
        let _ = writeln!(charts, "  - {{ name: Chart {number}, connection: local, type: bar, sql: \"{sql}\", {encoding} }}");
        let (x, y) = (6 * (number % 2), 4 * (number / 2));
        tiles.push(format!("{{ chart: Chart {number}, x: {x}, y: {y}, w: 6, h: 4 }}"));
    }
    let local = "{ chart: Local, x: 0, y: 0, w: 6, h: 4 }";
    project("Full", None)
        .replace("cacheSeconds: 0", "cacheSeconds: 300")
        .replace("charts:\n  - { name: Local", &format!("{charts}  - {{ name: Local"))
        .replace(local, &tiles.join(", "))
}
