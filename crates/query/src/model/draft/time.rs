//! The column that `time` means in queries of a table's measures.

use super::{
    Draft, DraftInput, DraftNote,
    words::{stems, words},
};
use crate::engine::SourceTable;
use inlay_contract::data::ColumnType;

/// What names of moments end with.
const ENDS: [&str; 6] = ["at", "on", "date", "day", "time", "timestamp"];

/// Proposes a default time for each table with dates.
pub(super) fn add(input: &DraftInput<'_>, draft: &mut Draft) {
    for table in input.tables {
        let known = input.known.get(&table.name).and_then(|known| known.model.time.as_ref());
        let kinds = [ColumnType::Date, ColumnType::Timestamp];
        let dates = table.columns.iter().filter(|column| kinds.contains(&column.kind)).map(|column| &column.name);
        let dates: Vec<&String> = dates.collect();
        let best = dates.iter().min_by_key(|name| rank(table, name)).copied();
        let (Some(best), None) = (best, known) else { continue };
        if dates.len() > 1 {
            let others: Vec<&str> = dates.iter().filter(|name| **name != best).map(|name| name.as_str()).collect();
            let why = format!("`{best}` is chosen by its name; the table has more dates: {}", others.join(", "));
            let advice = "Write another one if periods should be measured by it";
            draft.notes.push(DraftNote::new(format!("tables.{}.time", table.name), why, advice));
        }
        if let Some(own) = draft.tables.get_mut(&table.name) {
            own.time = Some(best.clone());
        }
    }
}

/// How likely a column says when a row happened; less is likelier.
fn rank(table: &SourceTable, column: &str) -> u8 {
    let words = words(column);
    let (first, last) = (words.first().map_or("", String::as_str), words.last().map_or("", String::as_str));
    let is = |known: &[&str]| known.contains(&first);
    // `ordered_at` and `order_date` of orders, `shipped_on` of shipments.
    let own = stems(&table.name).iter().any(|stem| {
        let alike = stem.chars().zip(first.chars()).take_while(|(one, other)| one == other).count();
        alike >= 4 || (alike > 0 && alike == stem.chars().count())
    });
    match words.len() {
        2.. if own && ENDS.contains(&last) => 0,
        1 if is(&["date", "day"]) => 1,
        _ if is(&["occurred", "happened", "event", "placed", "booked", "transaction", "posted", "ordered", "sold"]) => 2,
        1 if is(&["timestamp", "datetime", "time", "ts", "moment", "at"]) => 3,
        _ if is(&["created", "inserted", "creation"]) => 4,
        _ if is(&[
            "updated", "modified", "changed", "deleted", "removed", "birth", "born", "expires", "expiry", "due", "valid",
            "loaded",
        ]) =>
        {
            6
        }
        _ => 5,
    }
}
