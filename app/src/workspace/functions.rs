//! The server functions of a workspace's page. Each hands its request, with the caller's token, to the `WorkspaceBackend`.
#![expect(missing_docs, reason = "the macro makes a field of each argument and cannot document it")]

#[cfg(feature = "ssr")]
use super::service::caller;
use super::wire::{OpenedWorkspace, PinView, Place, ThreadEntry, ThreadView};
use crate::{
    backend::{PageAddress, Refusal, client::BearerClient},
    chat::wire::{AnswerChart, ChartSource},
};
use inlay_contract::{
    chart::definition::ChartType,
    ids::{MessageId, PinId, ProjectUserId, ThreadId},
};
use leptos::{prelude::*, server_fn::codec::Json};

/// The whole page at an address.
///
/// # Errors
/// The token is refused. A page that is not there is no error but a page with that message.
#[server(prefix = "/share/fn/workspace", endpoint = "open", input = Json, output = Json, client = BearerClient)]
pub async fn open_workspace(address: PageAddress) -> Result<OpenedWorkspace, Refusal> {
    let (backend, token) = caller()?;
    backend.open(&token, address).await.map_err(Refusal)
}

/// Whose token this is, when it is valid for the workspace.
///
/// # Errors
/// The token is refused.
#[server(prefix = "/share/fn/workspace", endpoint = "check-token", input = Json, output = Json, client = BearerClient)]
pub async fn check_workspace_token(address: PageAddress) -> Result<ProjectUserId, Refusal> {
    let (backend, token) = caller()?;
    backend.check_token(&token, address).await.map_err(Refusal)
}

/// The viewer's threads, newest first; those that hold a text, when it is not empty.
///
/// # Errors
/// The token is refused.
#[server(prefix = "/share/fn/workspace", endpoint = "threads", input = Json, output = Json, client = BearerClient)]
pub async fn list_threads(address: PageAddress, search: String) -> Result<Vec<ThreadEntry>, Refusal> {
    let (backend, token) = caller()?;
    backend.threads(&token, address, search).await.map_err(Refusal)
}

/// One of the viewer's threads.
///
/// # Errors
/// The token is refused, or there is no such thread.
#[server(prefix = "/share/fn/workspace", endpoint = "thread", input = Json, output = Json, client = BearerClient)]
pub async fn open_thread(address: PageAddress, thread: ThreadId) -> Result<ThreadView, Refusal> {
    let (backend, token) = caller()?;
    backend.thread(&token, address, thread).await.map_err(Refusal)
}

/// Gives a thread another title; deletes it when there is none.
///
/// # Errors
/// The token is refused, there is no such thread, or the title is empty or endless.
#[server(prefix = "/share/fn/workspace", endpoint = "keep-thread", input = Json, output = Json, client = BearerClient)]
pub async fn keep_thread(address: PageAddress, thread: ThreadId, title: Option<String>) -> Result<(), Refusal> {
    let (backend, token) = caller()?;
    backend.keep_thread(&token, address, thread, title).await.map_err(Refusal)
}

/// Keeps what the viewer thinks of an answer.
///
/// # Errors
/// The token is refused, or there is no such answer.
#[server(prefix = "/share/fn/workspace", endpoint = "rate", input = Json, output = Json, client = BearerClient)]
pub async fn rate(address: PageAddress, answer: MessageId, helpful: Option<bool>) -> Result<(), Refusal> {
    let (backend, token) = caller()?;
    backend.rate(&token, address, answer, helpful).await.map_err(Refusal)
}

/// Saves an answer's chart to the library; the name that it got there.
///
/// # Errors
/// The token is refused, or there is no such chart.
#[server(prefix = "/share/fn/workspace", endpoint = "save-chart", input = Json, output = Json, client = BearerClient)]
pub async fn save_chart(address: PageAddress, source: ChartSource) -> Result<String, Refusal> {
    let (backend, token) = caller()?;
    backend.save_chart(&token, address, source).await.map_err(Refusal)
}

/// Gives an answer's chart another title and kind.
///
/// # Errors
/// The token is refused, there is no such chart, the viewer may not change it, or the kind does not fit its rows.
#[server(prefix = "/share/fn/workspace", endpoint = "edit-chart", input = Json, output = Json, client = BearerClient)]
pub async fn edit_chart(
    address: PageAddress,
    source: ChartSource,
    title: String,
    kind: ChartType,
) -> Result<AnswerChart, Refusal> {
    let (backend, token) = caller()?;
    backend.edit_chart(&token, address, source, title, kind).await.map_err(Refusal)
}

/// The charts that the viewer keeps in a place, their rows read anew.
///
/// # Errors
/// The token is refused.
#[server(prefix = "/share/fn/workspace", endpoint = "pins", input = Json, output = Json, client = BearerClient)]
pub async fn list_pins(address: PageAddress, place: Place) -> Result<Vec<PinView>, Refusal> {
    let (backend, token) = caller()?;
    backend.pins(&token, address, place).await.map_err(Refusal)
}

/// Keeps an answer's chart in a place.
///
/// # Errors
/// The token is refused, there is no such chart, or there is no room.
#[server(prefix = "/share/fn/workspace", endpoint = "pin", input = Json, output = Json, client = BearerClient)]
pub async fn pin(address: PageAddress, place: Place, source: ChartSource) -> Result<(), Refusal> {
    let (backend, token) = caller()?;
    backend.pin(&token, address, place, source).await.map_err(Refusal)
}

/// Lets go of a chart.
///
/// # Errors
/// The token is refused, or there is no such chart.
#[server(prefix = "/share/fn/workspace", endpoint = "unpin", input = Json, output = Json, client = BearerClient)]
pub async fn unpin(address: PageAddress, pin: PinId) -> Result<(), Refusal> {
    let (backend, token) = caller()?;
    backend.unpin(&token, address, pin).await.map_err(Refusal)
}

/// Arranges the canvas: the order of its charts, and which take the whole width.
///
/// # Errors
/// The token is refused, or there is no such chart.
#[server(prefix = "/share/fn/workspace", endpoint = "arrange", input = Json, output = Json, client = BearerClient)]
pub async fn arrange(address: PageAddress, order: Vec<(PinId, bool)>) -> Result<(), Refusal> {
    let (backend, token) = caller()?;
    backend.arrange(&token, address, order).await.map_err(Refusal)
}

/// Makes a dashboard of the canvas.
///
/// # Errors
/// The token is refused, or the viewer may not add dashboards.
#[server(prefix = "/share/fn/workspace", endpoint = "save-canvas", input = Json, output = Json, client = BearerClient)]
pub async fn save_canvas(address: PageAddress, name: String) -> Result<(), Refusal> {
    let (backend, token) = caller()?;
    backend.save_canvas(&token, address, name).await.map_err(Refusal)
}
