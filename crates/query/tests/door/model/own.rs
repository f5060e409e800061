//! Measures of one query, and the first rows of each group.

use super::asking::{also, compiled, days, newest};
use inlay_query::{SourceKind, reading};
use serde_json::{Value, json};

/// A query of measures of its own.
fn own(text: &str, aggregates: Value) -> Value {
    also(text, json!({ "aggregates": aggregates }))
}

fn sql(query: &Value) -> String {
    compiled(SourceKind::Sqlite, query).sql
}

/// Queries of each form, each with parts that its SQL holds.
fn forms() -> Vec<(Value, &'static [&'static str])> {
    let trade = json!({"dimension": "customers.segment", "value": "trade"});
    let late = json!({"dimension": "orders.status", "value": ["late", "lost"], "not": true});
    let weekend = json!({"dimension": "time", "cycle": "partOfWeek", "value": "Weekend"});
    let spread = json!({
        "n": {"table": "orders", "aggregate": "count"},
        "worth": {"table": "orders", "aggregate": "sum", "of": ["orders.amount", "customers.region_id"], "filters": [trade, late]},
        "places": {"table": "orders", "aggregate": "countDistinct", "of": "customers.segment", "filters": [weekend]},
        "middle_one": {"table": "orders", "aggregate": "median", "of": "orders.amount", "filters": [trade]},
        "most": {"table": "orders", "aggregate": "percentile", "of": "orders.amount", "fraction": 0.9},
        "back": {"table": "returns", "aggregate": "average", "of": "returns.amount"},
    });
    let half = json!([{"dimension": "time", "value": days("2024-01-01", "2024-07-01")}]);
    let metrics =
        json!({"part": {"share": {"of": "worth"}}, "so_many": {"running": "n"}, "rate": {"ratio": ["back", "revenue"]}});
    let more = json!({"aggregates": spread, "metrics": metrics, "filters": half, "compare": "previous", "totals": true,
        "having": [{"measure": "worth", "comparison": ">", "than": 5}], "sort": [{"by": "n", "descending": true}],
        "top": {"rows": 3, "per": ["segment"]}, "limit": 10});
    let every = "n, worth, places, middle_one, most, back, part, so_many, rate, revenue by customers.segment, time grain month";
    let managed = json!({"m": {"table": "balances", "aggregate": "max", "of": ["balances.amount", "customers.region_id"], "via": "manager_id"}});
    let boss = json!({"m": {"table": "people", "aggregate": "min", "of": "people.name", "via": "boss_id"}});
    let mut recent = newest("n by orders.status", "last_7_days", "previous");
    recent["aggregates"] = json!({"n": {"table": "orders", "aggregate": "count", "of": "orders.amount", "filters": [late]}});
    vec![
        (
            also(every, more),
            &["count(DISTINCT CASE WHEN", "row_number() OVER (PARTITION BY \"r\".\"segment\"", "\"place\" <= 3"],
        ),
        (own("m by balances.id", managed), &["max(\"t\".\"amount\" * \"j0\".\"region_id\")", "\"t\".\"manager_id\""]),
        (own("m", boss), &["min(\"j0\".\"name\")", "\"j0\".\"id\" = \"t\".\"boss_id\""]),
        (recent, &["NOT (\"t\".\"status\" IN ('late', 'lost'))", "THEN \"t\".\"amount\" END"]),
    ]
}

#[test]
fn every_form_passes_the_checks_of_every_database() {
    let catalog = super::forms::catalog();
    for (query, parts) in forms() {
        let written = sql(&query);
        assert!(parts.iter().all(|part| written.contains(part)), "{written}");
        for kind in SourceKind::ALL {
            let made = compiled(kind, &query);
            for sql in [Some(made.sql), made.totals].into_iter().flatten() {
                reading(kind, &sql, &catalog).unwrap_or_else(|problem| panic!("{kind}: {}: {sql}", problem.detail()));
            }
        }
    }
}
