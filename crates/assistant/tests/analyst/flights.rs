//! Tests of the built-in analyst on the demo's flights: the question set with its score, other databases, one airport's view.

use crate::support::{Rows, anywhere::Anywhere, asked::asked};
use inlay_assistant::{
    Assistant, Data, Limits, Message, Scope, ToolResult,
    conversation::Chart,
    evaluation::{Asked, QuestionSet, Score, Setting, evaluate, same_rows},
};
use inlay_contract::{data::ColumnType, source::SourceKind};
use serde_json::json;
use std::sync::Arc;

/// The required share of right answers.
const GOAL: f64 = 0.9;

fn set() -> QuestionSet {
    serde_saphyr::from_str(include_str!("../../questions/flights.yaml")).expect("the question set")
}

fn scope() -> Scope {
    set().scope.expect("a scope")
}

async fn score(questions: &[Asked], data: Arc<dyn Data>) -> Score {
    let setting = Setting { scope: scope(), today: set().today, model: None, patience: None, stop: None };
    evaluate(&Assistant::new(Limits::default(), Arc::new(Anywhere)), questions, &setting, data)
        .await
        .expect("the SQL written by hand")
}

/// The score as text, with the wrong answers.
fn report(name: &str, score: &Score) -> String {
    let misses =
        score.wrong.iter().map(|miss| format!("- {}\n  {}\n  {}\n", miss.ask, miss.why, miss.answer).replace("\n\n", "\n"));
    let misses: String = misses.collect();
    format!("{misses}{name}: {} of {} right ({:.1} %)\n", score.right, score.of, score.share() * 100.0)
}

#[tokio::test]
async fn nine_in_ten_questions_are_answered_right() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await);
    let made_with = score(&set().questions, data.clone()).await;
    let held_out = score(&set().held_out, data).await;
    assert!(made_with.of + held_out.of >= 150);
    let report = report("made with", &made_with) + &report("held out", &held_out);
    assert!(made_with.share() >= GOAL && held_out.share() >= GOAL, "{report}");
    std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes()).expect("the report");
}

/// Asks a conversation's last question.
async fn ask(questions: &[&str], scope: Scope, data: Arc<dyn Data>) -> (String, Option<Chart>) {
    let conversation = questions.iter().map(|question| Message::user(*question)).collect();
    let outcome = asked(conversation, scope, set().today, data).await;
    let chart = outcome.results.iter().rev().find_map(ToolResult::as_chart);
    (outcome.text, chart)
}

#[tokio::test]
async fn another_database_gives_the_same_answers() {
    let (sqlite, postgres) = tokio::join!(Rows::sqlite(), Rows::postgres());
    let (sqlite, postgres): (Arc<dyn Data>, Arc<dyn Data>) = (Arc::new(sqlite), Arc::new(postgres));
    let mut other = scope();
    other.dialect = SourceKind::Postgres;
    other.tables[0].columns[0].kind = ColumnType::Timestamp;
    let mut wrong = Vec::new();
    for asked in set().questions.iter().chain(&set().held_out) {
        let chain: Vec<&str> = match asked {
            Asked::Chain { chain } => chain.iter().map(|item| item.ask.as_str()).collect(),
            Asked::One(item) => vec![item.ask.as_str()],
        };
        let (_, here) = ask(&chain, scope(), sqlite.clone()).await;
        let (text, there) = ask(&chain, other.clone(), postgres.clone()).await;
        let same = match (here, there) {
            (None, None) => Ok(()),
            (Some(here), Some(there)) => same_rows(&here.data, &there.data),
            _ => Err("an answer in one of them only".to_owned()),
        };
        if let Err(why) = same {
            wrong.push(format!("{chain:?}: {why}\n{text}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

#[tokio::test]
async fn an_airport_is_told_of_its_own_flights_alone() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await.of_airport("SEA"));
    let rows =
        async |question: &str| ask(&[question], scope(), data.clone()).await.1.map(|chart| chart.data.rows).unwrap_or_default();
    assert_eq!(rows("How many flights were there?").await, [[4255]]);
    assert_eq!(rows("flights by origin").await, [[json!("SEA"), json!(4255)]]);
    assert_eq!(rows("flights from SEA by origin").await, [[json!("SEA"), json!(4255)]]);
    for other in ["How many flights left from ATL?", "flights from Atlanta", "flights from JFK to SEA"] {
        let (text, chart) = ask(&[other], scope(), data.clone()).await;
        assert!(chart.is_none_or(|chart| chart.data.rows == [[0]]) && text.contains("No flights match."), "{other}: {text}");
    }
    // If both keys have a code, the one with several values for this airport is meant.
    let (text, chart) = ask(&["flights by month for ORD"], scope(), data).await;
    assert!(text.contains("with destination ORD") && chart.is_some(), "{text}");
}
