//! Alerts: a report whose mail goes out when a chart's number crosses a threshold, and when it is back. They live on the reports'
//! schedule, with the reports' recipients, checks and history; what is their own is here.

use inlay_contract::{
    chart::definition::{ChartDefinition, ChartType},
    data::ChartData,
    report::{Condition, Side},
};

/// Whether an alert may watch a chart: it shows one number.
pub const fn may_watch(kind: ChartType) -> bool {
    matches!(kind, ChartType::Number | ChartType::Gauge)
}

/// The number that a chart shows: the value of its first row.
pub fn number_of(definition: &ChartDefinition, rows: &ChartData) -> Option<f64> {
    let column = rows.position(definition.encoding.value.as_deref()?)?;
    let value = rows.rows.first()?.get(column)?;
    // Exact decimals come as text.
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
    number.filter(|number| number.is_finite())
}

/// Whether there is something to tell: what the alert says now is not what it said before. The first check tells of a threshold that is
/// crossed already, and says nothing of one that is not.
pub const fn tells(before: Option<bool>, now: bool) -> bool {
    match before {
        None => now,
        Some(before) => before != now,
    }
}

/// What an alert says, in a sentence.
pub fn sentence(chart: &str, condition: &Condition, number: f64, raised: bool) -> String {
    let Condition { side, threshold, .. } = condition;
    let (number, threshold) = (written(number), written(*threshold));
    match (side, raised) {
        (Side::Above, true) => format!("{chart} is {number}, above {threshold}."),
        (Side::Below, true) => format!("{chart} is {number}, below {threshold}."),
        (Side::Above, false) => format!("{chart} is {number}, no longer above {threshold}."),
        (Side::Below, false) => format!("{chart} is {number}, no longer below {threshold}."),
    }
}

/// A number with its thousands apart.
fn written(number: f64) -> String {
    let plain = format!("{number}");
    let (whole, rest) =
        plain.split_once('.').map_or((plain.as_str(), String::new()), |(whole, rest)| (whole, format!(".{rest}")));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |digits| ("\u{2212}", digits));
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{
        data::{Column, ColumnType},
        ids::ChartId,
    };
    use serde_json::{Value, json};

    fn number(value: Value) -> Option<f64> {
        let definition = json!({"title": "T", "type": "number", "encoding": {"value": "n"}});
        let columns = ["m", "n"].map(|name| Column { name: name.into(), kind: ColumnType::Number }).to_vec();
        let rows = ChartData { columns, rows: vec![vec![json!(1), value]], truncated: false, cached: false, duration_ms: 0 };
        number_of(&serde_json::from_value(definition).expect("a definition"), &rows)
    }

    #[test]
    fn a_number_is_read_as_it_comes() {
        assert_eq!([json!(5), json!(-1.5), json!("12.30")].map(number), [Some(5.0), Some(-1.5), Some(12.3)]);
        assert_eq!([json!(null), json!("many"), json!(true), json!("NaN")].map(number), [None; 4]);
    }

    #[test]
    fn only_a_change_is_told() {
        assert_eq!([tells(None, true), tells(Some(false), true), tells(Some(true), false)], [true; 3]);
        assert_eq!([tells(None, false), tells(Some(true), true), tells(Some(false), false)], [false; 3]);
    }

    #[test]
    fn sentences_say_which_way() {
        let condition = |side| Condition { chart: ChartId::generate(), side, threshold: 1000.0 };
        assert_eq!(sentence("Delays", &condition(Side::Above), 1234.5, true), "Delays is 1,234.5, above 1,000.");
        assert_eq!(sentence("Delays", &condition(Side::Above), 999.0, false), "Delays is 999, no longer above 1,000.");
        assert_eq!(
            sentence("Profit", &condition(Side::Below), -1_234_567.0, true),
            "Profit is \u{2212}1,234,567, below 1,000."
        );
        assert_eq!(sentence("Profit", &condition(Side::Below), 2000.0, false), "Profit is 2,000, no longer below 1,000.");
    }
}
