//! A mail server on loopback that speaks SMTP (RFC 5321, with AUTH PLAIN) and keeps what it takes, read by a parser of its own.

use base64::{Engine, engine::general_purpose::STANDARD};
use mail_parser::{MessageParser, MimeHeaders};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A message as the server took it.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    /// The envelope's recipients.
    pub(crate) recipients: Vec<String>,
    /// The user who was let in, if one was.
    pub(crate) user: Option<String>,
    /// Headers and body as they came.
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

    /// The addresses in the text that begin so.
    pub(crate) fn links(&self, beginning: &str) -> Vec<String> {
        let text = self.text();
        text.split_whitespace().filter(|word| word.starts_with(beginning)).map(str::to_owned).collect()
    }
}

/// What the server does with recipients.
#[derive(Default)]
struct Rules {
    taken: Vec<Taken>,
    refused: Vec<(String, u16)>,
    dead_after_data: bool,
}

/// The server; it ends with the test's runtime.
#[derive(Clone)]
pub(crate) struct MailServer {
    address: SocketAddr,
    rules: Arc<Mutex<Rules>>,
}

impl MailServer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let server = Self { address: listener.local_addr().expect("an address"), rules: Arc::default() };
        let own = server.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(own.clone().converse(stream));
            }
        });
        server
    }

    /// `INLAY_SMTP_URL` for it.
    pub(crate) fn url(&self) -> String {
        format!("smtp://inlay:s3%20cret@{}?tls=none", self.address)
    }

    /// What it took so far.
    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.rules.lock().expect("a lock").taken.clone()
    }

    /// Takes nothing for an address from now on but answers with a status; 250 takes it again.
    pub(crate) fn refuse(&self, address: &str, status: u16) {
        let mut rules = self.rules.lock().expect("a lock");
        rules.refused.retain(|(known, _)| known != address);
        if status != 250 {
            rules.refused.push((address.to_owned(), status));
        }
    }

    /// Takes messages and then breaks the connection before it says so.
    pub(crate) fn die_after_data(&self, dies: bool) {
        self.rules.lock().expect("a lock").dead_after_data = dies;
    }

    fn status_of(&self, address: &str) -> Option<u16> {
        let rules = self.rules.lock().expect("a lock");
        rules.refused.iter().find(|(known, _)| known == address).map(|(_, status)| *status)
    }

    async fn converse(self, stream: TcpStream) {
        let (read, mut write) = stream.into_split();
        let mut lines = BufReader::new(read);
        let (mut recipients, mut user) = (Vec::new(), None);
        let _ = write.write_all(b"220 loopback ESMTP\r\n").await;
        loop {
            let mut line = String::new();
            if lines.read_line(&mut line).await.unwrap_or_default() == 0 {
                return;
            }
            let line = line.trim_end().to_owned();
            let answer = match line.split(' ').next().unwrap_or_default().to_ascii_uppercase().as_str() {
                "EHLO" => "250-loopback\r\n250-8BITMIME\r\n250 AUTH PLAIN".to_owned(),
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
                    let _ = write.write_all(b"354 go on\r\n").await;
                    let Some(raw) = data(&mut lines).await else { return };
                    let dies = {
                        let mut rules = self.rules.lock().expect("a lock");
                        rules.taken.push(Taken { recipients: recipients.clone(), user: user.clone(), raw });
                        rules.dead_after_data
                    };
                    if dies {
                        return;
                    }
                    "250 taken".to_owned()
                }
                "QUIT" => {
                    let _ = write.write_all(b"221 bye\r\n").await;
                    return;
                }
                _ => "502 what?".to_owned(),
            };
            if write.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

/// The user of an `AUTH PLAIN`, when the password is right.
fn let_in(line: &str) -> Option<String> {
    let plain = STANDARD.decode(line.rsplit(' ').next()?).ok()?;
    let plain = String::from_utf8(plain).ok()?;
    let mut parts = plain.split('\0').skip(1);
    let (user, password) = (parts.next()?, parts.next()?);
    (password == "s3 cret").then(|| user.to_owned())
}

/// A message up to the lone dot, its doubled dots single again.
async fn data(lines: &mut BufReader<tokio::net::tcp::OwnedReadHalf>) -> Option<String> {
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
