//! A new secret key for the store: every encrypted value is encrypted anew, in batches, while the service runs.

mod store;

#[cfg(test)]
mod tests;

use crate::ground::{
    error::Result,
    store::{Db, seal::Sealer},
};
use serde::Serialize;
use store::{COLUMNS, Column};
use uuid::Uuid;

/// How many values are replaced in a transaction. Reports' pages take megabytes.
const BATCH: i64 = 20;

/// How often everything is gone through: what nodes write meanwhile may still be encrypted with the key of before.
const PASSES: usize = 3;

/// What became of the encrypted values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// How many were encrypted anew.
    pub renewed: u64,
    /// How many are not encrypted with the newest key.
    pub left: u64,
    /// Which of these no known key opens: table, column and row.
    pub unreadable: Vec<String>,
}

/// Counts the values that are not encrypted with the newest key.
pub async fn count(db: &Db, sealer: &Sealer) -> Result<Outcome> {
    pass(db, sealer, false).await
}

/// Encrypts every value with the newest key. What is left afterwards cannot be read, or was written meanwhile by a node that
/// does not have the newest key.
pub async fn renew(db: &Db, sealer: &Sealer) -> Result<Outcome> {
    let mut renewed = 0;
    for _ in 0..PASSES {
        let of_pass = pass(db, sealer, true).await?.renewed;
        renewed += of_pass;
        if of_pass == 0 {
            break;
        }
    }
    Ok(Outcome { renewed, ..count(db, sealer).await? })
}

async fn pass(db: &Db, sealer: &Sealer, renews: bool) -> Result<Outcome> {
    let mut outcome = Outcome::default();
    for column in COLUMNS {
        let mut after = Some(Uuid::nil());
        while let Some(from) = after {
            after = batch(db, sealer, column, from, renews, &mut outcome).await?;
        }
    }
    Ok(outcome)
}

/// Goes through the rows after one. Returns the last of them, unless there are no more.
async fn batch(
    db: &Db,
    sealer: &Sealer,
    column: Column,
    after: Uuid,
    renews: bool,
    outcome: &mut Outcome,
) -> Result<Option<Uuid>> {
    let rows = store::read(&mut db.read().await?.conn(), column, after, BATCH).await?;
    let last = rows.last().map(|(id, _)| *id);
    let old: Vec<_> = rows.into_iter().filter(|(id, sealed)| !sealer.is_newest(*id, sealed)).collect();
    if !renews || old.is_empty() {
        outcome.left += old.len() as u64;
        let unreadable = old.iter().filter(|(id, sealed)| sealer.open(*id, sealed).is_err());
        outcome.unreadable.extend(unreadable.map(|(id, _)| format!("{} {id}", column.name)));
        return Ok(last);
    }
    let mut tx = db.write().await?;
    for (id, sealed) in old {
        let Ok(secret) = sealer.open(id, &sealed) else { continue };
        if store::replace(&mut tx.conn(), column, id, &sealed, &sealer.seal(id, &secret)?).await? {
            outcome.renewed += 1;
        }
    }
    tx.commit().await?;
    Ok(last)
}
