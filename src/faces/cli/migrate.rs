//! `inlay migrate`

use super::{Failure, output::Output};
use crate::ground::config::Settings;
use serde_json::json;

pub async fn run(settings: &Settings, output: Output) -> Result<(), Failure> {
    let (db, _) = settings.open_and_migrate_store().await?;
    db.close().await;
    output.print(&json!({ "upToDate": true }), || "The store is up to date.".to_owned())
}
