//! What is drawn of a chart's rows.

use super::{
    definition::{ChartDefinition, ChartType},
    has_marks,
    number::{self, NumberView},
    option,
    pivot::{self, PivotView},
    table::{self, TableView},
};
use crate::{data::ChartData, theme::ChartTheme};
use serde::Serialize;

/// What is drawn for a chart's rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Picture {
    /// An option of the chart library, as JSON.
    Option(String),
    /// A big number.
    Number(NumberView),
    /// A table.
    Table(TableView),
    /// A pivot table.
    Pivot(PivotView),
    /// Nothing: the rows have no value that the chart draws.
    Empty,
}

impl Picture {
    /// The picture of rows. `locale` is a BCP 47 tag. `None` without rows, for a text, and where the definition does not fit the
    /// rows: the page shows a message in place of the chart.
    #[must_use]
    pub fn of_rows(definition: &ChartDefinition, data: &ChartData, theme: &ChartTheme, locale: &str) -> Option<Self> {
        if data.rows.is_empty() {
            return None;
        }
        let drawn = match definition.kind {
            ChartType::Number => number::view(definition, data, locale).map(Self::Number),
            ChartType::Table => table::view(definition, data, locale).map(Self::Table),
            ChartType::Pivot => pivot::view(definition, data, locale).map(Self::Pivot),
            _ => option(definition, data, theme, locale)
                .map(|option| if has_marks(definition, data) { Self::Option(option.to_string()) } else { Self::Empty }),
        };
        drawn.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::tests_support::definition,
        data::{Column, ColumnType},
    };
    use serde_json::json;

    #[test]
    fn rows_without_a_value_are_an_empty_picture_and_a_table_of_nulls_is_a_table() {
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let columns = vec![column("name", ColumnType::Text), column("n", ColumnType::Number)];
        let data = ChartData { columns, rows: vec![vec![json!("a"), json!(null)]], ..ChartData::default() };
        let picture = |kind: &str, encoding| {
            let chart = definition(json!({"title": "T", "type": kind, "encoding": encoding}));
            Picture::of_rows(&chart, &data, &ChartTheme::default(), "en")
        };
        assert_eq!(picture("bar", json!({"x": "name", "y": "n"})), Some(Picture::Empty));
        assert_eq!(picture("bar", json!({"x": "name", "y": "gone"})), None, "a chart that does not fit says so");
        assert!(matches!(picture("table", json!({})), Some(Picture::Table(table)) if table.rows.len() == 1));
        assert!(matches!(picture("gauge", json!({"value": "n"})), Some(Picture::Option(_))));
    }
}
