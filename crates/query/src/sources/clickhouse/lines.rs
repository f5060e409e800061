//! Parses `ClickHouse`'s results line by line, with errors anywhere in them.

use super::values::Kind;
use crate::{
    error::QueryError,
    limits::Limits,
    sources::{Answer, Rows},
};
use chrono_tz::Tz;
use inlay_contract::data::Column;
use serde_json::{Value, value::RawValue};

/// The lines of a result: the columns' names, their types, then the rows.
pub(super) struct Lines {
    rows: Rows,
    zone: Tz,
    begun: Vec<u8>,
    names: Option<Vec<String>>,
    kinds: Option<Vec<Kind>>,
}

impl Lines {
    pub(super) fn new(limits: &Limits, zone: Tz) -> Self {
        Self { rows: Rows::new(limits), zone, begun: Vec::new(), names: None, kinds: None }
    }

    /// Adds a part of the result, on another thread if it is large. Tells `false` when a limit is reached.
    pub(super) async fn read(mut self, chunk: Vec<u8>, limits: &Limits) -> (Self, Result<bool, QueryError>) {
        let bytes = chunk.len();
        let work = move || {
            let goes_on = self.push(&chunk);
            (self, goes_on)
        };
        limits.parsers.read(bytes, work).await
    }

    /// Adds a part of the result. Returns `false` when a limit is reached.
    fn push(&mut self, chunk: &[u8]) -> Result<bool, QueryError> {
        self.begun.extend_from_slice(chunk);
        let begun = std::mem::take(&mut self.begun);
        let mut rest = &begun[..];
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            if !self.line(&rest[..end])? {
                return Ok(false);
            }
            rest = &rest[end + 1..];
        }
        // Stops at a single row above the limit.
        if rest.len() > self.rows.limits.bytes.saturating_add(1 << 16) {
            self.rows.truncated = true;
            return Ok(false);
        }
        self.begun = rest.to_vec();
        Ok(true)
    }

    fn line(&mut self, line: &[u8]) -> Result<bool, QueryError> {
        if line.is_empty() {
            return Ok(true);
        }
        let broken = || unexpected(&String::from_utf8_lossy(line));
        if self.names.is_none() {
            self.names = Some(serde_json::from_slice(line).map_err(|_| broken())?);
            return Ok(true);
        }
        let Some(kinds) = &self.kinds else {
            let types: Vec<String> = serde_json::from_slice(line).map_err(|_| broken())?;
            self.kinds = Some(types.iter().map(|name| Kind::of(name)).collect());
            return Ok(true);
        };
        let raw: Vec<&RawValue> = serde_json::from_slice(line).map_err(|_| broken())?;
        if raw.len() != kinds.len() {
            return Err(broken());
        }
        let values: Option<Vec<Value>> = raw.iter().zip(kinds).map(|(raw, kind)| kind.value(raw, self.zone)).collect();
        let values = values.ok_or_else(|| QueryError::failed("a value of the answer cannot be read"))?;
        Ok(self.rows.take(values, line.len()))
    }

    pub(super) fn answer(mut self) -> Result<Answer, QueryError> {
        let rest = std::mem::take(&mut self.begun);
        if !self.rows.truncated {
            self.line(&rest)?;
        }
        let (Some(names), Some(kinds)) = (self.names, self.kinds) else {
            return Err(QueryError::unavailable("ClickHouse sent an empty response"));
        };
        if names.len() != kinds.len() {
            return Err(QueryError::failed("ClickHouse sent different numbers of column names and types"));
        }
        let columns = names.into_iter().zip(kinds).map(|(name, kind)| Column { name, kind: kind.column_type() }).collect();
        Ok(Answer { columns, rows: self.rows.rows, truncated: self.rows.truncated })
    }
}

/// The error for a line that is not a row: the server's error in the middle of a result, or invalid data.
fn unexpected(line: &str) -> QueryError {
    exception(line).map_or_else(|| QueryError::failed("ClickHouse's response cannot be read"), refused)
}

/// The number in `Code: 159. DB::Exception: …`, anywhere in the text.
pub(super) fn exception(text: &str) -> Option<u32> {
    let (_, after) = text.split_once("Code: ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    after[digits.len()..].starts_with(['.', ',']).then(|| digits.parse().ok())?
}

/// `TIMEOUT_EXCEEDED`, `QUERY_WAS_CANCELLED`, `SOCKET_TIMEOUT`
const STOPPED: [u32; 3] = [159, 394, 209];
/// Account, password, database or server not available; too many queries; out of memory.
const UNUSABLE: [u32; 3] = [202, 210, 241];
/// The codes of a refused login: the database, the user, the password.
const LOGIN: [u32; 5] = [81, 192, 193, 194, 516];

/// Messages can contain rows and values, so only the number is kept. The manual lists the codes' names.
pub(super) fn refused(code: u32) -> QueryError {
    let detail = format!("ClickHouse refused with code {code}");
    match code {
        code if STOPPED.contains(&code) => QueryError::timeout("the query timed out in ClickHouse"),
        code if LOGIN.contains(&code) => QueryError::refused(detail),
        code if UNUSABLE.contains(&code) => QueryError::unavailable(detail),
        // The account is read-only by its profile, so the setting is refused.
        164 => QueryError::failed(format!(
            "{detail}: its account must be allowed to choose settings (readonly = 0 or 2 in its profile)"
        )),
        _ => QueryError::failed(detail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_may_come_in_pieces_of_any_size() {
        let limits = Limits::default();
        let whole = "[\"a\",\"b\"]\n[\"UInt64\",\"Nullable(String)\"]\n[\"18446744073709551615\",\"é\"]\n[\"1\",null]\n";
        for size in 1..whole.len() {
            let mut lines = Lines::new(&limits, Tz::UTC);
            for chunk in whole.as_bytes().chunks(size) {
                assert!(lines.push(chunk).expect("a piece"));
            }
            let answer = lines.answer().expect("an answer");
            assert_eq!(json!(answer.rows), json!([["18446744073709551615", "é"], [1, null]]));
        }
    }

    #[test]
    fn an_error_in_the_middle_leaves_no_rows() {
        let limits = Limits::default();
        for (end, code) in [
            ("Code: 241. DB::Exception: Memory limit: row 'secret'\n", "SOURCE_UNAVAILABLE"),
            ("Code: 159. DB::Exception: Timeout exceeded", "QUERY_TIMEOUT"),
            ("{\"exception\": \"Code: 153. DB::Exception: Division by zero\"}", "QUERY_FAILED"),
            ("[\"1\"", "QUERY_FAILED"),
            ("[\"1\",\"2\"]\n", "QUERY_FAILED"),
        ] {
            let mut lines = Lines::new(&limits, Tz::UTC);
            let whole = format!("[\"a\"]\n[\"UInt64\"]\n[\"1\"]\n{end}");
            let problem = lines.push(whole.as_bytes()).map(drop).and_then(|()| lines.answer().map(drop)).expect_err(end);
            assert_eq!(problem.code().as_str(), code, "{end}");
            assert!(!problem.detail().contains("secret"));
        }
        assert!(Lines::new(&limits, Tz::UTC).answer().is_err());
    }

    #[test]
    fn rows_above_a_limit_are_cut() {
        let limits = Limits { rows: 1, bytes: 1_000, ..Limits::default() };
        let mut lines = Lines::new(&limits, Tz::UTC);
        assert!(!lines.push(b"[\"a\"]\n[\"Int8\"]\n[1]\n[2]\n").expect("lines"));
        let answer = lines.answer().expect("an answer");
        assert_eq!((json!(answer.rows), answer.truncated), (json!([[1]]), true));
        let mut lines = Lines::new(&limits, Tz::UTC);
        lines.push(b"[\"a\"]\n[\"String\"]\n").expect("lines");
        assert!(!lines.push(&vec![b'x'; 100_000]).expect("half a row"));
        assert!(lines.answer().expect("an answer").truncated);
    }
}
