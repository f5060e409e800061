//! Tables: formatted text with the exact value of each cell.

use super::{
    definition::{ChartDefinition, Names},
    frame::{self, Frame, grain},
    options::ChartOptions,
    problem::ChartProblem,
    shading::Shading,
    total,
};
use crate::{
    calendar::Grain,
    data::{ChartData, Column, ColumnType},
    format::{self, DateForm, NumberFormat, NumberStyle, locale::Locale},
    theme::ChartTheme,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use super::shading::Shade;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableView {
    /// The columns in order.
    pub columns: Vec<TableColumn>,
    /// The rows in the query's order, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
    /// The totals row, with one cell per column. `None` if the result was cut at its limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Vec<Cell>>,
    /// Rows per page. `None` uses the page's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_size: Option<usize>,
}

/// A column's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableColumn {
    /// Its name in the query. The header shows it unless `label` differs.
    pub name: String,
    /// Its label from `options.labels`, or else its name.
    pub label: String,
    /// The alignment of its cells.
    pub align: Align,
    /// Its position among the columns of the data.
    pub index: usize,
}

/// The alignment of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// At the start of the line.
    Start,
    /// At the end, so that digits align.
    End,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The formatted text.
    pub text: String,
    /// The exact value, for `data-value`. Empty for null.
    pub exact: String,
    /// Its shade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shade: Option<Shade>,
}

impl Cell {
    /// A cell without a shade.
    #[must_use]
    pub const fn plain(text: String, exact: String) -> Self {
        Self { text, exact, shade: None }
    }
}

/// The format of a column's cells.
enum Writing {
    Number(NumberFormat),
    Date(Grain),
    Text,
}

/// The table of a definition: its `columns`, or all of them. `Show data` is the table of a definition without `columns`.
///
/// # Errors
/// The query does not return a column, or an option is not valid.
pub fn view(definition: &ChartDefinition, data: &ChartData, locale: &str) -> Result<TableView, ChartProblem> {
    let theme = ChartTheme::default();
    let frame = Frame {
        definition,
        data,
        options: ChartOptions::read(&definition.options)?,
        theme: &theme,
        locale: Locale::of(locale),
    };
    let all: Vec<String> = data.columns.iter().map(|column| column.name.clone()).collect();
    let names = definition.encoding.columns.as_ref().map_or(all.as_slice(), Names::as_slice);
    let (mut columns, mut writings, mut shadings) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        let column = frame.column("columns", Some(name))?;
        let writing = match column.kind {
            ColumnType::Number => Writing::Number(aligned(frame.format(name), frame.cells(column))),
            ColumnType::Date | ColumnType::Timestamp => match frame.moments(column) {
                Some(moments) => Writing::Date(shown_grain(moments.into_iter().flatten())),
                None => Writing::Text,
            },
            _ => Writing::Text,
        };
        columns.push(TableColumn {
            name: name.clone(),
            label: frame.options.labels.get(name).cloned().unwrap_or_else(|| name.clone()),
            align: if column.kind == ColumnType::Number { Align::End } else { Align::Start },
            index: data.position(name).unwrap_or_default(),
        });
        writings.push(writing);
        shadings.push(Shading::of(&frame, column));
    }
    let cell = |row: &Vec<Value>, ((column, writing), shading): ((&TableColumn, &Writing), &Shading<'_>)| {
        let value = row.get(column.index).unwrap_or(&Value::Null);
        Cell { text: text(value, writing, &frame.locale), exact: exact(value), shade: shading.of_value(value) }
    };
    let row = |row| columns.iter().zip(&writings).zip(&shadings).map(|parts| cell(row, parts)).collect();
    let rows = data.rows.iter().map(row).collect();
    let total = total::of(&frame, &columns);
    let page_size = frame.options.page_size.filter(|size| *size > 0);
    Ok(TableView { columns, rows, total, page_size })
}

/// The label and the number format of each column of the data, as the chart's page has them: labels of its options, or else the column's
/// name in words.
///
/// # Errors
/// An option is not valid.
pub fn labelled(definition: &ChartDefinition, data: &ChartData) -> Result<Vec<(String, NumberFormat)>, ChartProblem> {
    let theme = ChartTheme::default();
    let options = ChartOptions::read(&definition.options)?;
    let frame = Frame { definition, data, options, theme: &theme, locale: Locale::of("en") };
    let column = |column: &Column| (frame.title(&column.name), frame.format(&column.name));
    Ok(data.columns.iter().map(column).collect())
}

/// A table shows full dates, even if all are the first of a month.
fn shown_grain(moments: impl Iterator<Item = i64>) -> Grain {
    match grain(moments) {
        Grain::Minute => Grain::Minute,
        _ => Grain::Day,
    }
}

/// The amounts of a currency column have the same number of decimals: all with cents, or none.
fn aligned<'a>(mut format: NumberFormat, mut cells: impl Iterator<Item = &'a Value>) -> NumberFormat {
    let broken = |cell| frame::number(cell).is_some_and(|number| number.fract() != 0.0);
    if format.style == NumberStyle::Currency && format.decimals.is_none() && cells.any(broken) {
        format.decimals = Some(2);
    }
    format
}

fn text(value: &Value, writing: &Writing, locale: &Locale) -> String {
    match writing {
        Writing::Number(format) => {
            frame::number(value).map_or_else(|| frame::text(value), |number| format::number(number, format, locale))
        }
        Writing::Date(grain) => frame::moment(value)
            .map_or_else(|| frame::text(value), |moment| format::date(moment, *grain, DateForm::Words, locale)),
        Writing::Text => match value {
            Value::String(text) if !text.is_empty() => text.clone(),
            other => frame::text(other),
        },
    }
}

/// A raw value as text.
#[must_use]
pub fn exact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::tests_support::definition;
    use serde_json::json;

    fn data() -> ChartData {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        ChartData {
            columns: vec![
                column("day", ColumnType::Date),
                column("flights", ColumnType::Number),
                column("airport", ColumnType::Text),
            ],
            rows: vec![vec![json!("2001-01-05"), json!(1234.5), json!("ATL")], vec![json!(null), json!(null), json!("")]],
            truncated: false,
            cached: false,
            duration_ms: 0,
            as_of: None,
        }
    }

    #[test]
    fn cells_are_written_and_keep_their_exact_value() {
        let table = view(&definition(json!({"title": "T", "type": "table"})), &data(), "de").expect("a table");
        let texts: Vec<&str> = table.rows[0].iter().map(|cell| cell.text.as_str()).collect();
        let exact: Vec<&str> = table.rows[0].iter().map(|cell| cell.exact.as_str()).collect();
        assert_eq!(texts, ["5. Jan 2001", "1.234,5", "ATL"]);
        assert_eq!(exact, ["2001-01-05", "1234.5", "ATL"]);
        assert_eq!(table.rows[1].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>(), ["–", "–", "–"]);
        assert_eq!(table.columns[1].align, Align::End);
    }

    #[test]
    fn columns_of_files_are_labelled_as_on_the_page() {
        let options = json!({"labels": {"airport": "Airport"}, "formats": {"late_share": {"style": "percent"}}});
        let columns = ["airport", "late_share"].map(|name| Column { name: name.into(), kind: ColumnType::Text }).to_vec();
        let data = ChartData { columns, rows: vec![], ..data() };
        let labelled = labelled(&definition(json!({"title": "T", "type": "bar", "options": options})), &data).expect("columns");
        let percent = NumberFormat { style: NumberStyle::Percent, ..NumberFormat::default() };
        assert_eq!(labelled, [("Airport".to_owned(), NumberFormat::default()), ("Late share".to_owned(), percent)]);
    }

    #[test]
    fn amounts_of_a_column_have_cents_together() {
        let texts = |values: [Value; 2]| {
            let columns = vec![Column { name: "sum".into(), kind: ColumnType::Number }];
            let rows = values.map(|value| vec![value]).to_vec();
            let data = ChartData { columns, rows, ..data() };
            let table = definition(json!({"title": "T", "type": "table", "options": {"format": {"style": "currency"}}}));
            view(&table, &data, "en").expect("a table").rows.into_iter().map(|row| row[0].text.clone()).collect::<Vec<_>>()
        };
        assert_eq!(texts([json!(377), json!(412.5)]), ["$377.00", "$412.50"]);
        assert_eq!(texts([json!(377), json!(412)]), ["$377", "$412"]);
    }

    #[test]
    fn columns_are_those_that_the_definition_names() {
        let chosen = definition(json!({"title": "T", "type": "table", "encoding": {"columns": ["airport"]},
            "options": {"labels": {"airport": "Airport"}}}));
        let table = view(&chosen, &data(), "en").expect("a table");
        assert_eq!(table.columns.len(), 1);
        assert_eq!((table.columns[0].name.as_str(), table.columns[0].label.as_str()), ("airport", "Airport"));
        let wrong = definition(json!({"title": "T", "type": "table", "encoding": {"columns": ["gone"]}}));
        let problem = view(&wrong, &data(), "en").expect_err("no such column").to_string();
        assert_eq!(problem, "The encoding's `columns` names the column `gone`, which the query does not return.");
    }
}
