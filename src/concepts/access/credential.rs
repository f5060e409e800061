//! Credentials as they were sent, and where a request may carry them (docs/spec/contract.md, section 2).

use crate::ground::error::{Code, Error, Result};
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
    /// Reads a credential from text. `None` when the text is empty.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.split('.').count() {
            _ if text.is_empty() => None,
            3 => Some(Self::Token(text.to_owned())),
            _ => Some(Self::Key(text.to_owned())),
        }
    }

    /// The bearer credential of the `Authorization` header.
    ///
    /// # Errors
    /// 401 when the header is present but holds no bearer credential.
    pub fn in_header(headers: &HeaderMap) -> Result<Option<Self>> {
        let Some(header) = headers.get(AUTHORIZATION) else { return Ok(None) };
        let odd = || Error::new(Code::InvalidApiKey, "Send `Authorization: Bearer <API key or token>`.");
        let (scheme, rest) = header.to_str().map_err(|_| odd())?.split_once(' ').ok_or_else(odd)?;
        if !scheme.eq_ignore_ascii_case("bearer") || rest.trim().contains(' ') {
            return Err(odd());
        }
        Self::of(rest).map(Some).ok_or_else(odd)
    }
}

/// Where a request may carry a credential. The header takes precedence.
pub trait CredentialSources: Send + 'static {
    /// Whether `apiKey` in the body is accepted.
    const BODY: bool;
    /// Whether `apiKey` in the query is accepted.
    const QUERY: bool;
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
