//! A big number and its change.

use super::{
    definition::{ChartDefinition, Encoding},
    frame,
    options::ChartOptions,
    problem::ChartProblem,
    trend::{self, Course, Trend},
};
use crate::{
    data::ChartData,
    format::{self, MISSING, NumberFormat, NumberParts, NumberStyle, locale::Locale},
    theme::ChartTheme,
};
use serde::Serialize;
use serde_json::Value;

/// The content of a number chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NumberView {
    /// The number. Its unit is separate, so that it can be smaller.
    pub parts: NumberParts,
    /// The width that it needs on one line, in tenths of its font's size. Where its card is narrower, it is smaller.
    pub width: u16,
    /// The exact value.
    pub exact: Value,
    /// The change against `compare` or the previous row, if there is one.
    pub delta: Option<Delta>,
    /// Its trend as an SVG picture, if the encoding has an `x`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spark: Option<String>,
    /// The trend as a line, for drawing on paper. It stays on the server.
    #[serde(skip)]
    pub trend: Option<Trend>,
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Delta {
    /// The change relative to the old value, unsigned: `12.3%`. Between percentages it is in points (`1.2 pts`). If the old
    /// value is not positive, or a hundredth of the change, it is the difference, since a ratio would be meaningless. `Unchanged` for
    /// none.
    pub text: String,
    /// Its direction.
    pub direction: Direction,
    /// Whether it is good.
    pub tone: Tone,
    /// The old value: `1,234`, and what it is of, if the chart says so.
    pub before: String,
}

/// The direction of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Direction {
    Up,
    Down,
    Flat,
}

/// The meaning of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Tone {
    Positive,
    Negative,
    Neutral,
}

/// The size of a trend's picture, in CSS pixels. It is stretched to its box.
const SPARK: (f64, f64) = (240.0, 48.0);

/// A unit without spaces breaks after this many characters.
const MOST_OF_UNIT: usize = 12;

/// From this many times the old value on, a change is the difference: nobody reads 1,200,000%.
const MOST_TIMES: f64 = 100.0;

/// The usual maximum of decimals.
const FEWEST_DECIMALS: u8 = 2;

/// The most decimals that a sentence uses to distinguish two numbers.
const MOST_DECIMALS: u8 = 12;

/// A number chart from its first row. A single value of 100,000 or more is shortened unless `decimals` is set. With an `x`, the
/// rows are the number's trend: the newest row is the number. Without `compare` it is compared with the row before, unless the
/// newest period is unfinished.
///
/// # Errors
/// The encoding does not fit the rows, or an option cannot be read.
pub fn view(definition: &ChartDefinition, data: &ChartData, locale: &str) -> Result<NumberView, ChartProblem> {
    let theme = ChartTheme::default();
    let frame = framed(definition, data, &theme, locale)?;
    let compare = frame.optional("compare", definition.encoding.compare.as_deref())?;
    let Reading { column, values, row, previous, course } = read(&frame)?;
    let exact = frame.cells(column).nth(row).cloned().unwrap_or(Value::Null);
    let value = values.get(row).copied().flatten();
    let mut format = frame.format(column.name);
    if format.decimals.is_none() && format.compact_from.is_none() {
        format.compact_from = Some(100_000.0);
    }
    let missing = NumberParts { digits: MISSING.to_owned(), ..NumberParts::default() };
    let parts = value.map_or(missing, |value| format::parts(value, &format, &frame.locale));
    let before = match compare {
        Some(compare) => frame.numbers(compare)?.get(row).copied().flatten(),
        None if frame.options.partial_last || !is_its_own_course(&definition.encoding) => None,
        None => previous.and_then(|row| values[row]),
    };
    let delta = value.zip(before).and_then(|(value, before)| delta(value, before, &format, &frame));
    let trend = course.and_then(|course| course.trend);
    let spark = trend.as_ref().map(|trend| trend.svg(SPARK.0, SPARK.1));
    let width = tenths(&parts);
    Ok(NumberView { parts, width, exact, delta, spark, trend })
}

/// The width of a number with the first word of its unit, in tenths of its font's size: further words take further lines.
fn tenths(NumberParts { prefix, digits, suffix }: &NumberParts) -> u16 {
    let figure = |letter: char| {
        if letter.is_ascii_punctuation() && letter != '$' || letter == '\u{a0}' || letter == '\u{202f}' || letter == '’' {
            3.2
        } else {
            6.6
        }
    };
    let number: f64 = prefix.chars().chain(digits.chars()).map(figure).sum();
    let letter = |letter: char| if letter >= '\u{1100}' { 6.2 } else { 4.2 };
    let word = suffix.trim_start_matches('\u{a0}').split_ascii_whitespace().next().unwrap_or_default();
    let gap = if suffix.starts_with('\u{a0}') { 2.0 } else { 0.0 };
    let unit: f64 = word.chars().take(MOST_OF_UNIT).map(letter).sum();
    (number + gap + unit).ceil() as u16
}

/// The number of a number chart, as [`view`] reads it. `None` if it shows a dash.
///
/// # Errors
/// The encoding does not fit the rows, or an option cannot be read.
pub fn value(definition: &ChartDefinition, data: &ChartData) -> Result<Option<f64>, ChartProblem> {
    shown(&framed(definition, data, &ChartTheme::default(), "")?)
}

/// The row that a number chart shows. `None` if the definition does not fit the rows.
#[must_use]
pub fn row(definition: &ChartDefinition, data: &ChartData) -> Option<usize> {
    let theme = ChartTheme::default();
    let frame = framed(definition, data, &theme, "").ok()?;
    read(&frame).ok().map(|reading| reading.row)
}

/// Whether the number belongs to the row that it is read from, and does not stand beside the trend of another column.
#[must_use]
pub fn is_of_its_row(encoding: &Encoding) -> bool {
    encoding.x.is_none() || is_its_own_course(encoding)
}

/// Two numbers in a chart's own format, for a sentence: never shortened, and with as many decimals as needed to distinguish
/// them.
///
/// # Errors
/// An option cannot be read.
pub fn told_apart(definition: &ChartDefinition, locale: &str, numbers: [f64; 2]) -> Result<[String; 2], ChartProblem> {
    let options = ChartOptions::read(&definition.options)?;
    let column = definition.encoding.value.as_deref().unwrap_or_default();
    let mut format = options.formats.get(column).unwrap_or(&options.format).compact_from(f64::INFINITY);
    let locale = Locale::of(locale);
    let mut texts = numbers.map(|number| format::number(number, &format, &locale));
    let mut decimals = format.decimals.unwrap_or(FEWEST_DECIMALS);
    while texts[0] == texts[1] && numbers[0] != numbers[1] && decimals < MOST_DECIMALS {
        decimals += 1;
        format.decimals = Some(decimals);
        texts = numbers.map(|number| format::number(number, &format, &locale));
    }
    Ok(texts)
}

/// The number of a chart, as [`value`] returns it.
pub(super) fn shown(frame: &frame::Frame<'_>) -> Result<Option<f64>, ChartProblem> {
    let Reading { values, row, .. } = read(frame)?;
    Ok(values.get(row).copied().flatten())
}

/// What is read from the rows of a number chart.
struct Reading<'a> {
    column: frame::ColumnRef<'a>,
    values: Vec<Option<f64>>,
    /// The row of the number.
    row: usize,
    /// The row before it in the trend.
    previous: Option<usize>,
    course: Option<Course>,
}

fn read<'a>(frame: &frame::Frame<'a>) -> Result<Reading<'a>, ChartProblem> {
    let column = frame.column("value", frame.definition.encoding.value.as_deref())?;
    let values = frame.numbers(column)?;
    let course = trend::read(frame);
    let (row, previous) = match course.as_ref().map(|course| course.order.as_slice()) {
        Some([.., previous, newest]) => (*newest, Some(*previous)),
        Some([only]) => (*only, None),
        Some([]) | None => (0, None),
    };
    Ok(Reading { column, values, row, previous, course })
}

fn framed<'a>(
    definition: &'a ChartDefinition,
    data: &'a ChartData,
    theme: &'a ChartTheme,
    locale: &str,
) -> Result<frame::Frame<'a>, ChartProblem> {
    let options = ChartOptions::read(&definition.options)?;
    Ok(frame::Frame { definition, data, options, theme, locale: Locale::of(locale) })
}

/// Whether the number is the last point of its own trend, and not a different column.
fn is_its_own_course(encoding: &Encoding) -> bool {
    let measure = encoding.y.as_ref().map(|names| names.as_slice().first());
    measure.is_none_or(|measure| measure == encoding.value.as_ref())
}

fn delta(value: f64, before: f64, format: &NumberFormat, frame: &frame::Frame<'_>) -> Option<Delta> {
    let change = Some(value - before).filter(|change| change.is_finite())?;
    // Sums of fractions differ in their last digits.
    let is_same = change.abs() <= before.abs() * f64::EPSILON * 8.0;
    let direction = match change {
        _ if is_same => Direction::Flat,
        change if change > 0.0 => Direction::Up,
        _ => Direction::Down,
    };
    let tone = match (direction, frame.options.lower_is_better) {
        (Direction::Flat, _) => Tone::Neutral,
        (Direction::Up, false) | (Direction::Down, true) => Tone::Positive,
        (Direction::Up, true) | (Direction::Down, false) => Tone::Negative,
    };
    let text = if is_same { "Unchanged".to_owned() } else { changed(change, before, format, &frame.locale) };
    let before = format::number(before, format, &frame.locale);
    let before = frame.options.compared_with.as_ref().map_or_else(|| before.clone(), |with| format!("{before} {with}"));
    Some(Delta { text, direction, tone, before })
}

/// The size of a change.
fn changed(change: f64, before: f64, format: &NumberFormat, locale: &Locale) -> String {
    let percent = NumberFormat { style: NumberStyle::Percent, ..NumberFormat::default() };
    let points = NumberFormat { decimals: Some(1), unit: Some("pts".to_owned()), ..NumberFormat::default() };
    let times = (change / before).abs();
    let (size, format, least) = match () {
        () if format.style == NumberStyle::Percent => ((change * 100.0).abs(), &points, 0.1),
        () if format.unit.as_deref() == Some("%") => (change.abs(), &points, 0.1),
        () if before > 0.0 && times < MOST_TIMES => (times, &percent, 0.001),
        () => return format::number(change.abs(), format, locale),
    };
    // Not `0%`, since there is a change.
    if size < least { format!("<{}", format::number(least, format, locale)) } else { format::number(size, format, locale) }
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
            as_of: None,
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
    fn the_value_before_says_what_it_is_of() {
        let before = |options: Value| shown(json!(110), json!(1_000), options).delta.expect("a change").before;
        assert_eq!(before(json!({"comparedWith": "in the same 6 days before"})), "1,000 in the same 6 days before");
        assert_eq!(before(json!({})), "1,000");
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
    fn no_change_is_said_in_words_and_no_change_is_endless() {
        let delta = |value: f64, before: f64| shown(json!(value), json!(before), json!({})).delta;
        let text = |value: f64, before: f64| delta(value, before).expect("a change").text;
        assert_eq!(
            (text(0.0, 0.0), text(7.0, 7.0), text(0.1 + 0.2, 0.3)),
            ("Unchanged".into(), "Unchanged".into(), "Unchanged".into())
        );
        assert_eq!(delta(0.0, 0.0).map(|delta| (delta.direction, delta.before)), Some((Direction::Flat, "0".into())));
        assert_eq!(text(12.0, 1e-320), "12", "not +∞%");
        assert_eq!((text(900.0, 100.0), text(20_000.0, 100.0)), ("800%".into(), "19,900".into()));
        assert_eq!((text(100_001.0, 100_000.0), text(99_999.0, 100_000.0)), ("<0.1%".into(), "<0.1%".into()));
        assert_eq!(delta(f64::MAX, f64::MIN), None);
    }

    #[test]
    fn a_number_knows_the_width_that_it_needs() {
        let width = |value: Value, format: Value| shown(value, json!(null), json!({"format": format})).width;
        assert_eq!((width(json!(0), json!({})), width(json!(1234), json!({}))), (7, 30));
        let long = width(json!("123456789012.345"), json!({"decimals": 3, "unit": "kWh"}));
        assert!((125..135).contains(&long), "{long}");
        let (short, words) = (json!({"unit": "orders"}), json!({"unit": "orders per week"}));
        assert_eq!(width(json!(42), words), width(json!(42), short), "further words of a unit take further lines");
    }

    fn course(encoding: Value, options: Value) -> NumberView {
        let definition = definition(json!({"title": "N", "type": "number", "encoding": encoding, "options": options}));
        let column = |name: &str, kind| Column { name: name.into(), kind };
        let number = ColumnType::Number;
        let data = ChartData {
            columns: vec![column("month", ColumnType::Date), column("v", number), column("all", number), column("b", number)],
            rows: vec![
                vec![json!("2024-03-01"), json!(30), json!(60), json!(50)],
                vec![json!("2024-01-01"), json!(10), json!(60), json!(50)],
                vec![json!("2024-02-01"), json!(20), json!(60), json!(50)],
            ],
            truncated: false,
            cached: false,
            duration_ms: 0,
            as_of: None,
        };
        view(&definition, &data, "en").expect("a view")
    }

    #[test]
    fn with_an_x_the_newest_row_counts_beside_the_one_before_it() {
        let newest = course(json!({"value": "v", "x": "month"}), json!({}));
        assert_eq!((newest.parts.digits.as_str(), newest.delta.expect("a change").before.as_str()), ("30", "20"));
        assert!(newest.spark.is_some_and(|svg| svg.starts_with("<svg")));
        let unfinished = course(json!({"value": "v", "x": "month"}), json!({"partialLast": true}));
        assert_eq!((unfinished.parts.digits.as_str(), unfinished.delta), ("30", None));
        let named = course(json!({"value": "v", "compare": "b", "x": "month"}), json!({}));
        assert_eq!(named.delta.expect("a change").before, "50");
    }

    #[test]
    fn a_sum_beside_its_course_is_held_against_nothing_else() {
        let sum = course(json!({"value": "all", "x": "month", "y": ["v"]}), json!({}));
        assert_eq!((sum.parts.digits.as_str(), &sum.delta), ("60", &None));
        assert!(sum.spark.is_some());
    }

    #[test]
    fn a_number_is_of_its_row_unless_it_stands_beside_another_s_trend() {
        let chart = |encoding: Value| definition(json!({"title": "N", "type": "number", "encoding": encoding}));
        let is_of_its_row = |encoding: Value| is_of_its_row(&chart(encoding).encoding);
        assert!(is_of_its_row(json!({"value": "v"})));
        assert!(is_of_its_row(json!({"value": "v", "x": "month"})));
        assert!(!is_of_its_row(json!({"value": "all", "x": "month", "y": ["v"]})));
        let columns = ["month", "v"].map(|name| Column { name: name.into(), kind: ColumnType::Text }).to_vec();
        let rows = vec![vec![json!("2024-02-01"), json!(2)], vec![json!("2024-01-01"), json!(1)]];
        let data = ChartData { columns, rows, ..ChartData::default() };
        assert_eq!(row(&chart(json!({"value": "v", "x": "month"})), &data), Some(0), "the newest");
        assert_eq!(row(&chart(json!({"value": "gone"})), &data), None);
    }

    #[test]
    fn what_is_no_course_is_left_out() {
        for encoding in
            [json!({"value": "v"}), json!({"value": "v", "x": "gone"}), json!({"value": "v", "x": "month", "y": "month"})]
        {
            let plain = course(encoding, json!({}));
            assert_eq!((plain.parts.digits.as_str(), plain.spark), ("30", None));
        }
    }

    #[test]
    fn the_value_is_what_the_chart_shows() {
        let value = |cell: Value, encoding: Value| {
            let column = |name: &str, kind| Column { name: name.into(), kind };
            let columns = vec![column("day", ColumnType::Date), column("n", ColumnType::Number)];
            let rows = [("2024-01-01", json!(1)), ("2024-01-03", cell), ("2024-01-02", json!(2))];
            let rows = rows.map(|(day, cell)| vec![json!(day), cell]).to_vec();
            let data = ChartData { columns, rows, truncated: false, cached: false, duration_ms: 0, as_of: None };
            value(&definition(json!({"title": "N", "type": "number", "encoding": encoding})), &data)
        };
        let newest = || json!({"value": "n", "x": "day"});
        assert_eq!(
            [json!(5), json!(-1.5), json!("12.30")].map(|cell| value(cell, newest())),
            [5.0, -1.5, 12.3].map(|n| Ok(Some(n)))
        );
        assert_eq!(value(json!(null), newest()), Ok(None), "the newest is a dash, whatever came before");
        assert_eq!(value(json!(5), json!({"value": "n"})), Ok(Some(1.0)), "without an x the first row");
        assert!(value(json!(5), json!({"value": "gone"})).is_err());
    }

    #[test]
    fn numbers_of_a_sentence_are_written_as_the_chart_s_and_told_apart() {
        let told = |options: Value, locale: &str, numbers: [f64; 2]| {
            let definition =
                definition(json!({"title": "N", "type": "number", "encoding": {"value": "n"}, "options": options}));
            told_apart(&definition, locale, numbers).expect("texts")
        };
        assert_eq!(told(json!({"format": {"style": "percent"}}), "en", [0.4123, 0.4]), ["41.2%", "40%"]);
        assert_eq!(told(json!({"format": {"style": "compact"}}), "en", [1_234_567.0, 1e6]), ["1,234,567", "1,000,000"]);
        let of_column = json!({"formats": {"n": {"style": "currency", "currency": "USD"}}});
        assert_eq!(told(of_column, "de", [1234.5, -3.0]), ["1.234,50\u{a0}$", "−3\u{a0}$"]);
        assert_eq!(told(json!({}), "en", [50.0001, 50.0]), ["50.0001", "50.0000"]);
        assert_eq!(told(json!({"format": {"decimals": 0}}), "en", [50.2, 50.0]), ["50.2", "50.0"]);
        assert_eq!(told(json!({}), "en", [50.0, 50.0]), ["50", "50"]);
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
