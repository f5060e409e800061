//! Asking a question. The question is stored before the answer begins, so that nothing is lost.

use super::{
    answering::{self, Work},
    data_scope::ViewerLocale,
    guard::Guard,
    message::{Message, MessageState, opening},
    open_workspace::OpenWorkspace,
    slots::AnswerSlot,
    store::{self, Shelf},
};
use crate::{
    concepts::access::Viewer,
    ground::{
        error::{Code, Error, Result},
        state::App,
        store::Conn,
        time::Timestamp,
    },
};
use futures::{FutureExt, future::ready};
use inlay_assistant::{Event, Role};
use inlay_contract::ids::{MessageId, ThreadId, WorkspaceId};
use tokio::sync::mpsc::{self, Receiver};

/// How many events wait for a slow reader.
pub const WAITING_EVENTS: usize = 64;
/// How many messages of a conversation the model or analyst gets.
const REMEMBERED: usize = 24;
/// Replaces an answer with rows that the viewer may not see any more.
pub(super) const WITHHELD: &str = "(This answer is hidden because your access has changed since then.)";

/// A question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The thread to continue. Without one, a new thread begins.
    pub thread: Option<ThreadId>,
    /// The question's text.
    pub message: String,
    /// An earlier question of the thread: this one replaces it and everything after it.
    pub replaces: Option<MessageId>,
    /// The viewer's zone and language.
    pub viewer_locale: ViewerLocale,
}

/// An answer in progress. Dropping `events` stops it.
pub struct Answering {
    /// The thread.
    pub thread: ThreadId,
    /// The thread's title.
    pub title: String,
    /// The question.
    pub question: MessageId,
    /// The answer.
    pub answer: MessageId,
    /// The events of the answer.
    pub events: Receiver<Event>,
}

/// Asks a workspace a question.
///
/// # Errors
/// 404 for the workspace, the thread or the question to replace; 409 when the workspace is not in production or the thread's
/// last question is still being answered; 429 when the user has too many answers in progress.
pub async fn ask(app: &App, viewer: &Viewer, workspace: WorkspaceId, question: Question) -> Result<Answering> {
    viewer.acting().may_change()?;
    let data_scope = OpenWorkspace::open(app, viewer, workspace, &question.viewer_locale).await?.data_scope;
    let shelf = Shelf { workspace, user: viewer.user };
    let data_key = data_scope.data_key();
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let slot = AnswerSlot::take(conn, viewer.user, app.settings.limits.chat_answers_at_once).await?;
    if question.thread.is_none() {
        // The user is locked since they took a slot.
        has_room(conn, shelf, app.settings.retention.chats_of_user).await?;
    }
    let begun = begin(conn, shelf, &question, &data_key).await?;
    tx.commit().await?;
    let (sender, events) = mpsc::channel(WAITING_EVENTS);
    let Begun { thread, title, asked, answer, earlier } = begun;
    let mut conversation = told(earlier, &data_key);
    conversation.push(inlay_assistant::Message::user(question.message));
    let (question, answer_id) = (asked, answer.id);
    let guard = Guard { app: app.clone(), viewer: viewer.clone(), data_scope };
    let work = Work {
        guard,
        conversation,
        charts: ready(Vec::new()).boxed(),
        draws: false,
        answer,
        workspace: Some(workspace),
        events: sender,
        slot,
    };
    tokio::spawn(answering::run(work));
    Ok(Answering { thread, title, question, answer: answer_id, events })
}

/// Refuses a further chat of a user who has as many as they may.
async fn has_room(conn: &mut Conn<'_>, shelf: Shelf, most: usize) -> Result<()> {
    if usize::try_from(store::count(conn, shelf).await?).is_ok_and(|count| count < most) {
        return Ok(());
    }
    Err(Error::invalid(
        "threadId",
        format!("is required: the limit of {most} chats is reached. Continue one, or delete one first"),
    ))
}

struct Begun {
    thread: ThreadId,
    title: String,
    asked: MessageId,
    answer: Message,
    earlier: Vec<Message>,
}

/// Stores the question and an empty answer.
async fn begin(conn: &mut Conn<'_>, shelf: Shelf, question: &Question, data_key: &str) -> Result<Begun> {
    let title = opening(&question.message);
    let (thread, title) = match question.thread {
        None => (store::insert(conn, shelf, &title).await?, title),
        Some(id) => {
            let missing = || Error::not_found("Thread");
            // From here on, other writers of this thread wait.
            if !store::touch(conn, shelf, id).await? {
                return Err(missing());
            }
            (id, store::find(conn, shelf, id).await?.ok_or_else(missing)?.title)
        }
    };
    // What is told is read, however long the thread is.
    let remembered = i64::try_from(REMEMBERED).unwrap_or(i64::MAX);
    let mut earlier = store::last_messages(conn, thread, i64::MAX, remembered).await?;
    if earlier.last().is_some_and(|last| last.state == MessageState::Answering) {
        let told = "The last question in this thread is still being answered. Wait until it finishes, or stop it.";
        return Err(Error::new(Code::AnswerInProgress, told));
    }
    if let Some(replaced) = question.replaces {
        let from = store::question_at(conn, thread, replaced).await?.ok_or_else(|| Error::not_found("Message"))?;
        earlier = store::last_messages(conn, thread, from, remembered).await?;
        store::cut(conn, thread, from).await?;
    }
    let asked = message(next(&earlier), Role::User, MessageState::Done);
    let asked = Message { text: question.message.clone(), ..asked };
    let answer = message(asked.position + 1, Role::Assistant, MessageState::Answering);
    let answer = Message { data_key: Some(data_key.to_owned()), ..answer };
    store::insert_message(conn, thread, &asked).await?;
    store::insert_message(conn, thread, &answer).await?;
    Ok(Begun { thread, title, asked: asked.id, answer, earlier })
}

fn next(messages: &[Message]) -> i64 {
    messages.last().map_or(0, |last| last.position + 1)
}

/// A message that is said now.
pub fn message(position: i64, role: Role, state: MessageState) -> Message {
    let now = Timestamp::now();
    Message {
        id: MessageId::generate(),
        position,
        role,
        text: String::new(),
        steps: Vec::new(),
        results: Vec::new(),
        state,
        problem: None,
        data_key: None,
        feedback: None,
        created_at: now,
        updated_at: now,
    }
}

/// The conversation so far for the model or analyst, without anything that the viewer may not see now.
fn told(earlier: Vec<Message>, data_key: &str) -> Vec<inlay_assistant::Message> {
    let told = |message: Message| {
        let seen = message.role == Role::User || message.data_key.as_deref() == Some(data_key);
        if seen {
            inlay_assistant::Message { role: message.role, text: message.text, results: message.results }
        } else {
            inlay_assistant::Message::assistant(WITHHELD, Vec::new())
        }
    };
    earlier.into_iter().map(told).collect()
}
