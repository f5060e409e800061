//! Rules, filters, properties and messages.

use super::{RULE, judge, rewritten_for};
use crate::{filters::Filter, rewrite::Query, rule::validate_rule, source::SourceKind, sql::on_deep_stack};
use chrono::NaiveDate;
use inlay_contract::{
    data::{Column, ColumnType},
    filter::FilterValue,
    frame::message::In,
};
use serde_json::{Value, json};

/// A query that reads the guarded table, and nothing of what fuzzers make.
const PLAIN: &str = "select id, region from orders";

/// Reads a text as a rule. Returns whether it is one.
///
/// # Panics
/// A rule that is valid makes a query that bypasses its wrapper, or the value of a property reaches the text of the query.
pub fn try_rule(kind: SourceKind, rule: &str) -> bool {
    use ColumnType::{Number, Text};
    let columns = [("id", Number), ("company_id", Text), ("region", Text), ("n", Number), ("margin", Number)]
        .map(|(name, kind)| Column { name: name.to_owned(), kind });
    let valid = validate_rule(rule, kind, &columns).is_ok();
    let query = Query::new(PLAIN, NaiveDate::default());
    let Some(made) = rewritten_for(kind, rule, &json!("acme"), &query) else { return false };
    assert!(valid, "{kind}: a rule that is not valid is used\n{rule}\n{made}");
    if let Some(other) = rewritten_for(kind, rule, &json!("acme' or 1=1 --"), &query) {
        assert_eq!(made, other, "{kind}: a value reaches the query's text\n{rule}");
    }
    true
}

/// Reads a text as the value of a filter and as that of a property. Returns whether it is a filter's.
///
/// # Panics
/// The value changes when it is written and read again, or a query with it bypasses its wrappers.
pub fn try_filter(kind: SourceKind, text: &str) -> bool {
    let of = |company: &Value, query: &Query| rewritten_for(kind, RULE, company, query);
    let plain = Query::new(PLAIN, NaiveDate::default());
    // A source may refuse a value, such as one with a NUL.
    if let Some(made) = of(&json!(text), &plain) {
        // MySQL compares texts beyond ASCII in another way, whatever they say.
        let known = if text.is_ascii() { "acme" } else { "é" };
        assert_eq!(Some(made), of(&json!(known), &plain), "{kind}: a property's value reaches the query's text: {text}");
    }
    let Some(value) = FilterValue::from_parameter("f_shop.orders.region", text) else { return false };
    let again = FilterValue::from_json(value.to_json());
    assert_eq!(again.as_ref(), Ok(&value), "a filter changes when it is written and read again: {text}");
    for column in ["id", "company_id", "region", "n"] {
        let filter = Filter { table: "orders".to_owned(), column: column.to_owned(), value: value.clone() };
        let query = Query { filters: vec![filter], ..Query::new(PLAIN, NaiveDate::default()) };
        let Some(made) = of(&json!("acme"), &query) else { continue };
        if let Err(way) = on_deep_stack(|| judge(kind, &made)) {
            panic!("{kind}: {way}\n{text}\n{made}");
        }
    }
    true
}

/// Reads a text as a message of a host page. Returns whether it is one.
///
/// # Panics
/// The message changes when it is written and read again.
pub fn try_message(text: &str) -> bool {
    let Ok(json) = serde_json::from_str::<Value>(text) else { return false };
    let read = |json: &Value| In::read(json["v"].as_f64(), |name| json[name].as_str().map(str::to_owned));
    let Some(message) = read(&json) else { return false };
    assert_eq!(
        read(&message.to_json()).as_ref(),
        Some(&message),
        "a message changes when it is written and read again: {text}"
    );
    if let In::SetParams { search } = &message {
        for (name, value) in url::form_urlencoded::parse(search.trim_start_matches('?').as_bytes()) {
            drop(FilterValue::from_parameter(&name, &value));
        }
    }
    true
}
