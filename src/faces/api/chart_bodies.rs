//! What the bodies of both generations have in common: lists of charts, and the sentence that tells what was done.

use inlay_contract::ids::ChartId;

/// The charts of a list, one that is named twice counted once.
pub fn each_once(listed: Vec<ChartId>) -> Vec<ChartId> {
    let mut charts = Vec::with_capacity(listed.len());
    for chart in listed {
        if !charts.contains(&chart) {
            charts.push(chart);
        }
    }
    charts
}

/// What was done to how many charts, as a sentence.
pub fn message(done: &str, charts: usize) -> String {
    let charts = match charts {
        0 => "No charts".to_owned(),
        1 => "1 chart".to_owned(),
        many => format!("{many} charts"),
    };
    format!("{charts} {done}.")
}
