//! The chat's endpoints: `POST …/chat` as an event stream, and the threads (docs/spec/contract.md, section 7).

pub mod favorites;
pub mod stream;
pub mod threads;

use crate::{
    concepts::{
        access::{Authorized, Viewer},
        chat::{Question, ViewerLocale, ask},
    },
    ground::{
        config::limits::{CHAT_MESSAGE_CHARACTERS, Limits},
        error::{Result, refusals},
        state::App,
        web::{
            Body, Path,
            body::{BodyField, BodyObject, FreeText, Reader, body, simple},
        },
    },
};
use axum::{extract::State, response::Response};
use inlay_contract::ids::{MessageId, ThreadId, WorkspaceId};
use serde::Deserialize;
use serde_json::Value;
use utoipa::{
    IntoParams,
    openapi::{RefOr, Schema, Type},
};

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

body! {
    /// A question.
    struct ChatBody {
        /// The question's text.
        message: Words,
        /// The thread to continue. Without it, a new thread begins.
        thread_id: Option<ThreadId>,
        /// An earlier question of the thread. The new question replaces it and everything after it. Requires `threadId`.
        replaces: Option<MessageId>,
        /// Token for a database's own row policies.
        db_auth_token: Option<FreeText>,
        /// IANA time zone for dates and times. Defaults to the project's.
        timezone: Option<FreeText>,
        /// BCP 47 language tag for numbers in sentences. Defaults to the project's.
        locale: Option<FreeText>,
    }
}

/// A question's text: not empty, and at most as long as the operator allows.
struct Words(String);

impl BodyField for Words {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let FreeText(words) = BodyField::read(sent, path, reader)?;
        let longest = reader.limits.chat_message_characters;
        if words.trim().is_empty() {
            reader.problem(path, "must not be empty");
            return None;
        }
        if words.chars().count() > longest {
            reader.problem(path, format!("must have at most {longest} characters"));
            return None;
        }
        Some(Self(words))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).min_length(Some(1)).max_length(Some(CHAT_MESSAGE_CHARACTERS)).into()
    }
}

impl ChatBody {
    fn checked(body: &Body, limits: &Limits) -> Result<Self> {
        let mut reader = Reader::new(limits);
        let read = Self::fields(body, "", &mut reader);
        let replaces = reader.field::<Option<MessageId>>(body, "", "replaces").flatten();
        let thread = reader.field::<Option<ThreadId>>(body, "", "threadId").flatten();
        if replaces.is_some() && thread.is_none() {
            reader.problem("threadId", "is required with `replaces`");
        }
        reader.finish(read)
    }
}

/// Asks a workspace a question.
///
/// The response is a stream of events: each `data:` line is a JSON object. The first event has the type `thread`, the last
/// `done` or `error`. Closing the stream stops the answer; the text so far stays in the thread.
#[utoipa::path(
    post,
    path = "/v2/api/workspaces/{workspaceId}/chat",
    tag = "Chat",
    operation_id = "askWorkspace",
    params(WorkspacePath),
    request_body = ChatBody,
    security(("userToken" = []), ("tenantToken" = [])),
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
    let sent = ChatBody::checked(&body, &app.settings.limits)?;
    let text = |field: Option<FreeText>| field.map(|text| text.0);
    let viewer = caller.with_database_auth(text(sent.db_auth_token));
    let viewer_locale = ViewerLocale { timezone: text(sent.timezone), locale: text(sent.locale) };
    let question = Question { thread: sent.thread_id, message: sent.message.0, replaces: sent.replaces, viewer_locale };
    let answering = ask(&app, &viewer, path.workspace_id, question).await?;
    Ok(stream::respond(answering))
}
