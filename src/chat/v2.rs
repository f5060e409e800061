//! The chat's endpoints: `POST …/chat` as an event stream, and the threads (docs/spec/contract.md, section 7).

pub mod favorites;
pub mod stream;
pub mod threads;

use super::{Question, Surroundings, ask};
use crate::{
    access::{Authorized, Viewer},
    error::{Result, refusals},
    state::App,
    web::{Fields, Path, fields::FreeText},
};
use axum::{extract::State, response::Response};
use inlay_contract::ids::{MessageId, ThreadId, WorkspaceId};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// A workspace.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct WorkspacePath {
    workspace_id: WorkspaceId,
}

/// A thread of a workspace.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ThreadPath {
    workspace_id: WorkspaceId,
    thread_id: ThreadId,
}

/// A question.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body that the handler reads")]
struct ChatBody {
    /// The thread that it goes on; a new one begins without.
    thread_id: Option<ThreadId>,
    /// What is asked.
    #[schema(min_length = 1, max_length = 8000)]
    message: String,
    /// An earlier question of the thread: it and everything after it make place for this one.
    replaces: Option<MessageId>,
    /// What a database-native row policy reads.
    db_auth_token: Option<String>,
    /// The IANA zone whose days count; the project's when it is left out.
    timezone: Option<String>,
    /// BCP 47, for numbers in sentences; the project's when it is left out.
    locale: Option<String>,
}

/// Asks a workspace. The answer is a stream of events: each `data:` line is a JSON object. The first has the type `thread`, the
/// last `done` or `error`. Whoever closes the stream stops the answer; what was said until then is kept in the thread.
#[utoipa::path(
    post,
    path = "/v2/api/workspaces/{workspaceId}/chat",
    tag = "Chat",
    operation_id = "askWorkspace",
    params(WorkspacePath),
    request_body = ChatBody,
    security(("userToken" = [])),
    responses(
        (status = 200, body = stream::ChatEvent, content_type = "text/event-stream"),
        (status = "default", description = refusals![MissingCredentials, NotFound, WorkspaceNotPublished, AnswerInProgress]),
    ),
)]
pub async fn ask_workspace(
    State(app): State<App>,
    Path(path): Path<WorkspacePath>,
    Authorized { caller, body, .. }: Authorized<Viewer>,
) -> Result<Response> {
    let longest = app.settings.limits.chat_message_characters;
    let mut fields = Fields::of(&body);
    let message = fields.required::<FreeText>("message").map(|message| message.0);
    if message.as_ref().is_some_and(|message| message.trim().is_empty()) {
        fields.problem("message", "must not be empty");
    }
    if message.as_ref().is_some_and(|message| message.chars().count() > longest) {
        fields.problem("message", format!("must have at most {longest} characters"));
    }
    let thread = fields.optional("threadId");
    let replaces = fields.optional("replaces");
    if replaces.is_some() && thread.is_none() {
        fields.problem("threadId", "is required with `replaces`");
    }
    let database_auth = fields.optional::<FreeText>("dbAuthToken").map(|token| token.0);
    let timezone = fields.optional::<FreeText>("timezone").map(|zone| zone.0);
    let locale = fields.optional::<FreeText>("locale").map(|locale| locale.0);
    let message = fields.finish_with(message)?;
    let viewer = caller.with_database_auth(database_auth);
    let question = Question { thread, message, replaces, around: Surroundings { timezone, locale } };
    let answering = ask(&app, &viewer, path.workspace_id, question).await?;
    Ok(stream::respond(answering))
}
