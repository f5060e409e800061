//! An organization's API keys, managed by its members.

pub(in crate::concepts::organizations) mod store;

#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use store::set_label;

use super::{
    api_keys::{self, NewKey},
    members::{Member, Reads, Works, lock_organization},
};
use crate::{
    concepts::organizations::{MemberRole, store as organization_store},
    ground::{
        audit::{self, Deed},
        checks::is_name,
        config::Settings,
        error::{Code, Error, Result},
        periodic::Periodic,
        state::{App, Part},
        store::Conn,
        time::Timestamp,
    },
};
use inlay_contract::ids::{AccountId, ApiKeyId};
use std::time::Duration;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// The maximum rate limit of a key, in requests per second, when the service sets no limit.
const UNLIMITED: u32 = 1_000_000;

/// A key in the list, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedKey {
    /// Its id.
    pub id: ApiKeyId,
    /// The name that its creator gave it.
    pub label: Option<String>,
    /// Its owner.
    pub account: AccountId,
    /// Its owner's email address.
    pub owner: String,
    /// Whether each call must name one of its owner's organizations.
    pub user_scoped: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Its rate limit in requests per second, if lower than the service's.
    pub per_second: Option<u32>,
}

impl ListedKey {
    /// An action on it, for the audit log.
    fn deed(&self, action: &'static str) -> Deed<'_> {
        let deed = Deed::new(action, self.id.0);
        if let Some(label) = &self.label { deed.named(label) } else { deed }
    }
}

/// The keys that act for an organization: those bound to it, and the user-scoped ones of its members. Newest first.
pub async fn list(app: &App, by: &Member<impl Reads>) -> Result<Vec<ListedKey>> {
    store::of_organization(&mut app.db.read().await?.conn(), by.organization).await
}

/// Creates a key that its creator owns. Its text is shown only once.
///
/// # Errors
/// 400 for an invalid label.
pub async fn create(app: &App, by: &Member<impl Works>, label: &str, user_scoped: bool) -> Result<NewKey> {
    is_name(label).map_err(|problem| Error::invalid("label", problem))?;
    let key = api_keys::generate()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    organization_store::insert_key(conn, &key, by.account, (!user_scoped).then_some(by.organization)).await?;
    store::set_label(conn, key.id, label).await?;
    let deed = Deed::new("apiKey.created", key.id.0).named(label).with("userScoped", user_scoped);
    audit::record(conn, &by.actor(), deed).await?;
    tx.commit().await?;
    app.refresh().await?;
    Ok(key)
}

/// Revokes a key and every token that it issued. Members may revoke their own keys; admins also those bound to the organization.
///
/// # Errors
/// 404 for a key of another organization, 403 for another member's.
pub async fn revoke(app: &App, by: &Member<impl Works>, id: ApiKeyId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let key = theirs(conn, by, id).await?;
    organization_store::revoke_key(conn, id).await?;
    audit::record(conn, &by.actor(), key.deed("apiKey.revoked")).await?;
    tx.commit().await?;
    app.refresh().await
}

/// The maximum rate limit of a key, in requests per second.
pub fn most_per_second(app: &App) -> u32 {
    match app.settings.limits.key_requests_per_second {
        0 => UNLIMITED,
        most => most,
    }
}

/// Sets a key's rate limit in requests per second. `seen` is the limit that the caller saw. `None` means the service's limit. Requires the
/// same rights as revoking.
///
/// # Errors
/// 400 for 0 or more than the service allows; 409 `CHANGED_MEANWHILE`; otherwise as [`revoke`].
pub async fn set_limit(
    app: &App,
    by: &Member<impl Works>,
    id: ApiKeyId,
    seen: Option<u32>,
    per_second: Option<u32>,
) -> Result<()> {
    let most = most_per_second(app);
    if per_second.is_some_and(|limit| limit == 0 || limit > most) {
        return Err(Error::invalid("perSecond", format!("must be empty or a whole number from 1 to {most}")));
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let key = theirs(conn, by, id).await?;
    if key.per_second == per_second {
        return Ok(());
    }
    if key.per_second != seen {
        let now = key.per_second.map_or_else(|| "as many as the service allows".to_owned(), |limit| limit.to_string());
        let told = format!("The limit of this key was changed to {now} since you opened the page. Set it again to overwrite.");
        return Err(Error::new(Code::ChangedMeanwhile, told));
    }
    store::set_limit(conn, id, per_second).await?;
    audit::record(conn, &by.actor(), key.deed("apiKey.limited").with("requestsPerSecond", per_second)).await?;
    tx.commit().await?;
    app.refresh().await
}

/// A key that a member may change: their own, and for admins those bound to the organization. Whoever signed in through an
/// organization's own provider changes no user-scoped key: it serves other organizations as well, and the provider's owner
/// could sign in as any member. Other changes of the organization's keys wait until this transaction ends.
async fn theirs(conn: &mut Conn<'_>, by: &Member<impl Works>, id: ApiKeyId) -> Result<ListedKey> {
    lock_organization(conn, by.organization).await?;
    let keys = store::of_organization(conn, by.organization).await?;
    let key = keys.into_iter().find(|key| key.id == id).ok_or_else(|| Error::not_found("API key"))?;
    let administers = by.role.rank() >= MemberRole::Admin.rank() && !key.user_scoped;
    if key.account != by.account && !administers {
        let told = "Only its owner can change this key, or an admin if the key is bound to the organization.";
        return Err(Error::new(Code::MemberNotPermitted, told));
    }
    if key.user_scoped && by.confined {
        let told = "You signed in through your organization's provider, which covers this organization only, and this key serves others too. Sign in \
            with your password to change it.";
        return Err(Error::new(Code::SingleSignOn, told));
    }
    Ok(key)
}

/// The last uses of keys since they were last stored. In memory, so that using a key writes nothing.
#[derive(Debug, Default)]
pub struct KeyUse(Mutex<HashMap<ApiKeyId, Timestamp>>);

impl KeyUse {
    /// Records that a key is used now.
    pub fn note(&self, key: ApiKeyId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Timestamp::now());
    }

    /// Stores the recorded uses.
    pub async fn write_down(&self, app: &App) -> Result<()> {
        let noted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if noted.is_empty() {
            return Ok(());
        }
        let mut tx = app.db.write().await?;
        for (key, at) in noted {
            store::set_last_used(&mut tx.conn(), key, at).await?;
        }
        tx.commit().await
    }
}

impl Part for KeyUse {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}

/// Writes the last use of keys down every minute.
pub const PERIODIC: Periodic = Periodic {
    failure: "the last use of API keys could not be stored",
    every: Duration::from_secs(60),
    at_stop: true,
    run: |app| Box::pin(async move { app.part::<KeyUse>().write_down(&app).await }),
};
