//! JSON as every store can hold it.

use serde_json::{Map, Number, Value};

/// Whether a JSON text contains the character U+0000. PostgreSQL cannot store it, so no text that reaches the store may contain
/// it. Valid JSON has it only as the escape `\u0000`.
#[must_use]
pub fn holds_nul(json: &[u8]) -> bool {
    let mut rest = json;
    while let Some(escape) = rest.iter().position(|letter| *letter == b'\\') {
        rest = &rest[escape + 1..];
        if rest.starts_with(b"u0000") {
            return true;
        }
        // The escaped character itself may be a backslash.
        rest = rest.get(1..).unwrap_or_default();
    }
    false
}

/// Where an object contains the character U+0000: the path of the text, or of the object that has it in a key. Empty for the object itself.
#[must_use]
pub fn nul_in(fields: &Map<String, Value>) -> Option<String> {
    let inside = |(name, field): (&String, &Value)| match name.contains('\0') {
        true => Some(String::new()),
        false => nul_below(field).map(|rest| joined(name, &rest)),
    };
    fields.iter().find_map(inside)
}

fn nul_below(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => text.contains('\0').then(String::new),
        Value::Array(items) => {
            let inside = |(at, item): (usize, &Value)| nul_below(item).map(|rest| joined(&format!("[{at}]"), &rest));
            items.iter().enumerate().find_map(inside)
        }
        Value::Object(fields) => nul_in(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn joined(first: &str, rest: &str) -> String {
    let dot = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
    format!("{first}{dot}{rest}")
}

/// From here on a number is written with an exponent, in JSON as this crate writes it.
const LEAST_WITH_EXPONENT: f64 = 1e16;

/// Changes the numbers of an object to those that every store gives back: PostgreSQL keeps `1e17` as 100000000000000000, which
/// reads as an integer, and knows no `-0.0`. The values stay what they are.
pub fn settle(fields: &mut Map<String, Value>) {
    fields.values_mut().for_each(settle_value);
}

/// The same for a value.
pub fn settle_value(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(settled) = settled(number) {
                *number = settled;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(settle_value),
        Value::Object(fields) => settle(fields),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The number that a store gives back, if it is written otherwise.
fn settled(number: &Number) -> Option<Number> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    if float == 0.0 {
        return Number::from_f64(0.0);
    }
    if float.abs() < LEAST_WITH_EXPONENT {
        return None;
    }
    // All its digits. Without a fraction, as every number of this size.
    let digits = format!("{float:.0}");
    digits.parse::<u64>().map(Number::from).or_else(|_| digits.parse::<i64>().map(Number::from)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_those_that_every_store_gives_back() {
        for (sent, kept) in [
            ("1e17", "100000000000000000"),
            ("-1e17", "-100000000000000000"),
            ("1E+16", "10000000000000000"),
            ("1.2345678e16", "12345678000000000"),
            ("1e19", "10000000000000000000"),
            ("-9e18", "-9000000000000000000"),
            ("18446744073709551616", "1.8446744073709552e+19"),
            ("-9223372036854777856", "-9.223372036854778e+18"),
            ("1e300", "1e+300"),
            ("-0.0", "0.0"),
            ("1.0", "1.0"),
            ("1e15", "1000000000000000.0"),
            ("0.5", "0.5"),
            ("1e-7", "1e-7"),
            ("100000000000000000", "100000000000000000"),
            ("18446744073709551615", "18446744073709551615"),
        ] {
            let text = format!("{{\"a\":{sent},\"b\":[{{\"c\":{sent}}}]}}");
            let mut fields = serde_json::from_str(&text).expect("an object");
            settle(&mut fields);
            assert_eq!(Value::Object(fields).to_string(), format!("{{\"a\":{kept},\"b\":[{{\"c\":{kept}}}]}}"), "{sent}");
        }
    }

    #[test]
    fn the_character_is_told_by_its_path() {
        for (value, path) in [
            (json!({"a": "x\u{0}"}), Some("a")),
            (json!({"a": {"b": [1, {"c": "\u{0}"}]}}), Some("a.b[1].c")),
            (json!({"a": [["x", "\u{0}"]]}), Some("a[0][1]")),
            (json!({"a": {"b\u{0}": 1}}), Some("a")),
            (json!({"\u{0}": 1}), Some("")),
            (json!({"a": "\\u0000", "b": [null, true, 1.5]}), None),
        ] {
            assert_eq!(nul_in(value.as_object().expect("an object")).as_deref(), path, "{value}");
        }
    }

    #[test]
    fn only_the_escape_itself_is_the_character() {
        let escaped: [&[u8]; 4] = [br#""\u0000""#, br#"{"\u0000":1}"#, br#"["a\\\u0000"]"#, br#""\"\u0000"#];
        let others: [&[u8]; 6] = [b"", br#""\\u0000""#, br#""\\\\u0000""#, br#""u0000""#, br#""\u0001\n\\""#, br"\"];
        assert!(escaped.into_iter().all(holds_nul));
        assert!(!others.into_iter().any(holds_nul));
    }
}
