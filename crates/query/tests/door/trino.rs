//! Trino's protocol: the requests, the pages, and the result of each kind of response.

use crate::{
    databases::{engine, filter, query, rule, table, viewer},
    server::{Asked, Server, bytes, longest_pause, sent, text},
};
use axum::{http::Method, response::Response};
use chrono_tz::Tz;
use inlay_contract::{data::ColumnType, ids::ConnectionId};
use inlay_query::{Catalog, DatabaseAuth, Engine, Limits, Query, SecurityContext, Source, SourceKind};
use serde_json::{Value, json};
use std::time::Duration;

fn describes(asked: &Asked) -> bool {
    asked.body.contains("information_schema.columns")
}

fn columns() -> Value {
    json!({
        "id": "1", "stats": {},
        "columns": [{"name": "column_name", "type": "varchar"}, {"name": "data_type", "type": "varchar"}],
        "data": [["id", "bigint"], ["company_id", "varchar(20)"], ["amount", "decimal(12,2)"], ["price", "double"],
            ["at", "timestamp(3) with time zone"], ["day", "date"], ["margin", "integer"]]
    })
}

/// A server that knows the columns. Everything else gets the given responses.
async fn answering(answer: impl Fn(&Asked, &str) -> Response + Send + Sync + 'static) -> Server {
    Server::new(move |asked, _| {
        let own = format!("http://{}", asked.header("host"));
        if describes(asked) { text(200, columns().to_string()) } else { answer(asked, &own) }
    })
    .await
}

fn source(server: &Server) -> Source {
    let url = format!("trino://ada@{}/hive/web", server.address);
    Source::new(ConnectionId::generate(), "lake", SourceKind::Trino, url)
}

fn catalog() -> Catalog {
    Catalog::new(vec![table("orders", rule("company_id = {{organization.company}}"), &["margin"])])
}

async fn ask(engine: &Engine, source: &Source, sql: &str) -> Result<Value, String> {
    let answer = engine.run(source, &catalog(), &viewer("x' OR '1'='1"), &query(sql)).await;
    answer.map(|answer| json!(answer.rows)).map_err(|problem| format!("{} {}", problem.code().as_str(), problem.detail()))
}

fn one_row() -> Response {
    text(200, json!({"id": "1", "columns": [{"name": "id", "type": "bigint"}], "data": [[1]]}).to_string())
}

#[tokio::test]
async fn values_are_literals_apart_from_the_sql() {
    let server = answering(|_, _| one_row()).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    let filters = vec![
        filter("orders", "amount", json!([10.5])),
        filter("orders", "at", json!({"from": "2024-02-28"})),
        filter("orders", "price", json!({"to": 2.5})),
    ];
    let question = Query { filters, zone: Tz::Europe__Berlin, ..query("select ID from Orders where company_id <> 'it''s'") };
    let answer = engine.run(&source, &catalog(), &viewer("x' OR '1'='1"), &question).await.expect("an answer");
    assert_eq!((json!(answer.rows), answer.columns[0].kind), (json!([[1]]), ColumnType::Number));
    let asked = server.wait_for(|asked| !describes(asked)).await;
    assert_eq!(
        asked.body,
        "EXECUTE IMMEDIATE 'SELECT \"ID\" FROM (SELECT \"inlay_row\".\"id\" AS \"id\", \"inlay_row\".\"company_id\" AS \"company_id\", \
         \"inlay_row\".\"amount\" AS \"amount\", \"inlay_row\".\"price\" AS \"price\", \"inlay_row\".\"at\" AS \"at\", \
         \"inlay_row\".\"day\" AS \"day\" FROM \"orders\" AS \"inlay_row\" WHERE (\"inlay_row\".\"company_id\" = ?) AND \
         (\"inlay_row\".\"amount\" IN (CAST(? AS DECIMAL(3,1)))) AND (\"inlay_row\".\"at\" >= CAST(? AS TIMESTAMP(6) WITH TIME ZONE)) \
         AND (\"inlay_row\".\"price\" < ?) LIMIT 9223372036854775807) AS \"Orders\" WHERE \"company_id\" <> ''it''''s''' \
         USING 'x'' OR ''1''=''1', '10.5', '2024-02-27 23:00:00.000000 UTC', DOUBLE '2.5e0'"
    );
    assert_eq!((asked.method, asked.uri.path()), (Method::POST, "/v1/statement"));
    for (name, value) in [
        ("x-trino-user", "ada"),
        ("x-trino-source", "inlay"),
        ("x-trino-catalog", "hive"),
        ("x-trino-schema", "web"),
        ("x-trino-time-zone", "Europe/Berlin"),
    ] {
        assert_eq!(asked.headers.get(name).and_then(|value| value.to_str().ok()), Some(value), "{name}");
    }
    // What is left of 30 s after waiting for a place.
    let session = asked.headers.get("x-trino-session").and_then(|value| value.to_str().ok());
    let sessions = [29, 30].map(|left| format!("query_max_run_time={left}s,query_max_execution_time={left}s"));
    assert!(session.is_some_and(|session| sessions.iter().any(|known| known == session)), "{session:?}");
    let described = server.wait_for(describes).await;
    assert!(described.body.ends_with("USING 'web', 'orders'"), "{}", described.body);
}

#[tokio::test]
async fn pages_are_followed_to_the_end() {
    let server = answering(|asked, own| {
        let next = |page: u8| format!("{own}/v1/statement/executing/1/y/{page}");
        let columns = json!([{"name": "id", "type": "bigint"}, {"name": "n", "type": "decimal(30,2)"}]);
        match asked.uri.path().rsplit('/').next() {
            Some("statement") => text(200, json!({"id": "1", "nextUri": next(0)}).to_string()),
            Some("0") => text(200, json!({"id": "1", "nextUri": next(1), "columns": columns}).to_string()),
            Some("1") => {
                let data = json!([[i64::MAX, "12345678901234567890.12"], [null, null]]);
                text(200, json!({"id": "1", "nextUri": next(2), "columns": columns, "data": data}).to_string())
            }
            _ => text(200, json!({"id": "1", "columns": columns, "data": [[2, "1.50"]]}).to_string()),
        }
    })
    .await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    let rows = ask(&engine, &source, "select id, amount from orders").await.expect("rows");
    assert_eq!(rows.to_string(), json!([[i64::MAX, "12345678901234567890.12"], [null, null], [2, 1.5]]).to_string());
    assert!(server.asked().iter().all(|asked| asked.method != Method::DELETE));
}

#[tokio::test]
async fn a_large_page_holds_up_no_other_task() {
    let data: Vec<Value> = (0..40_000).map(|number| json!([number, "x".repeat(40), 1.5, null, true])).collect();
    let columns: Vec<Value> =
        ["bigint", "varchar", "double", "tinyint", "boolean"].map(|kind| json!({"name": kind, "type": kind})).into();
    let page = bytes(json!({"id": "1", "columns": columns, "data": data}).to_string());
    let server = answering(move |_, _| sent(&page)).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    let (catalog, viewer, query) = (catalog(), viewer("acme"), query("select id from orders"));
    let (answer, part) = longest_pause(engine.answer(&source, &catalog, &viewer, &query)).await;
    let answer = answer.expect("an answer");
    let rows = &answer.table().rows;
    assert!(rows.iter().enumerate().all(|(number, row)| row[0] == number), "in order");
    assert_eq!(rows.len(), 40_000);
    assert!(part < 0.4, "{part}");
}

#[tokio::test]
async fn a_busy_coordinator_is_asked_again() {
    let times = std::sync::atomic::AtomicUsize::new(0);
    let server = answering(move |_, _| {
        let before = times.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        if before < 2 { text(503, "") } else { one_row() }
    })
    .await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    assert_eq!(ask(&engine, &source, "select id from orders").await, Ok(json!([[1]])));
}

#[tokio::test]
async fn no_page_of_another_server_is_fetched() {
    let other = Server::new(|_, _| one_row()).await;
    for next in [
        format!("http://{}/v1/statement/executing/1/y/0", other.address),
        "http://169.254.169.254/v1/statement/".to_owned(),
        "file:///etc/passwd".to_owned(),
        "/v1/statement/executing/1/y/0".to_owned(),
        "OWN/v1/query/1".to_owned(),
        "OWN/ui/../v1/../secret".to_owned(),
    ] {
        let server =
            answering(move |_, own| text(200, json!({"id": "1", "nextUri": next.replace("OWN", own)}).to_string())).await;
        let (engine, source) = (engine(Limits::default()), source(&server));
        let problem = ask(&engine, &source, "select id from orders").await.expect_err("not followed");
        assert!(problem.starts_with("SOURCE_UNAVAILABLE"), "{problem}");
        assert!(server.asked().iter().all(|asked| asked.uri.path() == "/v1/statement"));
    }
    assert!(other.asked().is_empty());
}

#[tokio::test]
async fn what_nobody_waits_for_or_is_too_long_is_cancelled() {
    let page = |asked: &Asked, own: &str| {
        if asked.method == Method::DELETE {
            return text(204, "");
        }
        let columns = json!([{"name": "id", "type": "bigint"}]);
        let next = format!("{own}/v1/statement/executing/1/y/0");
        let data = if asked.method == Method::POST { json!([]) } else { json!([[1], [2], [3]]) };
        text(200, json!({"id": "1", "nextUri": next, "columns": columns, "data": data}).to_string())
    };
    let cancels = |asked: &Asked| asked.method == Method::DELETE && asked.uri.path() == "/v1/statement/executing/1/y/0";
    let server = answering(page).await;
    let limited = engine(Limits { rows: 2, ..Limits::default() });
    assert_eq!(limited.describe(&source(&server), "orders").await.expect("all columns").len(), 7);
    let answer =
        limited.run(&source(&server), &catalog(), &viewer("acme"), &query("select id from orders")).await.expect("an answer");
    assert_eq!((json!(answer.rows), answer.truncated), (json!([[1], [2]]), true));
    server.wait_for(cancels).await;

    let server = answering(move |asked, own| if asked.method == Method::GET { text(503, "") } else { page(asked, own) }).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    let long = ask(&engine, &source, "select id from orders");
    assert!(tokio::time::timeout(Duration::from_millis(300), long).await.is_err());
    assert_eq!(server.wait_for(cancels).await.header("x-trino-user"), "ada");
}

#[tokio::test]
async fn errors_wherever_they_come_leave_no_rows() {
    let failed = |name: &str, kind: &str| {
        let error = json!({"message": "MARK", "errorCode": 1, "errorName": name, "errorType": kind});
        json!({"id": "1", "columns": [{"name": "id", "type": "bigint"}], "data": [[1]], "error": error}).to_string()
    };
    for (status, body, code) in [
        (200, failed("DIVISION_BY_ZERO", "USER_ERROR"), "QUERY_FAILED"),
        (200, failed("COLUMN_NOT_FOUND", "USER_ERROR"), "QUERY_FAILED"),
        (200, failed("EXCEEDED_TIME_LIMIT", "INSUFFICIENT_RESOURCES"), "QUERY_TIMEOUT"),
        (200, failed("NO_NODES_AVAILABLE", "INSUFFICIENT_RESOURCES"), "SOURCE_UNAVAILABLE"),
        (200, "<html>MARK".to_owned(), "SOURCE_UNAVAILABLE"),
        (200, json!({"id": "1"}).to_string(), "SOURCE_UNAVAILABLE"),
        (200, json!({"id": "1", "columns": [{"name": "id", "type": "bigint"}], "data": [[1, 2]]}).to_string(), "QUERY_FAILED"),
        (200, json!({"id": "1", "columns": [{"name": "id", "type": "bigint"}], "data": [[{}]]}).to_string(), "QUERY_FAILED"),
        (401, "MARK".to_owned(), "SOURCE_UNAVAILABLE"),
    ] {
        let server = answering(move |_, _| text(status, body.clone())).await;
        let (engine, source) = (engine(Limits::default()), source(&server));
        let problem = ask(&engine, &source, "select id from orders").await.expect_err("an error");
        assert!(problem.starts_with(code) && !problem.contains("MARK"), "{problem}");
    }
}

#[tokio::test]
async fn what_could_reach_other_tables_is_refused_before_it_is_sent() {
    let server = answering(|_, _| one_row()).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    for sql in [
        "select * from system.runtime.queries",
        "select * from system.queries",
        "select * from information_schema.tables",
        "select * from hive.web.orders",
        "select * from web.orders",
        "select * from unnest(array[1])",
        "select * from table(system.query(query => 'select 1'))",
        "select * from orders tablesample bernoulli (10)",
        "select * from orders for version as of 1",
        "select * from orders match_recognize (pattern (a) define a as true)",
        "select sequence(1, 10) from orders",
        "select ? from orders",
        "execute immediate 'select 1'",
        "explain analyze select * from orders",
        "table orders",
        "with function f() returns int return 1 select f()",
        "select transform(array[1], x -> x) from orders",
    ] {
        let answer = ask(&engine, &source, sql).await;
        assert!(answer.as_ref().is_err_and(|problem| problem.starts_with("QUERY_FAILED")), "{sql}: {answer:?}");
    }
    assert!(server.asked().iter().all(describes), "nothing was asked: {:?}", server.asked());
    // Without quotes it is a keyword of Trino; with quotes it is a column, which does not exist.
    ask(&engine, &source, "select current_user from orders where current_catalog = 'x'").await.expect("it is sent");
    server
        .wait_for(|asked| asked.body.contains("SELECT \"current_user\"") && asked.body.contains("\"current_catalog\" ="))
        .await;
}

#[tokio::test]
async fn ordinary_charts_pass() {
    let server = answering(|_, _| one_row()).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    for sql in [
        "select date_trunc('month', at) as month, count(*), sum(amount), approx_distinct(company_id) from orders group by 1 order by 1",
        "select approx_percentile(amount, 0.9), count(*) filter (where amount > 1), max_by(company_id, amount) from orders",
        "select day + interval '1' day, date '2024-01-01', extract(year from day), at at time zone 'UTC' from orders",
        "select try_cast(company_id as bigint), cast(amount as varchar), coalesce(company_id, 'none') from orders",
        "select company_id, sum(amount) from orders group by grouping sets ((company_id), ())",
        "select id, rank() over (partition by company_id order by amount desc) from orders limit 10",
        "with o as (select * from orders) select * from o where id in (select id from o)",
    ] {
        assert_eq!(ask(&engine, &source, sql).await, Ok(json!([[1]])), "{sql}");
    }
}

#[tokio::test]
async fn the_token_goes_as_a_credential_and_a_password_only_by_tls() {
    let server = answering(|_, _| one_row()).await;
    let engine = engine(Limits::default());
    let auth = DatabaseAuth::VerifiedByDatabase { setting: "tenant.token".into() };
    let with_token = SecurityContext { database_auth_token: Some("a=b, c\r\nX: y".into()), ..viewer("acme") };
    let declared = Source { database_auth: Some(auth), ..source(&server) };
    engine.run(&declared, &catalog(), &with_token, &query("select id from orders")).await.expect("an answer");
    let asked = server.wait_for(|asked| !describes(asked)).await;
    assert_eq!(asked.header("x-trino-extra-credential"), "tenant.token=a%3Db%2C%20c%0D%0AX%3A%20y");
    let open = Source { url: format!("trino://ada:s3cret@{}/hive/web", server.address), ..source(&server) };
    let problem = engine.check(&open).await.expect_err("no TLS");
    assert!(problem.detail().contains("TLS") && !problem.detail().contains("s3cret"));
}

/// A page in Trino's client protocol (<https://trino.io/docs/current/develop/client-protocol.html>). Texts of
/// `information_schema` have no length.
fn page(own: &str, next: Option<u8>, data: Value) -> Response {
    let column = |name: &str| {
        let signature = json!({"rawType": "varchar", "arguments": [{"kind": "LONG", "value": 2_147_483_647}]});
        json!({"name": name, "type": "varchar", "typeSignature": signature})
    };
    let columns = ["table_schema", "table_name", "column_name", "data_type"].map(column);
    let state = if next.is_some() { "RUNNING" } else { "FINISHED" };
    let mut page = json!({
        "id": "20261120_204500_00001_xyz12", "infoUri": format!("{own}/ui/query.html?20261120_204500_00001_xyz12"),
        "columns": columns, "data": data,
        "stats": {"state": state, "queued": false, "scheduled": true, "nodes": 3}, "warnings": []
    });
    if let Some(next) = next {
        page["nextUri"] = json!(format!("{own}/v1/statement/executing/20261120_204500_00001_xyz12/y/{next}"));
    }
    text(200, page.to_string())
}

#[tokio::test]
async fn an_operator_sees_every_table_with_its_columns_and_first_rows() {
    let lists = |asked: &Asked| asked.body.starts_with("SELECT table_schema, table_name");
    let server = Server::new(move |asked, _| {
        let own = format!("http://{}", asked.header("host"));
        let queued = json!({"id": "20261120_204500_00001_xyz12", "stats": {"state": "QUEUED", "queued": true},
            "nextUri": format!("{own}/v1/statement/executing/20261120_204500_00001_xyz12/y/1")});
        match asked.uri.path().rsplit('/').next() {
            Some("statement") if lists(asked) => text(200, queued.to_string()),
            Some("statement") if describes(asked) => text(200, columns().to_string()),
            Some("statement") => one_row(),
            // A table may continue on the next page.
            Some("1") => page(
                &own,
                Some(2),
                json!([
                    ["web", "orders", "id", "bigint"],
                    ["web", "orders", "amount", "decimal(12,2)"],
                    ["web", "orders", "at", "timestamp(3) with time zone"],
                ]),
            ),
            _ => page(
                &own,
                None,
                json!([
                    ["web", "orders", "tags", "array(varchar)"],
                    ["web", "orders", "code", "char(3)"],
                    ["archive", "old orders", "day", "date"],
                    ["archive", "old orders", "paid", "boolean"],
                    ["archive", "logs.2024", "line", "varchar"],
                ]),
            ),
        }
    })
    .await;
    let (engine, source) = (engine(Limits { rows: 2, ..Limits::default() }), source(&server));
    let tables = engine.tables(&source).await.expect("tables");
    let tables: Vec<_> = tables
        .iter()
        .map(|table| (&*table.name, table.columns.iter().map(|column| (&*column.name, column.kind)).collect::<Vec<_>>()))
        .collect();
    use ColumnType::{Boolean, Date, Json, Number, Text, Timestamp};
    let orders = vec![("id", Number), ("amount", Number), ("at", Timestamp), ("tags", Json), ("code", Text)];
    assert_eq!(tables, [("orders", orders), ("archive.old orders", vec![("day", Date), ("paid", Boolean)])]);
    let listed = server.wait_for(lists).await;
    assert_eq!(
        listed.body,
        "SELECT table_schema, table_name, column_name, data_type FROM information_schema.columns \
         WHERE table_schema NOT IN ('information_schema', 'pg_catalog') \
         ORDER BY table_schema <> 'web', table_schema, table_name, ordinal_position"
    );
    assert_eq!(listed.header("x-trino-catalog"), "hive");
    let sample = engine.sample(&source, "archive.old orders", 1).await.expect("rows");
    assert_eq!(json!(sample.rows), json!([[1]]));
    let described = server.wait_for(|asked| describes(asked) && !lists(asked)).await;
    assert!(described.body.ends_with("USING 'archive', 'old orders'"), "{}", described.body);
    let sampled = server.wait_for(|asked| asked.method == Method::POST && !describes(asked)).await;
    let (select, rest) = sampled.body.split_once("\"inlay_row\".\"id\" AS \"id\"").expect("its columns");
    assert_eq!(select, "SELECT * FROM (SELECT ");
    assert!(rest.ends_with("FROM \"archive\".\"old orders\" AS \"inlay_row\") AS \"old orders\" LIMIT 1"), "{rest}");
}

#[tokio::test]
async fn without_a_catalogue_nothing_is_listed() {
    let error = json!({"message": "line 1:81: Catalog must be specified when session catalog is not set", "errorCode": 73,
        "errorName": "MISSING_CATALOG_NAME", "errorType": "USER_ERROR"});
    let server =
        Server::new(move |_, _| text(200, json!({"id": "1", "stats": {"state": "FAILED"}, "error": error}).to_string())).await;
    let nowhere = Source { url: format!("trino://ada@{}", server.address), ..source(&server) };
    let problem = engine(Limits::default()).tables(&nowhere).await.expect_err("no tables");
    assert_eq!((problem.code().as_str(), problem.detail().contains("MISSING_CATALOG_NAME")), ("QUERY_FAILED", true));
}
