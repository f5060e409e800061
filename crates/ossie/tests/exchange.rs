//! What is written for a model, and that it is read back.

mod rich;

use inlay_contract::model::Measure;
use inlay_ossie::{SemanticModel, Table, export, import};
use rich::table;
use serde_json::{Value, json};

/// What is written is valid by Ossie's schema, and read back as the same model without notes.
#[track_caller]
fn same(model: &SemanticModel) -> Value {
    let text = export(model);
    let imported = import(&text).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
    assert_eq!(imported.notes, Vec::new(), "{text}");
    assert_eq!(imported.model, *model, "{text}");
    assert_eq!(export(&imported.model), text);
    let document: Value = serde_saphyr::from_str(&text).expect("YAML");
    let schema: Value = serde_json::from_str(include_str!("../schema/osi-schema.json")).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    validator.validate(&document).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    document["semantic_model"][0].clone()
}

fn of(tables: impl IntoIterator<Item = (&'static str, Table)>, metrics: Value) -> SemanticModel {
    SemanticModel {
        name: "Shop".to_owned(),
        tables: tables.into_iter().map(|(name, table)| (name.to_owned(), table)).collect(),
        metrics: serde_json::from_value(metrics).expect("metrics"),
        ..SemanticModel::default()
    }
}

/// The expression of a metric in what is written.
fn expression<'d>(document: &'d Value, name: &str) -> Option<&'d str> {
    let metric = document["metrics"].as_array()?.iter().find(|metric| metric["name"] == name)?;
    metric["expression"]["dialects"][0]["expression"].as_str()
}

#[test]
fn the_whole_model_is_written() {
    let model = rich::model();
    same(&model);
    insta::assert_snapshot!(export(&model));
}

#[test]
fn measures_are_aggregates_in_standard_sql() {
    for (measure, text) in [
        (json!({"aggregate": "count"}), Some("COUNT(orders.id)")),
        (json!({"aggregate": "count", "of": "status"}), Some("COUNT(orders.status)")),
        (json!({"aggregate": "count", "where": "a = 1"}), Some("COUNT(CASE WHEN orders.a = 1 THEN 1 END)")),
        (json!({"aggregate": "countDistinct", "of": "`Customer`"}), Some("COUNT(DISTINCT orders.\"Customer\")")),
        (
            json!({"aggregate": "sum", "of": "amount", "where": "a or b"}),
            Some("SUM(CASE WHEN orders.a OR orders.b THEN orders.amount END)"),
        ),
        (json!({"aggregate": "average", "of": "a + b"}), Some("AVG(orders.a + orders.b)")),
        (json!({"aggregate": "min", "of": "a"}), Some("MIN(orders.a)")),
        (json!({"aggregate": "max", "of": "a"}), Some("MAX(orders.a)")),
        (json!({"aggregate": "median", "of": "a"}), Some("MEDIAN(orders.a)")),
        (
            json!({"aggregate": "percentile", "of": "a", "fraction": 0.95}),
            Some("PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY orders.a)"),
        ),
        // What Ossie cannot say, or what is no standard SQL, or could mean another thing there.
        (json!({"aggregate": "sum", "of": "a", "take": {"edge": "first", "over": "day"}}), None),
        (json!({"aggregate": "sum", "of": "a", "where": "b = \"text on MySQL\""}), None),
        (json!({"aggregate": "sum", "of": "size"}), None),
        (json!({"aggregate": "count", "where": "1 = 1"}), None),
        (json!({"aggregate": "sum", "of": "a ->> 'b' +"}), None),
    ] {
        let dimensions = json!({"size": {"sql": "amount / 10"}});
        let orders = table(json!({}), json!({"key": "id", "measures": {"m": measure}, "dimensions": dimensions}));
        let document = same(&of([("orders", orders), ("notes", table(json!({}), json!({"key": "id"})))], json!({})));
        assert_eq!(expression(&document, "m"), text, "{measure}");
    }
}

#[test]
fn a_lone_table_without_a_key_is_counted_by_rows() {
    let counted = || table(json!({}), json!({"measures": {"n": {"aggregate": "count"}}}));
    assert_eq!(expression(&same(&of([("orders", counted())], json!({}))), "n"), Some("COUNT(*)"));
    let two = of([("orders", counted()), ("notes", table(json!({}), json!({"key": "id"})))], json!({}));
    assert_eq!(expression(&same(&two), "n"), None);
}

#[test]
fn metrics_are_expressions_of_their_measures() {
    let measures = json!({"a": {"aggregate": "sum", "of": "x"}, "b": {"aggregate": "count", "of": "y"},
        "last": {"aggregate": "sum", "of": "x", "take": {"edge": "last", "over": "day"}}});
    for (metric, text) in [
        (json!({"ratio": ["a", "b"]}), Some("1.0 * SUM(t.x) / NULLIF(COUNT(t.y), 0)")),
        (json!({"formula": "a - coalesce(b, 0)"}), Some("SUM(t.x) - COALESCE(COUNT(t.y), 0)")),
        (json!({"formula": "(a + b) / 2"}), Some("1.0 * (SUM(t.x) + COUNT(t.y)) / NULLIF(2, 0)")),
        (json!({"formula": "a * b / b"}), Some("1.0 * (SUM(t.x) * COUNT(t.y)) / NULLIF(COUNT(t.y), 0)")),
        (json!({"formula": "-a - other"}), Some("-SUM(t.x) - (SUM(t.x) - COUNT(t.y))")),
        (json!({"running": "a"}), None),
        (json!({"toDate": {"of": "a", "grain": "month"}}), None),
        (json!({"moving": {"of": "a", "periods": 7}}), None),
        (json!({"formula": "a / last"}), None),
        (json!({"formula": "m + 1"}), None),
        (json!({"formula": "a + missing"}), None),
        (json!({"ratio": ["a", "b"], "running": "a"}), None),
        (json!({"only": {"of": "a", "filters": [{"dimension": "t.x", "value": 1}]}}), None),
    ] {
        let own = table(json!({}), json!({"measures": measures}));
        let document = same(&of([("t", own)], json!({"m": metric, "other": {"formula": "a - b"}})));
        assert_eq!(expression(&document, "m"), text, "{metric}");
    }
}

#[test]
fn metrics_within_metrics_end() {
    let own = table(json!({}), json!({"measures": {"m0": {"aggregate": "sum", "of": "x"}}}));
    // Each doubles the one before it.
    let metrics: serde_json::Map<String, Value> =
        (1..60).map(|n| (format!("m{n}"), json!({"formula": format!("m{} + m{}", n - 1, n - 1)}))).collect();
    let document = same(&of([("t", own)], Value::Object(metrics)));
    assert_eq!(expression(&document, "m2"), Some("(SUM(t.x) + SUM(t.x)) + (SUM(t.x) + SUM(t.x))"));
    assert_eq!(expression(&document, "m20"), None);
}

#[test]
fn references_are_relationships_if_they_lead_to_a_key() {
    let columns = json!({"customer_id": {"references": "crm.customers.id"}, "city": {"references": "crm.customers.city"},
        "carrier": {"references": "carriers.id"}, "odd": {"references": "odd"}});
    let tables = [("orders", table(columns, json!({"key": "id"}))), ("crm.customers", table(json!({}), json!({"key": "id"})))];
    let document = same(&of(tables, json!({})));
    let expected = json!([{"name": "orders_customer_id_to_customers", "from": "orders", "to": "customers",
        "from_columns": ["customer_id"], "to_columns": ["id"]}]);
    assert_eq!(document["relationships"], expected);
}

#[test]
fn a_changed_expression_counts() {
    let text = export(&rich::model());
    let changed = text.replace("COUNT(DISTINCT orders.customer_id)", "COUNT(DISTINCT orders.status)");
    assert_ne!(changed, text);
    let imported = import(&changed).expect("valid");
    let buyers: &Measure = &imported.model.tables["orders"].model.measures["buyers"];
    assert_eq!(buyers.of.as_deref(), Some("status"));
    assert_eq!(imported.notes.len(), 1);
    assert!(imported.notes[0].to_string().starts_with("metrics.buyers: the expression differs"), "{}", imported.notes[0]);
}

#[test]
fn a_metric_of_a_changed_measure_keeps_its_own_expression() {
    let measures = json!({"a": {"aggregate": "sum", "of": "x"}, "b": {"aggregate": "sum", "of": "y"}});
    let metrics =
        json!({"r": {"ratio": ["a", "b"], "label": "Rate", "format": {"style": "percent"}}, "twice": {"formula": "r * 2"}});
    let text = export(&of([("t", table(json!({}), json!({"measures": measures})))], metrics));
    let changed = text.replacen("expression: SUM(t.x)", "expression: MAX(t.x)", 1);
    assert_ne!(changed, text);
    let imported = import(&changed).expect("valid");
    let (metrics, own) = (&imported.model.metrics, &imported.model.tables["t"].model.measures);
    assert_eq!(metrics["r"].ratio, Some(["r_numerator".to_owned(), "b".to_owned()]));
    assert_eq!(metrics["r"].label.as_deref(), Some("Rate"));
    assert_eq!(own["r_numerator"].of.as_deref(), Some("x"));
    assert_eq!(own["a"].aggregate, inlay_contract::model::Aggregate::Max);
    assert_eq!(metrics["twice"].formula.as_deref(), Some("(r_numerator / b) * 2"));
    let at: Vec<&str> = imported.notes.iter().map(|note| note.at.as_str()).collect();
    assert_eq!(at, ["metrics.a", "metrics.r", "metrics.twice"]);
}

#[test]
fn renamed_datasets_and_texts_are_read() {
    let text = export(&rich::model()).replace("turnover", "gross");
    let imported = import(&text).expect("valid");
    assert_eq!(imported.model.tables["orders"].model.measures["revenue"].synonyms, ["gross"]);
    let measures = json!({"a": {"aggregate": "sum", "of": "x", "label": "A"}});
    let model = of([("tab", table(json!({}), json!({"measures": measures})))], json!({}));
    let renamed = export(&model).replace("- name: tab\n", "- name: other\n").replace("SUM(tab.x)", "SUM(other.x)");
    let imported = import(&renamed).expect("valid");
    assert_eq!((imported.model, imported.notes), (model, Vec::new()));
}

#[test]
fn a_changed_dimension_and_time_count() {
    let own = table(json!({"day": {"label": "Day"}}), json!({"time": "day", "dimensions": {"size": {"sql": "amount  > 100"}}}));
    let text = export(&of([("t", own)], json!({})));
    let changed = text.replace("amount > 100", "amount > 200").replace("is_time: true", "is_time: false");
    let imported = import(&changed).expect("valid");
    let own = &imported.model.tables["t"].model;
    assert_eq!((own.dimensions["size"].sql.as_str(), own.time.as_deref()), ("amount > 200", None));
    let at: Vec<&str> = imported.notes.iter().map(|note| note.at.as_str()).collect();
    assert_eq!(at, ["datasets.t.fields.size", "datasets.t"]);
}
