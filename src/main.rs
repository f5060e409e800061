//! The `inlay` command.

use clap::Parser;
use inlay::faces::cli::{self, Cli};
use std::{io::Write, process::ExitCode};
use tracing_subscriber::EnvFilter;

/// Requests allocate many small objects: mimalloc is fast with them on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    log(&cli);
    // The TLS provider for all connections.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    match cli::run(cli).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            let _ = writeln!(std::io::stderr(), "inlay: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn log(cli: &Cli) {
    let filter = EnvFilter::try_new(&cli.log).unwrap_or_else(|_| EnvFilter::new("info"));
    // When the log cannot be written (disk full, pipe closed), saying so on standard error would panic in every request.
    let logger = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).log_internal_errors(false);
    if cli.log_format == "json" { logger.json().init() } else { logger.with_target(false).init() }
}
