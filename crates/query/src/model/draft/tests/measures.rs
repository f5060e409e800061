//! Drafts of measures: which numbers are measured, and what measures are called.

use super::*;
use inlay_contract::model::Aggregate;

#[test]
fn numbers_are_measured_by_what_their_names_say() {
    let sums = [
        "amount",
        "TotalAmount",
        "line_total",
        "unit_count",
        "net_sales",
        "tax_fee",
        "duration",
        "qty",
        "total_price",
        "delay_minutes",
    ];
    let means = ["tax_rate", "discountPct", "score", "unit_price", "unit_cost", "price", "arr_delay", "cost_per_click"];
    let nothing = [
        "zip_code",
        "year",
        "order_month",
        "days",
        "latitude",
        "order_number",
        "version",
        "status",
        "is_amount",
        "max_amount",
        "x",
        "customer_id",
        "phone",
        "revenue_year",
        "balance",
        "sales_target",
    ];
    let expect = |names: &[&str], expected: Option<Aggregate>| {
        for name in names {
            let own: Vec<String> = words::words(name);
            let draft = plainly(&[&format!("t({name})")], &[]);
            let of = draft.tables["t"].measures.values().find(|measure| measure.of.is_some());
            assert_eq!(of.map(|measure| measure.aggregate), expected, "{own:?}");
        }
    };
    expect(&sums, Some(Aggregate::Sum));
    expect(&means, Some(Aggregate::Average));
    expect(&nothing, None);
}

#[test]
fn keys_are_not_added_up() {
    let draft = plainly(
        &["lines(order_count, total, amount)", "totals(id)"],
        &["lines(order_count, total)", "lines(amount) > totals(id)"],
    );
    assert_eq!(told(&draft, "lines"), "order_count+total |  |  | lines=count()".replace("|  |  |", "| amount>totals.id |  |"));
}

#[test]
fn names_of_measures_are_of_nothing_else() {
    let of = [
        "orders(id, amount, orders_count, orders_qty)",
        "returns(id, amount)",
        "archive.orders(id)",
        "group(id)",
        "Straße(größe_total)",
        "2024(id)",
    ];
    let draft = drafted(&of, &[], &BTreeMap::new(), &["orders", "Returns"]);
    let names: Vec<&String> = draft.tables.values().flat_map(|table| table.measures.keys()).collect();
    let mut once: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), names.len(), "{names:?}");
    assert!(!once.contains(&"orders".to_owned()) && !once.contains(&"returns".to_owned()), "{names:?}");
    assert!(names.iter().all(|name| crate::model::check::name_of_number(SourceKind::Postgres, name).is_ok()), "{names:?}");
    assert!(draft.tables["orders"].measures.contains_key("order_amount"), "{draft:?}");
    assert_eq!(draft.tables["returns"].measures["returns_count"].label.as_deref(), Some("Returns count"));
    assert_eq!(draft.tables["Straße"].measures["gre_total"].label.as_deref(), Some("Größe total"));
}

#[test]
fn columns_are_written_as_the_database_reads_them() {
    let draft = plainly(&["t(sum, total, order_total, Fee)"], &[]);
    let all: BTreeSet<&str> = draft.tables["t"].measures.values().filter_map(|measure| measure.of.as_deref()).collect();
    assert_eq!(all.into_iter().collect::<Vec<_>>(), ["\"Fee\"", "order_total", "total"]);
    let spaced = vec![SourceTable {
        name: "t".to_owned(),
        columns: vec![Column { name: "Total Amount".to_owned(), kind: ColumnType::Number }],
    }];
    let (keys, known, taken) = (DeclaredKeys::default(), BTreeMap::new(), BTreeSet::new());
    for (kind, of) in [
        (SourceKind::Postgres, "\"Total Amount\""),
        (SourceKind::Mysql, "`Total Amount`"),
        (SourceKind::Sqlite, "\"Total Amount\""),
    ] {
        let draft =
            crate::model::draft::draft(&DraftInput { kind, tables: &spaced, keys: &keys, known: &known, taken: &taken });
        assert_eq!(draft.tables["t"].measures["total_amount"].of.as_deref(), Some(of));
    }
}

#[test]
fn hostile_names_stay_names() {
    let evil = "x\"; drop table y; --_amount";
    let tables = vec![SourceTable {
        name: "t\u{202e}\n# rows: all".to_owned(),
        columns: [evil, "id", "a\nb_total", "`total`", "total.id"]
            .map(|name| Column { name: name.to_owned(), kind: ColumnType::Number })
            .into(),
    }];
    let (keys, known, taken) = (DeclaredKeys::default(), BTreeMap::new(), BTreeSet::new());
    let draft = crate::model::draft::draft(&DraftInput {
        kind: SourceKind::Sqlite,
        tables: &tables,
        keys: &keys,
        known: &known,
        taken: &taken,
    });
    let own = &draft.tables[&tables[0].name];
    for (name, measure) in &own.measures {
        assert!(crate::model::check::name_of_number(SourceKind::Sqlite, name).is_ok(), "{name}");
        assert!(
            measure.of.as_deref().is_none_or(|of| crate::model::expression::of_row(SourceKind::Sqlite, of, "t").is_ok()),
            "{measure:?}"
        );
        let label = measure.label.as_deref().unwrap_or_default();
        assert!(label.chars().all(|letter| letter.is_alphanumeric() || letter == ' '), "{label:?}");
    }
}
