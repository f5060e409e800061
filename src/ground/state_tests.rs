//! Refreshes that overlap.

use super::{
    error::{Code, Error, Result},
    state::{App, Change, Configured},
    store::{Conn, Db, version},
};
use crate::{
    concepts::connections,
    on,
    testing::{self, StoreKind, World, on_both_stores},
};
use async_trait::async_trait;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::{sync::Notify, time::timeout};

/// Stops the first that passes after it was closed.
#[derive(Default)]
struct Gate {
    closed: AtomicBool,
    reached: Notify,
    open: Notify,
}

impl Gate {
    fn close(&self) {
        self.closed.store(true, Ordering::SeqCst);
    }

    async fn pass(&self) {
        if self.closed.swap(false, Ordering::SeqCst) {
            self.reached.notify_one();
            self.open.notified().await;
        }
    }
}

/// Keeps the version that it read last.
#[derive(Default)]
struct Reader {
    kept: AtomicI64,
    before: Gate,
    after: Gate,
}

#[async_trait]
impl Configured for Reader {
    async fn read(&self, _: &App, _: &mut Conn<'_>, change: &Change) -> Result<()> {
        self.before.pass().await;
        self.kept.store(change.number, Ordering::SeqCst);
        self.after.pass().await;
        Ok(())
    }
}

async fn bump(app: &App) {
    let mut tx = app.db.write().await.expect("a transaction");
    version::bump(&mut tx.conn(), &[]).await.expect("raised");
    tx.commit().await.expect("committed");
}

#[tokio::test]
async fn a_slow_refresh_puts_nothing_older_in_the_place_of_what_another_read() {
    let world = World::new(StoreKind::Sqlite).await;
    let (reader, settings, db) = (Arc::new(Reader::default()), world.app.settings.clone(), world.app.db.clone());
    let engine = connections::engine(&settings, &db, &world.app.sealer);
    let configured: Vec<Arc<dyn Configured>> = vec![reader.clone()];
    let app =
        App::new(db, world.app.sealer.clone(), settings, engine, testing::renderer(), configured).await.expect("the state");
    let short = Duration::from_millis(200);
    let refresh = || {
        let app = app.clone();
        tokio::spawn(async move { app.refresh().await })
    };

    bump(&app).await;
    reader.before.close();
    let mut slow = refresh();
    reader.before.reached.notified().await;
    bump(&app).await;
    reader.after.close();
    let quick = refresh();
    // Reached only if the second refresh reads while the first does.
    let _ = timeout(short, reader.after.reached.notified()).await;
    reader.before.open.notify_one();
    let ended = timeout(short, &mut slow).await;
    reader.after.open.notify_one();
    if ended.is_err() {
        slow.await.expect("a task").expect("refreshed");
    }
    quick.await.expect("a task").expect("refreshed");
    let newest = version::current(&app.db).await.expect("a version");
    assert_eq!((reader.kept.load(Ordering::SeqCst), app.version()), (newest, newest));
}

#[tokio::test]
async fn a_look_that_hangs_gives_its_turn_up() {
    let world = World::new(StoreKind::Sqlite).await;
    let (reader, settings, db) = (Arc::new(Reader::default()), world.app.settings.clone(), world.app.db.clone());
    let engine = connections::engine(&settings, &db, &world.app.sealer);
    let configured: Vec<Arc<dyn Configured>> = vec![reader.clone()];
    let app =
        App::new(db, world.app.sealer.clone(), settings, engine, testing::renderer(), configured).await.expect("the state");
    bump(&app).await;
    reader.before.close();
    let refused = app.refresh_within(Duration::from_millis(50)).await.expect_err("nobody opens the gate");
    assert_eq!(refused.code, Code::StoreUnavailable);
    app.refresh().await.expect("refreshed");
    assert_eq!(reader.kept.load(Ordering::SeqCst), app.version());
}

on_both_stores! {
    async fn a_store_that_goes_away_is_told_as_away(world) {
        if !matches!(world.app.db, Db::Postgres(_)) {
            return;
        }
        let mut tx = world.app.db.write().await.expect("a transaction");
        let end = "SELECT pg_terminate_backend(pg_backend_pid())";
        let gone = on!(&mut tx.conn(), |c| sqlx::query(end).execute(c).await.map(drop)).expect_err("ended");
        assert_eq!(Error::from(gone).code, Code::StoreUnavailable);
        drop(tx);
        world.app.refresh().await.expect("another connection");
    }
}
