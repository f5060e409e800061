//! A model and queries for tests of the search.

use inlay_contract::model::{ModelGroup, ModelQuery, OfferedModel};
use serde_json::{Value, json};

/// Flights, the carriers that they lead to, and budgets, which lead nowhere.
pub fn model() -> OfferedModel {
    let own = |table: &str| json!({"table": table, "via": "", "isOnly": true});
    let column = |name: &str, label: &str, kind: &str| json!({"name": name, "label": label, "kind": kind});
    let table = |name: &str, label: &str, time: Value, dimensions: Value, ways: Value| json!({"name": name, "label": label, "time": time, "dimensions": dimensions, "ways": ways});
    let number = |name: &str, label: &str, facts: &[&str]| json!({"name": name, "label": label, "facts": facts});
    serde_json::from_value(json!({
        "numbers": [
            number("flights", "Flights", &["flights"]),
            {"name": "late_flights", "label": "Delayed flights", "facts": ["flights"], "words": {"description": "15 minutes and more", "synonyms": ["late"]}},
            number("planned", "Planned cost", &["budgets"]),
            number("cost_per_flight", "Cost per flight", &["budgets", "flights"]),
        ],
        "tables": [
            table("flights", "Flights", json!("day"), json!([column("day", "Day", "date"), column("origin", "From", "text")]), json!([
                own("flights"), {"table": "carriers", "via": "carrier", "isOnly": true},
            ])),
            table("carriers", "Airlines", Value::Null, json!([column("name", "Airline", "text"), column("founded", "Founded", "date")]), json!([own("carriers")])),
            table("budgets", "Budgets", json!("month"), json!([column("month", "Month", "date")]), json!([own("budgets")])),
        ],
    }))
    .expect("a model")
}

/// A query for measures by dimensions.
pub fn asking(measures: &[&str], groups: &[&str]) -> ModelQuery {
    ModelQuery {
        measures: measures.iter().map(|name| (*name).to_owned()).collect(),
        dimensions: groups.iter().map(|name| ModelGroup::of(*name)).collect(),
        ..ModelQuery::default()
    }
}
