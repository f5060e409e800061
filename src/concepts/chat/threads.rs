//! A user's threads: list, open, rename, delete; and the ratings of answers.

use super::{
    OpenWorkspace, ViewerLocale,
    ask::WITHHELD,
    message::{Feedback, LONGEST_TITLE, Message, MessageState, Thread},
    pins::Source,
    store::{self, Shelf},
};
use crate::{
    concepts::{
        access::{Viewer, caller::Reach},
        dashboards::writer::Writer,
        workspaces,
    },
    ground::{
        error::{Error, Kind, Result},
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
const MOST_THREADS: i64 = 200;

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

/// The viewer's own threads, newest first. With a search text: only those that contain it. Answers that [`open`] withholds are not searched.
///
/// # Errors
/// 404 for a workspace out of reach.
pub async fn list(app: &App, viewer: &Viewer, workspace: WorkspaceId, search: &str) -> Result<Vec<Thread>> {
    let shelf = shelf(&mut app.db.read().await?.conn(), viewer, workspace).await?;
    let key = if search.trim().is_empty() { None } else { data_key(app, viewer, workspace).await? };
    store::threads(&mut app.db.read().await?.conn(), shelf, search, key.as_deref(), MOST_THREADS).await
}

/// The key of the rows that the viewer may see now. `None` while the workspace is not in production.
async fn data_key(app: &App, viewer: &Viewer, workspace: WorkspaceId) -> Result<Option<String>> {
    match OpenWorkspace::open(app, viewer, workspace, &ViewerLocale::default()).await {
        Ok(open_workspace) => Ok(Some(open_workspace.data_scope.data_key())),
        Err(problem) if problem.kind() == Kind::Conflict => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// One of the viewer's threads with its messages. Answers from a time when the viewer could see other rows than now are withheld, text included. So is
/// every answer while the workspace is not in production.
///
/// # Errors
/// 404 for a workspace or thread out of reach.
pub async fn open(app: &App, viewer: &Viewer, workspace: WorkspaceId, id: ThreadId) -> Result<(Thread, Vec<Message>)> {
    let mut lease = app.db.read().await?;
    let conn = &mut lease.conn();
    let shelf = shelf(conn, viewer, workspace).await?;
    let thread = store::find(conn, shelf, id).await?.ok_or_else(missing)?;
    let mut messages = store::messages(conn, id).await?;
    drop(lease);
    let key = data_key(app, viewer, workspace).await?;
    let answers = messages.iter_mut().filter(|message| message.role == Role::Assistant);
    answers.filter(|answer| key.is_none() || answer.data_key != key).for_each(withhold);
    Ok((thread, messages))
}

/// Withholds an answer's text and rows. Its charts stay: they are drawn from the rows that the viewer sees now.
fn withhold(answer: &mut Message) {
    WITHHELD.clone_into(&mut answer.text);
    answer.steps.clear();
    for result in &mut answer.results {
        if let Some(result) = result.result.as_object_mut() {
            result.remove("data");
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
