//! A submitted form. It is accepted only from one of the console's own pages: the browser's `Origin` and the form's CSRF token must match.

use super::{
    answer::{Refused, is_own},
    visit::{Person, Visit},
};
use crate::{
    concepts::{access::taking, organizations::members::Reads},
    ground::{
        error::{Code, Error, Kind, Result},
        memory::Memory,
        state::App,
        web::{
            body::{self, too_large},
            respond::status,
        },
    },
};
use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, FromRequestParts, Multipart, Request},
    http::{HeaderMap, StatusCode, header},
    response::Response,
};
use futures::FutureExt as _;
use inlay_console::Draft;
use serde_json::{Map, Value};
use std::{collections::BTreeMap, fmt};
use subtle::ConstantTimeEq;
use url::{Url, form_urlencoded};

/// The fields of a form. `Debug` shows only their names.
#[derive(Clone, Default)]
pub struct Typed(BTreeMap<String, String>);

impl fmt::Debug for Typed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Typed").field(&self.0.keys()).finish()
    }
}

impl Typed {
    /// A field without surrounding white space. Empty when it was not sent.
    pub fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", |value| value.trim())
    }

    /// A field exactly as typed, because a password may begin with a space.
    pub fn exact(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// A field that was sent, empty or not.
    pub fn sent(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|value| value.trim())
    }

    /// A field, or `None` when it is empty.
    pub fn given(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !value.is_empty())
    }

    /// Whether a checkbox was checked.
    pub fn ticked(&self, name: &str) -> bool {
        !self.get(name).is_empty()
    }

    /// The non-empty lines of a field.
    pub fn lines(&self, name: &str) -> Vec<String> {
        self.get(name).lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    /// Uses one field's text for another, if there is any: a chosen file instead of pasted text.
    pub fn put_in_place(&mut self, given: &str, of: &str) {
        if let Some(text) = self.0.remove(given).filter(|text| !text.trim().is_empty()) {
            self.0.insert(of.to_owned(), text);
        }
    }

    /// The names of all fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The typed values, to show them again. Passwords and keys are left out.
    pub fn draft(&self) -> Draft {
        let shown =
            self.0.iter().filter(|(name, _)| !matches!(name.as_str(), "csrf" | "password" | "old" | "url" | "key" | "secret"));
        Draft::of(shown.map(|(name, value)| (name.clone(), value.clone())))
    }

    /// The typed values with their problems. Errors that do not concern the form are passed on.
    pub fn refused(&self, problem: Error) -> Result<(StatusCode, Draft), Refused> {
        let mendable = matches!(
            problem.kind(),
            Kind::Invalid | Kind::Conflict | Kind::Unprocessable | Kind::RateLimited | Kind::Unavailable | Kind::Timeout
        ) || matches!(problem.code, Code::WrongCredentials | Code::OwnerRequired | Code::UserRoleNotFound);
        if !mendable {
            return Err(problem.into());
        }
        let mut draft = self.draft();
        if let (None, Some(field)) = (&problem.details, field_of(problem.code)) {
            draft.refuse(field, &problem.message);
        }
        for (name, told) in problem.details.iter().flat_map(|details| details.iter()) {
            draft.refuse(name, told.as_str().map_or_else(|| Value::to_string(told), str::to_owned));
        }
        // An error at a field is not repeated above the form.
        let is_at_fields = match problem.code {
            Code::ValidationFailed => true,
            Code::ConnectionRefused => problem.details.is_some(),
            _ => false,
        };
        draft.message = Some(if is_at_fields {
            "Not saved. Correct the marked fields, then save again.".to_owned()
        } else {
            problem.message
        });
        Ok((status(problem.code), draft))
    }
}

/// The field of an error that names none.
fn field_of(code: Code) -> Option<&'static str> {
    match code {
        Code::MemberAlready | Code::MemberElsewhere => Some("email"),
        Code::ModelRefused => Some("address"),
        Code::QueryFailed => Some("sql"),
        Code::RoleNameTaken => Some("name"),
        Code::WrongCredentials => Some("password"),
        _ => None,
    }
}

/// Sets the status of a page that shows a form again.
pub fn with_status(mut response: Response, status: StatusCode) -> Response {
    *response.status_mut() = status;
    response
}

/// A form from a person who may be signed out.
pub struct Letter {
    /// The form's fields.
    pub typed: Typed,
    /// The browser's user agent.
    pub agent: Option<String>,
    /// The origin of the request.
    pub origin: crate::ground::web::origin::Origin,
}

impl FromRequest<App> for Letter {
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        async move {
            let (parts, body) = request.into_parts();
            own_origin(app, &parts.headers)?;
            let agent = parts.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).map(str::to_owned);
            let origin = crate::ground::web::origin::Origin::of(&parts, &app.settings);
            let typed = read(app, &parts.headers, body, false).await?;
            Ok(Self { typed, agent, origin })
        }
        .boxed()
        .await
    }
}

/// A form from a signed-in person: the visitor and the fields.
pub struct Submission<V> {
    /// The sender.
    pub visit: V,
    /// The form's fields.
    pub typed: Typed,
}

/// A visitor with a session.
pub trait SignedIn {
    /// The person.
    fn person(&self) -> &Person;
}

impl SignedIn for Person {
    fn person(&self) -> &Person {
        self
    }
}

impl<R: Reads> SignedIn for Visit<R> {
    fn person(&self) -> &Person {
        &self.person
    }
}

impl<V> FromRequest<App> for Submission<V>
where
    V: SignedIn + FromRequestParts<App, Rejection = Refused> + Send,
{
    type Rejection = Refused;

    async fn from_request(request: Request, app: &App) -> Result<Self, Refused> {
        async move {
            let (mut parts, body) = request.into_parts();
            own_origin(app, &parts.headers)?;
            // Scripts read errors as JSON.
            let scripted = parts.headers.get(header::ACCEPT).is_some_and(|accept| accept.as_bytes() == b"application/json");
            let for_caller = |refused: Refused| if scripted { refused.for_script() } else { refused };
            let visit = V::from_request_parts(&mut parts, app).await.map_err(for_caller)?;
            let typed = read(app, &parts.headers, body, true).await?;
            same_session(visit.person(), &typed).map_err(|problem| for_caller(problem.into()))?;
            Ok(Self { visit, typed })
        }
        .boxed()
        .await
    }
}

/// Refuses forms of other sessions.
pub(super) fn same_session(person: &Person, typed: &Typed) -> Result<()> {
    if typed.get("csrf").as_bytes().ct_eq(person.csrf.as_bytes()).into() {
        return Ok(());
    }
    let told = "This form belongs to another session. Go back, reload the page and send it again.";
    Err(Error::new(Code::FormOutOfDate, told))
}

/// Refuses forms of other sites, by the browser's headers.
pub(super) fn own_origin(app: &App, headers: &HeaderMap) -> Result<()> {
    let foreign = || Error::new(Code::ForeignForm, "This form was not sent from the console.");
    let sent = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok()).ok_or_else(foreign)?;
    let origin = Url::parse(sent).map_err(|_| foreign())?;
    if is_own(app, headers, &origin) { Ok(()) } else { Err(foreign()) }
}

async fn read(app: &App, headers: &HeaderMap, body: Body, is_known: bool) -> Result<Typed> {
    let limits = &app.settings.limits;
    let memory = app.part::<Memory>();
    let read = body::bytes(body, limits.max_body_bytes, taking(&memory, is_known)).await?;
    let (bytes, _room) = read.ok_or_else(|| too_large(limits))?;
    let (typed, unread) = fields(headers, bytes.into()).await?;
    if unread.is_empty() { Ok(typed) } else { Err(no_text(unread)) }
}

/// The error for fields that are not text.
pub(super) fn no_text(unread: Map<String, Value>) -> Error {
    Error::new(Code::ValidationFailed, "The form contains data that is not text.").with_details(unread)
}

/// The fields of a form, with a file as its text; and the problems of fields that are not text.
pub(super) async fn fields(headers: &HeaderMap, bytes: Bytes) -> Result<(Typed, Map<String, Value>)> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let (mut fields, mut unread) = (BTreeMap::new(), Map::new());
    let mut note = |name: String, bytes: &[u8]| {
        // The stores cannot hold NUL in text.
        match std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')) {
            Some(text) => {
                fields.insert(name, text.trim_start_matches('\u{feff}').replace("\r\n", "\n"));
            }
            None => {
                unread.insert(name, "is not UTF-8 text".into());
            }
        }
    };
    match kind.split(';').next().map(str::trim) {
        Some("application/x-www-form-urlencoded") => {
            for (name, value) in form_urlencoded::parse(&bytes) {
                note(name.into_owned(), value.as_bytes());
            }
        }
        Some("multipart/form-data") => {
            for (name, value) in parts(kind, bytes).await? {
                note(name, &value);
            }
        }
        _ => return Err(Error::new(Code::UnsupportedMediaType, "Send the form as a browser does.")),
    }
    Ok((Typed(fields), unread))
}

/// The parts of a multipart form.
async fn parts(kind: &str, bytes: Bytes) -> Result<Vec<(String, Bytes)>> {
    let malformed = || Error::new(Code::ValidationFailed, "The form is malformed.");
    let request = Request::builder().header(header::CONTENT_TYPE, kind).body(Body::from(bytes)).map_err(|_| malformed())?;
    let mut multipart = Multipart::from_request(request, &()).await.map_err(|_| malformed())?;
    let mut parts = Vec::new();
    while let Some(field) = multipart.next_field().await.map_err(|_| malformed())? {
        let name = field.name().unwrap_or_default().to_owned();
        parts.push((name, field.bytes().await.map_err(|_| malformed())?));
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn debug_shows_no_value() {
        let typed = Typed(BTreeMap::from([("password".to_owned(), "s3cret".to_owned())]));
        let shown = format!("{typed:?}");
        assert!(shown.contains("password") && !shown.contains("s3cret"), "{shown}");
    }

    #[tokio::test]
    async fn a_file_is_its_text() {
        let body = "--x\r\ncontent-disposition: form-data; name=\"file\"\r\n\r\ntyped\r\n--x\r\ncontent-disposition: form-data; \
            name=\"upload\"; filename=\"p.yaml\"\r\ncontent-type: application/yaml\r\n\r\n\u{feff}version: 1\r\nproject\r\n--x--\r\n";
        let kind = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("multipart/form-data; boundary=x"))]);
        let (mut typed, unread) = fields(&kind, Bytes::from(body)).await.expect("a form");
        assert!(unread.is_empty());
        assert_eq!((typed.get("file"), typed.get("upload")), ("typed", "version: 1\nproject"));
        typed.put_in_place("upload", "file");
        assert_eq!((typed.get("file"), typed.get("upload")), ("version: 1\nproject", ""));
        typed.put_in_place("upload", "file");
        assert_eq!(typed.get("file"), "version: 1\nproject", "nothing was chosen");
        assert!(fields(&kind, Bytes::from("--x\r\n")).await.is_err());
        for picture in [
            &b"--x\r\ncontent-disposition: form-data; name=\"upload\"\r\n\r\n\xff\xd8\r\n--x--\r\n"[..],
            b"--x\r\ncontent-disposition: form-data; name=\"upload\"\r\n\r\na\0b\r\n--x--\r\n",
        ] {
            let (typed, unread) = fields(&kind, Bytes::from_static(picture)).await.expect("a form");
            assert_eq!((typed.sent("upload"), unread["upload"].as_str()), (None, Some("is not UTF-8 text")));
        }
    }
}
