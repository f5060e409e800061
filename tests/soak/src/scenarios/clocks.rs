//! A node whose clock is five seconds off.

use super::store::refused_after;
use crate::{
    report::{Row, show},
    tools::site::{Context, Site, Store},
};
use inlay_harness::text;
use std::{path::Path, time::Duration};
use tokio::time::sleep;

/// Where Debian's package `libfaketime` has the library.
const LIBRARY: &str = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

pub async fn apart(context: Context) -> Vec<Row> {
    assert!(Path::new(LIBRARY).exists(), "install Debian's package libfaketime");
    let mut rows = Vec::new();
    for off in ["+5s", "-5s"] {
        let site = Site::new(&context, Store::Postgres).await;
        let tenant = site.tenant("Apart", None).await;
        let right = site.node().await;
        let faked = site.binary.with("LD_PRELOAD", LIBRARY).with("FAKETIME", off).with("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let wrong = site.node_of(&faked).await;
        let mut longest = Duration::ZERO;
        for (issuer, user) in [(&wrong, "first"), (&right, "second")] {
            let signed = tenant.signs_in(&issuer.caller(&tenant.key), "c1", user).await.data();
            let token = text(&signed["token"]);
            sleep(Duration::from_millis(50)).await;
            site.binary.json(&["revoke", "user", &text(&signed["projectUserId"])], "").await;
            let (here, there) = tokio::join!(refused_after(&right, &tenant, &token), refused_after(&wrong, &tenant, &token));
            longest = longest.max(here).max(there);
        }
        // Signed in anew after a cut-off: accepted at once, whichever node signed.
        let mut refused = Vec::new();
        for issuer in [&wrong, &right] {
            let signed = tenant.signs_in(&issuer.caller(&tenant.key), "c1", "first").await.data();
            for node in [&wrong, &right] {
                let answer = node.caller(&text(&signed["token"])).get(&tenant.dashboards()).await;
                if !answer.is_ok() {
                    refused.push(answer.name());
                }
            }
        }
        let name = format!("a node's clock is off by {off}");
        rows.push(Row::timed(
            &name,
            "revocations count on every node within 1 s",
            format!("longest {}", show(longest)),
            longest < context.limit(Duration::from_secs(1)),
        ));
        rows.push(Row::fact(
            &name,
            "new tokens are accepted by every node, right after a cut-off, too",
            format!("{} of 4 refused {refused:?}", refused.len()),
            refused.is_empty(),
        ));
    }
    rows
}
