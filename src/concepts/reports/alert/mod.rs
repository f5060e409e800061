//! Alerts: reports that send their mail when a chart's number crosses a threshold, and again when it is back. They share the
//! reports' schedule, recipients, checks and history. This module holds only what is specific to alerts.

use crate::concepts::charts::Chart;
use inlay_contract::{
    chart::{ChartProblem, definition::ChartType, number::told_apart},
    report::{AlertCondition, Side},
};

/// Whether an alert may watch this chart type: only types that show a single number.
pub const fn may_watch(kind: ChartType) -> bool {
    matches!(kind, ChartType::Number | ChartType::Gauge)
}

/// Whether to send a mail: the state differs from the last check. The first check only reports a threshold that is already crossed.
pub const fn tells(before: Option<bool>, now: bool) -> bool {
    match before {
        None => now,
        Some(before) => before != now,
    }
}

/// One sentence about the chart's number and the threshold, formatted as the chart formats numbers.
pub fn sentence(
    chart: &Chart,
    locale: &str,
    condition: &AlertCondition,
    number: f64,
    raised: bool,
) -> Result<String, ChartProblem> {
    let [number, threshold] = told_apart(&chart.definition, locale, [number, condition.threshold])?;
    let where_it_is = match (condition.side, raised) {
        (Side::Above, true) => "above",
        (Side::Below, true) => "below",
        (Side::Above, false) => "no longer above",
        (Side::Below, false) => "no longer below",
    };
    Ok(format!("{} is {number}, {where_it_is} {threshold}.", chart.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::ids::{ChartId, ConnectionId, ProjectId};
    use serde_json::{Value, json};

    fn chart(name: &str, options: Value) -> Chart {
        let definition = json!({"title": name, "type": "number", "encoding": {"value": "n"}, "options": options});
        Chart {
            id: ChartId::generate(),
            project: ProjectId::generate(),
            connection: ConnectionId::generate(),
            name: name.to_owned(),
            version: 1,
            definition: serde_json::from_value(definition).expect("a definition"),
        }
    }

    #[test]
    fn only_a_change_is_told() {
        assert_eq!([tells(None, true), tells(Some(false), true), tells(Some(true), false)], [true; 3]);
        assert_eq!([tells(None, false), tells(Some(true), true), tells(Some(false), false)], [false; 3]);
    }

    #[test]
    fn sentences_say_which_way_with_numbers_as_the_chart_s() {
        let said = |chart: &Chart, locale: &str, side, [number, threshold]: [f64; 2], raised| {
            let condition = AlertCondition { chart: chart.id, side, threshold };
            sentence(chart, locale, &condition, number, raised).expect("a sentence")
        };
        let delays = chart("Delays", json!({}));
        assert_eq!(said(&delays, "en", Side::Above, [1234.5, 1000.0], true), "Delays is 1,234.5, above 1,000.");
        assert_eq!(said(&delays, "en", Side::Above, [999.0, 1000.0], false), "Delays is 999, no longer above 1,000.");
        let profit = chart("Profit", json!({"format": {"style": "currency", "currency": "USD"}}));
        assert_eq!(said(&profit, "en", Side::Below, [-1_234_567.0, 1000.0], true), "Profit is −$1,234,567, below $1,000.");
        assert_eq!(
            said(&profit, "de", Side::Below, [2000.5, 1000.0], false),
            "Profit is 2.000,50\u{a0}$, no longer below 1.000\u{a0}$."
        );
        let rate = chart("Late", json!({"format": {"style": "percent"}}));
        assert_eq!(said(&rate, "en", Side::Above, [0.412, 0.4], true), "Late is 41.2%, above 40%.");
    }
}
