//! CSV files (RFC 4180) that a spreadsheet opens without running formulas.

use inlay_contract::data::ChartData;
use serde_json::Value;

/// The media type of the files.
pub const MEDIA_TYPE: &str = "text/csv;charset=utf-8";

/// The file's text: a header, then the rows in the data's order, exact values.
#[must_use]
pub fn write(data: &ChartData) -> String {
    // The byte-order mark tells Excel that this is UTF-8.
    let mut file = String::from("\u{feff}");
    push_line(&mut file, data.columns.iter().map(|column| text_cell(&column.name)));
    for row in &data.rows {
        push_line(&mut file, row.iter().map(cell));
    }
    file
}

fn push_line(file: &mut String, cells: impl Iterator<Item = String>) {
    for (position, cell) in cells.enumerate() {
        if position > 0 {
            file.push(',');
        }
        file.push_str(&cell);
    }
    file.push_str("\r\n");
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text_cell(text),
        // A negative number is a number, not a formula.
        Value::Number(number) => number.to_string(),
        other => text_cell(&other.to_string()),
    }
}

/// What starts a formula.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];
/// What separates cells, in some language: spreadsheets open a file with the list separator of their user's.
const SEPARATORS: [char; 5] = [',', ';', '\t', '\n', '\r'];

/// Marks text that a spreadsheet would read as a formula with an apostrophe: at its start, and behind each character that some
/// spreadsheet takes for the end of a cell.
fn text_cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len() + 2);
    let mut starts = true;
    for letter in text.chars() {
        if starts && FORMULA.contains(&letter) {
            cell.push('\'');
        }
        // Spaces before a formula, and the quotes of a cell, do not change that it is one.
        starts = SEPARATORS.contains(&letter) || (starts && matches!(letter, ' ' | '"'));
        cell.push(letter);
    }
    if cell.contains(SEPARATORS) || cell.contains('"') { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}

/// A file name from a chart's name: letters, digits, spaces and hyphens.
#[must_use]
pub fn file_name(chart: &str, extension: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || " -_".contains(letter) { letter } else { ' ' };
    let name: String = chart.chars().map(plain).take(80).collect();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}.{extension}", if name.is_empty() { "chart" } else { &name })
}

/// What the name of a file says of old rows: when they were read, as `As of 2026-11-28 14-05 UTC`. `moment` is RFC 3339 in UTC.
#[must_use]
pub fn read_at(moment: &str) -> String {
    let minutes = moment.get(..16).unwrap_or(moment);
    format!("As of {} UTC", minutes.replace('T', " ").replace(':', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::data::{Column, ColumnType};
    use serde_json::json;

    fn file(columns: &[&str], rows: Vec<Vec<Value>>) -> String {
        let columns = columns.iter().map(|name| Column { name: (*name).to_owned(), kind: ColumnType::Text }).collect();
        write(&ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None })
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let file = file(&["a,b", "c"], vec![vec![json!("say \"hi\""), json!("x\ny")], vec![json!(null), json!(true)]]);
        assert_eq!(file, "\u{feff}\"a,b\",c\r\n\"say \"\"hi\"\"\",\"x\ny\"\r\n,true\r\n");
    }

    #[test]
    fn formulas_are_defused_and_numbers_are_not_touched() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)"] {
            assert_eq!(file(&["c"], vec![vec![json!(text)]]), format!("\u{feff}c\r\n'{text}\r\n"));
        }
        assert_eq!(file(&["c"], vec![vec![json!("\tx")]]), "\u{feff}c\r\n\"'\tx\"\r\n");
        assert_eq!(file(&["c"], vec![vec![json!(-1.5)]]), "\u{feff}c\r\n-1.5\r\n");
        assert_eq!(file(&["=c"], vec![]), "\u{feff}'=c\r\n");
    }

    /// Most of Europe separates lists by semicolons, and a cell that is not quoted then ends there.
    #[test]
    fn no_separator_of_any_language_begins_a_formula() {
        let cell = |text: &str| file(&["c"], vec![vec![json!(text)]]).trim_start_matches("\u{feff}c\r\n").to_owned();
        assert_eq!(cell("x;=HYPERLINK(\"http://evil\")"), "\"x;'=HYPERLINK(\"\"http://evil\"\")\"\r\n");
        assert_eq!(cell("x\t=1"), "\"x\t'=1\"\r\n");
        assert_eq!(cell("x\n@a"), "\"x\n'@a\"\r\n");
        assert_eq!(cell("x; =1"), "\"x; '=1\"\r\n");
        assert_eq!(cell("a;b"), "\"a;b\"\r\n");
        assert_eq!(cell("a-b = c"), "a-b = c\r\n");
        assert_eq!(cell("12, -3"), "\"12, '-3\"\r\n");
    }

    #[test]
    fn file_names_hold_no_path() {
        assert_eq!(file_name("Delay / day", "csv"), "Delay day.csv");
        assert_eq!(file_name("../..", "png"), "chart.png");
    }

    #[test]
    fn names_of_files_say_how_old_their_rows_are() {
        let name = file_name(&format!("{} Rates", read_at("2026-11-28T14:05:06.789Z")), "csv");
        assert_eq!(name, "As of 2026-11-28 14-05 UTC Rates.csv");
    }
}
