//! The connection to the mail server.

use super::{Attachment, MailProblem, Message, check_subject};
use crate::ground::mail::settings::MailSettings;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    message::{
        Attachment as Part, Mailbox, MultiPart, SinglePart,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::{
        Error as SmtpError,
        authentication::Credentials,
        client::{Certificate, Tls, TlsParameters},
    },
};
use percent_encoding::percent_decode_str;
use secrecy::ExposeSecret;
use std::{error::Error as _, io, path::Path, time::Duration};
use url::Url;
use uuid::Uuid;

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// The first line of a certificate in a PEM file.
const CERTIFICATE: &[u8] = b"-----BEGIN CERTIFICATE-----";

/// Sends mail through the configured server. Without one, every message is refused.
#[derive(Clone)]
pub struct Mailer(Option<MailRoute>);

#[derive(Clone)]
struct MailRoute {
    transport: Transport,
    from: Mailbox,
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Mailer(set up)" } else { "Mailer(none)" })
    }
}

impl Mailer {
    /// Creates the mailer for these settings. It does not connect yet.
    ///
    /// # Errors
    /// A setting is invalid. The text is a whole sentence for the operator and holds no password.
    pub fn new(settings: &MailSettings) -> Result<Self, MailProblem> {
        let Some(url) = &settings.smtp_url else { return Ok(Self(None)) };
        let wrong = |text: &str| MailProblem::Setting(text.to_owned());
        let from = settings.smtp_from.as_deref().unwrap_or_default();
        let from = from.parse().map_err(|_| {
            wrong("INLAY_SMTP_FROM is missing or no address. Set it to whom mail is from, like `Example <reports@example.com>`")
        })?;
        let url = Url::parse(url.expose_secret())
            .map_err(|_| wrong("INLAY_SMTP_URL is not a URL like smtp://user:password@host:587"))?;
        let timeout = Duration::from_secs(settings.smtp_timeout_seconds.max(1));
        Ok(Self(Some(MailRoute { transport: transport(&url, settings.smtp_ca_file.as_deref(), timeout)?, from })))
    }

    /// Whether a mail server is configured.
    pub const fn is_set_up(&self) -> bool {
        self.0.is_some()
    }

    /// Connects, greets and signs in, without sending anything.
    ///
    /// # Errors
    /// The server does not answer as it should, or none is configured.
    pub async fn greet(&self) -> Result<(), MailProblem> {
        let way = self.0.as_ref().ok_or(MailProblem::NotSetUp)?;
        match way.transport.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err(MailProblem::Later("it does not keep the connection".to_owned())),
            Err(problem) => Err(judge(&problem)),
        }
    }

    /// Sends a message. When this returns, the mail server has accepted it.
    pub async fn send(&self, message: &Message) -> Result<(), MailProblem> {
        let way = self.0.as_ref().ok_or(MailProblem::NotSetUp)?;
        let composed = compose(&way.from, message)?;
        let sent = way.transport.send(composed).await.map(drop).map_err(|problem| judge(&problem));
        let outcome = if sent.is_ok() { "sent" } else { "failed" };
        metrics::counter!("inlay_mails_total", "outcome" => outcome).increment(1);
        if let Err(problem) = &sent {
            tracing::warn!(%problem, "a mail was not sent");
        }
        sent
    }
}

fn transport(url: &Url, authorities: Option<&Path>, timeout: Duration) -> Result<Transport, MailProblem> {
    let wrong = |text: &str| MailProblem::Setting(text.to_owned());
    let host = url.host_str().ok_or_else(|| wrong("INLAY_SMTP_URL names no host"))?;
    let tls = || trust(host, authorities);
    let wanted = url.query_pairs().find(|(key, _)| key == "tls").map(|(_, value)| value.into_owned());
    let (tls, port) = match (url.scheme(), wanted.as_deref()) {
        ("smtps", None) => (Tls::Wrapper(tls()?), 465),
        ("smtp", None | Some("required")) => (Tls::Required(tls()?), 587),
        ("smtp", Some("none")) => (Tls::None, 25),
        _ => return Err(wrong("INLAY_SMTP_URL must begin with smtp:// or smtps://, and `tls` must be `required` or `none`")),
    };
    let builder = Transport::builder_dangerous(host).tls(tls).port(url.port().unwrap_or(port)).timeout(Some(timeout));
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let builder = match (url.username(), url.password()) {
        ("", _) => builder,
        (user, password) => builder.credentials(Credentials::new(decoded(user), decoded(password.unwrap_or_default()))),
    };
    Ok(builder.build())
}

/// The trusted certificate authorities for a host: the public ones, and those in a file.
fn trust(host: &str, authorities: Option<&Path>) -> Result<TlsParameters, MailProblem> {
    let unread = |why: &str| {
        MailProblem::Setting(format!("INLAY_SMTP_CA_FILE {why}. Set it to a file that contains `-----BEGIN CERTIFICATE-----`"))
    };
    let mut builder = TlsParameters::builder(host.to_owned());
    if let Some(file) = authorities {
        let pem = std::fs::read(file).map_err(|problem| unread(&format!("cannot be read: {problem}")))?;
        if !pem.windows(CERTIFICATE.len()).any(|part| part == CERTIFICATE) {
            return Err(unread("contains no certificate"));
        }
        builder =
            builder.add_root_certificate(Certificate::from_pem(&pem).map_err(|_| unread("contains no valid certificate"))?);
    }
    builder.build().map_err(|_| MailProblem::Setting("INLAY_SMTP_URL has a host name that TLS cannot verify".to_owned()))
}

fn compose(from: &Mailbox, message: &Message) -> Result<lettre::Message, MailProblem> {
    check_subject(&message.subject).map_err(|problem| MailProblem::Unfit(format!("its subject {problem}")))?;
    let id = message.id.clone().unwrap_or_else(|| Uuid::new_v4().to_string());
    let mut builder = lettre::Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, message.to.0.clone()))
        .subject(&message.subject)
        .message_id(Some(format!("<{id}@{}>", from.email.domain())))
        .date_now()
        // Automatic replies should not answer automatic mail (RFC 3834).
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned())?);
    if let Some(address) = &message.unsubscribe {
        builder = builder
            .raw_header(header("List-Unsubscribe", format!("<{address}>"))?)
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned())?);
    }
    let said = MultiPart::alternative_plain_html(message.text.clone(), message.html.clone());
    let whole = if message.attachments.is_empty() {
        said
    } else {
        let mixed = MultiPart::mixed().multipart(said);
        message.attachments.iter().try_fold(mixed, |mixed, file| Ok(mixed.singlepart(attached(file)?)))?
    };
    builder.multipart(whole).map_err(|problem| MailProblem::Unfit(problem.to_string()))
}

fn header(name: &'static str, value: String) -> Result<HeaderValue, MailProblem> {
    if value.chars().any(char::is_control) {
        return Err(MailProblem::Unfit(format!("its header {name} has a line break")));
    }
    let name = HeaderName::new_from_ascii(name.to_owned()).map_err(|problem| MailProblem::Unfit(problem.to_string()))?;
    Ok(HeaderValue::new(name, value))
}

fn attached(file: &Attachment) -> Result<SinglePart, MailProblem> {
    let kind = ContentType::parse(&file.media_type).map_err(|problem| MailProblem::Unfit(problem.to_string()))?;
    let name: String = file.name.chars().filter(|letter| !letter.is_control()).collect();
    Ok(Part::new(name).body(file.content.clone(), kind))
}

/// The meaning of a failure: this message is refused, or sending may succeed later. Only the server's status is kept, because
/// its text may contain addresses.
fn judge(problem: &SmtpError) -> MailProblem {
    /// Status codes of a server that rejects the service itself: the operator has to change the settings.
    const NOT_LET_IN: [u16; 5] = [454, 530, 534, 535, 538];
    match problem.status().map(u16::from) {
        Some(code) if problem.is_permanent() && !NOT_LET_IN.contains(&code) => MailProblem::Refused(code),
        Some(code) => MailProblem::Later(format!("it responded with {code}")),
        None if problem.is_timeout() => MailProblem::Later("it did not respond in time".to_owned()),
        None if problem.is_tls() || distrusts(problem) => {
            MailProblem::Later("a trusted TLS connection to it failed".to_owned())
        }
        None => MailProblem::Later("it could not be reached".to_owned()),
    }
}

/// Whether a connection failed because the certificate is not trusted: the mail library reports an untrusted server with TLS
/// from the start as unreachable.
fn distrusts(problem: &SmtpError) -> bool {
    let mut cause = problem.source();
    while let Some(one) = cause {
        let inner = one.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if one.is::<rustls::Error>() || inner.is_some_and(|inner| inner.is::<rustls::Error>()) {
            return true;
        }
        cause = one.source();
    }
    false
}
