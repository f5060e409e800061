//! Webhooks and their messages in the store. URLs and secrets are encrypted.

mod tidy;

pub use tidy::TIDY;

use super::{Delivery, EventKind, Webhook, delivery::Waiting};
use crate::{
    concepts::projects,
    ground::{
        error::{Error, Result},
        store::{
            Conn,
            rows::{self, columns, row, sql},
            seal::Sealer,
        },
        time::Timestamp,
    },
    on,
};
use inlay_contract::ids::{OrganizationId, ProjectId, WebhookId};
use sqlx::{FromRow, types::Json};
use uuid::Uuid;

row! {
    /// A webhook. Its URL and secret are encrypted.
    pub(crate) struct WebhookRow in "webhooks" {
        id: WebhookId,
        project_id: ProjectId,
        sealed_url: Vec<u8>,
        sealed_secret: Vec<u8>,
        events: Json<Vec<EventKind>>,
        active: bool,
        created_at: Timestamp,
        updated_at: Timestamp,
        dropped: i64,
    }
}

row! {
    /// A webhook without its secret.
    struct FoundWebhook of WebhookRow {
        id: WebhookId,
        sealed_url: Vec<u8>,
        events: Json<Vec<EventKind>>,
        active: bool,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

row! {
    struct ListeningWebhook of WebhookRow { id: WebhookId, events: Json<Vec<EventKind>> }
}

/// An active webhook.
pub(super) struct Listening {
    pub(super) id: WebhookId,
    pub(super) events: Vec<EventKind>,
    pub(super) organization: OrganizationId,
}

#[derive(FromRow)]
struct ListeningOf {
    #[sqlx(flatten)]
    webhook: ListeningWebhook,
    organization_id: OrganizationId,
}

row! {
    /// A message to a webhook.
    pub(crate) struct DeliveryRow in "webhook_deliveries" {
        id: Uuid,
        webhook_id: WebhookId,
        event: String,
        payload: String,
        state: String,
        attempts: i64,
        status: Option<i64>,
        problem: Option<String>,
        created_at: Timestamp,
        ended_at: Option<Timestamp>,
    }
}

row! {
    /// A message without its body.
    struct FoundDelivery of DeliveryRow {
        id: Uuid,
        event: String,
        state: String,
        attempts: i64,
        status: Option<i64>,
        problem: Option<String>,
        created_at: Timestamp,
        ended_at: Option<Timestamp>,
    }
}

#[derive(FromRow)]
struct WaitingDelivery {
    #[sqlx(flatten)]
    webhook: WebhookRow,
    payload: String,
}

impl From<FoundDelivery> for Delivery {
    fn from(row: FoundDelivery) -> Self {
        Self {
            id: row.id,
            event: row.event,
            state: row.state,
            attempts: row.attempts,
            status: row.status,
            problem: row.problem,
            created_at: row.created_at,
            ended_at: row.ended_at,
        }
    }
}

fn webhook(sealer: &Sealer, row: FoundWebhook) -> Result<Webhook> {
    Ok(Webhook {
        id: row.id,
        url: opened(sealer, row.id, &row.sealed_url)?,
        events: row.events.0,
        active: row.active,
        created_at: row.created_at,
        updated_at: row.updated_at,
    })
}

fn opened(sealer: &Sealer, id: WebhookId, sealed: &[u8]) -> Result<String> {
    String::from_utf8(sealer.open(id.0, sealed)?).map_err(Error::internal)
}

/// A project's webhooks, oldest first.
pub async fn list(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId) -> Result<Vec<Webhook>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundWebhook), " FROM webhooks WHERE project_id = $1 ORDER BY id");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundWebhook>(SQL).bind(project).fetch_all(c).await)?;
    rows.into_iter().map(|row| webhook(sealer, row)).collect()
}

/// A webhook of a project.
pub async fn find(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId, id: WebhookId) -> Result<Option<Webhook>> {
    const SQL: &str = sql!("SELECT ", columns!(FoundWebhook), " FROM webhooks WHERE id = $1 AND project_id = $2");
    let row = on!(conn, |c| sqlx::query_as::<_, FoundWebhook>(SQL).bind(id).bind(project).fetch_optional(c).await)?;
    row.map(|row| webhook(sealer, row)).transpose()
}

/// The same, locked against other writers until this transaction ends.
pub async fn locked(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId, id: WebhookId) -> Result<Option<Webhook>> {
    const SQL: &str = "UPDATE webhooks SET active = active WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    find(conn, sealer, project, id).await
}

/// The active webhooks of a project, always in the same order: dropping messages locks them.
pub(super) async fn listening(conn: &mut Conn<'_>, project: ProjectId) -> Result<Vec<Listening>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(ListeningWebhook as w),
        ", p.organization_id FROM webhooks w JOIN projects p ON p.id = w.project_id \
        WHERE w.project_id = $1 AND w.active = TRUE ORDER BY w.id"
    );
    let rows = on!(conn, |c| sqlx::query_as::<_, ListeningOf>(SQL).bind(project).fetch_all(c).await)?;
    let listening =
        |row: ListeningOf| Listening { id: row.webhook.id, events: row.webhook.events.0, organization: row.organization_id };
    Ok(rows.into_iter().map(listening).collect())
}

/// The organization of a webhook.
pub(super) async fn organization(conn: &mut Conn<'_>, id: WebhookId) -> Result<OrganizationId> {
    const SQL: &str = "SELECT p.organization_id FROM webhooks w JOIN projects p ON p.id = w.project_id WHERE w.id = $1";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).fetch_one(c).await)?)
}

/// Whether this many messages wait for a webhook.
pub(super) async fn is_full(conn: &mut Conn<'_>, id: WebhookId, most: i64) -> Result<bool> {
    const SQL: &str = "SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND state = 'waiting' LIMIT 1 OFFSET $2";
    let last: Option<i32> = on!(conn, |c| sqlx::query_scalar(SQL).bind(id).bind(most - 1).fetch_optional(c).await)?;
    Ok(last.is_some())
}

/// The event of the entry that counts dropped messages.
const DROPPED: &str = "webhook.dropped";

/// Counts a message that is not sent, in one entry of the delivery list until messages are delivered again.
pub(super) async fn count_dropped(conn: &mut Conn<'_>, id: WebhookId, most: i64, now: Timestamp) -> Result<()> {
    const COUNT: &str = "UPDATE webhooks SET dropped = dropped + 1 WHERE id = $1 RETURNING dropped";
    const TELL: &str = "UPDATE webhook_deliveries SET problem = $2, ended_at = $3 WHERE id = \
        (SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND event = 'webhook.dropped' ORDER BY created_at DESC LIMIT 1)";
    let dropped: Option<i64> = on!(&mut *conn, |c| sqlx::query_scalar(COUNT).bind(id).fetch_optional(c).await)?;
    let Some(dropped) = dropped else { return Ok(()) };
    let problem = match dropped {
        1 => format!("1 message was dropped, because {most} messages wait for this webhook."),
        _ => format!("{dropped} messages were dropped, because {most} messages wait for this webhook."),
    };
    if dropped > 1 {
        let told = on!(&mut *conn, |c| {
            let update = sqlx::query(TELL).bind(id).bind(&problem).bind(now);
            update.execute(c).await.map(|done| done.rows_affected())
        })?;
        if told > 0 {
            return Ok(());
        }
    }
    let row = DeliveryRow {
        id: Uuid::now_v7(),
        webhook_id: id,
        event: DROPPED.to_owned(),
        payload: "{}".to_owned(),
        state: "failed".to_owned(),
        attempts: 0,
        status: None,
        problem: Some(problem),
        created_at: now,
        ended_at: Some(now),
    };
    Ok(rows::insert(conn, row).await?)
}

/// Begins a new count of dropped messages.
pub(super) async fn end_dropping(conn: &mut Conn<'_>, id: WebhookId) -> Result<()> {
    const SQL: &str = "UPDATE webhooks SET dropped = 0 WHERE id = $1 AND dropped > 0";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Gives up the messages that have waited since before a time.
pub(super) async fn give_up_older(conn: &mut Conn<'_>, id: WebhookId, before: Timestamp, now: Timestamp) -> Result<()> {
    const SQL: &str = "UPDATE webhook_deliveries SET state = 'failed', problem = $3, ended_at = $4 \
        WHERE webhook_id = $1 AND state = 'waiting' AND created_at < $2";
    const PROBLEM: &str = "The server did not accept messages for a day.";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(before).bind(PROBLEM).bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// Inserts a webhook.
pub async fn insert(conn: &mut Conn<'_>, sealer: &Sealer, project: ProjectId, new: &Webhook, secret: &str) -> Result<()> {
    let row = WebhookRow {
        id: new.id,
        project_id: project,
        sealed_url: sealer.seal(new.id.0, new.url.as_bytes())?,
        sealed_secret: sealer.seal(new.id.0, secret.as_bytes())?,
        events: Json(new.events.clone()),
        active: new.active,
        created_at: new.created_at,
        updated_at: new.created_at,
        dropped: 0,
    };
    rows::insert(conn, row).await.map_err(projects::adding)
}

/// Updates a webhook.
pub async fn update(conn: &mut Conn<'_>, sealer: &Sealer, changed: &Webhook) -> Result<()> {
    const SQL: &str = "UPDATE webhooks SET sealed_url = $2, events = $3, active = $4, updated_at = $5 WHERE id = $1";
    let url = sealer.seal(changed.id.0, changed.url.as_bytes())?;
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(changed.id).bind(url).bind(Json(&changed.events));
        update.bind(changed.active).bind(changed.updated_at).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Deactivates a webhook.
pub async fn switch_off(conn: &mut Conn<'_>, id: WebhookId) -> Result<()> {
    const SQL: &str = "UPDATE webhooks SET active = FALSE, updated_at = $2 WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).bind(Timestamp::now()).execute(c).await.map(drop))?;
    Ok(())
}

/// Deletes a webhook with its messages.
pub async fn delete(conn: &mut Conn<'_>, id: WebhookId) -> Result<()> {
    const SQL: &str = "DELETE FROM webhooks WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    Ok(())
}

/// Inserts a message.
pub async fn insert_delivery(
    conn: &mut Conn<'_>,
    id: Uuid,
    webhook: WebhookId,
    kind: EventKind,
    payload: &str,
    now: Timestamp,
) -> Result<()> {
    let row = DeliveryRow {
        id,
        webhook_id: webhook,
        event: kind.name().to_owned(),
        payload: payload.to_owned(),
        state: "waiting".to_owned(),
        attempts: 0,
        status: None,
        problem: None,
        created_at: now,
        ended_at: None,
    };
    Ok(rows::insert(conn, row).await?)
}

/// A message that is still to be sent while its webhook is active. Test messages are sent to inactive webhooks too.
pub(super) async fn waiting(conn: &mut Conn<'_>, sealer: &Sealer, id: Uuid) -> Result<Option<Waiting>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(WebhookRow as w),
        ", d.payload FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id \
        WHERE d.id = $1 AND d.state = 'waiting' AND (w.active = TRUE OR d.event = 'webhook.test')"
    );
    let found = on!(conn, |c| sqlx::query_as::<_, WaitingDelivery>(SQL).bind(id).fetch_optional(c).await)?;
    let Some(WaitingDelivery { webhook, payload }) = found else { return Ok(None) };
    let url = opened(sealer, webhook.id, &webhook.sealed_url)?;
    let secret = opened(sealer, webhook.id, &webhook.sealed_secret)?;
    Ok(Some(Waiting { webhook: webhook.id, url, secret, payload }))
}

/// Stores the result of an attempt. A message that has ended stays as it is.
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

/// The messages of a webhook behind a place, newest first.
pub async fn deliveries(
    conn: &mut Conn<'_>,
    webhook: WebhookId,
    after: Option<(i64, Uuid)>,
    most: i64,
) -> Result<Vec<Delivery>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(FoundDelivery),
        " FROM webhook_deliveries WHERE webhook_id = $1 AND (created_at, id) < ($3, $4) \
        ORDER BY created_at DESC, id DESC LIMIT $2"
    );
    let (created_at, id) = after.unwrap_or((i64::MAX, Uuid::max()));
    let rows = on!(conn, |c| {
        let select = sqlx::query_as::<_, FoundDelivery>(SQL).bind(webhook).bind(most);
        select.bind(created_at).bind(id).fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(Delivery::from).collect())
}
