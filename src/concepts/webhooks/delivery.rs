//! Sending messages.

use super::{address, signing, store};
use crate::ground::{
    error::Result,
    jobs::{self, Handler, Job, JobKind, MOST_ATTEMPTS, Outcome, Places},
    state::App,
    store::Conn,
    time::Timestamp,
};
use async_trait::async_trait;
use reqwest::StatusCode;
use std::time::Duration;
use uuid::Uuid;

/// The timeout of a host's server.
const TIMEOUT: Duration = Duration::from_secs(15);

/// How many messages go to one webhook at once, from all nodes together.
const TO_ONE: i64 = 2;

/// After so many failures in a row a webhook rests between two attempts: a minute, then a minute more each time, …
const MOST_FAILURES: i64 = 4;
/// … and no longer than this.
const LONGEST_REST_MINUTES: i64 = 15;

/// How long a message waits for a webhook that fails.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 3600);

/// Sends messages to webhooks.
#[derive(Debug, Default)]
pub struct Delivering {
    clients: address::Clients,
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

    fn places(&self, app: &App) -> Places {
        Places::quarter(app.settings.webhooks.webhooks_at_once.into(), TO_ONE)
    }

    async fn plan(&self, _: &App) -> Result<()> {
        // Messages are added with their jobs.
        Ok(())
    }

    async fn attempt(&self, app: &App, job: &Job) -> Result<Outcome> {
        deliver(app, &self.clients, job).await
    }

    async fn give_up(&self, app: &App, job: &Job, problem: &str) -> Result<()> {
        let mut tx = app.db.write().await?;
        store::note(&mut tx.conn(), job.subject, "failed", None, Some(problem), Some(Timestamp::now())).await?;
        tx.commit().await
    }
}

async fn deliver(app: &App, clients: &address::Clients, job: &Job) -> Result<Outcome> {
    let waiting = store::waiting(&mut app.db.read().await?.conn(), &app.sealer, job.subject).await?;
    // Already delivered, or the webhook is deleted or inactive.
    let Some(waiting) = waiting else { return Ok(Outcome::Done) };
    let answer = post(app, clients, job.subject, &waiting).await?;
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
            store::end_dropping(conn, waiting.webhook).await?;
            recovered(conn, job, &waiting).await?
        }
        // 410 means that the server will never accept messages there again.
        Answer { status: Some(StatusCode::GONE), .. } => {
            let problem = "The server responded with 410 Gone, so this webhook was turned off.";
            store::note(conn, job.subject, "failed", status, Some(problem), Some(now)).await?;
            store::switch_off(conn, waiting.webhook).await?;
            recovered(conn, job, &waiting).await?
        }
        Answer { problem: Some(problem), .. } => {
            let last = (job.attempt >= MOST_ATTEMPTS).then_some(now);
            let state = if last.is_some() { "failed" } else { "waiting" };
            let problem = problem + &failed(conn, &waiting, now).await?;
            store::note(conn, job.subject, state, status, Some(&problem), last).await?;
            Outcome::Again(problem)
        }
    };
    tx.commit().await?;
    Ok(outcome)
}

/// Ends a job whose webhook responds.
async fn recovered(conn: &mut Conn<'_>, job: &Job, waiting: &Waiting) -> Result<Outcome> {
    jobs::store::queue_recovered(conn, JobKind::Webhook, waiting.webhook.0).await?;
    jobs::store::finish(conn, job).await?;
    Ok(Outcome::Finished)
}

/// The minutes until the next attempt after so many failures in a row.
fn rest_minutes(failures: i64) -> i64 {
    (failures - MOST_FAILURES).clamp(0, LONGEST_REST_MINUTES)
}

/// Whether a webhook rests between two attempts after so many failures in a row.
pub(super) const fn rests(failures: i64) -> bool {
    failures > MOST_FAILURES
}

/// Counts a failure of a webhook. Returns what follows from it, for its delivery list.
async fn failed(conn: &mut Conn<'_>, waiting: &Waiting, now: Timestamp) -> Result<String> {
    let rest = |failures| Duration::from_secs(60 * rest_minutes(failures).unsigned_abs());
    let failures = jobs::store::queue_failed(conn, JobKind::Webhook, waiting.webhook.0, rest).await?;
    let minutes = rest_minutes(failures);
    if minutes == 0 {
        return Ok(String::new());
    }
    let before = now.minus(LONGEST_WAIT);
    store::give_up_older(conn, waiting.webhook, before, now).await?;
    jobs::store::clear_queue(conn, JobKind::Webhook, waiting.webhook.0, before).await?;
    Ok(match minutes {
        1 => format!(" The last {failures} attempts failed, so the next one is in a minute."),
        _ => format!(" The last {failures} attempts failed, so the next one is in {minutes} minutes."),
    })
}

async fn post(app: &App, clients: &address::Clients, id: Uuid, waiting: &Waiting) -> Result<Answer> {
    let failed = |problem: String| Ok(Answer { status: None, problem: Some(problem) });
    let settings = &app.settings.webhooks;
    let url = match address::read(settings, &waiting.url) {
        Ok(url) => url,
        Err(problem) => return failed(format!("The URL {problem}.")),
    };
    let client = match clients.get(settings, &url, TIMEOUT).await {
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
