//! Reads a document's text: limits, YAML, version, Ossie's own schema, and the names that must be unique.

use crate::{
    Problem,
    document::{Document, Model, VERSION},
};
use jsonschema::{ValidationError, Validator, error::ValidationErrorKind};
use serde_json::Value;
use serde_saphyr::{MessageFormatter, UserMessageFormatter};
use std::{collections::BTreeSet, sync::LazyLock};

/// The longest text, in bytes.
const LONGEST: usize = 1 << 20;
const MOST_DATASETS: usize = 1_000;
const MOST_FIELDS: usize = 10_000;
/// The most problems that are told of one document.
const MOST_PROBLEMS: usize = 50;

static VALIDATOR: LazyLock<Option<Validator>> = LazyLock::new(|| {
    let schema: Value = serde_json::from_str(include_str!("../schema/osi-schema.json")).ok()?;
    jsonschema::validator_for(&schema).ok()
});

fn problem(at: impl Into<String>, why: impl Into<String>) -> Problem {
    Problem { at: at.into(), why: why.into() }
}

/// Reads the one model of a document.
///
/// # Errors
/// Why it cannot be read.
pub(crate) fn read(text: &str) -> Result<Model, Vec<Problem>> {
    let mut model = parse(text).map_err(|found| vec![found]).and_then(valid)?;
    let found = model.semantic_model.len();
    let read = model.semantic_model.pop().filter(|_| found == 1).ok_or_else(|| {
        let why = format!("the document has {found} models; write one model per document");
        vec![problem("semantic_model", why)]
    })?;
    let repeated = contradictions(&read);
    if repeated.is_empty() { Ok(read) } else { Err(repeated) }
}

fn parse(text: &str) -> Result<Value, Problem> {
    if text.len() > LONGEST {
        return Err(problem("", "the document is larger than 1 MiB; split the model"));
    }
    // Only `true` and `false` are booleans: a field may be named `n` or `on`.
    let options = serde_saphyr::options! { strict_booleans: true };
    let value: Value = serde_saphyr::from_str_with_options(text, options).map_err(|fault| {
        let fault = fault.without_snippet();
        let line = fault.location().map_or_else(String::new, |place| format!("line {}", place.line()));
        problem(line, format!("the document is not valid YAML: {}", UserMessageFormatter.format_message(fault)))
    })?;
    if !value.is_object() {
        return Err(problem("", "the document must have the fields `version` and `semantic_model`"));
    }
    if value.get("ontology").is_some() {
        let why = "this is an Ossie ontology; write the model that it maps to under `semantic_model` of its own document";
        return Err(problem("ontology", why));
    }
    match value.get("version") {
        Some(Value::String(version)) if version == VERSION => {}
        Some(Value::String(version)) => {
            let why = format!("is {version}, but only Ossie {VERSION} can be read; convert the document to this version");
            return Err(problem("version", why));
        }
        _ => return Err(problem("version", format!("is missing or no text; write {VERSION}"))),
    }
    counted(&value)?;
    Ok(value)
}

/// Before the schema is checked: its messages would be as many as the fields.
fn counted(value: &Value) -> Result<(), Problem> {
    let list = |value: &Value, key: &str| value.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    let datasets: Vec<Value> = list(value, "semantic_model").iter().flat_map(|model| list(model, "datasets")).collect();
    if datasets.len() > MOST_DATASETS {
        return Err(problem("semantic_model", format!("has {} datasets; the limit is 1,000", datasets.len())));
    }
    let fields = datasets.iter().filter_map(|one| one.get("fields")?.as_array()).map(Vec::len).sum::<usize>();
    if fields > MOST_FIELDS {
        return Err(problem("semantic_model", format!("has {fields} fields; the limit is 10,000")));
    }
    Ok(())
}

fn valid(value: Value) -> Result<Document, Vec<Problem>> {
    let validator = VALIDATOR.as_ref().ok_or_else(|| vec![problem("", "Ossie's schema cannot be read")])?;
    let found: Vec<Problem> = validator.iter_errors(&value).take(MOST_PROBLEMS).map(|error| told(&error)).collect();
    if !found.is_empty() {
        return Err(found);
    }
    serde_json::from_value(value).map_err(|fault| vec![problem("", fault.to_string())])
}

fn told(error: &ValidationError<'_>) -> Problem {
    let mut at = String::new();
    for part in error.instance_path().as_str().split('/').skip(1) {
        if part.bytes().all(|digit| digit.is_ascii_digit()) {
            at.push_str(&format!("[{part}]"));
        } else {
            at.push_str(if at.is_empty() { "" } else { "." });
            at.push_str(part);
        }
    }
    let why = match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            format!("`{}` is not a field of Ossie {VERSION} here", unexpected.join("`, `"))
        }
        ValidationErrorKind::Required { property: Value::String(name) } => format!("`{name}` is missing"),
        ValidationErrorKind::Type { .. } => format!("{error}"),
        ValidationErrorKind::Enum { options } => format!("is {}, which is not one of {options}", error.instance()),
        ValidationErrorKind::MinItems { .. } => "must not be empty".to_owned(),
        ValidationErrorKind::OneOfNotValid { .. } => {
            "must be a text, or fields of which `instructions` is a text and `synonyms` and `examples` are lists of texts"
                .to_owned()
        }
        _ => error.to_string(),
    };
    problem(at, why)
}

/// Names that stand for two things, and relationships between datasets that are not there. Ossie's own validator refuses these
/// documents, too.
fn contradictions(model: &Model) -> Vec<Problem> {
    let mut found = Vec::new();
    repeated(&mut found, "datasets", "dataset", model.datasets.iter().map(|one| &one.name));
    for dataset in &model.datasets {
        repeated(&mut found, &format!("datasets.{}.fields", dataset.name), "field", dataset.fields.iter().map(|one| &one.name));
    }
    repeated(&mut found, "relationships", "relationship", model.relationships.iter().map(|one| &one.name));
    repeated(&mut found, "metrics", "metric", model.metrics.iter().map(|one| &one.name));
    let names: BTreeSet<&String> = model.datasets.iter().map(|one| &one.name).collect();
    for one in &model.relationships {
        for (field, name) in [("from", &one.from), ("to", &one.to)] {
            if !names.contains(name) {
                found.push(problem(format!("relationships.{}.{field}", one.name), format!("there is no dataset `{name}`")));
            }
        }
    }
    found.truncate(MOST_PROBLEMS);
    found
}

fn repeated<'n>(found: &mut Vec<Problem>, at: &str, kind: &str, names: impl Iterator<Item = &'n String>) {
    let (mut seen, mut told) = (BTreeSet::new(), BTreeSet::new());
    for name in names {
        if !seen.insert(name) && told.insert(name) {
            found.push(problem(at, format!("several {kind}s are named `{name}`; a name must be unique")));
        }
    }
}
