//! A plain HTTP/1.1 client: light, so that the load is the server's, and frank about how a connection ended.

use serde_json::Value;
use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// How long a caller waits for an answer unless it says otherwise.
const PATIENCE: Duration = Duration::from_secs(30);

/// What came back.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status; 0 without an answer.
    pub status: u16,
    pub body: String,
    /// Why there was no answer.
    pub fault: String,
    pub took: Duration,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// The data of a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        assert_eq!(self.status, 200, "{} {}", self.fault, self.body);
        self.json()["data"].clone()
    }

    pub const fn is_ok(&self) -> bool {
        self.status == 200
    }

    /// The answer in a word: `200`, `503 STORE_UNAVAILABLE`, `500 without an envelope`, `no answer`.
    pub fn name(&self) -> String {
        match (self.status, self.json()["error"]["code"].as_str()) {
            (0, _) => format!("no answer: {}", self.fault),
            (200, _) => "200".to_owned(),
            (status, Some(code)) => format!("{status} {code}"),
            (status, None) => format!("{status} without an envelope"),
        }
    }
}

/// A caller with a credential, which keeps its connections.
#[derive(Clone, Debug)]
pub struct Caller {
    pub address: SocketAddr,
    credential: Arc<str>,
    kept: Option<Arc<Mutex<Vec<TcpStream>>>>,
    patience: Duration,
}

impl Caller {
    pub fn new(address: SocketAddr, credential: &str) -> Self {
        Self { address, credential: credential.into(), kept: Some(Arc::default()), patience: PATIENCE }
    }

    /// The same with another credential.
    pub fn with(&self, credential: &str) -> Self {
        Self { credential: credential.into(), ..self.clone() }
    }

    /// The same with another caller's credential.
    pub fn with_credential_of(&self, other: &Self) -> Self {
        self.with(&other.credential)
    }

    /// The same, with a connection for each request.
    pub fn afresh(&self) -> Self {
        Self { kept: None, ..self.clone() }
    }

    /// The same, which waits so long.
    pub fn patient(&self, patience: Duration) -> Self {
        Self { patience, ..self.clone() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call("GET", path, "").await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Answer {
        self.call("POST", path, &body.to_string()).await
    }

    pub async fn call(&self, method: &str, path: &str, body: &str) -> Answer {
        let request = self.request(method, path, body);
        let begun = Instant::now();
        let exchanged = timeout(self.patience, self.exchange(request.as_bytes())).await;
        let took = begun.elapsed();
        match exchanged {
            Ok(Ok((status, body))) => Answer { status, body, fault: String::new(), took },
            Ok(Err(problem)) => Answer { status: 0, body: String::new(), fault: problem.kind().to_string(), took },
            Err(_) => Answer { status: 0, body: String::new(), fault: format!("{} s are over", self.patience.as_secs()), took },
        }
    }

    /// The text of a request.
    pub fn request(&self, method: &str, path: &str, body: &str) -> String {
        let credential = match &*self.credential {
            "" => String::new(),
            credential => format!("authorization: Bearer {credential}\r\n"),
        };
        let connection = if self.kept.is_some() { "" } else { "connection: close\r\n" };
        let kind = if body.is_empty() { "" } else { "content-type: application/json\r\n" };
        let length = if method == "GET" { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        format!("{method} {path} HTTP/1.1\r\nhost: inlay.test\r\n{credential}{connection}{kind}{length}\r\n{body}")
    }

    async fn exchange(&self, request: &[u8]) -> io::Result<(u16, String)> {
        let kept = self.kept.as_ref().and_then(|kept| kept.lock().unwrap_or_else(PoisonError::into_inner).pop());
        let old = kept.is_some();
        let stream = match kept {
            Some(stream) => stream,
            None => TcpStream::connect(self.address).await?,
        };
        match self.over(stream, request).await {
            // The server had closed the kept connection: as browsers do, once more over a new one.
            Err(problem) if old && problem.kind() == io::ErrorKind::NotConnected => {
                self.over(TcpStream::connect(self.address).await?, request).await
            }
            result => result,
        }
    }

    async fn over(&self, mut stream: TcpStream, request: &[u8]) -> io::Result<(u16, String)> {
        let unsent = |_| io::Error::from(io::ErrorKind::NotConnected);
        stream.write_all(request).await.map_err(unsent)?;
        let (status, body, open) = read(&mut stream).await?;
        if let (true, Some(kept)) = (open, &self.kept) {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(stream);
        }
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }
}

/// Reads one response: its status, its body, and whether the connection may be used again.
pub async fn read(stream: &mut TcpStream) -> io::Result<(u16, Vec<u8>, bool)> {
    let mut bytes = Vec::with_capacity(4096);
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        more(stream, &mut bytes).await?;
    };
    let text = String::from_utf8_lossy(&bytes[..head]).to_ascii_lowercase();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let header = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.map(str::trim).map(str::to_owned)
    };
    let open = header("connection").is_none_or(|value| value != "close");
    let mut body = bytes.split_off(head);
    if let Some(length) = header("content-length").and_then(|length| length.parse::<usize>().ok()) {
        while body.len() < length {
            more(stream, &mut body).await?;
        }
    } else if header("transfer-encoding").is_some() {
        body = chunks(stream, body).await?;
    } else if status != 204 && status != 304 {
        while more(stream, &mut body).await.is_ok() {}
        return Ok((status, body, false));
    }
    Ok((status, body, open))
}

async fn chunks(stream: &mut TcpStream, mut raw: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    let mut at = 0;
    loop {
        let line = loop {
            if let Some(end) = raw[at..].windows(2).position(|two| two == b"\r\n") {
                break at + end;
            }
            more(stream, &mut raw).await?;
        };
        let length = String::from_utf8_lossy(&raw[at..line]).into_owned();
        let length = usize::from_str_radix(length.trim(), 16).map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        while raw.len() < line + 4 + length {
            more(stream, &mut raw).await?;
        }
        if length == 0 {
            return Ok(body);
        }
        body.extend_from_slice(&raw[line + 2..line + 2 + length]);
        at = line + 4 + length;
    }
}

async fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> io::Result<()> {
    let first = bytes.is_empty();
    match stream.read_buf(bytes).await {
        // Nothing came at all: the other side had closed the connection before.
        Ok(0) if first => Err(io::ErrorKind::NotConnected.into()),
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(_) => Ok(()),
        Err(problem) => Err(problem),
    }
}
