//! Routes of handlers whose types are forgotten. Axum names a handler in the types of half a dozen services around it, and the
//! compiler proves for each of them that the handler's future, with all that it awaits, may change threads: for the routes of
//! this service that took most of the time of a build.

use crate::ground::state::App;
use axum::{
    extract::Request,
    handler::Handler,
    response::Response,
    routing::{self, MethodRouter},
};
use futures::future::BoxFuture;
use std::sync::Arc;

/// A handler without its type.
#[derive(Clone)]
struct Erased(Arc<dyn Fn(Request, App) -> BoxFuture<'static, Response> + Send + Sync>);

impl Erased {
    fn of<T: 'static>(handler: impl Handler<T, App>) -> Self {
        Self(Arc::new(move |request, app| Box::pin(handler.clone().call(request, app))))
    }
}

impl Handler<(), App> for Erased {
    type Future = BoxFuture<'static, Response>;

    fn call(self, request: Request, app: App) -> Self::Future {
        (self.0)(request, app)
    }
}

/// Answers `GET` and `HEAD`. Another method at the same path is added by [`MethodRouter::merge`].
pub fn get<T: 'static>(handler: impl Handler<T, App>) -> MethodRouter<App> {
    routing::get(Erased::of(handler))
}

/// Answers `POST`.
pub fn post<T: 'static>(handler: impl Handler<T, App>) -> MethodRouter<App> {
    routing::post(Erased::of(handler))
}
