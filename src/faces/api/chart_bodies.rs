//! Shared by the bodies of v1 and v2: lists of charts, and the message of a response.

use inlay_contract::ids::ChartId;

/// The charts of a list without duplicates.
pub fn each_once(listed: Vec<ChartId>) -> Vec<ChartId> {
    let mut charts = Vec::with_capacity(listed.len());
    for chart in listed {
        if !charts.contains(&chart) {
            charts.push(chart);
        }
    }
    charts
}

/// A sentence that says what was done to how many charts.
pub fn message(done: &str, charts: usize) -> String {
    let charts = match charts {
        0 => "No charts".to_owned(),
        1 => "1 chart".to_owned(),
        many => format!("{many} charts"),
    };
    format!("{charts} {done}.")
}
