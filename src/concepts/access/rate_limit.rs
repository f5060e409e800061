//! Rate limits by credential (docs/spec/contract.md, sections 1 and 11). They are checked after the credential has been verified, so that nobody can use
//! up another caller's limit by naming its key.

use crate::ground::{
    audit::Who,
    config::{Settings, limits::Limits},
    error::{Code, Error, Result},
    periodic::Periodic,
    state::Part,
};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use inlay_contract::ids::ApiKeyId;
use std::time::Duration;
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Arc, Mutex, PoisonError},
};
use uuid::Uuid;

/// The rate limiters of this node.
pub struct RateLimits {
    hosts: Option<DefaultKeyedRateLimiter<Uuid>>,
    users: Option<DefaultKeyedRateLimiter<Uuid>>,
    /// For keys with a limit of their own, by limit.
    keys: Mutex<HashMap<NonZeroU32, Arc<DefaultKeyedRateLimiter<Uuid>>>>,
    clock: DefaultClock,
}

impl RateLimits {
    /// Creates unused rate limiters.
    pub fn of(limits: &Limits) -> Self {
        Self {
            hosts: limiter(limits.key_requests_per_second, limits.key_burst),
            users: limiter(limits.user_requests_per_second, limits.user_burst),
            keys: Mutex::default(),
            clock: DefaultClock::default(),
        }
    }

    /// Counts one request of a caller.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` above the limit.
    pub fn check(&self, who: Who) -> Result<()> {
        let limiter = match who {
            Who::Key(_) | Who::Member(_) | Who::Viewing(_) => self.hosts.as_ref(),
            Who::User(_) | Who::Tenant(_) => self.users.as_ref(),
            Who::Operator => None,
        };
        limiter.zip(who.id()).map_or(Ok(()), |(limiter, id)| self.take(limiter, id))
    }

    /// Counts one request of a key, also for its own limit: requests per second, with a burst of twice as many.
    pub fn check_key(&self, key: ApiKeyId, own: Option<NonZeroU32>) -> Result<()> {
        self.check(Who::Key(key))?;
        let Some(own) = own else { return Ok(()) };
        let limiter = {
            let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
            let quota = || Quota::per_second(own).allow_burst(own.saturating_mul(NonZeroU32::MIN.saturating_add(1)));
            Arc::clone(keys.entry(own).or_insert_with(|| Arc::new(RateLimiter::keyed(quota()))))
        };
        self.take(&limiter, key.0)
    }

    fn take(&self, limiter: &DefaultKeyedRateLimiter<Uuid>, id: Uuid) -> Result<()> {
        limiter.check_key(&id).map_err(|until| {
            let wait = until.wait_time_from(self.clock.now());
            let told = "Too many requests with this credential. Wait for the time in Retry-After, then try again.";
            Error::new(Code::RateLimited, told).with_retry_after(wait)
        })
    }

    /// Deletes limiters of idle callers.
    pub fn forget_idle(&self) {
        for limiter in [&self.hosts, &self.users].into_iter().flatten() {
            limiter.retain_recent();
        }
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        for limiter in keys.values() {
            limiter.retain_recent();
        }
        keys.retain(|_, limiter| !limiter.is_empty());
    }
}

fn limiter(per_second: u32, burst: u32) -> Option<DefaultKeyedRateLimiter<Uuid>> {
    let per_second = NonZeroU32::new(per_second)?;
    let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
    Some(RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst)))
}

impl Part for RateLimits {
    fn new(settings: &Settings) -> Self {
        Self::of(&settings.limits)
    }
}

/// Forgets idle callers every minute.
pub const PERIODIC: Periodic = Periodic {
    failure: "idle callers could not be forgotten",
    every: Duration::from_secs(60),
    at_stop: false,
    run: |app| {
        Box::pin(async move {
            app.part::<RateLimits>().forget_idle();
            Ok(())
        })
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::ids::ProjectUserId;
    use std::time::Duration;

    fn limits(per_second: u32, burst: u32) -> RateLimits {
        RateLimits { hosts: None, users: limiter(per_second, burst), keys: Mutex::default(), clock: DefaultClock::default() }
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
}
