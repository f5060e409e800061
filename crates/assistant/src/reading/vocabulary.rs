//! What a question in another language is translated with: the names and values of the data, and the words that the reader knows.

use super::atoms;
use crate::{
    language::{foreign::Vocabulary, words::stem},
    world::{World, stems, values::phrase},
};

impl Vocabulary for World {
    fn names(&self, phrase: &str) -> f32 {
        self.names.find(&stems(phrase)).first().map_or(0.0, |found| found.quality)
    }

    fn has_value(&self, value: &str) -> bool {
        !self.values.find(&phrase(value)).is_empty()
    }

    fn is_english(&self, word: &str) -> bool {
        atoms::is_english(word) || self.names.has_word(&stem(word))
    }
}
