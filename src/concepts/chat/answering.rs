//! One answer under way: its events go to whoever asked, and what was said so far is kept. When nobody listens any more, or
//! whoever asked may not see what they saw, it ends.

use super::{
    data::Guarded,
    guard::Guard,
    record::{Message, MessageState, SAVED_EVERY, Step, Trouble},
    seats::Seat,
    store,
};
use crate::{
    concepts::models,
    ground::{error::Error, state::App},
};
use futures::future::BoxFuture;
use inlay_assistant::{ChartOnScreen, Event, Outcome, Request, StepStatus, ToolResult, Usage};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use tokio::{
    sync::mpsc::{self, Receiver, Sender},
    time::{Instant, MissedTickBehavior, interval_at},
};

/// Events on their way to somebody who reads slowly.
const WAITING_EVENTS: usize = 64;
/// Somebody who takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(15);
/// Most rows that are kept of a result; whoever wants all asks again.
const KEPT_ROWS: usize = 1_000;

/// What an answer is made of.
pub struct Work {
    /// Who asks about what.
    pub guard: Guard,
    /// What was said; the last is the question.
    pub conversation: Vec<inlay_assistant::Message>,
    /// The charts on the viewer's screen that the question may be about.
    pub charts: BoxFuture<'static, Vec<ChartOnScreen>>,
    /// Whether a chart is what is asked for.
    pub draws: bool,
    /// The answer so far: nothing.
    pub answer: Message,
    /// Whether the answer is a message of a thread, to be kept there.
    pub kept: bool,
    /// Where events go.
    pub events: Sender<Event>,
    /// The user's seat.
    pub seat: Seat,
}

/// What is asked, with what is on the screen.
struct Asked {
    conversation: Vec<inlay_assistant::Message>,
    charts: BoxFuture<'static, Vec<ChartOnScreen>>,
    draws: bool,
}

/// Makes an answer. The last event goes out once the whole answer is kept.
pub async fn run(work: Work) {
    let Work { guard, conversation, charts, draws, answer, kept, events, seat } = work;
    let mut keeper = Keeper { app: guard.app.clone(), answer, kept, seat };
    let started = std::time::Instant::now();
    let end = make(&guard, Asked { conversation, charts, draws }, &mut keeper, &events).await;
    metrics::histogram!("inlay_answer_seconds", "end" => keeper.answer.state.name()).record(started.elapsed().as_secs_f64());
    keeper.finish().await;
    if let Some(end) = end {
        // Whoever left meanwhile finds the answer in the thread.
        let _ = events.send_timeout(end, PATIENCE).await;
    }
}

/// Everything up to the last event, which is given back; none when nobody listens any more.
async fn make(
    guard: &Guard,
    Asked { conversation, charts, draws }: Asked,
    keeper: &mut Keeper,
    events: &Sender<Event>,
) -> Option<Event> {
    let Guard { app, viewer, ground } = guard;
    let prepared = async { Ok::<_, Error>((ground.scope(app).await?, models::choose(app, viewer).await?)) };
    let (prepared, charts) = tokio::join!(prepared, charts);
    let (scope, choice) = match prepared {
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
        today: ground.today.day,
        locale: ground.locale.clone(),
        timezone: ground.timezone.clone(),
        charts,
        draws,
    };
    let (made, heard) = mpsc::channel(WAITING_EVENTS);
    let answer = app.chat.assistant.answer(request, Arc::new(Guarded::new(guard.clone())), made);
    let (end, outcome) = listen(answer, heard, guard, keeper, events).await;
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
/// or whoever asked may not see what they saw, the answer is dropped and what it came to is missing.
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
                    // Whoever sees the chart may save it in the next moment.
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

/// A problem that is not of the answer's own making, as its last event.
fn failure(problem: &Error) -> Event {
    tracing::warn!(code = problem.code.as_str(), context = problem.context, "an answer could not be made");
    Event::Error { code: problem.code, message: problem.message.clone() }
}

/// Keeps what was said, and the user's seat meanwhile.
struct Keeper {
    app: App,
    answer: Message,
    kept: bool,
    seat: Seat,
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
            self.answer.problem = Some(Trouble { code: (*code).into(), message: message.clone() });
        }
        end
    }

    /// Writes the answer down as far as it is.
    async fn save(&self) {
        self.write(false).await;
    }

    /// Writes the whole answer down.
    async fn finish(&self) {
        self.write(true).await;
    }

    async fn write(&self, is_over: bool) {
        let written = async {
            let mut tx = self.app.db.write().await?;
            let conn = &mut tx.conn();
            if self.kept {
                store::save_answer(conn, &self.answer).await?;
            }
            match is_over {
                true => self.seat.give_back(conn).await?,
                false => self.seat.hold(conn).await?,
            }
            tx.commit().await
        };
        if let Err(problem) = written.await {
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
