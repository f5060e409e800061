//! Sessions of the management console. The browser's cookie holds a secret, the store its hash.

pub(in crate::concepts::organizations) mod store;

#[cfg(test)]
pub(crate) use store::SessionRow;
pub use store::{TIDY, end_within};

use super::secret::{self, Secret};
use crate::ground::{error::Result, state::App, time::Timestamp, web::origin::Origin};
use inlay_contract::ids::{AccountId, OrganizationId};

/// How far a session's last use may be outdated, in milliseconds, so that reading pages seldom writes.
const NOTED_EVERY: i64 = 60_000;

/// The maximum length of a stored user agent, in characters.
const LONGEST_AGENT: usize = 200;

/// A session of a signed-in person.
#[derive(Clone, Debug)]
pub struct Session {
    /// The hash of its secret.
    pub id: Vec<u8>,
    /// The person.
    pub account: AccountId,
    /// Their email address.
    pub email: String,
    /// The only organization that it gives access to, after a sign-in through that organization's provider. `None` for all of
    /// the person's organizations.
    pub within: Option<OrganizationId>,
    /// The client's address when it began.
    pub address: Option<String>,
    /// The browser's user agent.
    pub agent: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub seen_at: Timestamp,
}

impl Session {
    /// Whether it is valid at a time: within the idle timeout and the maximum lifetime.
    pub fn is_alive(&self, app: &App, now: Timestamp) -> bool {
        let console = &app.settings.console;
        now < self.seen_at.plus(console.idle()) && now < self.created_at.plus(console.longest())
    }
}

/// Begins a session. Returns the secret for the cookie.
pub async fn begin(app: &App, account: AccountId, origin: &Origin, agent: Option<&str>) -> Result<String> {
    start(app, account, None, origin, agent).await
}

/// Begins a session for one organization only. Returns the secret for the cookie.
pub async fn begin_within(
    app: &App,
    account: AccountId,
    within: OrganizationId,
    origin: &Origin,
    agent: Option<&str>,
) -> Result<String> {
    start(app, account, Some(within), origin, agent).await
}

async fn start(
    app: &App,
    account: AccountId,
    within: Option<OrganizationId>,
    origin: &Origin,
    agent: Option<&str>,
) -> Result<String> {
    let secret = Secret::generate()?;
    let agent = agent.map(|agent| agent.chars().take(LONGEST_AGENT).collect::<String>());
    let mut tx = app.db.write().await?;
    store::insert(&mut tx.conn(), &secret.hash, account, within, origin.address.as_deref(), agent.as_deref()).await?;
    tx.commit().await?;
    Ok(secret.text)
}

/// The session of a cookie's secret, if it is valid. An expired one is deleted.
pub async fn find(app: &App, secret: &str) -> Result<Option<Session>> {
    let id = secret::hash(secret);
    let Some(session) = store::find(&mut app.db.read().await?.conn(), &id).await? else { return Ok(None) };
    let now = Timestamp::now();
    let alive = session.is_alive(app, now);
    if !alive || now.0 - session.seen_at.0 > NOTED_EVERY {
        let mut tx = app.db.write().await?;
        if alive {
            store::note(&mut tx.conn(), &id, now).await?;
        } else {
            store::end(&mut tx.conn(), session.account, &id).await?;
        }
        tx.commit().await?;
    }
    Ok(alive.then_some(session))
}

/// The person's sessions that this session may see, newest first. A session for one organization sees only others for that organization.
pub async fn list(app: &App, own: &Session) -> Result<Vec<Session>> {
    let now = Timestamp::now();
    let all = store::of_account(&mut app.db.read().await?.conn(), own.account).await?;
    let known = |session: &Session| own.within.is_none() || session.within == own.within;
    Ok(all.into_iter().filter(|session| session.is_alive(app, now) && known(session)).collect())
}

/// Ends one session of a person.
pub async fn end(app: &App, account: AccountId, id: &[u8]) -> Result<()> {
    let mut tx = app.db.write().await?;
    store::end(&mut tx.conn(), account, id).await?;
    tx.commit().await
}

/// Ends every session that a session may see, itself included.
pub async fn end_all(app: &App, own: &Session) -> Result<()> {
    let known = list(app, own).await?;
    let mut tx = app.db.write().await?;
    for session in known {
        store::end(&mut tx.conn(), own.account, &session.id).await?;
    }
    tx.commit().await
}
