//! What stands beside an answer on the demo's flights: questions to ask next, each of which has an answer, and how the rows were worked out.

use crate::support::{Rows, asked::asked};
use inlay_assistant::{Message, Outcome, ToolResult, conversation::Proof, evaluation::QuestionSet};
use std::sync::Arc;

async fn ask(questions: &[&str], data: &Arc<Rows>) -> Outcome {
    let set: QuestionSet = serde_saphyr::from_str(include_str!("../../questions/flights.yaml")).expect("the question set");
    let conversation = questions.iter().map(|question| Message::user(*question)).collect();
    asked(conversation, set.scope.expect("a scope"), set.today, Arc::<Rows>::clone(data)).await
}

fn next(outcome: &Outcome) -> Vec<String> {
    outcome.results.iter().find_map(ToolResult::as_suggestions).unwrap_or_default()
}

fn proof(outcome: &Outcome) -> Option<Proof> {
    outcome.results.iter().rev().find_map(ToolResult::as_chart).and_then(|chart| chart.proof)
}

const QUESTIONS: [&str; 12] = [
    "How many flights were there?",
    "flights by month",
    "average delay by destination",
    "late flights by airport",
    "how many flights in January",
    "which destinations are late most often",
    "share of late flights by month",
    "flights from SEA by destination",
    "average delay in March",
    "worst day for delays",
    "busiest airports",
    "distribution of distance",
];

#[tokio::test]
async fn what_is_offered_next_has_an_answer_of_its_own() {
    offered_have_answers(Rows::sqlite().await).await;
    offered_have_answers(Rows::sqlite().await.of_airport("SEA")).await;
}

async fn offered_have_answers(data: Rows) {
    let data = Arc::new(data);
    let (mut offered, mut wrong) = (0, Vec::new());
    for question in QUESTIONS {
        let first = ask(&[question], &data).await;
        for more in next(&first) {
            offered += 1;
            let second = ask(&[question, &more], &data).await;
            let differs = second.text != first.text && !second.declined && proof(&second).is_some();
            if !differs {
                wrong.push(format!("{question} → {more}: {}", second.text));
            }
        }
        assert!(!next(&first).is_empty(), "{question}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(offered >= 20, "{offered} questions are offered");
}

#[tokio::test]
async fn what_is_offered_beside_a_doubt_is_answered() {
    let data = Arc::new(Rows::sqlite().await);
    // A verb without a column, no number and no count: all of it is a guess.
    let question = "which airports run late";
    let asks = ask(&[question], &data).await;
    assert!(asks.declined && proof(&asks).is_none() && asks.text.ends_with("Is this what you mean?"), "{}", asks.text);
    let offered = next(&asks);
    assert_eq!(offered.first().map(String::as_str), Some("Yes, show it"));
    let set: QuestionSet = serde_saphyr::from_str(include_str!("../../questions/flights.yaml")).expect("the question set");
    for answer in offered {
        let asked_back = Message::assistant(asks.text.clone(), asks.results.clone());
        let conversation = vec![Message::user(question), asked_back, Message::user(answer.clone())];
        let second = asked(conversation, set.scope.clone().expect("a scope"), set.today, Arc::<Rows>::clone(&data)).await;
        assert!(proof(&second).is_some() && !second.declined, "{answer}: {}", second.text);
    }
}

#[tokio::test]
async fn each_chart_tells_how_its_rows_were_worked_out() {
    let data = Arc::new(Rows::postgres().await);
    for question in QUESTIONS {
        let outcome = ask(&[question], &data).await;
        let Some(proof) = proof(&outcome) else { panic!("{question}: {}", outcome.text) };
        assert!(proof.sentence.len() > 10 && proof.sentence.ends_with('.'), "{question}: {}", proof.sentence);
        assert!(!proof.sentence.to_lowercase().contains("select "), "no SQL: {}", proof.sentence);
        assert_eq!(proof.verified_by, None);
    }
    let share = proof(&ask(&["share of late flights by month"], &data).await).expect("a chart");
    assert!(share.sentence.contains("share") && !share.sentence.contains('_'), "{}", share.sentence);
    let narrowed = proof(&ask(&["how many flights in January"], &data).await).expect("a chart");
    assert!(narrowed.sentence.contains("2001-01-01") || narrowed.sentence.contains("January"), "{}", narrowed.sentence);
}

#[tokio::test]
async fn a_question_without_an_answer_offers_others() {
    let data = Arc::new(Rows::sqlite().await);
    let outcome = ask(&["average delay by unicorn"], &data).await;
    assert!(outcome.declined && outcome.text.contains("unicorn"), "{}", outcome.text);
    let questions = next(&outcome);
    assert_eq!(questions.first().map(String::as_str), Some("Average delay"), "the words that are known come first");
    for (question, word) in [("average delay in summer", "summer"), ("how full were the planes?", "full")] {
        let outcome = ask(&[question], &data).await;
        assert!(outcome.declined && outcome.text.contains(word), "{question}: {}", outcome.text);
    }
    let thanks = ask(&["thanks"], &data).await;
    assert!(next(&thanks).is_empty() && !thanks.declined);
}
