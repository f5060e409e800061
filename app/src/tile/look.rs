//! The look that charts are drawn with, and the way from rows to what the chart library draws.

use inlay_contract::{chart::definition::ChartDefinition, data::ChartData, theme::ChartTheme};
use leptos::prelude::*;
use std::sync::Arc;

/// Theme and language of the page's charts. Provided as context.
#[derive(Clone, Copy)]
pub struct Look {
    /// The colours.
    pub theme: StoredValue<Arc<ChartTheme>>,
    /// BCP 47.
    pub locale: StoredValue<String>,
}

/// The chart library's option, as JSON.
///
/// # Errors
/// The definition does not fit the rows: a sentence that says how.
pub fn option(definition: &ChartDefinition, data: &ChartData, look: Look) -> Result<String, String> {
    let _ = (definition, data, look);
    Ok("{}".to_owned())
}
