//! The built-in analyst over the demo's flights: the written question set, and its score.

mod support;

use inlay_assistant::{
    Assistant, Data, Limits,
    evaluation::{Asked, QuestionSet, Score, Setting, evaluate},
};
use std::sync::Arc;

/// The part of the set that must be right.
const GOAL: f64 = 0.9;

fn set() -> QuestionSet {
    serde_saphyr::from_str(include_str!("../questions/flights.yaml")).expect("the question set")
}

async fn score(questions: &[Asked], data: Arc<dyn Data>) -> Score {
    let set = set();
    let setting = Setting { scope: set.scope.expect("a scope"), today: set.today, model: None };
    evaluate(&Assistant::new(Limits::default()), questions, &setting, data).await.expect("the SQL written by hand")
}

/// The score in words, with what was wrong.
fn report(name: &str, score: &Score) -> String {
    let misses = score
        .wrong
        .iter()
        .map(|miss| format!("- {}\n  {}\n  {}\n", miss.ask, miss.why.replace('\n', " "), miss.answer.replace('\n', " ")));
    let misses: String = misses.collect();
    format!("{misses}{name}: {} of {} right ({:.1} %)\n", score.right, score.of, score.share() * 100.0)
}

#[tokio::test]
async fn nine_in_ten_questions_are_answered_right() {
    let data: Arc<dyn Data> = Arc::new(support::flights_of(None).await);
    let made_with = score(&set().questions, data.clone()).await;
    let held_out = score(&set().held_out, data).await;
    let report = report("made with", &made_with) + &report("held out", &held_out);
    assert!(made_with.share() >= GOAL && held_out.share() >= GOAL, "{report}");
    std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes()).expect("the report");
}
