//! Trino over its REST API: a statement is posted, and its result is fetched page by page.

mod literal;
mod values;

use super::{Answer, Rows, Setting, http};
use crate::{
    address::Route,
    bind::Bind,
    error::QueryError,
    limits::Limits,
    name::TableKey,
    schema::{Class, SourceColumn},
    source::Source,
    sql::places::positional,
};
use chrono_tz::Tz;
use http::{HttpAddress, Places};
use inlay_contract::data::Column;
use literal::literal;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, RequestBuilder, StatusCode};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use std::time::Duration;
use url::Url;
use values::Kind;

/// A coordinator and its credentials.
#[derive(Clone)]
pub(crate) struct Server {
    client: Client,
    address: HttpAddress,
    pub(super) places: Places,
}

/// The size of a page in addition to the byte limit of a result: columns, statistics, URLs.
const PAGE: usize = 1 << 20;

pub(super) fn open(source: &Source, route: &Route, limits: &Limits) -> Result<Server, QueryError> {
    let unreadable = || QueryError::unavailable(format!("the address of connection {} cannot be read", source.name));
    let address = HttpAddress::read(source.kind, &source.url).ok_or_else(unreadable)?;
    if address.password.is_some() && address.base.scheme() != "https" {
        return Err(QueryError::unavailable(format!("connection {} has a password but no TLS", source.name)));
    }
    Ok(Server { client: http::client(route, limits)?, address, places: Places::new(limits) })
}

/// A page of a result.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page<'a> {
    next_uri: Option<String>,
    columns: Option<Vec<PageColumn>>,
    #[serde(borrow, default)]
    data: Option<Vec<Vec<&'a RawValue>>>,
    error: Option<PageError>,
}

#[derive(Deserialize)]
struct PageColumn {
    name: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageError {
    error_name: Option<String>,
    error_type: Option<String>,
}

impl Server {
    fn with_headers(
        &self,
        request: RequestBuilder,
        setting: Option<&Setting<'_>>,
        limits: &Limits,
        zone: Tz,
    ) -> RequestBuilder {
        let user = if self.address.user.is_empty() { "inlay" } else { &self.address.user };
        let seconds = limits.timeout.as_secs().max(1);
        let mut request = request
            .header("X-Trino-User", user)
            .header("X-Trino-Source", "inlay")
            .header("X-Trino-Time-Zone", zone.name())
            .header("X-Trino-Session", format!("query_max_run_time={seconds}s,query_max_execution_time={seconds}s"));
        for (header, part) in ["X-Trino-Catalog", "X-Trino-Schema"].into_iter().zip(&self.address.path) {
            request = request.header(header, part);
        }
        if let Some(password) = &self.address.password {
            request = request.basic_auth(user, Some(password));
        }
        match setting {
            Some((name, value)) => {
                let credential = format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
                request.header("X-Trino-Extra-Credential", credential)
            }
            None => request,
        }
    }

    /// Runs a statement and returns its rows.
    async fn ask(
        &self,
        statement: String,
        setting: Option<Setting<'_>>,
        limits: &Limits,
        zone: Tz,
    ) -> Result<Answer, QueryError> {
        let _place = self.places.take("Trino", limits).await?;
        let post = self.client.post(self.at("v1/statement")?).header("Content-Type", "text/plain; charset=utf-8");
        let mut request = self.with_headers(post, setting.as_ref(), limits, zone).body(statement);
        let mut running = Running { server: self.clone(), next: None };
        let mut table = Table { rows: Rows::new(limits), zone, columns: None };
        loop {
            let text = self.page(request, limits).await?;
            let read;
            (table, read) = limits.parsers.read(text.len(), move || table.read(&text)).await;
            let Read { next, goes_on } = read?;
            running.next = next.as_deref().map(|next| self.same_origin(next)).transpose()?;
            match &running.next {
                Some(next) if goes_on => request = self.with_credentials(self.client.get(next.clone())),
                _ => break,
            }
        }
        // Dropping `running` cancels what is still in progress.
        table.answer()
    }

    fn with_credentials(&self, request: RequestBuilder) -> RequestBuilder {
        let user = if self.address.user.is_empty() { "inlay" } else { &self.address.user };
        let request = request.header("X-Trino-User", user);
        match &self.address.password {
            Some(password) => request.basic_auth(user, Some(password)),
            None => request,
        }
    }

    fn at(&self, path: &str) -> Result<Url, QueryError> {
        self.address.base.join(path).map_err(|_| QueryError::unavailable("Trino's address cannot be read"))
    }

    /// The URL of the next page. It must be on the same server, since credentials are sent to it.
    fn same_origin(&self, next: &str) -> Result<Url, QueryError> {
        let foreign = || QueryError::unavailable("Trino redirected to another server; set http-server.process-forwarded there");
        let url = Url::parse(next).map_err(|_| foreign())?;
        let same = url.origin() == self.address.base.origin() && url.path().starts_with("/v1/statement/");
        if same && url.username().is_empty() && url.password().is_none() { Ok(url) } else { Err(foreign()) }
    }

    /// The text of a page. Retries if the coordinator is busy.
    async fn page(&self, request: RequestBuilder, limits: &Limits) -> Result<String, QueryError> {
        let busy = [
            StatusCode::BAD_GATEWAY,
            StatusCode::SERVICE_UNAVAILABLE,
            StatusCode::GATEWAY_TIMEOUT,
            StatusCode::TOO_MANY_REQUESTS,
        ];
        loop {
            let again = request.try_clone().ok_or_else(|| QueryError::unavailable("Trino cannot be asked"))?;
            let mut response = again.send().await.map_err(|problem| http::unreachable("Trino", &problem))?;
            let status = response.status();
            if busy.contains(&status) {
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
            if matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
                return Err(QueryError::refused(format!("Trino refused the login with status {status}")));
            }
            if status != StatusCode::OK {
                return Err(QueryError::unavailable(format!("Trino responded with status {status}")));
            }
            let mut text = Vec::new();
            while let Some(chunk) = response.chunk().await.map_err(|problem| http::unreachable("Trino", &problem))? {
                text.extend_from_slice(&chunk);
                if text.len() > limits.bytes.saturating_add(PAGE) {
                    return Err(QueryError::failed("a page of Trino's response exceeds the size limit"));
                }
            }
            return String::from_utf8(text).map_err(|_| QueryError::unavailable("Trino's response cannot be read"));
        }
    }
}

/// A statement in progress. If it is not fetched to its end, it is cancelled.
struct Running {
    server: Server,
    next: Option<Url>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let (Some(next), Ok(runtime)) = (self.next.take(), tokio::runtime::Handle::try_current()) else { return };
        let cancel = self.server.with_credentials(self.server.client.delete(next)).timeout(Duration::from_secs(10));
        // If this fails, the coordinator's own time limit ends the query.
        runtime.spawn(async move { drop(cancel.send().await) });
    }
}

/// Collects the rows of the pages.
struct Table {
    rows: Rows,
    zone: Tz,
    columns: Option<Vec<(String, Kind)>>,
}

/// What a page told.
struct Read {
    next: Option<String>,
    /// Whether no limit is reached.
    goes_on: bool,
}

impl Table {
    /// Reads a page from its text.
    fn read(mut self, text: &str) -> (Self, Result<Read, QueryError>) {
        let page = serde_json::from_str(text).map_err(|_| QueryError::unavailable("Trino's response cannot be read"));
        let read = page.and_then(|mut page: Page<'_>| {
            let next = page.next_uri.take();
            Ok(Read { next, goes_on: self.take(page)? })
        });
        (self, read)
    }

    /// Adds a page. Returns `false` when a limit is reached.
    fn take(&mut self, page: Page<'_>) -> Result<bool, QueryError> {
        if let Some(error) = page.error {
            return Err(refused(&error));
        }
        if let (None, Some(columns)) = (&self.columns, page.columns) {
            self.columns = Some(columns.into_iter().map(|column| (column.name, Kind::of(&column.kind))).collect());
        }
        for row in page.data.into_iter().flatten() {
            let unreadable = || QueryError::failed("a value of the answer cannot be read");
            let columns = self.columns.as_ref().filter(|columns| columns.len() == row.len()).ok_or_else(unreadable)?;
            let bytes = row.iter().map(|value| value.get().len()).sum();
            let values: Option<Vec<Value>> =
                row.iter().zip(columns).map(|(raw, (_, kind))| kind.value(raw, self.zone)).collect();
            if !self.rows.take(values.ok_or_else(unreadable)?, bytes) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn answer(self) -> Result<Answer, QueryError> {
        let columns = self.columns.ok_or_else(|| QueryError::unavailable("Trino's response has no columns"))?;
        let columns = columns.into_iter().map(|(name, kind)| Column { name, kind: kind.column_type() }).collect();
        Ok(Answer { columns, rows: self.rows.rows, truncated: self.rows.truncated })
    }
}

/// Messages can contain values, so only the error's name is kept.
fn refused(error: &PageError) -> QueryError {
    let name = error.error_name.as_deref().unwrap_or("an error without a name");
    let detail = format!("Trino refused with {name}");
    match (name, error.error_type.as_deref()) {
        ("EXCEEDED_TIME_LIMIT" | "EXCEEDED_CPU_LIMIT" | "USER_CANCELED" | "ABANDONED_QUERY", _) => {
            QueryError::timeout("the query timed out in Trino")
        }
        ("CATALOG_NOT_FOUND", _) | (_, Some("INSUFFICIENT_RESOURCES" | "INTERNAL_ERROR" | "EXTERNAL")) => {
            QueryError::unavailable(detail)
        }
        _ => QueryError::failed(detail),
    }
}

/// The statement that runs SQL with values. Trino cannot bind values over REST: they become literals outside the SQL, which is
/// a text literal itself.
fn statement(sql: &str, binds: &[Bind]) -> Option<String> {
    let (sql, order) = positional(sql);
    if order.is_empty() {
        return Some(sql);
    }
    let values: Option<Vec<String>> = order.iter().map(|place| binds.get(*place).and_then(literal)).collect();
    Some(format!("EXECUTE IMMEDIATE {} USING {}", literal(&Bind::Text(sql))?, values?.join(", ")))
}

pub(super) async fn check(server: &Server, limits: &Limits) -> Result<(), QueryError> {
    server.ask("SELECT 1".to_owned(), None, limits, Tz::UTC).await.map(drop)
}

pub(super) async fn describe(server: &Server, table: &TableKey, limits: &Limits) -> Result<Vec<SourceColumn>, QueryError> {
    const SQL: &str = "SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2 \
        ORDER BY ordinal_position";
    let schema = if table.schema.is_empty() { server.address.path.get(1) } else { Some(&table.schema) };
    let Some(schema) = schema else {
        return Err(QueryError::failed("neither the connection's address nor the table names a schema"));
    };
    let binds = [schema, &table.table].map(|name| Bind::Text(name.to_lowercase()));
    let unwritable = || QueryError::failed("a table's name cannot be written for Trino");
    let answer = server.ask(statement(SQL, &binds).ok_or_else(unwritable)?, None, &super::for_columns(limits), Tz::UTC).await?;
    let column = |row: Vec<Value>| {
        let [Value::String(name), Value::String(kind)] = <[Value; 2]>::try_from(row).ok()? else { return None };
        Some(SourceColumn::new(name, Class::of_trino(&kind)))
    };
    Ok(answer.rows.into_iter().map(column).collect::<Option<_>>().unwrap_or_default())
}

pub(super) async fn list(server: &Server, limits: &Limits) -> Result<Vec<(TableKey, SourceColumn)>, QueryError> {
    let own = server.address.path.get(1).map(|schema| schema.to_lowercase()).unwrap_or_default();
    let unwritable = || QueryError::failed("the schema of the connection's address cannot be written for Trino");
    // The system schemas of Trino, and of a PostgreSQL behind it, are left out. The connection's own schema comes first, since
    // the list of a very large catalogue is cut.
    let sql = format!(
        "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns \
         WHERE table_schema NOT IN ('information_schema', 'pg_catalog') \
         ORDER BY table_schema <> {}, table_schema, table_name, ordinal_position",
        literal(&Bind::Text(own.clone())).ok_or_else(unwritable)?
    );
    let answer = server.ask(sql, None, &super::for_columns(limits), Tz::UTC).await?;
    let bare = |(mut key, column): (TableKey, SourceColumn)| {
        if own == key.schema {
            key.schema.clear();
        }
        (key, column)
    };
    Ok(super::listed_rows(answer, Class::of_trino).into_iter().map(bare).collect())
}

pub(super) async fn run(
    server: &Server,
    sql: &str,
    binds: &[Bind],
    setting: Option<Setting<'_>>,
    limits: &Limits,
    zone: Tz,
) -> Result<Answer, QueryError> {
    let unwritable = || QueryError::failed("a value cannot be written for Trino");
    server.ask(statement(sql, binds).ok_or_else(unwritable)?, setting, limits, zone).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_behind_the_sql_in_their_order() {
        let binds = [Bind::Text("x' OR '1'='1".into()), Bind::Integer(-7)];
        let sql = "SELECT * FROM \"t\" WHERE \"a\" = $2 AND \"b\" IN ($1, $1) AND \"c\" = 'it''s'";
        assert_eq!(
            statement(sql, &binds).as_deref(),
            Some(
                "EXECUTE IMMEDIATE 'SELECT * FROM \"t\" WHERE \"a\" = ? AND \"b\" IN (?, ?) AND \"c\" = ''it''''s''' \
                 USING -7, 'x'' OR ''1''=''1', 'x'' OR ''1''=''1'"
            )
        );
        assert_eq!(statement("SELECT 1", &[]).as_deref(), Some("SELECT 1"));
        assert_eq!(statement("SELECT $2", &[Bind::Integer(1)]), None);
        assert_eq!(statement("SELECT $1", &[Bind::Text("\0".into())]), None);
    }
}
