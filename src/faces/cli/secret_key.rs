//! `inlay secret-key rotate`

use super::{Failure, output::Output};
use crate::{flows::secret_key, ground::config::Settings};
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Encrypt every secret in the store with `INLAY_SECRET_KEY`; those of before are opened with `INLAY_OTHER_SECRET_KEYS`.
    /// The service may run meanwhile
    Rotate {
        /// Only count the secrets that are not encrypted with `INLAY_SECRET_KEY` yet
        #[arg(long)]
        check: bool,
    },
}

pub async fn run(settings: &Settings, Command::Rotate { check }: Command, output: Output) -> Result<(), Failure> {
    let (db, sealer) = settings.open_store().await?;
    let outcome = if check { secret_key::count(&db, &sealer).await? } else { secret_key::renew(&db, &sealer).await? };
    for name in &outcome.unreadable {
        tracing::warn!(value = name, "no known key opens a secret; enter it anew, or add its key to INLAY_OTHER_SECRET_KEYS");
    }
    output.print(&outcome, || {
        let renewed = if check { String::new() } else { format!("{} secrets were encrypted anew. ", outcome.renewed) };
        match outcome.left {
            0 => format!("{renewed}All are encrypted with INLAY_SECRET_KEY; no other key is needed."),
            left => format!(
                "{renewed}{left} are not encrypted with INLAY_SECRET_KEY, {} of them cannot be opened.",
                outcome.unreadable.len()
            ),
        }
    })
}
