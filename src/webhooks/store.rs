//! Webhooks and their messages in the store. Addresses and secrets are sealed.

use super::{Delivery, EventKind, Webhook, delivery::Waiting};
use crate::{
    error::{Error, Result},
    on, projects,
    store::{Conn, seal::Sealer},
    time::Timestamp,
};
use inlay_contract::ids::{ProjectId, WebhookId};
use sqlx::types::Json;
use uuid::Uuid;

type Row = (WebhookId, Vec<u8>, Json<Vec<EventKind>>, bool, Timestamp, Timestamp);

fn webhook(sealer: &Sealer, (id, sealed, Json(events), active, created_at, updated_at): Row) -> Result<Webhook> {
    Ok(Webhook { id, url: opened(sealer, id, &sealed)?, events, active, created_at, updated_at })
}

fn opened(sealer: &Sealer, id: WebhookId, sealed: &[u8]) -> Result<String> {
    String::from_utf8(sealer.open(id.0, sealed)?).map_err(Error::internal)
}

/// A project's webhooks, oldest first.
///
/// # Errors
/// The store is away.
pub async fn list(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId) -> Result<Vec<Webhook>> {
    const SQL: &str =
        "SELECT id, sealed_url, events, active, created_at, updated_at FROM webhooks WHERE project_id = $1 ORDER BY id";
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(project).fetch_all(c).await)?;
    rows.into_iter().map(|row| webhook(sealer, row)).collect()
}

/// A webhook of a project.
///
/// # Errors
/// The store is away.
pub async fn find(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId, id: WebhookId) -> Result<Option<Webhook>> {
    const SQL: &str =
        "SELECT id, sealed_url, events, active, created_at, updated_at FROM webhooks WHERE id = $1 AND project_id = $2";
    let row = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    row.map(|row| webhook(sealer, row)).transpose()
}

/// The webhooks of a project that are told anything, and what.
///
/// # Errors
/// The store is away.
pub async fn listening(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<(WebhookId, Vec<EventKind>)>> {
    const SQL: &str = "SELECT id, events FROM webhooks WHERE project_id = $1 AND active = TRUE";
    let rows = on!(conn, |c| sqlx::query_as::<_, (WebhookId, Json<Vec<EventKind>>)>(SQL).bind(project).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id, Json(events))| (id, events)).collect())
}

/// Makes a webhook.
///
/// # Errors
/// The store is away.
pub async fn insert(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId, new: &Webhook, secret: &str) -> Result<()> {
    const SQL: &str = "INSERT INTO webhooks (id, project_id, sealed_url, sealed_secret, events, active, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    let (url, secret) = (sealer.seal(new.id.0, new.url.as_bytes())?, sealer.seal(new.id.0, secret.as_bytes())?);
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(new.id).bind(project).bind(url).bind(secret).bind(Json(&new.events));
        insert.bind(new.active).bind(new.created_at).execute(c).await.map(drop)
    })
    .map_err(projects::adding)
}

/// Changes a webhook.
///
/// # Errors
/// The store is away.
pub async fn update(conn: &mut Conn<'_>, sealer: &Sealer, changed: &Webhook) -> Result<()> {
    const SQL: &str = "UPDATE webhooks SET sealed_url = $2, events = $3, active = $4, updated_at = $5 WHERE id = $1";
    let url = sealer.seal(changed.id.0, changed.url.as_bytes())?;
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(changed.id).bind(url).bind(Json(&changed.events));
        update.bind(changed.active).bind(changed.updated_at).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Tells a webhook nothing any more.
///
/// # Errors
/// The store is away.
pub async fn switch_off(conn: &mut Conn<'_>, id: WebhookId) -> Result<()> {
    const SQL: &str = "UPDATE webhooks SET active = FALSE, updated_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Removes a webhook with its messages.
///
/// # Errors
/// The store is away.
pub async fn delete(conn: &mut Conn<'_>, id: WebhookId) -> Result<()> {
    const SQL: &str = "DELETE FROM webhooks WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Writes a message down.
///
/// # Errors
/// The store is away.
pub async fn insert_delivery(
    conn: &mut Conn<'_>,
    id: Uuid,
    webhook: WebhookId,
    kind: EventKind,
    payload: &str,
    now: Timestamp,
) -> Result<()> {
    const SQL: &str = "INSERT INTO webhook_deliveries (id, webhook_id, event, payload, state, attempts, created_at) \
        VALUES ($1, $2, $3, $4, 'waiting', 0, $5)";
    on!(conn, |c| {
        let insert = sqlx::query(SQL).bind(id).bind(webhook).bind(kind.name()).bind(payload).bind(now);
        insert.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// A message that is still to be sent, while its webhook listens. A try goes to one that is switched off as well.
///
/// # Errors
/// The store is away.
pub(super) async fn waiting(conn: &mut Conn<'_>, sealer: &Sealer, id: Uuid) -> Result<Option<Waiting>> {
    const SQL: &str = "SELECT w.id, w.sealed_url, w.sealed_secret, d.payload FROM webhook_deliveries d \
        JOIN webhooks w ON w.id = d.webhook_id \
        WHERE d.id = $1 AND d.state = 'waiting' AND (w.active = TRUE OR d.event = 'webhook.test')";
    type Row = (WebhookId, Vec<u8>, Vec<u8>, String);
    let found = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(id).fetch_optional(c).await)?;
    let Some((webhook, url, secret, payload)) = found else { return Ok(None) };
    let (url, secret) = (opened(sealer, webhook, &url)?, opened(sealer, webhook, &secret)?);
    Ok(Some(Waiting { webhook, url, secret, payload }))
}

/// Writes down what came of an attempt; a message that has ended stays as it is.
///
/// # Errors
/// The store is away.
pub(super) async fn note(
    conn: &mut Conn<'_>,
    id: Uuid,
    state: &str,
    status: Option<i64>,
    problem: Option<&str>,
    ended_at: Option<Timestamp>,
) -> Result<()> {
    const SQL: &str = "UPDATE webhook_deliveries SET state = $2, attempts = attempts + 1, status = $3, problem = $4, ended_at = $5 \
        WHERE id = $1 AND state = 'waiting'";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(state).bind(status).bind(problem).bind(ended_at);
        update.execute(c).await.map(drop)
    })?;
    Ok(())
}

/// The newest messages of a webhook.
///
/// # Errors
/// The store is away.
pub async fn deliveries(conn: &mut Conn<'_>, webhook: WebhookId, most: i64) -> Result<Vec<Delivery>> {
    const SQL: &str = "SELECT id, event, state, attempts, status, problem, created_at, ended_at FROM webhook_deliveries \
        WHERE webhook_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2";
    type Row = (Uuid, String, String, i64, Option<i64>, Option<String>, Timestamp, Option<Timestamp>);
    let rows = on!(conn, |c| sqlx::query_as::<_, Row>(SQL).bind(webhook).bind(most).fetch_all(c).await)?;
    let delivery = |(id, event, state, attempts, status, problem, created_at, ended_at): Row| Delivery {
        id,
        event,
        state,
        attempts,
        status,
        problem,
        created_at,
        ended_at,
    };
    Ok(rows.into_iter().map(delivery).collect())
}

/// Forgets messages that ended before a moment.
///
/// # Errors
/// The store is away.
pub async fn forget(conn: &mut Conn<'_>, before: Timestamp) -> Result<()> {
    const SQL: &str = "DELETE FROM webhook_deliveries WHERE created_at < $1 AND state <> 'waiting'";
    on!(conn, |c| sqlx::query(SQL).bind(before).execute(c).await.map(drop))?;
    Ok(())
}
