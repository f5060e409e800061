//! `ClickHouse` over HTTP. Values are sent as query parameters, results arrive as one line per row.

mod lines;
mod values;

use super::{Answer, Setting, http};
use crate::{
    address::Route,
    bind::Bind,
    error::QueryError,
    limits::Limits,
    name::TableKey,
    parsing::LARGE,
    schema::{Class, SourceColumn},
    source::Source,
    sql::places::rewrite_places,
};
use chrono_tz::Tz;
use http::{HttpAddress, Places};
use lines::{Lines, exception, refused};
use reqwest::{Client, Response, multipart::Form};
use serde_json::Value;
use std::time::Duration;

/// A server and its credentials.
#[derive(Clone)]
pub(crate) struct Server {
    client: Client,
    address: HttpAddress,
    pub(super) places: Places,
}

pub(super) fn open(source: &Source, route: &Route, limits: &Limits) -> Result<Server, QueryError> {
    let unreadable = || QueryError::unavailable(format!("the address of connection {} cannot be read", source.name));
    let address = HttpAddress::read(source.kind, &source.url).ok_or_else(unreadable)?;
    Ok(Server { client: http::client(route, limits)?, address, places: Places::new(limits) })
}

/// The settings of a query. It cannot write, cannot change its limits, and returns values without losing digits. A name is a
/// column before it is an alias. A row without a partner in an outer join gets NULL, as in other databases.
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

/// The SQL with the server's named parameters, and their values.
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

/// Escapes a parameter's value: the server reads it in its tab-separated format.
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
    /// Sends SQL with its values in the body, since URLs are written to logs.
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
            None => QueryError::unavailable(format!("ClickHouse responded with status {status}")),
        })
    }

    async fn ask(
        &self,
        (sql, values): (String, Vec<(String, String)>),
        more: Option<(String, String)>,
        limits: &Limits,
        zone: Tz,
    ) -> Result<Answer, QueryError> {
        let _place = self.places.take("ClickHouse", limits).await?;
        let running = Running { server: self.clone(), id: uuid::Uuid::new_v4().to_string(), over: false };
        let mut settings = settings(limits, zone);
        settings.push(("query_id", running.id.clone()));
        let mut settings: Vec<(&str, String)> = settings;
        if let Some((name, value)) = &more {
            settings.push((name, value.clone()));
        }
        let mut response = self.send(sql, values, &settings).await?;
        let (mut lines, mut seen, mut waiting) = (Lines::new(limits, zone), 0, Vec::new());
        while let Some(chunk) = response.chunk().await.map_err(|problem| http::unreachable("ClickHouse", &problem))? {
            seen += chunk.len();
            waiting.extend_from_slice(&chunk);
            // The beginning is read as it arrives, the rest in large parts.
            if seen >= LARGE && waiting.len() < LARGE {
                continue;
            }
            let goes_on;
            (lines, goes_on) = lines.read(std::mem::take(&mut waiting), limits).await;
            if !goes_on? {
                return lines.answer();
            }
        }
        running.finish();
        let (lines, read) = lines.read(waiting, limits).await;
        read?;
        lines.answer()
    }
}

/// A query in progress. If it is dropped before its end, it is cancelled in the server.
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
            // If this fails, the server's own time limit ends the query.
            drop(tokio::time::timeout(Duration::from_secs(10), kill).await);
        });
    }
}

pub(super) async fn check(server: &Server, limits: &Limits) -> Result<(), QueryError> {
    server.ask(("SELECT 1".to_owned(), Vec::new()), None, limits, Tz::UTC).await.map(drop)
}

pub(super) async fn describe(server: &Server, table: &TableKey, limits: &Limits) -> Result<Vec<SourceColumn>, QueryError> {
    const SQL: &str = "SELECT name, type FROM system.columns WHERE database = if($1 = '', currentDatabase(), $1) AND table = $2 \
        AND default_kind NOT IN ('ALIAS', 'EPHEMERAL', 'MATERIALIZED') ORDER BY position";
    let binds = [Bind::Text(table.schema.clone()), Bind::Text(table.table.clone())];
    let answer = server.ask(parameters(SQL, &binds), None, &super::for_columns(limits), Tz::UTC).await?;
    let column = |row: Vec<Value>| {
        let [Value::String(name), Value::String(kind)] = <[Value; 2]>::try_from(row).ok()? else { return None };
        Some(SourceColumn::new(name, Class::of_clickhouse(&kind)))
    };
    Ok(answer.rows.into_iter().map(column).collect::<Option<_>>().unwrap_or_default())
}

pub(super) async fn list(server: &Server, limits: &Limits) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
    const SQL: &str = "SELECT if(database = currentDatabase(), '', database), table, name, type FROM system.columns \
        WHERE database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA') \
        AND default_kind NOT IN ('ALIAS', 'EPHEMERAL', 'MATERIALIZED') ORDER BY database <> currentDatabase(), database, table, position";
    let answer = server.ask((SQL.to_owned(), Vec::new()), None, &super::for_columns(limits), Tz::UTC).await?;
    Ok(super::listed_rows(answer, Class::of_clickhouse))
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

    fn text(text: &str) -> Bind {
        Bind::Text(text.to_owned())
    }

    #[test]
    fn values_stay_beside_the_sql() {
        let (sql, values) = parameters("SELECT $2 FROM `t` WHERE `x` = $1 AND '$1' = $1", &[text("a\\b\t'"), Bind::Integer(7)]);
        assert_eq!(sql, "SELECT {p2:Int64} FROM `t` WHERE `x` = {p1:String} AND '$1' = {p1:String}");
        assert_eq!(values, [("param_p1".to_owned(), "a\\\\b\\t'".to_owned()), ("param_p2".to_owned(), "7".to_owned())]);
    }

    /// Parses a parameter's value as the server does.
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
}
