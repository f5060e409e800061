//! Nobody asks for a second connection while holding one: as many callers as there are connections would each hold one and wait
//! for another, and nobody would move until the waiting ends. In builds for development and tests such a caller panics.

use std::future::Future;
#[cfg(debug_assertions)]
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};
use tracing::Span;

#[cfg(debug_assertions)]
tokio::task_local! {
    static HELD: Arc<AtomicUsize>;
}

/// Held with a connection.
#[derive(Debug)]
pub struct Holding {
    #[cfg(debug_assertions)]
    held: Option<Arc<AtomicUsize>>,
    /// Of the time in which the connection is waited for and held.
    _span: Span,
}

impl Holding {
    /// Panics in a build for development if the same work holds a connection already.
    pub(super) fn begin(span: Span) -> Self {
        Self {
            #[cfg(debug_assertions)]
            held: HELD
                .try_with(|held| {
                    let before = held.fetch_add(1, Ordering::SeqCst);
                    // The count is right again when the panic has been caught.
                    let holding = Arc::clone(held);
                    if before > 0 {
                        held.fetch_sub(1, Ordering::SeqCst);
                        panic!("a second connection of the store is asked for while one is held: drop the lease, or end the transaction, first");
                    }
                    holding
                })
                .ok(),
            _span: span,
        }
    }
}

#[cfg(debug_assertions)]
impl Drop for Holding {
    fn drop(&mut self) {
        if let Some(held) = &self.held {
            held.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// A connection of the embedded store, held.
#[derive(Debug)]
pub struct Held<T> {
    pub(super) connection: T,
    _holding: Holding,
}

impl<T> Held<T> {
    pub(super) const fn new(connection: T, holding: Holding) -> Self {
        Self { connection, _holding: holding }
    }
}

/// Does work that may hold one connection at a time: a request, a job, a periodic task. Work of its own within it, done at the
/// same time, is watched apart.
pub async fn watched<F: Future>(work: F) -> F::Output {
    #[cfg(debug_assertions)]
    return HELD.scope(Arc::default(), work).await;
    #[cfg(not(debug_assertions))]
    return work.await;
}

#[cfg(test)]
mod tests {
    use super::watched;
    use crate::testing::{StoreKind, World};

    #[tokio::test]
    #[should_panic(expected = "a second connection of the store is asked for while one is held")]
    async fn a_second_connection_beside_a_held_one_is_noticed() {
        let world = World::new(StoreKind::Sqlite).await;
        watched(async {
            let _held = world.app.db.read().await.expect("a connection");
            drop(world.app.db.write().await);
        })
        .await;
    }

    #[tokio::test]
    async fn works_at_the_same_time_hold_a_connection_each() {
        let world = World::new(StoreKind::Sqlite).await;
        let work = || async {
            let held = world.app.db.read().await.expect("a connection");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            drop(held);
        };
        watched(async { tokio::join!(watched(work()), watched(work())) }).await;
    }

    #[tokio::test]
    async fn one_connection_after_the_other_is_fine() {
        let world = World::new(StoreKind::Sqlite).await;
        watched(async {
            drop(world.app.db.read().await.expect("a connection"));
            let tx = world.app.db.write().await.expect("a transaction");
            tx.roll_back().await.expect("rolled back");
            drop(world.app.db.read().await.expect("a connection"));
        })
        .await;
    }
}
