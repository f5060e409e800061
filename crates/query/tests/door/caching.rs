//! Results are cached for identical queries with identical rights, and for nobody else.

use crate::databases::{Database, SCHEMA, catalog, filter, query, rule, table, viewer};
use inlay_query::{Catalog, Limits, Query, SecurityContext};
use metrics::LocalRecorderGuard;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use serde_json::json;
use std::time::Duration;

/// Counts how often SQL is parsed on this thread.
struct Parses(PrometheusHandle);

impl Parses {
    fn counted() -> (Self, LocalRecorderGuard<'static>) {
        let recorder: &'static PrometheusRecorder = Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
        (Self(recorder.handle()), metrics::set_default_local_recorder(recorder))
    }

    /// The count so far.
    fn count(&self) -> u64 {
        let text = self.0.render();
        let counted = text.lines().find_map(|line| line.strip_prefix("inlay_sql_parses_total "));
        counted.map_or(0, |count| count.parse().expect("a number"))
    }
}

#[tokio::test]
async fn an_answer_is_remembered_for_the_same_rights_only() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let all = query("select id from orders order by id");
        let first = database.ask(&viewer("acme"), &all).await.expect("an answer");
        let again = database.ask(&viewer("acme"), &all).await.expect("an answer");
        assert!(!first.cached && again.cached && again.duration_ms == 0);
        assert_eq!(first.rows, again.rows);
        let other = database.ask(&viewer("globex"), &all).await.expect("an answer");
        assert!(!other.cached && other.rows != first.rows);
        let narrow = Query { filters: vec![filter("orders", "region", json!("north"))], ..all.clone() };
        assert_eq!(database.ask(&viewer("acme"), &narrow).await.expect("an answer").rows.len(), 2);
        // Text and number are different values even if they print alike.
        for value in [json!("1"), json!(1)] {
            let filters = vec![filter("orders", "id", value)];
            assert_eq!(
                database.ask(&viewer("acme"), &Query { filters, ..all.clone() }).await.expect("an answer").rows.len(),
                1
            );
        }
    })
    .await;
}

#[tokio::test]
async fn changed_data_shows_when_the_answer_is_old() {
    let limits = Limits { cache_ttl: Duration::from_millis(200), ..Limits::default() };
    Database::each(SCHEMA, limits, async |database| {
        let count = "select count(*) from orders";
        assert_eq!(json!(database.rows("acme", count).await), json!([[4]]));
        database.execute("delete from orders where id = 1").await;
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert_eq!(json!(database.rows("acme", count).await), json!([[3]]));
    })
    .await;
}

#[tokio::test]
async fn equal_questions_at_once_are_asked_once() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let slow = query(
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select count(*) from n, rates",
        );
        let acme = viewer("acme");
        let answers = futures::future::join_all((0..8).map(|_| database.ask(&acme, &slow))).await;
        let fresh = answers.iter().filter(|answer| !answer.as_ref().expect("an answer").cached).count();
        assert_eq!(fresh, 1);
    })
    .await;
}

#[tokio::test]
async fn errors_are_not_remembered() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let sql = "select sum(extra) from rates";
        assert!(database.ask(&viewer("acme"), &query(sql)).await.is_err());
        database.execute("alter table rates add column extra integer").await;
        assert_eq!(json!(database.rows("acme", sql).await), json!([[null]]));
    })
    .await;
}

#[tokio::test]
async fn another_address_is_another_source() {
    let one = Database::sqlite(SCHEMA, Limits::default()).await;
    let two = Database::sqlite(&SCHEMA.replace("'acme', 'north', 10.5", "'acme', 'north', 99"), Limits::default()).await;
    let sql = query("select amount from orders where id = 1");
    let moved = inlay_query::Source { url: two.source.url.clone(), ..one.source.clone() };
    let catalog = crate::databases::catalog();
    let before = one.engine.run(&one.source, &catalog, &viewer("acme"), &sql).await.expect("an answer");
    let after = one.engine.run(&moved, &catalog, &viewer("acme"), &sql).await.expect("an answer");
    assert_eq!((json!(before.rows), json!(after.rows), after.cached), (json!([[10.5]]), json!([[99]]), false));
    one.remove().await;
    two.remove().await;
}

#[tokio::test]
async fn a_warm_question_parses_nothing_and_whatever_changes_it_is_read_again() {
    let database = Database::sqlite(SCHEMA, Limits::default()).await;
    let (parses, _guard) = Parses::counted();
    let ask = async |catalog: &Catalog, viewer: &SecurityContext, query: &Query| {
        let before = parses.count();
        let answer = database.engine.run(&database.source, catalog, viewer, query).await.expect("an answer");
        (parses.count() - before, answer.cached)
    };
    let orders = query("select id from orders where amount > 0 order by id");
    let of_rule = |text: &str, hidden: &[&str]| Catalog::new(vec![table("orders", rule(text), hidden)]);
    let own = "company_id = {{organization.company}}";
    let (acme, narrowed) = (viewer("acme"), Query { filters: vec![filter("orders", "id", json!(1))], ..orders.clone() });
    let someone = |json: serde_json::Value| SecurityContext { user: json.as_object().cloned(), ..viewer("acme") };
    let questions = [
        (catalog(), acme.clone(), orders.clone()),
        (of_rule(own, &["margin"]), acme.clone(), orders.clone()),
        (of_rule(own, &[]), acme.clone(), orders.clone()),
        (of_rule("company_id = {{organization.company}} and id < 3", &[]), acme.clone(), orders.clone()),
        (catalog(), viewer("globex"), orders.clone()),
        (catalog(), someone(json!({ "name": "ada" })), orders.clone()),
        (catalog(), SecurityContext { database_auth_token: Some("token".to_owned()), ..acme.clone() }, orders.clone()),
        (catalog(), acme.clone(), narrowed.clone()),
        (catalog(), acme.clone(), Query { filters: vec![filter("orders", "id", json!("1"))], ..orders.clone() }),
        (catalog(), acme.clone(), Query { today: chrono::NaiveDate::default(), ..orders.clone() }),
        (catalog(), acme.clone(), Query { zone: chrono_tz::Tz::Asia__Tokyo, ..orders.clone() }),
        (catalog(), acme.clone(), query("select id from orders order by id")),
    ];
    for (catalog, viewer, query) in &questions {
        assert!(ask(catalog, viewer, query).await.0 > 0, "{catalog:?} {viewer:?} {query:?}");
    }
    for (catalog, viewer, query) in &questions {
        assert_eq!(ask(catalog, viewer, query).await, (0, true), "{catalog:?} {viewer:?} {query:?}");
        let (parsed, cached) = ask(catalog, viewer, &Query { refresh: true, ..query.clone() }).await;
        assert_eq!((parsed, cached), (0, false), "a refresh asks the source and parses nothing");
    }
    database.remove().await;
}

#[tokio::test]
async fn a_question_is_rewritten_when_its_tables_have_other_columns() {
    let database = Database::sqlite(SCHEMA, Limits::default()).await;
    let (parses, _guard) = Parses::counted();
    let all = query("select * from orders order by id");
    let columns = async || {
        let before = parses.count();
        let answer = database.ask(&viewer("acme"), &all).await.expect("an answer");
        (parses.count() > before, answer.columns.len())
    };
    assert_eq!(columns().await, (true, 5));
    assert_eq!(columns().await, (false, 5));
    database.execute("alter table orders add column extra integer").await;
    database.engine.describe(&database.source, "orders").await.expect("its columns, read again");
    assert_eq!(columns().await, (true, 6));
    assert_eq!(columns().await, (false, 6));
    database.remove().await;
}
