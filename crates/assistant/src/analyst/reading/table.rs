//! The table of a message.

use super::Context;
use crate::analyst::{
    intent::ColumnRef,
    phrases::{Phrase, What},
};

/// The table of a message, and whether the message names it.
pub(super) fn table(phrases: &[Phrase], context: Context<'_>) -> (usize, bool) {
    let knowledge = context.knowledge;
    let reaches =
        |table: usize, other: usize| knowledge.links.iter().any(|link| link.from.table == table && link.to.table == other);
    let weight = |table: usize, columns: &[ColumnRef], own: usize| {
        if columns.iter().any(|at| at.table == table) {
            own
        } else if columns.iter().any(|at| reaches(table, at.table)) {
            1
        } else {
            0
        }
    };
    let score = |table: usize| -> usize {
        phrases
            .iter()
            .map(|phrase| match &phrase.what {
                What::Name { tables, .. } if tables.contains(&table) => 6,
                // Text columns can be reached through keys. Measures belong to one table.
                What::Name { columns, .. }
                    if columns.iter().any(|at| at.table == table && knowledge.column(*at).is_measure()) =>
                {
                    9
                }
                What::Name { columns, .. } => weight(table, columns, 3),
                What::Term { column, .. } => weight(table, &[*column], 9),
                What::Value(found) => weight(table, &found.iter().map(|(at, _)| *at).collect::<Vec<_>>(), 2),
                _ => 0,
            })
            .sum()
    };
    let named = phrases.iter().any(|phrase| matches!(&phrase.what, What::Name { tables, .. } if !tables.is_empty()));
    // Tables with foreign keys come before the referenced ones, then the order of the catalogue.
    let rank = |table: usize| {
        let is_previous = context.previous.is_some_and(|previous| previous.table == table) && !named;
        let facts = knowledge.links.iter().any(|link| link.from.table == table);
        (score(table) + usize::from(is_previous) * 4, facts, knowledge.time(table).is_some(), std::cmp::Reverse(table))
    };
    let best = (0..knowledge.tables.len()).max_by_key(|table| rank(*table)).unwrap_or_default();
    (best, named)
}
