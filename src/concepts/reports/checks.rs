//! Checks of a report's settings.

use crate::ground::error::Error;

/// 400 for a field, as a sentence with the field's label.
pub fn refusal(field: &str, problem: &str) -> Error {
    Error { message: sentence(field, problem), ..Error::invalid(field, problem) }
}

/// A field's problem as a sentence.
#[must_use]
pub fn sentence(field: &str, problem: &str) -> String {
    let label = match field {
        "name" => "The name",
        "subject" => "The subject",
        "message" => "The message",
        "recipients" => "The recipients",
        "cron" => "The cadence",
        "timezone" => "The time zone",
        "format" => "The format",
        "condition.chart" => "The number",
        "condition.threshold" => "The threshold",
        _ => "The language",
    };
    format!("{label} {problem}.")
}

/// Checks a name.
pub fn one_line(text: &str, most: usize) -> Result<(), String> {
    match text.chars().count() {
        0 => Err("must not be empty".to_owned()),
        _ if text.chars().any(char::is_control) => Err("must be one line".to_owned()),
        count if count > most => Err(format!("must have at most {most} characters")),
        _ => Ok(()),
    }
}

/// Checks a message.
pub fn text(text: &str, most: usize) -> Result<(), String> {
    if text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')) {
        return Err("must contain only text".to_owned());
    }
    if text.chars().count() > most { Err(format!("must have at most {most} characters")) } else { Ok(()) }
}

/// Whether a text has the form of a language tag.
pub fn is_locale(tag: &str) -> bool {
    let plain =
        tag.split('-').all(|part| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    plain && tag.len() <= 35
}

/// A typed text, shortened for an error message.
pub fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(60).collect()
}
