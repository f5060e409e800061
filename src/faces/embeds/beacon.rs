//! Load times from browsers: how long a dashboard took until every chart was drawn.

use crate::{
    concepts::{
        access::Viewer,
        dashboards::{self, writer::Writer},
        usage::{LONGEST, Usage},
    },
    ground::{error::Error, state::App},
};
use axum::{extract::State, http::StatusCode};
use inlay_contract::ids::DashboardId;

/// `POST /share/loaded`: milliseconds, dashboard and token, separated by spaces. The response is empty.
///
/// # Errors
/// 400 for an unreadable body, 401 for an invalid token, 404 for a dashboard that its viewer does not see.
pub async fn loaded(State(app): State<App>, told: String) -> Result<StatusCode, Error> {
    let unreadable = || Error::invalid("body", "must contain milliseconds, dashboard and token");
    let mut parts = told.split(' ');
    let mut next = || parts.next().ok_or_else(unreadable);
    let milliseconds = next()?.parse::<u64>().map_err(|_| unreadable())?;
    let dashboard: DashboardId = next()?.parse().map_err(|_| unreadable())?;
    let viewer = Viewer::by_token(&app, next()?).await?;
    // Unknown dashboards are not counted, because a client could invent any number of them.
    dashboards::look_up(&app, &Writer::page(&viewer), dashboard).await?;
    app.part::<Usage>().loaded(&viewer, dashboard, milliseconds.min(LONGEST));
    Ok(StatusCode::NO_CONTENT)
}
