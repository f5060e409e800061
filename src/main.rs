//! The `inlay` command.

use clap::Parser;
use inlay::{
    faces::cli::{self, Cli},
    ground::traces::{self, Spans},
};
use std::{fmt::Display, io::Write, process::ExitCode};
use tracing_subscriber::{EnvFilter, Layer, filter::filter_fn, layer::SubscriberExt, util::SubscriberInitExt};

/// Requests allocate many small objects: mimalloc is fast with them on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The stack of a thread that runs async work, in bytes. Nested async calls of an unoptimised build take up to 2 MiB, tokio's
/// default. Pages that are never touched cost nothing.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let cli = Cli::parse();
    match tokio::runtime::Builder::new_multi_thread().enable_all().thread_stack_size(STACK).build() {
        Ok(runtime) => runtime.block_on(run(cli)),
        Err(problem) => failed(&problem),
    }
}

async fn run(cli: Cli) -> ExitCode {
    // The TLS provider for all connections.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let (spans, exporter) = match traces::start(cli.traces()) {
        Ok(started) => started.unzip(),
        Err(problem) => return failed(&problem),
    };
    log(&cli, spans);
    let ended = cli::run(cli).await;
    if let Some(exporter) = exporter {
        exporter.finish().await;
    }
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => failed(&problem),
    }
}

fn failed(problem: &impl Display) -> ExitCode {
    let _ = writeln!(std::io::stderr(), "inlay: {problem}");
    ExitCode::FAILURE
}

fn log(cli: &Cli, spans: Option<Spans>) {
    let filter = EnvFilter::try_new(&cli.log).unwrap_or_else(|_| EnvFilter::new("info"));
    // When the log cannot be written (disk full, pipe closed), saying so on standard error would panic in every request.
    let logger = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).log_internal_errors(false);
    let logger = if cli.log_format == "json" { logger.json().boxed() } else { logger.with_target(false).boxed() };
    let logger = logger.with_filter(filter);
    let traced = |about: &tracing::Metadata<'_>| about.target() == traces::TARGET;
    match spans {
        None => tracing_subscriber::registry().with(logger).init(),
        Some(spans) => tracing_subscriber::registry().with(logger).with(spans.with_filter(filter_fn(traced))).init(),
    }
}
