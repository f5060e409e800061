//! Signing in with email address and password. An unknown address gets the same answer as a wrong password, after the same
//! work. Repeated attempts have to wait longer each time.

pub mod device;
pub(in crate::concepts::organizations) mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::AttemptRow;
pub use store::{TIDY, account};

use super::members;
use crate::{
    concepts::organizations::{passwords::Passwords, sessions},
    ground::{
        audit::{self, Actor, Deed, Who},
        error::{Code, Error, Kind, Result},
        state::App,
        store::Conn,
        time::Timestamp,
        web::origin::Origin,
    },
};
use inlay_contract::ids::AccountId;
use std::time::Duration;
use uuid::Uuid;

/// How attempts that are counted together are slowed down.
#[derive(Clone, Copy, Debug)]
struct Limit {
    /// How many attempts are free.
    free: i64,
    /// The maximum wait.
    longest: Duration,
}

/// Attempts for one account from one network.
const OF_ACCOUNT: Limit = Limit { free: 5, longest: Duration::from_secs(15 * 60) };
/// Attempts for any account from one network.
const OF_NETWORK: Limit = Limit { free: 50, longest: Duration::from_secs(15 * 60) };
/// Attempts for one account from everywhere: the wait is short enough that its owner can still sign in.
const FROM_EVERYWHERE: Limit = Limit { free: 100, longest: Duration::from_secs(60) };
/// The first wait. Each further attempt doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(15);
/// Without an attempt for this long, the count starts again.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3600);

/// An account.
#[derive(Clone, Debug)]
pub struct Account {
    /// Their id.
    pub id: AccountId,
    /// Their email address.
    pub email: String,
    /// The hash of their password, if they have one.
    pub password_hash: Option<String>,
}

/// An email address in its stored form.
pub fn normalized(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Signs a person in. Returns the secret for the cookie. `device` is the mark of the browser, if it carries one ([`device::mark`]).
///
/// # Errors
///
/// 401 `WRONG_CREDENTIALS`, 429 `TOO_MANY_ATTEMPTS`.
pub async fn sign_in(
    app: &App,
    email: &str,
    given: &str,
    origin: &Origin,
    agent: Option<&str>,
    device: Option<&str>,
) -> Result<String> {
    let account = proved(app, email, given, origin, device).await?;
    let secret = sessions::begin(app, account.id, origin, agent).await?;
    record(app, account.id, "member.signedIn", origin).await?;
    Ok(secret)
}

/// The account of an email address, if the password is right. A browser that the account signed in with before is counted by
/// itself in place of the attempts from everywhere; it guesses no faster than any other.
pub async fn proved(app: &App, email: &str, given: &str, origin: &Origin, device: Option<&str>) -> Result<Account> {
    let email = normalized(email);
    let from = origin.network();
    let here = store::subject(&[&email, &from]);
    let device = device.and_then(|mark| device::known(app, &email, mark, Timestamp::now()));
    let device = device.map(|id| store::subject(&["device", &id]));
    let subjects = [
        (here.clone(), OF_ACCOUNT),
        (store::subject(&["address", &from]), OF_NETWORK),
        match &device {
            Some(device) => (device.clone(), OF_ACCOUNT),
            None => (store::subject(&["account", &email]), FROM_EVERYWHERE),
        },
    ];
    // Counted before the password is checked, so that concurrent attempts count too.
    let counted = attempt(app, &subjects).await?;
    let account = store::account(&mut app.db.read().await?.conn(), &email).await?;
    let hash = account.as_ref().and_then(|account| account.password_hash.clone());
    let right = app.part::<Passwords>().verify(given, hash).await?;
    match account.filter(|_| right) {
        Some(account) => {
            let mut tx = app.db.write().await?;
            for one in &counted {
                store::take_back(&mut tx.conn(), one).await?;
            }
            for own in [Some(here), device].into_iter().flatten() {
                store::forget(&mut tx.conn(), &own).await?;
            }
            tx.commit().await?;
            Ok(account)
        }
        None => {
            let known = store::account(&mut app.db.read().await?.conn(), &email).await?;
            failed(app, known.map(|known| known.id), &here, origin).await?;
            Err(wrong())
        }
    }
}

/// Counts a request for a mail like a sign-in attempt.
///
/// # Errors
/// 429 `TOO_MANY_ATTEMPTS`.
pub async fn slow_down(app: &App, purpose: &str, email: &str, origin: &Origin) -> Result<()> {
    let mail = store::subject(&[purpose, &normalized(email)]);
    attempt(app, &[(mail, OF_ACCOUNT), (store::subject(&["address", &origin.network()]), OF_NETWORK)]).await.map(drop)
}

/// 401 for a wrong address or password.
pub fn wrong() -> Error {
    Error::new(Code::WrongCredentials, "The email address or the password is wrong.")
}

/// A counted attempt.
#[derive(Clone, Debug)]
pub struct Counted {
    /// The hash that it is counted under.
    pub subject: Vec<u8>,
    /// Its time.
    pub at: Timestamp,
    /// The time of the attempt before.
    pub before: Timestamp,
}

async fn attempt(app: &App, subjects: &[(Vec<u8>, Limit)]) -> Result<Vec<Counted>> {
    let at = Timestamp::now();
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let mut counted = Vec::with_capacity(subjects.len());
    for (subject, limit) in subjects {
        let (failures, before) = store::locked(conn, subject).await?;
        let forgotten = at >= before.plus(FORGOTTEN_AFTER);
        if let Some(left) = wait(if forgotten { 0 } else { failures }, *limit, before, at) {
            return Err(too_many(left));
        }
        store::count(conn, subject, if forgotten { 1 } else { failures + 1 }, at).await?;
        counted.push(Counted { subject: subject.clone(), at, before });
    }
    tx.commit().await?;
    Ok(counted)
}

/// Writes a failed attempt to the audit logs of the account's organizations. For an unknown address a transaction writes as
/// much, so that the time reveals nothing.
async fn failed(app: &App, account: Option<AccountId>, subject: &[u8], origin: &Origin) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::note(conn, subject, Timestamp::now()).await?;
    tell(conn, account.unwrap_or(AccountId(Uuid::nil())), "member.signInFailed", origin).await?;
    tx.commit().await
}

/// The remaining wait after this many attempts, the last of them at this time.
fn wait(failures: i64, limit: Limit, last: Timestamp, now: Timestamp) -> Option<Duration> {
    let beyond = u32::try_from(failures.checked_sub(limit.free).filter(|beyond| *beyond >= 0)?).unwrap_or(u32::MAX);
    let wait = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(beyond)).min(limit.longest);
    let left = last.plus(wait).0 - now.0;
    u64::try_from(left).ok().filter(|left| *left > 0).map(Duration::from_millis)
}

fn too_many(left: Duration) -> Error {
    let seconds = left.as_secs() + 1;
    let told = if seconds > 90 { format!("{} minutes", seconds.div_ceil(60)) } else { format!("{seconds} seconds") };
    let message = format!("Too many attempts. Try again in {told}.");
    Error::new(Code::TooManyAttempts, message).with_retry_after(left)
}

/// Writes an event to the audit log of each organization that a person is a member of.
async fn record(app: &App, account: AccountId, action: &'static str, origin: &Origin) -> Result<()> {
    let mut tx = app.db.write().await?;
    tell(&mut tx.conn(), account, action, origin).await?;
    tx.commit().await
}

async fn tell(conn: &mut Conn<'_>, account: AccountId, action: &'static str, origin: &Origin) -> Result<()> {
    for membership in members::store::of_account(conn, account).await? {
        let actor = Actor { who: Who::Member(membership.id), organization: membership.organization, origin: origin.clone() };
        audit::record(conn, &actor, Deed::new(action, membership.id.0).named(&membership.email)).await?;
    }
    Ok(())
}

/// Changes the password of a signed-in person, and ends their other sessions.
///
/// # Errors
/// 401 when the old one is wrong, 400 when the new one is too short.
pub async fn change_password(app: &App, session: &sessions::Session, old: &str, new: &str, origin: &Origin) -> Result<()> {
    let account = match proved(app, &session.email, old, origin, None).await {
        Err(refused) if refused.kind() == Kind::Unauthenticated => return Err(Error::invalid("old", "is not your password")),
        other => other?,
    };
    let hash = app.part::<Passwords>().hash(new).await?;
    let mut tx = app.db.write().await?;
    store::set_password(&mut tx.conn(), account.id, &hash).await?;
    sessions::store::end_others(&mut tx.conn(), account.id, &session.id).await?;
    tx.commit().await?;
    record(app, account.id, "member.passwordChanged", origin).await
}
