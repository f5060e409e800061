//! Dimensions that declare the order of their values, on real databases.

use super::{asking::model_of, compiled_query, limits};
use crate::databases::{Database, rule, table, viewer};
use chrono::NaiveDate;
use inlay_query::{Catalog, Model, SourceKind, check_model, compile};
use serde_json::{Value, json};

const SCRIPT: &str = "create table shirts (company_id varchar(20), size varchar(20), pieces integer);
    insert into shirts values ('acme', 'large', 1), ('acme', 'it''s huge', 2), ('acme', 'small', 4), ('acme', 'medium', 8),
    ('acme', 'tiny', 16), ('acme', null, 32), ('acme', 'small', 64), ('globex', 'small', 1000);";

fn model(order: &Value) -> Model {
    let shirts = json!({"dimensions": {"fit": {"sql": "size", "order": order}}, "measures": {"pieces": {"aggregate": "sum", "of": "pieces"}}});
    model_of([("shirts", "size pieces company_id", shirts)], json!({}))
}

async fn sizes(database: &Database, asked: Value) -> Vec<Value> {
    let asked = serde_json::from_value(asked).expect("a query");
    let model = model(&json!(["tiny", "small", "medium", "large", "it's huge"]));
    let compiled = compile(database.source.kind, &model, &asked, NaiveDate::default()).expect("a meaning");
    let catalog = Catalog::new(vec![table("shirts", rule("company_id = {{organization.company}}"), &[])]);
    let answer = database.engine.run(&database.source, &catalog, &viewer("acme"), &compiled_query(&compiled.sql)).await;
    let answer = answer.unwrap_or_else(|problem| panic!("{}\n{}", problem.detail(), compiled.sql));
    answer.rows.into_iter().filter_map(|row| row.into_iter().next()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_come_in_the_order_that_a_dimension_declares() {
    Database::each(SCRIPT, limits(), async |database| {
        let by = |more: Value| {
            let mut asked = json!({"measures": ["pieces"], "dimensions": [{"name": "shirts.fit"}]});
            more.as_object().expect("fields").iter().for_each(|(field, value)| asked[field] = value.clone());
            asked
        };
        let declared = json!(["tiny", "small", "medium", "large", "it's huge", null]);
        assert_eq!(json!(sizes(database, by(json!({}))).await), declared, "{}", database.source.kind);
        let descending = by(json!({"sort": [{"by": "fit", "descending": true}]}));
        assert_eq!(json!(sizes(database, descending).await), json!(["it's huge", "large", "medium", "small", "tiny", null]));
        let by_number = by(json!({"sort": [{"by": "pieces", "descending": true}], "limit": 2}));
        assert_eq!(json!(sizes(database, by_number).await), json!(["small", null]), "a measure leads");
        let distinct = json!({"dimensions": [{"name": "shirts.fit"}]});
        assert_eq!(json!(sizes(database, distinct).await), declared, "without a measure");
    })
    .await;
}

#[test]
fn a_declared_order_names_each_value_once_and_none_that_cannot_be_written() {
    let problem = |order: Value| {
        let found = check_model(SourceKind::Postgres, &model(&order));
        found.into_iter().map(|problem| format!("{}: {}", problem.at, problem.why)).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(problem(json!(["small", "it's huge"])), "");
    assert_eq!(problem(json!(["small", "small"])), "dimensions.fit.order: names `small` twice");
    let many: Vec<String> = (0..101).map(|number| number.to_string()).collect();
    assert_eq!(problem(json!(many)), "dimensions.fit.order: must have at most 100 values");
    assert!(problem(json!(["a\\'b"])).starts_with("dimensions.fit.order: the value"), "{}", problem(json!(["a\\'b"])));
}
