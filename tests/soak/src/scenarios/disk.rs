//! The disk is full.

use super::store::refused_after;
use crate::{
    report::{Row, show},
    tools::{
        load::Tally,
        node::Node,
        site::{Context, Site, Store},
    },
};
use inlay_harness::text;
use serde_json::json;
use sqlx::{ConnectOptions, Row as _};
use sqlx_sqlite::SqliteConnectOptions;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// A small disk in memory. It is taken away when this is dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: PathBuf) -> Self {
        fs::create_dir_all(&at).expect("a folder");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=32m", "tmpfs"]).arg(&at).status();
        assert!(mounted.is_ok_and(|done| done.success()), "a small disk needs the right to mount: run as root");
        Self(at)
    }

    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("ballast")).expect("a file");
        while file.write_all(&[0; 4096]).is_ok() {}
    }

    fn free(&self) {
        fs::remove_file(self.0.join("ballast")).expect("removed");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("--lazy").arg(&self.0).status());
    }
}

/// The disk of the embedded store is full for a while, and with it, perhaps, that of the log.
pub async fn full(context: Context, with_log: bool) -> Vec<Row> {
    let site = Site::new(&context, Store::Sqlite).await;
    let disk = SmallDisk::mount(site.folder().join("data"));
    let tenant = site.tenant("Filled", None).await;
    let log = if with_log { site.folder().join("data/node.log") } else { site.folder().join("node.log") };
    let mut node = Node::start(&site.binary, &log).await;
    let caller = node.caller(&tenant.key);
    let viewer = tenant.user(&node, "c1", "viewer").await;
    let leaver = tenant.signs_in(&caller, "c1", "leaver").await.data();
    disk.fill();
    let mut writes = Tally::default();
    for number in 0..60 {
        writes.add(&tenant.signs_in(&caller, "full", &format!("new-{number}")).await);
    }
    let known = tenant.signs_in(&caller, "c1", "viewer").await;
    let chart = viewer.post(&tenant.rows("Overview", "Local"), &json!({})).await;
    let ready = unready(&node).await;
    disk.free();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(15) && !tenant.signs_in(&caller, "c1", "afterwards").await.is_ok() {
        sleep(Duration::from_millis(100)).await;
    }
    let again = begun.elapsed();
    let (revoked, _, said) = site.binary.run(&["revoke", "user", &text(&leaver["projectUserId"])], "").await;
    let counts = if revoked { refused_after(&node, &tenant, &text(&leaver["token"])).await } else { Duration::MAX };
    let lives = node.lives();
    node.kill().await;
    let sound = sound(&site.store_file()).await;
    let name = if with_log { "the disk is full, with the log on it" } else { "the disk is full" };
    vec![
        Row::fact(
            name,
            "writes are 503 in an envelope; known users and charts go on",
            format!(
                "{} of 60 new users {}; a known one {}, a chart {}",
                writes.failed(),
                writes.faults(),
                known.name(),
                chart.name()
            ),
            writes.failed() > 0 && writes.only(&["503 STORE_UNAVAILABLE"]) && known.is_ok() && chart.is_ok(),
        ),
        Row::fact(name, "/readyz says 503", ready.clone(), ready.starts_with("503")),
        Row::timed(
            name,
            "writes again within 15 s of there being room, and revocations count within 1 s",
            format!(
                "after {}; {} {}",
                show(again),
                if revoked { show(counts) } else { "not revoked".to_owned() },
                said.lines().last().unwrap_or("")
            ),
            again < Duration::from_secs(15) && counts < context.limit(Duration::from_secs(1)),
        ),
        Row::fact(name, "the node lives and the store is sound", format!("lives: {lives}, {sound}"), lives && sound == "ok"),
    ]
}

/// What `/readyz` says when it has had ten seconds to notice.
async fn unready(node: &Node) -> String {
    let begun = Instant::now();
    loop {
        let ready = node.caller("").get("/readyz").await;
        if !ready.is_ok() || begun.elapsed() > Duration::from_secs(10) {
            return ready.name();
        }
        sleep(Duration::from_millis(200)).await;
    }
}

async fn sound(file: &Path) -> String {
    let mut connection = SqliteConnectOptions::new().filename(file).connect().await.expect("the store opens");
    sqlx::query("PRAGMA integrity_check").fetch_one(&mut connection).await.expect("a check").get(0)
}
