//! A local server for protocols over HTTP. It records requests and sends a test's responses.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode, Uri},
    response::Response,
};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub method: Method,
    pub uri: Uri,
    pub headers: HeaderMap,
    pub body: String,
}

impl Asked {
    /// A header's text. Empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// A parameter of the URL's query.
    pub(crate) fn parameter(&self, name: &str) -> Option<String> {
        let query = self.uri.query().unwrap_or_default();
        url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// A field of a form in the body.
    pub(crate) fn part(&self, name: &str) -> Option<String> {
        let (_, after) = self.body.split_once(&format!("name=\"{name}\"\r\n\r\n"))?;
        after.split_once("\r\n--").map(|(value, _)| value.to_owned())
    }
}

type Answering = dyn Fn(&Asked, usize) -> Response + Send + Sync;

/// The server. It stops when dropped.
pub(crate) struct Server {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Serves the responses that `answer` creates from a request and the number of earlier ones.
    pub(crate) async fn new(answer: impl Fn(&Asked, usize) -> Response + Send + Sync + 'static) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let asked = Arc::new(Mutex::new(Vec::new()));
        let answer: Arc<Answering> = Arc::new(answer);
        let app = Router::new().fallback(serve).with_state((Arc::clone(&asked), answer));
        let task = tokio::spawn(async move { axum::serve(listener, app).await.expect("it serves") });
        Self { address, asked, task }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no panic").clone()
    }

    /// Waits for a matching request.
    pub(crate) async fn wait_for(&self, fits: impl Fn(&Asked) -> bool) -> Asked {
        let start = Instant::now();
        loop {
            if let Some(found) = self.asked().into_iter().find(|asked| fits(asked)) {
                return found;
            }
            assert!(start.elapsed() < Duration::from_secs(5), "never asked: {:?}", self.asked());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The requests, and the function for responses.
type Kept = (Arc<Mutex<Vec<Asked>>>, Arc<Answering>);

async fn serve(State((kept, answer)): State<Kept>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap_or_default();
    let body = String::from_utf8_lossy(&body).into_owned();
    let asked = Asked { method: parts.method, uri: parts.uri, headers: parts.headers, body };
    let before = {
        let mut kept = kept.lock().expect("no panic");
        kept.push(asked.clone());
        kept.len() - 1
    };
    answer(&asked, before)
}

pub(crate) fn text(status: u16, body: impl Into<String>) -> Response {
    let mut response = Response::new(Body::from(body.into()));
    *response.status_mut() = StatusCode::from_u16(status).expect("a status");
    response
}

/// A response that begins and then stalls.
pub(crate) fn unfinished(body: &'static str) -> Response {
    let begun = futures::stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(body.as_bytes()))]);
    Response::new(Body::from_stream(futures::StreamExt::chain(begun, futures::stream::pending())))
}

/// A response that breaks off.
pub(crate) fn broken(body: &'static str) -> Response {
    let parts = [Ok(Bytes::from_static(body.as_bytes())), Err(std::io::Error::other("gone"))];
    Response::new(Body::from_stream(futures::stream::iter(parts)))
}

/// A response's text, to be sent many times.
pub(crate) fn bytes(text: String) -> Bytes {
    Bytes::from(text)
}

/// A response of this text.
pub(crate) fn sent(text: &Bytes) -> Response {
    Response::new(Body::from(text.clone()))
}

/// The result of work, and which part of its time the longest pause of another task on the same thread took.
pub(crate) async fn longest_pause<T>(work: impl Future<Output = T>) -> (T, f64) {
    const BEAT: Duration = Duration::from_millis(5);
    let (longest, begun) = (Arc::new(Mutex::new(Duration::ZERO)), Instant::now());
    let noted = Arc::clone(&longest);
    let beating = tokio::spawn(async move {
        loop {
            let before = Instant::now();
            tokio::time::sleep(BEAT).await;
            let mut longest = noted.lock().expect("no panic");
            *longest = before.elapsed().max(*longest);
        }
    });
    let made = work.await;
    let whole = begun.elapsed();
    // The beat after the last pause.
    tokio::time::sleep(BEAT * 4).await;
    beating.abort();
    let longest = *longest.lock().expect("no panic");
    (made, longest.as_secs_f64() / whole.as_secs_f64())
}
