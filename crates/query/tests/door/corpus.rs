//! Leaks of similar products, tried on real databases: one file per class in `corpus/`.

use crate::databases::{Database, SCHEMA, catalog, engine, filter, in_mysql, query, rule, table, viewer};
use inlay_query::{Catalog, DatabaseAuth, Filter, Limits, Query, QueryError, SecurityContext, Source, SourceKind};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The cases of a file for a kind of database.
fn cases(file: &str, kind: SourceKind) -> Vec<String> {
    let lines = file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"));
    let meant = |line: &str| match line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((kinds, case)) if kinds.split(' ').all(|word| word.parse::<SourceKind>().is_ok()) => {
            kinds.split(' ').any(|word| word == kind.name()).then(|| case.to_owned())
        }
        _ => Some(line.to_owned()),
    };
    lines.filter_map(meant).map(|case| case.replace('⏎', "\n")).collect()
}

/// Words of the schema, the data and the databases that a viewer's error must not contain.
const PRIVATE: &[&str] = &[
    "orders",
    "unlisted",
    "notes",
    "rates",
    "company_id",
    "region",
    "select",
    "sqlite",
    "postgres",
    "mysql",
    "mariadb",
    "warehouse",
    "acme",
    "globex",
    "north",
    "syntax",
    "column",
    "near",
    "relation",
    "table",
];

fn tells(public: &str, words: &[&str]) -> bool {
    let public = public.to_lowercase();
    words.iter().any(|word| public.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|part| part == *word))
}

async fn all_refused(database: &Database, file: &str) {
    for sql in cases(file, database.source.kind) {
        let answer = database.ask(&viewer("acme"), &query(&sql)).await;
        let kind = database.source.kind;
        let problem = answer.err().unwrap_or_else(|| panic!("{kind}: {sql}"));
        assert!(matches!(problem, QueryError::Failed(_) | QueryError::RowRuleUnresolved(_)), "{kind}: {sql}: {problem:?}");
        assert!(!tells(&problem.to_string(), PRIVATE), "{problem}");
    }
}

#[tokio::test]
async fn ways_round_the_rewriting_are_refused() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        all_refused(database, include_str!("../../corpus/rewriting.sql")).await;
    })
    .await;
}

#[tokio::test]
async fn what_is_not_read_only_is_refused_and_changes_nothing() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        let before = database.rows("acme", "select * from orders order by id").await;
        all_refused(database, include_str!("../../corpus/f-read-only.sql")).await;
        let mut called = Vec::new();
        for call in cases(include_str!("../../corpus/f-functions.sql"), database.source.kind) {
            for sql in [format!("select {call} from rates"), format!("select id from rates where {call} is not null")] {
                let answer = database.ask(&viewer("acme"), &query(&sql)).await;
                if !matches!(answer, Err(QueryError::Failed(_))) {
                    called.push((sql, answer));
                }
            }
        }
        assert!(called.is_empty(), "{}: {called:#?}", database.source.kind);
        let again = Query { refresh: true, ..query("select * from orders order by id") };
        assert_eq!(database.ask(&viewer("acme"), &again).await.expect("an answer").rows, before);
    })
    .await;
}

#[tokio::test]
async fn pasted_text_is_a_value_wherever_it_is_put() {
    let texts: Vec<String> = serde_json::from_str(include_str!("../../corpus/b-pasted-text.json")).expect("texts");
    Database::each(SCHEMA, Limits::default(), async |database| {
        let Database { engine, source, .. } = database;
        let all = query("select id from orders order by id");
        for text in &texts {
            let exact = match text.as_str() {
                "null" => json!([[42]]),
                _ => json!([]),
            };
            // As a property: the rows of the company with exactly that name.
            match database.ask(&viewer(text.as_str()), &all).await {
                Ok(answer) => assert_eq!(json!(answer.rows), exact, "{} {text:?}", source.kind),
                Err(problem) => {
                    assert!(text.contains('\0') && problem.code().as_str() == "ROW_RULE_UNRESOLVED", "{text:?}: {problem:?}")
                }
            }
            // As a filter's value: at most the viewer's own rows.
            for column in ["region", "company_id", "id", "amount", "placed"] {
                for value in [json!(text), json!([text, text]), json!({ "from": text }), json!({ "to": text })] {
                    let question = Query { filters: vec![filter("orders", column, value)], ..all.clone() };
                    let answer = database.ask(&viewer("acme"), &question).await;
                    let rows = answer.unwrap_or_else(|problem| panic!("{} {column} {text:?}: {problem:?}", source.kind)).rows;
                    assert!(rows.iter().all(|row| row[0].as_i64().is_some_and(|id| id <= 4)), "{column} {text:?}: {rows:?}");
                }
            }
            // As a name: it does not exist.
            if text == "company_id" {
                continue;
            }
            let named = Filter { column: text.clone(), ..filter("orders", "region", json!("north")) };
            let answer = database.ask(&viewer("acme"), &Query { filters: vec![named], ..all.clone() }).await;
            assert!(matches!(answer, Err(QueryError::Failed(_))), "{} {text:?}: {answer:?}", source.kind);
            let named = Filter { table: text.clone(), ..filter("orders", "region", json!("north")) };
            let answer = database.ask(&viewer("acme"), &Query { filters: vec![named], ..all.clone() }).await;
            assert_eq!(answer.map(|answer| answer.rows.len()).map_err(|problem| problem.code().as_str()), Ok(4), "{text:?}");
            for (table, column) in [("orders", text.as_str()), (text.as_str(), "region")] {
                let day = crate::databases::today();
                let choices = engine.choices(source, &catalog(), &viewer("acme"), table, column, &[], day, 10).await;
                assert!(matches!(choices, Err(QueryError::Failed(_))), "{} {table:?} {column:?}: {choices:?}", source.kind);
            }
        }
        // A megabyte does not help either.
        let long = "x' OR '1'='1".repeat(90_000);
        let answer = database.ask(&viewer(long.as_str()), &all).await;
        assert!(answer.as_ref().map_or(true, |answer| answer.rows.is_empty()), "{answer:?}");
    })
    .await;
}

#[derive(Deserialize)]
struct FailOpen {
    why: String,
    rule: Option<String>,
    organization: Option<Map<String, Value>>,
    user: Option<Map<String, Value>>,
    answer: String,
}

#[tokio::test]
async fn what_a_rule_lacks_opens_nothing() {
    let cases: Vec<FailOpen> = serde_json::from_str(include_str!("../../corpus/c-fail-open.json")).expect("cases");
    // Without the company whose name is the word null: in this class that word must match nothing.
    let script = SCHEMA.replace("(42, 'null', 'MARK', 1, '2024-01-01', 910)", "(42, null, 'MARK', 1, '2024-01-01', 910)");
    Database::each(&script, Limits::default(), async |database| {
        for case in &cases {
            let text = case.rule.as_deref().unwrap_or("company_id = {{organization.company}}");
            let catalog = Catalog::new(vec![table("orders", rule(text), &[])]);
            let context = SecurityContext {
                organization: case.organization.clone(),
                user: case.user.clone(),
                ..SecurityContext::default()
            };
            for sql in
                ["select * from orders", "select count(*) from orders having count(*) > 0", "select 1 from orders limit 1"]
            {
                let answer = database.engine.run(&database.source, &catalog, &context, &query(sql)).await;
                let got = match &answer {
                    Ok(answer) if answer.rows.is_empty() => "none",
                    Ok(_) => "rows",
                    Err(problem) if problem.code().as_str() == "ROW_RULE_UNRESOLVED" => "unresolved",
                    Err(_) => "failed",
                };
                assert_eq!(got, case.answer, "{} {}: {sql}: {answer:?}", database.source.kind, case.why);
            }
        }
    })
    .await;
}

#[derive(Clone, Deserialize)]
struct Whose {
    organization: Map<String, Value>,
    user: Map<String, Value>,
}

#[tokio::test]
async fn no_answer_goes_to_somebody_with_other_rights() {
    let people: Vec<Whose> = serde_json::from_str(include_str!("../../corpus/d-whose-answer.json")).expect("people");
    let context = |whose: &Whose| SecurityContext {
        organization: Some(whose.organization.clone()),
        user: Some(whose.user.clone()),
        database_auth_token: None,
        share: 0,
    };
    Database::each(SCHEMA, Limits::default(), async |database| {
        let own = rule("company_id = {{organization.company}} and (region in ({{user.regions}}) or region is null)");
        let catalog = Catalog::new(vec![table("orders", own, &[])]);
        let question = query("select id, region from orders order by id");
        let ask = async |engine: &inlay_query::Engine, whose: &Whose| {
            let answer = engine.run(&database.source, &catalog, &context(whose), &question).await;
            answer.map(|answer| json!(answer.rows)).map_err(|problem| problem.code().as_str())
        };
        // The results without a cache.
        let mut alone = Vec::new();
        for whose in &people {
            alone.push(ask(&engine(Limits::default()), whose).await);
        }
        for (first, _) in people.iter().enumerate() {
            let warm = engine(Limits::default());
            for offset in 0..people.len() {
                let next = (first + offset) % people.len();
                assert_eq!(ask(&warm, &people[next]).await, alone[next], "{} after {first}", database.source.kind);
            }
            // All at once, with every cache filled.
            let all = futures::future::join_all(people.iter().map(|whose| ask(&warm, whose))).await;
            assert_eq!(all, alone);
        }
    })
    .await;
}

#[tokio::test]
async fn errors_tell_a_viewer_nothing_and_the_log_no_value() {
    Database::each(SCHEMA, Limits::default(), async |database| {
        for sql in cases(include_str!("../../corpus/e-errors.sql"), database.source.kind) {
            let Err(problem) = database.ask(&viewer("acme"), &query(&sql)).await else { continue };
            assert!(!tells(&problem.to_string(), PRIVATE), "{} {sql}: {problem}", database.source.kind);
            // Literals of the query may occur, values of rows may not.
            let values: Vec<_> =
                ["north", "south", "acme", "2024-01-15", "MARK"].into_iter().filter(|value| !sql.contains(value)).collect();
            assert!(
                !values.iter().any(|value| problem.detail().contains(value)),
                "{} {sql}: {}",
                database.source.kind,
                problem.detail()
            );
        }
    })
    .await;
}

const LEDGER: &str = "create table ledger (id int, tenant text); insert into ledger values (1, 'acme'), (2, 'globex')";

#[tokio::test]
async fn nobody_chooses_what_the_databases_own_row_security_reads() {
    let property = || "organization.company".parse().expect("a property");
    for (database, setting) in [
        (Database::postgres(LEDGER, Limits::default()).await, "app.tenant_id"),
        (Database::mysql(&in_mysql(LEDGER), Limits::default()).await, "tenant_id"),
    ] {
        let auth = DatabaseAuth::Equals { setting: setting.into(), property: property() };
        let source = Source { database_auth: Some(auth), ..database.source.clone() };
        let catalog = Catalog::new(vec![table("ledger", inlay_query::RowAccess::All, &[])]);
        let acme = SecurityContext { database_auth_token: Some("acme".into()), ..viewer("acme") };
        for sql in cases(include_str!("../../corpus/o-database-auth.sql"), source.kind) {
            let answer = database.engine.run(&source, &catalog, &acme, &query(&sql)).await;
            assert!(matches!(answer, Err(QueryError::Failed(_))), "{}: {sql}: {answer:?}", source.kind);
        }
        database.remove().await;
    }
}
