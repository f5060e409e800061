//! How often a credential may ask (contract sections 1 and 11). Asked once a credential has proved to be genuine, so that
//! nobody uses up another's share by naming their key.

use crate::{
    audit::Who,
    config::limits::Limits,
    error::{Error, Kind, Result},
};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};
use std::num::NonZeroU32;
use uuid::Uuid;

/// The shares that credentials have left on this node.
pub struct RateLimits {
    hosts: Option<DefaultKeyedRateLimiter<Uuid>>,
    users: Option<DefaultKeyedRateLimiter<Uuid>>,
    clock: DefaultClock,
}

impl RateLimits {
    /// Full shares.
    pub fn new(limits: &Limits) -> Self {
        Self {
            hosts: limiter(limits.key_requests_per_second, limits.key_burst),
            users: limiter(limits.user_requests_per_second, limits.user_burst),
            clock: DefaultClock::default(),
        }
    }

    /// Takes one request from a caller's share.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` when nothing is left.
    pub fn check(&self, who: Who) -> Result<()> {
        let limiter = match who {
            Who::Key(_) | Who::Member(_) | Who::Viewing(_) => self.hosts.as_ref(),
            Who::User(_) | Who::Tenant(_) => self.users.as_ref(),
            Who::Operator => None,
        };
        let Some((limiter, id)) = limiter.zip(who.id()) else { return Ok(()) };
        limiter.check_key(&id).map_err(|until| {
            let retry_after = until.wait_time_from(self.clock.now());
            let told = "Too many requests with this credential. Wait as long as Retry-After says, then try again.";
            Error::new(Kind::RateLimited { retry_after }, "RATE_LIMITED", told)
        })
    }

    /// Forgets those whose share is full again.
    pub fn forget_idle(&self) {
        for limiter in [&self.hosts, &self.users].into_iter().flatten() {
            limiter.retain_recent();
        }
    }
}

fn limiter(per_second: u32, burst: u32) -> Option<DefaultKeyedRateLimiter<Uuid>> {
    let per_second = NonZeroU32::new(per_second)?;
    let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
    Some(RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::ids::{ApiKeyId, ProjectUserId};
    use std::time::Duration;

    fn limits(per_second: u32, burst: u32) -> RateLimits {
        RateLimits { hosts: None, users: limiter(per_second, burst), clock: DefaultClock::default() }
    }

    #[test]
    fn each_credential_has_its_own_share() {
        let limits = limits(1, 3);
        let (one, other) = (Who::User(ProjectUserId::generate()), Who::User(ProjectUserId::generate()));
        for _ in 0..3 {
            limits.check(one).expect("within the burst");
        }
        let refused = limits.check(one).expect_err("refused");
        assert_eq!(refused.code, "RATE_LIMITED");
        assert!(matches!(refused.kind, Kind::RateLimited { retry_after } if retry_after <= Duration::from_secs(1)));
        limits.check(other).expect("another's share is full");
        limits.check(Who::Key(ApiKeyId::generate())).expect("no limit is set for keys");
    }

    #[test]
    fn no_limit_is_no_limit() {
        let limits = limits(0, 1);
        let user = Who::User(ProjectUserId::generate());
        assert!((0..1000).all(|_| limits.check(user).is_ok()));
    }
}
