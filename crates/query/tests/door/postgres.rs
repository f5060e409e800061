//! PostgreSQL's peculiarities: types, the database's own row security, transactions.

use crate::databases::{Database, SCHEMA, catalog, query, rule, table, viewer};
use futures::{StreamExt, future, stream};
use inlay_contract::data::ColumnType;
use inlay_query::{Catalog, DatabaseAuth, Limits, RowAccess, SecurityContext, Source};
use serde_json::{Value, json};

#[tokio::test]
async fn types_come_out_without_loss() {
    let script = "create type mood as enum ('sad', 'ok');
        create table rates (i smallint, l bigint, n numeric, huge numeric, f double precision, g real, b boolean, d date,
            ts timestamp, tz timestamptz, t text, c char(4), u uuid, j jsonb, e mood, a integer[], y bytea, iv interval, nan float8);
        insert into rates values (1, 9223372036854775807, 10.50, 12345678901234567890.12, 0.1, 0.1, true, '2001-01-31',
            '2001-01-31 12:30:00', '2001-01-31 12:30:00+02', 'x\"\\', 'ab', '0190a0a0-0000-7000-8000-000000000000', '{\"k\": [1, null]}',
            'ok', '{1,2}', '\\x00ff', '1 day', 'NaN')";
    let database = Database::postgres(script, Limits::default()).await;
    let answer = database.ask(&viewer("acme"), &query("select * from rates")).await.expect("an answer");
    let row = json!([
        1, i64::MAX, 10.5, "12345678901234567890.12", 0.1, 0.1, true, "2001-01-31", "2001-01-31T12:30:00", "2001-01-31T10:30:00Z",
        "x\"\\", "ab  ", "0190a0a0-0000-7000-8000-000000000000", {"k": [1, null]}, "ok", [1, 2], "AP8=", "1 day", null
    ]);
    assert_eq!(json!(answer.rows[0]).to_string(), row.to_string());
    use ColumnType::{Boolean, Date, Json, Number, Text, Timestamp};
    assert_eq!(
        answer.columns.iter().map(|column| column.kind).collect::<Vec<_>>(),
        [
            Number, Number, Number, Number, Number, Number, Boolean, Date, Timestamp, Timestamp, Text, Text, Text, Json, Text,
            Json, Text, Text, Number
        ]
    );
    database.remove().await;
}

#[tokio::test]
async fn rules_compare_with_every_type() {
    let script = "create type mood as enum ('sad', 'ok'); create domain code as text;
        create table things (id int, i int, n numeric, f float8, g real, t text, v varchar(9), c char(4), u uuid, b boolean, d date,
            ts timestamp, tz timestamptz, e mood, k code, j jsonb);
        insert into things values (1, 5, 5.5, 0.1, 0.1, 'x', 'x', 'x', '0190a0a0-0000-7000-8000-000000000000', true, '2001-01-31',
            '2001-01-31', '2001-01-31 00:00Z', 'ok', 'x', '{}');
        insert into things (id) values (2)";
    let database = Database::postgres(script, Limits::default()).await;
    let ask = async |column: &str, value: Value| {
        let text = format!("{column} = {{{{organization.company}}}}");
        let catalog = Catalog::new(vec![table("things", rule(&text), &[])]);
        let answer = database.engine.run(&database.source, &catalog, &viewer(value), &query("select id from things")).await;
        answer.map(|answer| answer.rows.len()).map_err(|problem| problem.code().as_str())
    };
    for (column, value) in [
        ("i", json!(5)),
        ("i", json!("5")),
        ("n", json!(5.5)),
        ("n", json!("5.50")),
        ("f", json!(0.1)),
        ("g", json!(0.1)),
        ("t", json!("x")),
        ("v", json!("x")),
        ("c", json!("x")),
        ("u", json!("0190A0A0-0000-7000-8000-000000000000")),
        ("b", json!(true)),
        ("b", json!("true")),
        ("d", json!("2001-01-31")),
        ("ts", json!("2001-01-31")),
        ("ts", json!("2001-01-31T00:00:00")),
        ("tz", json!("2001-01-31T02:00:00+02:00")),
        ("e", json!("ok")),
        ("k", json!("x")),
    ] {
        assert_eq!(ask(column, value.clone()).await, Ok(1), "{column} {value}");
    }
    for (column, value) in
        [("i", json!(5.5)), ("i", json!(99_999_999_999_i64)), ("t", json!(5)), ("e", json!("none")), ("v", json!("X"))]
    {
        assert_eq!(ask(column, value.clone()).await, Ok(0), "{column} {value}");
    }
    for (column, value) in [
        ("i", json!("x")),
        ("i", json!("")),
        ("u", json!("x")),
        ("b", json!("maybe")),
        ("d", json!("now")),
        ("j", json!("{}")),
        ("n", json!(true)),
    ] {
        assert_eq!(ask(column, value.clone()).await, Err("ROW_RULE_UNRESOLVED"), "{column} {value}");
    }
    database.remove().await;
}

/// A table that the database itself guards, and a role that does not own it.
const GUARDED: &str = "
    create table ledger (id int, tenant text);
    insert into ledger values (1, 'acme'), (2, 'globex');
    alter table ledger enable row level security;
    create policy own on ledger using (tenant = current_setting('app.tenant_id'));
    create table rates (id int);
    do $$ begin
        if not exists (select from pg_roles where rolname = 'inlay_reader') then create role inlay_reader login password 'reader'; end if;
    exception when unique_violation or duplicate_object then null; end $$;
    grant select on all tables in schema public to inlay_reader;";

async fn guarded(connections: u32) -> (Database, Source, Catalog) {
    let limits = Limits { connections, cache_ttl: std::time::Duration::from_millis(1), ..Limits::default() };
    let database = Database::postgres(GUARDED, limits).await;
    let mut url: url::Url = database.source.url.parse().expect("an address");
    url.set_username("inlay_reader").and_then(|()| url.set_password(Some("reader"))).expect("a user");
    let property = "organization.company".parse().expect("a property");
    let auth = DatabaseAuth::Equals { setting: "app.tenant_id".into(), property };
    let source = Source { url: url.to_string(), database_auth: Some(auth), ..database.source.clone() };
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
    for (company, token) in [("acme", Some("globex")), ("acme", Some("")), ("acme", None), ("acme", Some("acme "))] {
        assert_eq!(ask(&source, with_token(company, token)).await, Err("QUERY_FAILED"), "{token:?}");
    }
    let nobody = SecurityContext { database_auth_token: Some("acme".into()), ..SecurityContext::default() };
    assert_eq!(ask(&source, nobody).await, Err("QUERY_FAILED"));
    let opaque =
        Source { database_auth: Some(DatabaseAuth::VerifiedByDatabase { setting: "app.tenant_id".into() }), ..source.clone() };
    assert_eq!(ask(&opaque, with_token("acme", Some("globex"))).await, Ok(json!([[2]])));
    assert_eq!(ask(&opaque, with_token("acme", None)).await, Err("QUERY_FAILED"));
    // A viewer must not choose a setting of the database itself.
    let role = Source { database_auth: Some(DatabaseAuth::VerifiedByDatabase { setting: "role".into() }), ..source.clone() };
    assert_eq!(ask(&role, with_token("acme", Some("postgres"))).await, Err("QUERY_FAILED"));
    // Without `databaseAuth` the token is ignored, and the database returns nothing: the setting is gone from the connection.
    let undeclared = Source { database_auth: None, ..source };
    assert_ne!(ask(&undeclared, with_token("acme", Some("acme"))).await, Ok(json!([[1]])));
    database.remove().await;
}

#[tokio::test]
async fn a_token_never_stays_on_a_shared_connection() {
    let (database, source, catalog) = guarded(1).await;
    let ask = |number: usize| {
        let (company, id) = if number.is_multiple_of(2) { ("acme", 1) } else { ("globex", 2) };
        let (engine, source, catalog) = (database.engine.clone(), source.clone(), catalog.clone());
        async move {
            let sql = format!("select id, {number} as n from ledger");
            let question = query(&sql);
            let viewer = with_token(company, Some(company));
            let run = engine.run(&source, &catalog, &viewer, &question);
            if number.is_multiple_of(35) {
                // Cancelled while it runs, which takes a new connection.
                drop(tokio::time::timeout(std::time::Duration::from_micros(50 * number as u64), run).await);
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
async fn a_view_that_writes_is_stopped_by_the_transaction() {
    let script = "create table log (at int); create function note() returns int language sql as 'insert into log values (1) returning at';
        create view rates as select note() as id";
    let database = Database::postgres(script, Limits::default()).await;
    let answer = database.ask(&viewer("acme"), &query("select id from rates")).await;
    assert_eq!(answer.map_err(|problem| problem.code().as_str()).err(), Some("QUERY_FAILED"));
    database.remove().await;
}

#[tokio::test]
async fn quotes_mean_the_same_to_checker_and_database() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let url: url::Url = database.source.url.parse().expect("an address");
    let name = url.path().trim_start_matches('/').to_owned();
    // With this setting the database would read `\'` as a quote within the text.
    database.execute(&format!("alter database {name} set standard_conforming_strings = off")).await;
    let rows = database.rows("acme", r"select '\' as a, ' or 1=1 --' as b from orders where id = 1").await;
    assert_eq!(json!(rows), json!([["\\", " or 1=1 --"]]));
    database.remove().await;
}

#[tokio::test]
async fn a_table_in_the_search_path_does_not_stand_in_for_a_listed_one() {
    let script = format!(
        "{SCHEMA}; create schema other; create table other.orders (id int, company_id text);
        insert into other.orders values (99, 'acme');"
    );
    let database = Database::postgres(&script, Limits::default()).await;
    let url: url::Url = database.source.url.parse().expect("an address");
    database.execute(&format!("alter database {} set search_path = other, public", url.path().trim_start_matches('/'))).await;
    assert_eq!(json!(database.rows("acme", "select count(*) from orders").await), json!([[4]]));
    let other = Catalog::new(vec![table("other.orders", rule("company_id = {{organization.company}}"), &[])]);
    let ask = async |sql: &str| {
        let answer = database.engine.run(&database.source, &other, &viewer("acme"), &query(sql)).await;
        answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
    };
    assert_eq!(ask("select other.orders.id from other.orders").await, Ok(json!([[99]])));
    assert_eq!(ask("select id from orders").await, Err("QUERY_FAILED"));
    assert!(
        database.engine.run(&database.source, &catalog(), &viewer("acme"), &query("select * from other.orders")).await.is_err()
    );
    database.remove().await;
}

#[tokio::test]
async fn what_a_view_works_out_never_meets_a_foreign_row() {
    // 100 / amount fails only on globex's row. A rule with many values costs more than the query's own comparison.
    let script = "create table deals (id integer, company_id text, amount integer);
        insert into deals values (1, 'acme', 5), (2, 'globex', 0);
        create view rates as select id, company_id, 100 / amount as rate from deals";
    let database = Database::postgres(script, Limits::default()).await;
    let own = "lower(upper(lower(company_id))) in ({{organization.company}}, 'b', 'c', 'd', 'e', 'f', 'g', 'h')";
    let of = |name: &str| Catalog::new(vec![table(name, rule(own), &[])]);
    let ask = async |name: &str, sql: &str, company: &str| {
        let answer = database.engine.run(&database.source, &of(name), &viewer(company), &query(sql)).await;
        answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
    };
    assert_eq!(ask("rates", "select count(*) from rates where rate > 0", "acme").await, Ok(json!([[1]])));
    assert_eq!(ask("rates", "select count(*) from rates where id = 2 and rate > 0", "acme").await, Ok(json!([[0]])));
    assert_eq!(ask("rates", "select count(*) from rates where rate > 0", "globex").await, Err("QUERY_FAILED"));
    assert_eq!(ask("deals", "select count(*) from deals where amount > 0", "acme").await, Ok(json!([[1]])));
    database.remove().await;
}

#[tokio::test]
async fn only_is_a_word_that_names_no_table() {
    let script = format!("{SCHEMA}; create table \"only\" (id int); insert into \"only\" values (7);");
    let database = Database::postgres(&script, Limits::default()).await;
    let mut tables = catalog().into_tables();
    tables.push(table("only", RowAccess::All, &[]));
    let catalog = Catalog::new(tables);
    let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &query("select * from only orders")).await;
    // Either the table `only` with the alias `orders`, or refused: never the rows of `orders`.
    assert!(answer.is_err() || answer.is_ok_and(|answer| json!(answer.rows) == json!([[7]])));
    database.remove().await;
}

#[tokio::test]
async fn whole_rows_hold_visible_columns_only() {
    let database = Database::postgres(SCHEMA, Limits::default()).await;
    let rows = database.rows("acme", "select o from orders o where id = 1").await;
    let text = json!(rows).to_string();
    assert!(text.contains("north") && !text.contains("901"), "{text}");
    database.remove().await;
}

#[tokio::test]
async fn relatives_that_lack_settings_and_functions_answer_alike() {
    let script = "create table rates (i smallint, l bigint, n numeric, huge numeric, f double precision, b boolean, d date,
            ts timestamp, tz timestamptz, t text, z int, company_id text);
        insert into rates values (1, 9223372036854775807, 10.50, 12345678901234567890.12, 0.1, true, '2001-01-31', '2001-01-31 12:30:00',
            '2001-01-31 12:30:00.5+02', 'x\"''\\', null, 'acme'), (2, 0, 0, 0, 'NaN', false, null, null, null, null, null, 'globex')";
    let database = Database::postgres(script, Limits::default()).await;
    let catalog = Catalog::new(vec![table("rates", rule("company_id = {{organization.company}}"), &[])]);
    let sql = query("select *, i as i from rates where 1 = 1 or t = 'OFFSET 0' order by i");
    let plain = database.engine.run(&database.source, &catalog, &viewer("acme"), &sql).await.expect("an answer");
    for scheme in ["cockroachdb", "redshift"] {
        let url = database.source.url.replacen("postgres", scheme, 1);
        let source = Source { url, id: inlay_contract::ids::ConnectionId::generate(), ..database.source.clone() };
        let answer = database.engine.run(&source, &catalog, &viewer("acme"), &sql).await;
        let answer = answer.unwrap_or_else(|problem| panic!("{scheme}: {}", problem.detail()));
        assert_eq!(json!(answer.rows).to_string(), json!(plain.rows).to_string(), "{scheme}");
        assert_eq!(answer.columns, plain.columns, "{scheme}");
        // The fence works there, too.
        let explode = query("select count(*) from rates where 1 / (case when company_id = 'globex' then 0 else 1 end) = 1");
        let own = database.engine.run(&source, &catalog, &viewer("acme"), &explode).await;
        assert_eq!(own.map(|answer| json!(answer.rows)).ok(), Some(json!([[1]])), "{scheme}");
    }
    database.remove().await;
}

#[tokio::test]
async fn connections_that_have_gone_away_are_made_anew() {
    let database = Database::postgres(SCHEMA, Limits { connections: 3, ..Limits::default() }).await;
    let ask = async |number: usize| {
        let answer = database.ask(&viewer("acme"), &query(&format!("select count(*), {number} from orders"))).await;
        answer.map(|answer| answer.rows.len()).map_err(|problem| problem.detail().to_owned())
    };
    assert!(futures::future::join_all((0..9).map(ask)).await.iter().all(Result::is_ok));
    let gone = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = current_database() and \
        application_name = 'inlay'";
    assert!(database.number(gone).await > 0, "there are connections to lose");
    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    for number in 10..20 {
        assert_eq!(ask(number).await, Ok(1));
    }
    database.remove().await;
}

#[tokio::test]
async fn no_function_is_called_by_a_dot() {
    let script = format!(
        "{SCHEMA}; create function leak(rates) returns text language sql as $$ select 'called' $$;
        create function public.lower(text) returns text language sql as $$ select 'mine' $$"
    );
    let database = Database::postgres(&script, Limits::default()).await;
    let url: url::Url = database.source.url.parse().expect("an address");
    // By this path the function of the schema would come before the built-in one.
    let path = format!("alter database {} set search_path = public, pg_catalog", url.path().trim_start_matches('/'));
    database.execute(&path).await;
    let ask = async |sql: &str| {
        let answer = database.ask(&viewer("acme"), &query(sql)).await;
        answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
    };
    for sql in [
        "select r.leak from rates r",
        "select r.to_jsonb from rates r",
        "select r.pg_typeof from rates r",
        "select id from rates r where r.row_to_json is not null",
        "select rates.leak from rates",
    ] {
        assert_eq!(ask(sql).await, Err("QUERY_FAILED"), "{sql}");
    }
    assert_eq!(ask("select r.id from rates r order by r.id limit 1").await, Ok(json!([[1]])));
    assert_eq!(ask("select x.count, x.n from (select count(*), 7 as n from rates) x").await, Ok(json!([[2, 7]])));
    assert_eq!(ask("select lower('ABC') as x").await, Ok(json!([["abc"]])));
    database.remove().await;
}
