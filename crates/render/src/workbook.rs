//! A chart's rows as an Excel workbook, with exact values for calculations.

use crate::error::RenderError;
use inlay_contract::{
    chart::table::exact,
    data::{ChartData, ColumnType},
};
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use serde_json::Value;

/// The most rows below the header in Excel.
const MOST_ROWS: usize = 1_048_575;
/// The most columns in Excel.
const MOST_COLUMNS: usize = 16_384;
/// The most characters of a cell in Excel.
const LONGEST_CELL: usize = 32_767;
/// The most characters of a sheet's name in Excel.
const LONGEST_NAME: usize = 31;

/// The rows as an XLSX file with one sheet. Text is always stored as text, so it never becomes a formula.
///
/// # Errors
/// The rows do not fit into a sheet.
pub fn workbook(title: &str, data: &ChartData) -> Result<Vec<u8>, RenderError> {
    workbook_of(&[(title, data)])
}

/// The rows of several charts as an XLSX file with one sheet each, in order. Duplicate names get a number.
///
/// # Errors
/// The rows do not fit into a sheet.
pub fn workbook_of(sheets: &[(&str, &ChartData)]) -> Result<Vec<u8>, RenderError> {
    write(sheets).map_err(|problem| RenderError::Library(problem.to_string().chars().take(120).collect()))
}

fn write(sheets: &[(&str, &ChartData)]) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let mut taken: Vec<String> = Vec::new();
    for (title, data) in sheets {
        let name = free_name(&sheet_name(title), &taken);
        fill(book.add_worksheet(), &name, data)?;
        taken.push(name);
    }
    book.save_to_buffer()
}

/// A name that no other sheet has, ignoring case.
fn free_name(name: &str, taken: &[String]) -> String {
    let is_free = |name: &String| taken.iter().all(|known| !known.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|number| {
        let end = format!(" {number}");
        let kept: String = name.chars().take(LONGEST_NAME - end.len()).collect();
        kept + &end
    });
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

fn fill(sheet: &mut Worksheet, name: &str, data: &ChartData) -> Result<(), XlsxError> {
    let (head, day) = (Format::new().set_bold(), Format::new().set_num_format("yyyy-mm-dd"));
    let moment = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    sheet.set_name(name)?;
    sheet.set_freeze_panes(1, 0)?;
    for (column, about) in (0_u16..).zip(data.columns.iter().take(MOST_COLUMNS)) {
        sheet.write_string_with_format(0, column, &about.name, &head)?;
    }
    for (row, cells) in (1_u32..).zip(data.rows.iter().take(MOST_ROWS)) {
        for ((column, about), cell) in (0_u16..).zip(data.columns.iter().take(MOST_COLUMNS)).zip(cells) {
            match (about.kind, cell) {
                (_, Value::Null) => {}
                (_, Value::Bool(on)) => drop(sheet.write_boolean(row, column, *on)?),
                (ColumnType::Date, Value::String(text)) => match date(text) {
                    Some(date) => drop(sheet.write_datetime_with_format(row, column, &date, &day)?),
                    None => drop(sheet.write_string(row, column, cut(text))?),
                },
                (ColumnType::Timestamp, Value::String(text)) => match date(text) {
                    Some(date) => drop(sheet.write_datetime_with_format(row, column, &date, &moment)?),
                    None => drop(sheet.write_string(row, column, cut(text))?),
                },
                (_, Value::Number(number)) => match number.as_f64().filter(|_| exactly(number)) {
                    Some(number) => drop(sheet.write_number(row, column, number)?),
                    None => drop(sheet.write_string(row, column, number.to_string())?),
                },
                (_, other) => drop(sheet.write_string(row, column, cut(&exact(other)))?),
            }
        }
    }
    sheet.autofit();
    Ok(())
}

/// Whether Excel, which has fifteen digits, keeps the number exactly.
fn exactly(number: &serde_json::Number) -> bool {
    number.to_string().bytes().filter(u8::is_ascii_digit).count() <= 15 || number.is_f64()
}

fn date(text: &str) -> Option<ExcelDateTime> {
    // Removes the UTC offset: Excel has no time zones, and the text is in the viewer's.
    let plain = text.get(..19).unwrap_or(text);
    ExcelDateTime::parse_from_str(plain).ok()
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST_CELL).collect()
}

/// A valid name for a sheet.
fn sheet_name(title: &str) -> String {
    let kept: String =
        title.chars().map(|letter| if "[]:*?/\\".contains(letter) || letter.is_control() { ' ' } else { letter }).collect();
    let kept: String = kept.trim().trim_matches('\'').chars().take(LONGEST_NAME).collect();
    if kept.trim().is_empty() { "Data".to_owned() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::data::Column;
    use serde_json::json;

    #[test]
    fn a_workbook_is_written_whatever_the_cells_hold() {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns = vec![
            column("name", ColumnType::Text),
            column("day", ColumnType::Date),
            column("amount", ColumnType::Number),
            column("on", ColumnType::Boolean),
        ];
        let rows = vec![
            vec![json!("=1+1"), json!("2024-02-29"), json!(12.5), json!(true)],
            vec![json!("x".repeat(40_000)), json!("no day"), json!(12_345_678_901_234_567_u64), Value::Null],
        ];
        let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0 };
        let file = workbook("Sales [2024]: a/b", &data).expect("a workbook");
        assert_eq!(&file[..4], b"PK\x03\x04");
        assert!(file.len() > 1_000);
    }

    #[test]
    fn sheets_of_one_name_are_told_apart() {
        let data = ChartData { columns: vec![], rows: vec![], truncated: false, cached: false, duration_ms: 0 };
        let long = "x".repeat(40);
        assert!(workbook_of(&[("Sales", &data), ("SALES", &data), (&long, &data), (&long, &data)]).is_ok());
        let taken = ["Sales".to_owned(), "sales 2".to_owned(), "x".repeat(31)];
        assert_eq!(free_name("SALES", &taken), "SALES 3");
        assert_eq!(free_name(&"x".repeat(31), &taken), format!("{} 2", "x".repeat(29)));
    }

    #[test]
    fn a_sheet_s_name_is_one_that_excel_takes() {
        assert_eq!(sheet_name("Sales [2024]: a/b"), "Sales  2024   a b");
        assert_eq!(sheet_name("'*'"), "Data");
        assert_eq!(sheet_name(&"x".repeat(60)).len(), 31);
        assert!(date("2024-02-30").is_none());
    }
}
