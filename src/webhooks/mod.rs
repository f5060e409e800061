//! Webhooks: hosts' servers that are told what happens in a project. A message is written in the transaction of what it tells, and
//! sent afterwards by a job, with retries, so that none is lost and none tells what did not happen. Messages follow the Standard
//! Webhooks specification: signed with HMAC-SHA256 over id, time and body. They hold ids and names, never rows.

mod address;
mod delivery;
pub mod manage;
mod refused;
pub mod signing;
pub mod store;
pub mod v2;

#[cfg(test)]
mod tests;

pub use delivery::Delivering;
pub use refused::{Refusals, tell_refused};

use crate::{
    error::Result,
    jobs::{self, Kind, NewJob},
    store::Conn,
    time::Timestamp,
};
use inlay_contract::ids::{ProjectId, WebhookId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// What can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub enum EventKind {
    /// A report went out, to one recipient at least.
    #[serde(rename = "report.sent")]
    ReportSent,
    /// An alert was raised, or is over.
    #[serde(rename = "alert.changed")]
    AlertChanged,
    /// A dashboard was made or changed, in any way but by a project file.
    #[serde(rename = "dashboard.saved")]
    DashboardSaved,
    /// A user's token was refused: its time was over, or it was revoked.
    #[serde(rename = "token.refused")]
    TokenRefused,
    /// Nothing happened: a try, which every webhook gets.
    #[serde(rename = "webhook.test")]
    Test,
}

impl EventKind {
    /// Those that a webhook chooses from.
    pub const CHOICES: [Self; 4] = [Self::ReportSent, Self::AlertChanged, Self::DashboardSaved, Self::TokenRefused];

    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReportSent => "report.sent",
            Self::AlertChanged => "alert.changed",
            Self::DashboardSaved => "dashboard.saved",
            Self::TokenRefused => "token.refused",
            Self::Test => "webhook.test",
        }
    }

    /// The choice of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::CHOICES.into_iter().find(|kind| kind.name() == name)
    }
}

/// A webhook as its host sees it. Its secret is shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// Where messages go.
    pub url: String,
    /// What is told.
    pub events: Vec<EventKind>,
    /// Whether anything is told.
    pub active: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// A message to a webhook, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Its id, which is sent as `webhook-id`: the same for every attempt.
    pub id: Uuid,
    /// What it tells.
    pub event: String,
    /// `waiting`, `delivered` or `failed`.
    pub state: String,
    /// How often it was sent.
    pub attempts: i64,
    /// The status of the last answer.
    #[schema(required = true)]
    pub status: Option<i64>,
    /// Why the last attempt failed.
    #[schema(required = true)]
    pub problem: Option<String>,
    /// When it happened.
    pub created_at: Timestamp,
    /// When it was delivered or given up.
    #[schema(required = true)]
    pub ended_at: Option<Timestamp>,
}

/// Tells a project's webhooks, as part of the transaction in which it happens.
pub async fn emit(conn: &mut Conn<'_>, project: ProjectId, kind: EventKind, data: Value) -> Result<()> {
    for (webhook, events) in store::listening(conn, project).await? {
        if events.contains(&kind) {
            send(conn, webhook, kind, &data).await?;
        }
    }
    Ok(())
}

/// Tells one webhook.
async fn send(conn: &mut Conn<'_>, webhook: WebhookId, kind: EventKind, data: &Value) -> Result<Uuid> {
    let now = Timestamp::now();
    let id = Uuid::now_v7();
    let payload = json!({ "type": kind.name(), "timestamp": now, "data": data }).to_string();
    store::insert_delivery(conn, id, webhook, kind, &payload, now).await?;
    jobs::store::add(conn, &NewJob { kind: Kind::Webhook, subject: id, due_at: now }).await?;
    Ok(id)
}
