//! A filter's default value in a form: plain text, or the JSON of an address parameter.

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
    if text.is_empty() {
        return Ok(None);
    }
    if let Ok(period) = text.parse::<Period>() {
        return fitting(FilterValue::Relative(period), control).map(Some);
    }
    let value = match serde_json::from_str::<Value>(text) {
        Ok(json) => FilterValue::from_json(json).map_err(|problem| problem.to_string())?,
        Err(_) if text.starts_with(['{', '[', '"']) => return Err("is not valid JSON".to_owned()),
        Err(_) => FilterValue::AnyOf(vec![Scalar::Text(text.to_owned())]),
    };
    fitting(value, control).map(Some)
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
