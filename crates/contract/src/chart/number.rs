//! A big number and how it has changed.

use super::{definition::ChartDefinition, frame, options::ChartOptions, problem::ChartProblem};
use crate::{
    data::ChartData,
    format::{self, MISSING, NumberFormat, NumberParts, NumberStyle, locale::Locale},
    theme::ChartTheme,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a number chart shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NumberView {
    /// The number, its sign and unit apart so that they can be set smaller.
    pub parts: NumberParts,
    /// The value as it came.
    pub exact: Value,
    /// The change against `compare`, when there is one.
    pub delta: Option<Delta>,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    /// The change relative to the old value, unsigned: `12.3%`. Between percentages it is told in points (`1.2 pts`), from
    /// zero or below as it is, for there a ratio says nothing.
    pub text: String,
    /// Which way.
    pub direction: Direction,
    /// Whether that is good.
    pub tone: Tone,
    /// The old value: `1,234`.
    pub before: String,
}

/// Which way a value went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Up,
    Down,
    Flat,
}

/// Whether a change is good news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Tone {
    Positive,
    Negative,
    Neutral,
}

/// A number chart from its first row; a single value of 100,000 and more is shortened unless `decimals` says otherwise.
///
/// # Errors
/// The encoding does not fit the rows, or an option cannot be read.
pub fn view(definition: &ChartDefinition, data: &ChartData, locale: &str) -> Result<NumberView, ChartProblem> {
    let theme = ChartTheme::default();
    let frame = frame::Frame {
        definition,
        data,
        options: ChartOptions::read(&definition.options)?,
        theme: &theme,
        locale: Locale::of(locale),
    };
    let column = frame.column("value", definition.encoding.value.as_deref())?;
    let compare = frame.optional("compare", definition.encoding.compare.as_deref())?;
    let exact = frame.cells(column).next().cloned().unwrap_or(Value::Null);
    let value = frame.numbers(column)?.into_iter().next().flatten();
    let mut format = frame.format(column.name);
    if format.decimals.is_none() && format.compact_from.is_none() {
        format.compact_from = Some(100_000.0);
    }
    let missing = NumberParts { digits: MISSING.to_owned(), ..NumberParts::default() };
    let parts = value.map_or(missing, |value| format::parts(value, &format, &frame.locale));
    let before =
        compare.map(|compare| frame.numbers(compare)).transpose()?.and_then(|values| values.into_iter().next().flatten());
    let delta = value.zip(before).map(|(value, before)| delta(value, before, &format, &frame));
    Ok(NumberView { parts, exact, delta })
}

fn delta(value: f64, before: f64, format: &NumberFormat, frame: &frame::Frame<'_>) -> Delta {
    let change = value - before;
    let percent = NumberFormat { style: NumberStyle::Percent, ..NumberFormat::default() };
    let points = NumberFormat { decimals: Some(1), unit: Some("pts".to_owned()), ..NumberFormat::default() };
    let text = if format.style == NumberStyle::Percent {
        format::number((change * 100.0).abs(), &points, &frame.locale)
    } else if format.unit.as_deref() == Some("%") {
        format::number(change.abs(), &points, &frame.locale)
    } else if before > 0.0 {
        format::number((change / before).abs(), &percent, &frame.locale)
    } else {
        format::number(change.abs(), format, &frame.locale)
    };
    let direction = match change {
        change if change > 0.0 => Direction::Up,
        change if change < 0.0 => Direction::Down,
        _ => Direction::Flat,
    };
    let tone = match (direction, frame.options.lower_is_better) {
        (Direction::Flat, _) => Tone::Neutral,
        (Direction::Up, false) | (Direction::Down, true) => Tone::Positive,
        (Direction::Up, true) | (Direction::Down, false) => Tone::Negative,
    };
    Delta { text, direction, tone, before: format::number(before, format, &frame.locale) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chart::tests_support::definition,
        data::{Column, ColumnType},
    };
    use serde_json::json;

    fn shown(value: Value, before: Value, options: Value) -> NumberView {
        let definition =
            definition(json!({"title": "N", "type": "number", "encoding": {"value": "v", "compare": "b"}, "options": options}));
        let column = |name: &str| Column { name: name.into(), kind: ColumnType::Number };
        let data = ChartData {
            columns: vec![column("v"), column("b")],
            rows: vec![vec![value, before]],
            truncated: false,
            cached: false,
            duration_ms: 0,
        };
        view(&definition, &data, "en").expect("a view")
    }

    #[test]
    fn a_rise_is_good_unless_less_is_better() {
        let rise = shown(json!(110), json!(100), json!({}));
        let delta = rise.delta.expect("a change");
        assert_eq!((delta.text.as_str(), delta.direction, delta.tone), ("10%", Direction::Up, Tone::Positive));
        let delay = shown(json!(110), json!(100), json!({"lowerIsBetter": true})).delta.expect("a change");
        assert_eq!(delay.tone, Tone::Negative);
    }

    #[test]
    fn signs_and_units_stand_apart() {
        let parts = shown(json!(-1_234_567.0), json!(null), json!({"format": {"style": "currency", "currency": "EUR"}})).parts;
        assert_eq!((parts.prefix.as_str(), parts.digits.as_str(), parts.suffix.as_str()), ("−€", "1.2", "M"));
        assert_eq!(shown(json!(1234), json!(null), json!({"format": {"unit": "min"}})).parts.suffix, "\u{a0}min");
    }

    #[test]
    fn no_value_is_a_dash_and_zero_before_gives_the_difference() {
        assert_eq!(shown(json!(null), json!(3), json!({})).parts.digits, "–");
        assert_eq!(shown(json!(3), json!(0), json!({})).delta.expect("a change").text, "3");
    }

    #[test]
    fn percentages_change_by_points_and_nothing_changes_by_a_share_of_less_than_zero() {
        let text =
            |value: f64, before: f64, options: Value| shown(json!(value), json!(before), options).delta.expect("a change").text;
        assert_eq!(text(0.657, 0.822, json!({"format": {"style": "percent"}})), "16.5\u{a0}pts");
        assert_eq!(text(65.7, 82.2, json!({"format": {"unit": "%"}})), "16.5\u{a0}pts");
        assert_eq!(text(5.0, -2.0, json!({})), "7");
    }
}
