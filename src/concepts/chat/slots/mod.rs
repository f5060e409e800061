//! Limits how many answers of a user run at once. Counted in the store, so that it holds for all nodes together, even when one fails.

pub(in crate::concepts::chat) mod store;

#[cfg(test)]
pub(crate) use store::AnswerSlotRow;
pub use store::TIDY;

use crate::{
    concepts::customers,
    ground::{
        error::{Code, Error, Result},
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::ids::ProjectUserId;
use std::time::Duration;
use uuid::Uuid;

/// How long a slot is taken without being renewed.
const HELD: Duration = Duration::from_secs(20);

/// One of a user's running answers. It is freed at the answer's end, and expires when its node is gone.
#[derive(Debug)]
pub struct AnswerSlot(Uuid);

impl AnswerSlot {
    /// Takes one of a user's slots.
    ///
    /// # Errors
    ///
    /// 429 when the user has none left.
    pub async fn take(conn: &mut Conn<'_>, user: ProjectUserId, most: usize) -> Result<Self> {
        // Concurrent requests wait here, so that two do not take the last slot.
        customers::lock_user(conn, user).await?;
        let now = Timestamp::now();
        store::forget(conn, user, now).await?;
        if store::count(conn, user).await? >= i64::try_from(most).unwrap_or(i64::MAX) {
            let told = "Too many answers are in progress. Wait until one finishes, or stop one.";
            return Err(Error::new(Code::RateLimited, told).with_retry_after(Duration::from_secs(5)));
        }
        let id = Uuid::now_v7();
        store::insert(conn, id, user, now.plus(HELD)).await?;
        Ok(Self(id))
    }

    /// Renews a slot.
    pub async fn hold(&self, conn: &mut Conn<'_>) -> Result<()> {
        store::prolong(conn, self.0, Timestamp::now().plus(HELD)).await
    }

    /// Frees a slot.
    ///
    /// # Errors
    /// The store is away; the slot expires by itself.
    pub async fn give_back(&self, conn: &mut Conn<'_>) -> Result<()> {
        store::delete(conn, self.0).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ACME, World, on_both_stores};

    async fn user(world: &World, name: &str) -> ProjectUserId {
        let data = world.sign_in_as(ACME, name, None).await;
        data["projectUserId"].as_str().expect("an id").parse().expect("an id")
    }

    async fn take(world: &World, user: ProjectUserId) -> Result<AnswerSlot> {
        let mut tx = world.app.db.write().await.expect("a transaction");
        let slot = AnswerSlot::take(&mut tx.conn(), user, 2).await?;
        tx.commit().await.expect("committed");
        Ok(slot)
    }

    on_both_stores! {
        async fn a_slot_is_free_again_once_it_is_given_back_or_has_run_out(world) {
            let (one, other) = (user(&world, "one").await, user(&world, "other").await);
            let (first, second) = (take(&world, one).await.expect("a slot"), take(&world, one).await.expect("a slot"));
            assert_eq!(take(&world, one).await.expect_err("two are taken").code, Code::RateLimited);
            take(&world, other).await.expect("each user has their own");
            let mut tx = world.app.db.write().await.expect("a transaction");
            first.give_back(&mut tx.conn()).await.expect("given back");
            tx.commit().await.expect("committed");
            take(&world, one).await.expect("the one that was given back");
            // The node that held the second has been gone for a while.
            let mut tx = world.app.db.write().await.expect("a transaction");
            let long_ago = Timestamp(Timestamp::now().0 - 1);
            store::prolong(&mut tx.conn(), second.0, long_ago).await.expect("written");
            tx.commit().await.expect("committed");
            take(&world, one).await.expect("the one that ran out");
            assert!(take(&world, one).await.is_err());
        }

        async fn a_slot_that_is_held_does_not_run_out(world) {
            let one = user(&world, "one").await;
            let slot = take(&world, one).await.expect("a slot");
            take(&world, one).await.expect("a slot");
            let mut tx = world.app.db.write().await.expect("a transaction");
            let conn = &mut tx.conn();
            store::prolong(conn, slot.0, Timestamp(Timestamp::now().0 - 1)).await.expect("written");
            slot.hold(conn).await.expect("held");
            tx.commit().await.expect("committed");
            assert!(take(&world, one).await.is_err());
        }

        async fn the_last_slot_is_taken_once(world) {
            let one = user(&world, "one").await;
            take(&world, one).await.expect("a slot");
            let taken = futures::future::join_all((0..6).map(|_| take(&world, one))).await;
            assert_eq!(taken.iter().filter(|slot| slot.is_ok()).count(), 1);
        }
    }
}
