//! `inlay backup FILE` and `inlay restore FILE [--check]`

use super::{Failure, output::Output};
use crate::ground::{
    config::Settings,
    store::{
        backup::{self, Looked},
        seal::Sealer,
    },
};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct Taking {
    /// The new file
    file: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct Restoring {
    /// The backup
    file: PathBuf,
    /// Only try it out: read the whole backup and fill a temporary store with it, which is removed again
    #[arg(long)]
    check: bool,
}

pub async fn take(settings: &Settings, arguments: &Taking, output: Output) -> Result<(), Failure> {
    let (db, sealer) = settings.open_any_store().await?;
    let counts = backup::take(&db, &sealer, &arguments.file).await?;
    db.close().await;
    let (file, rows) = (arguments.file.display(), counts.values().sum::<u64>());
    output.print(&json!({ "file": file.to_string(), "rows": rows, "tables": counts }), || {
        format!("Backed up {rows} rows to {file}. Keep it as secret as the service's secret key, which is not in it.")
    })
}

pub async fn restore(settings: &Settings, arguments: &Restoring, output: Output) -> Result<(), Failure> {
    let key = settings.known_secret_key()?;
    let (file, sealer) = (&arguments.file, key.as_deref().map(Sealer::new));
    if arguments.check {
        let looked = backup::try_out(sealer.as_ref(), file).await?;
        return output.print(&told(&looked, arguments), || {
            let key = if key.is_some() { "" } else { " No secret key was given, so whether it fits was not checked." };
            format!("{} is whole: {}.{key}", file.display(), sentence(&looked))
        });
    }
    // Without one, opening the store would make a new key, which opens nothing in the backup.
    if key.is_none() {
        return Err(backup::BackupProblem::OtherKey.into());
    }
    let (db, sealer) = settings.open_any_store().await?;
    let looked = backup::restore(&db, &sealer, file).await?;
    db.close().await;
    output.print(&told(&looked, arguments), || format!("Restored {}: {}.", file.display(), sentence(&looked)))
}

fn told(looked: &Looked, arguments: &Restoring) -> serde_json::Value {
    let rows = looked.counts.values().sum::<u64>();
    json!({ "file": arguments.file.display().to_string(), "checkedOnly": arguments.check, "made": looked.made, "rows": rows,
        "tables": looked.counts })
}

fn sentence(looked: &Looked) -> String {
    let rows = looked.counts.values().sum::<u64>();
    format!("{rows} rows of {} tables, taken at {}", looked.counts.len(), looked.made)
}
