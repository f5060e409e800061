//! One answer in progress: sends its events to the reader and stores the text so far. It stops when nobody listens any more, or
//! when the reader's access changes.

use super::{
    data::Guarded,
    guard::Guard,
    message::{AnswerError, Message, MessageState, SAVED_EVERY, Step},
    slots::AnswerSlot,
    store::{self, Why},
};
use crate::{
    concepts::{
        access::Viewer,
        language_models::{self, Answerer},
        usage,
    },
    ground::{
        error::{Code, Error},
        state::App,
        store::holding::watched,
    },
};
use futures::future::BoxFuture;
use inlay_assistant::{ChartOnScreen, Ended, Event, Outcome, Request, StepStatus, ToolResult, Usage};
use inlay_contract::ids::WorkspaceId;
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::{Instant, MissedTickBehavior, interval_at},
};

/// How many events wait for a slow reader.
const WAITING_EVENTS: usize = 64;
/// A reader who takes no event for this long counts as gone.
const PATIENCE: Duration = Duration::from_secs(15);
/// How many rows of a result are stored. A reader who wants all rows runs the query again.
const KEPT_ROWS: usize = 1_000;

/// The inputs of an answer.
pub struct Work {
    /// The reader's access, which is checked again while the answer is written.
    pub guard: Guard,
    /// The conversation. The last message is the question.
    pub conversation: Vec<inlay_assistant::Message>,
    /// The charts on the viewer's screen that the question may be about.
    pub charts: BoxFuture<'static, Vec<ChartOnScreen>>,
    /// Whether the question asks for a chart.
    pub draws: bool,
    /// The answer so far: nothing.
    pub answer: Message,
    /// The workspace whose thread keeps the answer. `None`: the answer is not stored.
    pub workspace: Option<WorkspaceId>,
    /// The receiver of the events.
    pub events: Sender<Event>,
    /// The user's slot.
    pub slot: AnswerSlot,
}

/// The question, and what is on the screen.
struct Asked {
    conversation: Vec<inlay_assistant::Message>,
    charts: BoxFuture<'static, Vec<ChartOnScreen>>,
    draws: bool,
}

/// Writes an answer. The last event is sent once the whole answer is stored.
pub async fn run(work: Work) {
    let Work { guard, conversation, charts, draws, answer, workspace, events, slot } = work;
    let question = conversation.last().map(|message| message.text.clone()).unwrap_or_default();
    let mut keeper = Keeper { app: guard.app.clone(), answer, workspace, question, declined: false, slot };
    let started = std::time::Instant::now();
    let end = make(&guard, Asked { conversation, charts, draws }, &mut keeper, &events).await;
    metrics::histogram!("inlay_answer_seconds", "end" => keeper.answer.state.name()).record(started.elapsed().as_secs_f64());
    keeper.finish().await;
    if let Some(end) = end {
        // A reader who left in the meantime finds the answer in the thread.
        let _ = events.send_timeout(end, PATIENCE).await;
    }
}

/// Runs up to the last event and returns it. `None` when nobody listens any more.
async fn make(
    guard: &Guard,
    Asked { conversation, charts, draws }: Asked,
    keeper: &mut Keeper,
    events: &Sender<Event>,
) -> Option<Event> {
    let Guard { app, viewer, data_scope } = guard;
    let prepared =
        async { Ok::<_, Error>((data_scope.assistant_scope(app).await?, language_models::choose(app, viewer).await?)) };
    let (prepared, charts) = tokio::join!(watched(prepared), watched(charts));
    let (scope, choice) = match prepared {
        Ok(prepared) => prepared,
        Err(problem) => return Some(keeper.end(failure(&problem))),
    };
    if choice.spent {
        let name = "Today's language model budget is used up, so the built-in analyst answers".to_owned();
        let step = Event::Step { name, status: StepStatus::Done };
        keeper.note(&step);
        if events.send_timeout(step, PATIENCE).await.is_err() {
            keeper.answer.state = MessageState::Stopped;
            return None;
        }
    }
    let (has_model, prices) = (choice.model.is_some(), choice.model.as_ref().and_then(|model| model.prices));
    let asked_bytes = conversation.iter().map(|message| message.text.len()).sum();
    let request = Request {
        conversation,
        scope,
        model: choice.model,
        today: data_scope.today.day,
        locale: data_scope.locale.clone(),
        timezone: data_scope.timezone.clone(),
        charts,
        draws,
    };
    let (made, heard) = mpsc::channel(WAITING_EVENTS);
    let answerer = app.part::<Answerer>();
    let answer = answerer.assistant.answer(request, Arc::new(Guarded::new(guard.clone())), made);
    let (end, outcome) = listen(answer, heard, guard, keeper, events).await;
    keeper.declined = outcome.as_ref().is_some_and(|outcome| outcome.declined);
    if let Some(outcome) = outcome.as_ref().filter(|_| has_model) {
        count_model(app, viewer, outcome);
    }
    let used = match (outcome, has_model) {
        (Some(outcome), _) => outcome.tokens,
        (None, true) => keeper.estimate(asked_bytes),
        (None, false) => Usage::default(),
    };
    if let Err(problem) = language_models::count(app, viewer, used, prices).await {
        tracing::error!(context = problem.context, "the tokens of an answer could not be counted");
    }
    if keeper.answer.state == MessageState::Stopped {
        return None;
    }
    Some(keeper.end(end.unwrap_or(Event::Done)))
}

/// Counts an answer for which a model was asked, and whether it failed. A limit that the answer reached is no failure of the model.
fn count_model(app: &App, viewer: &Viewer, outcome: &Outcome) {
    let has_failed = outcome.problem.is_some() && outcome.ended != Ended::Failed(Code::LimitReached);
    if let Some(problem) = outcome.problem.as_deref().filter(|_| has_failed) {
        tracing::warn!(problem, "a language model failed");
    }
    // A verified answer asks no model.
    if has_failed || outcome.tokens != Usage::default() {
        app.part::<usage::Usage>().asked_model(viewer, has_failed);
    }
}

/// Stores and forwards events until the answer is complete. Returns its last event and its token usage. When nobody listens any
/// more, or the reader's access changes, the answer is dropped and the usage is `None`.
async fn listen(
    answer: impl Future<Output = Outcome>,
    mut heard: Receiver<Event>,
    guard: &Guard,
    keeper: &mut Keeper,
    events: &Sender<Event>,
) -> (Option<Event>, Option<Outcome>) {
    tokio::pin!(answer);
    let mut ticks = interval_at(Instant::now() + SAVED_EVERY, SAVED_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut end, mut outcome, mut talks) = (None, None, true);
    while talks || outcome.is_none() {
        tokio::select! {
            event = heard.recv(), if talks => match event {
                Some(event @ (Event::Done | Event::Error { .. })) => end = Some(event),
                Some(event) => {
                    keeper.note(&event);
                    // The reader may save a chart as soon as they see it.
                    if matches!(event, Event::ToolResult { .. }) {
                        keeper.save().await;
                    }
                    if events.send_timeout(event, PATIENCE).await.is_err() {
                        keeper.answer.state = MessageState::Stopped;
                        break;
                    }
                }
                None => talks = false,
            },
            over = &mut answer, if outcome.is_none() => outcome = Some(over),
            () = events.closed() => {
                keeper.answer.state = MessageState::Stopped;
                break;
            }
            _ = ticks.tick() => {
                keeper.save().await;
                if let Err(problem) = guard.check().await {
                    end = Some(failure(&problem));
                    break;
                }
            }
        }
    }
    (end, outcome)
}

/// An error outside the answer itself, as its last event.
fn failure(problem: &Error) -> Event {
    tracing::warn!(code = problem.code.as_str(), context = problem.context, "an answer failed");
    Event::Error { code: problem.code, message: problem.message.clone() }
}

/// Stores the answer so far, and holds the user's slot in the meantime.
struct Keeper {
    app: App,
    answer: Message,
    workspace: Option<WorkspaceId>,
    question: String,
    /// Whether the question got no answer.
    declined: bool,
    slot: AnswerSlot,
}

impl Keeper {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Text { delta } => self.answer.text.extend(delta.chars().filter(|letter| *letter != '\0')),
            Event::Step { name, status } => match self.answer.steps.iter_mut().rev().find(|step| step.name == *name) {
                Some(step) if step.status == StepStatus::Running => step.status = *status,
                _ => self.answer.steps.push(Step { name: name.clone(), status: *status }),
            },
            Event::ToolResult { tool_result } => self.answer.results.push(kept(tool_result.clone())),
            Event::Done | Event::Error { .. } => {}
        }
    }

    /// Estimated usage of an answer that was stopped before its model reported it: four bytes a token, and the catalogue beside
    /// the question.
    fn estimate(&self, asked_bytes: usize) -> Usage {
        const CATALOGUE: u64 = 2_000;
        let tokens = |bytes: usize| u64::try_from(bytes / 4).unwrap_or(u64::MAX);
        Usage { input_tokens: CATALOGUE + tokens(asked_bytes), output_tokens: tokens(self.answer.text.len()) }
    }

    /// Records how the answer ended.
    fn end(&mut self, end: Event) -> Event {
        self.answer.state = MessageState::Done;
        if let Event::Error { code, message } = &end {
            self.answer.state = MessageState::Failed;
            self.answer.problem = Some(AnswerError { code: (*code).into(), message: message.clone() });
        }
        end
    }

    /// Stores the answer so far.
    async fn save(&self) {
        self.write(false).await;
    }

    /// Stores the complete answer.
    async fn finish(&self) {
        self.write(true).await;
    }

    async fn write(&self, is_over: bool) {
        let written = async {
            let mut tx = self.app.db.write().await?;
            let conn = &mut tx.conn();
            if let Some(workspace) = self.workspace {
                store::save_answer(conn, &self.answer).await?;
                if is_over && self.declined {
                    store::add_open_question(conn, workspace, self.answer.id, &self.question, Why::Declined).await?;
                }
            }
            match is_over {
                true => self.slot.give_back(conn).await?,
                false => self.slot.hold(conn).await?,
            }
            tx.commit().await
        };
        if let Err(problem) = written.await {
            tracing::error!(context = problem.context, "an answer could not be stored");
        }
    }
}

/// A result as it is stored.
fn kept(mut result: ToolResult) -> ToolResult {
    if let Some(Value::Array(rows)) = result.result.pointer_mut("/data/rows")
        && rows.len() > KEPT_ROWS
    {
        rows.truncate(KEPT_ROWS);
        result.result["data"]["truncated"] = Value::Bool(true);
    }
    result
}
