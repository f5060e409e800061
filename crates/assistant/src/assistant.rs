//! Answers a question.

use crate::{
    agent::{Agent, Failure},
    analyst,
    clients::Clients,
    confidence::Confidence,
    conversation::{ChartOnScreen, Message, ToolResult},
    data::{Data, DataError},
    event::Event,
    model,
    scope::Scope,
    settings::{Limits, ModelSettings, Usage},
    transcript::Transcript,
    verified,
    world::Surveys,
};
use chrono::NaiveDate;
use inlay_contract::code::Code;
use std::sync::Arc;
use tokio::{sync::mpsc::Sender, time::timeout};

/// A question with its context.
#[derive(Clone, Debug)]
pub struct Request {
    /// The messages so far. The last one is the question.
    pub conversation: Vec<Message>,
    /// The tables that may be asked about.
    pub scope: Scope,
    /// The model that answers. `None` is the built-in analyst, which also answers where the scope leaves a model no way to rows.
    pub model: Option<ModelSettings>,
    /// The viewer's current date.
    pub today: NaiveDate,
    /// BCP 47, for numbers in sentences.
    pub locale: String,
    /// IANA name of the viewer's time zone.
    pub timezone: String,
    /// The charts of the dashboard that the question is about. Empty in a workspace.
    pub charts: Vec<ChartOnScreen>,
    /// Whether the request is for a chart on a dashboard.
    pub draws: bool,
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is complete.
    Done,
    /// It failed. The code is that of the error event.
    Failed(Code),
    /// The receiver of the events was dropped.
    Cancelled,
}

/// The parts of an answer that are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// All its text, as Markdown.
    pub text: String,
    /// All its charts.
    pub results: Vec<ToolResult>,
    /// The tokens that it used.
    pub tokens: Usage,
    /// How it ended.
    pub ended: Ended,
    /// Whether a question got no answer: it was not understood, cannot be answered by this data, or has no query. Greetings are none.
    pub declined: bool,
    /// How sure the built-in analyst is of its reading. `None` if it read no question, or a model answered.
    pub confidence: Option<Confidence>,
    /// A problem with the model for the operator: not reachable, refused, invalid. Contains no secret. Not for viewers.
    pub problem: Option<String>,
}

/// Answers questions. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Assistant {
    limits: Limits,
    clients: Arc<dyn Clients>,
    surveys: Surveys,
}

impl Assistant {
    /// An assistant with these limits. `clients` connects to models.
    #[must_use]
    pub fn new(limits: Limits, clients: Arc<dyn Clients>) -> Self {
        Self { limits, clients, surveys: Surveys::new(0) }
    }

    /// The same assistant, which remembers what it found out about viewers' data.
    #[must_use]
    pub fn remembering(self, surveys: Surveys) -> Self {
        Self { surveys, ..self }
    }

    /// What is remembered of viewers' data.
    #[must_use]
    pub const fn surveys(&self) -> &Surveys {
        &self.surveys
    }

    /// The same assistant with other limits.
    #[must_use]
    pub fn within(&self, limits: Limits) -> Self {
        Self { limits, ..self.clone() }
    }

    /// Answers the last message of the conversation. Sends events as they happen; the last is `Done` or `Error`. If the future
    /// or the events' receiver is dropped, the model call and the running query are cancelled.
    pub async fn answer(&self, request: Request, data: Arc<dyn Data>, events: Sender<Event>) -> Outcome {
        let listener = events.clone();
        let mut work = Work { transcript: Transcript::new(events), tokens: Usage::default(), problem: None };
        let answered = tokio::select! {
            answered = timeout(self.limits.time, self.work(&request, &*data, &mut work)) => Some(answered),
            () = listener.closed() => None,
        };
        let ended = match answered {
            None => Ended::Cancelled,
            Some(Ok(Ok(()))) => work.end(None).await,
            Some(Ok(Err(problem))) => work.end(Some(problem)).await,
            Some(Err(_)) => {
                work.end(Some(DataError::new(Code::LimitReached, "This answer took too long. Ask a narrower question."))).await
            }
        };
        let declined = work.transcript.declined || ended == Ended::Failed(Code::QueryFailed);
        Outcome {
            text: work.transcript.text,
            results: work.transcript.results,
            tokens: work.tokens,
            ended,
            declined,
            confidence: work.transcript.confidence,
            problem: work.problem,
        }
    }

    async fn work(&self, request: &Request, data: &dyn Data, work: &mut Work) -> Result<(), DataError> {
        if verified::answer(request, data, &mut work.transcript).await? {
            return Ok(());
        }
        let Some(settings) = request.model.as_ref().filter(|_| request.scope.is_open_to_models()) else {
            return analyst::answer(request, data, &self.surveys, &mut work.transcript).await;
        };
        let model = model::model(settings, &self.clients, self.limits);
        let mut agent = Agent::new(&*model, request, data, self.limits, &mut work.tokens);
        let failure = match agent.answer(&mut work.transcript).await {
            Ok(()) => {
                // A model draws what it answers.
                work.transcript.declined = work.transcript.results.is_empty();
                return Ok(());
            }
            Err(failure) => failure,
        };
        match failure {
            Failure::Absent(problem) => {
                work.problem = Some(problem.to_string());
                work.transcript
                    .say("_The language model cannot be reached at the moment. The built-in analyst answers instead._\n\n")
                    .await;
                analyst::answer(request, data, &self.surveys, &mut work.transcript).await
            }
            Failure::Broken(problem) => {
                work.problem = Some(problem.to_string());
                Err(DataError::new(Code::ModelFailed, "The language model stopped before its answer was complete. Ask again."))
            }
            Failure::Limit(message) => {
                work.problem = Some(message.to_owned());
                Err(DataError::new(Code::LimitReached, message))
            }
        }
    }
}

/// An answer in progress and its cost.
struct Work {
    transcript: Transcript,
    tokens: Usage,
    problem: Option<String>,
}

impl Work {
    /// Sends the last event.
    async fn end(&self, problem: Option<DataError>) -> Ended {
        if self.transcript.is_deserted() {
            return Ended::Cancelled;
        }
        let Some(DataError { code, message }) = problem else {
            self.transcript.send(Event::Done).await;
            return Ended::Done;
        };
        self.transcript.send(Event::Error { code, message }).await;
        Ended::Failed(code)
    }
}
