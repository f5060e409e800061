//! Webhooks send a project's events to a host's server. A message is stored in the transaction of its event and sent afterwards
//! by a job, with retries, so that no message is lost and none reports an event that was rolled back. Messages follow the
//! Standard Webhooks specification: signed with HMAC-SHA256 over id, time and body. They hold ids and names, never rows.

pub mod address;
mod delivery;
pub mod manage;
mod refused;
pub mod signing;
mod store;

#[cfg(test)]
mod fairness_tests;
#[cfg(test)]
mod tests;

pub use delivery::Delivering;
pub use refused::{Refusals, tell_refused};
pub use store::TIDY;

#[cfg(test)]
pub(crate) use store::{DeliveryRow, WebhookRow};

use crate::ground::{
    error::Result,
    jobs::{self, JobKind, NewJob},
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::{OrganizationId, ProjectId, WebhookId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// The most messages that wait for a webhook. Further ones are dropped, and counted in its delivery list.
const MOST_WAITING: i64 = 1_000;

/// The events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub enum EventKind {
    /// A report was sent to at least one recipient.
    #[serde(rename = "report.sent")]
    ReportSent,
    /// An alert was raised or has ended.
    #[serde(rename = "alert.changed")]
    AlertChanged,
    /// A dashboard was created or changed, except by a project file.
    #[serde(rename = "dashboard.saved")]
    DashboardSaved,
    /// A user's token was refused because it was expired or revoked.
    #[serde(rename = "token.refused")]
    TokenRefused,
    /// A test message, which every webhook accepts.
    #[serde(rename = "webhook.test")]
    Test,
}

impl EventKind {
    /// The events that a webhook can choose.
    pub const CHOICES: [Self; 4] = [Self::ReportSent, Self::AlertChanged, Self::DashboardSaved, Self::TokenRefused];

    /// Its name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReportSent => "report.sent",
            Self::AlertChanged => "alert.changed",
            Self::DashboardSaved => "dashboard.saved",
            Self::TokenRefused => "token.refused",
            Self::Test => "webhook.test",
        }
    }

    /// The event with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::CHOICES.into_iter().find(|kind| kind.name() == name)
    }
}

/// A webhook. Its secret is shown only once, when the webhook is created.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The URL that receives the messages.
    pub url: String,
    /// The events to send.
    pub events: Vec<EventKind>,
    /// Whether messages are sent.
    pub active: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// A message to a webhook, and its state.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Its id, sent as `webhook-id`. It is the same for every attempt.
    pub id: Uuid,
    /// Its event.
    pub event: String,
    /// `waiting`, `delivered` or `failed`.
    pub state: String,
    /// The number of attempts.
    pub attempts: i64,
    /// The status of the last response.
    #[schema(required = true)]
    pub status: Option<i64>,
    /// Why the last attempt failed.
    #[schema(required = true)]
    pub problem: Option<String>,
    /// When the event happened.
    pub created_at: Timestamp,
    /// When it was delivered or given up.
    #[schema(required = true)]
    pub ended_at: Option<Timestamp>,
}

/// Adds messages for a project's webhooks, within the transaction of the event.
pub async fn emit(conn: &mut Conn<'_>, project: ProjectId, kind: EventKind, data: Value) -> Result<()> {
    for webhook in store::listening(conn, project).await?.into_iter().filter(|webhook| webhook.events.contains(&kind)) {
        if store::is_full(conn, webhook.id, MOST_WAITING).await? {
            store::count_dropped(conn, webhook.id, MOST_WAITING, Timestamp::now()).await?;
        } else {
            send(conn, webhook.organization, webhook.id, kind, &data, Timestamp::now()).await?;
        }
    }
    Ok(())
}

/// Adds a message for one webhook.
async fn send(
    conn: &mut Conn<'_>,
    organization: OrganizationId,
    webhook: WebhookId,
    kind: EventKind,
    data: &Value,
    due_at: Timestamp,
) -> Result<Uuid> {
    let now = Timestamp::now();
    let id = Uuid::now_v7();
    let payload = json!({ "type": kind.name(), "timestamp": now, "data": data }).to_string();
    store::insert_delivery(conn, id, webhook, kind, &payload, now).await?;
    let job = NewJob { kind: JobKind::Webhook, subject: id, organization, queue: webhook.0, due_at };
    jobs::store::add(conn, &job).await?;
    Ok(id)
}
