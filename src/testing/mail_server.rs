//! An SMTP server on loopback (RFC 5321, with AUTH PLAIN and STARTTLS) that stores its messages, parsed by an independent parser.

use base64::{Engine, engine::general_purpose::STANDARD};
use mail_parser::{MessageParser, MimeHeaders};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::aws_lc_rs::default_provider, pki_types::PrivateKeyDer},
};

/// A received message.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// The envelope's recipients.
    pub(crate) recipients: Vec<String>,
    /// The authenticated user, if any.
    pub(crate) user: Option<String>,
    /// Headers and body as received.
    pub(crate) raw: String,
}

/// A file of a message.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) media_type: String,
    pub(crate) content: Vec<u8>,
}

impl Taken {
    fn parsed(&self) -> mail_parser::Message<'_> {
        MessageParser::default().parse(self.raw.as_bytes()).expect("a message")
    }

    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let message = self.parsed();
        let raw = message.headers_raw().find(|(known, _)| known.eq_ignore_ascii_case(name));
        raw.map(|(_, value)| value.trim().to_owned())
    }

    pub(crate) fn subject(&self) -> String {
        self.parsed().subject().unwrap_or_default().to_owned()
    }

    pub(crate) fn text(&self) -> String {
        self.parsed().body_text(0).unwrap_or_default().replace("\r\n", "\n")
    }

    pub(crate) fn html(&self) -> String {
        self.parsed().body_html(0).unwrap_or_default().into_owned()
    }

    pub(crate) fn files(&self) -> Vec<File> {
        let message = self.parsed();
        let file = |part: &mail_parser::MessagePart<'_>| {
            let kind = part.content_type().expect("a type");
            let media_type = format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default());
            let name = part.attachment_name().unwrap_or_default().to_owned();
            File { name, media_type, content: part.contents().to_vec() }
        };
        message.attachments().map(file).collect()
    }

    /// The URLs in the text that begin with this.
    pub(crate) fn links(&self, beginning: &str) -> Vec<String> {
        let text = self.text();
        text.split_whitespace().filter(|word| word.starts_with(beginning)).map(str::to_owned).collect()
    }
}

/// How the server treats recipients.
#[derive(Default)]
struct Rules {
    taken: Vec<Taken>,
    refused: Vec<(String, u16)>,
    dead_after_data: bool,
}

/// When conversations are encrypted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hides {
    /// Never.
    Never,
    /// After the client requests STARTTLS.
    OnDemand,
    /// From the start.
    Always,
}

/// The server. It ends with the test's runtime.
#[derive(Clone)]
pub(crate) struct MailServer {
    address: SocketAddr,
    rules: Arc<Mutex<Rules>>,
    hides: Hides,
    tls: TlsAcceptor,
    /// Its own certificate as PEM; it is its own authority.
    certificate: String,
}

impl MailServer {
    /// A server without TLS.
    pub(crate) async fn start() -> Self {
        Self::listen(Hides::Never).await
    }

    /// A server that requires STARTTLS before authentication.
    pub(crate) async fn start_with_tls_on_demand() -> Self {
        Self::listen(Hides::OnDemand).await
    }

    /// A server with TLS from the start.
    pub(crate) async fn start_with_tls() -> Self {
        Self::listen(Hides::Always).await
    }

    async fn listen(hides: Hides) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (tls, certificate) = identity();
        let server =
            Self { address: listener.local_addr().expect("an address"), rules: Arc::default(), hides, tls, certificate };
        let own = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(own.clone().serve(stream));
            }
        });
        server
    }

    /// `INLAY_SMTP_URL` for it. Its certificate is valid for `localhost`.
    pub(crate) fn url(&self) -> String {
        let port = self.address.port();
        match self.hides {
            Hides::Never => format!("smtp://inlay:s3%20cret@127.0.0.1:{port}?tls=none"),
            Hides::OnDemand => format!("smtp://inlay:s3%20cret@localhost:{port}"),
            Hides::Always => format!("smtps://inlay:s3%20cret@localhost:{port}"),
        }
    }

    /// The certificate of its authority, as PEM.
    pub(crate) fn authority(&self) -> &str {
        &self.certificate
    }

    /// The messages received so far.
    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.rules.lock().expect("a lock").taken.clone()
    }

    /// Rejects mail to an address with a status from now on. 250 accepts it again.
    pub(crate) fn refuse(&self, address: &str, status: u16) {
        let mut rules = self.rules.lock().expect("a lock");
        rules.refused.retain(|(known, _)| known != address);
        if status != 250 {
            rules.refused.push((address.to_owned(), status));
        }
    }

    /// Closes the connection after receiving a message, before confirming it.
    pub(crate) fn die_after_data(&self, dies: bool) {
        self.rules.lock().expect("a lock").dead_after_data = dies;
    }

    fn status_of(&self, address: &str) -> Option<u16> {
        let rules = self.rules.lock().expect("a lock");
        rules.refused.iter().find(|(known, _)| known == address).map(|(_, status)| *status)
    }

    async fn serve(self, stream: TcpStream) {
        let mut lines = BufReader::new(stream);
        if self.hides != Hides::Always {
            let _ = lines.write_all(b"220 loopback ESMTP\r\n").await;
            if self.converse(&mut lines, self.hides == Hides::OnDemand).await != Ended::ForTls {
                return;
            }
        }
        let Ok(hidden) = self.tls.accept(lines.into_inner()).await else { return };
        let mut lines = BufReader::new(hidden);
        if self.hides == Hides::Always {
            let _ = lines.write_all(b"220 loopback ESMTP\r\n").await;
        }
        self.converse(&mut lines, false).await;
    }

    /// Answers until the connection ends. On an `open` (unencrypted) connection nobody can authenticate.
    async fn converse(&self, lines: &mut BufReader<impl AsyncRead + AsyncWrite + Unpin>, open: bool) -> Ended {
        let (mut recipients, mut user) = (Vec::new(), None);
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).await.unwrap_or_default() == 0 {
                return Ended::Gone;
            }
            let line = line.trim_end().to_owned();
            let answer = match line.split(' ').next().unwrap_or_default().to_ascii_uppercase().as_str() {
                "EHLO" if open => "250-loopback\r\n250-8BITMIME\r\n250 STARTTLS".to_owned(),
                "EHLO" => "250-loopback\r\n250-8BITMIME\r\n250 AUTH PLAIN".to_owned(),
                "STARTTLS" if open => {
                    let _ = lines.write_all(b"220 go on\r\n").await;
                    return Ended::ForTls;
                }
                "AUTH" | "MAIL" | "RCPT" | "DATA" if open => "530 not in the open".to_owned(),
                "AUTH" => {
                    user = let_in(&line);
                    if user.is_some() { "235 welcome".to_owned() } else { "535 no".to_owned() }
                }
                "MAIL" | "RSET" | "NOOP" => {
                    recipients.clear();
                    "250 ok".to_owned()
                }
                "RCPT" => {
                    let address = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                    match self.status_of(&address) {
                        Some(status) => format!("{status} not here"),
                        None => {
                            recipients.push(address);
                            "250 ok".to_owned()
                        }
                    }
                }
                "DATA" => {
                    let _ = lines.write_all(b"354 go on\r\n").await;
                    let Some(raw) = data(lines).await else { return Ended::Gone };
                    let dies = {
                        let mut rules = self.rules.lock().expect("a lock");
                        rules.taken.push(Taken { recipients: recipients.clone(), user: user.clone(), raw });
                        rules.dead_after_data
                    };
                    if dies {
                        return Ended::Gone;
                    }
                    "250 taken".to_owned()
                }
                "QUIT" => {
                    let _ = lines.write_all(b"221 bye\r\n").await;
                    return Ended::Gone;
                }
                _ => "502 what?".to_owned(),
            };
            if lines.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
                return Ended::Gone;
            }
        }
    }
}

/// How a conversation ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The client disconnected.
    Gone,
    /// It continues with TLS.
    ForTls,
}

/// A new key with its certificate for `localhost`, and the certificate as PEM.
fn identity() -> (TlsAcceptor, String) {
    let rcgen::CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(vec![cert.der().clone()], key))
        .expect("a key that fits");
    (TlsAcceptor::from(Arc::new(config)), cert.pem())
}

/// The user of an `AUTH PLAIN` line, if the password is right.
fn let_in(line: &str) -> Option<String> {
    let plain = STANDARD.decode(line.rsplit(' ').next()?).ok()?;
    let plain = String::from_utf8(plain).ok()?;
    let mut parts = plain.split('\0').skip(1);
    let (user, password) = (parts.next()?, parts.next()?);
    (password == "s3 cret").then(|| user.to_owned())
}

/// A message up to the final dot, with doubled dots unescaped.
async fn data(lines: &mut BufReader<impl AsyncRead + Unpin>) -> Option<String> {
    let mut raw = Vec::new();
    loop {
        let mut line = Vec::new();
        if lines.read_until(b'\n', &mut line).await.ok()? == 0 {
            return None;
        }
        if line == b".\r\n" {
            return Some(String::from_utf8_lossy(&raw).into_owned());
        }
        raw.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
    }
}
