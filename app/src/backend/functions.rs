//! The server functions. Each hands its request, with the caller's token, to the `EmbedBackend`.
#![expect(missing_docs, reason = "the macro makes a field of each argument and cannot document it")]

#[cfg(feature = "ssr")]
use super::service::caller;
use super::{
    ChoicesRequest, DashboardRequest, Drawn, DrillRequest, Drilled, OpenedDashboard, OpenedPage, PageAddress, PictureRequest,
    Refusal, TileRequest, TokenCheck, client::BearerClient,
};
use inlay_contract::{
    ids::ApplicationId,
    page::{Choice, Filters, TileContent},
};
use leptos::{prelude::*, server_fn::codec::Json};

/// The whole page at an address.
///
/// # Errors
/// The token is refused. A page that is not there is no error but a page with that message.
#[server(prefix = "/share/fn", endpoint = "open-page", input = Json, output = Json, client = BearerClient)]
pub async fn open_page(address: PageAddress) -> Result<OpenedPage, Refusal> {
    let (backend, token) = caller()?;
    backend.open_page(&token, address).await.map(crate::ssr::opened).map_err(Refusal)
}

/// Another dashboard of the open application, its charts' rows with it.
///
/// # Errors
/// The token is refused, or the token sees no such dashboard (`NOT_FOUND`).
#[server(prefix = "/share/fn", endpoint = "open-dashboard", input = Json, output = Json, client = BearerClient)]
pub async fn open_dashboard(request: DashboardRequest) -> Result<Drawn<OpenedDashboard>, Refusal> {
    let (backend, token) = caller()?;
    backend.open_dashboard(&token, request).await.map_err(Refusal)
}

/// One chart's rows under the given filters.
///
/// # Errors
/// The token is refused, or the chart is not there. A query that fails is a `TileContent::Failed`.
#[server(prefix = "/share/fn", endpoint = "tile-data", input = Json, output = Json, client = BearerClient)]
pub async fn tile_data(request: TileRequest) -> Result<Drawn<TileContent>, Refusal> {
    let (backend, token) = caller()?;
    backend.tile_data(&token, request).await.map_err(Refusal)
}

/// A chart drawn as SVG: its plot as in the first HTML; the whole card of a chart that is HTML, as high as it needs. None of a
/// chart without rows.
///
/// # Errors
/// The token is refused, or the chart is not there.
#[server(prefix = "/share/fn", endpoint = "tile-picture", input = Json, output = Json, client = BearerClient)]
pub async fn tile_picture(request: PictureRequest) -> Result<Option<String>, Refusal> {
    let (backend, token) = caller()?;
    backend.tile_picture(&token, request).await.map_err(Refusal)
}

/// What is behind a mark of a chart.
///
/// # Errors
/// The token is refused, the role has no drill-down, the chart is not there, or nothing can be said of its rows.
#[server(prefix = "/share/fn", endpoint = "drill-down", input = Json, output = Json, client = BearerClient)]
pub async fn drill_down(request: DrillRequest) -> Result<Drilled, Refusal> {
    let (backend, token) = caller()?;
    backend.drill_down(&token, request).await.map_err(Refusal)
}

/// The filters that keep a dashboard to what a mark of a chart stands for; none where it stands for no value of a column.
///
/// # Errors
/// The token is refused, the chart is not there, or its query failed.
#[server(prefix = "/share/fn", endpoint = "mark-filters", input = Json, output = Json, client = BearerClient)]
pub async fn mark_filters(request: DrillRequest) -> Result<Filters, Refusal> {
    let (backend, token) = caller()?;
    backend.mark_filters(&token, request).await.map_err(Refusal)
}

/// The full keys of the filters on columns that do not exist for the viewer where the dashboard's charts come from.
///
/// # Errors
/// The token is refused, or the dashboard is not there.
#[server(prefix = "/share/fn", endpoint = "refused-filters", input = Json, output = Json, client = BearerClient)]
pub async fn refused_filters(request: DashboardRequest) -> Result<Vec<String>, Refusal> {
    let (backend, token) = caller()?;
    backend.refused_filters(&token, request).await.map_err(Refusal)
}

/// A dashboard as a PDF, in base64.
///
/// # Errors
/// The token is refused, the role has no downloads, or the dashboard is not there.
#[server(prefix = "/share/fn", endpoint = "dashboard-file", input = Json, output = Json, client = BearerClient)]
pub async fn dashboard_file(request: DashboardRequest) -> Result<String, Refusal> {
    let (backend, token) = caller()?;
    backend.dashboard_file(&token, request).await.map_err(Refusal)
}

/// A chart's rows as an Excel workbook, in base64.
///
/// # Errors
/// The token is refused, the chart is not there, or its query failed.
#[server(prefix = "/share/fn", endpoint = "chart-file", input = Json, output = Json, client = BearerClient)]
pub async fn chart_file(request: TileRequest) -> Result<String, Refusal> {
    let (backend, token) = caller()?;
    backend.chart_file(&token, request).await.map_err(Refusal)
}

/// The values that a select filter offers, most frequent first.
///
/// # Errors
/// The token is refused, the filter is not there, or its query failed.
#[server(prefix = "/share/fn", endpoint = "filter-choices", input = Json, output = Json, client = BearerClient)]
pub async fn filter_choices(request: ChoicesRequest) -> Result<Vec<Choice>, Refusal> {
    let (backend, token) = caller()?;
    backend.filter_choices(&token, request).await.map_err(Refusal)
}

/// Whose token this is, when it is valid for the application.
///
/// # Errors
/// The token is refused.
#[server(prefix = "/share/fn", endpoint = "check-token", input = Json, output = Json, client = BearerClient)]
pub async fn check_token(application: ApplicationId) -> Result<TokenCheck, Refusal> {
    let (backend, token) = caller()?;
    backend.check_token(&token, application).await.map_err(Refusal)
}
