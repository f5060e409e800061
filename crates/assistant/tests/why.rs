//! Questions for reasons over the demo's flights: what is compared, what is told, and what is not claimed.

#[path = "support/anywhere.rs"]
mod anywhere;
#[path = "support/flights.rs"]
mod demo;
mod support;

use anywhere::Anywhere;
use inlay_assistant::{Assistant, Data, Limits, Message, Request, ToolResult, conversation::Chart, evaluation::QuestionSet};
use std::sync::Arc;
use support::Rows;
use tokio::sync::mpsc;

/// Asks a conversation's last question.
async fn ask(questions: &[&str], data: Arc<dyn Data>) -> (String, Option<Chart>) {
    let set: QuestionSet = serde_saphyr::from_str(include_str!("../questions/flights.yaml")).expect("the question set");
    let request = Request {
        conversation: questions.iter().map(|question| Message::user(*question)).collect(),
        scope: set.scope.expect("a scope"),
        model: None,
        today: set.today,
        locale: "en".to_owned(),
        timezone: "UTC".to_owned(),
        charts: Vec::new(),
        draws: false,
    };
    let (events, mut heard) = mpsc::channel(16);
    let assistant = Assistant::new(Limits::default(), Arc::new(Anywhere));
    let (outcome, ()) = tokio::join!(assistant.answer(request, data, events), async { while heard.recv().await.is_some() {} });
    let chart = outcome.results.last().and_then(ToolResult::as_chart);
    (outcome.text.replace('\u{a0}', " "), chart)
}

#[tokio::test]
async fn a_change_is_told_with_both_values_and_without_a_cause() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await);
    let (text, chart) = ask(&["explain the change of average delay in June"], data.clone()).await;
    assert!(text.contains("rose from **3.1 min** (May 2001) to **9.3 min** (June 2001): +6.3 min, +203.1 %."), "{text}");
    assert!(text.contains("- **ATL** (from): its own value rose from 4.2 min to 18.4 min."), "{text}");
    assert!(text.ends_with("This shows where the number changed, not why."), "{text}");
    for word in ["because", "caused", "due to", "reason", "driven"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
    let chart = chart.expect("a chart");
    assert_eq!((chart.chart_config.encoding.x.as_deref(), chart.data.rows.len()), (Some("origin"), 20));
    let (text, chart) = ask(&["why did flights to ORD fall from March to April?"], data.clone()).await;
    assert!(text.contains("fell from **2,384** (March 2001) to **2,279** (April 2001): −105, −4.4 %."), "{text}");
    assert!(text.contains("The fall is spread evenly"), "{text}");
    assert!(chart.is_some_and(|chart| chart.data.rows.len() == 10), "the chart of changes");
    let (text, _) = ask(&["what drove the drop in flights last month"], data.clone()).await;
    assert!(text.contains("It did not fall. Flights rose") && text.contains("The periods have 30 and 31 days"), "{text}");
    let (text, _) = ask(&["why were flights late in March?"], data).await;
    assert!(text.contains("**FL** (destination state) had 269 more (142 % of the rise)."), "{text}");
}

#[tokio::test]
async fn what_cannot_be_compared_is_said() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await);
    for (questions, said) in [
        (&["why are delays up vs last year?"][..], "I found no flights for 1 January 2000 to 30 June 2000. Your data covers"),
        (&["why did flights rise in January"], "I found no flights for December 2000."),
        (&["why did the median delay rise in June"], "+3.0 min.\n\nThis number cannot be split into parts"),
        (&["flights per month", "why?"], "The question names no period, so I take the newest whole month."),
        (&["why?"], "Name the number and the period."),
        (&["why is the sky blue?"], "I did not understand \"sky\""),
        (&["why are there so many airports?"], "these rows have no date"),
        (&["why did flights change in March by destination"], "nothing stands out by destination."),
    ] {
        let (text, _) = ask(questions, data.clone()).await;
        assert!(text.contains(said), "{questions:?}: {text}");
    }
}

#[tokio::test]
async fn another_database_explains_the_same_and_an_airport_its_own() {
    let (sqlite, postgres) = tokio::join!(Rows::sqlite(), Rows::postgres());
    let (sqlite, postgres): (Arc<dyn Data>, Arc<dyn Data>) = (Arc::new(sqlite), Arc::new(postgres));
    for question in
        ["why did punctuality fall in June", "why did flights fall in April?", "why did total distance fall in April?"]
    {
        let (here, there) = (ask(&[question], sqlite.clone()).await, ask(&[question], postgres.clone()).await);
        assert_eq!(here.0, there.0, "{question}");
    }
    let own: Arc<dyn Data> = Arc::new(Rows::sqlite().await.of_airport("SEA"));
    let (text, chart) = ask(&["why did delays change in June?"], own).await;
    assert!(text.contains("Average delay rose") && !text.contains("(from)"), "{text}");
    assert!(chart.is_some_and(|chart| chart.chart_config.encoding.x.as_deref() != Some("origin")));
}
