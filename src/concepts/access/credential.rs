//! Credentials as they were sent, and where a request may carry them (docs/spec/contract.md, section 2).

use crate::ground::{
    error::{Code, Error, Result},
    web::body::Uncounted,
};
use axum::http::{HeaderMap, header::AUTHORIZATION};

/// A credential, told apart by its shape: text with a JWT's three parts is a token, everything else is a key. `Debug` prints none of it.
#[derive(Clone)]
pub enum Credential {
    /// An API key.
    Key(String),
    /// A token.
    Token(String),
}

impl std::fmt::Debug for Credential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Key(_) => "Key(…)",
            Self::Token(_) => "Token(…)",
        })
    }
}

impl Credential {
    /// Its kind, for traces.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Key(_) => "key",
            Self::Token(_) => "token",
        }
    }

    /// Reads a credential from text. `None` when the text is empty.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.split('.').count() {
            _ if text.is_empty() => None,
            3 => Some(Self::Token(text.to_owned())),
            _ => Some(Self::Key(text.to_owned())),
        }
    }

    /// The credential of the `authorization` header. v1 also accepts it without `Bearer`, and there a header of another scheme,
    /// such as a proxy's `Basic`, counts as no header (docs/spec/contract.md, D10).
    ///
    /// # Errors
    /// 401 for a bearer credential with a space in it. On v2, 401 for every header that holds no bearer credential.
    pub fn in_header(headers: &HeaderMap, api: ApiVersion) -> Result<Option<Self>> {
        let odd = || Error::new(Code::InvalidApiKey, "Send `Authorization: Bearer <API key or token>`.");
        let mut unreadable = false;
        for header in headers.get_all(AUTHORIZATION) {
            let text = String::from_utf8_lossy(header.as_bytes());
            let mut words = text.split_ascii_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some(scheme), Some(credential), None) if is_bearer(scheme) => return Ok(Self::of(credential)),
                (Some(scheme), Some(_), Some(_)) if is_bearer(scheme) => return Err(odd()),
                (Some(credential), None, _) if api == ApiVersion::V1 && !is_bearer(credential) => {
                    return Ok(Self::of(credential));
                }
                _ => unreadable = api == ApiVersion::V2,
            }
        }
        if unreadable { Err(odd()) } else { Ok(None) }
    }
}

fn is_bearer(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("bearer")
}

/// The API version of a request, which decides how its `authorization` header is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiVersion {
    /// `/v1/api`
    V1,
    /// `/v2/api`, and everything else.
    V2,
}

impl ApiVersion {
    /// The version of a path.
    pub fn of(path: &str) -> Self {
        if path.starts_with("/v1/") { Self::V1 } else { Self::V2 }
    }
}

/// Where a request may carry a credential, and how large its body may be. The header takes precedence.
pub trait CredentialSources: Send + 'static {
    /// Whether `apiKey` in the body is accepted.
    const BODY: bool;
    /// Whether `apiKey` in the query is accepted.
    const QUERY: bool;
    /// A field of the body that does not count toward its size.
    const UNCOUNTED: Option<Uncounted> = None;
    /// Whether the handler gets a body that cannot be read, because it has refusals that come before.
    const JUDGES_UNREADABLE: bool = false;
}

/// The header only.
#[derive(Debug)]
pub struct Header;

/// The header, or `apiKey` in the body.
#[derive(Debug)]
pub struct HeaderOrBody;

/// The header, or `apiKey` in the query (only the role list).
#[derive(Debug)]
pub struct HeaderOrQuery;

/// The header, or `apiKey` in the body, for a v1 write: after the migration it is refused whatever its body holds
/// (docs/spec/contract.md, D7).
#[derive(Debug)]
pub struct MigratedWrite;

impl CredentialSources for MigratedWrite {
    const BODY: bool = true;
    const QUERY: bool = false;
    const JUDGES_UNREADABLE: bool = true;
}

impl CredentialSources for Header {
    const BODY: bool = false;
    const QUERY: bool = false;
}

impl CredentialSources for HeaderOrBody {
    const BODY: bool = true;
    const QUERY: bool = false;
}

impl CredentialSources for HeaderOrQuery {
    const BODY: bool = false;
    const QUERY: bool = true;
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    /// The credential in these headers; `!` when they are refused.
    fn read(api: ApiVersion, sent: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        for value in sent {
            headers.append(AUTHORIZATION, HeaderValue::from_bytes(value.as_bytes()).expect("a header"));
        }
        match Credential::in_header(&headers, api) {
            Ok(None) => String::new(),
            Ok(Some(Credential::Key(text))) => format!("key {text}"),
            Ok(Some(Credential::Token(text))) => format!("token {text}"),
            Err(refused) => {
                assert_eq!(refused.code, Code::InvalidApiKey);
                "!".to_owned()
            }
        }
    }

    #[test]
    fn the_header_in_every_form_that_hosts_send() {
        let forms: &[(&[&str], &str, &str)] = &[
            // sent, v1, v2
            (&[], "", ""),
            (&["Bearer k"], "key k", "key k"),
            (&["bearer k"], "key k", "key k"),
            (&["BEARER   k  "], "key k", "key k"),
            (&["Bearer\tk"], "key k", "key k"),
            (&["Bearer a.b.c"], "token a.b.c", "token a.b.c"),
            (&["k"], "key k", "!"),
            (&["  k "], "key k", "!"),
            (&["a.b.c"], "token a.b.c", "!"),
            (&[""], "", "!"),
            (&["   "], "", "!"),
            (&["Bearer"], "", "!"),
            (&["Bearer "], "", "!"),
            (&["Bearer k l"], "!", "!"),
            (&["Basic dXNlcjpwYXNz"], "", "!"),
            (&["Basic"], "key Basic", "!"),
            (&["ApiKey k"], "", "!"),
            (&["Digest username=\"a\", realm=\"b\""], "", "!"),
            (&["Negotiate ü"], "", "!"),
            (&["Basic dXNlcjpwYXNz", "Bearer k"], "key k", "key k"),
            (&["Basic dXNlcjpwYXNz", "k"], "key k", "!"),
        ];
        for (sent, v1, v2) in forms {
            assert_eq!((read(ApiVersion::V1, sent).as_str(), read(ApiVersion::V2, sent).as_str()), (*v1, *v2), "{sent:?}");
        }
    }

    #[test]
    fn only_v1_reads_the_header_as_v1() {
        for (path, version) in [
            ("/v1/api/dashboard/create", ApiVersion::V1),
            ("/v2/api/applications", ApiVersion::V2),
            ("/v11/api", ApiVersion::V2),
            ("/share/fn/open", ApiVersion::V2),
        ] {
            assert_eq!(ApiVersion::of(path), version, "{path}");
        }
    }
}
