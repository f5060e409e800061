//! Keys, roles and origins: who may get in, and who does not.

use super::{
    Health, Level, Look, Place,
    words::{count, one_or_several},
};
use crate::{
    concepts::{
        organizations::{
            keys::{self, ListedKey},
            members::Reads,
        },
        roles,
    },
    ground::{error::Result, tidy::DAY, time::Timestamp},
};
use std::time::Duration;
use url::{Host, Url};

/// A key that was not used for so long is probably forgotten.
const FORGOTTEN: Duration = DAY.saturating_mul(90);

/// How many keys are listed.
const MOST_KEYS: usize = 5;

/// The organization's API keys.
pub(super) async fn api_keys<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    Ok(forgotten(&keys::list(look.app, look.by).await?, look.now))
}

pub(super) fn forgotten(all: &[ListedKey], now: Timestamp) -> Health {
    let mut health = Health::default();
    let valid = all.iter().filter(|key| key.revoked_at.is_none());
    let (old, known): (Vec<&ListedKey>, Vec<&ListedKey>) =
        valid.partition(|key| key.last_used_at.unwrap_or(key.created_at) < now.minus(FORGOTTEN));
    for key in old.iter().take(MOST_KEYS) {
        let name = key.label.clone().unwrap_or_else(|| format!("of {}", key.owner));
        let (text, moment) = match key.last_used_at {
            Some(at) => (format!("API key {name} has not been used for 90 days."), ("Last used", at)),
            None => (format!("API key {name} has never been used."), ("Created", key.created_at)),
        };
        health.find(Level::Warning, text, Some(moment), Place::ApiKeys);
    }
    let more = old.len().saturating_sub(MOST_KEYS);
    if more > 0 {
        let has = if more == 1 { "has" } else { "have" };
        let text = format!("{} {has} not been used for 90 days.", count(more, "more API key"));
        health.find(Level::Warning, text, None, Place::ApiKeys);
    }
    if !known.is_empty() {
        health.fine(format!("{} used within 90 days, or new", count(known.len(), "API key")), None);
    }
    health
}

/// The roles that nobody has.
pub(super) async fn roles<R: Reads>(look: &Look<'_, R>) -> Result<Health> {
    let unused = roles::without_users(&mut look.app.db.read().await?.conn(), look.project.id).await?;
    let mut health = Health::default();
    let called: Vec<&str> = unused.iter().map(|(_, name)| name.as_str()).collect();
    let text =
        one_or_several(&called, |name| format!("No user has role {name}."), |all| format!("No user has the roles {all}."));
    match unused.as_slice() {
        [] => {}
        [(id, _)] => health.find(Level::Note, text, None, Place::Role(*id)),
        _ => health.find(Level::Note, text, None, Place::Roles),
    }
    Ok(health)
}

/// The origins whose pages may frame the embeds.
pub(super) fn origins(allowed: &[String]) -> Health {
    let mut health = Health::default();
    let plain: Vec<&String> = allowed.iter().filter(|origin| is_plain(origin)).collect();
    if !plain.is_empty() {
        let text = one_or_several(
            &plain,
            |origin| {
                format!("The allowed origin {origin} does not use https: others can change its page on the way to the browser.")
            },
            |all| format!("Allowed origins do not use https: {all}. Others can change their pages on the way to the browser."),
        );
        health.find(Level::Warning, text, None, Place::Settings);
    } else if !allowed.is_empty() {
        health.fine(format!("{}, encrypted or on this machine", count(allowed.len(), "allowed origin")), None);
    }
    health
}

/// Whether pages of an origin come without encryption from another machine.
fn is_plain(origin: &str) -> bool {
    let Some(url) = Url::parse(origin).ok().filter(|url| url.scheme() == "http") else { return false };
    match url.host() {
        Some(Host::Domain(name)) => name != "localhost" && !name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => !address.is_loopback(),
        Some(Host::Ipv6(address)) => !address.is_loopback(),
        None => true,
    }
}
