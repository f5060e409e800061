//! The server functions as the page calls them: one plain request for all of them. Leptos' own callers bring the whole way from
//! arguments to answer along for each function, which is a tenth of the wasm.

use super::{
    ChoicesRequest, DashboardRequest, Drawn, DrillRequest, Drilled, OpenedDashboard, OpenedPage, PageAddress, PictureRequest,
    Refusal, TileRequest, TokenCheck, client,
};
use crate::browser::request;
use inlay_contract::{
    code::Code,
    ids::ApplicationId,
    page::{Choice, Filters, TileContent},
};
use serde::{Serialize, de::DeserializeOwned};

/// Calls a server function that takes one argument.
async fn ask<A: Serialize, R: DeserializeOwned>(function: &str, argument: &str, value: &A) -> Result<R, Refusal> {
    let value = serde_json::to_string(value).unwrap_or_default();
    let answer = send(function, format!("{{\"{argument}\":{value}}}")).await?;
    serde_json::from_slice(answer.as_bytes()).map_err(|_| fault())
}

/// The answer's text; a refusal is read here, once for all functions.
async fn send(function: &str, body: String) -> Result<String, Refusal> {
    let answer = request::post(&format!("/share/fn/{function}"), client::token(), &body).await;
    match answer {
        Some((true, text)) => Ok(text),
        Some((false, text)) => Err(serde_json::from_slice(text.as_bytes()).unwrap_or_else(|_| fault())),
        None => Err(Refusal::out_of_reach()),
    }
}

fn fault() -> Refusal {
    Refusal::new(Code::Internal, "Something went wrong on the server. Please try again.")
}

macro_rules! functions {
    ($($(#[doc = $doc:literal])+ $name:ident $path:literal ($argument:ident: $type:ty) -> $answer:ty;)+) => {$(
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// As the server function of this name.
        pub async fn $name($argument: $type) -> Result<$answer, Refusal> {
            ask($path, stringify!($argument), &$argument).await
        }
    )+};
}

functions! {
    /// The whole page at an address.
    open_page "open-page" (address: PageAddress) -> OpenedPage;
    /// Another dashboard of the open application.
    open_dashboard "open-dashboard" (request: DashboardRequest) -> Drawn<OpenedDashboard>;
    /// One chart's rows.
    tile_data "tile-data" (request: TileRequest) -> Drawn<TileContent>;
    /// A chart drawn as SVG.
    tile_picture "tile-picture" (request: PictureRequest) -> Option<String>;
    /// What is behind a mark of a chart.
    drill_down "drill-down" (request: DrillRequest) -> Drilled;
    /// The filters that a mark of a chart stands for.
    mark_filters "mark-filters" (request: DrillRequest) -> Filters;
    /// The filters on columns that no chart of a dashboard has.
    refused_filters "refused-filters" (request: DashboardRequest) -> Vec<String>;
    /// A dashboard as a PDF, in base64.
    dashboard_file "dashboard-file" (request: DashboardRequest) -> String;
    /// A chart's rows as an Excel workbook, in base64.
    chart_file "chart-file" (request: TileRequest) -> String;
    /// The values that a select filter offers.
    filter_choices "filter-choices" (request: ChoicesRequest) -> Vec<Choice>;
    /// Whose token this is.
    check_token "check-token" (application: ApplicationId) -> TokenCheck;
}
