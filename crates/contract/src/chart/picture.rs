//! What is drawn of a chart's rows.

use super::{
    definition::{ChartDefinition, ChartType},
    number::{self, NumberView},
    option,
    pivot::{self, PivotView},
    table::{self, TableView},
};
use crate::{data::ChartData, theme::ChartTheme};
use serde::{Deserialize, Serialize};

/// What is drawn for a chart's rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// A text, which needs no rows: HTML that the server wrote block by block, without any markup of its author's.
    Text(String),
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
            _ => option(definition, data, theme, locale).map(|option| Self::Option(option.to_string())),
        };
        drawn.ok()
    }
}
