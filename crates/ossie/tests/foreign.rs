//! What is read of other tools' documents, and what becomes a note or a problem.

use inlay_ossie::{Imported, import};
use serde_json::{Value, json};

fn field(name: &str, expression: &str) -> Value {
    json!({"name": name, "expression": {"dialects": [{"dialect": "ANSI_SQL", "expression": expression}]}})
}

/// A document of two datasets with these fields, relationships and metrics.
fn document(fields: Value, relationships: Value, metrics: &[(&str, &str)]) -> Value {
    let metrics: Vec<Value> = metrics.iter().map(|(name, expression)| field(name, expression)).collect();
    json!({"version": "0.2.0.dev0", "semantic_model": [{"name": "Shop", "relationships": relationships, "metrics": metrics, "datasets": [
        {"name": "orders", "source": "db.shop.orders", "primary_key": ["id"], "fields": fields},
        {"name": "customers", "source": "customers", "primary_key": ["id"], "fields": [field("id", "id"), field("segment", "segment")]}
    ]}]})
}

fn fields() -> Value {
    json!([
        field("id", "id"),
        field("amount", "amt"),
        field("net", "orders.amt - tax"),
        field("customer_id", "customer_id"),
        field("tax", "tax")
    ])
}

#[track_caller]
fn read(document: &Value) -> Imported {
    import(&document.to_string()).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

fn notes(imported: &Imported) -> Vec<String> {
    imported.notes.iter().map(ToString::to_string).collect()
}

#[test]
fn an_aggregate_of_one_dataset_is_a_measure() {
    for (expression, measure) in [
        ("SUM(orders.tax)", json!({"aggregate": "sum", "of": "tax"})),
        ("sum( Orders.TAX )", json!({"aggregate": "sum", "of": "tax"})),
        ("(SUM(orders.amount))", json!({"aggregate": "sum", "of": "amt"})),
        ("SUM(orders.net)", json!({"aggregate": "sum", "of": "(amt - tax)"})),
        ("AVG(orders.amount * orders.tax)", json!({"aggregate": "average", "of": "amt * tax"})),
        ("SUM(orders.unlisted)", json!({"aggregate": "sum", "of": "unlisted"})),
        ("SUM(tax)", json!({"aggregate": "sum", "of": "tax"})),
        ("MIN(orders.tax)", json!({"aggregate": "min", "of": "tax"})),
        ("MAX(DISTINCT orders.tax)", json!({"aggregate": "max", "of": "tax"})),
        ("MEDIAN(orders.tax)", json!({"aggregate": "median", "of": "tax"})),
        ("COUNT(orders.tax)", json!({"aggregate": "count", "of": "tax"})),
        ("COUNT(DISTINCT orders.customer_id)", json!({"aggregate": "countDistinct", "of": "customer_id"})),
        ("COUNT(CASE WHEN orders.tax > 0 THEN 1 END)", json!({"aggregate": "count", "where": "tax > 0"})),
        ("SUM(CASE WHEN orders.tax > 0 THEN orders.amount END)", json!({"aggregate": "sum", "of": "amt", "where": "tax > 0"})),
        (
            "SUM(CASE WHEN orders.tax > 0 THEN orders.tax ELSE NULL END)",
            json!({"aggregate": "sum", "of": "tax", "where": "tax > 0"}),
        ),
        ("SUM(orders.tax) FILTER (WHERE orders.id > 9)", json!({"aggregate": "sum", "of": "tax", "where": "id > 9"})),
        // Where no row counts, this is 0 and not null.
        (
            "SUM(CASE WHEN orders.tax > 0 THEN orders.tax ELSE 0 END)",
            json!({"aggregate": "sum", "of": "CASE WHEN tax > 0 THEN tax ELSE 0 END"}),
        ),
        (
            "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY orders.tax)",
            json!({"aggregate": "percentile", "of": "tax", "fraction": 0.9}),
        ),
    ] {
        let imported = read(&document(fields(), json!([]), &[("m", expression)]));
        assert_eq!(notes(&imported), Vec::<String>::new(), "{expression}");
        let made = serde_json::to_value(&imported.model.tables["shop.orders"].model.measures["m"]).expect("JSON");
        assert_eq!(made, measure, "{expression}");
    }
}

#[test]
fn arithmetic_of_aggregates_is_a_metric() {
    for (expression, metric, measures) in [
        ("SUM(orders.tax) / SUM(orders.amount)", json!({"ratio": ["tax", "m_denominator"]}), vec!["m_denominator", "tax"]),
        (
            "1.0 * SUM(orders.id) / NULLIF(COUNT(DISTINCT customers.id), 0)",
            json!({"ratio": ["m_numerator", "m_denominator"]}),
            vec!["m_numerator", "tax"],
        ),
        ("total / MAX(orders.id)", json!({"ratio": ["tax", "m_denominator"]}), vec![]),
        ("tax * 2", json!({"formula": "tax * 2"}), vec!["tax"]),
        (
            "100 * (SUM(orders.tax) - COALESCE(MAX(orders.id), 0)) / NULLIF(tax + 1, 0)",
            json!({"formula": "100 * (tax - coalesce(m_2, 0)) / (tax + 1)"}),
            vec!["m_2", "tax"],
        ),
        ("-SUM(orders.tax)", json!({"formula": "-tax"}), vec!["tax"]),
    ] {
        let expression =
            if expression.starts_with("total") { expression.replace("total", "\"tax\"") } else { expression.to_owned() };
        let imported = read(&document(fields(), json!([]), &[("m", &expression), ("tax", "SUM(orders.tax)")]));
        assert_eq!(notes(&imported), Vec::<String>::new(), "{expression}");
        assert_eq!(serde_json::to_value(&imported.model.metrics["m"]).expect("JSON"), metric, "{expression}");
        if !measures.is_empty() {
            let own: Vec<&String> = imported.model.tables["shop.orders"].model.measures.keys().collect();
            assert_eq!(own, measures, "{expression}");
        }
    }
}

#[test]
fn a_metric_without_one_sure_meaning_is_left_out() {
    for (expression, why) in [
        ("SUM(orders.tax * customers.id)", "reads several tables (shop.orders and customers) within one aggregate"),
        ("COUNT(*)", "names no column, so it could count any of the datasets"),
        ("SUM(id)", "names `id` without its dataset"),
        ("SUM(suppliers.id)", "names `suppliers`, which is not a dataset that was read"),
        ("SUM(db.orders.id)", "names a column by more than its dataset"),
        ("SUM(orders.tax", "cannot be read: sql parser error"),
        ("SUM(MAX(orders.tax))", "gathers rows by MAX"),
        (
            "SUM(orders.tax) OVER ()",
            "holds `SUM(orders.tax) OVER ()`, which is neither an aggregate of a measure nor part of a formula",
        ),
        ("SUM(DISTINCT orders.tax)", "holds `SUM(DISTINCT orders.tax)`"),
        ("STDDEV(orders.tax)", "holds `STDDEV(orders.tax)`"),
        ("SUM((SELECT 1))", "holds a SELECT"),
        ("ROUND(SUM(orders.tax), 2)", "holds `ROUND(SUM(orders.tax), 2)`"),
        ("orders.tax", "holds `orders.tax`"),
        ("7", "names no measure"),
        ("missing / SUM(orders.tax)", "names `missing`, which is no metric, and no column within an aggregate"),
        ("m + 1", "names metrics that were not read, is made of itself, or lies more than 20 deep in others: m"),
        ("other + 1", "names metrics that were not read, is made of itself, or lies more than 20 deep in others: other"),
    ] {
        let imported = read(&document(fields(), json!([]), &[("m", expression), ("other", "m - 1")]));
        assert_eq!(imported.model.metrics.len(), 0, "{expression}");
        let told = notes(&imported);
        let begin = format!("metrics.m: the metric is left out: its expression {why}");
        assert!(
            told.iter().any(|note| note.starts_with(&begin) && note.ends_with("Declare it in the project file.")),
            "{told:#?}"
        );
    }
}

#[test]
fn only_standard_sql_is_read() {
    let mut of = document(fields(), json!([]), &[("m", "x")]);
    of["semantic_model"][0]["metrics"][0]["expression"]["dialects"] =
        json!([{"dialect": "MDX", "expression": "[x]"}, {"dialect": "MAQL", "expression": "x"}]);
    of["semantic_model"][0]["datasets"][1]["fields"][1]["expression"]["dialects"][0]["dialect"] = json!("SNOWFLAKE");
    let expected = [
        "datasets.customers.fields.segment: the field is left out: its expression is in SNOWFLAKE alone, and only ANSI_SQL is read. \
         Declare it as a dimension in the project file.",
        "metrics.m: the metric is left out: its expression is in MDX and MAQL alone, and only ANSI_SQL is read. Declare it in the project file.",
    ];
    assert_eq!(notes(&read(&of)), expected);
}

#[test]
fn fields_are_columns_and_dimensions() {
    let mut dated = field("day", "placed_on");
    dated["datatype"] = json!("Date");
    dated["label"] = json!("Day");
    dated["ai_context"] = json!({"synonyms": ["date"]});
    let fields = json!([dated, field("id", "\"Id\""), field("Order size", "amount / 10"), field("again", "placed_on")]);
    let imported = read(&document(fields, json!([]), &[]));
    let orders = &imported.model.tables["shop.orders"];
    assert_eq!(orders.model.key, ["Id"]);
    assert_eq!(orders.model.time.as_deref(), Some("placed_on"));
    assert_eq!(orders.columns.keys().collect::<Vec<_>>(), ["Id", "placed_on"]);
    assert_eq!(
        (orders.columns["placed_on"].label.as_deref(), &*orders.columns["placed_on"].synonyms),
        (Some("Day"), &["date".to_owned()][..])
    );
    assert_eq!(orders.columns["Id"].label.as_deref(), Some("id"));
    let dimensions = json!({"Order_size": {"sql": "amount / 10", "label": "Order size"}, "again": {"sql": "placed_on"}});
    assert_eq!(serde_json::to_value(&orders.model.dimensions).expect("JSON"), dimensions);
    let renamed = "datasets.orders.fields.Order size: the dimension is named `Order_size`: names have letters, digits and `_`. \
        Choose another name if you like.";
    assert_eq!(notes(&imported), [renamed]);
}

#[test]
fn fields_without_one_sure_meaning_are_left_out() {
    for (expression, why) in [
        ("customers.segment", "its expression names `customers.segment`, which is not of this dataset"),
        ("SUM(x)", "its expression gathers rows by SUM"),
        ("a +", "its expression cannot be read: sql parser error"),
        ("net * 2", "`net` in its expression can be the field or a column of the table"),
        ("\"a\\b\"", "its expression names a column with a quote, backtick, backslash or control character"),
    ] {
        let fields = json!([field("net", "amount - tax"), field("f", expression)]);
        let imported = read(&document(fields, json!([]), &[("m", "SUM(orders.f)")]));
        let told = notes(&imported);
        assert!(told[0].starts_with(&format!("datasets.orders.fields.f: the field is left out: {why}")), "{told:#?}");
        assert!(
            told[1].starts_with("metrics.m: the metric is left out: its expression names the field `f`, which was not read"),
            "{told:#?}"
        );
    }
}

#[test]
fn names_in_quotes_are_told() {
    let imported = read(&document(json!([field("x", "\"Net amount\" * 2")]), json!([]), &[("m", "SUM(orders.\"Tax\")")]));
    let told = notes(&imported);
    let say = |name: &str| {
        format!(
            "the expression names \"{name}\" in double quotes, which MySQL and MariaDB take for a text. \
        If the connection is one of these, write the name in backticks."
        )
    };
    assert_eq!(told, [format!("datasets.orders.fields.x: {}", say("Net amount")), format!("metrics.m: {}", say("Tax"))]);
}

#[test]
fn relationships_to_a_key_are_references() {
    let one = |name: &str, from: &[&str], to: &[&str]| json!({"name": name, "from": "orders", "to": "customers", "from_columns": from, "to_columns": to});
    let own = [
        one("a", &["customer_id"], &["id"]),
        one("b", &["id", "tax"], &["id", "x"]),
        one("c", &["tax"], &["segment"]),
        one("d", &["net"], &["id"]),
    ];
    let imported = read(&document(fields(), json!(own), &[]));
    let references = |column: &str| imported.model.tables["shop.orders"].columns[column].references.clone();
    assert_eq!((references("customer_id"), references("tax")), (Some("customers.id".to_owned()), None));
    let left_out = |at: &str, why: &str| {
        format!(
            "relationships.{at}: the relationship is left out: {why}. Set `references` of the column in the project file, to a table's key of one column."
        )
    };
    let expected = [
        left_out("b", "it joins by several columns"),
        left_out("c", "it leads to `customers.segment`, which is not the key of that table"),
        left_out("d", "`orders.net` is not a column of the table"),
    ];
    assert_eq!(notes(&imported), expected);
}

#[test]
fn datasets_that_are_no_tables_are_left_out() {
    for (source, why) in [
        ("SELECT * FROM orders", "its source is not the name of a table"),
        ("a.b.c.d", "its source has more parts than `database.schema.table`"),
        ("customers", "another one has the source `customers`, and a table is in the model once"),
    ] {
        let mut of = document(json!([]), json!([]), &[("m", "SUM(orders.x)")]);
        of["semantic_model"][0]["datasets"].as_array_mut().expect("a list").reverse();
        of["semantic_model"][0]["datasets"][1]["source"] = json!(source);
        let imported = read(&of);
        assert_eq!(imported.model.tables.keys().collect::<Vec<_>>(), ["customers"]);
        let told = notes(&imported);
        assert!(told[0].starts_with(&format!("datasets.orders.source: the dataset is left out: {why}")), "{told:#?}");
        assert!(told[1].contains("names `orders`, which is not a dataset that was read"), "{told:#?}");
    }
}

#[test]
fn keys_times_and_other_vendors_are_told() {
    let mut of = document(json!([field("id", "lower(x)"), field("year", "y")]), json!([]), &[]);
    let orders = &mut of["semantic_model"][0]["datasets"][0];
    orders["fields"][1]["dimension"] = json!({"is_time": true});
    orders["unique_keys"] = json!([["id"], ["a", "b"]]);
    orders["ai_context"] = json!("orders, sales");
    orders["custom_extensions"] = json!([{"vendor_name": "DBT", "data": "{}"}, {"vendor_name": "INLAY", "data": "{\"x\": 1}"}]);
    let told = notes(&read(&of));
    let begins = [
        "datasets.orders: the custom extensions of DBT are not read",
        "datasets.orders: the custom extension of INLAY cannot be read: unknown field `x`",
        "datasets.orders: of `ai_context`, only `synonyms` are read",
        "datasets.orders.primary_key: the key id is left out: not all of it are columns of the table",
        "datasets.orders.unique_keys: the unique key a, b is left out: a table has one key",
        "datasets.orders: the default time is left out: no field is both `is_time` and a date or moment by its `datatype` (year)",
    ];
    assert_eq!(told.len(), begins.len(), "{told:#?}");
    for (told, begin) in told.iter().zip(begins) {
        assert!(told.starts_with(begin), "{told}");
    }
}

#[test]
fn a_unique_key_is_a_key_where_there_is_no_other() {
    let mut of = document(json!([]), json!([]), &[("n", "COUNT(orders.id)")]);
    let orders = &mut of["semantic_model"][0]["datasets"][0];
    orders["primary_key"] = json!([]);
    orders["unique_keys"] = json!([["a", "b"], ["c"]]);
    assert_eq!(read(&of).model.tables["shop.orders"].model.key, ["c"]);
}

#[test]
fn names_that_do_not_fit_are_changed() {
    let imported = read(&document(
        fields(),
        json!([]),
        &[("Total tax", "SUM(orders.tax)"), ("twice", "2 * \"Total tax\""), ("Total_tax", "MAX(orders.tax)")],
    ));
    let measures = &imported.model.tables["shop.orders"].model.measures;
    assert_eq!(measures.keys().collect::<Vec<_>>(), ["Total_tax", "Total_tax_2"]);
    assert_eq!(measures["Total_tax"].label.as_deref(), Some("Total tax"));
    assert_eq!(imported.model.metrics["twice"].formula.as_deref(), Some("2 * Total_tax"));
    assert_eq!(notes(&imported).len(), 2);
}

#[test]
fn a_changed_metric_of_any_name_gets_its_measures() {
    // Letters of two bytes: a name is cut between letters.
    let name = format!("a{}", "é".repeat(30));
    let mut document = document(fields(), json!([]), &[(&name, "SUM(orders.tax) / SUM(orders.amount)")]);
    let ours = json!({"table": "shop.orders", "measure": {"aggregate": "sum", "of": "tax"}});
    document["semantic_model"][0]["metrics"][0]["custom_extensions"] =
        json!([{"vendor_name": "INLAY", "data": ours.to_string()}]);
    let imported = read(&document);
    let ratio = imported.model.metrics[&name].ratio.clone().expect("a ratio");
    let measures = &imported.model.tables["shop.orders"].model.measures;
    assert!(ratio.iter().all(|part| part.is_ascii() && measures.contains_key(part)), "{ratio:?}");
    assert!(notes(&imported).iter().any(|note| note.contains("differs from the one that Inlay exported")), "{imported:?}");
}
