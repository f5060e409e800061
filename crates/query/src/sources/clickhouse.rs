//! `ClickHouse` over HTTP: values travel beside the SQL as its query parameters, an answer as one line for each row.

use super::{Answer, Rows, Setting, clickhouse_values::Kind, http};
use crate::{
    address::Route,
    bind::Bind,
    error::QueryError,
    limits::Limits,
    name::TableKey,
    schema::{Class, SourceColumn},
    source::{Source, SourceKind},
    sql::places::rewrite_places,
};
use chrono_tz::Tz;
use http::HttpAddress;
use inlay_contract::data::Column;
use reqwest::{Client, Response, multipart::Form};
use serde_json::{Value, value::RawValue};
use std::time::Duration;

/// One server, and how it is asked.
#[derive(Clone)]
pub(crate) struct Server {
    client: Client,
    address: HttpAddress,
}

pub(super) fn open(source: &Source, route: &Route, limits: &Limits) -> Result<Server, QueryError> {
    let unreadable = || QueryError::unavailable(format!("the address of connection {} cannot be read", source.name));
    let address = HttpAddress::read(SourceKind::Clickhouse, &source.url).ok_or_else(unreadable)?;
    Ok(Server { client: http::client(route, limits)?, address })
}

/// What the server is told about a query. It may change nothing, choose no other limits, and write no value in a way that
/// loses digits; a name is a column before it is an alias; a missing partner in a join is NULL, as elsewhere.
fn settings(limits: &Limits, zone: Tz) -> Vec<(&'static str, String)> {
    let fixed = [
        ("readonly", "1"),
        ("default_format", "JSONCompactEachRowWithNamesAndTypes"),
        ("cancel_http_readonly_queries_on_client_close", "1"),
        ("join_use_nulls", "1"),
        ("cast_keep_nullable", "1"),
        ("prefer_column_name_to_alias", "1"),
        ("union_default_mode", "DISTINCT"),
        ("intersect_default_mode", "DISTINCT"),
        ("except_default_mode", "DISTINCT"),
        ("enable_optimize_predicate_expression", "0"),
        ("date_time_output_format", "iso"),
        ("output_format_json_quote_64bit_integers", "1"),
        ("output_format_json_quote_decimals", "1"),
        ("output_format_json_quote_denormals", "1"),
        ("output_format_json_quote_64bit_floats", "0"),
        ("output_format_json_validate_utf8", "1"),
    ];
    let own = [
        ("max_execution_time", format!("{}", limits.timeout.as_secs_f64().max(0.001))),
        ("limit", limits.rows.saturating_add(1).to_string()),
        ("session_timezone", zone.name().to_owned()),
    ];
    fixed.into_iter().map(|(name, value)| (name, value.to_owned())).chain(own).collect()
}

/// The SQL with its places as the server names them, and the values of the places.
fn parameters(sql: &str, binds: &[Bind]) -> (String, Vec<(String, String)>) {
    let sql = rewrite_places(sql, |number| {
        let kind = match binds.get(number - 1) {
            Some(Bind::Integer(_)) => "Int64",
            Some(Bind::Real(_)) => "Float64",
            Some(Bind::Text(_)) | None => "String",
        };
        format!("{{p{number}:{kind}}}")
    });
    let value = |bind: &Bind| match bind {
        Bind::Text(text) => escaped(text),
        Bind::Integer(number) => number.to_string(),
        Bind::Real(number) => number.to_string(),
    };
    let values = binds.iter().enumerate().map(|(place, bind)| (format!("param_p{}", place + 1), value(bind)));
    (sql, values.collect())
}

/// A text as the server reads a parameter's value: with the escapes of its tab-separated format.
fn escaped(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => made.push_str("\\\\"),
            '\t' => made.push_str("\\t"),
            '\n' => made.push_str("\\n"),
            '\r' => made.push_str("\\r"),
            '\0' => made.push_str("\\0"),
            '\u{8}' => made.push_str("\\b"),
            '\u{c}' => made.push_str("\\f"),
            plain => made.push(plain),
        }
    }
    made
}

impl Server {
    /// Sends SQL with its values in the body: addresses are written to logs.
    async fn send(
        &self,
        sql: String,
        values: Vec<(String, String)>,
        settings: &[(&str, String)],
    ) -> Result<Response, QueryError> {
        let form = values.into_iter().fold(Form::new().text("query", sql), |form, (name, value)| form.text(name, value));
        let mut request = self.client.post(self.address.base.clone()).query(settings).multipart(form);
        for (header, value) in [
            ("X-ClickHouse-User", Some(&self.address.user).filter(|user| !user.is_empty())),
            ("X-ClickHouse-Key", self.address.password.as_ref()),
            ("X-ClickHouse-Database", self.address.path.first()),
        ] {
            if let Some(value) = value {
                request = request.header(header, value);
            }
        }
        let response = request.send().await.map_err(|problem| http::unreachable("ClickHouse", &problem))?;
        if response.status().is_success() && !response.headers().contains_key("X-ClickHouse-Exception-Code") {
            return Ok(response);
        }
        let (status, text) = (response.status(), http::beginning(response).await);
        Err(match exception(&text) {
            Some(code) => refused(code),
            None => QueryError::unavailable(format!("ClickHouse answered with status {status}")),
        })
    }

    async fn ask(
        &self,
        (sql, values): (String, Vec<(String, String)>),
        more: Option<(String, String)>,
        limits: &Limits,
        zone: Tz,
    ) -> Result<Answer, QueryError> {
        let running = Running { server: self.clone(), id: uuid::Uuid::new_v4().to_string(), over: false };
        let mut settings = settings(limits, zone);
        settings.push(("query_id", running.id.clone()));
        let mut settings: Vec<(&str, String)> = settings;
        if let Some((name, value)) = &more {
            settings.push((name, value.clone()));
        }
        let mut response = self.send(sql, values, &settings).await?;
        let mut lines = Lines::new(limits, zone);
        while let Some(chunk) = response.chunk().await.map_err(|problem| http::unreachable("ClickHouse", &problem))? {
            if !lines.push(&chunk)? {
                return lines.answer();
            }
        }
        running.finish();
        lines.answer()
    }
}

/// A query that the server works on. Unless it is over, it is stopped there.
struct Running {
    server: Server,
    id: String,
    over: bool,
}

impl Running {
    fn finish(mut self) {
        self.over = true;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let (server, id) = (self.server.clone(), std::mem::take(&mut self.id));
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let sql = "KILL QUERY WHERE query_id = {id:String} ASYNC".to_owned();
            let kill = server.send(sql, vec![("param_id".to_owned(), id)], &[]);
            // What remains is the server's own limit of time.
            drop(tokio::time::timeout(Duration::from_secs(10), kill).await);
        });
    }
}

/// Lines as they come in: the columns' names, their types, then the rows.
struct Lines<'a> {
    rows: Rows<'a>,
    zone: Tz,
    limits: &'a Limits,
    begun: Vec<u8>,
    names: Option<Vec<String>>,
    kinds: Option<Vec<Kind>>,
}

impl<'a> Lines<'a> {
    const fn new(limits: &'a Limits, zone: Tz) -> Self {
        Self { rows: Rows::new(limits), zone, limits, begun: Vec::new(), names: None, kinds: None }
    }

    /// Takes a part of the answer; `false` when a limit is reached.
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
        // A single row above the limit is not waited for.
        if rest.len() > self.limits.bytes.saturating_add(1 << 16) {
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

    fn answer(mut self) -> Result<Answer, QueryError> {
        let rest = std::mem::take(&mut self.begun);
        if !self.rows.truncated {
            self.line(&rest)?;
        }
        let (Some(names), Some(kinds)) = (self.names, self.kinds) else {
            return Err(QueryError::unavailable("ClickHouse answered with nothing"));
        };
        if names.len() != kinds.len() {
            return Err(QueryError::failed("ClickHouse named more columns than it gave types, or less"));
        }
        let columns = names.into_iter().zip(kinds).map(|(name, kind)| Column { name, kind: kind.column_type() }).collect();
        Ok(Answer { columns, rows: self.rows.rows, truncated: self.rows.truncated })
    }
}

/// A line that is no row: the server's error in the middle of an answer, or something else that is not to be trusted.
fn unexpected(line: &str) -> QueryError {
    exception(line).map_or_else(|| QueryError::failed("ClickHouse's answer cannot be read"), refused)
}

/// The number in `Code: 159. DB::Exception: …`, wherever it stands.
fn exception(text: &str) -> Option<u32> {
    let (_, after) = text.split_once("Code: ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    after[digits.len()..].starts_with(['.', ',']).then(|| digits.parse().ok())?
}

/// `TIMEOUT_EXCEEDED`, `QUERY_WAS_CANCELLED`, `SOCKET_TIMEOUT`
const STOPPED: [u32; 3] = [159, 394, 209];
/// Account, password, database or server that is not to be had; too many queries; no memory.
const UNUSABLE: [u32; 8] = [81, 192, 193, 194, 202, 210, 241, 516];

/// Its messages can quote rows and values, so only the number is kept; the code's name is in the manual.
fn refused(code: u32) -> QueryError {
    let detail = format!("ClickHouse refused with code {code}");
    match code {
        code if STOPPED.contains(&code) => QueryError::timeout("the limit of time was over in ClickHouse"),
        code if UNUSABLE.contains(&code) => QueryError::unavailable(detail),
        // The account is read-only by itself and may not be told so again.
        164 => QueryError::failed(format!(
            "{detail}: its account must be allowed to choose settings (readonly = 0 or 2 in its profile)"
        )),
        _ => QueryError::failed(detail),
    }
}

pub(super) async fn check(server: &Server, limits: &Limits) -> Result<(), QueryError> {
    server.ask(("SELECT 1".to_owned(), Vec::new()), None, limits, Tz::UTC).await.map(drop)
}

pub(super) async fn describe(server: &Server, table: &TableKey, limits: &Limits) -> Result<Vec<SourceColumn>, QueryError> {
    const SQL: &str = "SELECT name, type FROM system.columns WHERE database = if($1 = '', currentDatabase(), $1) AND table = $2 \
        AND default_kind NOT IN ('ALIAS', 'EPHEMERAL', 'MATERIALIZED') ORDER BY position";
    let binds = [Bind::Text(table.schema.clone()), Bind::Text(table.table.clone())];
    let answer = server.ask(parameters(SQL, &binds), None, limits, Tz::UTC).await?;
    let column = |row: Vec<Value>| {
        let [Value::String(name), Value::String(kind)] = <[Value; 2]>::try_from(row).ok()? else { return None };
        Some(SourceColumn { name, class: Class::of_clickhouse(&kind) })
    };
    let columns: Option<Vec<_>> = answer.rows.into_iter().map(column).collect();
    // A backslash in a name is read by rules of its own; such a column cannot be asked for.
    let plain = |column: &SourceColumn| !column.name.contains(['\\', '`']);
    Ok(columns.unwrap_or_default().into_iter().filter(plain).collect())
}

pub(super) async fn run(
    server: &Server,
    sql: &str,
    binds: &[Bind],
    setting: Option<Setting<'_>>,
    limits: &Limits,
    zone: Tz,
) -> Result<Answer, QueryError> {
    let setting = setting.map(|(name, value)| (name.to_owned(), value.to_owned()));
    server.ask(parameters(sql, binds), setting, limits, zone).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn text(text: &str) -> Bind {
        Bind::Text(text.to_owned())
    }

    #[test]
    fn values_stay_beside_the_sql() {
        let (sql, values) = parameters("SELECT $2 FROM `t` WHERE `x` = $1 AND '$1' = $1", &[text("a\\b\t'"), Bind::Integer(7)]);
        assert_eq!(sql, "SELECT {p2:Int64} FROM `t` WHERE `x` = {p1:String} AND '$1' = {p1:String}");
        assert_eq!(values, [("param_p1".to_owned(), "a\\\\b\\t'".to_owned()), ("param_p2".to_owned(), "7".to_owned())]);
    }

    /// How the server reads a parameter's value.
    fn unescaped(text: &str) -> Option<String> {
        let mut letters = text.chars();
        let mut made = String::new();
        while let Some(letter) = letters.next() {
            made.push(match letter {
                '\t' | '\n' => return None,
                '\\' => match letters.next()? {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    '0' => '\0',
                    'N' => return None,
                    plain => plain,
                },
                plain => plain,
            });
        }
        Some(made)
    }

    proptest! {
        #[test]
        fn every_text_comes_back_as_it_was(text in any::<String>()) {
            prop_assert_eq!(unescaped(&escaped(&text)), Some(text));
        }
    }

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
            assert_eq!(problem.code(), code, "{end}");
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
