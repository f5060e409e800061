//! The mail server.

use super::hidden::Hidden;
use clap::Args;
use std::path::PathBuf;

/// Where mail goes out: reports, alerts, invitations, new passwords.
#[derive(Args, Clone, Debug)]
pub struct MailSettings {
    /// The mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://…` (TLS from the start), or `smtp://…?tls=none` inside
    /// a network that you trust [default: none; no mail is sent]
    #[arg(long, env = "INLAY_SMTP_URL", global = true, hide_env_values = true)]
    pub smtp_url: Option<Hidden>,

    /// Whom mail is from: `reports@example.com` or `Example <reports@example.com>`
    #[arg(long, env = "INLAY_SMTP_FROM", global = true)]
    pub smtp_from: Option<String>,

    /// A file of certificates (PEM) of authorities that may vouch for the mail server, beside those that every browser trusts
    #[arg(long, env = "INLAY_SMTP_CA_FILE", global = true)]
    pub smtp_ca_file: Option<PathBuf>,

    /// How long a step of the conversation with the mail server may take, in seconds
    #[arg(long, env = "INLAY_SMTP_TIMEOUT_SECONDS", global = true, default_value_t = 30)]
    pub smtp_timeout_seconds: u64,
}
