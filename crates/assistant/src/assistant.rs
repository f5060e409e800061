//! One answer, from question to end.

use crate::{
    analyst,
    conversation::{ChartOnScreen, Message, ToolResult},
    data::{Data, Problem},
    event::Event,
    scope::Scope,
    settings::{Limits, ModelSettings, Usage},
    telling::Telling,
};
use chrono::NaiveDate;
use std::sync::Arc;
use tokio::{sync::mpsc::Sender, time::timeout};

/// What is asked, by whom, about what.
#[derive(Clone, Debug)]
pub struct Request {
    /// What was said so far; the last message is the question.
    pub conversation: Vec<Message>,
    /// What may be asked about.
    pub scope: Scope,
    /// Who answers: the built-in analyst when missing.
    pub model: Option<ModelSettings>,
    /// The viewer's day.
    pub today: NaiveDate,
    /// BCP 47, for numbers in sentences.
    pub locale: String,
    /// IANA name of the viewer's zone.
    pub timezone: String,
    /// The charts of the dashboard that the question is about; none in a workspace.
    pub charts: Vec<ChartOnScreen>,
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is complete.
    Done,
    /// It failed; the code is that of the error event.
    Failed(String),
    /// Nobody listens any more.
    Cancelled,
}

/// What to keep of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// All its text, as Markdown.
    pub text: String,
    /// All its charts.
    pub results: Vec<ToolResult>,
    /// What it cost.
    pub tokens: Usage,
    /// How it ended.
    pub ended: Ended,
}

/// Answers questions. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Assistant {
    limits: Limits,
}

impl Assistant {
    /// An assistant whose answers keep to these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits }
    }
}

impl Assistant {
    /// Answers the last message of the conversation. Events go out as they happen; the last is `Done` or `Error`. Dropping the future
    /// cancels the model's call and the query that runs.
    pub async fn answer(&self, request: Request, data: Arc<dyn Data>, events: Sender<Event>) -> Outcome {
        let mut telling = Telling::new(events);
        let answered = timeout(self.limits.time, analyst::answer(&request, &*data, &mut telling)).await;
        let problem = match answered {
            Ok(Ok(())) => None,
            Ok(Err(problem)) => Some(problem),
            Err(_) => Some(Problem::new("LIMIT_REACHED", "This took too long, so I stopped.")),
        };
        let ended = match problem {
            _ if telling.is_deserted() => Ended::Cancelled,
            None => {
                telling.send(Event::Done).await;
                Ended::Done
            }
            Some(Problem { code, message }) => {
                telling.send(Event::Error { code: code.clone(), message }).await;
                Ended::Failed(code)
            }
        };
        Outcome { text: telling.text, results: telling.results, tokens: Usage::default(), ended }
    }
}
