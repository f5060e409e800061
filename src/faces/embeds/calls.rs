//! `POST /share/fn/…`: the pages' calls.

use super::{assets, backend::Pages};
use crate::ground::{
    memory::{self, Kept},
    state::App,
    web::{
        origin::Origin,
        rows::{self, LONG},
    },
};
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
    let kept = Kept::default();
    let held = kept.clone();
    let writing = move |write: &mut dyn FnMut()| if held.bytes() > LONG { memory::in_place(write) } else { write() };
    let answered = calls::answer(Arc::new(Pages { app, origin }), Arc::new(writing), Request::from_parts(parts, body));
    let response = kept.during(answered).await;
    rows::in_pieces(assets::name_build(response), kept)
}
