//! A shop's tables as a world, without data.

use super::{Kind, World, build, survey};
use crate::scope::{ColumnModel, Comparison, Scope, TableModel, Term, TermValue};
use inlay_contract::{data::ColumnType, source::SourceKind};
use serde_json::json;

fn column(name: &str, kind: ColumnType, label: &str, synonyms: &[&str]) -> ColumnModel {
    ColumnModel {
        name: name.into(),
        label: (!label.is_empty()).then(|| label.into()),
        description: (label == "Order value").then(|| "In US dollars".into()),
        synonyms: synonyms.iter().map(|name| (*name).into()).collect(),
        kind,
        terms: if name == "status" { vec![bounced()] } else { Vec::new() },
        references: None,
    }
}

/// A word for refunded orders, and one for their share.
fn bounced() -> Term {
    Term {
        phrases: vec!["bounced".into()],
        rates: vec!["bounce rate".into()],
        comparison: Comparison::Equal,
        value: TermValue::Text("refunded".into()),
    }
}

/// The catalogue of the shop.
pub(crate) fn scope() -> Scope {
    let table =
        |name: &str, columns| TableModel { name: name.into(), label: None, description: None, synonyms: vec![], columns };
    let orders = vec![
        column("id", ColumnType::Number, "", &[]),
        column("created_at", ColumnType::Timestamp, "Ordered on", &[]),
        column("amount", ColumnType::Number, "Order value", &["revenue", "sales"]),
        column("quantity", ColumnType::Number, "", &[]),
        column("status", ColumnType::Text, "", &[]),
        column("is_gift", ColumnType::Boolean, "Gift", &[]),
        column("customer_id", ColumnType::Number, "", &[]),
    ];
    let customers = vec![
        column("id", ColumnType::Number, "", &[]),
        column("name", ColumnType::Text, "", &[]),
        column("country", ColumnType::Text, "", &[]),
    ];
    Scope {
        workspace: "Shop".into(),
        dialect: SourceKind::Postgres,
        tables: vec![table("shop.orders", orders), table("shop.customers", customers)],
        instructions: None,
        example_questions: vec![],
        examples: vec![],
        model: None,
        model_only: false,
        verified: Vec::new(),
    }
}

/// What is known of the shop.
pub(crate) fn shop() -> World {
    let scope = scope();
    let mut world = build::of(&scope);
    let kinds = [
        Kind::Key,
        Kind::Time,
        Kind::Amount,
        Kind::Amount,
        Kind::Category,
        Kind::Flag,
        Kind::Code,
        Kind::Key,
        Kind::Category,
        Kind::Category,
    ];
    for (field, kind) in world.fields.iter_mut().zip(kinds) {
        field.kind = kind;
    }
    world.tables[0].key = Some(0);
    world.tables[1].key = Some(7);
    world.fields[6].refers = Some(1);
    world.fields[1].days = Some(("2024-01-01".parse().expect("a day"), "2024-06-15".parse().expect("a day")));
    world.looked_up = true;
    let values = std::sync::Arc::make_mut(&mut world.values);
    values.add(4, &[json!("paid"), json!("refunded"), json!("open")]);
    values.add(8, &[json!("Ann's \"Bakery\""), json!("Bolt")]);
    values.add(9, &[json!("Germany"), json!("France")]);
    survey::other_names_of_values(&mut world);
    build::finish(&mut world, &scope);
    world
}
