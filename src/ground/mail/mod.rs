//! Mail. Whoever has something to say builds a [`Message`] and calls [`Mailer::send`]; a [`Letter`] gives it the common look.
//!
//! Nothing that a person typed reaches a header as it is: an address is one plain address, and a subject with a line break is
//! refused, so that nobody adds headers, recipients or a body of their own.

pub mod settings;

mod letter;
mod transport;

#[cfg(test)]
mod tests;

pub use letter::Letter;
pub use transport::Mailer;

use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt, str::FromStr};

/// The longest address, in bytes (RFC 5321).
const LONGEST_ADDRESS: usize = 254;

/// The longest subject, in characters.
pub const LONGEST_SUBJECT: usize = 200;

/// A mail address, without a name: `somebody@example.com`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(lettre::Address);

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Address {
    type Err = String;

    /// Reads an address. Comments, quotes and domains in brackets are refused: nobody types them, and mail programs differ on them.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "is no mail address like somebody@example.com".to_owned();
        let text = text.trim();
        let (name, domain) = text.rsplit_once('@').ok_or_else(wrong)?;
        let of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~.".contains(&byte);
        let of_domain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.".contains(&byte);
        if text.len() > LONGEST_ADDRESS || !name.bytes().all(of_name) || !domain.bytes().all(of_domain) {
            return Err(wrong());
        }
        // Domains are the same in any case; names are, wherever people read mail.
        text.to_ascii_lowercase().parse().map(Self).map_err(|_| wrong())
    }
}

impl Address {
    /// What stands after the `@`, in small letters.
    pub fn domain(&self) -> &str {
        self.0.domain()
    }
}

/// A file that goes with a message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// Its media type.
    pub media_type: Cow<'static, str>,
    /// Its bytes; as text in base64.
    #[serde(with = "base64_text")]
    pub content: Vec<u8>,
}

/// Bytes as base64 in a JSON text, where an array of numbers would take three times the room.
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
    /// To whom.
    pub to: Address,
    /// One line of at most [`LONGEST_SUBJECT`] characters.
    pub subject: String,
    /// The text for programs that show no HTML.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Files.
    pub attachments: Vec<Attachment>,
    /// What makes a second sending of the same message known as such; made up when left out.
    pub id: Option<String>,
    /// Where the recipient says that they want no more of this, by `POST` (RFC 8058).
    pub unsubscribe: Option<String>,
}

/// Why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailProblem {
    /// The service has no mail server.
    #[error("No mail server is set up. The operator sets INLAY_SMTP_URL and INLAY_SMTP_FROM.")]
    NotSetUp,
    /// A setting cannot be used.
    #[error("{0}")]
    Setting(String),
    /// The message itself cannot be sent.
    #[error("The message cannot be sent: {0}")]
    Unfit(String),
    /// The server will not take it, now or later.
    #[error("The mail server refused the message ({0}).")]
    Refused(u16),
    /// The server did not take it; it may, later.
    #[error("The mail server did not take the message: {0}.")]
    Later(String),
}

impl MailProblem {
    /// Whether the same message may go out another time.
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::NotSetUp | Self::Later(_))
    }
}

/// Refuses a text that may not stand in a header.
///
/// # Errors
/// What is wrong with it; completes «`subject` …».
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
