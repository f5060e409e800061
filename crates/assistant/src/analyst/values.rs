//! The values of text columns that the viewer sees, for finding them in a question.

use super::intent::ColumnRef;
use crate::language::{tokens::tokens, words::is_slip};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A value and its column.
pub(super) type Found = (ColumnRef, Value);

/// Values, indexed by their words.
#[derive(Clone, Debug, Default)]
pub(super) struct Values {
    by_phrase: HashMap<String, Vec<Found>>,
    words: HashSet<String>,
    counts: HashMap<ColumnRef, usize>,
    /// Whether values that are not listed have been looked up. Before that, no word counts as a typo of a listed one.
    pub looked_up: bool,
}

/// Longer values are texts, not names.
const LONGEST: usize = 60;

impl Values {
    /// Adds the values of a column.
    pub(super) fn add(&mut self, column: ColumnRef, values: &[Value]) {
        *self.counts.entry(column).or_default() += values.len();
        for value in values {
            let Some(text) = value.as_str().filter(|text| text.len() <= LONGEST) else { continue };
            self.insert(&phrase(text), column, value);
        }
    }

    /// Adds another name of a value: "Texas" for TX.
    pub(super) fn alias(&mut self, name: &str, column: ColumnRef, value: &Value) {
        self.insert(&phrase(name), column, value);
    }

    fn insert(&mut self, phrase: &str, column: ColumnRef, value: &Value) {
        if phrase.is_empty() {
            return;
        }
        self.words.extend(phrase.split(' ').map(str::to_owned));
        let found = self.by_phrase.entry(phrase.to_owned()).or_default();
        if !found.iter().any(|(known, same)| *known == column && same == value) {
            found.push((column, value.clone()));
        }
    }

    /// The values that a phrase names.
    pub(super) fn find(&self, phrase: &str) -> Option<&[Found]> {
        self.by_phrase.get(phrase).map(Vec::as_slice)
    }

    /// Whether a value contains the word.
    pub(super) fn has_word(&self, word: &str) -> bool {
        self.words.contains(word)
    }

    /// The word of a value that a typo probably means. `None` if it is not unique.
    pub(super) fn meant(&self, word: &str) -> Option<&str> {
        let mut near = self.words.iter().filter(|known| known.chars().count() > 5 && is_slip(word, known));
        let first = near.next()?;
        (self.looked_up && near.next().is_none()).then_some(first)
    }

    /// The number of known values of a column.
    pub(super) fn count(&self, column: ColumnRef) -> usize {
        self.counts.get(&column).copied().unwrap_or_default()
    }

    /// Whether a column has only one value for this viewer.
    pub(super) fn is_single(&self, column: ColumnRef) -> bool {
        self.count(column) == 1
    }
}

/// A value, normalized like the words of a question.
pub(super) fn phrase(text: &str) -> String {
    tokens(text).iter().map(|token| token.text.as_str()).filter(|text| *text != ",").collect::<Vec<_>>().join(" ")
}

/// Names of the states of the USA, for columns that hold their codes.
pub(super) const STATES: &[(&str, &str)] = &[
    ("AL", "Alabama"),
    ("AK", "Alaska"),
    ("AZ", "Arizona"),
    ("AR", "Arkansas"),
    ("CA", "California"),
    ("CO", "Colorado"),
    ("CT", "Connecticut"),
    ("DE", "Delaware"),
    ("FL", "Florida"),
    ("GA", "Georgia"),
    ("HI", "Hawaii"),
    ("ID", "Idaho"),
    ("IL", "Illinois"),
    ("IN", "Indiana"),
    ("IA", "Iowa"),
    ("KS", "Kansas"),
    ("KY", "Kentucky"),
    ("LA", "Louisiana"),
    ("ME", "Maine"),
    ("MD", "Maryland"),
    ("MA", "Massachusetts"),
    ("MI", "Michigan"),
    ("MN", "Minnesota"),
    ("MS", "Mississippi"),
    ("MO", "Missouri"),
    ("MT", "Montana"),
    ("NE", "Nebraska"),
    ("NV", "Nevada"),
    ("NH", "New Hampshire"),
    ("NJ", "New Jersey"),
    ("NM", "New Mexico"),
    ("NY", "New York State"),
    ("NC", "North Carolina"),
    ("ND", "North Dakota"),
    ("OH", "Ohio"),
    ("OK", "Oklahoma"),
    ("OR", "Oregon"),
    ("PA", "Pennsylvania"),
    ("RI", "Rhode Island"),
    ("SC", "South Carolina"),
    ("SD", "South Dakota"),
    ("TN", "Tennessee"),
    ("TX", "Texas"),
    ("UT", "Utah"),
    ("VT", "Vermont"),
    ("VA", "Virginia"),
    ("WA", "Washington State"),
    ("WV", "West Virginia"),
    ("WI", "Wisconsin"),
    ("WY", "Wyoming"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_found_by_words_and_near_words() {
        let city = ColumnRef { table: 1, column: 2 };
        let mut values = Values { looked_up: true, ..Values::default() };
        values.add(city, &[json!("San Francisco"), json!("Dallas-Fort Worth"), json!(null)]);
        assert_eq!(values.find("dallas fort worth"), Some(&[(city, json!("Dallas-Fort Worth"))][..]));
        assert_eq!(values.meant("fransisco"), Some("francisco"));
        assert_eq!(values.meant("fr"), None);
        assert_eq!(values.count(city), 3);
    }
}
