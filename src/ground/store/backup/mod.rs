//! Backups: a snapshot of the whole store in a file that either store can be made from again, taken while nodes work.
//!
//! The file is text, a JSON value a line: what it is, then each table's columns and rows, at last a checksum of everything
//! before. Secrets in it stay encrypted with the service's secret key, which is not in it.

mod own;
mod reading;
mod restoring;
mod taking;

#[cfg(test)]
mod tests;

pub use reading::{Looked, look};
pub use restoring::{restore, try_out};
pub use taking::take;

use super::{connect::StoreProblem, seal::Sealer};
use crate::ground::error::Error;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, io, path::Path};
use uuid::Uuid;

/// The version of the format.
const FORMAT: u32 = 1;

/// Tables that are not in a backup: the list of migrations, which the restored store makes itself, and results of queries,
/// which are remembered for seconds.
const LEFT_OUT: [&str; 2] = ["_sqlx_migrations", "answers"];

/// The number of rows of each table.
pub type Counts = BTreeMap<String, u64>;

/// Why a backup is not taken or not restored. Each text is a whole sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum BackupProblem {
    /// The file cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        reason: io::Error,
    },
    /// The file is damaged, cut off or something else.
    #[error("{0} is not a whole backup: {1}. Nothing has been restored. Use another copy")]
    Damaged(String, String),
    /// A newer version took the backup.
    #[error("the backup was taken by a newer version of Inlay. Restore it with that version")]
    Newer,
    /// The backup's secrets are encrypted with another key.
    #[error(
        "the backup was taken with another secret key, without which nothing encrypted in it can be read. \
         Set INLAY_SECRET_KEY, or put its `secret.key` into the data folder"
    )]
    OtherKey,
    /// There is something in the store.
    #[error("the store is not empty. Restore into a new database or folder; a store is never overwritten")]
    NotEmpty,
    /// There is nothing in the store.
    #[error("the store is empty: there is nothing to back up. Check INLAY_DATABASE_URL and INLAY_DATA_DIR")]
    Empty,
    /// What was written is not what the backup holds.
    #[error("the store does not hold what the backup holds: {0}. Nothing has been restored")]
    Different(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreProblem),
    /// The store failed.
    #[error("the store failed: {0}. Nothing has been left behind")]
    Failed(#[from] sqlx::Error),
    /// Something else failed.
    #[error("{0}")]
    Else(#[from] Error),
}

impl BackupProblem {
    fn file(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        move |reason| Self::File { path: path.display().to_string(), reason }
    }
}

/// The first line of a backup.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    inlay_backup: u32,
    /// The newest migration of the store.
    migration: i64,
    /// The time of the snapshot.
    made: String,
    /// A text that the secret key opens.
    key: String,
}

/// The line before a table's rows.
#[derive(Debug, Serialize, Deserialize)]
struct TableHead {
    table: String,
    columns: Vec<String>,
}

/// The last line.
#[derive(Debug, Serialize, Deserialize)]
struct End {
    rows: u64,
    sha256: String,
}

/// The id that the text which proves the key is bound to.
const PROOF: Uuid = Uuid::from_u128(0x1f1a_b0ac_0000_4000_8000_0000_0000_0001);

fn proof(sealer: &Sealer) -> Result<String, Error> {
    Ok(hex::encode(sealer.seal(PROOF, b"backup")?))
}

fn opens(sealer: &Sealer, proof: &str) -> bool {
    hex::decode(proof).is_ok_and(|sealed| sealer.open(PROOF, &sealed).is_ok())
}
