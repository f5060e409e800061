//! Server functions' requests from the browser: `fetch` with the token that the page holds in memory.

use super::Refusal;
use futures::{Sink, Stream};
use leptos::server_fn::{
    Bytes,
    client::{Client, browser::BrowserClient},
    error::FromServerFnError,
    request::browser::BrowserRequest,
    response::browser::BrowserResponse,
};
use std::{cell::RefCell, future::Future};

thread_local! {
    // A page is one thread and has one viewer. The token lives here and nowhere else: not in storage, not in the address.
    static TOKEN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the token that every later request carries.
pub fn keep_token(token: Option<String>) {
    TOKEN.set(token);
}

/// The token in use.
#[must_use]
pub fn token() -> Option<String> {
    TOKEN.with_borrow(Clone::clone)
}

/// Adds `Authorization: Bearer <token>`.
pub struct BearerClient;

impl<I: FromServerFnError, O: FromServerFnError> Client<Refusal, I, O> for BearerClient {
    type Request = BrowserRequest;
    type Response = BrowserResponse;

    fn send(request: Self::Request) -> impl Future<Output = Result<Self::Response, Refusal>> + Send {
        if let Some(token) = token() {
            request.headers().append("Authorization", &format!("Bearer {token}"));
        }
        <BrowserClient as Client<Refusal, I, O>>::send(request)
    }

    fn open_websocket(
        path: &str,
    ) -> impl Future<
        Output = Result<
            (impl Stream<Item = Result<Bytes, Bytes>> + Send + 'static, impl Sink<Bytes> + Send + 'static),
            Refusal,
        >,
    > + Send {
        <BrowserClient as Client<Refusal, I, O>>::open_websocket(path)
    }

    fn spawn(future: impl Future<Output = ()> + Send + 'static) {
        <BrowserClient as Client<Refusal, I, O>>::spawn(future);
    }
}
