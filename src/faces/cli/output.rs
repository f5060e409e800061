//! The output of commands.

use super::Failure;
use serde::Serialize;
use std::io::{Write, stdout};

/// The output format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// One JSON object instead of text.
    pub(super) json: bool,
}

impl Output {
    /// Prints a result: as JSON, or as a sentence.
    pub(super) fn print(self, answer: &impl Serialize, sentence: impl FnOnce() -> String) -> Result<(), Failure> {
        let text = if self.json { serde_json::to_string(answer)? } else { sentence() };
        writeln!(stdout(), "{text}")?;
        Ok(())
    }
}
