//! Connections of callers: how many there may be, and how long each may do nothing.
//!
//! Anybody can open a connection, before any credential. So each costs little: one that does not finish a request's header, does not take
//! its answer, or lies idle for long is closed, and when all places are taken the one that has been idle longest makes room.

use super::patience::{Answer, Limits, Patience, Patient};
use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::{
    collections::BTreeMap,
    convert::Infallible,
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{Notify, OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
};
use tower::ServiceExt;

/// How long to wait after the operating system had no room for another connection.
const BREATH: Duration = Duration::from_millis(50);

/// The open connections of a node.
pub struct Connections {
    places: Arc<Semaphore>,
    limits: Limits,
    idle: Idle,
}

/// The connections without a request, the one that is idle longest first.
#[derive(Clone, Default)]
pub struct Idle(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    counted: u64,
    closing: BTreeMap<u64, Arc<Notify>>,
    /// Somebody waits for a place: the next connection that becomes idle is closed.
    wanted: bool,
}

impl Idle {
    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes an idle connection, which `close` closes. Returns its number.
    pub fn enter(&self, close: &Arc<Notify>) -> u64 {
        let mut waiting = self.lock();
        waiting.counted += 1;
        let number = waiting.counted;
        if std::mem::take(&mut waiting.wanted) {
            make_room(close);
        } else {
            waiting.closing.insert(number, Arc::clone(close));
        }
        number
    }

    /// A connection is idle no longer.
    pub fn leave(&self, number: u64) {
        self.lock().closing.remove(&number);
    }

    /// Closes the connection that has been idle longest, or else the next one that becomes idle.
    fn close_longest(&self) {
        let mut waiting = self.lock();
        match waiting.closing.pop_first() {
            Some((_, close)) => make_room(&close),
            None => waiting.wanted = true,
        }
    }

    /// The waiting caller has a place.
    fn has_room(&self) {
        self.lock().wanted = false;
    }
}

fn make_room(close: &Notify) {
    metrics::counter!("inlay_connections_closed_total", "reason" => "room").increment(1);
    close.notify_one();
}

impl Connections {
    /// Room for this many connections.
    pub fn new(most: usize, limits: Limits) -> Self {
        Self { places: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))), limits, idle: Idle::default() }
    }

    /// Serves until it is told to stop, then finishes the requests under way for at most `farewell`.
    pub async fn serve(self, listener: TcpListener, router: Router, mut stop: watch::Receiver<bool>, farewell: Duration) {
        let mut open = JoinSet::new();
        let mut accepted: Option<(TcpStream, SocketAddr)> = None;
        loop {
            tokio::select! {
                caller = accept(&listener), if accepted.is_none() => {
                    if caller.is_err() || self.places.available_permits() == 0 {
                        self.idle.close_longest();
                    }
                    match caller {
                        Ok(caller) => accepted = caller,
                        Err(Exhausted) => tokio::time::sleep(BREATH).await,
                    }
                }
                place = Arc::clone(&self.places).acquire_owned(), if accepted.is_some() => {
                    let (Ok(place), Some((stream, peer))) = (place, accepted.take()) else { continue };
                    self.idle.has_room();
                    let one = One { stream, peer, limits: self.limits, idle: self.idle.clone(), _place: place };
                    open.spawn(one.serve(router.clone(), stop.clone()));
                }
                Some(_) = open.join_next() => {}
                // Stopped, or the sender is gone.
                _ = stop.changed() => break,
            }
        }
        drop(listener);
        let ended = async { while open.join_next().await.is_some() {} };
        if tokio::time::timeout(farewell, ended).await.is_err() {
            tracing::warn!(connections = open.len(), "requests that were still under way are cut off");
        }
    }
}

/// The operating system has no room for another connection.
struct Exhausted;

/// The next caller. `None` if it left before it was let in.
async fn accept(listener: &TcpListener) -> Result<Option<(TcpStream, SocketAddr)>, Exhausted> {
    match listener.accept().await {
        Ok((stream, peer)) => {
            // Small writes are sent at once. Otherwise the second event of an answer would wait 40 ms for the client's acknowledgement
            // of the first.
            let _ = stream.set_nodelay(true);
            Ok(Some((stream, peer)))
        }
        Err(problem) if matches!(problem.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) => Ok(None),
        Err(problem) => {
            tracing::error!(%problem, "a connection could not be accepted");
            Err(Exhausted)
        }
    }
}

/// One connection.
struct One {
    stream: TcpStream,
    peer: SocketAddr,
    limits: Limits,
    idle: Idle,
    _place: OwnedSemaphorePermit,
}

impl One {
    async fn serve(self, router: Router, mut stop: watch::Receiver<bool>) {
        metrics::gauge!("inlay_connections").increment(1.0);
        let close = Arc::new(Notify::new());
        let patience = Patience::new(self.idle, Arc::clone(&close));
        let (served, peer) = (patience.clone(), self.peer);
        let service = service_fn(move |request: Request<Incoming>| {
            served.header_is_complete();
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let (router, served) = (router.clone(), served.clone());
            async move {
                let answer = router.oneshot(request).await?;
                Ok::<_, Infallible>(answer.map(|body| Answer::new(body, served)))
            }
        });
        let io = TokioIo::new(Patient::new(self.stream, patience, self.limits));
        let mut http = http1::Builder::new();
        let connection = http.timer(TokioTimer::new()).header_read_timeout(self.limits.idle).serve_connection(io, service);
        tokio::pin!(connection);
        let mut closing = false;
        loop {
            tokio::select! {
                // Errors are the caller's: it left, or was too slow.
                _ = connection.as_mut() => break,
                () = close.notified(), if !closing => {
                    closing = true;
                    connection.as_mut().graceful_shutdown();
                }
                _ = stop.changed(), if !closing => {
                    closing = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
        metrics::gauge!("inlay_connections").decrement(1.0);
    }
}
