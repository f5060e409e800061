//! The command line (docs/spec/contract.md, section 8).
//! With `--json` each command prints one JSON object on standard output; logs go to standard error.

mod api_key;
mod apply;
mod audit;
mod backup;
mod demo;
mod doctor;
mod export;
mod identity_provider;
mod isolation;
mod member;
mod migrate;
mod migration;
mod model;
mod named_project;
mod organization;
mod output;
mod ready;
mod reports;
mod revoke;
mod rule;
mod secret_key;
mod serve;
mod signing_key;
mod types;
mod webhook;
mod workspace;

use crate::ground::{config::Settings, traces::settings::TraceSettings};
use clap::{Parser, Subcommand};
use named_project::NamedProject;
use output::Output;
use std::pin::Pin;

/// Embedded analytics: dashboards and chat inside other products' pages
#[derive(Debug, Parser)]
#[command(name = "inlay", version, about, max_term_width = 100)]
pub struct Cli {
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    pub json: bool,

    /// Log level, or a filter such as `inlay=debug`
    #[arg(long, env = "INLAY_LOG", global = true, default_value = "info")]
    pub log: String,

    /// Log format: `text` or `json`
    #[arg(long, env = "INLAY_LOG_FORMAT", global = true, value_parser = ["text", "json"], default_value = "text")]
    pub log_format: String,

    #[command(flatten)]
    settings: Settings,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the API and the embeddable pages
    Serve,
    /// Serve a complete example: two host products that embed dashboards, over real flights and over made-up orders
    Demo(demo::Arguments),
    /// Look at everything that a node needs, and say what is wrong and what to do. Changes nothing
    Doctor(doctor::Arguments),
    /// Ask the node of this machine or container whether it is ready; for health checks
    Ready,
    /// Migrate the store to the current version
    Migrate,
    /// Write everything in the store to a new file, while the service runs
    Backup(backup::Taking),
    /// Fill an empty store with a backup
    Restore(backup::Restoring),
    /// Apply a project file. Idempotent: finds objects by name
    Apply(apply::Arguments),
    /// Print a project as a project file
    Export(NamedProject),
    /// Print the TypeScript types of a project's measures and dimensions
    Types(NamedProject),
    /// Manage organizations
    #[command(subcommand)]
    Organization(organization::Command),
    /// Manage members of organizations
    #[command(subcommand)]
    Member(member::Command),
    /// Manage API keys
    #[command(subcommand)]
    ApiKey(api_key::Command),
    /// Manage the keys that sign tokens
    #[command(subcommand)]
    SigningKey(signing_key::Command),
    /// Manage the key that encrypts secrets in the store
    #[command(subcommand)]
    SecretKey(secret_key::Command),
    /// Manage identity providers whose tokens identify members
    #[command(subcommand)]
    IdentityProvider(identity_provider::Command),
    /// Test row rules
    #[command(subcommand)]
    Rule(rule::Command),
    /// Check that customers' rows stay apart, by two made-up customers, and write signed reports of it
    #[command(subcommand)]
    Isolation(isolation::Command),
    /// Manage the versions of workspaces
    #[command(subcommand)]
    Workspace(workspace::Command),
    /// Manage the language model that answers in workspaces, and exchange semantic models with other tools
    #[command(subcommand)]
    Model(model::Command),
    /// Turn an organization's scheduled reports on or off
    #[command(subcommand)]
    Reports(reports::Command),
    /// Manage webhooks, which send a project's events to a host's server
    #[command(subcommand)]
    Webhook(webhook::Command),
    /// Migrate an organization from v1 to v2
    #[command(subcommand)]
    Migration(migration::Command),
    /// Print the audit log: who did what to which resource, when and from where, newest first
    Audit(audit::Arguments),
    /// Revoke every token issued until now
    Revoke(revoke::Arguments),
}

impl Cli {
    /// Where traces go.
    pub const fn traces(&self) -> &TraceSettings {
        &self.settings.traces
    }
}

/// Why a command failed, as a sentence for the operator.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A command at work.
pub type Running = Pin<Box<dyn Future<Output = Result<(), Failure>>>>;

/// Runs a command; when it fails, nothing was printed on standard output, except the findings of `inlay doctor`. As a future
/// without its type, it is compiled with this crate: the code of an `async fn` is made where it is awaited, so the program of a
/// few lines would take minutes.
pub fn run(cli: Cli) -> Running {
    Box::pin(run_command(cli))
}

async fn run_command(cli: Cli) -> Result<(), Failure> {
    let output = Output { json: cli.json };
    let settings = cli.settings;
    match cli.command {
        Command::Serve => serve::run(settings).await,
        Command::Demo(arguments) => demo::run(settings, arguments, output).await,
        Command::Doctor(arguments) => doctor::run(settings, &arguments, output).await,
        Command::Ready => ready::run(&settings, output).await,
        Command::Migrate => migrate::run(&settings, output).await,
        Command::Backup(arguments) => backup::take(&settings, &arguments, output).await,
        Command::Restore(arguments) => backup::restore(&settings, &arguments, output).await,
        Command::Apply(arguments) => apply::run(&settings, &arguments, output).await,
        Command::Export(arguments) => export::run(&settings, &arguments, output).await,
        Command::Types(arguments) => types::run(&settings, &arguments, output).await,
        Command::Organization(command) => organization::run(&settings, command, output).await,
        Command::Member(command) => member::run(&settings, command, output).await,
        Command::ApiKey(command) => api_key::run(&settings, command, output).await,
        Command::SigningKey(command) => signing_key::run(&settings, command, output).await,
        Command::SecretKey(command) => secret_key::run(&settings, command, output).await,
        Command::IdentityProvider(command) => identity_provider::run(&settings, command, output).await,
        Command::Rule(command) => rule::run(settings, command, output).await,
        Command::Isolation(command) => isolation::run(settings, command, output).await,
        Command::Workspace(command) => workspace::run(settings, command, output).await,
        Command::Model(command) => model::run(&settings, command, output).await,
        Command::Reports(command) => reports::run(&settings, command, output).await,
        Command::Webhook(command) => webhook::run(settings, command, output).await,
        Command::Migration(command) => migration::run(&settings, command, output).await,
        Command::Audit(arguments) => audit::run(&settings, arguments, output).await,
        Command::Revoke(arguments) => revoke::run(&settings, &arguments, output).await,
    }
}
