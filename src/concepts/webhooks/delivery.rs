//! Sending messages.

use super::{address, signing, store};
use crate::ground::{
    error::Result,
    jobs::{self, Handler, Hourly, Job, JobKind, MOST_ATTEMPTS, Outcome},
    state::App,
    time::Timestamp,
};
use async_trait::async_trait;
use reqwest::StatusCode;
use std::time::Duration;
use uuid::Uuid;

/// The timeout of a host's server.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Sends messages to webhooks.
#[derive(Debug, Default)]
pub struct Delivering {
    tidying: Hourly,
}

/// A message to send.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) webhook: inlay_contract::ids::WebhookId,
    pub(super) url: String,
    pub(super) secret: String,
    pub(super) payload: String,
}

/// The result of an attempt.
struct Answer {
    status: Option<StatusCode>,
    problem: Option<String>,
}

#[async_trait]
impl Handler for Delivering {
    fn kind(&self) -> JobKind {
        JobKind::Webhook
    }

    fn at_once(&self, app: &App) -> i64 {
        app.settings.webhooks.webhooks_at_once.into()
    }

    async fn plan(&self, app: &App) -> Result<()> {
        // Messages are added with their jobs, so there is nothing to plan except deleting old ones.
        if self.tidying.is_due() { forget(app).await } else { Ok(()) }
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome> {
        deliver(app, job).await
    }

    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()> {
        let mut tx = app.db.write().await?;
        store::note(&mut tx.conn(), job.subject, "failed", None, Some(problem), Some(Timestamp::now())).await?;
        tx.commit().await
    }
}

/// Deletes expired messages.
async fn forget(app: &App) -> Result<()> {
    let before = Timestamp::now().minus(app.settings.reports.history());
    let mut tx = app.db.write().await?;
    store::forget(&mut tx.conn(), before).await?;
    tx.commit().await
}

async fn deliver(app: &App, job: &Job) -> Result<Outcome> {
    let waiting = store::waiting(&mut app.db.read().await?.conn(), &app.sealer, job.subject).await?;
    // Already delivered, or the webhook is deleted or inactive.
    let Some(waiting) = waiting else { return Ok(Outcome::Done) };
    let answer = post(app, job.subject, &waiting).await?;
    let status = answer.status.map(|status| i64::from(status.as_u16()));
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    if !jobs::store::holds(conn, job).await? {
        return Ok(Outcome::Done);
    }
    let now = Timestamp::now();
    let outcome = match answer {
        Answer { problem: None, .. } => {
            store::note(conn, job.subject, "delivered", status, None, Some(now)).await?;
            Outcome::Done
        }
        // 410 means that the server will never accept messages there again.
        Answer { status: Some(StatusCode::GONE), .. } => {
            let problem = "The server responded with 410 Gone, so this webhook was turned off.";
            store::note(conn, job.subject, "failed", status, Some(problem), Some(now)).await?;
            store::switch_off(conn, waiting.webhook).await?;
            Outcome::Done
        }
        Answer { problem: Some(problem), .. } => {
            let last = (job.attempt >= MOST_ATTEMPTS).then_some(now);
            let state = if last.is_some() { "failed" } else { "waiting" };
            store::note(conn, job.subject, state, status, Some(&problem), last).await?;
            Outcome::Again(problem)
        }
    };
    tx.commit().await?;
    Ok(outcome)
}

async fn post(app: &App, id: Uuid, waiting: &Waiting) -> Result<Answer> {
    let failed = |problem: String| Ok(Answer { status: None, problem: Some(problem) });
    let settings = &app.settings.webhooks;
    let url = match address::read(settings, &waiting.url) {
        Ok(url) => url,
        Err(problem) => return failed(format!("The URL {problem}.")),
    };
    let client = match address::client(settings, &url, TIMEOUT).await {
        Ok(client) => client,
        Err(problem) => return failed(problem),
    };
    let (id, seconds) = (id.to_string(), Timestamp::now().seconds());
    let signature = signing::sign(&waiting.secret, &id, seconds, &waiting.payload)?;
    let request = client
        .post(url)
        .header("content-type", "application/json")
        .header("user-agent", concat!("Inlay/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", &id)
        .header("webhook-timestamp", seconds.to_string())
        .header("webhook-signature", signature)
        .body(waiting.payload.clone());
    match request.send().await {
        Ok(answer) if answer.status().is_success() => Ok(Answer { status: Some(answer.status()), problem: None }),
        Ok(answer) => {
            let problem = format!("The server responded with {}.", answer.status().as_u16());
            Ok(Answer { status: Some(answer.status()), problem: Some(problem) })
        }
        Err(fault) if fault.is_timeout() => failed(format!("The server did not respond within {} seconds.", TIMEOUT.as_secs())),
        Err(_) => failed("A trusted connection to the server failed.".to_owned()),
    }
}
