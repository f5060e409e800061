//! Pivot tables: rows by columns, with one value per cell.

use super::{
    definition::{ChartDefinition, Names},
    frame::{ColumnRef, Frame, by_name, number, text},
    options::ChartOptions,
    problem::ChartProblem,
    shading::Shading,
    table::Cell,
};
use crate::{
    data::ChartData,
    format::{self, NumberFormat, locale::Locale},
    theme::ChartTheme,
};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most columns. The first ones are kept.
const MOST_COLUMNS: usize = 200;

/// The most cells. A pivot table has a cell for each row and column, also where the data has no value: few rows of data can make very
/// many cells.
const MOST_CELLS: usize = 200_000;

/// A pivot table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PivotView {
    /// The names of the row columns.
    pub row_titles: Vec<String>,
    /// The heads of the value columns, outermost level first. Each has the length of a row's cells.
    pub heads: Vec<Vec<String>>,
    /// The rows.
    pub rows: Vec<PivotRow>,
    /// The totals row, with `options.total`.
    pub totals: Option<Vec<Cell>>,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PivotRow {
    /// Its names, one for each of `row_titles`.
    pub names: Vec<String>,
    /// Its values, with their total last if `options.total` is set.
    pub cells: Vec<Cell>,
}

/// The pivot table of a definition. Rows and columns keep the order of the data; columns that are numbers or dates are sorted.
///
/// # Errors
/// The encoding does not fit the rows, or an option cannot be read.
pub fn view(definition: &ChartDefinition, data: &ChartData, locale: &str) -> Result<PivotView, ChartProblem> {
    let theme = ChartTheme::default();
    let frame = Frame {
        definition,
        data,
        options: ChartOptions::read(&definition.options)?,
        theme: &theme,
        locale: Locale::of(locale),
    };
    let encoding = &definition.encoding;
    let down = frame.columns("rows", encoding.rows.as_ref().map_or(&[], Names::as_slice))?;
    let across = frame.columns("columns", encoding.columns.as_ref().map_or(&[], Names::as_slice))?;
    let value = frame.column("value", encoding.value.as_deref())?;
    frame.numbers(value)?;
    let rows = keys(&frame, &down);
    let columns = keys(&frame, &across);
    let row_names = in_order(&rows);
    let mut column_names = in_order(&columns);
    column_names.sort_by(|one, two| {
        one.iter().zip(two).map(|(one, two)| by_name(one, two)).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
    });
    column_names.truncate(MOST_COLUMNS);
    if row_names.len().saturating_mul(column_names.len()) > MOST_CELLS {
        return Err(ChartProblem::TooManyCells { rows: row_names.len(), columns: column_names.len(), most: MOST_CELLS });
    }
    let mut sums: BTreeMap<(&[String], &[String]), f64> = BTreeMap::new();
    for ((row, column), value) in rows.iter().zip(&columns).zip(frame.cells(value).map(number)) {
        if let Some(value) = value {
            *sums.entry((row, column)).or_default() += value;
        }
    }
    let totals = frame.options.total == Some(true);
    let format = frame.format(value.name);
    let shading = Shading::of(&frame, value);
    let cell = |value: Option<f64>| cell(value, &format, &frame.locale);
    let shaded = |value: Option<f64>| Cell { shade: value.and_then(|value| shading.of_value(&json!(value))), ..cell(value) };
    let value_at = |row: &[String], column: &[String]| sums.get(&(row, column)).copied();
    let body = row_names.iter().map(|row| {
        let values: Vec<Option<f64>> = column_names.iter().map(|column| value_at(row, column)).collect();
        let sum = totals.then(|| values.iter().copied().flatten().reduce(|sum, value| sum + value));
        PivotRow { names: row.clone(), cells: values.into_iter().map(shaded).chain(sum.map(cell)).collect() }
    });
    let body: Vec<PivotRow> = body.collect();
    let last = totals.then(|| {
        let sum = |column: &[String]| row_names.iter().filter_map(|row| value_at(row, column)).reduce(|sum, value| sum + value);
        let sums: Vec<Option<f64>> = column_names.iter().map(|column| sum(column)).collect();
        let whole = sums.iter().copied().flatten().reduce(|sum, value| sum + value);
        sums.into_iter().chain([whole]).map(cell).collect()
    });
    let head = |level: usize| {
        column_names.iter().map(|names| names[level].clone()).chain(totals.then(|| "Total".to_owned())).collect()
    };
    Ok(PivotView {
        row_titles: down.iter().map(|column| frame.title(column.name)).collect(),
        heads: (0..across.len()).map(head).collect(),
        rows: body,
        totals: last,
    })
}

/// The names of each data row in these columns.
fn keys(frame: &Frame<'_>, columns: &[ColumnRef<'_>]) -> Vec<Vec<String>> {
    let texts: Vec<Vec<String>> = columns.iter().map(|column| frame.cells(*column).map(text).collect()).collect();
    (0..frame.data.rows.len()).map(|row| texts.iter().map(|column| column[row].clone()).collect()).collect()
}

fn in_order(keys: &[Vec<String>]) -> Vec<Vec<String>> {
    let mut seen = std::collections::BTreeSet::new();
    keys.iter().filter(|key| seen.insert(key.as_slice())).cloned().collect()
}

fn cell(value: Option<f64>, format: &NumberFormat, locale: &Locale) -> Cell {
    value.map_or_else(
        || Cell::plain(String::new(), String::new()),
        |value| Cell::plain(format::number(value, format, locale), plain(value)),
    )
}

/// A whole number without `.0`.
fn plain(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { Value::from(value) }.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::tests_support::definition,
        data::{Column, ColumnType},
    };

    #[test]
    fn a_pivot_has_at_most_200_000_cells() {
        let pivot =
            definition(json!({"title": "P", "type": "pivot", "encoding": {"rows": "a", "columns": ["b"], "value": "n"}}));
        let of = |count: i64| {
            let column = |name: &str, kind| Column { name: name.into(), kind };
            let columns = vec![column("a", ColumnType::Text), column("b", ColumnType::Number), column("n", ColumnType::Number)];
            let rows = (0..count).map(|row| vec![json!(format!("row {row}")), json!(row % 250), json!(1)]).collect();
            view(&pivot, &ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None }, "en")
        };
        assert_eq!(of(1000).expect("a table").rows.len(), 1000);
        let problem = of(1001).expect_err("too many cells");
        assert_eq!(problem, ChartProblem::TooManyCells { rows: 1001, columns: 200, most: 200_000 });
    }

    #[test]
    fn rows_meet_columns_and_sums_stand_at_the_end() {
        let pivot = definition(json!({"title": "P", "type": "pivot",
            "encoding": {"rows": "carrier", "columns": ["month"], "value": "flights"}, "options": {"total": true}}));
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let data = ChartData {
            columns: vec![
                column("carrier", ColumnType::Text),
                column("month", ColumnType::Number),
                column("flights", ColumnType::Number),
            ],
            rows: vec![
                vec![json!("DL"), json!(10), json!(1200)],
                vec![json!("DL"), json!(2), json!(30)],
                vec![json!("AA"), json!(2), json!(7)],
            ],
            truncated: false,
            cached: false,
            duration_ms: 0,
            as_of: None,
        };
        let view = view(&pivot, &data, "en").expect("a table");
        assert_eq!(view.row_titles, ["Carrier"]);
        assert_eq!(view.heads, [["2", "10", "Total"]]);
        let texts = |cells: &[Cell]| cells.iter().map(|cell| cell.text.clone()).collect::<Vec<_>>().join("|");
        assert_eq!((view.rows[0].names.join(""), texts(&view.rows[0].cells)), ("DL".into(), "30|1,200|1,230".into()));
        assert_eq!((view.rows[1].names.join(""), texts(&view.rows[1].cells)), ("AA".into(), "7||7".into()));
        assert_eq!(texts(&view.totals.expect("sums")), "37|1,200|1,237");
        assert_eq!(view.rows[0].cells[1].exact, "1200");
    }
}
