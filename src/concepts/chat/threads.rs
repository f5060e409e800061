//! A user's threads: list, open, rename, delete; and the ratings of answers.

use super::{
    OpenWorkspace, ViewerLocale,
    ask::WITHHELD,
    message::{Feedback, LONGEST_TITLE, Message, MessageState, Thread},
    pins::Source,
    store::{self, Search, Shelf},
};
use crate::{
    concepts::{
        access::{Viewer, caller::Reach},
        dashboards::writer::Writer,
        workspaces,
    },
    ground::{
        error::{Error, Kind, Result},
        paging::Part,
        state::App,
        store::Conn,
    },
};
use inlay_assistant::Role;
use inlay_contract::{
    chart::definition::ChartDefinition,
    ids::{MessageId, ThreadId, WorkspaceId},
    permissions::Flag,
};

/// The maximum number of threads in a list.
pub const MOST_THREADS: usize = 200;

/// The place of a thread in the list: when it was used last, and its id.
pub type Place = (i64, ThreadId);

/// The messages of a thread that are read.
#[derive(Clone, Copy, Debug)]
pub enum Shown {
    /// At most so many after a position, or from the beginning.
    After(Option<i64>, usize),
    /// The last ones, or the last ones before a question of the thread. The part's `next` is the position of the first, if
    /// there are earlier ones.
    Last {
        /// The question.
        before: Option<MessageId>,
        /// How many.
        most: usize,
    },
}

/// The shelf (user and workspace) of a viewer who may see the workspace.
///
/// # Errors
/// 404 for a workspace out of reach.
pub async fn shelf(conn: &mut Conn<'_>, viewer: &Viewer, workspace: WorkspaceId) -> Result<Shelf> {
    let found = workspaces::find_within(conn, Reach::Project(viewer.project), workspace).await?;
    found.ok_or_else(|| Error::not_found("Workspace"))?;
    Ok(Shelf { workspace, user: viewer.user })
}

/// The shelf of a viewer for a change. Members who preview are refused.
///
/// # Errors
/// 403 `VIEWING_AS`, 404 for a workspace out of reach.
pub async fn own_shelf(conn: &mut Conn<'_>, viewer: &Viewer, workspace: WorkspaceId) -> Result<Shelf> {
    viewer.acting().may_change()?;
    shelf(conn, viewer, workspace).await
}

/// The viewer's own threads after a place, newest first. With a search text: only those that contain it. Answers that [`open`]
/// withholds are not searched.
///
/// # Errors
/// 404 for a workspace out of reach.
pub async fn list(
    app: &App,
    viewer: &Viewer,
    workspace: WorkspaceId,
    search: &str,
    after: Option<Place>,
    most: usize,
) -> Result<Part<Thread, Place>> {
    let shelf = shelf(&mut app.db.read().await?.conn(), viewer, workspace).await?;
    let key = if search.trim().is_empty() { None } else { data_key(app, viewer, workspace).await? };
    let wanted = Search { text: search, data_key: key.as_deref(), after };
    let to_read = Part::<Thread, Place>::to_read(most);
    let rows = store::threads(&mut app.db.read().await?.conn(), shelf, wanted, to_read).await?;
    Ok(Part::of(rows, most, |last| (last.updated_at.0, last.id)))
}

/// The key of the rows that the viewer may see now. `None` while the workspace is not in production.
async fn data_key(app: &App, viewer: &Viewer, workspace: WorkspaceId) -> Result<Option<String>> {
    match OpenWorkspace::open(app, viewer, workspace, &ViewerLocale::default()).await {
        Ok(open_workspace) => Ok(Some(open_workspace.data_scope.data_key())),
        Err(problem) if problem.kind() == Kind::Conflict => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// One of the viewer's threads with messages of it. Answers from a time when the viewer could see other rows than now are
/// withheld, text included. So is every answer while the workspace is not in production.
///
/// # Errors
/// 404 for a workspace or thread out of reach, and for a question that is none of the thread's.
pub async fn open(
    app: &App,
    viewer: &Viewer,
    workspace: WorkspaceId,
    id: ThreadId,
    shown: Shown,
) -> Result<(Thread, Part<Message, i64>)> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let shelf = shelf(conn, viewer, workspace).await?;
    let thread = store::find(conn, shelf, id).await?.ok_or_else(missing)?;
    let mut messages = match shown {
        Shown::After(after, most) => {
            let rows = store::messages(conn, id, after.unwrap_or(-1), Part::<Message, i64>::to_read(most)).await?;
            Part::of(rows, most, |last| last.position)
        }
        Shown::Last { before, most } => {
            let end = match before {
                Some(question) => store::question_at(conn, id, question).await?.ok_or_else(|| Error::not_found("Message"))?,
                None => i64::MAX,
            };
            let mut rows = store::last_messages(conn, id, end, Part::<Message, i64>::to_read(most)).await?;
            let earlier = rows.len().saturating_sub(most);
            rows.drain(..earlier);
            let next = rows.first().filter(|_| earlier > 0).map(|first| first.position);
            Part { entries: rows, next }
        }
    };
    drop(lease);
    let key = data_key(app, viewer, workspace).await?;
    let answers = messages.entries.iter_mut().filter(|message| message.role == Role::Assistant);
    answers.filter(|answer| key.is_none() || answer.data_key != key).for_each(withhold);
    Ok((thread, messages))
}

/// Withholds an answer's text, rows and what tells of them. Its charts stay: they are drawn from the rows that the viewer sees now.
fn withhold(answer: &mut Message) {
    WITHHELD.clone_into(&mut answer.text);
    answer.steps.clear();
    for result in &mut answer.results {
        if let Some(result) = result.result.as_object_mut() {
            result.retain(|part, _| part == "chartConfig");
        }
    }
}

/// Renames one of the viewer's threads.
///
/// # Errors
/// 400 for an empty or too long title, 404 for a workspace or thread out of reach.
pub async fn rename(app: &App, viewer: &Viewer, workspace: WorkspaceId, id: ThreadId, title: &str) -> Result<Thread> {
    let title = title.trim();
    if title.is_empty() || title.chars().count() > LONGEST_TITLE {
        return Err(Error::invalid("title", format!("must have 1 to {LONGEST_TITLE} characters")));
    }
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let shelf = own_shelf(conn, viewer, workspace).await?;
    if !store::rename(conn, shelf, id, title).await? {
        return Err(missing());
    }
    let thread = store::find(conn, shelf, id).await?.ok_or_else(missing)?;
    tx.commit().await?;
    Ok(thread)
}

/// Deletes one of the viewer's threads.
///
/// # Errors
/// 404 for a workspace or thread out of reach.
pub async fn delete(app: &App, viewer: &Viewer, workspace: WorkspaceId, id: ThreadId) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let shelf = own_shelf(conn, viewer, workspace).await?;
    if !store::delete(conn, shelf, id).await? {
        return Err(missing());
    }
    tx.commit().await
}

/// Stores the viewer's rating of an answer. `None` removes it.
///
/// # Errors
/// 404 for a workspace or answer out of reach.
pub async fn rate(
    app: &App,
    viewer: &Viewer,
    workspace: WorkspaceId,
    answer: MessageId,
    feedback: Option<Feedback>,
) -> Result<()> {
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let shelf = own_shelf(conn, viewer, workspace).await?;
    if !store::rate(conn, shelf, answer, feedback).await? {
        return Err(Error::not_found("Message"));
    }
    tx.commit().await
}

/// Replaces the definition of an answer's chart. Its rows stay.
///
/// # Errors
/// 404 for a workspace, answer or chart out of reach, 403 `PERMISSION_DENIED` when the user's role does not allow it now.
pub async fn change_chart(
    app: &App,
    viewer: &Viewer,
    workspace: WorkspaceId,
    source: Source,
    definition: &ChartDefinition,
) -> Result<()> {
    let gone = || Error::not_found("Chart");
    let mut tx = app.db.write().await?;
    let conn = &mut tx.conn();
    let shelf = own_shelf(conn, viewer, workspace).await?;
    Writer::page(viewer).require_flag(conn, Flag::CanEditChartFromSession).await?;
    let mut message = store::locked_message(conn, shelf, source.message).await?.ok_or_else(gone)?;
    if message.state == MessageState::Answering {
        return Err(gone());
    }
    let result = message.results.get_mut(source.result).ok_or_else(gone)?;
    result.result["chartConfig"] = serde_json::to_value(definition).map_err(Error::internal)?;
    store::save_answer(conn, &message).await?;
    tx.commit().await
}

fn missing() -> Error {
    Error::not_found("Thread")
}
