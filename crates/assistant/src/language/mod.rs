//! The words of questions, whatever the data is: tokens, stems, periods of time, and words with a fixed meaning.

pub(crate) mod cues;
mod fillers;
pub(crate) mod foreign;
pub(crate) mod grain;
pub(crate) mod periods;
pub(crate) mod span;
pub(crate) mod tokens;
pub(crate) mod unit;
pub(crate) mod words;
