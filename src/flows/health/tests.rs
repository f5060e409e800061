//! The order and the words of findings.

use super::{
    Health, Level, Moment, Place, access, checks,
    connections::{self, Response, told},
    data, words, work,
};
use crate::{
    concepts::{
        catalog::CatalogTable,
        organizations::keys::ListedKey,
        usage::manage::{FailingChart, Lately, ModelAnswers},
        webhooks::manage::Standing,
    },
    flows::{catalogues::Catalogues, model_checks::Described},
    ground::{error::Error, tidy::DAY, time::Timestamp},
    testing::{StoreKind, World},
};
use inlay_contract::{
    ids::{AccountId, ApiKeyId, ConnectionId, TableId},
    model::TableModel,
};
use inlay_query::{RowAccess, Source, SourceKind};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

const NOW: Timestamp = Timestamp(1_800_000_000_000);

fn table(name: &str, rows: RowAccess, model: serde_json::Value) -> CatalogTable {
    CatalogTable {
        id: TableId::generate(),
        name: name.to_owned(),
        label: None,
        description: None,
        synonyms: Vec::new(),
        rows,
        columns: BTreeMap::new(),
        model: serde_json::from_value::<TableModel>(model).expect("a model"),
    }
}

fn shop(tables: Vec<CatalogTable>) -> Catalogues {
    let source = Source::new(ConnectionId::generate(), "shop", SourceKind::Sqlite, "sqlite:/secret/shop.db");
    Catalogues { connections: vec![(source, tables)], metrics: BTreeMap::new() }
}

fn texts(health: &Health) -> Vec<(Level, &str)> {
    health.findings.iter().map(|finding| (finding.level, finding.text.as_str())).collect()
}

fn fine(health: &Health) -> Vec<&str> {
    health.fine.iter().map(|fine| fine.text.as_str()).collect()
}

#[test]
fn the_worst_comes_first_and_the_rest_stays_in_order() {
    let mut health = Health::default();
    for (level, text) in
        [(Level::Note, "a"), (Level::Warning, "b"), (Level::Broken, "c"), (Level::Warning, "d"), (Level::Broken, "e")]
    {
        health.find(level, text, None, Place::Settings);
    }
    let health = health.sorted();
    assert_eq!(health.findings.iter().map(|finding| finding.text.as_str()).collect::<String>(), "cebda");
    assert_eq!([Level::Broken, Level::Warning, Level::Note].map(|level| health.count(level)), [2, 2, 1]);
}

#[test]
fn what_cannot_be_read_is_broken_and_never_fine() {
    let mut health = Health::default();
    health.add_read("The roles", Place::Roles, Err(Error::internal("secret detail")));
    assert_eq!(texts(&health), [(Level::Broken, "The roles could not be checked. The service's log has the reason.")]);
    assert!(health.fine.is_empty());
}

#[test]
fn names_are_listed_up_to_five() {
    assert_eq!(words::names(&["a"]), "a");
    assert_eq!(words::names(&["a", "b", "c"]), "a, b and c");
    assert_eq!(words::names(&["a", "b", "c", "d", "e", "f", "g"]), "a, b, c, d, e and 2 more");
    assert_eq!([words::count(1, "table"), words::count(0, "table")], ["1 table", "0 tables"]);
}

#[test]
fn a_connection_that_was_not_heard_is_never_fine() {
    assert_eq!(told("shop", Response::Works), None);
    let silent = "Connection shop did not respond within 3 s.".to_owned();
    assert_eq!(told("shop", Response::Silent), Some((Level::Broken, silent)));
    let refused = told("shop", Response::Refused("The database refused the user name or password.".to_owned()));
    let text = "Connection shop does not work. The database refused the user name or password.".to_owned();
    assert_eq!(refused, Some((Level::Broken, text)));
    assert!(told("shop", Response::NotAsked).is_some_and(|(level, _)| level == Level::Warning));
}

#[test]
fn tables_without_a_rule_are_named_and_lead_to_where_rules_are_written() {
    let rule = || RowAccess::Rule("company = {{organization.company}}".to_owned());
    let catalogues = shop(vec![
        table("orders", rule(), json!({})),
        table("notes", RowAccess::Nothing, json!({})),
        table("rates", RowAccess::All, json!({})),
        table("days", RowAccess::All, json!({})),
    ]);
    let health = data::tables(&catalogues);
    let closed = "Table notes of shop has no row rule: users see none of its rows.";
    let open = "Every user sees all rows of 2 tables of shop: rates and days.";
    assert_eq!(texts(&health), [(Level::Warning, closed), (Level::Note, open)]);
    let (source, tables) = &catalogues.connections[0];
    assert_eq!(health.findings[0].place, Place::Table(source.id, tables[1].id));
    assert_eq!(health.findings[1].place, Place::Connection(source.id));
    assert_eq!(fine(&health), ["1 table with a row rule"]);
    assert_eq!(data::tables(&shop(Vec::new())), Health::default());
}

#[test]
fn a_flaw_of_the_model_is_told_with_its_place() {
    let catalogues = shop(vec![table("orders", RowAccess::All, json!({"key": "number"}))]);
    assert_eq!(fine(&data::model(&catalogues, &Described::new())), ["No flaw of the semantic model"]);
    let columns = BTreeSet::from(["id".to_owned()]);
    let health = data::model(&catalogues, &Described::from([(("shop".to_owned(), "orders".to_owned()), columns)]));
    let text = "The semantic model is wrong at shop.orders, key: the table has no column `number`.";
    assert_eq!(texts(&health), [(Level::Broken, text)]);
    assert!(health.fine.is_empty());
    assert_eq!(data::model(&shop(Vec::new()), &Described::new()), Health::default());
}

#[test]
fn what_is_left_of_many_flaws_is_as_bad_as_its_worst() {
    let reference = |at: usize| {
        let settings = [("to".to_owned(), serde_json::from_value(json!({"references": "shops.name"})).expect("settings"))];
        let model = json!({"measures": {format!("n{at}"): {"aggregate": "count"}}});
        CatalogTable { columns: BTreeMap::from(settings), ..table(&format!("t{at}"), RowAccess::All, model) }
    };
    let shops = table("shops", RowAccess::All, json!({"key": "id"}));
    let mut tables: Vec<CatalogTable> = std::iter::once(shops).chain((0..12).map(reference)).collect();
    let levels = |tables: &[CatalogTable]| {
        let health = data::model(&shop(tables.to_vec()), &Described::new());
        assert_eq!(health.findings.last().map(|last| last.text.contains(" more flaw")), Some(true), "{health:?}");
        health.findings.into_iter().map(|finding| finding.level).collect::<Vec<_>>()
    };
    assert_eq!(levels(&tables), [Level::Warning; 11]);
    tables.push(table("wrong", RowAccess::All, json!({"key": "id", "dimensions": {"all": {"sql": "sum(amount)"}}})));
    let found = levels(&tables);
    assert_eq!((found[0], &found[1..]), (Level::Broken, &[Level::Warning; 10][..]), "the worst is among those that are told");
}

#[tokio::test]
async fn a_silent_connection_takes_no_others_turn() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let world = World::with(StoreKind::Sqlite, &["--allow-private-sources", "true"]).await;
    let silent = format!("postgres://u:p@127.0.0.1:{port}/d");
    let others = (0..11).map(|at| (SourceKind::Sqlite, format!("sqlite:/nowhere/{at}.db")));
    let sources = std::iter::once((SourceKind::Postgres, silent)).chain(others);
    let source = |(at, (kind, url)): (usize, (SourceKind, String))| {
        (Source::new(ConnectionId::generate(), format!("c{at}"), kind, url), Vec::new())
    };
    let catalogues = Catalogues { connections: sources.enumerate().map(source).collect(), metrics: BTreeMap::new() };
    let (health, _) = connections::test(&world.app, &catalogues).await;
    let texts = texts(&health);
    assert_eq!(texts.len(), 12, "{texts:?}");
    assert_eq!(texts[0], (Level::Broken, "Connection c0 did not respond within 3 s."));
    assert!(texts[1..].iter().all(|(_, text)| text.contains("does not work")), "{texts:?}");
    let since = |health: &Health| health.findings.iter().map(|finding| finding.moment).collect::<Vec<_>>();
    assert!(since(&health).iter().all(|moment| moment.is_some_and(|(what, _)| what == "Failing since")), "{health:?}");
    let (later, _) = connections::test(&world.app, &catalogues).await;
    let (first, second) = (since(&health), since(&later));
    // The times are counted back from now, with an error of less than a second.
    let near = |one: &Option<Moment>, other: &Option<Moment>| {
        one.zip(*other).is_some_and(|((_, one), (_, other))| one.0.abs_diff(other.0) < 1_000)
    };
    assert!(
        first.iter().zip(&second).all(|(one, other)| near(one, other)),
        "a later failure begins nothing: {first:?} {second:?}"
    );
}

#[test]
fn nights_are_missed_only_where_checks_are_allowed_and_due() {
    let (fresh, old) = (NOW.minus(DAY), NOW.minus(DAY * 3));
    assert_eq!(checks::missed(true, old, Some(fresh), NOW), None);
    assert_eq!(checks::missed(true, old, Some(old), NOW), Some(("Last check", old)));
    assert_eq!(checks::missed(true, fresh, None, NOW), None);
    assert_eq!(checks::missed(true, old, None, NOW), Some(("Allowed", old)));
    assert_eq!(checks::missed(false, old, Some(old), NOW), None);
}

#[test]
fn a_chart_that_never_answers_is_broken_and_one_that_fails_at_times_a_warning() {
    let chart = |name: &str, ran, failures| FailingChart { name: name.to_owned(), ran, failures, failed_at: NOW };
    let failing = vec![chart("Orders", 4, 4), chart("Count", 40, 2), chart("Rates", 1, 1)];
    let health = work::fared(&Lately { shown: 5, failing });
    let never = "Chart Orders does not work: all 4 of its queries since yesterday (UTC) failed.";
    let sometimes = "2 charts failed at times since yesterday (UTC): Count and Rates.";
    assert_eq!(texts(&health), [(Level::Broken, never), (Level::Warning, sometimes)]);
    assert_eq!(health.findings[0].moment, Some(("Last failed", NOW)));
    assert_eq!(fine(&health), ["2 charts answered since yesterday (UTC)"]);
}

#[test]
fn a_model_that_never_answers_is_broken_and_one_that_fails_at_times_a_warning() {
    let answers =
        |answers, failures| work::answered(&ModelAnswers { answers, failures, failed_at: Some(NOW) }, Place::ProjectsModel);
    let never = answers(4, 4);
    let text = "The language model does not answer: all 4 of its answers since yesterday (UTC) failed. The built-in analyst answers while it cannot be reached.";
    assert_eq!(texts(&never), [(Level::Broken, text)]);
    assert_eq!((never.findings[0].moment, never.findings[0].place), (Some(("Last failed", NOW)), Place::ProjectsModel));
    let text = "The language model failed for 2 of 40 answers since yesterday (UTC).";
    assert_eq!(texts(&answers(40, 2)), [(Level::Warning, text)]);
    assert_eq!(texts(&answers(2, 2))[0].0, Level::Warning, "two failures may be an accident");
    assert_eq!(
        fine(&work::answered(&ModelAnswers { answers: 1, failures: 0, failed_at: None }, Place::ProjectsModel)),
        ["1 answer of the language model since yesterday (UTC), none failed"]
    );
    assert_eq!(work::answered(&ModelAnswers::default(), Place::ProjectsModel), Health::default());
    // Failures from before the last 24 hours count no more, and are not called fine either.
    assert_eq!(
        work::answered(&ModelAnswers { answers: 9, failures: 9, failed_at: None }, Place::ProjectsModel),
        Health::default()
    );
}

#[test]
fn a_webhook_that_rests_is_told_by_its_host() {
    let standing = |host: &str, rests| Standing { host: host.to_owned(), rests };
    let health = work::delivered(&[standing("host.example", Some((7, NOW))), standing("other.example", None)]);
    let text = "The webhook at host.example rejects deliveries: the last 7 attempts failed.";
    assert_eq!(texts(&health), [(Level::Broken, text)]);
    assert_eq!(health.findings[0].moment, Some(("Next attempt", NOW)));
    assert_eq!(fine(&health), ["1 webhook without repeated failures"]);
}

#[test]
fn a_key_is_forgotten_after_90_days_and_a_new_one_is_not() {
    let key = |label: &str, created: u32, used: Option<u32>, revoked: bool| ListedKey {
        id: ApiKeyId::generate(),
        label: Some(label.to_owned()),
        account: AccountId::generate(),
        owner: "ann@example.test".to_owned(),
        user_scoped: false,
        created_at: NOW.minus(DAY * created),
        last_used_at: used.map(|days| NOW.minus(DAY * days)),
        revoked_at: revoked.then_some(NOW),
        per_second: None,
    };
    let all = [
        key("new", 1, None, false),
        key("used", 300, Some(89), false),
        key("old", 300, Some(91), false),
        key("never", 91, None, false),
        key("revoked", 300, None, true),
    ];
    let health = access::forgotten(&all, NOW);
    let (old, never) = ("API key old has not been used for 90 days.", "API key never has never been used.");
    assert_eq!(texts(&health), [(Level::Warning, old), (Level::Warning, never)]);
    assert_eq!(health.findings[1].moment, Some(("Created", NOW.minus(DAY * 91))));
    assert_eq!(fine(&health), ["2 API keys used within 90 days, or new"]);
}

#[test]
fn origins_of_other_machines_need_https() {
    let origins = |all: &[&str]| access::origins(&all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>());
    let local = origins(&["https://host.example", "http://localhost:4000", "http://127.0.0.1:5000", "http://[::1]"]);
    assert_eq!((texts(&local), fine(&local)), (Vec::new(), vec!["4 allowed origins, encrypted or on this machine"]));
    let plain = origins(&["https://host.example", "http://intranet.example"]);
    assert!(matches!(texts(&plain)[..], [(Level::Warning, text)] if text.contains("http://intranet.example")), "{plain:?}");
    assert_eq!(origins(&[]), Health::default());
}
