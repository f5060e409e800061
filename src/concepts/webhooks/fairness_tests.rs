//! Webhooks among each other: a server that does not answer holds nobody else's messages back.

use super::{
    EventKind, MOST_WAITING, emit,
    tests::{Host, deliveries, made, open_world, tried, work},
};
use crate::{
    faces::background,
    ground::time::Timestamp,
    on,
    testing::{StoreKind, World},
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

/// The URL of a server that takes connections and never answers.
async fn silent() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((socket, _)) = listener.accept().await {
            held.push(socket);
        }
    });
    format!("http://{address}/hooks")
}

/// Adds this many events of the world's project.
async fn happen(world: &World, count: usize) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    for number in 0..count {
        let data = json!({ "number": number });
        emit(&mut tx.conn(), world.applied.project_id, EventKind::DashboardSaved, data).await.expect("added");
    }
    tx.commit().await.expect("committed");
}

/// The worker of a node, until the sender is dropped.
fn node(world: &World) -> (watch::Sender<bool>, JoinHandle<()>) {
    let (stop, stopped) = watch::channel(false);
    (stop, tokio::spawn(background::worker(world.app.clone()).run(stopped)))
}

async fn change(world: &World, sql: &'static str) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    on!(&mut tx.conn(), |c| sqlx::query(sql).execute(c).await.map(drop)).expect("changed");
    tx.commit().await.expect("committed");
}

async fn until(most: Duration, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < most, "not within {most:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn states(world: &World, id: &str) -> (usize, usize, usize) {
    let all = deliveries(world, id).await;
    let count = |state: &str| all.iter().filter(|delivery| delivery["state"] == json!(state)).count();
    (count("waiting"), count("delivered"), count("failed"))
}

async fn another_organization_s_message_arrives_beside_servers_that_never_answer(world: World) {
    let nowhere = silent().await;
    for _ in 0..20 {
        made(&world, &nowhere).await;
    }
    happen(&world, 10).await;
    let _node = node(&world);
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let (theirs, their_key) = world.neighbour().await;
    let host = Host::default();
    let path = format!("/v2/api/projects/{}/webhooks", theirs.project_id);
    let body = json!({ "url": host.start().await, "events": ["dashboard.saved"] });
    let id = world.post(&path, &their_key, &body).await.data()["webhook"]["id"].clone();
    let id = id.as_str().expect("an id");
    world.post(&format!("{path}/{id}/test"), &their_key, &json!({})).await.data();
    until(Duration::from_secs(5), || host.heard().len() == 1).await;
}

async fn messages_follow_one_another_without_a_wait(world: World) {
    let host = Host::default();
    made(&world, &host.start().await).await;
    let _node = node(&world);
    tokio::time::sleep(Duration::from_millis(200)).await;
    happen(&world, 200).await;
    until(Duration::from_secs(10), || host.heard().len() == 200).await;
}

async fn a_server_that_fails_is_tried_now_and_then(world: World) {
    let host = Host::default();
    let (id, _) = made(&world, &host.start().await).await;
    host.answers.lock().expect("a lock").extend([500; 9]);
    happen(&world, 12).await;
    work(&world).await;
    // Two at once: the sixth was under way when the fifth failed.
    assert_eq!(host.heard().len(), 6);
    let told = deliveries(&world, &id).await;
    let tells = |delivery: &Value| {
        delivery["problem"].as_str().is_some_and(|told| told.contains("in a row") || told.contains("the next one is in"))
    };
    assert!(told.iter().any(tells), "{told:?}");
    work(&world).await;
    assert_eq!(host.heard().len(), 6, "it rests");
    for tries in 7..=9 {
        change(&world, "UPDATE job_queues SET rests_until = 1").await;
        work(&world).await;
        assert_eq!(host.heard().len(), tries, "one message at a time");
    }
    tried(&world, &id).await.data();
    work(&world).await;
    assert_eq!(host.heard()[9].1["type"], json!("webhook.test"), "a test is sent at once, and first");
    assert_eq!(states(&world, &id).await, (9, 4, 0), "it responds again: those that were not tried yet follow");
    world.make_jobs_due().await;
    work(&world).await;
    assert_eq!(states(&world, &id).await, (0, 13, 0));
}

async fn what_waits_for_a_server_that_fails_is_given_up_after_a_day(world: World) {
    let host = Host::default();
    let (id, _) = made(&world, &host.start().await).await;
    host.answers.lock().expect("a lock").extend([500; 6]);
    happen(&world, 10).await;
    change(&world, "UPDATE webhook_deliveries SET created_at = created_at - 90000000").await;
    change(&world, "UPDATE jobs SET created_at = created_at - 90000000").await;
    happen(&world, 1).await;
    work(&world).await;
    let (waiting, delivered, failed) = states(&world, &id).await;
    assert_eq!((delivered, waiting + failed), (0, 11));
    assert!(failed >= 9, "{failed}");
    let problem = deliveries(&world, &id).await.into_iter().find(|one| one["state"] == json!("failed"));
    assert!(problem.expect("one")["problem"].as_str().is_some_and(|told| told.contains("a day")));
}

async fn no_more_than_so_many_messages_wait_and_the_list_tells_it(world: World) {
    let host = Host::default();
    let (id, _) = made(&world, &host.start().await).await;
    let most = usize::try_from(MOST_WAITING).expect("a number");
    let dropped = async || {
        let sql = "SELECT problem FROM webhook_deliveries WHERE event = 'webhook.dropped' ORDER BY created_at, id";
        let mut lease = world.app.db.read().await.expect("a connection");
        let found: Vec<String> = on!(&mut lease.conn(), |c| sqlx::query_scalar(sql).fetch_all(c).await).expect("read");
        found
    };
    happen(&world, most).await;
    assert_eq!(dropped().await.len(), 0);
    happen(&world, 3).await;
    assert_eq!(dropped().await, ["3 messages were dropped, because 1000 messages wait for this webhook."]);
    let newest = deliveries(&world, &id).await;
    assert!(newest.iter().any(|one| one["event"] == json!("webhook.dropped") && one["state"] == json!("failed")));
    let before = Timestamp::now();
    change(&world, "UPDATE webhook_deliveries SET state = 'delivered' WHERE event <> 'webhook.dropped'").await;
    change(&world, "DELETE FROM jobs").await;
    happen(&world, 1).await;
    work(&world).await;
    happen(&world, most + 1).await;
    assert_eq!(dropped().await.len(), 2, "a new count since {before}: messages were delivered in between");
}

macro_rules! with_hosts_on_loopback {
    ($($name:ident)+) => {
        mod fair_on_sqlite {
            $(#[tokio::test] async fn $name() { super::$name(super::open_world(super::StoreKind::Sqlite).await).await; })+
        }
        mod fair_on_postgres {
            $(#[tokio::test] async fn $name() { super::$name(super::open_world(super::StoreKind::Postgres).await).await; })+
        }
    };
}
with_hosts_on_loopback!(
    another_organization_s_message_arrives_beside_servers_that_never_answer messages_follow_one_another_without_a_wait
    a_server_that_fails_is_tried_now_and_then what_waits_for_a_server_that_fails_is_given_up_after_a_day
    no_more_than_so_many_messages_wait_and_the_list_tells_it
);
