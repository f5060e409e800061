//! Parses a project file. A problem names the line and the field, and says what to write instead.

use super::{FileProblem, model::ProjectFile};
use inlay_contract::json::holds_nul;
use serde_path_to_error::{Path, Segment};
use serde_saphyr::{Error, Location, MessageFormatter, UserMessageFormatter};
use std::borrow::Cow;

/// How YAML writes the character U+0000.
const NUL_ESCAPES: [&str; 4] = [r"\0", r"\x00", r"\u0000", r"\U00000000"];

impl ProjectFile {
    /// Parses a file's text.
    ///
    /// # Errors
    /// The text is not valid YAML, or a field is missing, unknown or of another type.
    pub fn parse(text: &str) -> Result<Self, FileProblem> {
        // Only `true` and `false` are booleans: a column may be named `n` or `on`.
        let options = serde_saphyr::options! { strict_booleans: true };
        let mut field = String::new();
        let read = serde_saphyr::with_deserializer_from_str_with_options(text, options, |yaml| {
            serde_path_to_error::deserialize(yaml).map_err(|fault| {
                field = name_of(fault.path());
                fault.into_inner()
            })
        });
        let file: Self = read.map_err(|fault| problem(fault.without_snippet(), field))?;
        // An escape in quotes can write the character that the store cannot hold.
        if serde_json::to_vec(&file).is_ok_and(|json| holds_nul(&json)) {
            let escaped = |line: &str| NUL_ESCAPES.iter().any(|escape| line.contains(escape));
            let line = text.lines().position(escaped).map_or(1, |before| before + 1);
            let message = "the file must not contain the character U+0000".to_owned();
            return Err(FileProblem { line: line.try_into().unwrap_or(1), field: String::new(), message });
        }
        Ok(file)
    }
}

fn problem(fault: &Error, field: String) -> FileProblem {
    let place = fault.location().unwrap_or(Location::UNKNOWN);
    let message = Words.format_message(fault).into_owned();
    // If the text is not valid YAML, there is no field to name, so the column is given.
    let column = matches!(fault, Error::Message { .. } | Error::ExternalMessage { .. }) && place.column() > 0;
    let message = if column { format!("{message} (column {})", place.column()) } else { message };
    FileProblem { line: place.line(), field, message }
}

/// A field's path as problems name it: `charts[2].connection`.
fn name_of(path: &Path) -> String {
    let mut named = String::new();
    let (mut above, mut last) = ("", "");
    let mut segments = path.iter().peekable();
    while let Some(segment) = segments.next() {
        match segment {
            // The wrapper of something with its line is not a field of the file.
            Segment::Map { key } if key == "value" && (segments.peek().is_none() || is_wrapped(above, last)) => {}
            Segment::Map { key } | Segment::Enum { variant: key } => {
                (above, last) = (last, key);
                let dot = if named.is_empty() { "" } else { "." };
                named.push_str(dot);
                named.push_str(key);
            }
            Segment::Seq { index } => named.push_str(&format!("[{index}]")),
            Segment::Unknown => {}
        }
    }
    named
}

/// Whether a field that holds several others is read with its line: a chart's query, and each measure, dimension and metric.
fn is_wrapped(above: &str, field: &str) -> bool {
    field == "query" || matches!(above, "measures" | "dimensions" | "metrics")
}

/// Error messages for authors of project files.
struct Words;

impl MessageFormatter for Words {
    fn format_message<'a>(&self, fault: &'a Error) -> Cow<'a, str> {
        let told = match fault {
            Error::Eof { .. } => "the file ends here, but something is missing".to_owned(),
            Error::Unexpected { expected, .. } => must_be(expected),
            Error::InvalidScalar { ty, .. } => must_be(ty),
            Error::InvalidBooleanStrict { .. } => "must be true or false".to_owned(),
            Error::NullIntoString { .. } => "is empty; write a value".to_owned(),
            Error::SerdeMissingField { field, .. } => format!("`{field}` is missing"),
            Error::SerdeUnknownField { field, expected, .. } => {
                format!("`{field}` is not a field here; valid fields are {}", list(expected))
            }
            Error::SerdeUnknownVariant { variant, expected, .. } => {
                format!("`{variant}` is not a valid value; write one of {}", list(expected))
            }
            Error::SerdeInvalidType { unexpected, expected, .. } | Error::SerdeInvalidValue { unexpected, expected, .. } => {
                format!("is {unexpected}; write {expected}")
            }
            Error::DuplicateMappingKey { key: Some(key), .. } => format!("`{key}` appears twice"),
            _ => return UserMessageFormatter.format_message(fault),
        };
        Cow::Owned(told)
    }
}

fn list(names: &[impl AsRef<str>]) -> String {
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ")
}

/// What a value must be, from YAML's and Rust's name for it.
fn must_be(expected: &str) -> String {
    let word = match expected {
        "mapping start" => "fields with their values, as in `name: Sales`",
        "sequence start" => "a list, as in `[a, b]`",
        "string scalar" => "a text",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number that is not negative",
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        other => other,
    };
    format!("must be {word}")
}

#[cfg(test)]
mod tests {
    use super::ProjectFile;

    #[test]
    fn a_problem_names_line_and_field_and_says_what_to_write() {
        for (text, told) in [
            ("hello", "line 1: must be fields with their values, as in `name: Sales`"),
            ("", "line 1: the file ends here, but something is missing"),
            ("version: 1", "line 1: `project` is missing"),
            ("version: one\nproject: {name: A}", "line 1, version: must be a whole number that is not negative"),
            ("version: 1\nproject: Shop", "line 2, project: must be fields with their values, as in `name: Sales`"),
            ("version: 1\nproject: {name: [A]}", "line 2, project.name: must be a text"),
            ("version: 1\nproject: {name: A, name: B}", "line 2, project: `name` appears twice"),
            ("version: 1\nproject: {name: A}\nconnections: {a: 1}", "line 3, connections: must be a list, as in `[a, b]`"),
            ("version: 1\nproject: {name: A}\ntables:\n  - connection: c", "line 4, tables[0]: `table` is missing"),
            (
                "version: 1\nproject: {name: A}\nroles: [{name: R, permissions: {drillDown: \"yes\"}}]",
                "line 3, roles[0].permissions.drillDown: must be true or false",
            ),
            (
                "version: 1\nproject: {name: A}\napplications: [{name: X, dashboards: [{name: D, charts: [{chart: a, x: -1, y: 0, w: 3, h: 4}]}]}]",
                "line 3, applications[0].dashboards[0].charts[0].x: must be a whole number that is not negative",
            ),
            (
                "version: 1\nproject:\n  name: A\n   timezone: x",
                "line 4, project: mapping values are not allowed in this context (column 12)",
            ),
            ("version: 1\nproject: {name: \"A}", "line 2, project: unclosed quote (column 17)"),
        ] {
            let found = ProjectFile::parse(text).expect_err(text).to_string();
            assert_eq!(found, told, "{text}");
        }
        for (text, part) in [
            (
                "version: 1\nproject: {name: A}\nsurprise: 1",
                "line 3, surprise: `surprise` is not a field here; valid fields are version, project,",
            ),
            (
                "version: 1\nproject: {name: A}\ncharts:\n  - {name: a, connection: c, type: lines, sql: select 1}",
                "line 4, charts[0].type: `lines` is not a valid value; write one of number, line,",
            ),
        ] {
            let told = ProjectFile::parse(text).expect_err(text).to_string();
            assert!(told.starts_with(part), "{text}: {told}");
        }
    }
}
