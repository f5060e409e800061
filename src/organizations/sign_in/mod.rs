//! Signing in by email address and password. An address that nobody has answers as a wrong password does, after the same
//! work; who keeps guessing waits longer each time.

pub mod store;

#[cfg(test)]
mod tests;

use super::members;
use crate::{
    audit::{self, Actor, Deed, Who},
    error::{Error, Kind, Result},
    organizations::sessions,
    state::App,
    time::Timestamp,
    web::origin::Origin,
};
use inlay_contract::ids::AccountId;
use std::time::Duration;

/// Guesses at one account from one address that cost nothing yet.
const FREE_OF_ACCOUNT: i64 = 5;
/// Guesses at any accounts from one address that cost nothing yet.
const FREE_OF_ADDRESS: i64 = 50;
/// The first wait; each further guess doubles it.
const FIRST_WAIT: Duration = Duration::from_secs(15);
/// The longest wait.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// After this time without a guess, all are forgotten.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(24 * 3600);

/// Somebody who can sign in.
#[derive(Clone, Debug)]
pub struct Account {
    /// Their id.
    pub id: AccountId,
    /// Their email address.
    pub email: String,
    /// The hash of their password, if they have one.
    pub password_hash: Option<String>,
}

/// An email address as it is stored.
pub fn normalized(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Signs somebody in; the secret for the cookie.
///
/// # Errors
/// 401 `WRONG_CREDENTIALS`, 429 `TOO_MANY_ATTEMPTS`; the store is away.
pub async fn sign_in(app: &App, email: &str, given: &str, origin: &Origin, agent: Option<&str>) -> Result<String> {
    let account = proved(app, email, given, origin).await?;
    let secret = sessions::begin(app, account.id, origin, agent).await?;
    record(app, account.id, "member.signedIn", origin).await?;
    Ok(secret)
}

/// The account of an email address, when the password is its own.
///
/// # Errors
/// As [`sign_in`].
pub async fn proved(app: &App, email: &str, given: &str, origin: &Origin) -> Result<Account> {
    let email = normalized(email);
    let from = origin.address.as_deref().unwrap_or_default();
    let subjects = [(store::subject(&[&email, from]), FREE_OF_ACCOUNT), (store::subject(&["address", from]), FREE_OF_ADDRESS)];
    // Counted before the password is looked at, so that guesses side by side count too.
    attempt(app, &subjects).await?;
    let account = store::account(&mut app.db.read().await?.conn(), &email).await?;
    let hash = account.as_ref().and_then(|account| account.password_hash.clone());
    let right = app.console.verify(given, hash).await?;
    match account.filter(|_| right) {
        Some(account) => {
            let mut tx = app.db.write().await?;
            store::forget(&mut tx.conn(), &subjects[0].0).await?;
            tx.commit().await?;
            Ok(account)
        }
        None => {
            let known = store::account(&mut app.db.read().await?.conn(), &email).await?;
            if let Some(known) = known {
                record(app, known.id, "member.signInFailed", origin).await?;
            }
            Err(wrong())
        }
    }
}

/// 401 for an address or password that does not fit.
pub fn wrong() -> Error {
    Error::unauthenticated("WRONG_CREDENTIALS", "The email address or the password is wrong.")
}

async fn attempt(app: &App, subjects: &[(Vec<u8>, i64)]) -> Result<()> {
    let now = Timestamp::now();
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    for (subject, free) in subjects {
        let (failures, last) = store::locked(conn, subject).await?;
        let forgotten = now >= last.plus(FORGOTTEN_AFTER);
        if let Some(left) = wait(if forgotten { 0 } else { failures }, *free, last, now) {
            return Err(too_many(left));
        }
        store::count(conn, subject, if forgotten { 1 } else { failures + 1 }, now).await?;
    }
    tx.commit().await
}

/// How long is left to wait after so many guesses, the last at a time.
fn wait(failures: i64, free: i64, last: Timestamp, now: Timestamp) -> Option<Duration> {
    let beyond = u32::try_from(failures.checked_sub(free).filter(|beyond| *beyond >= 0)?).unwrap_or(u32::MAX);
    let wait = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(beyond)).min(LONGEST_WAIT);
    let left = last.plus(wait).0 - now.0;
    u64::try_from(left).ok().filter(|left| *left > 0).map(Duration::from_millis)
}

fn too_many(left: Duration) -> Error {
    let seconds = left.as_secs() + 1;
    let told = if seconds > 90 { format!("{} minutes", seconds.div_ceil(60)) } else { format!("{seconds} seconds") };
    let message = format!("Too many attempts. Try again in {told}.");
    Error::new(Kind::RateLimited { retry_after: left }, "TOO_MANY_ATTEMPTS", message)
}

/// Writes a line into the log of each organization that somebody is a member of.
async fn record(app: &App, account: AccountId, action: &'static str, origin: &Origin) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    for membership in members::store::of_account(conn, account).await? {
        let actor = Actor { who: Who::Member(membership.id), organization: membership.organization, origin: origin.clone() };
        audit::record(conn, &actor, Deed::new(action, membership.id.0).named(&membership.email)).await?;
    }
    tx.commit().await
}

/// Gives somebody who is signed in another password; every other session of theirs ends.
///
/// # Errors
/// 401 when the old one is wrong, 400 when the new one is too short.
pub async fn change_password(app: &App, session: &sessions::Session, old: &str, new: &str, origin: &Origin) -> Result<()> {
    let account = match proved(app, &session.email, old, origin).await {
        Err(refused) if refused.kind == Kind::Unauthenticated => return Err(Error::invalid("old", "is not your password")),
        other => other?,
    };
    let hash = app.console.hash(new).await?;
    let mut tx = app.db.write().await?;
    store::set_password(&mut tx.conn(), account.id, &hash).await?;
    sessions::store::end_others(&mut tx.conn(), account.id, &session.id).await?;
    tx.commit().await?;
    record(app, account.id, "member.passwordChanged", origin).await
}
