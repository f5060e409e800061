//! Ossie's own examples (tests/examples, with their licence).

use inlay_ossie::{Imported, export, import};
use serde_json::{Value, json};
use std::fmt::Write;

const TPCDS: &str = include_str!("examples/tpcds_semantic_model.yaml");
const FLIGHTS: &str = include_str!("examples/flights.yaml");

/// What became of a document, as lines.
fn told(imported: &Imported) -> String {
    let mut text = String::new();
    for (name, table) in &imported.model.tables {
        let _ = writeln!(text, "{name} key={:?} time={:?} synonyms={:?}", table.model.key, table.model.time, table.synonyms);
        for (name, column) in &table.columns {
            let Some(references) = &column.references else { continue };
            let _ = writeln!(text, "  {name} → {references}");
        }
        let _ = writeln!(text, "  columns: {}", table.columns.keys().cloned().collect::<Vec<_>>().join(" "));
        for (name, dimension) in &table.model.dimensions {
            let _ = writeln!(text, "  dimension {name}: {}", serde_json::to_string(dimension).expect("JSON"));
        }
        for (name, measure) in &table.model.measures {
            let _ = writeln!(text, "  measure {name}: {}", serde_json::to_string(measure).expect("JSON"));
        }
    }
    for (name, metric) in &imported.model.metrics {
        let _ = writeln!(text, "metric {name}: {}", serde_json::to_string(metric).expect("JSON"));
    }
    for note in &imported.notes {
        let _ = writeln!(text, "note {note}");
    }
    text
}

#[test]
fn the_retail_model_is_read() {
    let imported = import(TPCDS).expect("valid");
    insta::assert_snapshot!(told(&imported));
    // Once it is read, nothing more is lost.
    let again = import(&export(&imported.model)).expect("valid");
    assert_eq!((again.model, again.notes), (imported.model, Vec::new()));
}

#[test]
fn an_ontology_is_refused_and_its_model_is_read() {
    let problems = import(FLIGHTS).expect_err("an ontology");
    let expected =
        "ontology: this is an Ossie ontology; write the model that it maps to under `semantic_model` of its own document";
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
    let ontology: Value = serde_saphyr::from_str(FLIGHTS).expect("YAML");
    let document = json!({"version": "0.2.0.dev0", "semantic_model": [ontology["ontology_mappings"][0]["semantic_model"]]});
    insta::assert_snapshot!(told(&import(&document.to_string()).expect("valid")));
}
