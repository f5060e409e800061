//! A chart's rows as an Excel workbook, with exact values for calculations.

use crate::error::RenderError;
use inlay_contract::{
    chart::{
        definition::ChartDefinition,
        table::{self, exact},
    },
    data::{ChartData, ColumnType},
    format::{self, NumberFormat, NumberStyle, locale::Locale},
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

/// A chart's rows as a sheet of a workbook.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The chart's name.
    pub title: &'a str,
    /// Its rows.
    pub data: &'a ChartData,
    /// Its definition, whose labels and number formats the columns have. Without one, they have the names of the query.
    pub definition: Option<&'a ChartDefinition>,
}

/// Charts as an XLSX file with one sheet each, in order. Duplicate names get a number. Text is always stored as text, so it never becomes
/// a formula. Currency symbols stand where they do in the language of `locale`.
///
/// # Errors
/// The rows do not fit into a sheet.
pub fn workbook(sheets: &[Sheet<'_>], locale: &str) -> Result<Vec<u8>, RenderError> {
    write(sheets, &Locale::of(locale)).map_err(|problem| RenderError::Library(problem.to_string().chars().take(120).collect()))
}

fn write(sheets: &[Sheet<'_>], locale: &Locale) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let mut taken: Vec<String> = Vec::new();
    for Sheet { title, data, definition } in sheets {
        let name = free_name(&sheet_name(title), &taken);
        // Options that cannot be read leave the names of the query.
        let labelled = definition.and_then(|definition| table::labelled(definition, data).ok());
        let named = || data.columns.iter().map(|column| (column.name.clone(), NumberFormat::default())).collect();
        let columns: Vec<Column> =
            labelled.unwrap_or_else(named).into_iter().map(|(label, format)| Column::new(label, &format, locale)).collect();
        fill(book.add_worksheet(), &name, data, &columns)?;
        taken.push(name);
    }
    book.save_to_buffer()
}

/// A column of a sheet.
struct Column {
    label: String,
    numbers: Option<Format>,
}

impl Column {
    fn new(label: String, format: &NumberFormat, locale: &Locale) -> Self {
        Self { label, numbers: pattern(format, locale).map(|pattern| Format::new().set_num_format(pattern)) }
    }
}

/// The number format in Excel's notation. `None` for one that says nothing: Excel shows the digits that a number has.
fn pattern(format: &NumberFormat, locale: &Locale) -> Option<String> {
    if *format == NumberFormat::default() {
        return None;
    }
    let digits = match (format.decimals, format.style) {
        (Some(0), _) | (None, NumberStyle::Compact) => "#,##0".to_owned(),
        (Some(decimals), _) => format!("#,##0.{}", "0".repeat(decimals.into())),
        (None, NumberStyle::Percent) => "0.0".to_owned(),
        (None, NumberStyle::Currency) => "#,##0.00".to_owned(),
        (None, NumberStyle::Number) => "General".to_owned(),
    };
    // Exact numbers are neither shortened nor have they a sign here: Excel writes its own.
    let parts = format::parts(1.0, &NumberFormat { compact_from: Some(f64::INFINITY), ..format.clone() }, locale);
    let text = |text: &str| match text.replace('"', "") {
        empty if empty.is_empty() => String::new(),
        text => format!("\"{text}\""),
    };
    // The percent sign outside of quotes multiplies by 100.
    let suffix = match parts.suffix.split_once('%').filter(|_| format.style == NumberStyle::Percent) {
        Some((gap, unit)) => format!("{}%{}", text(gap), text(unit)),
        None => text(&parts.suffix),
    };
    Some(format!("{}{digits}{suffix}", text(&parts.prefix)))
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

fn fill(sheet: &mut Worksheet, name: &str, data: &ChartData, columns: &[Column]) -> Result<(), XlsxError> {
    let (head, day) = (Format::new().set_bold(), Format::new().set_num_format("yyyy-mm-dd"));
    let moment = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
    sheet.set_name(name)?;
    sheet.set_freeze_panes(1, 0)?;
    for (at, column) in (0_u16..).zip(columns.iter().take(MOST_COLUMNS)) {
        sheet.write_string_with_format(0, at, cut(&column.label), &head)?;
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
                    Some(number) => match columns.get(usize::from(column)).and_then(|column| column.numbers.as_ref()) {
                        Some(format) => drop(sheet.write_number_with_format(row, column, number, format)?),
                        None => drop(sheet.write_number(row, column, number)?),
                    },
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
        let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None };
        let file = workbook(&[Sheet { title: "Sales [2024]: a/b", data: &data, definition: None }], "en").expect("a workbook");
        assert_eq!(&file[..4], b"PK\x03\x04");
        assert!(file.len() > 1_000);
    }

    #[test]
    fn numbers_look_as_on_the_page() {
        let pattern = |json, locale| pattern(&serde_json::from_value(json).expect("a format"), &Locale::of(locale));
        assert_eq!(pattern(json!({}), "en"), None);
        assert_eq!(pattern(json!({"decimals": 1}), "en").as_deref(), Some("#,##0.0"));
        assert_eq!(pattern(json!({"style": "percent"}), "en").as_deref(), Some("0.0%"));
        assert_eq!(pattern(json!({"style": "percent", "decimals": 0}), "de").as_deref(), Some("#,##0\"\u{a0}\"%"));
        assert_eq!(pattern(json!({"style": "compact"}), "en").as_deref(), Some("#,##0"));
        assert_eq!(pattern(json!({"style": "currency", "currency": "EUR"}), "en").as_deref(), Some("\"€\"#,##0.00"));
        assert_eq!(pattern(json!({"style": "currency", "currency": "EUR"}), "de").as_deref(), Some("#,##0.00\"\u{a0}€\""));
        assert_eq!(pattern(json!({"unit": "min", "decimals": 0}), "en").as_deref(), Some("#,##0\"\u{a0}min\""));
        assert_eq!(pattern(json!({"unit": "\"%\""}), "en").as_deref(), Some("General\"\u{a0}%\""));
    }

    #[test]
    fn sheets_of_one_name_are_told_apart() {
        let data = ChartData { columns: vec![], rows: vec![], truncated: false, cached: false, duration_ms: 0, as_of: None };
        let long = "x".repeat(40);
        let sheets = ["Sales", "SALES", &long, &long].map(|title| Sheet { title, data: &data, definition: None });
        assert!(workbook(&sheets, "en").is_ok());
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
