//! Questions for what moved lately, over the demo's flights: what is compared, in which order, and what is not guessed.

use crate::support::{Rows, asked::asked};
use inlay_assistant::{Data, Message, ToolResult, conversation::Chart, evaluation::QuestionSet};
use serde_json::json;
use std::sync::Arc;

/// Asks on a day.
async fn ask(question: &str, today: &str, data: Arc<dyn Data>) -> (String, Option<Chart>) {
    let set: QuestionSet = serde_saphyr::from_str(include_str!("../../questions/flights.yaml")).expect("the question set");
    let outcome = asked(vec![Message::user(question)], set.scope.expect("a scope"), today.parse().expect("a day"), data).await;
    let chart = outcome.results.iter().rev().find_map(ToolResult::as_chart);
    (outcome.text.replace('\u{a0}', " "), chart)
}

#[tokio::test]
async fn what_got_worse_lately_is_ordered_by_the_change_and_says_its_periods() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await);
    // Rows that end long before today are compared up to the newest of them.
    for today in ["2001-06-30", "2026-01-01"] {
        let (text, chart) = ask("which destinations got worse lately", today, data.clone()).await;
        assert!(text.contains("1 June 2001 to 30 June 2001, compared with 2 May 2001 to 31 May 2001."), "{text}");
        assert!(text.contains("the change of the average delay of flights by destination, the greatest rise first"), "{text}");
        assert!(text.contains("The question names no number, so I take this one: higher is worse."), "{text}");
        let rows = chart.expect("a chart").data.rows;
        let change = |row: &Vec<serde_json::Value>| row[1].as_f64().expect("a number");
        assert!(rows.len() == 10 && rows.windows(2).all(|pair| change(&pair[0]) >= change(&pair[1])), "{rows:?}");
        assert!(rows.iter().all(|row| change(row) > 0.0 && row[4].as_f64() >= Some(10.0)), "{rows:?}");
    }
    let (text, chart) = ask("Which destinations have improved recently?", "2001-06-30", data.clone()).await;
    assert!(text.contains("the greatest fall first") && text.contains("lower is better"), "{text}");
    assert!(chart.is_some_and(|chart| chart.data.rows.iter().all(|row| row[1].as_f64() < Some(0.0))), "{text}");
    let (_, chart) = ask("top 3 origins that got worse in June", "2001-06-30", data).await;
    assert_eq!(chart.map(|chart| chart.data.rows.len()), Some(3));
}

#[tokio::test]
async fn more_than_before_compares_periods_of_the_same_length() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await);
    let rows = async |question: &str| {
        let (text, chart) = ask(question, "2001-06-30", data.clone()).await;
        (text, chart.map(|chart| chart.data.rows).unwrap_or_default())
    };
    let (text, found) = rows("which destinations have more flights than before").await;
    assert_eq!(found.first(), Some(&vec![json!("SEA"), json!(81), json!(747), json!(828)]), "{text}");
    let (text, found) = rows("which origins had fewer flights compared with the previous 14 days").await;
    assert!(text.contains("17 June 2001 to 30 June 2001, compared with 3 June 2001 to 16 June 2001."), "{text}");
    assert_eq!(found.first(), Some(&vec![json!("OAK"), json!(-45), json!(235), json!(190)]), "{text}");
    let (text, found) = rows("which weekdays got worse lately").await;
    assert!(text.contains("by weekday") && (1..=7).contains(&found.len()), "{text}");
    // Without groups, the whole number is told, and that it did not rise.
    let (text, _) = rows("flights to ATL more than before").await;
    assert!(text.contains("It did not rise. Flights fell from **1,759** (May 2001) to **1,735** (June 2001)"), "{text}");
}

#[tokio::test]
async fn words_of_change_are_no_names() {
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite().await);
    for (question, told) in [
        ("which destinations are more popular than before", "I did not understand \"popular\""),
        ("which pilots got worse lately", "I did not understand \"pilots\""),
        ("which months got worse", "I cannot tell which two periods to compare."),
        ("flights lately", "I read this as the number of flights from 1 June 2001 to 30 June 2001."),
        ("average delay in the last few weeks", "from 10 June 2001 to 30 June 2001."),
    ] {
        let (text, _) = ask(question, "2001-06-30", data.clone()).await;
        assert!(text.contains(told), "{question}: {text}");
    }
}

#[tokio::test]
async fn another_database_compares_the_same_and_an_airport_its_own() {
    let (sqlite, postgres) = tokio::join!(Rows::sqlite(), Rows::postgres());
    let (sqlite, postgres): (Arc<dyn Data>, Arc<dyn Data>) = (Arc::new(sqlite), Arc::new(postgres));
    for question in
        ["which destinations got worse lately", "which origins had fewer flights compared with the previous 14 days"]
    {
        let here = ask(question, "2001-06-30", sqlite.clone()).await.0;
        assert_eq!(here, ask(question, "2001-06-30", postgres.clone()).await.0, "{question}");
    }
    let own: Arc<dyn Data> = Arc::new(Rows::sqlite().await.of_airport("SEA"));
    let (text, chart) = ask("which origins had fewer flights than before", "2001-06-30", own).await;
    assert!(
        text.contains("None of them fell.") || chart.is_some_and(|chart| chart.data.rows.iter().all(|row| row[0] == "SEA")),
        "{text}"
    );
}
