//! Notifies a project's webhooks about refused tokens. A page with an old token keeps asking, so each node reports a user's
//! refusals for one reason only once in a while.

use super::{EventKind, emit};
use crate::{
    concepts::tokens::{self, Claims},
    ground::{
        config::Settings,
        error::{Code, Error, Result},
        state::{App, Part},
    },
};
use moka::sync::Cache;
use serde_json::json;
use std::time::Duration;
use uuid::Uuid;

/// How long further refusals of a user for the same reason are not reported.
const QUIET: Duration = Duration::from_secs(3600);

/// The maximum number of remembered refusals.
const MOST: u64 = 20_000;

/// The refusals that were reported recently.
pub struct Refusals(Cache<(Uuid, Code), ()>);

impl Default for Refusals {
    fn default() -> Self {
        Self(Cache::builder().max_capacity(MOST).time_to_live(QUIET).build())
    }
}

/// Reports one of this service's tokens that was refused because it is expired or revoked. Errors are only logged, because the
/// refusal itself is unaffected.
pub async fn tell_refused(app: &App, token: &str, refused: &Error) {
    if !matches!(refused.code, Code::TokenExpired | Code::TokenRevoked) {
        return;
    }
    let Ok(claims) = tokens::verify_whatever_its_age(&tokens::known(app).keyring, &app.base_url, token) else { return };
    let told = app.part::<Refusals>().0.entry((claims.sub, refused.code)).or_insert(());
    if told.is_fresh()
        && let Err(problem) = tell(app, &claims, refused.code).await
    {
        tracing::warn!(context = problem.context, "the webhook message about a refused token could not be stored");
    }
}

async fn tell(app: &App, claims: &Claims, reason: Code) -> Result<()> {
    // Most projects have no webhook for this event, so check before opening a write transaction.
    if super::store::listening(&mut app.db.read().await?.conn(), claims.project).await?.is_empty() {
        return Ok(());
    }
    let mut tx = app.db.write().await?;
    let data = json!({ "projectUserId": claims.sub, "projectOrganizationId": claims.customer, "reason": reason });
    emit(&mut tx.conn(), claims.project, EventKind::TokenRefused, data).await?;
    tx.commit().await
}

impl Part for Refusals {
    fn new(_: &Settings) -> Self {
        Self::default()
    }
}
