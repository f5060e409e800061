//! Requests to a model: retries before the first byte, a size limit, and timeouts.

use super::ModelProblem;
use crate::{clients::Clients, settings::Limits};
use eventsource_stream::Eventsource;
use futures::{Stream, StreamExt, TryStreamExt, stream::BoxStream};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::time::{sleep, timeout};
use url::Url;

/// The pause before the first retry. Each further pause is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause that a server can request.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// The most bytes of an error's text that an operator sees.
const REFUSAL_BYTES: usize = 300;

/// Sends model calls with these clients, within these limits.
#[derive(Clone)]
pub(super) struct Line {
    pub clients: Arc<dyn Clients>,
    pub limits: Limits,
}

impl Line {
    /// Sends a request and streams its events: the data of each, as JSON. `bytes` is the size limit.
    pub(super) async fn events(
        &self,
        address: &Url,
        request: impl Fn(&Client) -> RequestBuilder + Send + Sync,
        bytes: &Arc<AtomicUsize>,
    ) -> Result<BoxStream<'static, Result<Value, ModelProblem>>, ModelProblem> {
        let response = self.open(address, request).await?;
        let silence = self.limits.silence;
        let events = capped(response, bytes.clone()).eventsource().map(|event| match event {
            Ok(event) if event.data.trim() == "[DONE]" => Ok(Value::Null),
            Ok(event) => serde_json::from_str(&event.data).map_err(|_| ModelProblem::Broken("it is not JSON")),
            Err(eventsource_stream::EventStreamError::Transport(problem)) => Err(problem),
            Err(_) => Err(ModelProblem::Broken("it is not an event stream")),
        });
        Ok(patient(events, silence).boxed())
    }

    /// Sends a request until its status is a success. Retries errors that may be temporary.
    async fn open(
        &self,
        address: &Url,
        request: impl Fn(&Client) -> RequestBuilder + Send + Sync,
    ) -> Result<Response, ModelProblem> {
        let mut pause = FIRST_PAUSE;
        let mut tries = self.limits.tries.max(1);
        loop {
            tries -= 1;
            let sent = timeout(self.limits.silence, self.send(address, &request)).await;
            let (problem, wait) = match sent {
                Ok(Ok(response)) if response.status().is_success() => return Ok(response),
                Ok(Ok(response)) if passes(response.status()) => (
                    ModelProblem::Unavailable(format!("it responded with status {}", response.status())),
                    asked_pause(&response).unwrap_or(pause),
                ),
                Ok(Ok(response)) => return Err(refusal(response).await),
                Ok(Err(problem)) => (problem, pause),
                Err(_) => (ModelProblem::Unavailable("it did not respond in time".to_owned()), pause),
            };
            if tries == 0 {
                return Err(problem);
            }
            sleep(wait).await;
            pause *= 2;
        }
    }

    /// Sends a request once, to the host that the address resolves to now.
    async fn send(
        &self,
        address: &Url,
        request: &(impl Fn(&Client) -> RequestBuilder + Send + Sync),
    ) -> Result<Response, ModelProblem> {
        let client = self.clients.client(address).await.map_err(ModelProblem::Unavailable)?;
        // The address may hold a secret, and reqwest's errors contain it.
        request(&client).send().await.map_err(|error| ModelProblem::Unavailable(error.without_url().to_string()))
    }
}

fn passes(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT)
}

fn asked_pause(response: &Response) -> Option<Duration> {
    let seconds: u64 = response.headers().get("retry-after")?.to_str().ok()?.parse().ok()?;
    Some(Duration::from_secs(seconds).min(LONGEST_PAUSE))
}

/// The error of a server's response, for the operator. Its text may repeat the key, so longer words are removed.
async fn refusal(response: Response) -> ModelProblem {
    let status = response.status();
    let mut said = Vec::new();
    let mut body = response.bytes_stream();
    while let Some(Ok(piece)) = body.next().await {
        said.extend_from_slice(&piece);
        if said.len() > 16 << 10 {
            break;
        }
    }
    let said: Option<Value> = serde_json::from_slice(&said).ok();
    let message = said.as_ref().and_then(|said| said["error"]["message"].as_str()).unwrap_or_default();
    let words = message.split_whitespace().map(|word| if word.len() > 24 { "…" } else { word });
    let message: String = words.collect::<Vec<_>>().join(" ").chars().take(REFUSAL_BYTES).collect();
    ModelProblem::Refused(format!("{status} {message}").trim().to_owned())
}

/// The bytes of a body, up to the limit.
fn capped(response: Response, left: Arc<AtomicUsize>) -> impl Stream<Item = Result<Vec<u8>, ModelProblem>> + Send + Unpin {
    let body = response.bytes_stream().map_err(|_| ModelProblem::Broken("the connection broke"));
    body.map(move |piece| {
        let piece = piece?;
        let fits = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(piece.len())).is_ok();
        if !fits {
            return Err(ModelProblem::TooMuch);
        }
        Ok(piece.to_vec())
    })
    .boxed()
}

/// Ends a stream after its first error, or when nothing arrives for too long.
fn patient<T: Send + 'static>(
    events: impl Stream<Item = Result<T, ModelProblem>> + Send + 'static,
    silence: Duration,
) -> impl Stream<Item = Result<T, ModelProblem>> + Send {
    futures::stream::unfold(Some(events.boxed()), move |events| async move {
        let mut events = events?;
        match timeout(silence, events.next()).await {
            Ok(Some(Ok(event))) => Some((Ok(event), Some(events))),
            Ok(Some(Err(problem))) => Some((Err(problem), None)),
            Ok(None) => None,
            Err(_) => Some((Err(ModelProblem::Broken("no data arrived in time")), None)),
        }
    })
}
