//! What commands print.

use super::Failure;
use serde::Serialize;
use std::io::{Write, stdout};

/// How a command prints.
#[derive(Clone, Copy, Debug)]
pub(super) struct Output {
    /// One JSON object instead of text.
    pub(super) json: bool,
}

impl Output {
    /// Prints an answer: as JSON, or as a sentence.
    pub(super) fn print(self, answer: &impl Serialize, sentence: impl FnOnce() -> String) -> Result<(), Failure> {
        let text = if self.json { serde_json::to_string(answer)? } else { sentence() };
        writeln!(stdout(), "{text}")?;
        Ok(())
    }
}
