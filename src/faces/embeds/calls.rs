//! `POST /share/fn/…`: the pages' calls.

use super::{assets, backend::Pages};
use crate::ground::{state::App, web::origin::Origin};
use axum::{
    extract::{Request, State},
    response::Response,
};
use inlay_app::calls;
use std::sync::Arc;

/// Answers a page's call.
pub async fn answer(State(app): State<App>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let origin = Origin::of(&parts, &app.settings);
    let response = calls::answer(Arc::new(Pages { app, origin }), Request::from_parts(parts, body)).await;
    assets::name_build(response)
}
