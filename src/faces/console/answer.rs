//! The console's responses: pages, redirects, and errors as pages.

use super::{
    cookie,
    error_pages::{ForScript, PageError},
};
use crate::{
    faces::embeds::{assets, headers::nonce},
    ground::{
        error::{Code, Error, Result},
        state::App,
        web::respond::{Refusal, status},
    },
};
use axum::{
    Extension, Json,
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{self, LOCATION, SET_COOKIE},
    },
    response::{IntoResponse, Response},
};
use inlay_console::{Html, Section, Shell, shell};
use inlay_contract::envelope::{ErrorBody, Failure};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

/// The result of every page handler.
pub type Page = Result<Response, Refused>;

/// An error, rendered as a page.
#[derive(Debug)]
pub struct Refused {
    problem: Error,
    next: Option<String>,
    scripted: bool,
}

impl From<Error> for Refused {
    fn from(problem: Error) -> Self {
        Self { problem, next: None, scripted: false }
    }
}

impl Refused {
    /// The error for a person who is not signed in. `next` is the page that they wanted.
    pub fn signed_out(next: Option<String>) -> Self {
        let problem = Error::new(Code::SignedOut, "Your session has ended. Sign in again.");
        Self { problem, next, scripted: false }
    }

    /// For a script, which shows the message in place.
    #[must_use]
    pub fn for_script(self) -> Self {
        Self { scripted: true, ..self }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let Self { problem, next, scripted } = self;
        let refusal = Refusal { code: problem.code, context: problem.context.clone() };
        let mut response = if scripted {
            let body = ErrorBody {
                message: problem.message,
                code: problem.code.into(),
                details: problem.details.map(|details| *details),
            };
            (status(problem.code), Extension(ForScript), Json(Failure::new(body))).into_response()
        } else if problem.code == Code::SignedOut {
            // A form that was sent too late cannot be repeated after sign-in. `ended` tells its page to keep the typed values.
            let query = next
                .map_or_else(|| "ended".to_owned(), |next| format!("next={}", utf8_percent_encode(&next, NON_ALPHANUMERIC)));
            redirect(&format!("/console/sign-in?{query}"))
        } else {
            // `problems::draw` turns this into a page.
            (status(problem.code), Extension(PageError::from(&problem))).into_response()
        };
        response.extensions_mut().insert(refusal);
        response
    }
}

/// A page for people who are not signed in.
pub fn outside(title: &str, notice: Option<String>, body: impl FnOnce() -> Html) -> Result<Response> {
    let shell = Shell {
        title: title.to_owned(),
        section: Section::Outside,
        assets: assets::base(""),
        nonce: nonce()?,
        csrf: String::new(),
        person: None,
        organization: None,
        organizations: Vec::new(),
        project: None,
        projects: Vec::new(),
        notice,
    };
    page(&shell, "", body)
}

/// A page. `frames` is the source that frames in it may load.
pub fn page(shell: &Shell, frames: &str, body: impl FnOnce() -> Html) -> Result<Response> {
    let html = shell::draw(shell, body);
    Ok((headers(&shell.nonce, frames)?, html).into_response())
}

/// A fragment of a page for a script. Its forms carry the session's CSRF token.
pub fn piece(csrf: &str, body: impl FnOnce() -> Html) -> Result<Response> {
    Ok((headers(&nonce()?, "")?, shell::fragment(csrf, body)).into_response())
}

fn headers(nonce: &str, frames: &str) -> Result<HeaderMap> {
    let frames = if frames.is_empty() { "'none'" } else { frames };
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; font-src 'self'; img-src 'self' data:; \
         connect-src 'self'; frame-src {frames}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    // `no-referrer` would make browsers send `Origin: null` with forms, which the check of origins refuses.
    let fixed = [
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    ];
    let mut headers: HeaderMap = fixed.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Error::internal)?);
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    Ok(headers)
}

/// Redirects the browser with GET. The server builds these addresses and never takes them from a request.
pub fn redirect(address: &str) -> Response {
    let target = HeaderValue::from_str(address).unwrap_or_else(|_| HeaderValue::from_static("/console"));
    (StatusCode::SEE_OTHER, [(LOCATION, target), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))]).into_response()
}

/// Redirects the browser to an organization's sign-in provider. Its address was checked when the provider was added.
pub fn away(address: &Url) -> Response {
    redirect(address.as_str())
}

/// Redirects the browser to a page that shows a notice.
pub fn done(app: &App, address: &str, notice: &str) -> Response {
    with_cookie(redirect(address), cookie::notice(app, notice))
}

/// Adds a cookie to a response.
pub fn with_cookie(mut response: Response, cookie: HeaderValue) -> Response {
    response.headers_mut().append(SET_COOKIE, cookie);
    response
}

/// Whether a URL is on the console's own origin.
pub fn is_own(app: &App, headers: &HeaderMap, address: &Url) -> bool {
    let origin = address.origin().ascii_serialization();
    let own = super::origin_of(&app.base_url);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let scheme = own.split(':').next().unwrap_or_default();
    origin == own || (!host.is_empty() && origin == format!("{scheme}://{host}"))
}
