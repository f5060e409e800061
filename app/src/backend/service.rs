//! The server's side: the trait that it implements, and how a request finds it.

use super::{
    ChoicesRequest, DashboardRequest, Drawn, DrillRequest, Drilled, OpenedDashboard, PageAddress, PictureRequest, Refusal,
    Scope, TileRequest, TokenCheck,
    editing::{self, PreviewRequest, Target},
    functions,
    reporting::{self, Answer, Ask},
};
use async_trait::async_trait;
use axum::{
    body::{Body, to_bytes},
    response::IntoResponse,
};
use http::{Request, Response, StatusCode, header::AUTHORIZATION, request::Parts};
use inlay_contract::{
    code::Code,
    edit::{DashboardEdit, EditableChart, LibraryChart, OfferedSource, SavedDashboard},
    ids::{ApplicationId, ChartId, DashboardId},
    page::{Choice, EmbedPage, Filters, Problem, TileContent},
};
use leptos::prelude::*;
use leptos::server_fn::{axum::register_explicit, error::SERVER_FN_ERROR_HEADER};
use std::sync::Arc;

/// What the pages need of the server. `token` is the caller's project-user token, unverified; every method verifies it first.
/// Problems carry the API's codes and a sentence for the viewer's eyes.
#[async_trait]
pub trait EmbedBackend: Send + Sync {
    /// The page at an address, as the first `GET` would show it.
    async fn open_page(&self, token: &str, address: PageAddress) -> Result<EmbedPage, Problem>;
    /// Another dashboard of the application.
    async fn open_dashboard(&self, token: &str, request: DashboardRequest) -> Result<Drawn<OpenedDashboard>, Problem>;
    /// One chart's rows.
    async fn tile_data(&self, token: &str, request: TileRequest) -> Result<Drawn<TileContent>, Problem>;
    /// One chart's picture as SVG: its plot, or the whole card of a chart that is HTML.
    async fn tile_picture(&self, token: &str, request: PictureRequest) -> Result<Option<String>, Problem>;
    /// What is behind a mark of a chart.
    async fn drill_down(&self, token: &str, request: DrillRequest) -> Result<Drilled, Problem>;
    /// The filters that a mark of a chart stands for.
    async fn mark_filters(&self, token: &str, request: DrillRequest) -> Result<Filters, Problem>;
    /// The full keys of the filters on columns that do not exist for the viewer.
    async fn refused_filters(&self, token: &str, request: DashboardRequest) -> Result<Vec<String>, Problem>;
    /// A dashboard as a PDF, in base64.
    async fn dashboard_file(&self, token: &str, request: DashboardRequest) -> Result<String, Problem>;
    /// A chart's rows as an Excel workbook, in base64.
    async fn chart_file(&self, token: &str, request: TileRequest) -> Result<String, Problem>;
    /// A select filter's values.
    async fn filter_choices(&self, token: &str, request: ChoicesRequest) -> Result<Vec<Choice>, Problem>;
    /// Whose token it is, when it is valid for the application's project.
    async fn check_token(&self, token: &str, application: ApplicationId) -> Result<TokenCheck, Problem>;
}

/// What the tools of editing need of the server. As with the pages, every method verifies the token first; it then asks what the
/// user's role allows now.
#[async_trait]
pub trait EditBackend: Send + Sync {
    /// Saves an edited dashboard.
    async fn save(&self, token: &str, target: Target, edit: DashboardEdit) -> Result<SavedDashboard, Problem>;
    /// A chart's rows as it would be.
    async fn preview(&self, token: &str, request: PreviewRequest) -> Result<Drawn<TileContent>, Problem>;
    /// The charts that may be added.
    async fn library(&self, token: &str, target: Target) -> Result<Vec<LibraryChart>, Problem>;
    /// The tables that a chart may be made of.
    async fn tables(&self, token: &str, target: Target) -> Result<Vec<OfferedSource>, Problem>;
    /// A chart of the dashboard, for its editor.
    async fn chart(&self, token: &str, target: Target, chart: ChartId) -> Result<EditableChart, Problem>;
    /// Makes an empty dashboard.
    async fn create(&self, token: &str, scope: Scope, name: String) -> Result<DashboardId, Problem>;
    /// Makes one more dashboard of a dashboard.
    async fn duplicate(&self, token: &str, target: Target, name: String) -> Result<DashboardId, Problem>;
    /// Makes a dashboard open first for the user.
    async fn set_default(&self, token: &str, target: Target) -> Result<(), Problem>;
}

/// What the dialog of scheduled reports needs of the server. It verifies the token first, then asks what the organization and the
/// user's role allow now.
#[async_trait]
pub trait ReportBackend: Send + Sync {
    /// Answers a question, or does what is asked.
    async fn reports(&self, token: &str, target: Target, ask: Ask) -> Result<Answer, Problem>;
}

/// The pages' backend as the server hands it in.
pub type SharedBackend = Arc<dyn EmbedBackend>;

/// The tools' backend as the server hands it in.
pub type SharedEditor = Arc<dyn EditBackend>;

/// Whatever answers the server functions.
#[derive(Clone)]
pub struct Backends {
    /// The pages.
    pub pages: SharedBackend,
    /// The tools of editing.
    pub editing: SharedEditor,
    /// Scheduled reports.
    pub reports: Arc<dyn ReportBackend>,
}

/// Registers the server functions. Call it once before serving: linkers may drop what only registers itself.
pub fn register() {
    register_explicit::<functions::OpenPage>();
    register_explicit::<functions::OpenDashboard>();
    register_explicit::<functions::TileData>();
    register_explicit::<functions::TilePicture>();
    register_explicit::<functions::DrillDown>();
    register_explicit::<functions::MarkFilters>();
    register_explicit::<functions::RefusedFilters>();
    register_explicit::<functions::DashboardFile>();
    register_explicit::<functions::ChartFile>();
    register_explicit::<functions::FilterChoices>();
    register_explicit::<functions::CheckToken>();
    register_explicit::<editing::SaveDashboard>();
    register_explicit::<editing::PreviewChart>();
    register_explicit::<editing::ChartLibrary>();
    register_explicit::<editing::OfferedTables>();
    register_explicit::<editing::OpenChart>();
    register_explicit::<editing::CreateDashboard>();
    register_explicit::<editing::DuplicateDashboard>();
    register_explicit::<editing::DefaultDashboard>();
    register_explicit::<reporting::AskReports>();
}

/// Answers a `POST /share/fn/…`: JSON in, JSON out. A refusal is `{"code","message"}` with its status.
pub async fn answer(backends: Backends, request: Request<Body>) -> Response<Body> {
    let provide = move || provide_context(backends.clone());
    answer_with(provide, request).await
}

/// Answers a server function's request; `provide` puts what it needs into its context.
pub(crate) async fn answer_with(provide: impl Fn() + Clone + Send + 'static, request: Request<Body>) -> Response<Body> {
    let mut response = leptos_axum::handle_server_fns_with_context(provide, request).await.into_response();
    if response.headers_mut().remove(SERVER_FN_ERROR_HEADER).is_none() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, LONGEST_REFUSAL).await.unwrap_or_default();
    let refusal: Option<Refusal> = serde_json::from_slice(&body).ok();
    if let Some(status) = refusal.and_then(|refusal| StatusCode::from_u16(refusal.status()).ok()) {
        parts.status = status;
    }
    Response::from_parts(parts, Body::from(body))
}

/// A refusal is one sentence; in bytes, with room to spare.
const LONGEST_REFUSAL: usize = 64 * 1024;

/// The pages' backend and the caller's token.
///
/// # Errors
/// The request carries no token.
pub(super) fn caller() -> Result<(SharedBackend, String), Refusal> {
    let (backends, token) = called()?;
    Ok((backends.pages, token))
}

/// The tools' backend and the caller's token.
///
/// # Errors
/// The request carries no token.
pub(super) fn editor() -> Result<(SharedEditor, String), Refusal> {
    let (backends, token) = called()?;
    Ok((backends.editing, token))
}

/// The reports' backend and the caller's token.
///
/// # Errors
/// The request carries no token.
pub(super) fn reporter() -> Result<(Arc<dyn ReportBackend>, String), Refusal> {
    let (backends, token) = called()?;
    Ok((backends.reports, token))
}

fn called() -> Result<(Backends, String), Refusal> {
    let backends = use_context().ok_or_else(|| Refusal::new(Code::Unavailable, "Please try again in a moment."))?;
    let token = bearer().ok_or_else(|| Refusal::new(Code::MissingCredentials, "Invalid or missing token."))?;
    Ok((backends, token))
}

/// The token that a request carries.
pub(crate) fn bearer() -> Option<String> {
    let parts = use_context::<Parts>()?;
    let header = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty()).then(|| token.trim().to_owned())
}
