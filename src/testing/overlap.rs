//! Two writers at once: a call that runs while another transaction has already written what the call is about to change.

use super::World;
use crate::ground::store::{Db, Tx};
use std::{future::Future, pin::pin, time::Duration};

/// How long a call on PostgreSQL may take to reach the other transaction's rows.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts a call beside an open transaction, commits the transaction as soon as the call waits for it, and returns the call's
/// result. A call that reads before it waits has read the state without the transaction, so that what it writes undoes the
/// transaction's changes.
pub(crate) async fn overlapped<T>(world: &World, first: Tx, call: impl Future<Output = T>) -> T {
    let mut call = pin!(call);
    let early = tokio::select! {
        biased;
        done = &mut call => Some(done),
        () = is_waited_for(&world.app.db) => None,
    };
    first.commit().await.expect("committed");
    match early {
        Some(done) => done,
        None => call.await,
    }
}

async fn is_waited_for(db: &Db) {
    const WAITING: &str =
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let Db::Postgres(pool) = db else {
        // The second writer waits for the single writing connection, which cannot be seen.
        return tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let reached = async {
        while sqlx::query_scalar::<_, i64>(WAITING).fetch_one(&**pool).await.expect("the activity") == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let _ = tokio::time::timeout(PATIENCE, reached).await;
}
