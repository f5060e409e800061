//! The model of docs/model.md, and what it leaves out.

use inlay_ossie::{Column, SemanticModel, Table};
use serde_json::{Value, json};

/// A table from the project file's form.
pub fn table(columns: Value, model: Value) -> Table {
    let columns: std::collections::BTreeMap<String, Value> = serde_json::from_value(columns).expect("columns");
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let column = |(name, value): (String, Value)| {
        let synonyms = serde_json::from_value(value.get("synonyms").cloned().unwrap_or(json!([]))).expect("synonyms");
        let (label, description) = (text(&value, "label"), text(&value, "description"));
        (name, Column { label, description, synonyms, references: text(&value, "references") })
    };
    let columns = columns.into_iter().map(column).collect();
    Table { columns, model: serde_json::from_value(model).expect("a table's model"), ..Table::default() }
}

pub fn model() -> SemanticModel {
    let orders = Table {
        label: Some("Orders".to_owned()),
        description: Some("One row per order: \"paid\" or not.\nVoid ones, too.".to_owned()),
        synonyms: vec!["purchases".to_owned(), "sales: all of them".to_owned(), "Käufe".to_owned()],
        ..table(
            json!({
                "customer_id": {"references": "customers.id"},
                "status": {"label": "Status", "description": "paid, void", "synonyms": ["state"]},
                "carrier_id": {"references": "logistics.carriers.id"}
            }),
            json!({
                "key": "id", "time": "placed_on",
                "dimensions": {
                    "size": {"sql": "case when amount >= 100 then 'large' else 'small' end", "label": "Size"},
                    "town": {"sql": "`City`"}
                },
                "measures": {
                    "order_count": {"aggregate": "count", "label": "Orders"},
                    "revenue": {"aggregate": "sum", "of": "amount", "where": "status <> 'void'", "label": "Revenue",
                        "synonyms": ["turnover"], "format": {"style": "currency", "currency": "EUR"}},
                    "median_order": {"aggregate": "median", "of": "amount"},
                    "slow": {"aggregate": "percentile", "of": "extract(epoch from shipped_at - placed_at)", "fraction": 0.9},
                    "buyers": {"aggregate": "countDistinct", "of": "customer_id"},
                    "paid": {"aggregate": "count", "where": "status = 'paid' or status = 'sent'"},
                    "mean": {"aggregate": "average", "of": "amount - coalesce(discount, 0)"},
                    "least": {"aggregate": "min", "of": "amount"},
                    "most": {"aggregate": "max", "of": "\"status\""},
                    "voids": {"aggregate": "sum", "of": "amount", "where": "status = \"void\""}
                }
            }),
        )
    };
    let tables = [
        ("regions", table(json!({"name": {"label": "Region"}}), json!({"key": "id"}))),
        (
            "customers",
            table(json!({"segment": {"label": "Segment"}, "region_id": {"references": "regions.id"}}), json!({"key": "id"})),
        ),
        ("orders", orders),
        (
            "shop.returns",
            table(
                json!({"customer_id": {"references": "customers.id"}}),
                json!({"key": "id", "time": "returned_on", "measures": {"refunds": {"aggregate": "sum", "of": "amount", "label": "Refunds"}}}),
            ),
        ),
        (
            "stock_levels",
            table(
                json!({"warehouse": {"label": "Warehouse"}}),
                json!({"time": "day", "measures": {
                    "stock": {"aggregate": "sum", "of": "pieces", "take": {"edge": "last", "per": ["warehouse", "product_id"]}},
                    "levels": {"aggregate": "count"}
                }}),
            ),
        ),
    ];
    let metrics = json!({
        "return_rate": {"ratio": ["refunds", "revenue"], "label": "Return rate", "format": {"style": "percent", "decimals": 1}},
        "net_revenue": {"formula": "revenue - coalesce(refunds, 0)", "description": "After refunds"},
        "share_kept": {"formula": "100 * net_revenue / (revenue + 1)"},
        "revenue_so_far": {"running": "revenue", "synonyms": ["so far"]},
        "revenue_this_year": {"toDate": {"of": "revenue", "grain": "year"}},
        "orders_3_months": {"moving": {"of": "order_count", "periods": 3}},
        "turnover_of_stock": {"ratio": ["revenue", "stock"]}
    });
    SemanticModel {
        name: "Shop".to_owned(),
        description: Some("What the shop sells".to_owned()),
        tables: tables.map(|(name, table)| (name.to_owned(), table)).into(),
        metrics: serde_json::from_value(metrics).expect("metrics"),
    }
}
