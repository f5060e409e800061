//! How names and values of a question are written.

use super::refused;
use crate::{
    dialect::{Backslash, Dialect, dialect},
    error::QueryError,
    name::quote,
    source::SourceKind,
};
use chrono::NaiveDate;
use inlay_contract::filter::Scalar;

/// One database's spelling.
#[derive(Clone, Copy)]
pub(crate) struct Spelling {
    kind: SourceKind,
    pub dialect: &'static dyn Dialect,
}

impl Spelling {
    pub(crate) fn of(kind: SourceKind) -> Self {
        Self { kind, dialect: dialect(kind) }
    }

    /// A name between the database's quotes.
    pub(super) fn name(self, name: &str) -> Result<String, QueryError> {
        if name.is_empty() || !self.is_plain(name) {
            return refused("a name of a question is empty, or holds what the database may read in another way");
        }
        Ok(quote(self.kind, name))
    }

    /// A table's name, each part between quotes.
    pub(super) fn table(self, name: &str) -> Result<String, QueryError> {
        let parts: Vec<String> = name.split('.').map(|part| self.name(part)).collect::<Result<_, _>>()?;
        Ok(parts.join("."))
    }

    /// A value.
    pub(crate) fn literal(self, value: &Scalar) -> Result<String, QueryError> {
        match value {
            Scalar::Text(text) => self.text(text),
            Scalar::Number(number) => Ok(number.to_string()),
            Scalar::Boolean(on) => Ok(self.dialect.truth(*on).to_owned()),
        }
    }

    /// One end of a range: a text that is a day is a day.
    pub(crate) fn end(self, value: &Scalar) -> Result<String, QueryError> {
        match value {
            Scalar::Text(text) if text.len() == 10 => match text.parse::<NaiveDate>() {
                Ok(day) => Ok(self.dialect.day(day)),
                Err(_) => self.text(text),
            },
            _ => self.literal(value),
        }
    }

    pub(super) fn text(self, text: &str) -> Result<String, QueryError> {
        if !self.is_plain(text) {
            return refused("a text of a question holds what the database may read in another way");
        }
        Ok(format!("'{}'", text.replace('\'', "''")))
    }

    pub(super) fn number(self, number: f64) -> Result<String, QueryError> {
        if number.is_finite() { Ok(number.to_string()) } else { refused("a number of a question is not finite") }
    }

    /// Whether every database reads a text or a name as it is. A backslash between quotes may mean something, depending on settings.
    fn is_plain(self, text: &str) -> bool {
        let backslash = matches!(self.dialect.lexis().backslash, Backslash::Letter);
        !text.chars().any(|letter| letter.is_control() || (letter == '\\' && !backslash))
    }
}
