//! Many sign-ins at once.

use crate::testing::{ACME, on_both_stores};
use futures::future::join_all;
use serde_json::json;
use std::time::Duration;
use tokio::time::timeout;

on_both_stores! {
    /// The store has fewer connections than there are callers: none may hold one while it waits for another.
    async fn sixty_four_first_sign_ins_after_a_change_are_all_served(world) {
        for round in 0..3 {
            let mut tx = world.app.db.write().await.expect("a transaction");
            crate::ground::store::version::bump(&mut tx.conn(), &[world.organization.into()]).await.expect("raised");
            tx.commit().await.expect("committed");
            world.app.refresh().await.expect("refreshed");
            let bodies: Vec<_> = (0..64).map(|at| {
                let mut body = world.sign_in_body(&format!("{ACME} {round} {at}"), "first");
                body["user"]["defaultUserRoleId"] = json!(world.applied.roles["Analyst"]);
                body
            }).collect();
            let calls = bodies.iter().map(|body| {
                let call = world.post("/v1/api/projects/embed-token", &world.key, body);
                async { timeout(Duration::from_secs(4), call).await.map(|reply| reply.status.as_u16()) }
            });
            let statuses = join_all(calls).await;
            assert!(statuses.iter().all(|status| *status == Ok(200)), "{statuses:?}");
        }
    }
}
