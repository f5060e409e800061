//! Starting and stopping the service.

mod accepting;
mod patience;

#[cfg(test)]
mod tests;

use crate::{
    concepts::connections,
    faces::{background, console, operations, router},
    ground::{
        config::{SettingProblem, Settings},
        error::Error,
        mail::Mailer,
        memory::Shares,
        periodic,
        state::App,
    },
};
use accepting::Connections;
use inlay_render::Renderer;
use patience::Limits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::{future::Future, io, net::SocketAddr, time::Duration};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinHandle,
    time::timeout,
};

/// How long requests under way may take to finish when the service stops.
pub(crate) const FAREWELL: Duration = Duration::from_secs(20);

/// How long what only this node knows may take to be written down.
pub(crate) const LAST_WORDS: Duration = Duration::from_secs(5);

/// File descriptors for everything that is no caller's connection: the store, sources, mail, webhooks, files.
const DESCRIPTORS_BESIDE: u64 = 512;

/// Why the service does not start. Each text is a whole sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum StartProblem {
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] SettingProblem),
    /// The store's content cannot be read.
    #[error("the store cannot be read: {}", .0.context.as_deref().unwrap_or(&.0.message))]
    Store(#[from] Error),
    /// The port is in use or not permitted.
    #[error("Inlay cannot listen on {address}: {reason}. Stop the program that uses the port, or set {setting} to another one")]
    Listen {
        /// The setting that names the address.
        setting: &'static str,
        /// The address.
        address: SocketAddr,
        /// The operating system's error.
        reason: io::Error,
    },
}

/// Opens everything that a node needs.
pub async fn prepare(settings: Settings) -> Result<App, StartProblem> {
    operations::collect();
    // Check the mail settings before the store is opened, so that the operator sees this error first.
    Mailer::new(&settings.mail).map_err(SettingProblem::from)?;
    let (db, sealer) = settings.open_and_migrate_store().await?;
    let engine = connections::engine(&settings, &db, &sealer);
    let renderer = Renderer::with_settings(Shares::of_settings(&settings).renderer());
    Ok(App::new(db, sealer, settings, engine, renderer, background::configured()).await?)
}

/// Listens on the port.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, StartProblem> {
    listen_on("INLAY_LISTEN", address).await
}

async fn listen_on(setting: &'static str, address: SocketAddr) -> Result<TcpListener, StartProblem> {
    TcpListener::bind(address).await.map_err(|reason| StartProblem::Listen { setting, address, reason })
}

/// How many connections the port of the metrics has.
const METRICS_CONNECTIONS: usize = 16;

/// Serves the metrics on a port of their own, if there is one, until it is told to stop.
async fn serve_metrics(app: &App, stop: watch::Receiver<bool>) -> Result<JoinHandle<()>, StartProblem> {
    let Some(address) = app.settings.metrics_listen else { return Ok(tokio::spawn(async {})) };
    let listener = listen_on("INLAY_METRICS_LISTEN", address).await?;
    tracing::info!(%address, "metrics have a port of their own");
    let connections = Connections::new(METRICS_CONNECTIONS, Limits::default());
    Ok(tokio::spawn(connections.serve(listener, router::metrics(app.clone()), stop, LAST_WORDS)))
}

/// Why the service stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It is told to end: first it tells load balancers, which send new requests elsewhere.
    Drain,
    /// Somebody at a terminal ends it.
    Now,
}

/// Serves until `stop` completes. Then `/readyz` answers 503 for the time of `INLAY_DRAIN_SECONDS`, running requests may finish, and
/// what only this node knows is written down.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = Stop> + Send + 'static,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    inlay_app::calls::register();
    let (stop_repeating, repeats) = watch::channel(false);
    let (stop_working, works) = watch::channel(false);
    let (stop_serving, serves) = watch::channel(false);
    let measuring = serve_metrics(&app, repeats.clone()).await?;
    let repeating = tokio::spawn(periodic::repeat(app.clone(), background::periodic(), repeats));
    let worker = tokio::spawn(background::worker(app.clone()).run(works));
    if app.settings.hides_clients() {
        tracing::warn!(
            "everybody seems to call from one address, so that people who guess passwords keep all others out of the console; \
             set INLAY_CLIENT_ADDRESS_HEADER to the header in which the proxy names the client"
        );
    }
    tracing::info!(address = %listener.local_addr()?, base_url = app.base_url, "Inlay is ready");
    console::announce(&app).await?;
    let connections = Connections::new(most_connections(app.settings.limits.max_connections), Limits::default());
    let serving = tokio::spawn(connections.serve(listener, router::router(app.clone()), serves, FAREWELL));

    if stop.await == Stop::Drain {
        app.part::<operations::Readiness>().leave();
        tokio::time::sleep(Duration::from_secs(app.settings.drain_seconds)).await;
    }
    let _ = stop_working.send(true);
    let _ = stop_serving.send(true);
    let _ = serving.await;
    let _ = worker.await;
    let _ = stop_repeating.send(true);
    if timeout(LAST_WORDS, repeating).await.is_err() {
        tracing::warn!("what this node counted last could not be written down in time");
    }
    let _ = measuring.await;
    app.db.close().await;
    tracing::info!("Inlay has stopped");
    Ok(())
}

/// How many connections callers may have. The limit of file descriptors is raised as far as the system allows.
fn most_connections(wanted: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
    let Some(descriptors) = getrlimit(Resource::Nofile).current else { return wanted };
    // At least half of a low limit.
    let room = descriptors.saturating_sub(DESCRIPTORS_BESIDE).max(descriptors / 2);
    let most = wanted.min(usize::try_from(room).unwrap_or(usize::MAX));
    if most < wanted {
        tracing::warn!(
            connections = most,
            "the limit of open files leaves room for fewer connections than INLAY_MAX_CONNECTIONS"
        );
    }
    most
}

/// Completes when the process receives a stop signal.
pub async fn stopped() -> Stop {
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = terminate.recv() => Stop::Drain,
        _ = tokio::signal::ctrl_c() => Stop::Now,
    }
}
