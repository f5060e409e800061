//! How the page calls its server: the credentials from its address, and the one function that sends requests.

use super::{PageAddress, Refusal, build};
use crate::{
    browser::{build as browser_build, request},
    filters::query,
    json,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::pin,
};
use web_sys::{AbortSignal, Response};

/// The credentials from the page's address. A page has one thread and one viewer. They are never stored or logged, and are
/// written back into the address only when the page reloads itself.
#[derive(Default)]
struct Credentials {
    token: Option<String>,
    db_auth_token: Option<String>,
    address: Option<PageAddress>,
}

thread_local! {
    static CREDENTIALS: RefCell<Credentials> = RefCell::default();
}

/// The parameters that are removed from the address once they are read.
const SECRETS: [&str; 2] = ["jwt", "dbAuthToken"];

/// Reads the address. Keeps its secrets in memory and returns the query without them.
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

/// Replaces the token in use.
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

/// The query for reloading the page: `search`, which the address has now, with the secrets that the host gave in it. A page
/// that got its token by message gets it by message again.
#[must_use]
pub fn whole_search(search: &str) -> String {
    let secrets = CREDENTIALS.with_borrow(|kept| [("jwt", kept.token.clone()), ("dbAuthToken", kept.db_auth_token.clone())]);
    let value = |wanted: &str| query::pairs(search).find_map(|(key, value)| (key == wanted).then_some(value));
    let by_message = value("tokenHandoff").as_deref() == Some("true") && value("parentOrigin").is_some();
    let missing = secrets.into_iter().filter(|(name, _)| !(by_message && *name == "jwt"));
    query::with(search, missing.filter_map(|(name, value)| Some((name, value?))))
}

/// An argument as JSON.
pub(super) fn json(argument: &impl Serialize) -> String {
    serde_json::to_string(argument).unwrap_or_default()
}

/// The body of a call.
fn body(arguments: &[(&str, String)]) -> String {
    let fields: Vec<String> = arguments.iter().map(|(name, json)| format!("\"{name}\":{json}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// Calls the server. Arguments are sent by name, each as JSON.
pub(super) async fn ask<A: DeserializeOwned>(path: &str, arguments: &[(&str, String)]) -> Result<A, Refusal> {
    let (answer, response) = exchange(path, &body(arguments)).await?;
    json::read(answer.as_bytes()).ok_or_else(|| unread(&response, Refusal::fault()))
}

async fn exchange(path: &str, body: &str) -> Result<(String, Response), Refusal> {
    let response = send(path, body, None).await?;
    let answer = request::text(&response).await.ok_or_else(Refusal::out_of_reach)?;
    Ok((answer, response))
}

/// Posts JSON with the token in use. Returns a successful response whose body is not read yet.
///
/// # Errors
/// The server refused the request or did not respond. All requests share this handling.
pub async fn send(path: &str, body: &str, signal: Option<&AbortSignal>) -> Result<Response, Refusal> {
    let response = request::post(path, token().as_deref(), body, signal).await.map_err(|_| Refusal::out_of_reach())?;
    if response.ok() {
        return Ok(response);
    }
    let answer = request::text(&response).await.ok_or_else(Refusal::out_of_reach)?;
    let refusal: Option<Refusal> = json::read(answer.as_bytes());
    Err(match refusal {
        Some(refusal) if refusal.is_unread() => unread(&response, refusal),
        Some(refusal) => refusal,
        None => unread(&response, Refusal::fault()),
    })
}

/// Page and server did not understand each other. If their builds differ, reloads the page.
fn unread(response: &Response, refusal: Refusal) -> Refusal {
    if let Some(server) = response.headers().get(build::HEADER).ok().flatten() {
        browser_build::renew(&server, whole_search);
    }
    refusal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_go_by_their_names() {
        assert_eq!(body(&[("target", json(&1)), ("name", json(&"a\"b"))]), r#"{"target":1,"name":"a\"b"}"#);
    }

    #[test]
    fn a_page_that_loads_anew_gets_its_secrets_again() {
        let left = take_address("/share/application/x", "?jwt=a.b.c&filter_x=1&dbAuthToken=s%20t");
        assert_eq!(whole_search(&left), "?filter_x=1&jwt=a.b.c&dbAuthToken=s%20t");
        keep_token(Some("newer".to_owned()));
        assert_eq!(whole_search(""), "?jwt=newer&dbAuthToken=s%20t");
        let left = take_address("/share/application/x", "?tokenHandoff=true&parentOrigin=https://host.example");
        keep_token(Some("by.message".to_owned()));
        assert_eq!(whole_search(&left), left);
    }

    #[test]
    fn secrets_leave_the_address_and_stay_in_memory() {
        let left = take_address("/share/application/x", "?jwt=a.b.c&hideHeader=true&dbAuthToken=s%20t");
        assert_eq!(left, "?hideHeader=true");
        assert_eq!(token().as_deref(), Some("a.b.c"));
        assert_eq!(db_auth_token().as_deref(), Some("s t"));
        assert_eq!(address().search, "?hideHeader=true&dbAuthToken=s%20t");
    }
}
