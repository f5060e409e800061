//! Verified answers: a question that equals a verified one is answered by its query. With a language model: `models.rs`.

use crate::support::{
    asked::asked,
    rows::{Rows, modelled, scope},
};
use inlay_assistant::{Ended, Message, Outcome, Scope, Verified, WrittenQuery};
use inlay_contract::model::ModelQuery;
use serde_json::json;
use std::sync::Arc;

const SQL: &str = "select city, amount from sales order by 2 desc";

fn verified(question: &str, query: WrittenQuery) -> Verified {
    Verified { question: question.to_owned(), query, by: "Acme *Finance*".to_owned() }
}

fn sql(text: &str) -> WrittenQuery {
    WrittenQuery::Sql(text.to_owned())
}

async fn ask(scope: Scope, question: &str, data: &Arc<Rows>) -> Outcome {
    asked(vec![Message::user(question)], scope, "2001-06-30".parse().expect("a day"), Arc::<Rows>::clone(data)).await
}

fn with(verified: Vec<Verified>) -> Scope {
    Scope { verified, ..modelled() }
}

#[tokio::test]
async fn an_equal_question_is_answered_by_its_query_and_says_so() {
    let data = Arc::new(Rows::three());
    let scope = with(vec![verified("Who are our best places?", sql(SQL))]);
    let outcome = ask(scope.clone(), "please tell me who are our best places", &data).await;
    assert!(outcome.text.starts_with("Verified by Acme \\*Finance\\*."), "{}", outcome.text);
    assert_eq!((outcome.ended, outcome.declined), (Ended::Done, false));
    let chart = outcome.results[0].as_chart().expect("a chart");
    assert_eq!((chart.chart_config.sql_override.as_deref(), chart.data.rows.len()), (Some(SQL), 3));
    assert_eq!(*data.asked.lock().expect("the list"), [SQL]);

    let other = ask(scope, "Who are our worst places?", &data).await;
    assert!(!other.text.contains("Verified") && other.declined, "{}", other.text);
}

#[tokio::test]
async fn a_query_of_the_semantic_model_stays_one_in_the_chart() {
    let query: ModelQuery =
        serde_json::from_value(json!({"measures": ["revenue"], "dimensions": [{"name": "sales.city", "as": "city"}]}))
            .expect("a query");
    let data = Arc::new(Rows::three());
    let scope = with(vec![verified("Best places?", WrittenQuery::Model(Box::new(query.clone())))]);
    let outcome = ask(scope, "best places", &data).await;
    let chart = outcome.results[0].as_chart().expect("a chart").chart_config;
    assert_eq!((chart.model_query(), chart.sql_override), (Some(query), None));
    assert!(outcome.text.contains("Revenue"), "what was asked is said: {}", outcome.text);
}

#[tokio::test]
async fn a_query_that_this_viewer_may_not_run_is_left_out() {
    let data = Arc::new(Rows::three());
    let unknown = json!({"measures": ["profit"]});
    for query in [sql("select name from customers"), WrittenQuery::Model(serde_json::from_value(unknown).expect("a query"))] {
        let outcome = ask(with(vec![verified("revenue by city", query)]), "Revenue by city?", &data).await;
        assert!(!outcome.text.contains("Verified"), "{}", outcome.text);
        assert!(outcome.results[0].as_chart().is_some(), "the analyst answers: {}", outcome.text);
    }
}

#[tokio::test]
async fn greetings_are_not_declined_questions() {
    let data = Arc::new(Rows::three());
    for polite in ["Hello", "thanks", "help"] {
        assert!(!ask(scope(), polite, &data).await.declined, "{polite}");
    }
    assert!(ask(scope(), "Will revenue fall next year?", &data).await.declined);
    assert!(ask(scope(), "total unicorns", &data).await.declined);
}
