//! Charts: their definition (`chartConfig`) and the picture that it makes with rows and a theme: an ECharts option, which
//! server and browser draw alike. Numbers, tables, pivots and texts are HTML and have views instead.
//!
//! The option is pure data. Where ECharts needs a function, the option has a marker: an object with one key that starts with
//! `$`. The chart runtime (`frontend/charts`) replaces it with a function. Text from rows never becomes such a key.

mod axis;
mod cartesian;
mod colours;
pub mod definition;
mod dial;
mod distribution;
mod flow;
mod frame;
mod heat;
mod land;
mod levels;
pub mod mark;
pub mod number;
pub mod options;
pub mod picture;
pub mod pivot;
mod points;
mod presence;
mod problem;
pub mod question;
mod radar;
pub mod shading;
mod shares;
mod sheet;
mod style;
pub mod table;
pub mod total;
pub mod trend;
mod waterfall;

pub use presence::has_marks;
pub use problem::ChartProblem;

use crate::{data::ChartData, format::locale::Locale, theme::ChartTheme};
use definition::{ChartDefinition, ChartType};
use frame::Frame;
use options::ChartOptions;
use serde_json::Value;

/// The ECharts option of a chart. `locale` is a BCP 47 tag. A chart without rows also has an option; pages show an empty state
/// instead.
///
/// # Errors
/// The encoding does not fit the rows, an option cannot be read, or the type is shown as HTML.
pub fn option(definition: &ChartDefinition, data: &ChartData, theme: &ChartTheme, locale: &str) -> Result<Value, ChartProblem> {
    let options = ChartOptions::read(&definition.options)?;
    let frame = Frame { definition, data, options, theme, locale: Locale::of(locale) };
    match definition.kind {
        ChartType::Line | ChartType::Area | ChartType::Bar | ChartType::Combo => cartesian::option(&frame),
        ChartType::Radar => radar::option(&frame),
        ChartType::Pie | ChartType::Donut => shares::round(&frame),
        ChartType::Funnel => shares::funnel(&frame),
        ChartType::Treemap | ChartType::Sunburst => levels::option(&frame),
        ChartType::Scatter | ChartType::Bubble => points::option(&frame),
        ChartType::Heatmap => heat::heatmap(&frame),
        ChartType::Calendar => heat::calendar(&frame),
        ChartType::Gauge => dial::option(&frame),
        ChartType::Sankey => flow::option(&frame),
        ChartType::Boxplot => distribution::boxplot(&frame),
        ChartType::Histogram => distribution::histogram(&frame),
        ChartType::Waterfall => waterfall::option(&frame),
        ChartType::Map => land::option(&frame),
        ChartType::Number | ChartType::Table | ChartType::Pivot | ChartType::Text => Err(ChartProblem::NoPicture),
    }
}

#[cfg(test)]
pub(crate) mod tests_support {
    use super::definition::ChartDefinition;
    use serde_json::Value;

    /// A definition from JSON.
    pub(crate) fn definition(json: Value) -> ChartDefinition {
        serde_json::from_value(json).expect("a definition")
    }
}
