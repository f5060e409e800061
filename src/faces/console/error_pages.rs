//! Error pages. Handlers return a [`PageError`], which becomes a page here: inside the console for signed-in people, on its own
//! for everybody else.

use super::{
    answer, authentication, cookie,
    error_page_shell::{ErrorPageShell, error_page_shell},
};
use crate::ground::{
    error::{Code, Error, Result},
    state::App,
    web::{
        middleware::RequestId,
        respond::{Refusal, status},
    },
};
use axum::{
    extract::{Request, State},
    http::{
        HeaderMap, Method, StatusCode,
        header::{ACCEPT, CONTENT_TYPE, REFERER},
    },
    middleware::Next,
    response::{IntoResponse, Response},
};
use inlay_console::pages::error_page::{self as views, ErrorPage};
use url::{Position, Url};

const MEBIBYTE: usize = 1024 * 1024;

/// The content of an error page. It is in the response's extensions until the page is rendered.
#[derive(Clone, Debug)]
pub struct PageError {
    status: StatusCode,
    code: Option<Code>,
    message: String,
}

/// Marks an error for a script, which stays JSON.
#[derive(Clone, Copy, Debug)]
pub struct ForScript;

impl From<&Error> for PageError {
    fn from(problem: &Error) -> Self {
        Self { status: status(problem.code), code: Some(problem.code), message: problem.message.clone() }
    }
}

impl PageError {
    /// For a response that no console handler created: a wrong method, a panic, a framework error.
    const fn of_status(status: StatusCode) -> Self {
        Self { status, code: None, message: String::new() }
    }

    const fn title(&self) -> &'static str {
        match self.status.as_u16() {
            403 => "Not permitted",
            404 => "Not found",
            405 => "Nothing to show here",
            413 => "Too large",
            429 => "Too many requests",
            503 | 504 => "Temporarily unavailable",
            500.. => "Something went wrong",
            _ => "The action failed",
        }
    }

    /// What happened. `most` is the maximum size of a body.
    fn happened(&self, most: usize) -> String {
        let fixed = match self.status.as_u16() {
            404 if self.code == Some(Code::NotFound) || self.message.is_empty() => {
                "This page does not exist, or you may not see it."
            }
            405 => "This address only accepts a form and has no page.",
            413 if most.is_multiple_of(MEBIBYTE) => return format!("The request is larger than {} MiB.", most / MEBIBYTE),
            413 => return format!("The request is larger than {most} bytes."),
            500 => "The service failed.",
            _ if self.message.is_empty() => "The service could not read this request.",
            _ => return self.message.clone(),
        };
        fixed.to_owned()
    }

    /// What to do next, if the message does not say it. `request` is the request's id in the log.
    fn next(&self, request: &str) -> Option<String> {
        let told = match self.status.as_u16() {
            403 if self.code == Some(Code::MemberNotPermitted) => {
                "Ask an admin or owner of the organization to do it or to give you the role."
            }
            404 => "It may have been deleted. Choose another page in the navigation.",
            405 => "Open the page with the form and send it from there.",
            413 => "Nothing was saved. Send less at once.",
            500.. => {
                return Some(format!(
                    "Try again in a moment. If it fails again, tell the operator of Inlay: the log contains it as request {request}."
                ));
            }
            _ => return None,
        };
        Some(told.to_owned())
    }

    /// Whether the same request may succeed in a moment.
    fn passes(&self) -> bool {
        self.status == StatusCode::TOO_MANY_REQUESTS || self.status.is_server_error()
    }
}

/// Renders error pages. This layer is outside the one that turns panics and framework errors into responses.
pub async fn draw(State(app): State<App>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if path != "/console" && !path.starts_with("/console/") {
        return next.run(request).await;
    }
    let asked = Asked::of(app, &request);
    let answer = next.run(request).await;
    let is_page = answer.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let failed = answer.status().is_client_error() || answer.status().is_server_error();
    if !failed || is_page || asked.is_script() || answer.extensions().get::<ForScript>().is_some() {
        return answer;
    }
    let error = answer.extensions().get::<PageError>().cloned().unwrap_or_else(|| PageError::of_status(answer.status()));
    let refusal = answer.extensions().get::<Refusal>().cloned();
    let mut page = asked.page(&error).await.unwrap_or_else(IntoResponse::into_response);
    *page.status_mut() = error.status;
    // The log line holds the error's code.
    if let Some(refusal) = refusal {
        page.extensions_mut().insert(refusal);
    }
    page
}

/// Facts of the request that the error page needs.
struct Asked {
    app: App,
    headers: HeaderMap,
    path: String,
    address: String,
    is_get: bool,
    request: String,
}

impl Asked {
    fn of(app: App, request: &Request) -> Self {
        let uri = request.uri();
        Self {
            app,
            headers: request.headers().clone(),
            path: uri.path().to_owned(),
            address: uri.path_and_query().map_or_else(|| uri.path().to_owned(), |all| all.as_str().to_owned()),
            is_get: request.method() == Method::GET,
            request: request.extensions().get::<RequestId>().map(|id| id.0.clone()).unwrap_or_default(),
        }
    }

    /// Whether a script sent the request and shows the message itself.
    fn is_script(&self) -> bool {
        self.headers.get(ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json")
    }

    /// The page that the request came from, if it is another page of the console.
    fn came_from(&self) -> Option<String> {
        let from = Url::parse(self.headers.get(REFERER)?.to_str().ok()?).ok()?;
        let address = &from[Position::BeforePath..Position::AfterQuery];
        // A form may be sent to the address of its own page.
        let elsewhere = !self.is_get || address != self.address;
        let is_place = authentication::local(address) == address && elsewhere && !address.starts_with("/console/sign-in");
        (is_place && answer::is_own(&self.app, &self.headers, &from)).then(|| address.to_owned())
    }

    async fn page(&self, error: &PageError) -> Result<Response> {
        let mut problem = ErrorPage {
            title: error.title(),
            happened: error.happened(self.app.settings.limits.max_body_bytes),
            next: None,
            ways: Vec::new(),
        };
        let found = match cookie::session_of(&self.app, &self.headers) {
            Some(secret) => error_page_shell(&self.app, &self.headers, &secret, &self.path, error.title()).await?,
            None => None,
        };
        let Some(ErrorPageShell { shell, home }) = found else {
            problem.ways.push(("/console".to_owned(), "Go to the console".to_owned()));
            return answer::outside(error.title(), None, || views::draw(&problem));
        };
        problem.next = error.next(&self.request);
        if self.is_get && error.passes() {
            problem.ways.push((self.address.clone(), "Try again".to_owned()));
        }
        problem.ways.push(match self.came_from() {
            Some(address) => (address, "Back".to_owned()),
            None => home,
        });
        answer::page(&shell, "", || views::draw(&problem))
    }
}
