//! What a stranger sees of a catalogue, for isolation checks: a viewer whose properties hold values that no row has.

use super::Engine;
use crate::{
    catalog::{RowAccess, Table},
    error::QueryError,
    name::quote_table,
    property::PropertyPath,
    rule::{Wanted, reach},
    source::{Source, SourceKind},
};
use futures::FutureExt as _;

/// What a stranger sees of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Every row: the table has no rule.
    Everything,
    /// The rule may let rows pass whatever the viewer's properties are.
    Perhaps,
    /// No row: the rule asks for the viewer's own value.
    NoRow,
    /// Nothing: the table is closed, and queries of it are refused.
    Closed,
}

/// A table as a stranger meets it.
#[derive(Clone, Debug)]
pub struct StrangersTable {
    /// What they see.
    pub sees: Sees,
    /// The properties that its rule reads, each with the kind of value it is compared with.
    pub reads: Vec<(PropertyPath, Wanted)>,
}

impl Engine {
    /// What a stranger sees of a table by its rule. Its columns are read as a query of this share.
    ///
    /// # Errors
    /// [`QueryError::RowRuleUnresolved`] for an invalid rule; otherwise see [`Engine::describe`].
    pub async fn strangers_table(&self, source: &Source, table: &Table, share: u128) -> Result<StrangersTable, QueryError> {
        async move {
            let sees = |sees| Ok(StrangersTable { sees, reads: Vec::new() });
            let rule = match &table.rows {
                RowAccess::All => return sees(Sees::Everything),
                RowAccess::Nothing => return sees(Sees::Closed),
                RowAccess::Rule(rule) => rule.clone(),
            };
            let columns = self.columns(source, &table.name, share).await?.columns;
            let (kind, name) = (source.kind, table.name.clone());
            let work =
                move || reach(&rule, kind, &columns).map_err(|problem| QueryError::unresolved(format!("{name}: {problem}")));
            let read = self.0.readers.read(source, &self.0.limits, work).await?;
            Ok(StrangersTable { sees: if read.closed { Sees::NoRow } else { Sees::Perhaps }, reads: read.reads })
        }
        .boxed()
        .await
    }
}

/// Queries of one table in several forms. Over a table without rows, each answers no row, or one with zeros.
#[must_use]
pub fn questions_about(kind: SourceKind, table: &str) -> Vec<String> {
    let table = quote_table(kind, table);
    vec![
        format!("SELECT * FROM {table} LIMIT 100"),
        format!("SELECT count(*) AS n FROM {table}"),
        format!("WITH r AS (SELECT * FROM {table}) SELECT count(*) AS n FROM (SELECT * FROM r) AS q"),
    ]
}
