//! How long a connection may hold a place without getting on.

use super::accepting::Idle;
use axum::body::{Body, Bytes, HttpBody};
use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::Notify,
    time::{Sleep, sleep},
};

/// How long a caller may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long an open connection may lie without a request. Longer than the idle limits of common proxies, so that they close first.
    pub idle: Duration,
    /// For a request's header, from its first byte.
    pub header: Duration,
    /// Without taking any of an answer that is ready.
    pub stalled: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { idle: Duration::from_secs(75), header: Duration::from_secs(10), stalled: Duration::from_secs(60) }
    }
}

/// Where a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Without a request, under this number among the idle ones.
    Idle(u64),
    /// In a request's header.
    Header,
    /// A request is under way.
    Request,
}

/// What a connection's stream and its service know together.
#[derive(Clone)]
pub struct Patience(Arc<Shared>);

struct Shared {
    stage: Mutex<Stage>,
    idle: Idle,
    close: Arc<Notify>,
}

impl Patience {
    /// Of a new connection. `close` closes it when room is needed.
    pub fn new(idle: Idle, close: Arc<Notify>) -> Self {
        let stage = Mutex::new(Stage::Idle(idle.enter(&close)));
        Self(Arc::new(Shared { stage, idle, close }))
    }

    fn stage(&self) -> MutexGuard<'_, Stage> {
        self.0.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A byte came. Whether it is the first of a header.
    fn begins(&self) -> bool {
        let mut stage = self.stage();
        let Stage::Idle(number) = *stage else { return false };
        self.0.idle.leave(number);
        *stage = Stage::Header;
        true
    }

    fn reads_header(&self) -> bool {
        *self.stage() == Stage::Header
    }

    /// The header of a request was read.
    pub fn header_is_complete(&self) {
        let mut stage = self.stage();
        if let Stage::Idle(number) = *stage {
            self.0.idle.leave(number);
        }
        *stage = Stage::Request;
    }

    /// The request is answered, to the last byte of the body.
    fn answered(&self) {
        *self.stage() = Stage::Idle(self.0.idle.enter(&self.0.close));
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if let Stage::Idle(number) = *self.stage.get_mut().unwrap_or_else(PoisonError::into_inner) {
            self.idle.leave(number);
        }
    }
}

/// An answer's body. Its connection is idle once it has been sent or given up.
pub struct Answer {
    body: Body,
    patience: Patience,
}

impl Answer {
    /// The body of a connection's answer.
    pub const fn new(body: Body, patience: Patience) -> Self {
        Self { body, patience }
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.patience.answered();
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

/// A stream that fails when its caller takes too long.
pub struct Patient<S> {
    stream: S,
    patience: Patience,
    limits: Limits,
    header: Option<Pin<Box<Sleep>>>,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// The stream of a new connection.
    pub const fn new(stream: S, patience: Patience, limits: Limits) -> Self {
        Self { stream, patience, limits, header: None, stalled: None }
    }

    /// The outcome of a write. One that makes no headway for too long fails.
    fn advanced<T>(&mut self, cx: &mut Context<'_>, outcome: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.stalled = None;
            return outcome;
        }
        let limit = self.stalled.get_or_insert_with(|| Box::pin(sleep(self.limits.stalled)));
        ready!(limit.as_mut().poll(cx));
        Poll::Ready(Err(too_slow("stalled")))
    }
}

fn too_slow(reason: &'static str) -> io::Error {
    metrics::counter!("inlay_connections_closed_total", "reason" => reason).increment(1);
    io::ErrorKind::TimedOut.into()
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let outcome = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if buffer.filled().len() > before && this.patience.begins() {
            this.header = Some(Box::pin(sleep(this.limits.header)));
        }
        if let Some(limit) = &mut this.header {
            if !this.patience.reads_header() {
                this.header = None;
            } else if outcome.is_pending() && limit.as_mut().poll(cx).is_ready() {
                return Poll::Ready(Err(too_slow("header")));
            }
        }
        outcome
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write(cx, bytes);
        this.advanced(cx, outcome)
    }

    fn poll_write_vectored(self: Pin<&mut Self>, cx: &mut Context<'_>, parts: &[io::IoSlice<'_>]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let outcome = Pin::new(&mut this.stream).poll_write_vectored(cx, parts);
        this.advanced(cx, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
