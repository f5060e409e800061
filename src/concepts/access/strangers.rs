//! Credentials that this node does not know. Each is looked up in the store, before anything is known of its sender. So what
//! was not found is remembered for some seconds, and an address that names many unknown credentials waits: its look-ups are
//! done one after the other, beside those of everybody else. A credential that this node has seen never waits, wherever it
//! comes from.

use crate::ground::{
    config::Settings,
    error::{Code, Error, Result},
    state::Part,
    web::origin::Origin,
};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use inlay_contract::ids::ApiKeyId;
use moka::sync::Cache;
use std::{future::Future, num::NonZeroU32, time::Duration};
use tokio::{sync::Semaphore, time::timeout};

/// How long it is remembered that there is no such key. A key that is made meanwhile changes the configuration's version, which
/// ends it at once.
const MISSING_FOR: Duration = Duration::from_secs(5);
/// How many missing keys are remembered.
const MOST_MISSING: u64 = 20_000;
/// How many keys that were seen are remembered, and for how long without use.
const MOST_SEEN: u64 = 100_000;
const SEEN_FOR: Duration = Duration::from_secs(24 * 3600);

/// The look-ups of an address at once, and those that it gains in a second.
const AT_ONCE: NonZeroU32 = NonZeroU32::MIN.saturating_add(99);
const A_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);
/// How many look-ups beyond that may wait, and how long.
const MOST_WAITING: usize = 500;
const WAIT: Duration = Duration::from_secs(5);

/// What this node remembers of credentials that it does not know.
pub struct Strangers {
    missing: Cache<(i64, ApiKeyId), ()>,
    seen: Cache<ApiKeyId, ()>,
    of_address: DefaultKeyedRateLimiter<String>,
    /// For the addresses above their limit.
    turn: Semaphore,
    waiting: Semaphore,
}

impl Part for Strangers {
    fn new(_: &Settings) -> Self {
        Self {
            missing: Cache::builder().max_capacity(MOST_MISSING).time_to_live(MISSING_FOR).build(),
            seen: Cache::builder().max_capacity(MOST_SEEN).time_to_idle(SEEN_FOR).build(),
            of_address: RateLimiter::keyed(Quota::per_second(A_SECOND).allow_burst(AT_ONCE)),
            turn: Semaphore::new(1),
            waiting: Semaphore::new(MOST_WAITING),
        }
    }
}

impl Strangers {
    /// Whether the key was looked for in this version of the configuration a moment ago, and is not there.
    pub fn is_missing(&self, version: i64, id: ApiKeyId) -> bool {
        self.missing.contains_key(&(version, id))
    }

    /// Whether this node has seen the key in any version.
    pub fn knows(&self, id: ApiKeyId) -> bool {
        self.seen.get(&id).is_some()
    }

    /// Remembers whether a key is there.
    pub fn found(&self, version: i64, id: ApiKeyId, is_there: bool) {
        match is_there {
            true if !self.knows(id) => self.seen.insert(id, ()),
            true => {}
            false => self.missing.insert((version, id), ()),
        }
    }

    /// Looks something up for a stranger.
    ///
    /// # Errors
    /// 429 when too many strangers wait.
    pub async fn look<T>(&self, origin: &Origin, work: impl Future<Output = Result<T>>) -> Result<T> {
        let address = origin.network();
        if address.is_empty() || self.of_address.check_key(&address).is_ok() {
            return work.await;
        }
        metrics::counter!("inlay_unknown_credentials_slowed_total").increment(1);
        let _place = self.waiting.try_acquire().map_err(|_| too_many())?;
        let _turn = timeout(WAIT, self.turn.acquire()).await.map_err(|_| too_many())?.map_err(Error::internal)?;
        work.await
    }

    /// Forgets addresses that have been idle.
    pub fn forget_idle(&self) {
        self.of_address.retain_recent();
    }
}

fn too_many() -> Error {
    let told = "Too many requests with unknown credentials come from this address. Check the API key, then try again.";
    Error::new(Code::RateLimited, told).with_retry_after(Duration::from_secs(5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        concepts::organizations::{MemberRole, api_keys},
        testing::{StoreKind, World},
    };
    use serde_json::json;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn from(address: &str) -> Origin {
        Origin { address: Some(address.to_owned()), request: None }
    }

    #[tokio::test]
    async fn an_address_with_many_unknown_credentials_waits_and_others_do_not() {
        let world = World::new(StoreKind::Sqlite).await;
        let strangers = world.app.part::<Strangers>();
        let (at_work, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = async || {
            let now = at_work.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(1)).await;
            at_work.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        };
        let attacker = from("192.0.2.1");
        for _ in 0..u32::from(AT_ONCE) {
            strangers.look(&attacker, async { Ok(()) }).await.expect("within the burst");
        }
        let asked = futures::future::join_all((0..50).map(|_| strangers.look(&attacker, work()))).await;
        assert!(asked.iter().all(Result::is_ok));
        assert!(most.load(Ordering::SeqCst) <= 2, "one at a time: {most:?}");
        most.store(0, Ordering::SeqCst);
        let other = from("192.0.2.2");
        futures::future::join_all((0..20).map(|_| strangers.look(&other, work()))).await;
        assert_eq!(most.load(Ordering::SeqCst), 20, "another address does not wait");
    }

    #[tokio::test]
    async fn a_missing_key_is_looked_up_once_and_one_that_is_made_meanwhile_works() {
        for kind in [StoreKind::Sqlite, StoreKind::Postgres] {
            let world = World::new(kind).await;
            let strangers = world.app.part::<Strangers>();
            let made = api_keys::generate().expect("a key");
            let body = world.sign_in_body(crate::testing::ACME, "ada");
            let ask = async || world.post("/v1/api/projects/embed-token", &made.text, &body).await;
            ask().await.refused(401, "INVALID_API_KEY");
            assert!(strangers.is_missing(world.app.version(), made.id) && !strangers.knows(made.id));
            let owner = world.membership(&world.key).await.account;
            let mut tx = world.app.db.write().await.expect("a transaction");
            crate::concepts::organizations::insert_key(&mut tx.conn(), &made, owner, Some(world.organization))
                .await
                .expect("stored");
            tx.commit().await.expect("committed");
            ask().await.refused(401, "INVALID_API_KEY");
            // What each node does four times a second.
            world.app.refresh().await.expect("refreshed");
            ask().await.data();
            assert!(strangers.knows(made.id) && !strangers.is_missing(world.app.version(), made.id));
        }
    }

    #[tokio::test]
    async fn a_known_key_is_served_while_its_address_is_slowed_down() {
        let world = World::new(StoreKind::Sqlite).await;
        let key = world.member_key(MemberRole::Member, false).await;
        let body = world.sign_in_body(crate::testing::ACME, "ada");
        world.post("/v1/api/projects/embed-token", &key, &body).await.data();
        let strangers = world.app.part::<Strangers>();
        let _all_turns_are_taken = strangers.turn.acquire().await.expect("a turn");
        // A change of the configuration empties what is remembered of keys.
        world.member_key(MemberRole::Member, false).await;
        let signed_in = world.post("/v1/api/projects/embed-token", &key, &body);
        tokio::time::timeout(Duration::from_secs(2), signed_in).await.expect("at once").data();
        assert_eq!(json!(strangers.waiting.available_permits()), json!(MOST_WAITING));
    }
}
