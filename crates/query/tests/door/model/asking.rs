//! A model of a few tables, and queries of it in few words.

use chrono::NaiveDate;
use inlay_query::{Compiled, Model, ModelTable, NoMeaning, Reference, SourceKind, compile};
use serde_json::{Value, json};

/// A model of tables. Columns have what they refer to behind `>`; hidden ones begin with `-`.
pub(super) fn model_of<const N: usize>(tables: [(&str, &str, Value); N], metrics: Value) -> Model {
    let tables = tables.into_iter().map(|(name, columns, model)| {
        let model = serde_json::from_value(model).expect("a table's model");
        let mut made = ModelTable { model, ..ModelTable::default() };
        for (column, to) in columns.split(' ').map(|column| column.split_once('>').unwrap_or((column, ""))) {
            if !column.starts_with('-') {
                made.columns.insert(column.to_owned(), None);
            }
            let reference = Reference::read(to).map(|to| (column.trim_start_matches('-').to_owned(), to));
            made.references.extend(reference);
        }
        (name.to_owned(), made)
    });
    Model { tables: tables.collect(), metrics: serde_json::from_value(metrics).expect("metrics") }
}

pub(super) fn model() -> Model {
    let counts = |name: &str| json!({"key": "id", "measures": {name: {"aggregate": "count"}}});
    let orders = json!({"key": "id", "time": "placed",
        "dimensions": {"size": {"sql": "case when amount >= 50 then 'large' else 'small' end", "label": "Size"}},
        "measures": {"orders": {"aggregate": "count"}, "revenue": {"aggregate": "sum", "of": "amount", "label": "Revenue"},
            "paid": {"aggregate": "sum", "of": "amount", "where": "status = 'paid'"}, "mean": {"aggregate": "average", "of": "amount"},
            "middle": {"aggregate": "median", "of": "amount"}, "slow": {"aggregate": "percentile", "of": "amount", "fraction": 0.9}}});
    let returns = json!({"key": "id", "time": "returned", "measures": {"refunds": {"aggregate": "sum", "of": "amount"}}});
    let balances = json!({"key": "id", "time": "day",
        "measures": {"closing": {"aggregate": "sum", "of": "amount", "take": {"edge": "last", "per": ["customer_id"]}}}});
    let keys = "customer_id>customers.id product_id>products.sku agent_id>agents.id -buyer_id>people.id";
    let tables = [
        ("regions", "id name", json!({"key": "id"})),
        ("customers", "id region_id>regions.id segment", counts("clients")),
        ("products", "sku category", json!({"dimensions": {"kind": {"sql": "lower(category)"}}})),
        ("agents", "-id name", json!({"key": "id"})),
        ("orders", &format!("id placed amount status {keys}"), orders),
        ("returns", "id customer_id>customers.id returned amount", returns),
        ("balances", "id customer_id>customers.id manager_id>customers.id day amount", balances),
        ("people", "id name boss_id>people.id team_id>teams.id", counts("heads")),
        ("teams", "id title lead_id>people.id", counts("teams")),
    ];
    let metrics = json!({"return_rate": {"ratio": ["refunds", "revenue"]}, "net": {"formula": "(revenue - refunds) * 2 / 3 + -1"},
        "so_far": {"running": "revenue"}, "this_year": {"toDate": {"of": "revenue", "grain": "year"}},
        "this_month": {"toDate": {"of": "revenue", "grain": "month"}}, "smooth": {"moving": {"of": "orders", "periods": 3}}});
    model_of(tables, metrics)
}

/// `orders by customers.segment via customer_id as own, time grain month` as a query, with more fields.
pub(super) fn also(text: &str, more: Value) -> Value {
    let (measures, groups) = text.split_once("by ").unwrap_or((text, ""));
    let listed = |text: &str| text.split(", ").map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect();
    let (measures, groups): (Vec<String>, Vec<String>) = (listed(measures), listed(groups));
    let group = |text: &String| {
        let words: Vec<&str> = text.split(' ').collect();
        let fields = words[1..].chunks(2).map(|pair| (pair[0].to_owned(), json!(pair[1])));
        fields.chain([("name".to_owned(), json!(words[0]))]).collect::<Value>()
    };
    let mut query = json!({"measures": measures, "dimensions": groups.iter().map(group).collect::<Value>()});
    for (field, value) in more.as_object().into_iter().flatten() {
        query[field] = value.clone();
    }
    query
}

pub(super) fn ask(text: &str) -> Value {
    also(text, json!({}))
}

pub(super) fn filtered(dimension: &str, value: Value) -> Value {
    also("orders", json!({"filters": [{"dimension": dimension, "value": value}]}))
}

/// A query of a time beside an earlier one.
pub(super) fn compared(text: &str, value: Value, compare: &str) -> Value {
    also(text, json!({"filters": [{"dimension": "time", "value": value}], "compare": compare}))
}

/// A query of a period that counts from the newest row.
pub(super) fn newest(text: &str, period: &str, compare: &str) -> Value {
    let mut query = also(text, json!({"filters": [{"dimension": "time", "value": {"relative": period}, "newest": true}]}));
    if !compare.is_empty() {
        query["compare"] = json!(compare);
    }
    query
}

pub(super) fn days(from: &str, to: &str) -> Value {
    json!({"from": from, "to": to})
}

pub(super) fn made(kind: SourceKind, model: &Model, query: &Value) -> Result<Compiled, NoMeaning> {
    let query = serde_json::from_value(query.clone()).expect("a query");
    compile(kind, model, &query, NaiveDate::from_ymd_opt(2025, 2, 11).expect("a day"))
}

pub(super) fn compiled(kind: SourceKind, query: &Value) -> Compiled {
    made(kind, &model(), query).unwrap_or_else(|problem| panic!("{kind}: {query}: {problem}"))
}

/// Each query is refused at a field, by a sentence that holds all the parts.
pub(super) fn refused<const N: usize>(model: &Model, cases: [(Value, &str, &[&str]); N]) {
    for (query, at, parts) in cases {
        let problem = made(SourceKind::Sqlite, model, &query).expect_err(&query.to_string());
        assert_eq!(problem.at, at, "{query}: {}", problem.why);
        assert!(parts.iter().all(|part| problem.why.contains(part)), "{query}: {}", problem.why);
    }
}
