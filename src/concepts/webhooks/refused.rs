//! Telling a project's webhooks of tokens that were refused. A page with an old token asks again and again, so a user's refusals for one
//! reason are told once in a while, on each node.

use super::{EventKind, emit};
use crate::{
    concepts::tokens::{self, Claims},
    ground::{
        error::{Code, Error, Result},
        state::App,
    },
};
use moka::sync::Cache;
use serde_json::json;
use std::time::Duration;
use uuid::Uuid;

/// How long a user's refusals for the same reason are told once.
const QUIET: Duration = Duration::from_secs(3600);

/// Users whose refusals are remembered.
const MOST: u64 = 20_000;

/// Whose refusals were told lately.
pub struct Refusals(Cache<(Uuid, Code), ()>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MOST).time_to_live(QUIET).build())
    }
}

/// Tells of a token of ours that was refused because its time is over or because it was revoked. What cannot be told is logged:
/// the refusal itself stands.
pub async fn tell_refused(app: &App, token: &str, refused: &Error) {
    if !matches!(refused.code, Code::TokenExpired | Code::TokenRevoked) {
        return;
    }
    let Ok(claims) = tokens::verify_whatever_its_age(&app.known().keyring, &app.base_url, token) else { return };
    let told = app.refusals.0.entry((claims.sub, refused.code)).or_insert(());
    if told.is_fresh()
        && let Err(problem) = tell(app, &claims, refused.code).await
    {
        tracing::warn!(context = problem.context, "webhooks could not be told of a refused token");
    }
}

async fn tell(app: &App, claims: &Claims, reason: Code) -> Result<()> {
    // Most projects listen to nothing, and a refusal is no reason to queue for writing.
    if super::store::listening(&mut app.db.read().await?.conn(), claims.project).await?.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.write().await?;
    let data = json!({ "projectUserId": claims.sub, "projectOrganizationId": claims.customer, "reason": reason });
    emit(&mut tx.conn(), claims.project, EventKind::TokenRefused, data).await?;
    tx.commit().await
}
