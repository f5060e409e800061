//! What cannot be read at all, and what is said then.

use inlay_ossie::import;

const MODEL: &str = "version: 0.2.0.dev0\nsemantic_model:\n- name: Shop\n  datasets:\n  - {name: orders, source: orders}\n";

fn told(text: &str) -> Vec<String> {
    import(text).expect_err(text).iter().map(ToString::to_string).collect()
}

#[test]
fn the_model_itself_is_read() {
    assert_eq!(import(MODEL).expect("valid").notes, Vec::new());
}

#[test]
fn each_problem_has_its_sentence() {
    let metric =
        |name: &str| format!("{{name: {name}, expression: {{dialects: [{{dialect: ANSI_SQL, expression: SUM(x)}}]}}}}");
    for (text, expected) in [
        ("a: [1".to_owned(), "line 1: the document is not valid YAML: "),
        ("hello".to_owned(), "the document must have the fields `version` and `semantic_model`"),
        (String::new(), "the document must have the fields `version` and `semantic_model`"),
        ("version: 1".to_owned(), "version: is missing or no text; write 0.2.0.dev0"),
        (
            MODEL.replace("0.2.0.dev0", "0.1.1"),
            "version: is 0.1.1, but only Ossie 0.2.0.dev0 can be read; convert the document to this version",
        ),
        ("version: 0.2.0.dev0".to_owned(), "`semantic_model` is missing"),
        (
            "version: 0.2.0.dev0\nsemantic_model: []".to_owned(),
            "semantic_model: the document has 0 models; write one model per document",
        ),
        (
            format!("{MODEL}- name: B\n  datasets: [{{name: a, source: b}}]"),
            "semantic_model: the document has 2 models; write one model per document",
        ),
        (MODEL.replace("  - {name: orders, source: orders}", "    []"), "semantic_model[0].datasets: must not be empty"),
        (
            MODEL.replace("source: orders", "source: orders, rows: all"),
            "semantic_model[0].datasets[0]: `rows` is not a field of Ossie 0.2.0.dev0 here",
        ),
        (MODEL.replace("source: orders", "source: 1"), "semantic_model[0].datasets[0].source: 1 is not of type \"string\""),
        (MODEL.replace(", source: orders", ""), "semantic_model[0].datasets[0]: `source` is missing"),
        (
            MODEL.replace("source: orders", "source: orders, ai_context: 1"),
            "semantic_model[0].datasets[0].ai_context: must be a text, or fields of which `instructions` is a text and `synonyms` and `examples` are lists of texts",
        ),
        (
            format!("{MODEL}  metrics: [{}]", metric("m").replace("ANSI_SQL", "DUCKDB")),
            "semantic_model[0].metrics[0].expression.dialects[0].dialect: is \"DUCKDB\", which is not one of [\"ANSI_SQL\",",
        ),
        (
            format!("{MODEL}  - {{name: orders, source: b}}"),
            "datasets: several datasets are named `orders`; a name must be unique",
        ),
        (
            MODEL.replace("source: orders", &format!("source: orders, fields: [{}, {}]", metric("a"), metric("a"))),
            "datasets.orders.fields: several fields are named `a`; a name must be unique",
        ),
        (
            format!("{MODEL}  metrics: [{}, {}]", metric("m"), metric("m")),
            "metrics: several metrics are named `m`; a name must be unique",
        ),
        (
            format!("{MODEL}  relationships: [{{name: r, from: orders, to: customers, from_columns: [a], to_columns: [b]}}]"),
            "relationships.r.to: there is no dataset `customers`",
        ),
        (format!("{MODEL}# {}", "x".repeat(2 << 20)), "the document is larger than 1 MiB; split the model"),
    ] {
        let told = told(&text);
        assert_eq!(told.len(), 1, "{told:#?}");
        assert!(
            told[0] == expected || (expected.ends_with([' ', ',']) && told[0].starts_with(expected)),
            "{told:#?}\n{expected}"
        );
    }
}

#[test]
fn more_than_the_limits_is_refused() {
    let datasets: String = (0..1_001).map(|n| format!("  - {{name: t{n}, source: t{n}}}\n")).collect();
    assert_eq!(
        told(&MODEL.replace("  - {name: orders, source: orders}\n", &datasets)),
        ["semantic_model: has 1001 datasets; the limit is 1,000"]
    );
    let fields = "{},".repeat(10_001);
    let text = MODEL.replace("source: orders", &format!("source: orders, fields: [{fields}]"));
    assert_eq!(told(&text), ["semantic_model: has 10001 fields; the limit is 10,000"]);
}

#[test]
fn metrics_deep_in_one_another_end() {
    let metric = |n: usize| {
        format!(
            "  - {{name: m{n}, expression: {{dialects: [{{dialect: ANSI_SQL, expression: \"m{} + m{}\"}}]}}}}\n",
            n + 1,
            n + 1
        )
    };
    let metrics: String = (0..2_000_usize).map(metric).collect();
    let end = "  - {name: m2000, expression: {dialects: [{dialect: ANSI_SQL, expression: \"COUNT(*)\"}]}}\n";
    let imported = import(&format!("{MODEL}  metrics:\n{metrics}{end}")).expect("valid");
    // The last ones: the others lie too deep.
    assert_eq!(imported.model.metrics.len(), 20);
    assert_eq!(imported.notes.len(), 1_980);
}

#[test]
fn hostile_documents_end_soon() {
    let with = |context: &str| MODEL.replace("source: orders", &format!("source: orders, ai_context: {context}"));
    let deep = format!("{{x: {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(told(&with(&deep))[0].contains("the document is not valid YAML: "));
    let doubled: String = (1..60).map(|n| format!(", a{n}: &a{n} [*a{}, *a{}]", n - 1, n - 1)).collect();
    assert!(told(&with(&format!("{{a0: &a0 [x]{doubled}}}")))[0].contains("the document is not valid YAML: "));
}

#[test]
fn a_document_near_the_limit_is_read() {
    let long = vec!["orders.a_column"; 400].join(" + ");
    let metric = |n: usize| {
        format!("  - {{name: m{n}, expression: {{dialects: [{{dialect: ANSI_SQL, expression: \"SUM({long})\"}}]}}}}\n")
    };
    let metrics: String = (0..90).map(metric).collect();
    let text = format!("{MODEL}  metrics:\n{metrics}");
    assert!(text.len() > 500 << 10, "{}", text.len());
    let imported = import(&text).expect("valid");
    assert_eq!((imported.model.tables["orders"].model.measures.len(), imported.notes), (90, Vec::new()));
}
