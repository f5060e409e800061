//! Starting and stopping the service.

use crate::{
    concepts::connections,
    faces::{background, console, operations, router},
    ground::{
        config::{SettingProblem, Settings},
        error::Error,
        mail::Mailer,
        periodic,
        state::App,
    },
};
use axum::serve::ListenerExt;
use inlay_render::Renderer;
use std::{future::Future, io, net::SocketAddr};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    sync::watch,
};

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
    #[error(
        "Inlay cannot listen on {address}: {reason}. Stop the program that uses the port, or set INLAY_LISTEN to another one"
    )]
    Listen {
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
    let (db, sealer) = settings.open_store().await?;
    let engine = connections::engine(&settings, &db, &sealer);
    Ok(App::new(db, sealer, settings, engine, Renderer::start(), background::configured()).await?)
}

/// Listens on the port.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, StartProblem> {
    TcpListener::bind(address).await.map_err(|reason| StartProblem::Listen { address, reason })
}

/// Serves until `stop` completes, then waits for running requests.
pub async fn serve(
    app: App,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    inlay_app::calls::register();
    let watcher = tokio::spawn(periodic::repeat(app.clone(), background::periodic()));
    let (stop_working, stopped) = watch::channel(false);
    let worker = tokio::spawn(background::worker(app.clone()).run(stopped));
    if app.settings.hides_clients() {
        tracing::warn!(
            "everybody seems to call from one address, so that people who guess passwords keep all others out of the console; \
             set INLAY_CLIENT_ADDRESS_HEADER to the header in which the proxy names the client"
        );
    }
    tracing::info!(address = %listener.local_addr()?, base_url = app.base_url, "Inlay is ready");
    console::announce(&app).await?;
    let service = router::router(app.clone()).into_make_service_with_connect_info::<SocketAddr>();
    // Small writes are sent at once. Otherwise the second event of an answer would wait 40 ms for the client's acknowledgement of the first.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, service).with_graceful_shutdown(stop).await?;
    watcher.abort();
    periodic::finish(&app, &background::periodic()).await;
    let _ = stop_working.send(true);
    let _ = worker.await;
    app.db.close().await;
    tracing::info!("Inlay has stopped");
    Ok(())
}

/// Completes when the process receives a stop signal.
pub async fn stopped() {
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
    let interrupt = tokio::signal::ctrl_c();
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt => {}
    }
}
