//! Questions for reasons over the demo's flights: what is compared, what is told, and what is not claimed.

use crate::support::{Rows, asked::asked};
use inlay_assistant::{
    Data, Dimension, Message, Number, Scope, SemanticModel, SemanticTable, ToolResult, Words, conversation::Chart,
    evaluation::QuestionSet,
};
use inlay_contract::model::{Aggregate, TableModel};
use inlay_query::{Model, ModelTable, Reference};
use serde_json::json;
use std::sync::Arc;

/// Asks a conversation's last question.
async fn ask(questions: &[&str], data: Arc<dyn Data>) -> (String, Option<Chart>) {
    ask_in(questions, scope(), data).await
}

fn scope() -> Scope {
    let set: QuestionSet = serde_saphyr::from_str(include_str!("../../questions/flights.yaml")).expect("the question set");
    set.scope.expect("a scope")
}

async fn ask_in(questions: &[&str], scope: Scope, data: Arc<dyn Data>) -> (String, Option<Chart>) {
    let conversation = questions.iter().map(|question| Message::user(*question)).collect();
    let outcome = asked(conversation, scope, "2001-06-30".parse().expect("a day"), data).await;
    let chart = outcome.results.iter().rev().find_map(ToolResult::as_chart);
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
    assert!(text.contains("+189, +2.0 %. The periods have 28 and 31 days; per day that is −7.8 %."), "{text}");
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

/// The flights with measures that the model declares. How they are made is not known to the analyst.
fn declared() -> (Scope, Model) {
    let model: TableModel = serde_json::from_value(json!({
        "time": "date",
        "dimensions": {"arrival": {"sql": "case when delay < 15 then 'On time' else 'Late' end"}},
        "measures": {
            "flights": {"aggregate": "count"},
            "late": {"aggregate": "count", "where": "delay >= 15"},
            "tardiness": {"aggregate": "average", "of": "delay"},
            "tardiness_of_late": {"aggregate": "average", "of": "delay", "where": "delay >= 15"},
            "worst": {"aggregate": "max", "of": "delay"},
        }
    }))
    .expect("a model");
    let columns = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), None)).collect();
    let to_airports = |key: &str| Some((key.to_owned(), Reference::read("airports.iata")?));
    let flights = ModelTable {
        columns: columns(&["date", "delay", "distance", "origin", "destination"]),
        references: ["origin", "destination"].into_iter().filter_map(to_airports).collect(),
        model,
        ..ModelTable::default()
    };
    let key: TableModel = serde_json::from_value(json!({"key": "iata"})).expect("a model");
    let airports =
        ModelTable { columns: columns(&["iata", "name", "city", "state", "country"]), model: key, ..ModelTable::default() };
    let metrics = serde_json::from_value(json!({"late_rate": {"ratio": ["late", "flights"]}})).expect("metrics");
    let number = |(name, aggregate): (&str, Option<Aggregate>)| Number {
        name: name.to_owned(),
        words: Words::default(),
        facts: vec!["flights".to_owned()],
        aggregate,
        lower_is_better: false,
    };
    let numbers = [
        ("flights", Some(Aggregate::Count)),
        ("late", Some(Aggregate::Count)),
        ("tardiness", Some(Aggregate::Average)),
        ("tardiness_of_late", Some(Aggregate::Average)),
        ("worst", Some(Aggregate::Max)),
        ("late_rate", None),
    ];
    let table = SemanticTable {
        name: "flights".to_owned(),
        time: Some("flights.date".to_owned()),
        dimensions: vec![Dimension { name: "flights.arrival".to_owned(), words: Words::default() }],
        ways: Vec::new(),
    };
    let semantic = SemanticModel { numbers: numbers.map(number).to_vec(), tables: vec![table] };
    let model = Model { tables: [("flights".to_owned(), flights), ("airports".to_owned(), airports)].into(), metrics };
    (Scope { model: Some(semantic), ..scope() }, model)
}

#[tokio::test]
async fn the_weight_of_a_declared_mean_is_found() {
    let (scope, model) = declared();
    let mut rows = Rows::sqlite().await;
    rows.model = model;
    let data: Arc<dyn Data> = Arc::new(rows);
    for (question, said) in [
        (
            "why did tardiness rise in June?",
            "**ATL** (from): its own value rose from 4.24 to 18.4. That makes +0.594 (9 % of the rise)",
        ),
        ("why did tardiness of late rise in June?", "Tardiness of late rose"),
        ("why did the late rate rise in June?", "**ATL** (from): its own value rose"),
        ("why did worst rise in June?", "cannot be split into parts"),
        ("why did flights fall in April?", "Flights fell from **42,757** (March 2001) to **41,677**"),
    ] {
        let (text, chart) = ask_in(&[question], scope.clone(), data.clone()).await;
        assert!(text.contains(said), "{question}: {text}");
        // What the delay itself decides does not explain it.
        assert!(!question.contains("tardiness rise") || !text.contains("arrival"), "{question}: {text}");
        // A chart of declared numbers keeps its query.
        let saved = chart.map(|chart| chart.chart_config);
        assert!(saved.is_none_or(|saved| saved.sql_override.is_none()), "{question}");
    }
}

#[tokio::test]
async fn what_is_planted_is_told() {
    let changed =
        "delete from flights where destination = 'BOS' and rowid % 2 = 0 and date >= '2001-04-01' and date < '2001-05-01';
        update flights set delay = delay + 240
            where origin = 'SEA' and destination = 'LAX' and date >= '2001-05-01' and date < '2001-06-01'";
    let data: Arc<dyn Data> = Arc::new(Rows::sqlite_after(changed).await);
    let (text, _) = ask(&["why did flights fall in April?"], data.clone()).await;
    let first = text.lines().find(|line| line.starts_with("- ")).unwrap_or_default();
    assert!(first.starts_with("- **BOS** (destination) had") && first.contains("fewer"), "{text}");
    let (text, _) = ask(&["why did the average delay of flights from SEA change in May?"], data.clone()).await;
    assert!(text.contains("- **LAX** (destination): its own value rose"), "{text}");
    let (text, _) = ask(&["why did the average delay change in May?"], data).await;
    assert!(
        text.contains("- **SEA** (from)") && text.contains("Most of that is together with **LAX** (destination)."),
        "{text}"
    );
}
