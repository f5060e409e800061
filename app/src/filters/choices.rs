//! The list of a select filter: offered values, chosen values, search. Pure.

use super::words::{Names, name_of, word};
use crate::browser::{focus::Move, language::lower_case};
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

/// A key in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// An arrow: moves to another option.
    Arrow(Move),
    /// Chooses the current option, or the only one.
    Enter,
    /// Closes the list.
    Escape,
}

/// A key that waits for its choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Press {
    /// The key.
    pub key: Key,
    /// The search at that moment.
    pub search: String,
}

/// Whether a key must wait (docs/spec/contract.md, section 12, B8): the choices for its search are not there yet. `loaded` is the
/// search that the choices in the list were loaded for, `lines` the number of options that match the key's search.
#[must_use]
pub fn waits(loaded: Option<&str>, search: &str, lines: usize) -> bool {
    let plain = |text: &str| lower_case(text.trim());
    let Some(loaded) = loaded.map(plain) else { return true };
    let search = plain(search);
    // A narrower search only filters the list, unless that leaves nothing.
    loaded != search && (lines == 0 || !search.contains(&loaded))
}

/// The keys that still wait after more text was typed: what led to a choice. Arrows belong to the list before.
pub fn retype(presses: &mut Vec<Press>) {
    let chosen = presses.iter().rposition(|press| press.key == Key::Enter);
    presses.truncate(chosen.map_or(0, |last| last + 1));
}

/// The values that a filter's value chooses.
#[must_use]
pub fn chosen(value: Option<&FilterValue>) -> Vec<Scalar> {
    match value {
        Some(FilterValue::AnyOf(values)) => values.clone(),
        _ => Vec::new(),
    }
}

/// The options whose text or value matches the search: chosen values that are not offered first, then the offered ones in order.
#[must_use]
pub fn lines(choices: &[Choice], chosen: &[Scalar], search: &str, names: &Names) -> Vec<Line> {
    let offered: Vec<(Scalar, u64)> =
        choices.iter().filter_map(|choice| Some((scalar(&choice.value)?, choice.count))).collect();
    let missing = chosen.iter().filter(|value| !offered.iter().any(|(offer, _)| offer == *value));
    let search = lower_case(search.trim());
    let matches = |text: &str| lower_case(text).contains(&search);
    missing
        .map(|value| (value.clone(), None))
        .chain(offered.iter().map(|(value, count)| (value.clone(), Some(*count))))
        .map(|(value, count)| Line { text: name_of(&value, names), count, chosen: chosen.contains(&value), value })
        .filter(|line| matches(&line.text) || matches(&word(&line.value)))
        .collect()
}

/// The names of offered values, and those known before of other values.
#[must_use]
pub fn names(choices: &[Choice], mut known: Vec<(Scalar, String)>) -> Vec<(Scalar, String)> {
    let new: Vec<(Scalar, String)> =
        choices.iter().filter_map(|choice| Some((scalar(&choice.value)?, choice.name.clone()?))).collect();
    known.retain(|(value, _)| new.iter().all(|(other, _)| other != value));
    known.extend(new);
    known
}

/// The filter's value with all these options chosen beside those that are chosen.
#[must_use]
pub fn all(mut chosen: Vec<Scalar>, lines: &[Line]) -> Option<FilterValue> {
    chosen.extend(lines.iter().filter(|line| !line.chosen).map(|line| line.value.clone()));
    (!chosen.is_empty()).then_some(FilterValue::AnyOf(chosen))
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
pub fn scalar(value: &serde_json::Value) -> Option<Scalar> {
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
        [(json!("ATL"), 9), (json!("LAX"), 4), (json!(null), 2)]
            .map(|(value, count)| Choice { value, name: None, count })
            .to_vec()
    }

    fn text(value: &str) -> Scalar {
        Scalar::Text(value.into())
    }

    #[test]
    fn chosen_values_stay_in_the_list_without_rows() {
        let lines = lines(&choices(), &[text("ORD"), text("LAX")], "", &[]);
        let read: Vec<_> = lines.iter().map(|line| (line.text.as_str(), line.count, line.chosen)).collect();
        assert_eq!(read, [("ORD", None, true), ("ATL", Some(9), false), ("LAX", Some(4), true)]);
    }

    #[test]
    fn keys_wait_for_the_choices_of_their_search() {
        assert!(waits(None, "", 0), "the first list is on its way");
        assert!(waits(None, "", 2), "chosen values alone are not the list");
        assert!(!waits(Some(""), "", 3));
        assert!(!waits(Some("no"), " NO ", 0), "nothing matches");
        assert!(!waits(Some(""), "no", 1), "the whole list holds the narrower one");
        assert!(waits(Some(""), "no", 0), "the server may know more");
        assert!(waits(Some("no"), "", 1) && waits(Some("no"), "so", 1), "a part of the list");
        assert!(!waits(Some("no"), "nor", 1));
    }

    #[test]
    fn more_text_drops_arrows_and_keeps_choices() {
        let press = |key| Press { key, search: "no".into() };
        let [arrow, enter] = [press(Key::Arrow(Move::Next)), press(Key::Enter)];
        let mut presses = vec![arrow.clone(), enter.clone(), arrow.clone()];
        retype(&mut presses);
        assert_eq!(presses, [arrow.clone(), enter]);
        presses = vec![arrow];
        retype(&mut presses);
        assert_eq!(presses, []);
    }

    #[test]
    fn the_search_disregards_case() {
        assert_eq!(lines(&choices(), &[], " la ", &[]).len(), 1);
        assert_eq!(lines(&choices(), &[], "x", &[]).first().map(|line| line.text.clone()), Some("LAX".to_owned()));
    }

    #[test]
    fn options_are_found_by_their_names_and_their_values() {
        let mut offered = choices();
        offered[0].name = Some("Atlanta".to_owned());
        let names = names(&offered, vec![(text("ORD"), "Chicago".into()), (text("ATL"), "before".into())]);
        assert_eq!(names, [(text("ORD"), "Chicago".to_owned()), (text("ATL"), "Atlanta".to_owned())]);
        let found =
            |search| lines(&offered, &[text("ORD")], search, &names).into_iter().map(|line| line.text).collect::<Vec<_>>();
        assert_eq!(found("a"), ["Chicago", "Atlanta", "LAX"]);
        assert_eq!(found("atl"), ["Atlanta"]);
        assert_eq!(found("ord"), ["Chicago"], "by its value");
    }

    #[test]
    fn all_options_of_a_search_are_chosen_beside_those_before() {
        let lines = lines(&choices(), &[text("LAX")], "a", &[]);
        assert_eq!(chosen(all(vec![text("LAX"), text("ORD")], &lines).as_ref()), [text("LAX"), text("ORD"), text("ATL")]);
        assert_eq!(all(vec![], &[]), None);
    }

    #[test]
    fn a_second_click_takes_the_choice_back() {
        let one = toggled(vec![], &text("ATL"));
        assert_eq!(chosen(one.as_ref()), [text("ATL")]);
        assert_eq!(toggled(chosen(one.as_ref()), &text("ATL")), None);
        assert_eq!(chosen(toggled(vec![text("A")], &text("B")).as_ref()), [text("A"), text("B")]);
    }
}
