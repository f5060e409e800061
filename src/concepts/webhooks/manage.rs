//! Webhooks, managed by hosts.

use super::{Delivery, EventKind, Webhook, address, delivery, signing, store};
use crate::{
    concepts::projects,
    ground::{
        audit::{self, Actor, Deed},
        error::{Code, Error, Result},
        jobs::{self, JobKind},
        paging::Part,
        state::App,
        time::Timestamp,
    },
};
use inlay_contract::ids::{ProjectId, WebhookId};
use serde_json::json;
use uuid::Uuid;

/// The maximum number of webhooks of a project.
const MOST: usize = 20;

/// The number of messages in a list that names no number.
pub const SHOWN: usize = 100;

/// The place of a message in the list: when it was made, and its id.
pub type Place = (i64, Uuid);

/// A change of a webhook. Missing fields stay.
#[derive(Clone, Debug, Default)]
pub struct Change {
    /// The URL that receives the messages.
    pub url: Option<String>,
    /// The events to send.
    pub events: Option<Vec<EventKind>>,
    /// Whether messages are sent.
    pub active: Option<bool>,
}

fn not_found() -> Error {
    Error::not_found("Webhook")
}

/// A project's webhooks, oldest first.
pub async fn list(app: &App, project: ProjectId) -> Result<Vec<Webhook>> {
    store::list(&mut app.db.read().await?.conn(), &app.sealer, project).await
}

/// An active webhook as its last attempts left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// The URL's host. The rest of the URL may be secret.
    pub host: String,
    /// While it rests after failures: how many attempts failed in a row, and when the next one is due.
    pub rests: Option<(i64, Timestamp)>,
}

/// The active webhooks of a project, oldest first.
pub async fn standing(app: &App, project: ProjectId) -> Result<Vec<Standing>> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let mut all = Vec::new();
    for webhook in store::list(conn, &app.sealer, project).await?.into_iter().filter(|webhook| webhook.active) {
        let failures = jobs::store::failures(conn, JobKind::Webhook, webhook.id.0).await?;
        all.push(Standing { host: host(&webhook), rests: failures.filter(|(failures, _)| delivery::rests(*failures)) });
    }
    Ok(all)
}

fn host(webhook: &Webhook) -> String {
    url::Url::parse(&webhook.url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// Creates a webhook. Returns it with the secret that signs its messages, which is shown only once.
///
/// # Errors
/// 400 for an invalid URL or no events; 409 `WEBHOOK_LIMIT`.
pub async fn create(
    app: &App,
    actor: &Actor,
    project: ProjectId,
    url: &str,
    events: Vec<EventKind>,
) -> Result<(Webhook, String)> {
    let url = address::read(&app.settings.webhooks, url).map_err(|problem| Error::invalid("url", problem))?;
    let events = checked(events)?;
    let now = Timestamp::now();
    let webhook =
        Webhook { id: WebhookId::generate(), url: url.into(), events, active: true, created_at: now, updated_at: now };
    let secret = signing::generate()?;
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    projects::lock(conn, project).await?;
    if store::list(conn, &app.sealer, project).await?.len() >= MOST {
        let told = format!("This project has reached the limit of {MOST} webhooks. Delete one first.");
        return Err(Error::new(Code::WebhookLimit, told));
    }
    store::insert(conn, &app.sealer, project, &webhook, &secret).await?;
    record(conn, actor, project, "webhook.created", &webhook).await?;
    tx.commit().await?;
    Ok((webhook, secret))
}

/// Changes a webhook.
///
/// # Errors
/// 400 as for [`create`]; 404 when the project has no such webhook.
pub async fn change(app: &App, actor: &Actor, project: ProjectId, id: WebhookId, change: Change) -> Result<Webhook> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let mut webhook = store::locked(conn, &app.sealer, project, id).await?.ok_or_else(not_found)?;
    if let Some(url) = change.url {
        let url = address::read(&app.settings.webhooks, &url).map_err(|problem| Error::invalid("url", problem))?;
        webhook.url = url.into();
    }
    if let Some(events) = change.events {
        webhook.events = checked(events)?;
    }
    webhook.active = change.active.unwrap_or(webhook.active);
    webhook.updated_at = Timestamp::now();
    store::update(conn, &app.sealer, &webhook).await?;
    jobs::store::wake_queue(conn, JobKind::Webhook, id.0).await?;
    record(conn, actor, project, "webhook.changed", &webhook).await?;
    tx.commit().await?;
    Ok(webhook)
}

/// Deletes a webhook with its messages.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub async fn remove(app: &App, actor: &Actor, project: ProjectId, id: WebhookId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let webhook = store::find(conn, &app.sealer, project, id).await?.ok_or_else(not_found)?;
    store::delete(conn, id).await?;
    jobs::store::queue_recovered(conn, JobKind::Webhook, id.0).await?;
    record(conn, actor, project, "webhook.deleted", &webhook).await?;
    tx.commit().await
}

/// Sends a test message to a webhook. Returns the message's id.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub async fn test(app: &App, project: ProjectId, id: WebhookId) -> Result<Uuid> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    store::find(conn, &app.sealer, project, id).await?.ok_or_else(not_found)?;
    let organization = store::organization(conn, id).await?;
    // It is the next message, also for a webhook that rests after failures.
    jobs::store::wake_queue(conn, JobKind::Webhook, id.0).await?;
    let data = json!({ "webhookId": id });
    let sent = super::send(conn, organization, id, EventKind::Test, &data, Timestamp(0)).await?;
    tx.commit().await?;
    Ok(sent)
}

/// The newest messages of a webhook.
///
/// # Errors
///
/// 404 when the project has no such webhook.
pub async fn deliveries(
    app: &App,
    project: ProjectId,
    id: WebhookId,
    after: Option<Place>,
    most: usize,
) -> Result<Part<Delivery, Place>> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    store::find(conn, &app.sealer, project, id).await?.ok_or_else(not_found)?;
    let rows = store::deliveries(conn, id, after, Part::<Delivery, Place>::to_read(most)).await?;
    Ok(Part::of(rows, most, |last| (last.created_at.0, last.id)))
}

fn checked(mut events: Vec<EventKind>) -> Result<Vec<EventKind>> {
    events.sort();
    events.dedup();
    if events.is_empty() { Err(Error::invalid("events", "must name at least one event")) } else { Ok(events) }
}

/// The audit event names only the URL's host, because its path or query may be secret.
async fn record(
    conn: &mut crate::ground::store::Conn<'_>,
    actor: &Actor,
    project: ProjectId,
    action: &'static str,
    webhook: &Webhook,
) -> Result<()> {
    let host = host(webhook);
    let deed = Deed::new(action, webhook.id.0).in_project(project).named(&host).with("events", json!(webhook.events));
    audit::record(conn, actor, deed.with("active", webhook.active)).await
}
