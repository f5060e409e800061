//! `GET …/threads`, `GET`, `PATCH` and `DELETE …/threads/{threadId}`.

use super::{
    ThreadPath, WorkspacePath,
    stream::{StepProgress, ToolOutput},
};
use crate::{
    concepts::{
        access::{Authorized, Viewer},
        chat::{
            AnswerError, Message, Step, Thread,
            message::LONGEST_TITLE,
            threads::{self, Shown},
        },
    },
    ground::{
        error::{Result, refusals},
        state::App,
        time::Timestamp,
        web::{
            Answer, Path,
            body::{BodyObject, FreeText, FromValue, body, simple},
            paging::PageQuery,
        },
    },
};
use axum::extract::State;
use inlay_assistant::{Role, ToolResult};
use inlay_contract::ids::{MessageId, ThreadId};
use serde::Serialize;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, Type},
};

/// The caller's own threads, most recently used first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Threads {
    threads: Vec<ListedThread>,
    /// `after` of the next part. Missing at the end of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A thread in a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedThread {
    thread_id: ThreadId,
    title: String,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<Thread> for ListedThread {
    fn from(thread: Thread) -> Self {
        let Thread { id, title, created_at, updated_at, .. } = thread;
        Self { thread_id: id, title, created_at, updated_at }
    }
}

/// A thread with its messages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpenedThread {
    thread_id: ThreadId,
    title: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    messages: Vec<SaidMessage>,
    /// `after` of the next messages. Missing at the end of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// A question or an answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaidMessage {
    message_id: MessageId,
    #[schema(value_type = Speaker)]
    role: Role,
    text: String,
    #[schema(value_type = Vec<DoneStep>)]
    steps: Vec<Step>,
    #[schema(value_type = Vec<ToolOutput>)]
    results: Vec<ToolResult>,
    #[schema(value_type = Progress)]
    state: &'static str,
    #[schema(value_type = Option<Reason>, required = true)]
    error: Option<AnswerError>,
    #[schema(value_type = Option<Opinion>, required = true)]
    feedback: Option<&'static str>,
    created_at: Timestamp,
}

/// The author of a message.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what is written")]
enum Speaker {
    User,
    Assistant,
}

/// The state of a message: `stopped` when its reader left, `interrupted` when the service stopped.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what is written")]
enum Progress {
    Answering,
    Done,
    Stopped,
    Failed,
    Interrupted,
}

/// The reader's rating of an answer.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes what is written")]
enum Opinion {
    Good,
    Bad,
}

/// A step of an answer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is written")]
struct DoneStep {
    name: String,
    status: StepProgress,
}

/// Why an answer failed.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is written")]
struct Reason {
    code: String,
    message: String,
}

impl From<Message> for SaidMessage {
    fn from(message: Message) -> Self {
        Self {
            message_id: message.id,
            role: message.role,
            text: message.text,
            steps: message.steps,
            results: message.results,
            state: message.state.name(),
            error: message.problem,
            feedback: message.feedback.map(crate::concepts::chat::Feedback::name),
            created_at: message.created_at,
        }
    }
}

body! {
    /// Filters of the list.
    struct ThreadQuery {
        /// Only threads whose title or messages contain this text, in any case.
        q: Option<FreeText>,
    }
}

/// The lists in cursors.
const THREADS: &str = "threads";
const MESSAGES: &str = "messages";

/// Lists the caller's own threads, most recently used first.
///
/// At most 200 at a time, unless `limit` says otherwise.
#[utoipa::path(
    get,
    path = "/v2/api/workspaces/{workspaceId}/threads",
    tag = "Chat",
    params(WorkspacePath, ThreadQuery, PageQuery),
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = Threads),
        (status = "default", description = refusals![MissingCredentials, NotFound]),
    ),
)]
pub async fn list_threads(
    State(app): State<App>,
    Path(path): Path<WorkspacePath>,
    Authorized { caller, body, .. }: Authorized<Viewer>,
) -> Result<Answer<Threads>> {
    let sent = ThreadQuery::of(&body, &app.settings.limits)?;
    let search = sent.q.map(|text| text.0).unwrap_or_default();
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let most = page.most_or(threads::MOST_THREADS);
    let part = threads::list(&app, &caller, path.workspace_id, &search, page.after(THREADS)?, most).await?;
    let (threads, next) = part.answer(THREADS, ListedThread::from)?;
    Ok(Answer(Threads { threads, next }))
}

/// Returns one of the caller's own threads.
///
/// Rows that the caller may not see any more are left out of `results`. At most 500 messages at a time, oldest first.
#[utoipa::path(
    get,
    path = "/v2/api/workspaces/{workspaceId}/threads/{threadId}",
    tag = "Chat",
    params(ThreadPath, PageQuery),
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = OpenedThread),
        (status = "default", description = refusals![MissingCredentials, NotFound]),
    ),
)]
pub async fn open_thread(
    State(app): State<App>,
    Path(path): Path<ThreadPath>,
    Authorized { caller, body, .. }: Authorized<Viewer>,
) -> Result<Answer<OpenedThread>> {
    let page = PageQuery::read(&body, &app.settings.limits)?;
    let shown = Shown::After(page.after(MESSAGES)?, page.most());
    let (thread, part) = threads::open(&app, &caller, path.workspace_id, path.thread_id, shown).await?;
    let Thread { id, title, created_at, updated_at, .. } = thread;
    let (messages, next) = part.answer(MESSAGES, SaidMessage::from)?;
    Ok(Answer(OpenedThread { thread_id: id, title, created_at, updated_at, messages, next }))
}

body! {
    /// A thread's new title.
    struct RenameBody {
        /// Its title.
        title: Title,
    }
}

/// A title. The handler's caller checks its length.
struct Title(String);

impl FromValue for Title {
    fn from_value(value: &Value) -> Result<Self, String> {
        FreeText::from_value(value).map(|text| Self(text.0))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).min_length(Some(1)).max_length(Some(LONGEST_TITLE)).into()
    }
}

/// Renames one of the caller's own threads.
#[utoipa::path(
    patch,
    path = "/v2/api/workspaces/{workspaceId}/threads/{threadId}",
    tag = "Chat",
    params(ThreadPath),
    request_body = RenameBody,
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = ListedThread),
        (status = "default", description = refusals![MissingCredentials, NotFound]),
    ),
)]
pub async fn rename_thread(
    State(app): State<App>,
    Path(path): Path<ThreadPath>,
    Authorized { caller, body, .. }: Authorized<Viewer>,
) -> Result<Answer<ListedThread>> {
    let RenameBody { title } = RenameBody::of(&body, &app.settings.limits)?;
    threads::rename(&app, &caller, path.workspace_id, path.thread_id, &title.0).await.map(|thread| Answer(thread.into()))
}

/// A deleted thread.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeletedThread {
    thread_id: ThreadId,
}

/// Deletes one of the caller's own threads.
#[utoipa::path(
    delete,
    path = "/v2/api/workspaces/{workspaceId}/threads/{threadId}",
    tag = "Chat",
    params(ThreadPath),
    security(("userToken" = []), ("tenantToken" = [])),
    responses(
        (status = 200, body = DeletedThread),
        (status = "default", description = refusals![MissingCredentials, NotFound]),
    ),
)]
pub async fn delete_thread(
    State(app): State<App>,
    Path(path): Path<ThreadPath>,
    Authorized { caller, .. }: Authorized<Viewer>,
) -> Result<Answer<DeletedThread>> {
    threads::delete(&app, &caller, path.workspace_id, path.thread_id).await?;
    Ok(Answer(DeletedThread { thread_id: path.thread_id }))
}
