//! One answer under way: its events go to whoever asked, and what was said so far is kept. When nobody listens any more, it ends.

use super::{
    data::Rows,
    record::{Message, MessageState, SAVED_EVERY, Step, Trouble},
    scope::Subject,
    store,
};
use crate::{
    access::Viewer,
    error::{Error, Kind, Result},
    models,
    state::App,
};
use inlay_assistant::{Event, Outcome, Request, StepStatus, ToolResult, Usage};
use inlay_contract::ids::ProjectUserId;
use serde_json::Value;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::mpsc::{self, Receiver, Sender};

/// Events on their way to somebody who reads slowly.
const WAITING_EVENTS: usize = 64;
/// Somebody who takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(15);
/// Most rows that are kept of a result; whoever wants all asks again.
const KEPT_ROWS: usize = 1_000;

/// Who has how many answers under way on this node.
pub struct Seats {
    most: usize,
    taken: Arc<Mutex<HashMap<ProjectUserId, usize>>>,
}

/// One of a user's answers under way; given back when it is dropped.
pub struct Seat {
    user: ProjectUserId,
    taken: Arc<Mutex<HashMap<ProjectUserId, usize>>>,
}

impl Seats {
    /// Seats for so many answers of a user at once.
    pub fn new(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    /// Takes a seat.
    ///
    /// # Errors
    /// 429 when the user has none left.
    pub fn take(&self, user: ProjectUserId) -> Result<Seat> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(user).or_default();
        if *count >= self.most {
            let told = "Other answers are still under way. Wait for one of them to end, or stop it.";
            return Err(Error::new(Kind::RateLimited { retry_after: Duration::from_secs(5) }, "RATE_LIMITED", told));
        }
        *count += 1;
        drop(taken);
        Ok(Seat { user, taken: Arc::clone(&self.taken) })
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.user) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.user);
            }
        }
    }
}

/// What an answer is made of.
pub(super) struct Work {
    pub app: App,
    pub viewer: Viewer,
    pub subject: Arc<Subject>,
    pub conversation: Vec<inlay_assistant::Message>,
    pub answer: Message,
    pub events: Sender<Event>,
    pub seat: Seat,
}

/// Makes an answer. The last event goes out once the whole answer is kept.
pub(super) async fn run(work: Work) {
    let Work { app, viewer, subject, conversation, answer, events, seat } = work;
    let mut keeper = Keeper { app: app.clone(), answer };
    let started = std::time::Instant::now();
    let end = make(&app, &viewer, &subject, conversation, &mut keeper, &events).await;
    metrics::histogram!("inlay_answer_seconds", "end" => keeper.answer.state.name()).record(started.elapsed().as_secs_f64());
    keeper.save().await;
    drop(seat);
    if let Some(end) = end {
        // Whoever left meanwhile finds the answer in the thread.
        let _ = events.send_timeout(end, PATIENCE).await;
    }
}

/// Everything up to the last event, which is given back; none when nobody listens any more.
async fn make(
    app: &App,
    viewer: &Viewer,
    subject: &Arc<Subject>,
    conversation: Vec<inlay_assistant::Message>,
    keeper: &mut Keeper,
    events: &Sender<Event>,
) -> Option<Event> {
    let prepared = async { Ok::<_, Error>((subject.scope(app).await?, models::choose(app, viewer).await?)) };
    let (scope, choice) = match prepared.await {
        Ok(prepared) => prepared,
        Err(problem) => return Some(keeper.end(failure(&problem))),
    };
    if choice.spent {
        let name = "Today's budget for the language model is used up; the built-in analyst answers".to_owned();
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
        today: subject.today.day,
        locale: subject.locale.clone(),
        timezone: subject.timezone.clone(),
        charts: Vec::new(),
    };
    let (made, heard) = mpsc::channel(WAITING_EVENTS);
    let data = Arc::new(Rows::new(app.clone(), Arc::clone(subject)));
    let answer = app.chat.assistant.answer(request, data, made);
    let (end, outcome) = listen(answer, heard, keeper, events).await;
    let used = match (outcome, has_model) {
        (Some(outcome), _) => outcome.tokens,
        (None, true) => keeper.estimate(asked_bytes),
        (None, false) => Usage::default(),
    };
    if let Err(problem) = models::count(app, viewer, used, prices).await {
        tracing::error!(context = problem.context, "what an answer took could not be counted");
    }
    if keeper.answer.state == MessageState::Stopped {
        return None;
    }
    Some(keeper.end(end.unwrap_or(Event::Done)))
}

/// Keeps and passes on what happens until the answer is over: its last event, and what it came to. When nobody listens any more,
/// the answer is dropped and what it came to is missing.
async fn listen(
    answer: impl Future<Output = Outcome>,
    mut heard: Receiver<Event>,
    keeper: &mut Keeper,
    events: &Sender<Event>,
) -> (Option<Event>, Option<Outcome>) {
    tokio::pin!(answer);
    let mut ticks = tokio::time::interval(SAVED_EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let (mut end, mut outcome, mut talks) = (None, None, true);
    while talks || outcome.is_none() {
        tokio::select! {
            event = heard.recv(), if talks => match event {
                Some(event @ (Event::Done | Event::Error { .. })) => end = Some(event),
                Some(event) => {
                    keeper.note(&event);
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
            _ = ticks.tick() => keeper.save().await,
        }
    }
    (end, outcome)
}

/// A problem before the answer began, as its last event.
fn failure(problem: &Error) -> Event {
    tracing::warn!(code = problem.code, context = problem.context, "an answer could not begin");
    Event::Error { code: problem.code.to_owned(), message: problem.message.clone() }
}

/// Keeps what was said.
struct Keeper {
    app: App,
    answer: Message,
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

    /// What an answer took that was stopped before its model said so: four bytes a token, and the catalogue beside the question.
    fn estimate(&self, asked_bytes: usize) -> Usage {
        const CATALOGUE: u64 = 2_000;
        let tokens = |bytes: usize| u64::try_from(bytes / 4).unwrap_or(u64::MAX);
        Usage { input_tokens: CATALOGUE + tokens(asked_bytes), output_tokens: tokens(self.answer.text.len()) }
    }

    /// Notes how the answer ended.
    fn end(&mut self, end: Event) -> Event {
        self.answer.state = MessageState::Done;
        if let Event::Error { code, message } = &end {
            self.answer.state = MessageState::Failed;
            self.answer.problem = Some(Trouble { code: code.clone(), message: message.clone() });
        }
        end
    }

    async fn save(&self) {
        let saved = async {
            let mut tx = self.app.db.write().await?;
            store::save_answer(&mut tx.conn(), &self.answer).await?;
            tx.commit().await
        };
        if let Err(problem) = saved.await {
            tracing::error!(context = problem.context, "an answer could not be kept");
        }
    }
}

/// A result as it is kept.
fn kept(mut result: ToolResult) -> ToolResult {
    if let Some(Value::Array(rows)) = result.result.pointer_mut("/data/rows")
        && rows.len() > KEPT_ROWS
    {
        rows.truncate(KEPT_ROWS);
        result.result["data"]["truncated"] = Value::Bool(true);
    }
    result
}
