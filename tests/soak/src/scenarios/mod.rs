//! The scenarios, in the order in which they run.

mod arrivals;
mod attackers;
mod clocks;
mod disk;
mod growth;
mod kills;
mod memory;
mod neighbours;
mod nodes;
mod pages;
mod receivers;
mod sources;
mod stops;
mod store;

use super::{
    Scenario, Suite,
    report::{Row, show},
    tools::{
        load::Tally,
        site::{Context, Store},
    },
};
use std::time::Duration;

/// What is promised to whoever else calls meanwhile.
fn undisturbed(context: &Context, name: &str, who: &str, others: &Tally) -> Row {
    let p99 = others.percentile(99);
    Row::timed(
        name,
        format!("{who}: none refused, p99 < 250 ms"),
        format!("{} of {} refused {}, p99 {}", others.failed(), others.count(), others.faults(), show(p99)),
        others.failed() == 0 && p99 < context.limit(Duration::from_millis(250)),
    )
}

/// A line of the list: name, the suite that holds it, the seconds that it may take, and the function.
macro_rules! scenarios {
    ($($name:literal $part:ident $seconds:literal $run:path $(, $with:expr)*;)+) => {
        vec![$(Scenario {
            name: $name,
            suite: suite!($part),
            patience: Duration::from_secs($seconds),
            run: |context| Box::pin($run(context $(, $with)*)),
        }),+]
    };
}

macro_rules! suite {
    (quick) => {
        Suite::Quick
    };
    (waiting) => {
        Suite::Waiting
    };
    (whole) => {
        Suite::Whole
    };
}

/// All scenarios.
pub fn all() -> Vec<Scenario> {
    scenarios! {
        "kills-sqlite" quick 240 kills::kills, Store::Sqlite;
        "kills-postgres" quick 240 kills::kills, Store::Postgres;
        "callers-leave-sqlite" whole 60 kills::callers_leave, Store::Sqlite;
        "callers-leave-postgres" whole 60 kills::callers_leave, Store::Postgres;
        "store-restarts" quick 90 store::restarts;
        "store-is-cut" whole 120 store::silent, false;
        "store-is-forgotten" whole 120 store::silent, true;
        "source-refuses" quick 90 sources::refuses;
        "source-hangs" waiting 120 sources::hangs;
        "source-is-forgotten" whole 120 sources::is_forgotten;
        "source-cuts" quick 90 sources::cuts;
        "source-crawls" whole 120 sources::crawls;
        "slow-readers" quick 60 receivers::slow_readers;
        "webhooks-of-others" whole 120 receivers::webhooks;
        "webhooks-in-number" whole 90 receivers::many_messages;
        "neighbour-in-the-project" whole 120 neighbours::in_the_project;
        "neighbour-on-the-same-file" whole 120 neighbours::on_the_same_file;
        "neighbour-in-another-project" whole 120 neighbours::in_another_project;
        "idle-connections" whole 90 attackers::idle_connections;
        "few-descriptors" quick 90 attackers::few_descriptors;
        "slow-headers" waiting 90 attackers::slow_headers;
        "bodies-from-nobody" quick 90 attackers::bodies_from_nobody;
        "numbers-from-nobody" quick 90 attackers::numbers_from_nobody;
        "announced-bodies" quick 60 attackers::announced_bodies;
        "first-sign-ins-sqlite" whole 90 arrivals::crowds, Store::Sqlite;
        "first-sign-ins-postgres" quick 90 arrivals::crowds, Store::Postgres;
        "after-a-change-sqlite" whole 90 arrivals::after_a_change, Store::Sqlite;
        "after-a-change-postgres" quick 90 arrivals::after_a_change, Store::Postgres;
        "three-nodes-start" quick 120 nodes::three_start;
        "three-processes-on-sqlite" whole 60 nodes::three_on_sqlite;
        "revocation-under-load" quick 120 nodes::revocation;
        "one-node-dies" quick 60 nodes::one_dies;
        "rotations-under-load" quick 120 nodes::rotations;
        "rolling-upgrade" waiting 120 nodes::rolling_upgrade;
        "changes-of-others" whole 120 nodes::changes_of_others;
        "two-nodes" whole 120 nodes::two_nodes;
        "clocks" quick 90 clocks::apart;
        "disk-full" quick 90 disk::full, false;
        "disk-full-with-log" whole 90 disk::full, true;
        "memory-limit" whole 120 memory::limit;
        "answers-in-memory" whole 60 memory::answers;
        "dashboards-of-others" quick 90 growth::dashboards;
        "fifty-charts" whole 90 pages::fifty_charts;
        "many-users" whole 300 growth::users;
        "stops" waiting 90 stops::drained;
    }
}
