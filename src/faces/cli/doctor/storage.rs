//! The store: there, of this version, quick, safe, with room, and with a clock like this machine's.

use super::{Finding, within};
use crate::ground::{
    config::Settings,
    store::{Db, health::Health, migrating::Standing, seal::Sealer},
    time::Timestamp,
};
use inlay_query::OwnStore;
use rustix::fs::statvfs;
use std::{path::Path, time::Duration};

/// Clocks further apart confuse logs and leases.
const CLOCK_WARNING: Duration = Duration::from_secs(2);

/// Clocks further apart make tokens of identity providers invalid, which are tolerated for half a minute.
const CLOCK_PROBLEM: Duration = Duration::from_secs(30);

/// A request asks the store about three times.
const SLOW: Duration = Duration::from_millis(20);

/// The oldest PostgreSQL that Inlay is made for.
const OLDEST: i64 = 130_000;

/// Room that a store of any size needs on its disk.
const LEAST_ROOM: u64 = 1 << 30;

type Opened = (Db, Sealer, Standing);

/// Opens the store as it is. Nothing is created.
pub(super) async fn open(settings: &Settings, limit: Duration) -> (Vec<Finding>, Option<Opened>) {
    if let Some(problem) = missing(settings) {
        return (vec![problem], None);
    }
    let opened = async {
        let (db, sealer) = settings.open_any_store().await.map_err(|problem| problem.to_string())?;
        let standing = db.standing().await.map_err(|problem| problem.to_string())?;
        Ok::<_, String>((db, sealer, standing))
    };
    match tokio::time::timeout(limit, opened).await {
        Ok(Ok(opened)) => (Vec::new(), Some(opened)),
        Ok(Err(problem)) => {
            let advice = "Nothing works without it; the other checks of what is stored were left out.";
            (vec![Finding::problem("store", problem, advice)], None)
        }
        Err(_) => {
            let found = format!("no answer within {} s", limit.as_secs_f64());
            (vec![Finding::problem("store", found, "Check INLAY_DATABASE_URL, the server and the network between.")], None)
        }
    }
}

/// The embedded store, or its key, is not there.
fn missing(settings: &Settings) -> Option<Finding> {
    let OwnStore::File(path) = settings.own_store() else { return None };
    if !path.exists() {
        let found = format!("there is none in {} yet", path.display());
        return Some(Finding::problem(
            "store",
            found,
            "Start the service, which creates it, or set INLAY_DATA_DIR to where it is.",
        ));
    }
    let key = settings.data_dir.join("secret.key");
    (settings.secret_key.is_none() && settings.database_url.is_none() && !key.exists()).then(|| {
        let found = format!("{} is missing, without which the store's secrets cannot be read", key.display());
        Finding::problem("sealing key", found, "Put it back from the backup, or set INLAY_SECRET_KEY.")
    })
}

pub(super) async fn check(db: &Db, settings: &Settings, standing: Standing, limit: Duration) -> Vec<Finding> {
    let mut found = vec![version(standing)];
    let asked = Timestamp::now();
    match tokio::time::timeout(limit, db.health()).await {
        Ok(Ok(health)) => {
            found.push(state(&health));
            found.push(durability(&health));
            let middle = Timestamp(i64::midpoint(asked.0, Timestamp::now().0));
            found.push(clock(middle, health.clock));
        }
        Ok(Err(problem)) => {
            let told = problem.context.unwrap_or(problem.message);
            found.push(Finding::problem("store", told, "See the database's own log."));
        }
        Err(_) => {
            found.push(within(Duration::ZERO, "store", std::future::pending()).await);
        }
    }
    if let OwnStore::File(path) = settings.own_store() {
        found.push(room(&path));
    }
    found
}

pub(super) fn version(standing: Standing) -> Finding {
    match standing {
        Standing::Fitting => Finding::ok("store's version", "this version can use it"),
        Standing::Empty => {
            Finding::problem("store's version", "nothing is in it", "Start the service, or run `inlay migrate`.")
        }
        Standing::Older => {
            let advice = "Start the service with this version, or run `inlay migrate`.";
            Finding::problem("store's version", "an older version of Inlay wrote it", advice)
        }
    }
}

pub(super) fn state(health: &Health) -> Finding {
    let milliseconds = health.latency.as_secs_f64() * 1000.0;
    let told = format!("{}, {} MiB, answers in {milliseconds:.1} ms", health.version, health.bytes >> 20);
    if health.is_standby {
        let advice = "Let INLAY_DATABASE_URL name the primary server (target_session_attrs=read-write).";
        return Finding::problem("store", format!("{told}; it is a standby, which cannot be written"), advice);
    }
    if health.number.is_some_and(|number| number < OLDEST) {
        return Finding::warning("store", told, "Use PostgreSQL 13 or newer; older ones are not tested.");
    }
    if health.latency > SLOW {
        return Finding::warning("store", told, "Put the nodes nearer to the store: each request asks it several times.");
    }
    Finding::ok("store", told)
}

pub(super) fn durability(health: &Health) -> Finding {
    if health.unsafe_settings.is_empty() {
        return Finding::ok("durability", "what is acknowledged survives a power cut");
    }
    let found = format!("{}: a power cut may lose what was acknowledged, revocations too", health.unsafe_settings.join(", "));
    Finding::problem("durability", found, "Turn it on in the server's settings.")
}

/// By what both clocks said at the same moment.
pub(super) fn clock(own: Timestamp, store: Timestamp) -> Finding {
    let apart = Duration::from_millis(own.0.abs_diff(store.0));
    let told = format!("{:.1} s apart from the store's", apart.as_secs_f64());
    let advice = "Keep both machines' time by NTP (chrony, systemd-timesyncd).";
    if apart > CLOCK_PROBLEM {
        Finding::problem("clock", told, advice)
    } else if apart > CLOCK_WARNING {
        Finding::warning("clock", told, advice)
    } else {
        Finding::ok("clock", told)
    }
}

/// The room on the disk of the embedded store.
pub(super) fn room(path: &Path) -> Finding {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    match statvfs(folder) {
        Ok(disk) => enough(disk.f_bavail.saturating_mul(disk.f_frsize)),
        Err(problem) => Finding::warning("disk", format!("its room cannot be read: {problem}"), "Look at it by `df`."),
    }
}

pub(super) fn enough(free: u64) -> Finding {
    let told = format!("{} MiB free beside the store", free >> 20);
    if free >= LEAST_ROOM {
        return Finding::ok("disk", told);
    }
    Finding::problem("disk", told, "Make room: with a full disk every change is refused.")
}
