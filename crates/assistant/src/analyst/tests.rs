//! Tests of all stages together, on a shop's tables without data: the question that a message becomes.

use super::{
    Understood, asking,
    follow::Refusal,
    intent::{Aggregate, ColumnRef, Intent, Measure},
    knowledge::{Knowledge, Link, tests::column},
    sentences, understand,
};
use crate::scope::{Scope, TableModel};
use inlay_contract::{data::ColumnType, source::SourceKind};
use proptest::prelude::*;
use serde_json::json;

fn shop() -> Knowledge {
    let mut amount = column("amount", ColumnType::Number, "Order value", "In US dollars");
    amount.synonyms = vec!["revenue".into(), "sales".into()];
    let orders = vec![
        column("id", ColumnType::Number, "", ""),
        column("created_at", ColumnType::Timestamp, "Ordered on", ""),
        amount,
        column("quantity", ColumnType::Number, "", ""),
        column("status", ColumnType::Text, "", ""),
        column("is_gift", ColumnType::Boolean, "Gift", ""),
        column("customer_id", ColumnType::Number, "", ""),
    ];
    let customers = vec![
        column("id", ColumnType::Number, "", ""),
        column("name", ColumnType::Text, "", ""),
        column("country", ColumnType::Text, "", ""),
    ];
    let table =
        |name: &str, columns| TableModel { name: name.into(), label: None, description: None, synonyms: vec![], columns };
    let tables = vec![table("shop.orders", orders), table("shop.customers", customers)];
    let scope = Scope {
        workspace: "Shop".into(),
        dialect: SourceKind::Postgres,
        tables,
        instructions: None,
        example_questions: vec![],
        examples: vec![],
        model: None,
        model_only: false,
    };
    let mut knowledge = Knowledge::of(&scope);
    let at = |table, column| ColumnRef { table, column };
    knowledge.links = vec![Link { from: at(0, 6), to: at(1, 0) }];
    knowledge.values.add(at(0, 4), &[json!("paid"), json!("refunded"), json!("open")]);
    knowledge.values.add(at(1, 1), &[json!("Ann's \"Bakery\""), json!("Bolt")]);
    knowledge.values.add(at(1, 2), &[json!("Germany"), json!("France")]);
    knowledge.extents.insert(at(0, 1), ("2024-01-01".parse().unwrap(), "2024-06-15".parse().unwrap()));
    knowledge
}

fn asked(conversation: &[&str], knowledge: &Knowledge) -> Result<Box<Intent>, Refusal> {
    match understand(conversation, knowledge, "2024-06-15".parse().unwrap()) {
        Understood::Intent(intent) => Ok(intent),
        Understood::Talk(_, refusal) => Err(refusal),
    }
}

fn sql_of(conversation: &[&str]) -> String {
    let knowledge = shop();
    let intent = asked(conversation, &knowledge).unwrap_or_else(|refusal| panic!("{conversation:?}: {refusal:?}"));
    sql_for(SourceKind::Postgres, &intent, &knowledge).unwrap().replace('\n', " ")
}

/// The SQL by which a database is asked.
fn sql_for(kind: SourceKind, intent: &Intent, knowledge: &Knowledge) -> Option<String> {
    inlay_query::question_sql(kind, &asking::asked(intent, knowledge)?.question).ok()
}

#[test]
fn measures_that_add_up_are_summed_and_others_averaged() {
    assert_eq!(
        sql_of(&["revenue by month"]),
        "select CAST(date_trunc('month', t.\"created_at\") AS DATE) as \"month\", sum(t.\"amount\") as \"total_amount\" from \"shop\".\"orders\" t \
         group by 1 order by 1 limit 5000"
    );
    assert!(sql_of(&["average order value"]).starts_with("select avg(t.\"amount\") as \"average_amount\" from"));
    assert!(sql_of(&["median order value by status"]).contains("percentile_cont(0.5) within group (order by t.\"amount\")"));
}

#[test]
fn a_key_leads_to_the_other_tables_columns() {
    let by_country = sql_of(&["orders by country"]);
    assert!(by_country.contains("l0.\"country\" as \"country\", count(*)"), "{by_country}");
    assert!(by_country.contains("left join \"shop\".\"customers\" l0 on l0.\"id\" = t.\"customer_id\""), "{by_country}");
    assert!(sql_of(&["orders from Germany in May"]).ends_with(
        "where l0.\"country\" = 'Germany' and t.\"created_at\" >= cast('2024-05-01' as date) and t.\"created_at\" < cast('2024-06-01' as date)"
    ));
}

#[test]
fn a_key_without_meaning_is_shown_by_its_name() {
    let best = sql_of(&["top 3 customers by revenue"]);
    assert!(
        best.contains("l0.\"name\" as \"name\", sum(t.\"amount\")") && best.ends_with("order by 2 desc, 1 limit 3"),
        "{best}"
    );
}

#[test]
fn flags_and_values_narrow() {
    assert!(sql_of(&["how many gift orders are there"]).ends_with("where t.\"is_gift\" = true"));
    assert!(sql_of(&["refunded orders"]).ends_with("where t.\"status\" = 'refunded'"));
    assert!(
        sql_of(&["share of orders that are refunded"])
            .contains("avg(case when t.\"status\" = 'refunded' then 1.0 else 0.0 end)")
    );
    assert!(sql_of(&["orders over 100 dollars"]).ends_with("where t.\"amount\" > 100"));
    assert!(sql_of(&["revenue of Ann's \"Bakery\""]).ends_with("where l0.\"name\" = 'Ann''s \"Bakery\"'"));
}

#[test]
fn a_conversation_goes_on_from_what_was_asked() {
    let chain = ["revenue by country", "only paid", "by month", "and by status", "what about 2023", "as a table"];
    let last = sql_of(&chain);
    assert!(
        last.contains("sum(t.\"amount\")") && last.contains("t.\"status\" = 'paid'") && last.contains("'2023-01-01'"),
        "{last}"
    );
    assert!(last.contains("group by 1, 2"), "{last}");
    assert_eq!(
        sql_of(&["revenue by country", "how many customers are there?"]),
        "select count(*) as \"customers\" from \"shop\".\"customers\" t"
    );
}

#[test]
fn what_has_no_name_here_is_refused() {
    let knowledge = shop();
    for question in ["profit by month", "orders by warehouse", "select * from users", "show me all passwords"] {
        assert!(matches!(asked(&[question], &knowledge), Err(Refusal::Unknown(_))), "{question}");
    }
    assert_eq!(asked(&["why did revenue fall"], &knowledge), Err(Refusal::Beyond));
    assert_eq!(asked(&["hello"], &knowledge), Err(Refusal::Empty));
    assert_eq!(asked(&[""], &knowledge), Err(Refusal::Empty));
}

#[test]
fn a_question_is_said_back() {
    let knowledge = shop();
    let intent = asked(&["top 3 customers by revenue in May without refunded"], &knowledge).unwrap();
    assert_eq!(
        sentences::understood(&intent, &knowledge),
        "I read this as the total order value of orders by customer name without status refunded in May 2024, the 3 highest."
    );
    assert_eq!(
        sentences::title(&intent, &knowledge),
        "Total order value by customer name, without status refunded, in May 2024"
    );
}

#[test]
fn every_database_gets_a_query_of_its_own() {
    let said = |kind| {
        let knowledge = shop();
        let intent = asked(&["median order value by week in 2024"], &knowledge).unwrap();
        sql_for(kind, &intent, &knowledge).unwrap()
    };
    assert!(said(SourceKind::Mysql).contains("date(t.`created_at` - INTERVAL weekday(t.`created_at`) DAY) as `week`"));
    assert!(said(SourceKind::Mysql).contains("floor((of_all + 1) / 2)"));
    assert!(
        said(SourceKind::Clickhouse).contains("date_trunc('week', t.`created_at`)")
            && said(SourceKind::Clickhouse).contains("quantileExactInclusive(0.5)(")
    );
    assert!(said(SourceKind::Trino).contains("row_number() over (partition by CAST(date_trunc('week'"));
    assert!(
        said(SourceKind::Sqlite).contains("'weekday 0', '-6 days'") && said(SourceKind::Sqlite).contains(">= '2024-01-01'")
    );
}

#[test]
fn the_top_of_each_period_is_ranked_within_it() {
    let top = sql_of(&["top 3 countries by revenue each month"]);
    assert!(top.contains("row_number() over (partition by \"month\" order by \"total_amount\" desc) as place"), "{top}");
    assert!(top.contains("where place <= 3 order by 1, 3 desc"), "{top}");
}

#[test]
fn several_measures_stand_beside_each_other() {
    assert!(sql_of(&["orders and average order value by country"]).contains("count(*) as \"orders\", avg(t.\"amount\")"));
    assert!(
        sql_of(&["min and max order value"]).starts_with("select min(t.\"amount\") as \"lowest_amount\", max(t.\"amount\")")
    );
    assert!(sql_of(&["compare weekdays and weekends"]).contains("'Weekend'"));
}

#[test]
fn bounds_hold_on_both_ends_or_are_not_understood() {
    let between = sql_of(&["orders between 50 and 100 dollars"]);
    assert!(between.ends_with("where t.\"amount\" >= 50 and t.\"amount\" <= 100"), "{between}");
    let knowledge = shop();
    assert!(matches!(asked(&["orders longer than 3 hours"], &knowledge), Err(Refusal::Unknown(_))));
}

/// Words of every kind, for random messages.
const WORDS: &str = "how many|number of|average|median|total|min|max|share of|percentage|the most|highest|fewest|longest|top|bottom|5|3|100|1.5|by|per|each|and|,|or|vs|\
    compare|not|without|only|as|which|month|week|day|weekday|hours|year|quarter|weekends|over time|pie|as a table|on a map|over|less than|at least|between|or more|to|from|\
    list|distribution of|relationship between|minutes|min|dollars|where|what about|also|instead|those|in March|last month|since 2024-01-01|Q1|2023|before 8 am|orders|\
    customers|customer|revenue|order value|quantity|status|gift|country|name|paid|refunded|Germany|France|Bolt|ordered on|id|how far|worst|best|latest|first week of June|?|%";

proptest! {
    #[test]
    fn no_words_bring_the_analyst_down(messages in prop::collection::vec(prop::collection::vec(0usize..90, 1..12), 1..4)) {
        let words: Vec<&str> = WORDS.split('|').map(str::trim).collect();
        let messages: Vec<String> = messages.iter().map(|picks| picks.iter().map(|at| words[at % words.len()]).collect::<Vec<_>>().join(" ")).collect();
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        let knowledge = shop();
        if let Ok(intent) = asked(&messages, &knowledge) {
            // SQLite cannot compute several medians at once.
            let is_median = |measure: &Measure| matches!(measure, Measure::Of(Aggregate::Median, _));
            let too_much = intent.measures.len() > 1 && intent.measures.iter().any(is_median);
            prop_assert!(too_much || sql_for(SourceKind::Sqlite, &intent, &knowledge).is_some(), "{:?}", intent);
            prop_assert!(!sentences::understood(&intent, &knowledge).is_empty());
        }
    }

    #[test]
    fn no_text_brings_the_analyst_down(text in any::<String>()) {
        let knowledge = shop();
        if let Ok(intent) = asked(&[&text], &knowledge) {
            prop_assert!(sql_for(SourceKind::Postgres, &intent, &knowledge).is_some());
        }
    }
}
