//! `inlay signing-key rotate`

use super::{Failure, output::Output};
use crate::ground::config::Settings;
use clap::Subcommand;
use serde_json::json;

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Sign new tokens with a new key. Tokens signed with the old key stay valid
    Rotate,
}

pub async fn run(settings: &Settings, Command::Rotate: Command, output: Output) -> Result<(), Failure> {
    let (db, sealer) = settings.open_store().await?;
    let mut tx = db.write().await?;
    let id = crate::flows::management::signing_keys::sign_anew(&mut tx.conn(), &sealer, None).await?;
    tx.commit().await?;
    output.print(&json!({ "signingKeyId": id }), || format!("New tokens are signed with key {id}."))
}
