//! Mail. A sender builds a [`Message`] and calls [`Mailer::send`]; a [`Letter`] gives it the common layout. Typed text never
//! reaches a header unchecked: an address must be one plain address, and a subject with a line break is refused, so that nobody
//! can add headers, recipients or another body.

mod letter;
pub mod settings;
mod transport;

#[cfg(test)]
mod tests;

pub use letter::Letter;
pub use transport::Mailer;

use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, str::FromStr};

/// The maximum length of an address, in bytes (RFC 5321).
const LONGEST_ADDRESS: usize = 254;

/// The maximum length of a subject, in characters.
pub const LONGEST_SUBJECT: usize = 200;

/// An email address without a name: `somebody@example.com`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(lettre::Address);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Address {
    type Err = String;

    /// Parses an address. Comments, quotes and domains in brackets are refused: nobody types them, and mail programs treat them
    /// differently.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "is not a valid email address; write one like somebody@example.com".to_owned();
        let text = text.trim();
        let (name, domain) = text.rsplit_once('@').ok_or_else(wrong)?;
        let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte);
        let of_domain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        if text.len() > LONGEST_ADDRESS || !name.bytes().all(of_name) || !domain.bytes().all(of_domain) {
            return Err(wrong());
        }
        // Domains are case-insensitive. So are mailbox names at practically every provider.
        text.to_ascii_lowercase().parse().map(Self).map_err(|_| wrong())
    }
}

impl Address {
    /// The domain, in lower case.
    pub fn domain(&self) -> &str {
        self.0.domain()
    }
}

/// A file that is attached to a message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media_type: Cow<'static, str>,
    /// Its bytes. Base64 in JSON.
    #[serde(with = "base64_text")]
    pub content: Vec<u8>,
}

/// Bytes as base64 in JSON text, because an array of numbers would take three times the space.
mod base64_text {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// A message to one recipient.
#[derive(Clone, Debug)]
pub struct Message {
    /// The recipient.
    pub to: Address,
    /// One line of at most [`LONGEST_SUBJECT`] characters.
    pub subject: String,
    /// The text for mail programs that show no HTML.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Files.
    pub attachments: Vec<Attachment>,
    /// The message id, by which a second sending of the same message is recognized. Generated when missing.
    pub id: Option<String>,
    /// The URL where the recipient can unsubscribe by `POST` (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailProblem {
    /// The service has no mail server.
    #[error("No mail server is set up. The operator sets INLAY_SMTP_URL and INLAY_SMTP_FROM.")]
    NotSetUp,
    /// A setting is invalid.
    #[error("{0}")]
    Setting(String),
    /// The message itself cannot be sent.
    #[error("The message cannot be sent: {0}")]
    Unfit(String),
    /// The server refuses the message for good.
    #[error("The mail server refused the message ({0}).")]
    Refused(u16),
    /// The server did not accept the message this time.
    #[error("The mail server did not accept the message: {0}.")]
    Later(String),
}

impl MailProblem {
    /// Whether sending the same message again may succeed.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::NotSetUp | Self::Later(_))
    }
}

/// Checks a text for use as a subject.
///
/// # Errors
/// The problem; it completes «`subject` …».
pub fn check_subject(subject: &str) -> Result<(), String> {
    if subject.chars().any(char::is_control) {
        return Err("must be one line".to_owned());
    }
    if subject.trim().is_empty() {
        return Err("must not be empty".to_owned());
    }
    if subject.chars().count() > LONGEST_SUBJECT {
        return Err(format!("must have at most {LONGEST_SUBJECT} characters"));
    }
    Ok(())
}
