//! `ClickHouse`'s protocol: the requests, and the result of each kind of response.

use crate::{
    databases::{engine, filter, query, rule, table, viewer},
    server::{Asked, Server, broken, bytes, longest_pause, sent, text, unfinished},
};
use axum::response::Response;
use chrono_tz::Tz;
use inlay_contract::filter::FilterValue;
use inlay_contract::{data::ColumnType, ids::ConnectionId};
use inlay_query::{Catalog, DatabaseAuth, Engine, Limits, Query, RowAccess, SecurityContext, Source, SourceKind, shape};
use serde_json::json;
use std::time::Duration;

const COLUMNS: &str = "[\"name\",\"type\"]\n[\"String\",\"String\"]\n[\"id\",\"UInt64\"]\n[\"company_id\",\"LowCardinality(String)\"]\n\
    [\"amount\",\"Nullable(Decimal(18, 2))\"]\n[\"at\",\"DateTime\"]\n[\"day\",\"Date\"]\n[\"margin\",\"Int32\"]\n[\"odd\\\\name\",\"Int8\"]\n";

fn describes(asked: &Asked) -> bool {
    asked.part("query").is_some_and(|sql| sql.contains("system.columns"))
}

fn kills(asked: &Asked) -> bool {
    asked.part("query").is_some_and(|sql| sql.starts_with("KILL QUERY"))
}

/// A server that knows the columns and gives these responses to queries.
async fn answering(answer: impl Fn(&Asked) -> Response + Send + Sync + 'static) -> Server {
    Server::new(move |asked, _| if describes(asked) { text(200, COLUMNS) } else { answer(asked) }).await
}

fn source(server: &Server) -> Source {
    let url = format!("clickhouse://ada:s3cret@{}/sales", server.address);
    Source::new(ConnectionId::generate(), "warehouse", SourceKind::Clickhouse, url)
}

fn catalog() -> Catalog {
    Catalog::new(vec![
        table("orders", rule("company_id = {{organization.company}}"), &["margin"]),
        table("archive.orders_of_old", RowAccess::All, &[]),
    ])
}

async fn ask(engine: &Engine, source: &Source, sql: &str) -> Result<serde_json::Value, String> {
    let answer = engine.run(source, &catalog(), &viewer("a'\\c\tme"), &query(sql)).await;
    answer.map(|answer| json!(answer.rows)).map_err(|problem| format!("{} {}", problem.code().as_str(), problem.detail()))
}

#[tokio::test]
async fn rules_and_values_reach_the_server_apart_from_each_other() {
    let server = answering(|_| text(200, "[\"id\"]\n[\"UInt64\"]\n[\"18446744073709551615\"]\n")).await;
    let (engine, source) = (engine(Limits { rows: 10, ..Limits::default() }), source(&server));
    let filters = vec![
        filter("orders", "amount", json!([10.5, "20"])),
        filter("orders", "at", json!({"from": "2024-02-28"})),
        filter("orders", "day", json!("2024-02-28")),
    ];
    let question =
        Query { filters, zone: Tz::Europe__Berlin, ..query("select id from orders o where id in (1, 2) order by 1") };
    let answer = engine.run(&source, &catalog(), &viewer("a'\\c\tme"), &question).await.expect("an answer");
    assert_eq!(json!(answer.rows), json!([["18446744073709551615"]]));
    assert_eq!(answer.columns[0].kind, ColumnType::Number);
    let asked = server.wait_for(|asked| !describes(asked)).await;
    assert_eq!(
        asked.part("query").expect("SQL"),
        "SELECT `id` FROM (SELECT `inlay_row`.`id` AS `id`, `inlay_row`.`company_id` AS `company_id`, `inlay_row`.`amount` AS `amount`, \
         `inlay_row`.`at` AS `at`, `inlay_row`.`day` AS `day` FROM `orders` AS `inlay_row` \
         WHERE (`inlay_row`.`company_id` = {p1:String}) AND (`inlay_row`.`amount` IN (CAST({p2:String} AS DECIMAL(76,30)), {p3:Int64})) \
         AND (`inlay_row`.`at` >= CAST({p4:String} AS DateTime64(6, 'UTC'))) AND (`inlay_row`.`day` IN (CAST({p5:String} AS Date32))) \
         LIMIT 9223372036854775807) `o` WHERE `id` IN (1, 2) ORDER BY 1"
    );
    let values = ["a'\\\\c\\tme", "10.5", "20", "2024-02-27 23:00:00.000000", "2024-02-28"];
    for (place, value) in values.into_iter().enumerate() {
        assert_eq!(asked.part(&format!("param_p{}", place + 1)).as_deref(), Some(value));
    }
    for (name, value) in [
        ("readonly", "1"),
        ("default_format", "JSONCompactEachRowWithNamesAndTypes"),
        ("limit", "11"),
        // The rule reads no time, so the viewer's days are used.
        ("session_timezone", "Europe/Berlin"),
        ("output_format_json_quote_64bit_integers", "1"),
        ("output_format_json_quote_decimals", "1"),
    ] {
        assert_eq!(asked.parameter(name).as_deref(), Some(value), "{name}");
    }
    // What is left of it after waiting for a place.
    let seconds: f64 = asked.parameter("max_execution_time").expect("a limit").parse().expect("seconds");
    assert!((29.0..=30.0).contains(&seconds), "{seconds}");
    assert_eq!((asked.header("x-clickhouse-user"), asked.header("x-clickhouse-key")), ("ada", "s3cret"));
    assert_eq!(asked.header("x-clickhouse-database"), "sales");
    let address = asked.uri.to_string();
    assert!(!address.contains("s3cret") && !address.contains("param_") && !address.contains("cme"), "{address}");
    let described = server.wait_for(describes).await;
    assert_eq!((described.part("param_p1").as_deref(), described.part("param_p2").as_deref()), (Some(""), Some("orders")));
}

#[tokio::test]
async fn what_could_reach_other_tables_or_settings_is_refused_before_it_is_sent() {
    let server = answering(|_| text(200, "[\"x\"]\n[\"String\"]\n[\"MARK\"]\n")).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    for sql in [
        "select * from system.tables",
        "select * from url('http://x', CSV)",
        "select * from file('/etc/passwd')",
        "select * from remote('x', a.b)",
        "select * from s3('x')",
        "select * from numbers(10)",
        "select * from merge('sales', '.*')",
        "select * from orders final",
        "select * from orders sample 0.1",
        "select * from orders any join orders b on 1 = 1",
        "select * from orders settings max_execution_time = 1000",
        "select * from orders format CSV",
        "select * from orders into outfile 'x'",
        "select * from orders where id in unlisted",
        "select * from orders where id in (unlisted)",
        "select * from orders where id in ((unlisted))",
        "select * from orders where id not in (sales.unlisted)",
        "select * from orders where (id, 1) in (unlisted)",
        "select * from orders where id in (orders)",
        "select in(id, unlisted) from orders",
        "select id global in (select 1) from orders",
        "select dictGet('d', 'a', id) from orders",
        "select joinGet('j', 'a', id) from orders",
        "select file('/etc/passwd') from orders",
        "select getSetting('SQL_tenant') from orders",
        "select currentUser() from orders",
        "select hostName() from orders",
        "select sleep(3) from orders",
        "select hasColumnInTable('sales', 'unlisted', 'a') from orders",
        "select columns('.*') from orders",
        "select * except (id) from orders",
        "select * apply(max) from orders",
        "select x -> x from orders",
        "select id from orders limit 1 by id",
        "select id from orders order by id with fill",
        "select id from orders array join [1, 2] as a",
        "select id from orders prewhere 1",
        "with (select 1) as x select x from orders",
        "select 'a\\'b' from orders",
        "select {p1:String} from orders",
        "select quantile((select 1))(id) from orders",
        "select id from orders group by id with totals",
        "select cast(id as Array(String)) from orders",
        "select * from orders union by name select 1",
    ] {
        let answer = ask(&engine, &source, sql).await;
        assert!(answer.as_ref().is_err_and(|problem| problem.starts_with("QUERY_FAILED")), "{sql}: {answer:?}");
    }
    assert!(server.asked().iter().all(describes), "nothing was asked: {:?}", server.asked());
}

#[tokio::test]
async fn ordinary_charts_pass() {
    let server = answering(|_| text(200, "[\"x\"]\n[\"String\"]\n")).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    for sql in [
        "select toStartOfMonth(at) as month, count(), sum(amount), uniqExact(company_id) from orders group by month order by month",
        "select quantile(0.9)(amount), quantiles(0.5, 0.9)(amount), countIf(amount > 1), avg(amount) from orders",
        "select toString(id), cast(id as String), cast(amount as Nullable(Float64)), toDate(at) from orders where company_id ilike 'A%'",
        "select date_diff(day, at, now()), dateDiff('month', at, now()), at + interval 1 day, toYear(day) from orders",
        "select id, row_number() over (partition by company_id order by id) from orders limit 5, 10",
        "select o.id, a.id from orders as o left join archive.orders_of_old a on a.id = o.id",
        "with o as (select * from orders) select * from o union all select * from o",
        "select if(amount > 1, 'a', 'b'), multiIf(amount > 1, 'x', amount > 2, 'y', 'z'), coalesce(company_id, 'none') from orders",
        "select company_id, sum(amount) from orders group by cube(company_id)",
    ] {
        assert_eq!(ask(&engine, &source, sql).await, Ok(json!([])), "{sql}");
    }
    let cast = server.wait_for(|asked| asked.part("query").is_some_and(|sql| sql.contains("CAST(`id` AS"))).await;
    assert!(cast.part("query").is_some_and(|sql| sql.contains("CAST(`id` AS TEXT)") && sql.contains("toString(`id`)")));
}

#[tokio::test]
async fn errors_wherever_they_come_leave_no_rows() {
    type Case = (fn(&Asked) -> Response, &'static str);
    let cases: [Case; 9] = [
        (|_| text(404, "Code: 60. DB::Exception: Table sales.orders does not exist. (UNKNOWN_TABLE)"), "QUERY_FAILED"),
        (|_| text(403, "Code: 516. DB::Exception: ada: Authentication failed"), "SOURCE_UNAVAILABLE"),
        (|_| text(500, "Code: 159. DB::Exception: Timeout exceeded"), "QUERY_TIMEOUT"),
        (|_| text(200, "[\"id\"]\n[\"UInt64\"]\n[\"1\"]\nCode: 395. DB::Exception: Value 'MARK' passed"), "QUERY_FAILED"),
        (
            |_| text(200, "[\"id\"]\n[\"UInt64\"]\n[\"1\"]\n{\"exception\": \"Code: 159. DB::Exception: MARK\"}\n"),
            "QUERY_TIMEOUT",
        ),
        (|_| broken("[\"id\"]\n[\"UInt64\"]\n[\"1\"]\n"), "SOURCE_UNAVAILABLE"),
        (|_| text(502, "<html>MARK</html>"), "SOURCE_UNAVAILABLE"),
        (|_| text(200, ""), "SOURCE_UNAVAILABLE"),
        (
            |asked| {
                let mut moved = text(307, "");
                let host = asked.header("host").replace("127.0.0.1", "localhost");
                moved.headers_mut().insert("location", format!("http://{host}/elsewhere").parse().expect("a header"));
                moved
            },
            "SOURCE_UNAVAILABLE",
        ),
    ];
    for (answer, code) in cases {
        let server = answering(answer).await;
        let (engine, source) = (engine(Limits::default()), source(&server));
        let problem = ask(&engine, &source, "select id from orders").await.expect_err("an error");
        assert!(problem.starts_with(code) && !problem.contains("MARK") && !problem.contains("s3cret"), "{problem}");
        assert!(server.asked().iter().all(|asked| asked.uri.path() == "/"));
    }
}

#[tokio::test]
async fn what_nobody_waits_for_is_killed_in_the_server() {
    let server =
        answering(|asked| if kills(asked) { text(200, "") } else { unfinished("[\"id\"]\n[\"UInt64\"]\n[\"1\"]\n") }).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    let long = ask(&engine, &source, "select id from orders");
    assert!(tokio::time::timeout(Duration::from_millis(300), long).await.is_err());
    let asked = server.wait_for(|asked| !describes(asked) && !kills(asked)).await;
    let kill = server.wait_for(kills).await;
    assert_eq!(kill.part("param_id"), asked.parameter("query_id"));
    assert_eq!(kill.parameter("readonly"), None);
}

#[tokio::test]
async fn a_long_answer_is_cut_and_its_rest_not_waited_for() {
    let server =
        answering(|asked| if kills(asked) { text(200, "") } else { unfinished("[\"id\"]\n[\"UInt8\"]\n[1]\n[2]\n[3]\n") })
            .await;
    let (engine, source) = (engine(Limits { rows: 2, ..Limits::default() }), source(&server));
    assert_eq!(engine.describe(&source, "orders").await.expect("all columns").len(), 6);
    let answer = engine.run(&source, &catalog(), &viewer("acme"), &query("select id from orders")).await.expect("an answer");
    assert_eq!((json!(answer.rows), answer.truncated), (json!([[1], [2]]), true));
    server.wait_for(kills).await;
}

#[tokio::test]
async fn a_large_answer_holds_up_no_other_task() {
    let rows: String = (0..40_000).map(|number| format!("[{number}, \"{}\", 1.5, null, true]\n", "x".repeat(40))).collect();
    let whole =
        format!("[\"id\",\"t\",\"f\",\"n\",\"b\"]\n[\"UInt32\",\"String\",\"Float64\",\"Nullable(Int8)\",\"Bool\"]\n{rows}");
    let whole = bytes(whole);
    let server = answering(move |_| sent(&whole)).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    let (catalog, viewer, query) = (catalog(), viewer("acme"), query("select id from orders"));
    let (answer, part) = longest_pause(engine.answer(&source, &catalog, &viewer, &query)).await;
    let rows = answer.expect("an answer").into_data().rows;
    assert!(rows.iter().enumerate().all(|(number, row)| row[0] == number), "in order");
    assert_eq!(rows.len(), 40_000);
    assert!(part < 0.4, "{part}");
}

#[tokio::test]
async fn the_databases_own_row_security_learns_the_token() {
    let server = answering(|_| text(200, "[\"id\"]\n[\"UInt8\"]\n[1]\n")).await;
    let engine = engine(Limits::default());
    let declared = |setting: &str| Source {
        database_auth: Some(DatabaseAuth::VerifiedByDatabase { setting: setting.into() }),
        ..source(&server)
    };
    let with_token = SecurityContext { database_auth_token: Some("t0ken&readonly=0".into()), ..viewer("acme") };
    let sql = query("select id from orders");
    engine.run(&declared("SQL_tenant"), &catalog(), &with_token, &sql).await.expect("an answer");
    let asked = server.wait_for(|asked| !describes(asked)).await;
    assert_eq!(asked.parameter("SQL_tenant").as_deref(), Some("t0ken&readonly=0"));
    assert_eq!(asked.parameter("readonly").as_deref(), Some("1"));
    for setting in ["readonly", "max_memory_usage", "SQL_a b", "SQL_x=1", ""] {
        let answer = engine.run(&declared(setting), &catalog(), &with_token, &sql).await;
        assert_eq!(answer.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_FAILED"), "{setting}");
    }
}

#[tokio::test]
async fn a_table_and_a_column_that_are_there_are_told() {
    let server = answering(|_| text(200, "[\"x\"]\n[\"UInt8\"]\n[1]\n")).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    engine.check(&source).await.expect("it answers");
    let columns = engine.describe(&source, "orders").await.expect("columns");
    let columns: Vec<_> = columns.iter().map(|column| (&*column.name, column.kind)).collect();
    use ColumnType::{Date, Number, Text, Timestamp};
    // A name with special rules is left out.
    let all = [("id", Number), ("company_id", Text), ("amount", Number), ("at", Timestamp), ("day", Date), ("margin", Number)];
    assert_eq!(columns, all);
}

/// The response of `ClickHouse` 26.9 to the listing, for databases with a view, a materialized view and its hidden table, and
/// names that a catalogue cannot contain. <https://clickhouse.com/docs/reference/system-tables/columns> documents its content.
const LISTING: &str = r#"["if(equals(database, currentDatabase()), '', database)","table","name","type"]
["String","String","String","String"]
["",".inner_id.82fa7442-2771-4661-83ed-b1dfe29243ad","day","Date"]
["",".inner_id.82fa7442-2771-4661-83ed-b1dfe29243ad","n","UInt64"]
["","daily","day","Date"]
["","daily","n","UInt64"]
["","orders","id","UInt64"]
["","orders","company_id","LowCardinality(String)"]
["","orders","amount","Nullable(Decimal(18, 2))"]
["","orders","at64","DateTime64(3, 'Europe\/Berlin')"]
["","orders","tags","Array(String)"]
["","orders","kind","Enum8('a' = 1, 'b' = 2)"]
["","orders","ok","Bool"]
["","orders","odd\\name","Int8"]
["","totals","total","Nullable(Decimal(38, 2))"]
["archive","a.b","id","UInt64"]
["archive","orders of old","id","UInt64"]
"#;

#[tokio::test]
async fn an_operator_sees_every_table_with_its_columns_and_first_rows() {
    let lists =
        |asked: &Asked| asked.part("query").is_some_and(|sql| sql.starts_with("SELECT if(database = currentDatabase()"));
    let server = Server::new(move |asked, _| match () {
        () if lists(asked) => text(200, LISTING),
        () if describes(asked) => text(200, "[\"name\",\"type\"]\n[\"String\",\"String\"]\n[\"id\",\"UInt64\"]\n"),
        () => text(200, "[\"id\"]\n[\"UInt64\"]\n[\"7\"]\n"),
    })
    .await;
    let (engine, source) = (engine(Limits { rows: 10, ..Limits::default() }), source(&server));
    let tables = engine.tables(&source).await.expect("tables");
    let tables: Vec<_> = tables
        .iter()
        .map(|table| (&*table.name, table.columns.iter().map(|column| (&*column.name, column.kind)).collect::<Vec<_>>()))
        .collect();
    use ColumnType::{Boolean, Date, Json, Number, Text, Timestamp};
    let orders = vec![
        ("id", Number),
        ("company_id", Text),
        ("amount", Number),
        ("at64", Timestamp),
        ("tags", Json),
        ("kind", Text),
        ("ok", Boolean),
    ];
    assert_eq!(
        tables,
        [
            ("daily", vec![("day", Date), ("n", Number)]),
            ("orders", orders),
            ("totals", vec![("total", Number)]),
            ("archive.orders of old", vec![("id", Number)]),
        ]
    );
    let listed = server.wait_for(lists).await;
    let sql = listed.part("query").expect("SQL");
    for part in [
        "FROM system.columns",
        "database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')",
        "default_kind NOT IN ('ALIAS', 'EPHEMERAL', 'MATERIALIZED')",
        "ORDER BY database <> currentDatabase(), database, table, position",
    ] {
        assert!(sql.contains(part), "{sql}");
    }
    // The row limit does not apply: a table may have more columns than a chart shows rows.
    assert_eq!((listed.parameter("limit").as_deref(), listed.parameter("readonly").as_deref()), (Some("100001"), Some("1")));
    let sample = engine.sample(&source, "archive.orders of old", 5).await.expect("rows");
    assert_eq!(json!(sample.rows), json!([[7]]));
    let described = server.wait_for(|asked| describes(asked) && !lists(asked)).await;
    let key = (described.part("param_p1"), described.part("param_p2"));
    assert_eq!(key, (Some("archive".to_owned()), Some("orders of old".to_owned())));
    let sampled = server.wait_for(|asked| !describes(asked)).await;
    assert_eq!(
        sampled.part("query").as_deref(),
        Some(
            "SELECT * FROM (SELECT `inlay_row`.`id` AS `id` FROM `archive`.`orders of old` AS `inlay_row`) AS `orders of old` LIMIT 5"
        )
    );
}

#[tokio::test]
async fn a_listing_that_breaks_off_lists_nothing() {
    for (answer, code) in [
        (LISTING.to_owned() + "Code: 241. DB::Exception: Memory limit exceeded", "SOURCE_UNAVAILABLE"),
        (LISTING.replace("[\"archive\",\"orders of old\",\"id\",\"UInt64\"]\n", "[\"archive\",\"ord"), "QUERY_FAILED"),
        ("Code: 497. DB::Exception: ada: Not enough privileges".to_owned(), "QUERY_FAILED"),
    ] {
        let server = Server::new(move |_, _| text(200, answer.clone())).await;
        let listed = engine(Limits::default()).tables(&source(&server)).await;
        assert_eq!(listed.map_err(|problem| problem.code().as_str()).err(), Some(code));
    }
}

#[tokio::test]
async fn what_a_mark_stands_for_is_compared_with_what_made_it() {
    let server = answering(|_| text(200, "[\"id\"]\n[\"UInt64\"]\n[\"7\"]\n")).await;
    let (engine, source) = (engine(Limits::default()), source(&server));
    use ColumnType::{Date, Number, Text};
    for (worked_out, kind, value, compared) in [
        ("upper(company_id)", Text, json!("A"), "CAST((upper(`company_id`)) AS TEXT) IN ({p1:String})"),
        ("toStartOfMonth(at)", Date, json!("2024-02-01"), "(toStartOfMonth(`at`)) IN (CAST({p1:String} AS Date32))"),
        // It cannot compare decimals with floating point.
        ("id / 4", Number, json!(0.25), "(`id` / 4) IN ({p1:Float64})"),
        ("id * 2", Number, json!(14), "(`id` * 2) IN ({p1:Int64})"),
    ] {
        let sql = format!("select {worked_out} as x, count(*) as n from orders group by 1");
        let shape = shape(SourceKind::Clickhouse, &sql, &catalog()).expect("it runs").expect("a shape");
        let value = FilterValue::from_json(value).expect("a value");
        let behind = vec![shape.groups[0].condition(Some(value), kind)];
        let question = Query { behind, ..query(&shape.rows(&["id".to_owned()], 5)) };
        engine.run(&source, &catalog(), &viewer("acme"), &question).await.expect("rows");
        let asked =
            server.wait_for(|asked| asked.part("query").is_some_and(|sql| sql.contains(&format!("WHERE ({compared})")))).await;
        let sql = asked.part("query").expect("SQL");
        assert!(sql.contains("WHERE (`inlay_row`.`company_id` = {p2:String}) LIMIT 9223372036854775807"), "{sql}");
    }
}
