//! The words of questions, whatever the data is: tokens, stems, periods of time, and words with a fixed meaning.

pub(crate) mod cues;
pub(crate) mod english;
mod fillers;
pub(crate) mod foreign;
pub(crate) mod grain;
pub(crate) mod periods;
mod recent;
pub(crate) mod span;
pub(crate) mod tokens;
pub(crate) mod unit;
pub(crate) mod words;
