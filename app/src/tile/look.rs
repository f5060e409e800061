//! The look that charts are drawn with, and the way from rows to what the chart library draws.

use inlay_contract::{chart, chart::definition::ChartDefinition, data::ChartData, theme::ChartTheme};
use leptos::prelude::*;
use std::sync::Arc;

/// What a viewer reads when a definition does not fit its rows; the operator reads more in the browser's console.
pub const UNFIT: &str = "This chart is not set up for the data that it gets.";

/// Theme and language of the page's charts. Provided as context.
#[derive(Clone, Copy)]
pub struct Look {
    /// The colours.
    pub theme: StoredValue<Arc<ChartTheme>>,
    /// BCP 47.
    pub locale: StoredValue<String>,
}

impl Look {
    /// The look of the page that the component stands on.
    #[must_use]
    pub fn here() -> Self {
        expect_context()
    }
}

/// The chart library's option, as JSON.
///
/// # Errors
/// The definition does not fit the rows.
pub fn option(definition: &ChartDefinition, data: &ChartData, look: Look) -> Result<String, chart::ChartProblem> {
    let theme = look.theme.get_value();
    look.locale.with_value(|locale| chart::option(definition, data, &theme, locale)).map(|option| option.to_string())
}
