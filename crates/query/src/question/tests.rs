//! What questions become, for every database.

use super::{containment_sql, question_sql};
use crate::{error::QueryError, source::SourceKind};
use serde_json::{Value, json};

fn sql_of(kind: SourceKind, question: Value) -> Result<String, QueryError> {
    question_sql(kind, &serde_json::from_value(question).expect("a question")).map(|sql| sql.replace('\n', " "))
}

fn sql(question: Value) -> Result<String, QueryError> {
    sql_of(SourceKind::Sqlite, question)
}

/// A question about orders and their customers.
fn orders(parts: Value) -> Value {
    let mut question = json!({"table": "orders", "joins": [{"key": "customer_id", "table": "shop.customers", "column": "id"}]});
    question.as_object_mut().expect("an object").extend(parts.as_object().expect("an object").clone());
    question
}

#[test]
fn a_question_becomes_one_grouped_query() {
    let asked = sql(json!({"table": "orders", "dimensions": [{"column": "day", "grain": "month"}, {"column": "region"}],
        "measures": [{"aggregate": "count"}, {"aggregate": "sum", "column": "amount"}], "limit": 20}));
    assert_eq!(
        asked.expect("SQL"),
        "select strftime('%Y-%m-01', t.\"day\") as \"day_month\", t.\"region\" as \"region\", count(*) as \"count\", \
         sum(t.\"amount\") as \"sum_amount\" from \"orders\" t group by 1, 2 order by 1 limit 20"
    );
}

#[test]
fn names_stay_names_whatever_they_hold() {
    let asked = sql(json!({"table": "main.o\" where 1=1 --", "dimensions": [{"column": "a\"b"}]})).expect("SQL");
    assert_eq!(asked, "select t.\"a\"\"b\" as \"a\"\"b\" from \"main\".\"o\"\" where 1=1 --\" t limit 1000");
    let of = |kind, name: &str| sql_of(kind, json!({"table": "t", "dimensions": [{"column": name}]}));
    assert!(of(SourceKind::Mysql, "a`b").expect("SQL").starts_with("select t.`a``b` as `a``b` from"));
    assert!(of(SourceKind::Clickhouse, "a\\b").is_err() && of(SourceKind::Mysql, "a\\b").is_err());
    assert!(of(SourceKind::Postgres, "a\\b").is_ok());
    for kind in SourceKind::ALL {
        assert!(of(kind, "a\0b").is_err() && of(kind, "").is_err() && of(kind, "a\nb").is_err());
    }
}

#[test]
fn values_stay_values_whatever_they_hold() {
    let of = |kind, value: Value| {
        let asked = json!({"table": "t", "measures": [{"aggregate": "count"}], "filters": [{"column": "c", "value": value}]});
        sql_of(kind, asked).map(|sql| sql.split_once(" where ").expect("a condition").1.to_owned())
    };
    for kind in SourceKind::ALL {
        assert!(of(kind, json!("O'Hare' OR '1'='1")).expect("SQL").ends_with(" = 'O''Hare'' OR ''1''=''1'"));
        assert!(of(kind, json!("a\0b")).is_err());
        assert!(
            of(kind, json!([])).is_err() && of(kind, json!({"not": []})).is_err() && of(kind, json!({"either": []})).is_err()
        );
        assert!(of(kind, json!({"relative": "last_7_days"})).is_err(), "it depends on the day");
    }
    assert!(of(SourceKind::Mysql, json!("a\\")).is_err());
    assert!(of(SourceKind::Clickhouse, json!("\\' or 1")).is_err());
    assert_eq!(of(SourceKind::Postgres, json!("a\\")).expect("SQL"), "t.\"c\" = 'a\\'");
    assert_eq!(of(SourceKind::Postgres, json!({"comparison": ">", "than": 60.0})).expect("SQL"), "t.\"c\" > 60");
    assert_eq!(
        of(SourceKind::Postgres, json!({"words": ["new york", "y\0"], "beginnings": ["new", "n%"]})).expect("SQL"),
        "(lower(t.\"c\") in ('new york') or lower(t.\"c\") like 'new%')"
    );
    assert!(of(SourceKind::Postgres, json!({"words": ["y\0"], "beginnings": ["_"]})).is_err());
}

#[test]
fn a_column_of_another_table_is_joined_once() {
    let asked = sql(orders(json!({"dimensions": [{"column": "country", "via": "customer_id"}],
        "measures": [{"aggregate": "count"}], "filters": [{"column": "name", "via": "customer_id", "value": {"not": "Bolt"}}]})));
    assert_eq!(
        asked.expect("SQL"),
        "select l0.\"country\" as \"country\", count(*) as \"count\" from \"orders\" t left join \"shop\".\"customers\" l0 on \
         l0.\"id\" = t.\"customer_id\" where (l0.\"name\" <> 'Bolt' or l0.\"name\" is null) group by 1 order by 2 desc limit 1000"
    );
    assert!(sql(orders(json!({"dimensions": [{"column": "a", "via": "nothing"}]}))).is_err());
}

#[test]
fn names_come_by_their_number_and_an_order_is_by_a_column_of_the_answer() {
    let question = json!({"table": "t", "dimensions": [{"column": "a"}], "measures": [{"aggregate": "count"}]});
    assert!(sql(question.clone()).expect("SQL").ends_with("order by 2 desc limit 1000"));
    let mut ordered = question.clone();
    ordered["sort"] = json!({"by": "a"});
    ordered["then"] = json!([{"by": "count", "descending": true}]);
    assert!(sql(ordered).expect("SQL").ends_with("order by 1, 2 desc limit 1000"));
    let mut wrong = question;
    wrong["sort"] = json!({"by": "1; drop table t"});
    assert!(sql(wrong).is_err());
}

#[test]
fn a_question_without_columns_or_with_one_twice_is_none() {
    assert!(sql(json!({"table": "t"})).is_err());
    assert!(sql(json!({"table": "", "dimensions": [{"column": "a"}]})).is_err());
    assert!(sql(json!({"table": "t", "dimensions": [{"column": "a"}, {"column": "a"}]})).is_err());
}

#[test]
fn a_question_has_limits() {
    let columns = |many: usize| json!({"table": "t", "dimensions": (0..many).map(|at| json!({"column": format!("c{at}")})).collect::<Vec<_>>()});
    assert!(sql(columns(500)).is_ok());
    assert!(sql(columns(501)).is_err());
    let conditions = |many: usize| vec![json!({"column": "c", "value": 1}); many];
    let count = |filters: Value| json!({"table": "t", "measures": [{"aggregate": "count", "filters": filters}], "filters": [{"column": "c", "value": 1}]});
    assert!(sql(count(json!(conditions(499)))).is_ok());
    assert!(sql(count(json!(conditions(500)))).is_err());
    let joins = |many: usize| {
        let joins: Vec<Value> = (0..many).map(|at| json!({"key": format!("k{at}"), "table": "u", "column": "id"})).collect();
        json!({"table": "t", "joins": joins, "measures": [{"aggregate": "count"}]})
    };
    assert!(sql(joins(16)).is_ok());
    assert!(sql(joins(17)).is_err());
}

#[test]
fn numbers_without_meaning_are_refused() {
    for measure in [
        json!({"aggregate": "sum"}),
        json!({"aggregate": "average", "column": "a", "part": "total"}),
        json!({"aggregate": "count", "part": "group"}),
        json!({"aggregate": "count", "part": "total", "per": {"column": "d", "grain": "day"}}),
        json!({"aggregate": "least", "column": "a", "per": {"column": "d", "grain": "day"}}),
        json!({"aggregate": "count", "per": {"column": "d", "grain": "day", "cycle": "hour"}}),
    ] {
        assert!(sql(json!({"table": "t", "measures": [measure]})).is_err(), "{measure}");
    }
    assert!(sql(json!({"table": "t", "dimensions": [{"column": "a", "step": 0}]})).is_err());
}

#[test]
fn medians_stand_beside_sums_where_the_database_has_none_of_its_own() {
    let median = |others: Value| {
        let mut measures = vec![json!({"aggregate": "median", "column": "amount"})];
        measures.extend(others.as_array().expect("measures").clone());
        json!({"table": "t", "dimensions": [{"column": "a"}], "measures": measures})
    };
    let beside = sql(median(json!([{"aggregate": "count"}, {"aggregate": "sum", "column": "b"}]))).expect("SQL");
    assert!(beside.contains("min(of_all) as \"count\", min(beside_2) as \"sum_b\""), "{beside}");
    let two = median(json!([{"aggregate": "median", "column": "b"}]));
    assert!(sql(two.clone()).is_err());
    assert!(sql_of(SourceKind::Postgres, two).is_ok());
    assert!(sql(median(json!([{"aggregate": "distinct", "column": "b"}]))).is_err());
}

/// Every form of a question, by a name.
fn forms() -> Vec<(&'static str, Value)> {
    let day = json!({"column": "day", "grain": "week"});
    let count = json!({"aggregate": "count"});
    let paid = json!({"column": "status", "value": "paid"});
    let with = |value: Value| orders(json!({"measures": [count], "filters": [{"column": "c", "value": value}]}));
    let by = |dimension: Value| orders(json!({"dimensions": [dimension], "measures": [count]}));
    let of = |measure: Value| orders(json!({"measures": [measure]}));
    vec![
        (
            "rows",
            json!({"table": "orders", "dimensions": [{"column": "a"}, {"column": "b"}], "sort": {"by": "b"}, "limit": 50}),
        ),
        ("weekdays", by(json!({"column": "day", "cycle": "weekday"}))),
        ("in the order of the week", {
            let mut weekdays = by(json!({"column": "day", "cycle": "weekday", "name": "weekday"}));
            weekdays["sort"] = json!({"by": "weekday"});
            weekdays
        }),
        ("hours", by(json!({"column": "day", "cycle": "hour"}))),
        ("part of the week", by(json!({"column": "day", "cycle": "partOfWeek"}))),
        ("steps", by(json!({"column": "amount", "step": 2500}))),
        ("median", of(json!({"aggregate": "median", "column": "amount"}))),
        ("median by week", {
            orders(json!({"dimensions": [day], "measures": [{"aggregate": "median", "column": "amount"}],
                "having": {"comparison": ">=", "than": 2.5}}))
        }),
        ("part of the rows", of(json!({"aggregate": "count", "filters": [paid], "part": "group"}))),
        ("some of the rows", of(json!({"aggregate": "count", "filters": [paid]}))),
        ("sum of some rows", of(json!({"aggregate": "sum", "column": "amount", "filters": [paid]}))),
        ("part of the total", of(json!({"aggregate": "sum", "column": "amount", "part": "total"}))),
        ("per week", of(json!({"aggregate": "count", "per": day}))),
        ("top of each week", {
            orders(json!({"dimensions": [day, {"column": "status"}], "measures": [count], "limit": 3, "ofEach": true}))
        }),
        ("flag", with(json!(true))),
        ("values", with(json!(["a", 5]))),
        ("days", with(json!({"from": "2024-01-01", "to": "2024-02-01"}))),
        ("periods", with(json!({"either": [{"from": "2024-01-01", "to": "2024-02-01"}, {"from": "2024-06-01"}]}))),
        ("weekends", with(json!({"weekdays": [5, 6], "negated": false}))),
        ("mornings", with(json!({"fromHour": 6, "toHour": 12}))),
    ]
}

#[test]
fn what_each_form_becomes() {
    let text = forms().into_iter().fold(String::new(), |text, (name, question)| {
        let lines = SourceKind::ALL.map(|kind| match sql_of(kind, question.clone()) {
            Ok(sql) => format!("  {kind}: {sql}\n"),
            Err(problem) => format!("  {kind}: ! {}\n", problem.detail()),
        });
        format!("{text}{name}\n{}", lines.concat())
    });
    let key = SourceKind::ALL.map(|kind| containment_sql(kind, ("a.b", "c"), ("d", "e")).expect("SQL")).join("\n");
    insta::assert_snapshot!("forms", text + &key);
}
