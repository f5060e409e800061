//! The room that an answer takes until it was sent. Whoever makes a part of it takes the room; whoever sends it keeps all of it.

use super::room;
use crate::ground::error::Result;
use inlay_query::{Budget, Room};
use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError},
};

tokio::task_local! {
    static KEPT: Kept;
}

/// Room that is kept. It is free when the last clone is dropped.
#[derive(Clone, Debug, Default)]
pub struct Kept(Arc<Mutex<Vec<Room>>>);

impl Kept {
    /// Does work, and keeps the room that it takes.
    pub async fn during<T>(&self, work: impl Future<Output = T>) -> T {
        KEPT.scope(self.clone(), work).await
    }

    /// The bytes that are kept.
    pub fn bytes(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(Room::bytes).sum()
    }

    fn add(&self, room: Room) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(room);
    }
}

/// Takes room for a part of an answer, for as long as the answer is kept. Work that no answer keeps takes room for a moment only.
///
/// # Errors
/// 503 with the time to wait.
pub async fn keep(budget: &Budget, bytes: usize) -> Result<()> {
    let room = room(budget, bytes).await?;
    let _ = KEPT.try_with(|kept| kept.add(room));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_answer_keeps_the_room_of_its_parts() {
        let budget = Budget::new("test", 10 << 10);
        let kept = Kept::default();
        kept.during(async {
            keep(&budget, 2 << 10).await.expect("room");
            keep(&budget, 3 << 10).await.expect("room");
            assert_eq!(keep(&budget, 20 << 10).await.expect_err("too much").code.status(), 503);
        })
        .await;
        assert_eq!((kept.bytes(), budget.used()), (5 << 10, 5 << 10));
        drop(kept);
        assert_eq!(budget.used(), 0);
        keep(&budget, 2 << 10).await.expect("room");
        assert_eq!(budget.used(), 0, "nobody keeps it");
    }
}
