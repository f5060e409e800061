//! A reading that is probably wrong is shown before its answer, and the viewer confirms it.

use crate::support::{
    asked::asked,
    rows::{Rows, modelled},
};
use inlay_assistant::{Message, Outcome, Scope, ToolResult, Verified, WrittenQuery};
use std::sync::Arc;

async fn say(conversation: Vec<Message>, scope: Scope) -> Outcome {
    asked(conversation, scope, "2001-06-30".parse().expect("a day"), Arc::new(Rows::three())).await
}

/// A question whose words hardly fit: a share of what, and a town is a city.
const VAGUE: &str = "share of sale of each town";

fn offered(outcome: &Outcome) -> Vec<String> {
    outcome.results.iter().find_map(ToolResult::as_suggestions).unwrap_or_default()
}

fn has_chart(outcome: &Outcome) -> bool {
    outcome.results.iter().any(|result| result.as_chart().is_some())
}

#[tokio::test]
async fn a_doubtful_reading_is_confirmed_before_its_answer() {
    let asks = say(vec![Message::user(VAGUE)], modelled()).await;
    assert!(!has_chart(&asks) && asks.declined, "{}", asks.text);
    assert!(asks.text.contains("\"town\" for **City**") && asks.text.ends_with("Is this what you mean?"), "{}", asks.text);
    assert_eq!(offered(&asks)[0], "Yes, show it");
    for yes in ["Yes, show it", "yes", "Ja"] {
        let conversation = vec![Message::user(VAGUE), Message::assistant(asks.text.clone(), vec![]), Message::user(yes)];
        let answer = say(conversation, modelled()).await;
        assert!(has_chart(&answer) && !answer.declined, "{yes}: {}", answer.text);
        assert!(!answer.text.contains("Is this what you mean?"), "{yes}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_plain_question_and_a_verified_one_are_answered_at_once() {
    let plain = say(vec![Message::user("revenue by city")], modelled()).await;
    assert!(has_chart(&plain) && plain.confidence.is_some_and(|confidence| confidence.is_sure()), "{}", plain.text);
    let query = WrittenQuery::Sql("select city, amount from sales".to_owned());
    let verified = vec![Verified { question: VAGUE.to_owned(), query, by: "Acme".to_owned() }];
    let answer = say(vec![Message::user(VAGUE)], Scope { verified, ..modelled() }).await;
    assert!(has_chart(&answer) && answer.text.starts_with("Verified by Acme."), "{}", answer.text);
}

#[tokio::test]
async fn another_question_after_the_doubt_is_a_question_of_its_own() {
    let asks = say(vec![Message::user(VAGUE)], modelled()).await;
    let conversation = vec![Message::user(VAGUE), Message::assistant(asks.text, vec![]), Message::user("revenue by city")];
    let answer = say(conversation, modelled()).await;
    assert!(has_chart(&answer) && answer.text.contains("the revenue by city"), "{}", answer.text);
}

#[tokio::test]
async fn a_yes_without_a_question_confirms_nothing() {
    let answer = say(vec![Message::user("Yes, show it")], modelled()).await;
    assert!(!has_chart(&answer), "{}", answer.text);
}
