//! A filter's value in a form: plain text, or the JSON of an address parameter.

use inlay_contract::filter::{Control, FilterValue, Period, Scalar};
use serde_json::Value;

/// The form's text for a default.
pub fn shown(value: Option<&FilterValue>) -> String {
    match value {
        None => String::new(),
        Some(FilterValue::Relative(period)) => period.to_string(),
        Some(value) => match value.to_json() {
            // Text that would be read as another type keeps its quotes.
            Value::String(text) if is_plain(&text) => text,
            json => json.to_string(),
        },
    }
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && text.parse::<Period>().is_err() && serde_json::from_str::<Value>(text).is_err()
}

/// Reads a default from a form. Empty text means none.
///
/// # Errors
/// The text is not a valid value for such a filter.
pub fn typed(text: &str, control: Control) -> Result<Option<FilterValue>, String> {
    let text = text.trim();
    if text.is_empty() { Ok(None) } else { fitting(value(text)?, control).map(Some) }
}

fn value(text: &str) -> Result<FilterValue, String> {
    if let Ok(period) = text.parse::<Period>() {
        return Ok(FilterValue::Relative(period));
    }
    match serde_json::from_str::<Value>(text) {
        Ok(json) => FilterValue::from_json(json).map_err(|problem| problem.to_string()),
        Err(_) if text.starts_with(['{', '[', '"']) => Err("is not valid JSON".to_owned()),
        Err(_) => Ok(FilterValue::AnyOf(vec![Scalar::Text(text.to_owned())])),
    }
}

/// The form's text for the values of a condition: one a line, or a period or range.
pub fn lines(value: &FilterValue) -> String {
    let broken = |one: &Scalar| matches!(one, Scalar::Text(text) if text.contains('\n'));
    match value {
        FilterValue::AnyOf(values) if !values.is_empty() && !values.iter().any(broken) => {
            let line = |one: &Scalar| shown(Some(&FilterValue::AnyOf(vec![one.clone()])));
            values.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        FilterValue::AnyOf(_) => value.to_json().to_string(),
        FilterValue::Range { .. } | FilterValue::Relative(_) => shown(Some(value)),
    }
}

/// Reads the values of a condition from a form.
///
/// # Errors
/// There is none, a line holds no single value, or the text is not valid.
pub fn typed_lines(text: &str) -> Result<FilterValue, String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = value(lines.next().ok_or("is required; write one value a line")?)?;
    let mut all = match (first, lines.next()) {
        (first, None) => return Ok(first),
        (FilterValue::AnyOf(values), Some(next)) if values.len() == 1 => [values, single(next)?].concat(),
        (_, Some(_)) => return Err(ONE_A_LINE.to_owned()),
    };
    for line in lines {
        all.extend(single(line)?);
    }
    Ok(FilterValue::AnyOf(all))
}

const ONE_A_LINE: &str = "holds several lines, but not one value a line";

fn single(line: &str) -> Result<Vec<Scalar>, String> {
    match value(line)? {
        FilterValue::AnyOf(values) if values.len() == 1 => Ok(values),
        _ => Err(ONE_A_LINE.to_owned()),
    }
}

fn fitting(value: FilterValue, control: Control) -> Result<FilterValue, String> {
    match (control, &value) {
        (Control::DateRange, FilterValue::Range { .. } | FilterValue::Relative(_))
        | (Control::NumberRange, FilterValue::Range { .. })
        | (Control::Select | Control::Text, FilterValue::AnyOf(_)) => Ok(value),
        (Control::DateRange, _) => {
            Err(r#"must be a period, such as last_30_days or {"from": "2026-01-01", "to": "2026-02-01"}"#.to_owned())
        }
        (Control::NumberRange, _) => Err(r#"must be a range, such as {"from": 10, "to": 20}"#.to_owned()),
        (Control::Select | Control::Text, _) => {
            Err(r#"must be one value or a list, such as North or ["North", "South"]"#.to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_shown_is_what_was_meant() {
        for (json, control, text) in [
            (json!("North"), Control::Select, "North"),
            (json!(["North", "South"]), Control::Select, r#"["North","South"]"#),
            (json!("5"), Control::Text, r#""5""#),
            (json!(5), Control::Select, "5"),
            (json!("last_7_days"), Control::Text, r#""last_7_days""#),
            (json!({"relative": "last_30_days"}), Control::DateRange, "last_30_days"),
            (json!({"from": 1, "to": 5}), Control::NumberRange, r#"{"from":1,"to":5}"#),
        ] {
            let value = FilterValue::from_json(json).expect("a value");
            assert_eq!(shown(Some(&value)), text);
            assert_eq!(typed(text, control), Ok(Some(value)), "{text}");
        }
        assert_eq!((shown(None), typed(" ", Control::Text)), (String::new(), Ok(None)));
    }

    #[test]
    fn values_of_a_condition_stand_line_by_line() {
        for (json, text) in [
            (json!("DE"), "DE"),
            (json!(["DE", "AT"]), "DE\nAT"),
            (json!(["5", 5, true]), "\"5\"\n5\ntrue"),
            (json!(["a\nb", "c"]), r#"["a\nb","c"]"#),
            (json!([]), "[]"),
            (json!({"from": 1, "to": 5}), r#"{"from":1,"to":5}"#),
            (json!({"relative": "last_30_days"}), "last_30_days"),
        ] {
            let value = FilterValue::from_json(json).expect("a value");
            assert_eq!(lines(&value), text);
            assert_eq!(typed_lines(text), Ok(value), "{text}");
        }
        for wrong in ["", " \n ", "DE\nlast_7_days", "[1,2]\n3", "{\"from\": 1}\nDE", "{oops"] {
            assert!(typed_lines(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_default_fits_its_control() {
        for (text, control) in [
            ("North", Control::DateRange),
            ("last_7_days", Control::NumberRange),
            ("last_7_days", Control::Select),
            (r#"{"from": 1}"#, Control::Text),
            ("{oops", Control::Select),
            ("{}", Control::DateRange),
        ] {
            assert!(typed(text, control).is_err(), "{text}");
        }
    }
}
