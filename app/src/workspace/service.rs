//! The server's side: the trait that it implements, and how a request finds it.

use super::{
    functions,
    wire::{OpenedWorkspace, PinView, Place, ThreadEntry, ThreadView},
};
use crate::{
    backend::{PageAddress, Refusal, answer_with, bearer},
    chat::wire::{AnswerChart, ChartSource},
};
use async_trait::async_trait;
use axum::body::Body;
use http::{Request, Response};
use inlay_contract::{
    chart::definition::ChartType,
    code::Code,
    ids::{MessageId, PinId, ProjectUserId, ThreadId},
    page::Problem,
};
use leptos::prelude::*;
use leptos::server_fn::axum::register_explicit;
use std::sync::Arc;

/// What a workspace's page needs of the server. `token` is the caller's project-user token, unverified; every method verifies it
/// first. Problems carry the API's codes and a sentence for the viewer's eyes.
#[async_trait]
pub trait WorkspaceBackend: Send + Sync {
    /// The page at an address, as the first `GET` would show it.
    async fn open(&self, token: &str, address: PageAddress) -> Result<OpenedWorkspace, Problem>;
    /// Whose token it is, when it is valid for the workspace's project.
    async fn check_token(&self, token: &str, address: PageAddress) -> Result<ProjectUserId, Problem>;
    /// The viewer's threads.
    async fn threads(&self, token: &str, address: PageAddress, search: String) -> Result<Vec<ThreadEntry>, Problem>;
    /// One of them.
    async fn thread(&self, token: &str, address: PageAddress, thread: ThreadId) -> Result<ThreadView, Problem>;
    /// Gives a thread another title, or deletes it.
    async fn keep_thread(
        &self,
        token: &str,
        address: PageAddress,
        thread: ThreadId,
        title: Option<String>,
    ) -> Result<(), Problem>;
    /// Keeps what the viewer thinks of an answer.
    async fn rate(&self, token: &str, address: PageAddress, answer: MessageId, helpful: Option<bool>) -> Result<(), Problem>;
    /// Saves an answer's chart to the library; its name there.
    async fn save_chart(&self, token: &str, address: PageAddress, source: ChartSource) -> Result<String, Problem>;
    /// Gives an answer's chart another title and kind.
    async fn edit_chart(
        &self,
        token: &str,
        address: PageAddress,
        source: ChartSource,
        title: String,
        kind: ChartType,
    ) -> Result<AnswerChart, Problem>;
    /// The charts that the viewer keeps in a place.
    async fn pins(&self, token: &str, address: PageAddress, place: Place) -> Result<Vec<PinView>, Problem>;
    /// Keeps an answer's chart in a place.
    async fn pin(&self, token: &str, address: PageAddress, place: Place, source: ChartSource) -> Result<(), Problem>;
    /// Lets go of a chart.
    async fn unpin(&self, token: &str, address: PageAddress, pin: PinId) -> Result<(), Problem>;
    /// Arranges the canvas.
    async fn arrange(&self, token: &str, address: PageAddress, order: Vec<(PinId, bool)>) -> Result<(), Problem>;
    /// Makes a dashboard of the canvas.
    async fn save_canvas(&self, token: &str, address: PageAddress, name: String) -> Result<(), Problem>;
}

/// The backend as the server hands it in.
pub type SharedWorkspaces = Arc<dyn WorkspaceBackend>;

/// Registers the server functions. Call it once before serving: linkers may drop what only registers itself.
pub fn register() {
    register_explicit::<functions::OpenWorkspace>();
    register_explicit::<functions::CheckWorkspaceToken>();
    register_explicit::<functions::ListThreads>();
    register_explicit::<functions::OpenThread>();
    register_explicit::<functions::KeepThread>();
    register_explicit::<functions::Rate>();
    register_explicit::<functions::SaveChart>();
    register_explicit::<functions::EditChart>();
    register_explicit::<functions::ListPins>();
    register_explicit::<functions::Pin>();
    register_explicit::<functions::Unpin>();
    register_explicit::<functions::Arrange>();
    register_explicit::<functions::SaveCanvas>();
}

/// Answers a `POST /share/fn/workspace/…`: JSON in, JSON out. A refusal is `{"code","message"}` with its status.
pub async fn answer(backend: SharedWorkspaces, request: Request<Body>) -> Response<Body> {
    answer_with(move || provide_context(SharedWorkspaces::clone(&backend)), request).await
}

/// The backend and the caller's token.
///
/// # Errors
/// The request carries no token.
pub(super) fn caller() -> Result<(SharedWorkspaces, String), Refusal> {
    let backend = use_context().ok_or_else(|| Refusal::new(Code::Unavailable, "Please try again in a moment."))?;
    let token = bearer().ok_or_else(|| Refusal::new(Code::MissingCredentials, "Invalid or missing token."))?;
    Ok((backend, token))
}
