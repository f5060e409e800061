//! Many arrive at once, at first and right after a change of the configuration.

use crate::{
    report::{Row, show},
    tools::{
        load::{Load, Tally, at_once},
        site::{Context, Site, Store},
    },
};
use inlay_harness::text;
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::time::sleep;

/// 500 first sign-ins of one new user of a new customer; then 500 new users of one customer, beside known ones.
pub async fn crowds(context: Context, store: Store) -> Vec<Row> {
    let site = Site::new(&context, store).await;
    let tenant = site.tenant("Arriving", None).await;
    let node = site.node().await;
    let caller = node.caller(&tenant.key);
    let count = context.pick(500, 150);
    let (one, from) = (tenant.clone(), caller.clone());
    let created = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&created);
    let same = at_once(count, move |_| {
        let (tenant, caller, counted) = (one.clone(), from.clone(), Arc::clone(&counted));
        async move {
            let answer = tenant.signs_in(&caller, "new", "first").await;
            if answer.json()["data"]["userCreated"] == true {
                counted.fetch_add(1, Ordering::Relaxed);
            }
            answer
        }
    })
    .await;
    let created = created.load(Ordering::Relaxed);
    let known = Load::begin(2, tenant.known_users(caller.clone()));
    let many = at_once(count, move |number| {
        let (tenant, caller) = (tenant.clone(), caller.clone());
        async move { tenant.signs_in(&caller, "large", &format!("user-{number}")).await }
    })
    .await;
    let known = known.end().await;
    let name = format!("{count} first sign-ins at once, {}", store.name());
    vec![
        Row::fact(
            &name,
            "none refused, one user, created once",
            format!(
                "{} refused {}, created by {created} calls, slowest {}",
                same.failed(),
                same.faults(),
                show(same.slowest())
            ),
            same.failed() == 0 && created == 1,
        ),
        Row::fact(
            format!("{count} new users of one customer at once, {}", store.name()),
            "none refused, nor known users beside them",
            format!(
                "{} refused {}, slowest {}; known users: {} of {} refused, p99 {}",
                many.failed(),
                many.faults(),
                show(many.slowest()),
                known.failed(),
                known.count(),
                show(known.percentile(99))
            ),
            many.failed() == 0 && known.failed() == 0,
        ),
    ]
}

/// 64 first sign-ins with a default role right after a change, and 32 pages beside a change each second.
pub async fn after_a_change(context: Context, store: Store) -> Vec<Row> {
    let site = Site::new(&context, store).await;
    let tenant = site.tenant("Changing", None).await;
    let node = site.node().await;
    let caller = node.caller(&tenant.key);
    let role = format!("/v1/api/projects/{}/user-roles/{}", tenant.project(), tenant.role());
    let change = |on: bool| json!({ "permissions": { "addFilter": on } }).to_string();
    let mut arrived = Tally::default();
    for round in 0..3 {
        let changed = caller.call("PATCH", &role, &change(round % 2 == 0)).await;
        assert!(changed.is_ok(), "{}", changed.body);
        let (tenant, caller) = (tenant.clone(), caller.clone());
        arrived.merge(
            at_once(64, move |number| {
                let (tenant, caller) = (tenant.clone(), caller.clone());
                async move { tenant.signs_in(&caller, &format!("new-{round}-{number}"), "first").await }
            })
            .await,
        );
    }
    let mut pages = Vec::new();
    for number in 0..32 {
        let signed = tenant.signs_in(&caller, &format!("c{number}"), "viewer").await.data();
        pages.push(tenant.page(&text(&signed["token"])));
    }
    let visitor = node.caller("");
    let viewing = Load::begin(32, move |worker, _| {
        let (visitor, page) = (visitor.clone(), pages[worker].clone());
        async move { visitor.get(&page).await }
    });
    for second in 0..context.pick(10, 4) {
        sleep(Duration::from_secs(1)).await;
        caller.call("PATCH", &role, &change(second % 2 == 0)).await.data();
    }
    let viewed = viewing.end().await;
    let limit = context.limit(Duration::from_secs(2));
    let row = |name: String, tally: &Tally| {
        let seen =
            format!("{} of {} refused {}, slowest {}", tally.failed(), tally.count(), tally.faults(), show(tally.slowest()));
        Row::timed(name, "none refused, slowest < 2 s", seen, tally.failed() == 0 && tally.slowest() < limit)
    };
    vec![
        row(format!("64 first sign-ins with a default role right after a change, {}", store.name()), &arrived),
        row(format!("32 viewers' pages beside a change each second, {}", store.name()), &viewed),
    ]
}
