//! The mail server.

use clap::Args;
use secrecy::SecretString;
use std::path::PathBuf;

/// The mail server for reports, alerts, invitations and password links.
#[derive(Args, Clone, Debug)]
pub struct MailSettings {
    /// Mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://…` (TLS from the start), or `smtp://…?tls=none` inside
    /// a network that you trust [default: none; no mail is sent]
    #[arg(long, env = "INLAY_SMTP_URL", global = true, hide_env_values = true)]
    pub smtp_url: Option<SecretString>,

    /// Sender of mail: `reports@example.com` or `Example <reports@example.com>`
    #[arg(long, env = "INLAY_SMTP_FROM", global = true)]
    pub smtp_from: Option<String>,

    /// PEM file of certificate authorities for the mail server, in addition to the public ones
    #[arg(long, env = "INLAY_SMTP_CA_FILE", global = true)]
    pub smtp_ca_file: Option<PathBuf>,

    /// Timeout of each step of the SMTP session, in seconds
    #[arg(long, env = "INLAY_SMTP_TIMEOUT_SECONDS", global = true, default_value_t = 30)]
    pub smtp_timeout_seconds: u64,
}
