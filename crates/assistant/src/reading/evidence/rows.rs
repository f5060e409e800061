//! What the rows of an answer say about its reading.

use super::Evidence;
use crate::reading::meaning::{Meaning, Num};
use serde_json::Value;

/// From how many groups on equal numbers say something.
const SEVERAL: usize = 5;

impl Evidence {
    /// Adds what the rows say. The first columns are those of groups, the next is the first number.
    pub fn of_rows(&mut self, meaning: &Meaning, rows: &[Vec<Value>], groups: usize) {
        let grouped = groups > 0 && !meaning.numbers.is_empty() && meaning.rows.is_none();
        let single = groups == 0 && rows.len() == 1 && meaning.rows.is_none();
        let numbers: Vec<Option<f64>> = rows
            .iter()
            .map(|row| row.get(if meaning.rows.is_some() { usize::MAX } else { groups }).and_then(Value::as_f64))
            .collect();
        let alike = |wanted: f64| numbers.iter().all(|number| number.is_some_and(|number| (number - wanted).abs() < 1e-9));
        let first = numbers.first().copied().flatten();
        let is_share = matches!(meaning.numbers.first(), Some(Num::Part(..) | Num::Out(..) | Num::OfTotal(_)));
        // Few groups may be equal by chance.
        let several = grouped && rows.len() >= SEVERAL;
        let counts = matches!(meaning.numbers.first(), Some(Num::Count));
        let flags = [
            ("no number", single && first.is_none()),
            ("nothing of it", single && alike(0.0)),
            ("all of it", single && is_share && (alike(1.0) || alike(0.0))),
            ("one in each group", several && alike(1.0)),
            ("alike in all groups", several && !counts && first.is_some_and(alike) && !alike(1.0)),
            ("gaps in names", grouped && rows.iter().any(|row| row[..groups.min(row.len())].contains(&Value::Null))),
        ];
        flags.into_iter().for_each(|(name, is_so)| self.flag(name, is_so));
    }
}
