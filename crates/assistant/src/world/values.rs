//! The values of fields that the viewer sees, for finding them in a question.

use super::FieldId;
use crate::language::{
    tokens::tokens,
    words::{is_slip, root, stem},
};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A value, its field, and how well a phrase names it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    pub field: FieldId,
    pub value: Value,
    pub quality: f32,
}

/// Values, indexed by their words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    by_phrase: BTreeMap<String, Vec<Found>>,
    /// The values that have a word, for those who write only a part of a name.
    by_word: HashMap<String, Vec<Found>>,
    words: HashSet<String>,
    counts: HashMap<FieldId, usize>,
    /// The most frequent values of fields.
    first: HashMap<FieldId, Vec<Value>>,
    /// About how many bytes the names take.
    weight: usize,
}

/// Longer values are texts, not names.
const LONGEST: usize = 60;
/// How many of a field's values are kept as examples.
const FIRST: usize = 8;
/// About what a name of a value takes beside its letters, in bytes.
const NAME_BYTES: usize = 160;
/// The most values that a part of a name may mean.
const MOST_BY_PART: usize = 3;

impl Values {
    /// Adds the values of a field.
    pub(super) fn add(&mut self, field: FieldId, values: &[Value]) {
        *self.counts.entry(field).or_default() += values.len();
        let first = self.first.entry(field).or_default();
        let names = values.iter().filter(|value| value.as_str().is_some_and(|text| !text.is_empty() && text.len() <= LONGEST));
        first.extend(names.take(FIRST.saturating_sub(first.len())).cloned());
        for value in values {
            let Some(text) = value.as_str().filter(|text| text.len() <= LONGEST) else { continue };
            let words = phrase(text);
            self.add_name(&words, field, value, 1.0);
            let parts: Vec<&str> = words.split(' ').collect();
            if parts.len() > 1 {
                for (at, _) in parts.iter().enumerate() {
                    for length in 1..parts.len().min(4) {
                        let Some(part) = parts.get(at..at + length) else { continue };
                        let known = self.by_word.entry(part.join(" ")).or_default();
                        if known.len() <= MOST_BY_PART && !known.iter().any(|one| one.field == field && one.value == *value) {
                            known.push(Found { field, value: value.clone(), quality: 0.6 });
                            self.weight += NAME_BYTES + text.len();
                        }
                    }
                }
            }
        }
    }

    /// Some values of a field, the most frequent first.
    pub fn first(&self, field: FieldId) -> &[Value] {
        self.first.get(&field).map(Vec::as_slice).unwrap_or_default()
    }

    /// Adds another name of a value: "Texas" for TX.
    pub(super) fn alias(&mut self, name: &str, field: FieldId, value: &Value, quality: f32) {
        self.add_name(&phrase(name), field, value, quality);
    }

    /// Adds a name that [`phrase`] has normalized.
    fn add_name(&mut self, phrase: &str, field: FieldId, value: &Value, quality: f32) {
        if phrase.is_empty() {
            return;
        }
        for word in phrase.split(' ') {
            if !self.words.contains(word) {
                self.words.insert(word.to_owned());
            }
        }
        let rooted = rooted(phrase);
        let mut put = |phrase: String, quality: f32| {
            self.weight += NAME_BYTES + 2 * phrase.len();
            let found = self.by_phrase.entry(phrase).or_default();
            if !found.iter().any(|known| known.field == field && known.value == *value) {
                found.push(Found { field, value: value.clone(), quality });
            }
        };
        if let Some(rooted) = rooted.filter(|rooted| rooted != phrase) {
            put(rooted, quality * 0.9);
        }
        put(phrase.to_owned(), quality);
    }

    /// The values that a phrase names whole, or in another number or form: "beverages", "cancels".
    pub fn find(&self, phrase: &str) -> &[Found] {
        let whole = self.by_phrase.get(phrase);
        whole.or_else(|| self.by_phrase.get(&rooted(phrase)?)).map_or(&[], Vec::as_slice)
    }

    /// The values of which a phrase is a part, if they are few.
    pub fn find_part(&self, phrase: &str) -> &[Found] {
        self.by_word.get(phrase).filter(|found| found.len() <= MOST_BY_PART).map_or(&[], Vec::as_slice)
    }

    /// The value that a phrase is the beginning of, if it is the only one: "san fran".
    pub fn begun(&self, phrase: &str) -> Vec<Found> {
        let from = self.by_phrase.range(phrase.to_owned()..).take_while(|(known, _)| known.starts_with(phrase));
        let mut begun = from.filter(|(known, _)| known.len() < phrase.len() * 3).map(|(_, found)| found);
        let Some(first) = begun.next() else { return Vec::new() };
        let same = |found: &Vec<Found>| found.first().map(|one| &one.value) == first.first().map(|one| &one.value);
        if begun.all(same) { first.iter().map(|one| Found { quality: 0.7, ..one.clone() }).collect() } else { Vec::new() }
    }

    /// Whether a value contains the word.
    pub fn has_word(&self, word: &str) -> bool {
        self.words.contains(word) || rooted(word).is_some_and(|root| self.by_phrase.contains_key(&root))
    }

    /// The word of a value that a typo probably means. `None` if it is not unique.
    pub fn meant(&self, word: &str) -> Option<&str> {
        let mut near = self.words.iter().filter(|known| known.chars().count() > 5 && is_slip(word, known));
        let first = near.next()?;
        near.next().is_none().then_some(first)
    }

    /// The values with a word that is like another, each with how much.
    pub fn like<'a>(&'a self, likeness: impl Fn(&str) -> f64 + 'a) -> impl Iterator<Item = (f64, String)> + 'a {
        let best = move |phrase: &str| phrase.split(' ').map(&likeness).fold(0.0, f64::max);
        self.by_phrase.iter().filter(|(phrase, _)| phrase.split(' ').count() <= 4).filter_map(move |(phrase, found)| {
            let name = found.first()?.value.as_str()?.to_owned();
            Some((best(phrase), name))
        })
    }

    /// About how many bytes all names take.
    pub const fn weight(&self) -> usize {
        self.weight
    }

    /// The number of known values of a field.
    pub fn count(&self, field: FieldId) -> usize {
        self.counts.get(&field).copied().unwrap_or_default()
    }

    /// Whether a field has only one value for this viewer.
    pub fn is_single(&self, field: FieldId) -> bool {
        self.count(field) == 1
    }
}

/// The root of a phrase of few words; those of texts are not looked for.
fn rooted(phrase: &str) -> Option<String> {
    if phrase.split(' ').nth(3).is_some() {
        return None;
    }
    let words: Vec<String> = phrase.split(' ').map(|word| root(&stem(word))).collect();
    words.iter().all(|word| word.chars().count() > 3).then(|| words.join(" "))
}

/// A value, normalized like the words of a question.
pub(crate) fn phrase(text: &str) -> String {
    tokens(text).iter().map(|token| token.text.as_str()).filter(|text| *text != ",").collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_found_whole_by_parts_and_by_near_words() {
        let mut values = Values::default();
        values.add(2, &[json!("San Francisco"), json!("Dallas-Fort Worth"), json!(null)]);
        assert_eq!(values.find("dallas fort worth")[0].value, json!("Dallas-Fort Worth"));
        assert_eq!(values.find_part("dallas")[0].value, json!("Dallas-Fort Worth"));
        assert_eq!(values.meant("fransisco"), Some("francisco"));
        assert_eq!(values.meant("fr"), None);
        assert_eq!(values.count(2), 3);
    }
}
