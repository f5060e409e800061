//! Tests of all stages together, on a shop's tables without data: the query that a conversation becomes.

use super::{
    follow::{Refusal, Understood, understand_with},
    instead, sentences,
};
use crate::{
    causes::Unclear,
    language::grain::Grain,
    reading::{Context, Meaning, Num, asking},
    world::{World, testing::shop},
};
use inlay_contract::model::ModelQuery;
use proptest::prelude::*;
use serde_json::{Value, json};

fn asked(conversation: &[&str], world: &World) -> Result<Meaning, Refusal> {
    match understand_with(conversation, Context { world, today: "2024-06-15".parse().unwrap() }).0 {
        Understood::Meaning(meaning) => Ok(*meaning),
        Understood::Change(change) => Ok(change.meaning),
        Understood::Moved(moved) => Ok(moved.change.meaning),
        Understood::Refused(refusal) => Err(refusal),
    }
}

fn query(conversation: &[&str]) -> ModelQuery {
    let world = shop();
    let meaning = asked(conversation, &world).unwrap_or_else(|refusal| panic!("{conversation:?}: {refusal:?}"));
    asking::asked(&meaning, &world).expect("a query").query
}

/// The query's only aggregate, without what is empty.
fn aggregate(query: &ModelQuery) -> Value {
    serde_json::to_value(query.aggregates.values().next().expect("an aggregate")).expect("JSON")
}

fn filters(query: &ModelQuery) -> Value {
    serde_json::to_value(&query.filters).expect("JSON")
}

#[test]
fn measures_that_add_up_are_summed_and_others_averaged() {
    let revenue = query(&["revenue by month"]);
    assert_eq!(aggregate(&revenue), json!({"table": "shop.orders", "aggregate": "sum", "of": "shop.orders.amount"}));
    assert_eq!(
        serde_json::to_value(&revenue.dimensions).unwrap(),
        json!([{"name": "shop.orders.created_at", "grain": "month", "as": "month"}])
    );
    assert_eq!(aggregate(&query(&["median quantity"]))["aggregate"], "median");
    assert_eq!(aggregate(&query(&["average quantity by status"]))["aggregate"], "average");
}

#[test]
fn a_number_is_told_in_the_unit_that_is_asked_for() {
    let mut world = shop();
    let quantity = world.fields.iter().position(|field| field.name == "quantity").expect("a field");
    world.fields[quantity].unit = Some(crate::language::unit::Unit::Minute);
    let meaning = asked(&["average quantity in hours by status"], &world).expect("a meaning");
    let query = asking::asked(&meaning, &world).expect("a query").query;
    let formula = query.metrics.values().next().and_then(|metric| metric.formula.clone());
    assert_eq!(formula.as_deref(), Some("average_quantity_value / 60"));
    assert_eq!(sentences::understood(&meaning, &world), "I read this as the average quantity in hours by status.");
    // Minutes are asked for as they are.
    let meaning = asked(&["average quantity in minutes"], &world).expect("a meaning");
    assert!(matches!(meaning.numbers[..], [Num::Of(..)]), "{:?}", meaning.numbers);
}

#[test]
fn a_key_leads_to_the_other_tables_columns() {
    let orders = query(&["orders from Germany in May"]);
    assert_eq!(
        filters(&orders),
        json!([{"dimension": "shop.customers.country", "value": "Germany"},
            {"dimension": "shop.orders.created_at", "value": {"from": "2024-05-01", "to": "2024-06-01"}}])
    );
    assert_eq!(query(&["orders by country"]).dimensions[0].name, "shop.customers.country");
    let best = query(&["top 3 customers by revenue"]);
    assert_eq!((best.dimensions[0].name.as_str(), best.limit, best.sort[0].descending), ("shop.customers.name", Some(3), true));
}

#[test]
fn conditions_narrow_rows_and_groups() {
    assert_eq!(filters(&query(&["how many gift orders are there"]))[0]["value"], true);
    assert_eq!(filters(&query(&["refunded orders"]))[0]["value"], "refunded");
    assert_eq!(filters(&query(&["orders without refunded"]))[0]["not"], true);
    assert_eq!(filters(&query(&["revenue of Ann's \"Bakery\""]))[0]["value"], "Ann's \"Bakery\"");
    let many = query(&["customers with more than 10 orders"]);
    assert_eq!((many.having[0].than, many.dimensions[0].name.as_str()), (10.0, "shop.customers.name"));
}

#[test]
fn parts_and_what_has_none_are_asked_of_the_model() {
    let share = query(&["share of orders that are refunded"]);
    let metric = share.metrics.values().next().expect("a metric");
    assert!(metric.formula.as_ref().is_some_and(|formula| formula.contains('/')), "{share:?}");
    let none = query(&["customers without orders"]);
    assert_eq!((none.having[0].than, none.dimensions[0].name.as_str()), (0.0, "shop.customers.name"));
    let each = query(&["average number of orders per customer"]);
    assert!(each.metrics.values().any(|metric| metric.ratio.is_some()), "{each:?}");
}

#[test]
fn a_conversation_goes_on_from_what_was_asked() {
    let last = query(&["revenue by country", "only paid", "by month", "and by status", "what about 2023", "as a table"]);
    assert_eq!(filters(&last)[0]["value"], "paid");
    assert_eq!(filters(&last)[1]["value"]["from"], "2023-01-01");
    assert_eq!(last.dimensions.iter().map(|group| group.column()).collect::<Vec<_>>(), ["month", "status"]);
    let anew = query(&["revenue by country", "how many customers are there?"]);
    assert_eq!(aggregate(&anew), json!({"table": "shop.customers", "aggregate": "count"}));
    assert_eq!((anew.dimensions.len(), anew.filters.len()), (0, 0));
}

#[test]
fn no_word_is_dropped_in_silence() {
    let world = shop();
    for question in
        ["profit by month", "orders by warehouse", "select * from users", "show me all passwords", "revenue of robots"]
    {
        assert!(matches!(asked(&[question], &world), Err(Refusal::Unknown(..))), "{question}");
    }
    assert_eq!(asked(&["forecast revenue"], &world), Err(Refusal::Beyond));
    assert_eq!(asked(&["why?"], &world), Err(Refusal::Why));
    assert!(matches!(asked(&["why did profit fall"], &world), Err(Refusal::Unknown(..))));
    assert_eq!(asked(&["revenue next month"], &world), Err(Refusal::Apart));
    assert_eq!(asked(&["hello"], &world), Err(Refusal::Greeting));
    assert_eq!(asked(&[""], &world), Err(Refusal::Empty));
}

#[test]
fn what_could_only_be_guessed_is_declined() {
    let world = shop();
    for question in [
        // Two numbers that nothing joins, and one that is no number of rows.
        "average revenue quantity by month",
        // A list that is one number, and a number that is a list.
        "list the revenue",
        "how many orders have a status",
        // Groups that nothing names as such, and a rank without a number.
        "share of revenue country",
        // A condition that compares two columns.
        "orders with quantity below revenue",
        // Values that no row has together.
        "orders paid refunded",
        // A number that nothing is done with.
        "which 7 orders by status",
        "what 12 revenue in May",
        // A number at one moment, and a unit that the number does not have.
        "orders at the end of May",
        "revenue in hours",
        // More than 90 % of a sum.
        "customers with over 90% revenue",
        "how many hours in May",
    ] {
        let read = asked(&[question], &world).map(|meaning| sentences::understood(&meaning, &world));
        assert!(matches!(read, Err(Refusal::Apart | Refusal::Unknown(..))), "{question}: {read:?}");
    }
    // What goes on from a question without a meaning has none either, if its words say that it goes on.
    for question in ["and revenue?", "same for orders", "what about revenue by month"] {
        assert_eq!(asked(&["robots by planet", question], &world), Err(Refusal::Alone), "{question}");
    }
    assert!(asked(&["robots by planet", "revenue in May"], &world).is_ok());
}

#[test]
fn names_that_do_not_go_together_are_offered_apart() {
    let world = shop();
    let context = Context { world: &world, today: "2024-06-15".parse().unwrap() };
    let offered = instead::fewer(&["average revenue quantity by month"], context);
    assert_eq!(offered, ["Average quantity by month", "Average revenue by month"]);
    assert!(instead::fewer(&["revenue next month"], context).is_empty());
}

#[test]
fn people_write_short_and_mean_the_whole() {
    for (short, whole) in [
        ("ords by mth", "orders by month"),
        ("revenue by cust", "revenue by customer"),
        ("rev from ger", "rev from ger"),
        ("orders last yr", "orders last year"),
        ("revenue jan-mar 2024", "revenue from january to march 2024"),
        ("orders over $50", "orders with revenue over 50"),
        ("revenue march this year", "revenue march 2024"),
        ("revenue mar 24", "revenue march 2024"),
        ("revenue mar 24 compared to the same month last year", "revenue march 2024 vs march 2023"),
        ("customers with revenue over 2 thousand", "customers with revenue over 2000"),
    ] {
        let world = shop();
        let (one, other) = (asked(&[short], &world), asked(&[whole], &world));
        assert_eq!(
            one.map(|meaning| asking::asked(&meaning, &world)),
            other.map(|meaning| asking::asked(&meaning, &world)),
            "{short}"
        );
    }
}

#[test]
fn weekdays_are_days_or_a_group() {
    let filtered = query(&["average weekday revenue"]);
    assert_eq!(
        (filtered.dimensions.len(), filters(&filtered)[0]["value"].clone()),
        (0, json!(["Mon", "Tue", "Wed", "Thu", "Fri"]))
    );
    assert_eq!(query(&["revenue by weekday"]).dimensions.len(), 1);
    let parts = query(&["weekday vs weekend revenue"]);
    assert_eq!((parts.dimensions.len(), parts.filters.len()), (1, 0));
}

#[test]
fn people_of_one_name_stay_two() {
    let mut world = shop();
    world.tables[1].has_namesakes = true;
    let meaning = asked(&["top 3 customers by revenue"], &world).unwrap();
    let groups: Vec<String> =
        asking::asked(&meaning, &world).unwrap().query.dimensions.iter().map(|group| group.name.clone()).collect();
    assert_eq!(groups, ["shop.customers.name", "shop.customers.id"]);
    assert!(sentences::understood(&meaning, &world).contains("by customer name, the 3 highest"));
}

#[test]
fn other_names_of_values_are_those_values() {
    assert_eq!(filters(&query(&["bounced orders"]))[0]["value"], "refunded");
    let rate = query(&["bounce rate by month"]);
    let formula = rate.metrics.values().next().and_then(|metric| metric.formula.clone()).expect("a share");
    let part = rate.aggregates.values().find(|measure| !measure.filters.is_empty()).expect("a part");
    assert!(formula.contains('/') && filters_of(part)[0]["value"] == "refunded", "{rate:?}");
}

fn filters_of(measure: &inlay_contract::model::QueryMeasure) -> Value {
    serde_json::to_value(&measure.filters).expect("JSON")
}

#[test]
fn means_of_periods_and_years_before_are_not_dropped() {
    let world = shop();
    let context = |question: &[&str]| asked(question, &world).map(|meaning| meaning.numbers);
    assert!(matches!(context(&["average monthly revenue"]).as_deref(), Ok([Num::PerPeriod(_, Grain::Month, Some(_))])));
    assert!(context(&["average monthly basket size"]).is_err());
    // A mean of months is asked of the orders alone: what narrows it by customers has no answer.
    assert!(context(&["average monthly revenue from Germany"]).is_err());
    let compared = query(&["revenue in March 2024", "compared to the same month last year"]);
    let days = filters(&compared);
    assert_eq!((&days[0]["value"]["from"], &days[0]["value"]["to"]), (&json!("2023-03-01"), &json!("2024-04-01")), "{days}");
}

#[test]
fn times_compare_the_same_periods() {
    let halves = query(&["revenue first half 2024 vs first half 2023"]);
    assert_eq!(serde_json::to_value(&halves.dimensions[0]).unwrap()["grain"], "year");
    let old = query(&["open orders older than 30 days"]);
    assert_eq!(filters(&old)[1]["value"]["to"], "2024-05-16");
}

#[test]
fn a_question_is_said_back() {
    let world = shop();
    let meaning = asked(&["top 3 customers by revenue in May without refunded"], &world).unwrap();
    assert_eq!(
        sentences::understood(&meaning, &world),
        "I read this as the total order value of orders by customer name without status refunded in May 2024, the 3 highest."
    );
    assert_eq!(sentences::title(&meaning, &world), "Total order value by customer name, without status refunded, in May 2024");
}

#[test]
fn the_top_of_each_period_is_ranked_within_it() {
    let top = query(&["top 3 countries by revenue each month"]).top.expect("a top");
    assert_eq!((top.rows, top.per), (3, vec!["month".to_owned()]));
}

#[test]
fn a_distribution_is_asked_in_steps() {
    let mut world = shop();
    world.fields[3].range = Some((0.0, 100.0));
    let meaning = asked(&["distribution of quantity"], &world).expect("a meaning");
    let question = asking::spread(&meaning, &world).expect("a question");
    assert_eq!((question.dimensions[0].column.as_str(), question.dimensions[0].step), ("quantity", Some(5000)));
    assert_eq!(asked(&["distribution of orders"], &world), Err(Refusal::Apart));
}

#[test]
fn weekdays_stand_beside_weekends() {
    let query = query(&["compare orders on weekdays and weekends"]);
    assert_eq!(serde_json::to_value(&query.dimensions[0]).unwrap()["cycle"], "partOfWeek");
}

/// What a question for reasons compares: the query's aggregate and filters, and the periods as days.
fn compared(conversation: &[&str]) -> Result<(String, String), Refusal> {
    let world = shop();
    match understand_with(conversation, Context { world: &world, today: "2024-06-15".parse().unwrap() }).0 {
        Understood::Change(change) => {
            let query = asking::asked(&change.meaning, &world).expect("a query").query;
            let days = change.spans.map(|span| format!("{}..{}", span.from.unwrap(), span.to.unwrap()));
            Ok((format!("{} {}", aggregate(&query)["aggregate"], filters(&query)), days.join(" ")))
        }
        Understood::Meaning(meaning) => panic!("{conversation:?}: {meaning:?}"),
        Understood::Moved(moved) => panic!("{conversation:?}: {moved:?}"),
        Understood::Refused(refusal) => Err(refusal),
    }
}

#[test]
fn a_question_for_reasons_compares_two_periods() {
    for (conversation, days) in [
        (&["why did revenue fall in March?"][..], "2024-02-01..2024-03-01 2024-03-01..2024-04-01"),
        (&["what drove the drop in revenue last month"], "2024-04-01..2024-05-01 2024-05-01..2024-06-01"),
        (&["why is revenue up in May vs last year"], "2023-05-01..2023-06-01 2024-05-01..2024-06-01"),
        (&["why is revenue down in May year over year?"], "2023-05-01..2023-06-01 2024-05-01..2024-06-01"),
        (&["why is revenue higher in May than in February"], "2024-02-01..2024-03-01 2024-05-01..2024-06-01"),
        (&["why did revenue rise from January to March"], "2024-01-01..2024-02-01 2024-03-01..2024-04-01"),
        (
            &["explain the change of revenue in q1 compared to the previous quarter"],
            "2023-10-01..2024-01-01 2024-01-01..2024-04-01",
        ),
        (&["why did revenue fall?"], "2024-04-01..2024-05-01 2024-05-01..2024-06-01"),
        (&["revenue in April", "why?"], "2024-03-01..2024-04-01 2024-04-01..2024-05-01"),
        (&["revenue by month", "why did it drop in April"], "2024-03-01..2024-04-01 2024-04-01..2024-05-01"),
        (&["why is revenue down vs last year"], "2023-01-01..2023-06-16 2024-01-01..2024-06-16"),
        (&["why did revenue fall this month"], "2024-05-01..2024-05-16 2024-06-01..2024-06-16"),
    ] {
        let expected = Ok(("\"sum\" []".to_owned(), days.to_owned()));
        assert_eq!(compared(conversation), expected, "{conversation:?}");
    }
    let (query, _) = compared(&["why did refunded orders from Germany rise in May"]).expect("a comparison");
    assert!(query.starts_with("\"count\"") && query.contains("refunded") && query.contains("Germany"), "{query}");
    let (query, _) = compared(&["why did the number of customers fall in May"]).expect("a comparison");
    assert!(query.starts_with("\"countDistinct\""), "{query}");
    assert_eq!(compared(&["why are there so few customers from Germany"]), Err(Refusal::Unclear(Unclear::Time)));
    assert_eq!(compared(&["why?"]), Err(Refusal::Why));
}

#[test]
fn periods_that_the_data_does_not_cover_are_told() {
    let told = |question: &str, days: f64| {
        let mut world = shop();
        world.fields[1].days = Some(("2024-01-10".parse().expect("a day"), "2024-05-20".parse().expect("a day")));
        world.fields[1].distinct = Some(days);
        let context = Context { world: &world, today: "2024-06-15".parse().expect("a day") };
        let Understood::Change(change) = understand_with(&[question], context).0 else { panic!("{question}") };
        let locale = inlay_contract::format::locale::Locale::of("en");
        super::why_words::WhyWords { change: &change, world: &world, locale }.cut()
    };
    let begins = " Your data begins on 10 January 2024, so not all of January 2024 is in it.";
    assert_eq!(told("why did revenue rise in February?", 130.0), begins);
    let ends = " Your data ends on 20 May 2024, so not all of May 2024 is in it.";
    assert_eq!(told("why did revenue fall in May?", 130.0), ends);
    assert_eq!(told("why did revenue fall in April?", 130.0), "");
    assert_eq!(told("why did revenue fall in May?", 5.0), "", "rows that stand for whole periods");
}

/// Words of every kind, for random messages.
const WORDS: &str = "how many|number of|average|median|total|min|max|share of|percentage|the most|highest|fewest|longest|top|bottom|5|3|100|1.5|by|per|each|and|,|or|vs|\
    compare|not|without|only|as|which|month|week|day|weekday|hours|year|quarter|weekends|over time|pie|as a table|on a map|over|less than|at least|between|or more|to|from|\
    list|distribution of|growth|running total|moving average|order value|minutes|min|dollars|where|what about|also|instead|those|in March|last month|since 2024-01-01|Q1|2023|\
    before 8 am|orders|customers|customer|revenue|quantity|status|gift|country|name|paid|refunded|Germany|France|Bolt|ordered on|id|how far|worst|best|latest|never|45+|?|%|why|explain|drop in";

proptest! {
    #[test]
    fn no_words_bring_the_analyst_down(messages in prop::collection::vec(prop::collection::vec(0usize..110, 1..12), 1..4)) {
        let words: Vec<&str> = WORDS.split('|').map(str::trim).collect();
        let messages: Vec<String> = messages.iter().map(|picks| picks.iter().map(|at| words[at % words.len()]).collect::<Vec<_>>().join(" ")).collect();
        let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
        let world = shop();
        if let Ok(meaning) = asked(&messages, &world) {
            prop_assert!(!sentences::understood(&meaning, &world).is_empty());
            let _ = asking::asked(&meaning, &world);
        }
    }

    #[test]
    fn no_text_brings_the_analyst_down(text in any::<String>()) {
        let world = shop();
        if let Ok(meaning) = asked(&[&text], &world) {
            let _ = asking::asked(&meaning, &world);
        }
    }
}

#[test]
fn what_is_not_known_is_named_with_what_is_near() {
    let world = shop();
    let question = "revenue by customer zodiac";
    let Err(Refusal::Unknown(words, _)) = asked(&[question], &world) else { panic!("zodiac is no name") };
    assert_eq!(words, ["zodiac"]);
    let context = Context { world: &world, today: "2024-06-15".parse().unwrap() };
    assert_eq!(instead::without(&words, &[question], context).as_deref(), Some("Revenue by customer"));
    assert!(instead::nearest("zodiac", &world).is_empty());
    assert_eq!(instead::nearest("custommaries", &world), ["customers"]);
}
