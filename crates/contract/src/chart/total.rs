//! The totals below a table: a sum, an average or another figure per column.

use super::{
    frame::{Frame, number},
    table::{Align, Cell, TableColumn},
};
use crate::format::{self, NumberFormat, NumberStyle};
use serde::Deserialize;
use serde_json::{Value, json};

/// A column's figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Total {
    /// The sum.
    Sum,
    /// The average.
    Average,
    /// The minimum.
    Least,
    /// The maximum.
    Greatest,
    /// The number of values.
    Count,
}

impl Total {
    /// The figure of a column's cells. `None` if it has no values.
    fn of<'a>(self, cells: impl Iterator<Item = &'a Value>) -> Option<f64> {
        let known: Vec<&Value> = cells.filter(|cell| !cell.is_null()).collect();
        let values: Vec<f64> = known.iter().filter_map(|cell| number(cell)).collect();
        let sum = || values.iter().copied().reduce(|sum, value| sum + value);
        match self {
            Self::Sum => sum(),
            Self::Average => sum().map(|sum| sum / values.len() as f64),
            Self::Least => values.iter().copied().reduce(f64::min),
            Self::Greatest => values.iter().copied().reduce(f64::max),
            Self::Count => Some(known.len() as f64),
        }
    }
}

/// The totals row: the figures of `options.totals`, or with `options.total` the sums of all numbers that are not shares. `None`
/// if the result was cut at its limit, since its sums would be wrong.
pub(super) fn of(frame: &Frame<'_>, columns: &[TableColumn]) -> Option<Vec<Cell>> {
    let kind = |column: &TableColumn| {
        let named = frame.options.totals.get(&column.name).copied();
        let all = frame.options.total == Some(true) && frame.options.totals.is_empty();
        let adds_up = column.align == Align::End && frame.format(&column.name).style != NumberStyle::Percent;
        named.or_else(|| (all && adds_up).then_some(Total::Sum))
    };
    if frame.data.truncated || frame.data.rows.is_empty() || !columns.iter().any(|column| kind(column).is_some()) {
        return None;
    }
    let cell = |(at, column): (usize, &TableColumn)| {
        let kind = kind(column);
        let cells = frame.data.rows.iter().filter_map(|row| row.get(column.index));
        match kind.and_then(|kind| kind.of(cells)) {
            Some(value) => {
                let counts = kind == Some(Total::Count);
                let own = if counts { NumberFormat::default() } else { frame.format(&column.name) };
                Cell::plain(format::number(value, &own, &frame.locale), exact(value))
            }
            // The query may have left rows out, so it says what it is of.
            None if at == 0 => {
                let rows = frame.data.rows.len();
                let count = format::number(rows as f64, &NumberFormat::default(), &frame.locale);
                Cell::plain(format!("Total of {count} {}", if rows == 1 { "row" } else { "rows" }), String::new())
            }
            None => Cell::plain(String::new(), String::new()),
        }
    };
    Some(columns.iter().enumerate().map(cell).collect())
}

/// A whole number without `.0`. Sums are rounded to remove binary rounding errors.
fn exact(value: f64) -> String {
    let rounded = (value * 1e9).round() / 1e9;
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(rounded) }.to_string()
}

#[cfg(test)]
mod tests {
    use crate::{
        chart::{table, tests_support::definition},
        data::{ChartData, Column, ColumnType},
    };
    use serde_json::{Value, json};

    fn totals(options: Value, truncated: bool) -> Option<Vec<String>> {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let number = ColumnType::Number;
        let data = ChartData {
            columns: vec![column("name", ColumnType::Text), column("flights", number), column("late", number)],
            rows: vec![
                vec![json!("ATL"), json!(1200), json!(0.1)],
                vec![json!("ORD"), json!("34.5"), json!(0.3)],
                vec![json!("LAX"), json!(null), json!(null)],
            ],
            truncated,
            cached: false,
            duration_ms: 0,
            as_of: None,
        };
        let table = definition(json!({"title": "T", "type": "table", "options": options}));
        let total = table::view(&table, &data, "en").expect("a table").total;
        total.map(|cells| cells.into_iter().map(|cell| cell.text).collect())
    }

    #[test]
    fn sums_stand_below_numbers_that_add_up() {
        let percent = json!({"total": true, "formats": {"late": {"style": "percent"}}});
        assert_eq!(totals(percent, false).expect("sums"), ["Total of 3 rows", "1,234.5", ""]);
        assert_eq!(totals(json!({}), false), None);
    }

    #[test]
    fn a_column_may_name_another_figure() {
        let shown = totals(json!({"totals": {"flights": "greatest", "late": "average"}}), false);
        assert_eq!(shown.expect("figures"), ["Total of 3 rows", "1,200", "0.2"]);
        assert_eq!(totals(json!({"totals": {"name": "count", "flights": "count"}}), false).expect("counts"), ["3", "2", ""]);
    }

    #[test]
    fn an_answer_that_was_cut_has_no_totals() {
        assert_eq!(totals(json!({"total": true}), true), None);
    }
}
