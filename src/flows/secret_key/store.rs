//! Every encrypted value of the store, whatever concept it belongs to.

use crate::{
    ground::{error::Result, store::Conn},
    on,
};
use uuid::Uuid;

/// A column of encrypted values.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its table and name.
    pub name: &'static str,
    read: &'static str,
    write: &'static str,
}

macro_rules! columns {
    ($($table:literal $column:literal),+ $(,)?) => {
        [$(Column {
            name: concat!($table, ".", $column),
            read: concat!("SELECT id, ", $column, " FROM ", $table, " WHERE ", $column, " IS NOT NULL AND id > $1 ORDER BY id LIMIT $2"),
            write: concat!("UPDATE ", $table, " SET ", $column, " = $3 WHERE id = $1 AND ", $column, " = $2"),
        }),+]
    };
}

/// The columns. Shared answers are not among them: they live for seconds, and a node that cannot read one asks the source again.
pub const COLUMNS: [Column; 8] = columns! {
    "signing_keys" "sealed_private_key",
    "connections" "sealed_url",
    "language_models" "sealed_key",
    "sign_in_providers" "sealed_secret",
    "webhooks" "sealed_url",
    "webhooks" "sealed_secret",
    "report_runs" "snapshot",
    "report_runs" "letter",
};

/// The values of the rows after one, in the order of their ids.
pub async fn read(conn: &mut Conn<'_>, column: Column, after: Uuid, most: i64) -> Result<Vec<(Uuid, Vec<u8>)>> {
    Ok(on!(conn, |c| sqlx::query_as(column.read).bind(after).bind(most).fetch_all(c).await)?)
}

/// Replaces a value, unless somebody has changed it meanwhile.
pub async fn replace(conn: &mut Conn<'_>, column: Column, id: Uuid, old: &[u8], new: &[u8]) -> Result<bool> {
    let write = async {
        on!(conn, |c| sqlx::query(column.write).bind(id).bind(old).bind(new).execute(c).await.map(|done| done.rows_affected()))
    };
    Ok(write.await? == 1)
}
