//! The keys that a source's database declares, for an operator who describes its tables.

use super::Engine;
use crate::{
    error::QueryError,
    name::TableKey,
    source::Source,
    sources::{FoundKey, KeyRole},
};
use futures::FutureExt as _;

/// The keys of a database, by the catalogue's names of its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredKeys {
    /// Primary keys, and unique keys of one column.
    pub keys: Vec<DeclaredKey>,
    /// Foreign keys.
    pub references: Vec<DeclaredReference>,
}

/// Columns whose values, together, no two rows share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredKey {
    /// The table.
    pub table: String,
    /// The columns, in the key's order.
    pub columns: Vec<String>,
    /// Whether it is the primary key. Values of other keys may be missing.
    pub is_primary: bool,
}

/// Columns whose values are those of another table's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredReference {
    /// The table.
    pub table: String,
    /// The columns, in the key's order.
    pub columns: Vec<String>,
    /// The table that they refer to, as the database spells it here.
    pub to: String,
    /// Its columns, in the same order.
    pub to_columns: Vec<String>,
}

impl Engine {
    /// The primary, unique and foreign keys that a source's database declares, read now. None for `ClickHouse`, Trino and Redshift,
    /// which do not keep keys unique. Names are those of [`Engine::tables`]; a key may have columns that `tables` leaves out.
    ///
    /// # Errors
    /// [`QueryError::SourceUnavailable`], [`QueryError::Timeout`], or [`QueryError::Failed`] if the source does not list them.
    pub async fn declared_keys(&self, source: &Source) -> Result<DeclaredKeys, QueryError> {
        async move {
            let limits = self.0.limits_of(source);
            let found = self.0.connections.of(source, &limits).await?.pool.keys(&limits).await?;
            let mut declared = DeclaredKeys::default();
            for key in found {
                declared.add(key, |table| table.named(source.kind));
            }
            Ok(declared)
        }
        .boxed()
        .await
    }
}

impl DeclaredKeys {
    /// Adds a key. Tables that a catalogue cannot contain are left out.
    fn add(&mut self, key: FoundKey, named: impl Fn(&TableKey) -> Option<String>) {
        let Some(table) = named(&key.table) else { return };
        let FoundKey { role, columns, to, .. } = key;
        match (role, to) {
            (KeyRole::Foreign, Some((target, to_columns))) => {
                let reference = named(&target).map(|to| DeclaredReference { table, columns, to, to_columns });
                self.references.extend(reference);
            }
            (KeyRole::Primary, _) => self.keys.push(DeclaredKey { table, columns, is_primary: true }),
            (KeyRole::Unique, _) if columns.len() == 1 => self.keys.push(DeclaredKey { table, columns, is_primary: false }),
            (KeyRole::Unique | KeyRole::Foreign, _) => {}
        }
    }
}
