//! The server's side: page calls as Leptos' server functions.

use super::{edit, embed, refusal::Refusal, reports, workspace};
use axum::{body::Body, response::IntoResponse};
use http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER},
    request::Parts,
};
use inlay_contract::{code::Code, json::holds_nul};
use leptos::{
    prelude::{provide_context, use_context},
    server_fn::{
        Protocol, ServerFn,
        axum::{AxumServerFnBackend, register_explicit},
        client::browser::BrowserClient,
        request::Req,
    },
};
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// What the server implements for its pages: every area's calls.
pub trait Calls: embed::EmbedCalls + edit::EditCalls + reports::ReportCalls + workspace::WorkspaceCalls {}

impl<T: embed::EmbedCalls + edit::EditCalls + reports::ReportCalls + workspace::WorkspaceCalls> Calls for T {}

/// A page call's request: its arguments by their names.
pub(super) trait PageCall: DeserializeOwned + Send + 'static {
    /// The path that the page posts to.
    const PATH: &'static str;
    /// The type that the page gets.
    type Answer: Serialize + Send;

    /// Calls the server's implementation.
    fn run(self, server: &dyn Calls, token: &str) -> impl Future<Output = Result<Self::Answer, Refusal>> + Send;
}

/// Registers all page calls with Leptos. Call it once before serving: a linker may drop items that only register themselves.
pub fn register() {
    embed::register();
    edit::register();
    reports::register();
    workspace::register();
}

pub(super) fn register_call<C: PageCall>() {
    register_explicit::<Served<C>>();
}

/// How an answer's text is written: the server keeps long ones apart from the threads that answer others.
pub type Writing = Arc<dyn Fn(&mut dyn FnMut()) + Send + Sync>;

/// Answers a `POST /share/fn/…`: JSON in, JSON out.
pub async fn answer(server: Arc<dyn Calls>, writing: Writing, request: Request<Body>) -> Response<Body> {
    let provide = move || {
        provide_context(Arc::clone(&server));
        provide_context(Arc::clone(&writing));
    };
    leptos_axum::handle_server_fns_with_context(provide, request).await.into_response()
}

/// The response to a refused call: the problem as JSON with its code's status, and when to retry.
#[must_use]
pub fn refused(refusal: &Refusal) -> Response<Body> {
    let Refusal(problem) = refusal;
    let mut response = json(problem);
    *response.status_mut() = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(seconds) = problem.retry_after {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

fn json(content: &impl Serialize) -> Response<Body> {
    match serde_json::to_vec(content) {
        Ok(content) => ([(CONTENT_TYPE, "application/json")], content).into_response(),
        Err(_) => refused(&Refusal::fault()),
    }
}

/// A page call as a server function.
struct Served<C>(C);

impl<C: PageCall> ServerFn for Served<C> {
    const PATH: &'static str = C::PATH;
    // The trait requires a client type. Pages call through `client`.
    type Client = BrowserClient;
    type Server = AxumServerFnBackend;
    type Protocol = JsonCalls;
    type Output = C::Answer;
    type Error = Refusal;
    type InputStreamError = Refusal;
    type OutputStreamError = Refusal;

    async fn run_body(self) -> Result<C::Answer, Refusal> {
        let server = use_context::<Arc<dyn Calls>>().ok_or_else(Refusal::fault)?;
        let token = bearer().ok_or_else(|| Refusal::new(Code::MissingCredentials, "Invalid or missing token."))?;
        self.0.run(&*server, &token).await
    }
}

/// JSON in both directions. A refusal is a normal response, so that Leptos does not mark or encode it.
struct JsonCalls;

impl<C: PageCall> Protocol<Served<C>, C::Answer, BrowserClient, AxumServerFnBackend, Refusal> for JsonCalls {
    const METHOD: Method = Method::POST;

    async fn run_server<F, Fut>(request: Request<Body>, call: F) -> Result<Response<Body>, Refusal>
    where
        F: Fn(Served<C>) -> Fut + Send,
        Fut: Future<Output = Result<C::Answer, Refusal>> + Send,
    {
        let answered = async move {
            let body = Req::<Refusal>::try_into_bytes(request).await?;
            let given = serde_json::from_slice(&body).map_err(|_| Refusal::unread())?;
            if holds_nul(&body) {
                return Err(Refusal::new(Code::ValidationFailed, "The request must not contain the character U+0000."));
            }
            call(Served(given)).await
        };
        let writing = use_context::<Writing>();
        Ok(match answered.await {
            Ok(answer) => {
                let mut response = None;
                let mut write = || response = Some(json(&answer));
                match writing {
                    Some(writing) => writing(&mut write),
                    None => write(),
                }
                response.unwrap_or_else(|| refused(&Refusal::fault()))
            }
            Err(refusal) => refused(&refusal),
        })
    }

    async fn run_client(_path: &str, _call: Served<C>) -> Result<C::Answer, Refusal> {
        Err(Refusal::out_of_reach())
    }
}

/// The token that a request carries.
fn bearer() -> Option<String> {
    let parts = use_context::<Parts>()?;
    let header = parts.headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = header.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.trim().is_empty()).then(|| token.trim().to_owned())
}

/// A server that panics at every call.
#[cfg(test)]
pub(super) struct Broken;

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use futures::executor::block_on;
    use inlay_contract::page::Problem;
    use serde_json::{Map, Value, json};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn call(path: &str, token: Option<&str>, body: &Value) -> Response<Body> {
        register();
        let mut request = Request::post(path);
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::from(body.to_string())).expect("a request");
        block_on(answer(Arc::new(Broken), Arc::new(|write: &mut dyn FnMut()| write()), request))
    }

    fn content(response: Response<Body>) -> Value {
        let body = block_on(to_bytes(response.into_body(), 1 << 20)).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    #[test]
    fn a_refusal_keeps_its_details_and_when_to_try_again() {
        let details = Map::from_iter([("name".to_owned(), json!("is taken"))]);
        let problem =
            Problem { details: Some(Box::new(details)), retry_after: Some(7), ..Problem::new(Code::RateLimited, "Wait.") };
        let response = refused(&Refusal(problem.clone()));
        assert_eq!(
            (response.status(), &response.headers()[RETRY_AFTER]),
            (StatusCode::TOO_MANY_REQUESTS, &HeaderValue::from(7))
        );
        let read: Refusal = serde_json::from_value(content(response)).expect("what the page reads");
        assert_eq!(read.0, problem);
    }

    #[test]
    fn what_is_no_request_is_refused_before_the_server_hears_of_it() {
        let unread = call("/share/fn/check-token", Some("a.b.c"), &json!({"other": 1}));
        assert_eq!((unread.status(), unread.headers().contains_key("serverfnerror")), (StatusCode::BAD_REQUEST, false));
        let refusal: Refusal = serde_json::from_value(content(unread)).expect("a refusal");
        assert!(refusal.is_unread(), "{refusal:?}");
        let body = json!({"address": {"path": "/share/application/x", "search": ""}});
        assert_eq!(call("/share/fn/check-token", None, &body).status(), StatusCode::UNAUTHORIZED);
        assert_eq!(call("/share/fn/no-such-call", Some("a.b.c"), &body).status(), StatusCode::BAD_REQUEST);
    }

    #[test]
    fn a_panic_of_a_call_reaches_the_layer_that_answers_for_panics() {
        let body = json!({"address": {"path": "/share/application/x", "search": ""}, "of a newer page": 1});
        let called = catch_unwind(AssertUnwindSafe(|| call("/share/fn/check-token", Some("a.b.c"), &body)));
        let told = called.expect_err("a panic");
        assert_eq!(told.downcast_ref::<&str>(), Some(&"broken"));
    }
}
