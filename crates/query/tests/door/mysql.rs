//! MySQL's peculiarities, on a `MariaDB` server: types, implicit comparisons, sessions.

use crate::databases::{Database, SCHEMA, catalog, in_mysql, query, rule, table, viewer};
use chrono_tz::Tz;
use futures::{StreamExt, future, stream};
use inlay_contract::data::ColumnType;
use inlay_query::{Catalog, DatabaseAuth, Limits, Query, RowAccess, SecurityContext, Source, Table};
use serde_json::{Value, json};
use sqlx::Connection;
use sqlx_mysql::MySqlConnection;
use std::time::{Duration, Instant};

#[tokio::test]
async fn types_come_out_without_loss() {
    let script = r#"create table rates (i tinyint, l bigint, u bigint unsigned, n decimal(10, 2), huge decimal(30, 2), f double, g float,
            b boolean, d date, dt datetime(6), ts timestamp, t text, c char(4), bin varchar(9) collate utf8mb4_bin, e enum('sad', 'ok'),
            y varbinary(4), bits bit(12), yr year, tm time(3), uu uuid, zero date, n0 int);
        insert into rates values (-1, 9223372036854775807, 18446744073709551615, 10.50, 12345678901234567890.12, 0.1, 0.1, true,
            '2001-01-31', '2001-01-31 12:30:00.250000', '2001-01-31 12:30:00', 'x"\ é🙂', 'ab', 'Bin', 'ok', x'00ff', b'100000000001', 2001,
            '-27:00:01.5', '0190a0a0-0000-7000-8000-000000000000', null, null)"#;
    let database = Database::mysql(script, Limits::default()).await;
    let answer = database.ask(&viewer("acme"), &query("select * from rates")).await.expect("an answer");
    let row = json!([
        -1,
        i64::MAX,
        "18446744073709551615",
        10.5,
        "12345678901234567890.12",
        0.1,
        0.1,
        true,
        "2001-01-31",
        "2001-01-31T12:30:00.25",
        "2001-01-31T12:30:00Z",
        "x\"\\ é🙂",
        "ab",
        "Bin",
        "ok",
        "AP8=",
        2049,
        2001,
        "-27:00:01.5",
        "0190a0a0-0000-7000-8000-000000000000",
        null,
        null
    ]);
    assert_eq!(json!(answer.rows[0]).to_string(), row.to_string());
    use ColumnType::{Boolean, Date, Number, Text, Timestamp};
    assert_eq!(
        answer.columns.iter().map(|column| column.kind).collect::<Vec<_>>(),
        [
            Number, Number, Number, Number, Number, Number, Number, Boolean, Date, Timestamp, Timestamp, Text, Text, Text,
            Text, Text, Number, Number, Text, Text, Date, Number
        ]
    );
    let computed = "select null as a, sum(n) as b, avg(i) as c, count(*) as d, l - 1 + 1 as e, max(dt) as f, json_object('k', 1) as g, \
        concat(i, 'x') as h, 1 = 1 as i, date_format(d, '%Y-%m') as j from rates";
    let rows = database.rows("acme", computed).await;
    let expected = json!([[null, 10.5, -1, 1, i64::MAX, "2001-01-31T12:30:00.25", "{\"k\": 1}", "-1x", 1, "2001-01"]]);
    assert_eq!(json!(rows).to_string(), expected.to_string().replace(&i64::MAX.to_string(), "9223372036854775807"));
    database.remove().await;
}

/// Values that a collation considers equal, and values that are converted to 0.
const ALIKE: &str = "
    create table things (id int, t varchar(20), l varchar(20) character set latin1, e enum('acme', 'zero'), i int, n decimal(40, 10),
        f double, g float, b boolean, d date, dt datetime, ts timestamp null, u uuid, y varbinary(9));
    insert into things values
        (1, 'acme', 'acme', 'acme', 5, 5.5, 0.1, 0.1, true, '2001-01-31', '2001-01-31', '2001-01-31', '0190a0a0-0000-7000-8000-000000000000', 'acme'),
        (2, 'ACME', 'ACME', 'zero', 0, 12345678901234567890.1, 0, 0, false, '2001-01-30', '2001-01-30', '2001-01-30', null, ''),
        (3, 'acme ', 'acme ', null, 6, 12345678901234567890.2, 1, 1, false, null, null, null, null, 'acme '),
        (4, 'ácme', 'ácme', null, null, null, null, null, null, null, null, null, null, null),
        (5, 'zero', 'zero', null, 1, 0, 2, 2, null, null, null, null, null, null),
        (6, '5 apples', 'acme\0', null, 50, 5, 3, 3, null, null, null, null, null, null);";

async fn kept(database: &Database, text: &str, value: Value) -> Result<Value, &'static str> {
    let catalog = Catalog::new(vec![table("things", rule(text), &[])]);
    let sql = "select id from things order by id";
    let answer = database.engine.run(&database.source, &catalog, &viewer(value), &query(sql)).await;
    answer.map(|answer| answer.rows.into_iter().flatten().collect()).map_err(|problem| problem.code().as_str())
}

#[tokio::test]
async fn rules_compare_text_byte_by_byte() {
    let database = Database::mysql(ALIKE, Limits::default()).await;
    for (text, value, ids) in [
        ("t = {{organization.company}}", json!("acme"), json!([1])),
        ("t = {{organization.company}}", json!("ACME"), json!([2])),
        ("t = {{organization.company}}", json!("acme "), json!([3])),
        ("{{organization.company}} = t", json!("ácme"), json!([4])),
        ("t = {{organization.company}}", json!("Zero"), json!([])),
        ("t = {{organization.company}}", json!(""), json!([])),
        ("t = {{organization.company}}", json!(0), json!([])),
        ("t = {{organization.company}}", json!(5), json!([])),
        ("l = {{organization.company}}", json!("acme"), json!([1])),
        ("l = {{organization.company}}", json!("ácme"), json!([4])),
        ("l = {{organization.company}}", json!("公司"), json!([])),
        ("e = {{organization.company}}", json!("zero"), json!([2])),
        ("e = {{organization.company}}", json!("ACME"), json!([])),
        ("e = {{organization.company}}", json!(1), json!([])),
        ("t in ({{organization.company}})", json!(["acme", "ZERO"]), json!([1])),
        ("t in ({{organization.company}})", json!(["ácme", "zero"]), json!([4, 5])),
        ("t in ({{organization.company}}, 'ACME')", json!(["acme"]), json!([1, 2])),
        ("t not in ({{organization.company}})", json!(["acme", "zero"]), json!([2, 3, 4, 6])),
        ("t <> {{organization.company}}", json!("acme"), json!([2, 3, 4, 5, 6])),
        ("not t = {{organization.company}}", json!("acme"), json!([2, 3, 4, 5, 6])),
        ("t between {{organization.company}} and 'acme'", json!("acme"), json!([1])),
        ("lower(t) = lower({{organization.company}})", json!("Acme"), json!([1, 2])),
        ("t || '' = {{organization.company}}", json!("acme"), json!([1])),
        ("coalesce(t, 'x') = {{organization.company}}", json!("acme"), json!([1])),
        ("t = 'acme' and i = {{organization.company}}", json!(5), json!([1])),
        ("t like 'a%' and i >= {{organization.company}}", json!(0), json!([1, 3])),
        ("t = 'it''s \\\\' or i = {{organization.company}}", json!(5), json!([1])),
    ] {
        assert_eq!(kept(&database, text, value.clone()).await, Ok(ids), "{text} {value}");
    }
    database.remove().await;
}

#[tokio::test]
async fn rules_compare_numbers_and_times_exactly() {
    let database = Database::mysql(ALIKE, Limits::default()).await;
    for (text, value, ids) in [
        ("i = {{organization.company}}", json!(5), json!([1])),
        ("i = {{organization.company}}", json!("5"), json!([1])),
        ("i = {{organization.company}}", json!(5.5), json!([])),
        ("i < {{organization.company}}", json!(5.5), json!([1, 2, 5])),
        ("n = {{organization.company}}", json!("12345678901234567890.1"), json!([2])),
        ("n >= {{organization.company}}", json!("12345678901234567890.15"), json!([3])),
        ("n = {{organization.company}}", json!("5.50"), json!([1])),
        ("n = {{organization.company}}", json!(5.5), json!([1])),
        ("f = {{organization.company}}", json!(0.1), json!([1])),
        ("g = {{organization.company}}", json!(0.1), json!([1])),
        ("b = {{organization.company}}", json!(true), json!([1])),
        ("b and i = {{organization.company}}", json!(5), json!([1])),
        ("b = false and i = {{organization.company}}", json!(6), json!([3])),
        ("d = {{organization.company}}", json!("2001-01-31"), json!([1])),
        ("d < {{organization.company}}", json!("2001-01-31T00:00:00"), json!([2])),
        ("dt = {{organization.company}}", json!("2001-01-31"), json!([1])),
        ("ts = {{organization.company}}", json!("2001-01-31T02:00:00+02:00"), json!([1])),
        ("ts < {{organization.company}}", json!("9999-12-31"), json!([1, 2])),
        ("ts > {{organization.company}}", json!("9999-12-31"), json!([])),
        ("u = {{organization.company}}", json!("0190A0A0-0000-7000-8000-000000000000"), json!([1])),
        ("d >= '2001-01-31' and i = {{organization.company}}", json!(5), json!([1])),
        ("year(d) = 2001 or i = {{organization.company}}", json!(5), json!(null)),
    ] {
        let expected = if ids.is_null() { Err("ROW_RULE_UNRESOLVED") } else { Ok(ids) };
        assert_eq!(kept(&database, text, value.clone()).await, expected, "{text} {value}");
    }
    database.remove().await;
}

#[tokio::test]
async fn rules_that_would_turn_one_type_into_another_are_refused() {
    let database = Database::mysql(ALIKE, Limits::default()).await;
    for text in [
        // 'acme' is 0 there, and 0 equals every text that does not begin with a digit.
        "t = 0 and i = {{organization.company}}",
        "i = 'acme' or i = {{organization.company}}",
        "t in (0, 1) and i = {{organization.company}}",
        "t between 0 and 1 and i = {{organization.company}}",
        "t and i = {{organization.company}}",
        "not t and i = {{organization.company}}",
        "t + 0 = {{organization.company}}",
        "-t = {{organization.company}}",
        "abs(t) = {{organization.company}}",
        "cast(t as signed) = {{organization.company}}",
        "cast(t as decimal(10, 2)) = {{organization.company}}",
        "coalesce(i, t) = {{organization.company}}",
        "coalesce(t, i) = 'x' and i = {{organization.company}}",
        "nullif(t, 0) is null and i = {{organization.company}}",
        "(t = 'x') = {{organization.company}}",
        "d >= 'abc' and i = {{organization.company}}",
        "d = 0 and i = {{organization.company}}",
        "y = {{organization.company}}",
        "i like '5%' and i = {{organization.company}}",
        "lower({{organization.company}}) = i",
        "@x = {{organization.company}}",
        "i = {{organization.company}} # comment",
        "i = {{organization.company}} /*! or 1 = 1 */",
    ] {
        assert_eq!(kept(&database, text, json!(5)).await, Err("ROW_RULE_UNRESOLVED"), "{text}");
    }
    for (text, value) in [("i = {{organization.company}}", json!("abc")), ("n = {{organization.company}}", json!("1e40"))] {
        assert_eq!(kept(&database, text, value).await, Err("ROW_RULE_UNRESOLVED"), "{text}");
    }
    database.remove().await;
}

#[tokio::test]
async fn text_means_the_same_in_every_mode() {
    let database = Database::mysql(&in_mysql(SCHEMA), Limits::default()).await;
    for (sql, row) in [
        (
            r#"select "text", 'it\'s', 'a\\b', "a""b", 'x' 'y', '\n' from orders where id = 1"#,
            json!(["text", "it's", "a\\b", "a\"b", "xy", "\n"]),
        ),
        (r"select '\' or 1 = 1 -- ', `region` from orders where id = 1", json!(["' or 1 = 1 -- ", "north"])),
        ("select 'a' || region || 'b', not 1 = 2 from orders where id = 1", json!(["anorthb", 1])),
        ("select region as 'the region', id \"the id\" from orders where id = 1", json!(["north", 1])),
        ("select /*! 1 + */ id /*!99999 , margin */ from orders where id = 1 # margin", json!([1])),
        ("select 5--1, id from orders where id = 1 -- margin", json!([6, 1])),
        ("select region from orders where region regexp '^n\\\\w+h$' and id = 1", json!(["north"])),
        (
            "select timestampdiff(month, '2001-01-31', date '2001-04-01'), 7 div 2, placed + interval 1 day from orders where id = 1",
            json!([2, 3, "2024-01-16"]),
        ),
        ("select group_concat(id order by id separator ' - ') from orders", json!(["1 - 2 - 3 - 4"])),
    ] {
        let answer = database.ask(&viewer("acme"), &query(sql)).await;
        assert_eq!(
            answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.detail().to_owned()),
            Ok(json!([row])),
            "{sql}"
        );
    }
    database.remove().await;
}

/// A view that the database itself guards with a session variable, and an account that can only read it.
const GUARDED: &str = "
    create table ledger_of_all (id int, tenant varchar(20));
    insert into ledger_of_all values (1, 'acme'), (2, 'globex');
    create function tenant() returns varchar(20) not deterministic no sql return @`app.tenant`;
    create view ledger as select id from ledger_of_all where tenant = tenant();";

async fn guarded(connections: u32) -> (Database, Source, Catalog) {
    let limits = Limits { connections, cache_ttl: Duration::from_millis(1), ..Limits::default() };
    let database = Database::mysql(GUARDED, limits).await;
    let property = "organization.company".parse().expect("a property");
    let auth = DatabaseAuth::Equals { setting: "@app.tenant".into(), property };
    let source = Source { database_auth: Some(auth), ..database.source.clone() };
    (database, source, Catalog::new(vec![table("ledger", RowAccess::All, &[])]))
}

fn with_token(company: &str, token: Option<&str>) -> SecurityContext {
    SecurityContext { database_auth_token: token.map(str::to_owned), ..viewer(company) }
}

#[tokio::test]
async fn the_databases_own_row_security_learns_the_token() {
    let (database, source, catalog) = guarded(1).await;
    let ask = async |source: &Source, viewer: SecurityContext| {
        let answer = database.engine.run(source, &catalog, &viewer, &query("select id from ledger")).await;
        answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
    };
    assert_eq!(ask(&source, with_token("acme", Some("acme"))).await, Ok(json!([[1]])));
    assert_eq!(ask(&source, with_token("globex", Some("globex"))).await, Ok(json!([[2]])));
    for (company, token) in [("acme", Some("globex")), ("acme", None)] {
        assert_eq!(ask(&source, with_token(company, token)).await, Err("QUERY_FAILED"), "{token:?}");
    }
    // Without `databaseAuth`, the variable is empty on the same connection.
    let undeclared = Source { database_auth: None, ..source.clone() };
    assert_eq!(ask(&undeclared, with_token("acme", Some("acme"))).await, Ok(json!([])));
    for setting in ["@@sql_mode", "sql_mode = '', @x", "", "@"] {
        let auth = DatabaseAuth::VerifiedByDatabase { setting: setting.into() };
        let odd = Source { database_auth: Some(auth), ..source.clone() };
        assert_eq!(ask(&odd, with_token("acme", Some("acme"))).await, Err("QUERY_FAILED"), "{setting}");
    }
    database.remove().await;
}

#[tokio::test]
async fn a_token_never_stays_on_a_shared_connection() {
    let (database, source, catalog) = guarded(1).await;
    let ask = |number: usize| {
        let (company, id) = if number.is_multiple_of(2) { ("acme", 1) } else { ("globex", 2) };
        let (engine, source, catalog) = (database.engine.clone(), source.clone(), catalog.clone());
        async move {
            let question = query(&format!("select id, {number} as n from ledger"));
            let viewer = with_token(company, Some(company));
            let run = engine.run(&source, &catalog, &viewer, &question);
            if number.is_multiple_of(97) {
                // Cancelled while it runs.
                drop(tokio::time::timeout(Duration::from_micros(50 * number as u64), run).await);
            } else if number.is_multiple_of(31) {
                // Fails in the database.
                let wrong = query(&format!("select nothing, {number} as n from ledger"));
                drop(run);
                engine.run(&source, &catalog, &viewer, &wrong).await.expect_err("no such column");
            } else {
                assert_eq!(json!(run.await.expect("an answer").rows), json!([[id, number]]));
            }
        }
    };
    // 25 at a time, so that on a busy machine, too, none waits longer than the limit.
    stream::iter((0..1_000).map(ask)).buffer_unordered(25).for_each(|()| future::ready(())).await;
    database.remove().await;
}

#[tokio::test]
async fn a_view_that_writes_is_stopped_by_the_session() {
    let script = "create table log (at int);
        create function note() returns int not deterministic modifies sql data begin insert into log values (1); return 1; end;
        create view rates as select note() as id";
    let database = Database::mysql(script, Limits::default()).await;
    let answer = database.ask(&viewer("acme"), &query("select id from rates")).await;
    assert_eq!(answer.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_FAILED"));
    database.remove().await;
}

#[tokio::test]
async fn what_nobody_waits_for_is_stopped_in_the_server() {
    let limits = Limits { connections: 1, timeout: Duration::from_secs(60), ..Limits::default() };
    let database = Database::mysql(&in_mysql(SCHEMA), limits).await;
    let busy = async || {
        let mut connection = MySqlConnection::connect(&database.source.url).await.expect("a connection");
        let sql = "select count(*) from information_schema.processlist where db = database() and info like '%inlay_cte%' and id <> connection_id()";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut connection).await.expect("a number")
    };
    let long = query(
        "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) select count(*) from n a, n b, n c, n d",
    );
    let asked = viewer("acme");
    let run = database.ask(&asked, &long);
    assert!(tokio::time::timeout(Duration::from_millis(500), run).await.is_err(), "it goes on");
    let start = Instant::now();
    while busy().await > 0 {
        assert!(start.elapsed() < Duration::from_secs(5), "the work goes on");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(json!(database.rows("acme", "select count(*) from orders").await), json!([[4]]));
    database.remove().await;
}

#[tokio::test]
async fn a_cut_answer_costs_its_connection_only_when_much_of_it_is_left() {
    let limits = Limits { connections: 1, rows: 3, ..Limits::default() };
    let database = Database::mysql(&in_mysql(SCHEMA), limits).await;
    let newest = "select cast(coalesce(max(id), 0) as signed) from information_schema.processlist where db = database() and id <> connection_id()";
    // A server lists a connection for some moments after it has ended.
    let soon = async |sql: String, wanted: i64| {
        for _ in 0..250 {
            if database.number(&sql).await == wanted {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        false
    };
    let many = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 50000) select i from n";
    let cut = async |sql: &str, zone: Tz| {
        let answer = database.ask(&viewer("acme"), &Query { zone, ..query(sql) }).await.expect("an answer");
        assert_eq!((answer.rows.len(), answer.truncated), (3, true), "{sql}");
    };
    cut(many, Tz::UTC).await;
    let first = database.number(newest).await;
    cut("select id from orders order by id", Tz::UTC).await;
    cut("select id from orders order by id desc", Tz::Europe__Berlin).await;
    assert!(soon(newest.to_owned(), first).await, "the session's limit of rows has left nothing but the end");
    // A limit in the text counts in place of the session's.
    cut(&format!("{many} order by i limit 40000"), Tz::Europe__Berlin).await;
    let listed = format!("select count(*) from information_schema.processlist where id = {first}");
    assert!(soon(listed, 0).await, "ended with its query");
    assert_eq!(json!(database.rows("acme", "select count(*) from orders").await), json!([[4]]));
    database.remove().await;
}

#[tokio::test]
async fn two_tables_that_differ_in_case_are_never_taken_for_each_other() {
    let script = "create table Orders (id int, company_id varchar(20)); insert into Orders values (99, 'acme');";
    let database = Database::mysql(&format!("{}{script}", in_mysql(SCHEMA)), Limits::default()).await;
    let columns = database.engine.describe(&database.source, "Orders").await.expect("columns");
    assert_eq!(columns.len(), 2);
    let tables = database.engine.tables(&database.source).await.expect("tables");
    let count = |name: &str| tables.iter().find(|table| table.name == name).map(|table| table.columns.len());
    assert_eq!((count("Orders"), count("orders")), (Some(2), Some(6)), "{tables:?}");
    assert_eq!(json!(database.rows("acme", "select count(*) from ORDERS").await), json!([[4]]));
    let with = |more: Table| Catalog::new(catalog().into_tables().into_iter().chain([more]).collect());
    let both = with(table("Orders", RowAccess::All, &[]));
    let answer = database.engine.run(&database.source, &both, &viewer("acme"), &query("select id from orders")).await;
    assert_eq!(answer.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_FAILED"));
    // Two entries could mean the same table in the connection's own database, so it would be unclear which rule applies.
    let url: url::Url = database.source.url.parse().expect("an address");
    let twice = with(table(&format!("{}.orders", url.path().trim_start_matches('/')), RowAccess::All, &[]));
    for sql in ["select id from orders".to_owned(), format!("select id from {}.orders", url.path().trim_start_matches('/'))] {
        let answer = database.engine.run(&database.source, &twice, &viewer("acme"), &query(&sql)).await;
        assert_eq!(answer.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_FAILED"), "{sql}");
    }
    database.remove().await;
}
