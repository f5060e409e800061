//! Threads and messages in the store. Every lookup of a thread takes its user, so that another user's thread is not found.

mod open_questions;
mod tidy;

#[cfg(test)]
pub(crate) use open_questions::OpenQuestionRow;
pub use open_questions::{TIDY_QUESTIONS, Why, add as add_open_question, close, open_questions};
pub use tidy::TIDY;

use super::{
    message::{AnswerError, Feedback, Message, MessageState, Step, Thread},
    threads::Place,
};
use crate::{
    ground::{
        error::Result,
        store::{
            Conn,
            rows::{self, columns, row, sql},
        },
        time::Timestamp,
    },
    on,
};
use inlay_assistant::{Role, ToolResult};
use inlay_contract::ids::{MessageId, ProjectUserId, ThreadId, WorkspaceId};
use sqlx::types::Json;
use uuid::Uuid;

/// The user and the workspace of a lookup.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The user.
    pub user: ProjectUserId,
}

row! {
    /// A thread.
    pub(crate) struct ThreadRow in "chat_threads" {
        id: ThreadId,
        workspace_id: WorkspaceId,
        user_id: ProjectUserId,
        title: String,
        folded_title: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

impl From<ThreadRow> for Thread {
    fn from(row: ThreadRow) -> Self {
        Self {
            id: row.id,
            workspace: row.workspace_id,
            title: row.title,
            created_at: row.created_at,
            updated_at: row.updated_at,
        }
    }
}

/// A search for threads.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// Only threads whose title, questions or answers contain it. Empty for all.
    pub text: &'a str,
    /// Answers count only if they were written under this data key.
    pub data_key: Option<&'a str>,
    /// Only threads behind this place.
    pub after: Option<Place>,
}

/// The threads of a user, most recently used first.
pub async fn threads(conn: &mut Conn<'_>, shelf: Shelf, search: Search<'_>, most: i64) -> Result<Vec<Thread>> {
    const SQL: &str = sql!(
        "SELECT ",
        columns!(ThreadRow as t),
        " FROM chat_threads t WHERE t.workspace_id = $1 AND t.user_id = $2 AND (t.updated_at, t.id) < ($6, $7) AND (t.folded_title LIKE $3 ESCAPE '\\' OR EXISTS (SELECT 1 FROM \
        chat_messages m WHERE m.thread_id = t.id AND m.folded_text LIKE $3 ESCAPE '\\' \
        AND (m.role <> 'assistant' OR m.data_key = $5))) ORDER BY t.updated_at DESC, t.id DESC LIMIT $4"
    );
    let pattern = pattern(search.text);
    let (updated_at, id) = search.after.unwrap_or((i64::MAX, ThreadId(Uuid::max())));
    let rows = on!(conn, |c| {
        let select = sqlx::query_as::<_, ThreadRow>(SQL).bind(shelf.workspace).bind(shelf.user).bind(pattern);
        select.bind(most).bind(search.data_key).bind(updated_at).bind(id).fetch_all(c).await
    })?;
    Ok(rows.into_iter().map(Thread::from).collect())
}

/// Normalizes a text for search: lower case, without Markdown's marks.
fn folded(text: &str) -> String {
    text.to_lowercase().replace(['*', '`'], "")
}

/// A `LIKE` pattern that finds a text anywhere, with its wildcards escaped.
fn pattern(search: &str) -> String {
    let mut pattern = String::from("%");
    for letter in folded(search.trim()).chars() {
        if matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

/// A thread of a user.
pub async fn find(conn: &mut Conn<'_>, shelf: Shelf, id: ThreadId) -> Result<Option<Thread>> {
    const SQL: &str =
        sql!("SELECT ", columns!(ThreadRow), " FROM chat_threads WHERE id = $1 AND workspace_id = $2 AND user_id = $3");
    let found = on!(conn, |c| sqlx::query_as::<_, ThreadRow>(SQL)
        .bind(id)
        .bind(shelf.workspace)
        .bind(shelf.user)
        .fetch_optional(c)
        .await)?;
    Ok(found.map(Thread::from))
}

/// How many threads a user has in a workspace.
pub async fn count(conn: &mut Conn<'_>, shelf: Shelf) -> Result<i64> {
    const SQL: &str = "SELECT COUNT(*) FROM chat_threads WHERE user_id = $1 AND workspace_id = $2";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(shelf.user).bind(shelf.workspace).fetch_one(c).await)?)
}

/// Creates a thread.
pub async fn insert(conn: &mut Conn<'_>, shelf: Shelf, title: &str) -> Result<ThreadId> {
    let (id, now) = (ThreadId::generate(), Timestamp::now());
    let row = ThreadRow {
        id,
        workspace_id: shelf.workspace,
        user_id: shelf.user,
        title: title.to_owned(),
        folded_title: folded(title),
        created_at: now,
        updated_at: now,
    };
    rows::insert(conn, row).await?;
    Ok(id)
}

/// Updates a thread's time and locks it against other writers. Returns whether it exists.
pub async fn touch(conn: &mut Conn<'_>, shelf: Shelf, id: ThreadId) -> Result<bool> {
    const SQL: &str = "UPDATE chat_threads SET updated_at = $4 WHERE id = $1 AND workspace_id = $2 AND user_id = $3";
    let done = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user).bind(Timestamp::now());
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}

/// Changes a thread's title. Returns whether it exists.
pub async fn rename(conn: &mut Conn<'_>, shelf: Shelf, id: ThreadId, title: &str) -> Result<bool> {
    const SQL: &str =
        "UPDATE chat_threads SET title = $4, folded_title = $5 WHERE id = $1 AND workspace_id = $2 AND user_id = $3";
    let done = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user).bind(title);
        update.bind(folded(title)).execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}

/// Deletes a user's thread with its messages. Returns whether it existed.
pub async fn delete(conn: &mut Conn<'_>, shelf: Shelf, id: ThreadId) -> Result<bool> {
    const SQL: &str = "DELETE FROM chat_threads WHERE id = $1 AND workspace_id = $2 AND user_id = $3";
    let done = on!(conn, |c| {
        let delete = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user);
        delete.execute(c).await.map(|done| done.rows_affected())
    })?;
    Ok(done == 1)
}

row! {
    /// A message.
    pub(crate) struct MessageRow in "chat_messages" {
        id: MessageId,
        thread_id: ThreadId,
        position: i64,
        role: String,
        text: String,
        folded_text: String,
        steps: Json<Vec<Step>>,
        results: Json<Vec<ToolResult>>,
        state: String,
        problem: Option<Json<AnswerError>>,
        data_key: Option<String>,
        feedback: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

row! {
    /// A message, without the copy of its text for search.
    struct FoundMessage of MessageRow {
        id: MessageId,
        position: i64,
        role: String,
        text: String,
        steps: Json<Vec<Step>>,
        results: Json<Vec<ToolResult>>,
        state: String,
        problem: Option<Json<AnswerError>>,
        data_key: Option<String>,
        feedback: Option<String>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

fn message(row: FoundMessage, now: Timestamp) -> Message {
    Message {
        id: row.id,
        position: row.position,
        role: if row.role == "assistant" { Role::Assistant } else { Role::User },
        text: row.text,
        steps: row.steps.0,
        results: row.results.0,
        state: MessageState::read(&row.state, row.updated_at, now),
        problem: row.problem.map(|Json(problem)| problem),
        data_key: row.data_key,
        feedback: row.feedback.as_deref().and_then(Feedback::named),
        created_at: row.created_at,
        updated_at: row.updated_at,
    }
}

const MESSAGES: &str = sql!("SELECT ", columns!(FoundMessage as m), " FROM chat_messages m");

/// The messages of a thread after a position, in order. The caller must have checked that the thread belongs to its user.
pub async fn messages(conn: &mut Conn<'_>, thread: ThreadId, after: i64, most: i64) -> Result<Vec<Message>> {
    const SQL: &str = sql!(MESSAGES, " WHERE m.thread_id = $1 AND m.position > $2 ORDER BY m.position LIMIT $3");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundMessage>(SQL).bind(thread).bind(after).bind(most).fetch_all(c).await)?;
    let now = Timestamp::now();
    Ok(rows.into_iter().map(|row| message(row, now)).collect())
}

/// The last messages of a thread before a position, in order. The caller must have checked that the thread belongs to its user.
pub async fn last_messages(conn: &mut Conn<'_>, thread: ThreadId, before: i64, most: i64) -> Result<Vec<Message>> {
    const SQL: &str = sql!(MESSAGES, " WHERE m.thread_id = $1 AND m.position < $2 ORDER BY m.position DESC LIMIT $3");
    let rows = on!(conn, |c| sqlx::query_as::<_, FoundMessage>(SQL).bind(thread).bind(before).bind(most).fetch_all(c).await)?;
    let now = Timestamp::now();
    Ok(rows.into_iter().rev().map(|row| message(row, now)).collect())
}

/// The position of a question in a thread.
pub async fn question_at(conn: &mut Conn<'_>, thread: ThreadId, id: MessageId) -> Result<Option<i64>> {
    const SQL: &str = "SELECT position FROM chat_messages WHERE id = $1 AND thread_id = $2 AND role = 'user'";
    Ok(on!(conn, |c| sqlx::query_scalar(SQL).bind(id).bind(thread).fetch_optional(c).await)?)
}

/// A message of a user, in any of their threads of the workspace.
pub async fn find_message(conn: &mut Conn<'_>, shelf: Shelf, id: MessageId) -> Result<Option<Message>> {
    const SQL: &str =
        sql!(MESSAGES, " JOIN chat_threads t ON t.id = m.thread_id WHERE m.id = $1 AND t.workspace_id = $2 AND t.user_id = $3");
    let found = on!(conn, |c| {
        let select = sqlx::query_as::<_, FoundMessage>(SQL).bind(id).bind(shelf.workspace).bind(shelf.user);
        select.fetch_optional(c).await
    })?;
    Ok(found.map(|row| message(row, Timestamp::now())))
}

/// The same, locked against other writers until this transaction ends.
pub async fn locked_message(conn: &mut Conn<'_>, shelf: Shelf, id: MessageId) -> Result<Option<Message>> {
    const SQL: &str = "UPDATE chat_messages SET state = state WHERE id = $1";
    on!(conn, |c| sqlx::query(SQL).bind(id).execute(c).await.map(drop))?;
    find_message(conn, shelf, id).await
}

/// Adds a message to a thread.
pub async fn insert_message(conn: &mut Conn<'_>, thread: ThreadId, message: &Message) -> Result<()> {
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let row = MessageRow {
        id: message.id,
        thread_id: thread,
        position: message.position,
        role: role.to_owned(),
        text: message.text.clone(),
        folded_text: folded(&message.text),
        steps: Json(message.steps.clone()),
        results: Json(message.results.clone()),
        state: message.state.name().to_owned(),
        problem: message.problem.clone().map(Json),
        data_key: message.data_key.clone(),
        feedback: message.feedback.map(|feedback| feedback.name().to_owned()),
        created_at: message.created_at,
        updated_at: message.updated_at,
    };
    Ok(rows::insert(conn, row).await?)
}

/// Stores an answer so far.
pub async fn save_answer(conn: &mut Conn<'_>, answer: &Message) -> Result<()> {
    const SQL: &str = "UPDATE chat_messages SET text = $2, folded_text = $3, steps = $4, results = $5, state = $6, \
        problem = $7, updated_at = $8 WHERE id = $1";
    on!(conn, |c| {
        let update = sqlx::query(SQL).bind(answer.id).bind(&answer.text).bind(folded(&answer.text));
        let update = update.bind(Json(&answer.steps)).bind(Json(&answer.results)).bind(answer.state.name());
        update.bind(answer.problem.as_ref().map(Json)).bind(Timestamp::now()).execute(c).await.map(drop)
    })?;
    Ok(())
}

/// Deletes a thread's messages from this position on.
pub async fn cut(conn: &mut Conn<'_>, thread: ThreadId, from: i64) -> Result<()> {
    const SQL: &str = "DELETE FROM chat_messages WHERE thread_id = $1 AND position >= $2";
    on!(conn, |c| sqlx::query(SQL).bind(thread).bind(from).execute(c).await.map(drop))?;
    Ok(())
}

/// Stores a user's rating of an answer. Returns whether the answer exists.
pub async fn rate(conn: &mut Conn<'_>, shelf: Shelf, id: MessageId, feedback: Option<Feedback>) -> Result<bool> {
    const SQL: &str = "UPDATE chat_messages SET feedback = $4 WHERE id = $1 AND role = 'assistant' AND thread_id IN \
        (SELECT t.id FROM chat_threads t WHERE t.workspace_id = $2 AND t.user_id = $3)";
    let done = on!(conn, |c| {
        let update = sqlx::query(SQL).bind(id).bind(shelf.workspace).bind(shelf.user).bind(feedback.map(Feedback::name));
        update.execute(c).await.map(|done| done.rows_affected())
    })?;
    if done == 1 {
        open_questions::rate(conn, shelf, id, feedback).await?;
    }
    Ok(done == 1)
}
