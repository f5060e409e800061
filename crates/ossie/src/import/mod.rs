//! Reads an Ossie document as a model.

mod datasets;
mod fields;
mod formula;
mod gathered;
mod metrics;
mod relationships;

use crate::{
    Imported, Note, Problem, SemanticModel,
    document::{Model, synonyms_of},
    extension::{self, Held, OfModel},
    schema, sql,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads an Ossie document. A document that [`crate::export`] wrote gives the same model again, without notes. Of other
/// documents, what has one sure meaning is read; a note says what is left out or changed.
///
/// Where an extension of ours and the document's own expression differ, the expression counts: somebody changed it.
///
/// # Errors
/// Why the document cannot be read at all: it is not YAML, not valid by Ossie's schema, of another version, larger than 1 MiB,
/// has more than 1,000 datasets or 10,000 fields, names two things alike, or joins a dataset that is not there.
pub fn import(yaml: &str) -> Result<Imported, Vec<Problem>> {
    sql::on_deep_stack(|| read(yaml))
}

fn read(yaml: &str) -> Result<Imported, Vec<Problem>> {
    let document = schema::read(yaml)?;
    let mut notes = Notes::default();
    let kept = of_model(&document, &mut notes);
    let mut datasets = datasets::read(&document.datasets, &mut notes);
    relationships::read(&document.relationships, &mut datasets, &mut notes);
    let (tables, metrics) = metrics::read(&document.metrics, datasets, kept, &mut notes);
    let model = SemanticModel { name: document.name, description: document.description, tables, metrics };
    Ok(Imported { model, notes: notes.0 })
}

fn of_model(document: &Model, notes: &mut Notes) -> OfModel {
    notes.context("semantic_model", document.ai_context.as_ref());
    notes.extension("semantic_model", extension::read(&document.custom_extensions)).unwrap_or_default()
}

/// The notes so far.
#[derive(Default)]
struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, at: impl Into<String>, why: impl Into<String>, advice: impl Into<String>) {
        self.0.push(Note { at: at.into(), why: why.into(), advice: advice.into() });
    }

    /// The synonyms of an element. Its other context for AI tools has no place in a model.
    fn context(&mut self, at: &str, context: Option<&Value>) -> Vec<String> {
        let (synonyms, more) = synonyms_of(context);
        if more {
            let why = "of `ai_context`, only `synonyms` are read";
            self.add(at, why, "Put what users and the assistant must know into `description`");
        }
        synonyms
    }

    /// Our extension of an element. Those of other vendors are not read.
    fn extension<T: DeserializeOwned>(&mut self, at: &str, held: Held<T>) -> Option<T> {
        if !held.others.is_empty() {
            let why = format!("the custom extensions of {} are not read", held.others.join(", "));
            self.add(at, why, "If they change the meaning of the model, say it in the project file");
        }
        if let Some(fault) = held.broken {
            let why = format!("the custom extension of INLAY cannot be read: {fault}");
            self.add(at, why, "Export the model again, or complete it in the project file");
        }
        held.ours
    }
}
