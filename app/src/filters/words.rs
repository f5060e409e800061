//! Filters and their values in words.

use super::period;
use inlay_contract::filter::{FilterValue, Scalar};

/// The label of a filter on a column that the dashboard has no filter for: the column's name.
#[must_use]
pub fn column(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

/// The most values that a text lists. Of more it has the number.
pub const MOST_SHOWN: usize = 2;

/// The names that people read instead of values.
pub type Names = [(Scalar, String)];

/// A short text for a value.
pub fn summary(value: &FilterValue) -> String {
    summary_named(value, &[])
}

/// A short text for a value, with the names of its values.
pub fn summary_named(value: &FilterValue, names: &Names) -> String {
    match value {
        FilterValue::AnyOf(values) if values.len() > MOST_SHOWN => format!("{} selected", values.len()),
        FilterValue::AnyOf(values) => values.iter().map(|value| name_of(value, names)).collect::<Vec<_>>().join(", "),
        FilterValue::Range { from, to } => period::range(value).unwrap_or_else(|| {
            let end = |end: &Option<Scalar>| end.as_ref().map(word).unwrap_or_default();
            format!("{} – {}", end(from), end(to))
        }),
        FilterValue::Relative(period) => period::words(*period),
    }
}

/// The name of a value, or its text if it has none.
pub fn name_of(value: &Scalar, names: &Names) -> String {
    names.iter().find(|(named, _)| named == value).map_or_else(|| word(value), |(_, name)| name.clone())
}

/// The text of one scalar.
pub fn word(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Text(text) if text.is_empty() => "(empty)".to_owned(),
        Scalar::Text(text) => text.clone(),
        Scalar::Number(number) => number.to_string(),
        Scalar::Boolean(true) => "Yes".to_owned(),
        Scalar::Boolean(false) => "No".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_summed_up_in_a_few_words() {
        let words = |json| summary(&FilterValue::from_json(json).expect("a filter"));
        assert_eq!(words(json!("ATL")), "ATL");
        assert_eq!(words(json!(["ATL", "LAX"])), "ATL, LAX");
        assert_eq!(words(json!(["ATL", "LAX", "ORD"])), "3 selected");
        assert_eq!(words(json!(["", true])), "(empty), Yes");
        assert_eq!(words(json!({"from": 5})), "5 – ");
        assert_eq!(words(json!({"relative": "last_7_days"})), "Last 7 days");
    }

    #[test]
    fn values_with_names_are_called_by_them() {
        let names = [(Scalar::Text("ATL".into()), "Atlanta".to_owned())];
        let words = |json| summary_named(&FilterValue::from_json(json).expect("a filter"), &names);
        assert_eq!(words(json!(["ATL", "LAX"])), "Atlanta, LAX");
    }
}
