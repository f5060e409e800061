//! Numbers of any length as JSON.

use serde_json::{Number, Value};

/// A JSON number if doubles or 64-bit integers represent it exactly. Otherwise its digits as text, so that none is lost.
pub(super) fn exact(text: &str) -> Value {
    if let Ok(whole) = text.parse::<i64>() {
        return whole.into();
    }
    let number = text.parse::<f64>().ok().and_then(Number::from_f64);
    match number {
        Some(number) if digits(&number.to_string()) == digits(text) => Value::Number(number),
        _ => Value::String(text.to_owned()),
    }
}

/// Sign, significant digits and the position of the point: equal for two notations of one number.
fn digits(text: &str) -> Option<(bool, String, i64)> {
    let (negative, text) = text.strip_prefix('-').map_or((false, text), |text| (true, text));
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    let dropped = i64::try_from(all.len() - significant.len()).ok()?;
    let point = exponent.parse::<i64>().ok()? + i64::try_from(whole.len()).ok()? - dropped;
    let significant = significant.trim_end_matches('0');
    Some(if significant.is_empty() { (false, String::new(), 0) } else { (negative, significant.to_owned(), point) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_double_holds_is_a_number() {
        for (text, value) in [
            ("0", json!(0)),
            ("-7", json!(-7)),
            ("9223372036854775807", json!(i64::MAX)),
            ("0.1", json!(0.1)),
            ("10.50", json!(10.5)),
            ("-0.00250", json!(-0.0025)),
            ("0.00", json!(0.0)),
            ("1e+21", json!(1e21)),
            ("1.5e-07", json!(1.5e-7)),
        ] {
            assert_eq!(exact(text), value, "{text}");
        }
    }

    #[test]
    fn what_it_does_not_hold_keeps_its_digits() {
        for text in ["12345678901234567890.12", "9223372036854775808.5", "0.12345678901234567891", "1e400", "NaN"] {
            assert_eq!(exact(text), json!(text));
        }
    }
}
