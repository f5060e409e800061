//! Rate limits by credential (docs/spec/contract.md, sections 1 and 11). They are checked after the credential has been
//! verified, so that nobody can use up another caller's limit by naming its key.

use super::{
    buckets::{Buckets, Credential, Rate},
    store::{self, Told},
    strangers::Strangers,
};
use crate::ground::{
    audit::Who,
    config::{Settings, limits::Limits},
    error::{Code, Error, Result},
    periodic::Periodic,
    state::{App, Part},
    store::Db,
    time::Timestamp,
};
use inlay_contract::ids::ApiKeyId;
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::timeout;
use uuid::Uuid;

/// How long the store may take when nodes tell each other of their callers. Without it each node counts for itself.
const EXCHANGE_LIMIT: Duration = Duration::from_millis(800);

/// The most callers that a node tells the others of.
const MOST_TOLD: usize = 1_000;

/// The rate limits, as this node counts them.
pub struct RateLimits {
    /// The id under which it tells the other nodes.
    node: Uuid,
    hosts: Option<Rate>,
    users: Option<Rate>,
    buckets: Buckets,
    /// Of keys with a limit of their own.
    own: Buckets,
    /// When each of the other nodes told something last.
    heard: Mutex<HashMap<Uuid, Timestamp>>,
}

impl RateLimits {
    /// Creates unused rate limits.
    pub fn of(limits: &Limits) -> Self {
        Self {
            node: Uuid::now_v7(),
            hosts: rate(limits.key_requests_per_second, limits.key_burst),
            users: rate(limits.user_requests_per_second, limits.user_burst),
            buckets: Buckets::default(),
            own: Buckets::default(),
            heard: Mutex::default(),
        }
    }

    /// Counts one request of a caller.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` above the limit.
    pub fn check(&self, who: Who) -> Result<()> {
        let rate = match who {
            Who::Key(_) | Who::Member(_) | Who::Viewing(_) => self.hosts,
            Who::User(_) | Who::Tenant(_) => self.users,
            Who::Operator => None,
        };
        match (rate, credential(who)) {
            (Some(rate), Some(credential)) => self.buckets.take(credential, rate).map_err(refused),
            _ => Ok(()),
        }
    }

    /// Counts one request of a key, also for its own limit: requests per second, with a burst of twice as many.
    pub fn check_key(&self, key: ApiKeyId, own: Option<NonZeroU32>) -> Result<()> {
        self.check(Who::Key(key))?;
        match (own, credential(Who::Key(key))) {
            (Some(own), Some(credential)) => {
                let per_second = f64::from(own.get());
                self.own.take(credential, Rate { per_second, burst: 2.0 * per_second }).map_err(refused)
            }
            _ => Ok(()),
        }
    }

    /// Deletes buckets of idle callers.
    pub fn forget_idle(&self) {
        self.buckets.forget_idle();
        self.own.forget_idle();
    }

    /// Who came near their limit here since the last call, and how often.
    fn passed(&self) -> Vec<(Credential, u32)> {
        let mut all: HashMap<Credential, u32> = self.buckets.passed().into_iter().collect();
        all.extend(self.own.passed());
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_unstable_by_key(|(_, passed)| std::cmp::Reverse(*passed));
        all.truncate(MOST_TOLD);
        all
    }

    /// Counts what the other nodes have let pass.
    fn hear(&self, told: Vec<Told>) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::take(&mut *heard);
        for (node, at, passed) in told {
            heard.insert(node, at);
            if before.get(&node) == Some(&at) {
                continue;
            }
            for (credential, passed) in passed {
                self.buckets.charge(credential, passed);
                self.own.charge(credential, passed);
            }
        }
    }
}

fn rate(per_second: u32, burst: u32) -> Option<Rate> {
    (per_second > 0).then(|| Rate { per_second: per_second.into(), burst: burst.max(1).into() })
}

fn credential(who: Who) -> Option<Credential> {
    let kind = match who {
        Who::Key(_) => 0,
        Who::Member(_) | Who::Viewing(_) => 1,
        Who::User(_) => 2,
        Who::Tenant(_) => 3,
        Who::Operator => return None,
    };
    Some((kind, who.id()?))
}

fn refused(wait: Duration) -> Error {
    let told = "Too many requests with this credential. Wait for the time in Retry-After, then try again.";
    Error::new(Code::RateLimited, told).with_retry_after(wait)
}

/// Tells the other nodes of this one's callers, and counts theirs: a limit holds for all nodes together, a second late.
async fn exchange(app: &App) -> Result<()> {
    // The embedded store has one node.
    if matches!(app.db, Db::Sqlite { .. }) {
        return Ok(());
    }
    let limits = app.part::<RateLimits>();
    let passed = limits.passed();
    let told = async { store::exchange(&mut app.db.read().await?.conn(), limits.node, app.now(), &passed).await };
    let late = |_| Error::internal("the store did not answer in time");
    limits.hear(timeout(EXCHANGE_LIMIT, told).await.map_err(late)??);
    Ok(())
}

impl Part for RateLimits {
    fn new(settings: &Settings) -> Self {
        Self::of(&settings.limits)
    }
}

/// Lets the nodes tell each other of their callers every second.
pub const EXCHANGE: Periodic = Periodic {
    failure: "the rate limits count on this node alone, because the nodes could not tell each other of their callers",
    every: Duration::from_secs(1),
    at_stop: false,
    run: |app| Box::pin(async move { exchange(&app).await }),
};

/// Forgets idle callers every minute.
pub const PERIODIC: Periodic = Periodic {
    failure: "idle callers could not be forgotten",
    every: Duration::from_secs(60),
    at_stop: false,
    run: |app| {
        Box::pin(async move {
            app.part::<RateLimits>().forget_idle();
            app.part::<Strangers>().forget_idle();
            Ok(())
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{StoreKind, World};
    use inlay_contract::ids::ProjectUserId;
    use std::time::Instant;

    fn limits(per_second: u32, burst: u32) -> RateLimits {
        RateLimits {
            node: Uuid::now_v7(),
            hosts: None,
            users: rate(per_second, burst),
            buckets: Buckets::default(),
            own: Buckets::default(),
            heard: Mutex::default(),
        }
    }

    #[test]
    fn each_credential_has_its_own_share() {
        let limits = limits(1, 3);
        let (one, other) = (Who::User(ProjectUserId::generate()), Who::User(ProjectUserId::generate()));
        for _ in 0..3 {
            limits.check(one).expect("within the burst");
        }
        let refused = limits.check(one).expect_err("refused");
        assert_eq!(refused.code, Code::RateLimited);
        assert!(refused.retry_after.is_some_and(|wait| wait <= Duration::from_secs(1)));
        limits.check(other).expect("another's share is full");
        limits.check(Who::Key(ApiKeyId::generate())).expect("no limit is set for keys");
    }

    #[test]
    fn a_key_has_a_limit_of_its_own_where_it_was_given_one() {
        let limits = limits(0, 1);
        let (one, other) = (ApiKeyId::generate(), ApiKeyId::generate());
        let own = NonZeroU32::new(2);
        let passed = |key, own| (0..100).filter(|_| limits.check_key(key, own).is_ok()).count();
        assert_eq!((passed(one, own), passed(other, own), passed(one, None)), (4, 4, 100));
        assert!(passed(one, NonZeroU32::new(7)) > 4, "another limit counts anew");
        limits.forget_idle();
        assert_eq!(passed(one, own), 0, "whoever has just asked is not forgotten");
    }

    #[test]
    fn no_limit_is_no_limit() {
        let limits = limits(0, 1);
        let user = Who::User(ProjectUserId::generate());
        assert!((0..1000).all(|_| limits.check(user).is_ok()));
    }

    #[tokio::test]
    async fn two_nodes_share_one_limit() {
        let world = World::with(StoreKind::Postgres, &["--user-requests-per-second", "20", "--user-burst", "20"]).await;
        let (one, other) = (world.app.clone(), world.another_node().await);
        let (user, start, run) = (Who::User(ProjectUserId::generate()), Instant::now(), Duration::from_secs(5));
        let mut passed = 0;
        while start.elapsed() < run {
            for app in [&one, &other] {
                passed += (0..3).filter(|_| app.part::<RateLimits>().check(user).is_ok()).count();
                exchange(app).await.expect("told");
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        // Each node by itself lets 20 at once pass and 20 a second: 240. Together they may let half as many pass, and what they hear late.
        let alone = 240;
        assert!(passed < alone * 7 / 10 && passed > alone / 4, "{passed}");
        one.db.close().await;
        assert!(exchange(&one).await.is_err());
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        one.part::<RateLimits>().check(user).expect("without the store, each node counts for itself");
    }
}
