//! The list of a select filter: offered values, chosen values, search. Pure.

use super::bar::word;
use inlay_contract::{
    filter::{FilterValue, Scalar},
    page::Choice,
};

/// An option of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its value.
    pub value: Scalar,
    /// Its text.
    pub text: String,
    /// The number of rows with it. `None` for a chosen value that no row has.
    pub count: Option<u64>,
    /// Whether it is chosen.
    pub chosen: bool,
}

/// The values that a filter's value chooses.
#[must_use]
pub fn chosen(value: Option<&FilterValue>) -> Vec<Scalar> {
    match value {
        Some(FilterValue::AnyOf(values)) => values.clone(),
        _ => Vec::new(),
    }
}

/// The options that match the search: chosen values that are not offered first, then the offered ones in order.
#[must_use]
pub fn lines(choices: &[Choice], chosen: &[Scalar], search: &str) -> Vec<Line> {
    let offered: Vec<(Scalar, u64)> =
        choices.iter().filter_map(|choice| Some((scalar(&choice.value)?, choice.count))).collect();
    let missing = chosen.iter().filter(|value| !offered.iter().any(|(offer, _)| offer == *value));
    let search = search.trim().to_lowercase();
    missing
        .map(|value| (value.clone(), None))
        .chain(offered.iter().map(|(value, count)| (value.clone(), Some(*count))))
        .map(|(value, count)| Line { text: word(&value), count, chosen: chosen.contains(&value), value })
        .filter(|line| line.text.to_lowercase().contains(&search))
        .collect()
}

/// The filter's value after a click on an option. `None` if nothing is chosen any more.
#[must_use]
pub fn toggled(mut chosen: Vec<Scalar>, value: &Scalar) -> Option<FilterValue> {
    match chosen.iter().position(|one| one == value) {
        Some(position) => {
            chosen.remove(position);
        }
        None => chosen.push(value.clone()),
    }
    (!chosen.is_empty()).then_some(FilterValue::AnyOf(chosen))
}

/// Converts a value. Null cannot be chosen: filters have no form for it.
fn scalar(value: &serde_json::Value) -> Option<Scalar> {
    match FilterValue::from_json(value.clone()) {
        Ok(FilterValue::AnyOf(mut values)) if !value.is_array() => values.pop(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn choices() -> Vec<Choice> {
        [(json!("ATL"), 9), (json!("LAX"), 4), (json!(null), 2)].map(|(value, count)| Choice { value, count }).to_vec()
    }

    fn text(value: &str) -> Scalar {
        Scalar::Text(value.into())
    }

    #[test]
    fn chosen_values_stay_in_the_list_without_rows() {
        let lines = lines(&choices(), &[text("ORD"), text("LAX")], "");
        let read: Vec<_> = lines.iter().map(|line| (line.text.as_str(), line.count, line.chosen)).collect();
        assert_eq!(read, [("ORD", None, true), ("ATL", Some(9), false), ("LAX", Some(4), true)]);
    }

    #[test]
    fn the_search_disregards_case() {
        assert_eq!(lines(&choices(), &[], " la ").len(), 1);
        assert_eq!(lines(&choices(), &[], "x").first().map(|line| line.text.clone()), Some("LAX".to_owned()));
    }

    #[test]
    fn a_second_click_takes_the_choice_back() {
        let one = toggled(vec![], &text("ATL"));
        assert_eq!(chosen(one.as_ref()), [text("ATL")]);
        assert_eq!(toggled(chosen(one.as_ref()), &text("ATL")), None);
        assert_eq!(chosen(toggled(vec![text("A")], &text("B")).as_ref()), [text("A"), text("B")]);
    }
}
