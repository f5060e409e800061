//! Server functions' requests from the browser: `fetch` with the token that the page holds in memory.

use super::{PageAddress, Refusal};
use crate::filters::query;
use futures::{Sink, Stream};
use leptos::server_fn::{
    Bytes,
    client::{Client, browser::BrowserClient},
    error::FromServerFnError,
    request::browser::BrowserRequest,
    response::browser::BrowserResponse,
};
use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::pin,
};

/// What the page took out of its address. A page is one thread and has one viewer; none of this is stored, logged or
/// put back into the address.
#[derive(Default)]
struct Credentials {
    token: Option<String>,
    db_auth_token: Option<String>,
    address: Option<PageAddress>,
}

thread_local! {
    static CREDENTIALS: RefCell<Credentials> = RefCell::default();
}

/// The parameters that leave the address once they are read.
const SECRETS: [&str; 2] = ["jwt", "dbAuthToken"];

/// Reads the address: keeps its secrets in memory and gives back the query without them.
#[must_use]
pub fn take_address(path: &str, search: &str) -> String {
    let value = |name: &str| query::pairs(search).find(|(key, value)| key == name && !value.is_empty()).map(|(_, value)| value);
    CREDENTIALS.set(Credentials {
        token: value("jwt"),
        db_auth_token: value("dbAuthToken"),
        address: Some(PageAddress { path: path.to_owned(), search: query::without(search, &["jwt"]) }),
    });
    query::without(search, &SECRETS)
}

/// Puts another token in the place of the one in use.
pub fn keep_token(token: Option<String>) {
    CREDENTIALS.with_borrow_mut(|kept| kept.token = token);
}

/// Runs requests with a token that is not in use yet.
pub async fn with_token<T>(token: &str, requests: impl Future<Output = T>) -> T {
    let mut requests = pin!(requests);
    poll_fn(|context| {
        let kept = CREDENTIALS.with_borrow_mut(|kept| kept.token.replace(token.to_owned()));
        let polled = requests.as_mut().poll(context);
        keep_token(kept);
        polled
    })
    .await
}

/// The token in use.
#[must_use]
pub fn token() -> Option<String> {
    CREDENTIALS.with_borrow(|kept| kept.token.clone())
}

/// The address's `dbAuthToken`.
#[must_use]
pub fn db_auth_token() -> Option<String> {
    CREDENTIALS.with_borrow(|kept| kept.db_auth_token.clone())
}

/// The page's address without its token.
#[must_use]
pub fn address() -> PageAddress {
    let empty = || PageAddress { path: String::new(), search: String::new() };
    CREDENTIALS.with_borrow(|kept| kept.address.clone()).unwrap_or_else(empty)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_leave_the_address_and_stay_in_memory() {
        let left = take_address("/share/application/x", "?jwt=a.b.c&hideHeader=true&dbAuthToken=s%20t");
        assert_eq!(left, "?hideHeader=true");
        assert_eq!(token().as_deref(), Some("a.b.c"));
        assert_eq!(db_auth_token().as_deref(), Some("s t"));
        assert_eq!(address().search, "?hideHeader=true&dbAuthToken=s%20t");
    }
}
