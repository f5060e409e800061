//! Retention on both stores: in batches, by one node at a time, without starving anybody.

use super::{Batch, HOUR, LEASE, Rule, store, tidy};
use crate::{
    ground::{error::Result, store::Conn, time::Timestamp},
    on,
    testing::{World, on_both_stores},
};
use std::sync::atomic::{AtomicI64, Ordering};
use uuid::Uuid;

/// The rows of a table that the tests make.
async fn rows(world: &World) -> i64 {
    let mut lease = world.app.db.read().await.expect("a connection");
    on!(&mut lease.conn(), |c| sqlx::query_scalar("SELECT COUNT(*) FROM tidied").fetch_one(c).await).expect("counted")
}

async fn fill(world: &World, count: i64) {
    let mut tx = world.app.db.write().await.expect("a transaction");
    for sql in [
        "CREATE TABLE tidied (id BIGINT NOT NULL PRIMARY KEY)".to_owned(),
        format!(
            "INSERT INTO tidied (id) WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < {count}) SELECT id FROM n"
        ),
    ] {
        on!(&mut tx.conn(), |c| sqlx::query(sqlx::AssertSqlSafe(sql)).execute(c).await.map(drop)).expect("made");
    }
    tx.commit().await.expect("committed");
}

async fn delete(batch: Batch<'_>, conn: &mut Conn<'_>) -> Result<u64> {
    const SQL: &str = "DELETE FROM tidied WHERE id IN (SELECT id FROM tidied LIMIT $1)";
    Ok(on!(conn, |c| sqlx::query(SQL).bind(batch.most).execute(c).await.map(|done| done.rows_affected()))?)
}

const fn rule(name: &'static str) -> Rule {
    Rule { name, tables: &["tidied"], every: HOUR, batch: 100, run: |batch, conn| Box::pin(delete(batch, conn)) }
}

static RUNS: AtomicI64 = AtomicI64::new(0);

on_both_stores! {
    async fn what_is_left_waits_for_the_next_look_and_a_finished_rule_for_its_hour(world) {
        fill(&world, 1_250).await;
        let rules = [rule("rows")];
        tidy(&world.app, &rules).await.expect("tidied");
        assert_eq!(rows(&world).await, 250, "ten batches, then the others have their turn");
        tidy(&world.app, &rules).await.expect("tidied");
        assert_eq!(rows(&world).await, 0);
        let due = store::due_times(&mut world.app.db.read().await.expect("a connection").conn()).await.expect("read");
        let (name, at) = &due[0];
        assert_eq!((due.len(), name.as_str()), (1, "rows"));
        let wait = at.0 - Timestamp::now().0;
        assert!((3_500_000..=3_600_000).contains(&wait), "{wait}");
    }

    async fn one_node_at_a_time_works_on_a_rule_until_its_claim_runs_out(world) {
        let (one, other, now) = (Uuid::new_v4(), Uuid::new_v4(), Timestamp::now());
        let claim = async |lease, at| store::claim(&world.app.db, "rows", lease, at, LEASE).await.expect("asked");
        assert!(claim(one, now).await);
        assert!(!claim(other, now).await, "the first node works on it");
        let later = now.plus(LEASE * 2);
        assert!(claim(other, later).await, "the first node is gone");
        let mut tx = world.app.db.write().await.expect("a transaction");
        assert!(!store::renew(&mut tx.conn(), "rows", one, later).await.expect("asked"), "who lost the claim deletes nothing");
        tx.roll_back().await.expect("rolled back");
        store::put_off(&world.app.db, "rows", other, later.plus(HOUR)).await.expect("put off");
        assert!(!claim(one, later.plus(LEASE)).await, "it is not due");
    }

    async fn a_rule_that_fails_keeps_nobody_from_the_others(world) {
        fill(&world, 50).await;
        RUNS.store(0, Ordering::SeqCst);
        let broken = Rule { run: |batch, conn| Box::pin(async move {
            RUNS.fetch_add(1, Ordering::SeqCst);
            super::delete_before(conn, "DELETE FROM nowhere WHERE id = $1 LIMIT $2", batch.now, batch.most).await
        }), ..rule("broken") };
        assert!(tidy(&world.app, &[broken, rule("rows")]).await.is_err());
        assert_eq!(rows(&world).await, 0);
    }
}
