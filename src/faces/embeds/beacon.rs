//! What browsers tell: how long a dashboard took until every chart was drawn.

use crate::{
    concepts::{
        access::Viewer,
        dashboards::{self, writer::Writer},
        usage::LONGEST,
    },
    ground::{error::Error, state::App},
};
use axum::{extract::State, http::StatusCode};
use inlay_contract::ids::DashboardId;

/// `POST /share/loaded`: milliseconds, dashboard and token, a blank between each. Nobody waits for the answer, which tells nothing.
///
/// # Errors
/// 400 for what cannot be read, 401 for a token that does not count, 404 for a dashboard that its viewer does not see.
pub async fn loaded(State(app): State<App>, told: String) -> Result<StatusCode, Error> {
    let unreadable = || Error::invalid("body", "must hold milliseconds, dashboard and token");
    let mut parts = told.split(' ');
    let mut next = || parts.next().ok_or_else(unreadable);
    let milliseconds = next()?.parse::<u64>().map_err(|_| unreadable())?;
    let dashboard: DashboardId = next()?.parse().map_err(|_| unreadable())?;
    let viewer = Viewer::by_token(&app, next()?).await?;
    // What is not there is not counted: whoever has a token could make up as many as they like.
    dashboards::look_up(&app, &Writer::page(&viewer), dashboard).await?;
    app.usage.loaded(&viewer, dashboard, milliseconds.min(LONGEST));
    Ok(StatusCode::NO_CONTENT)
}
