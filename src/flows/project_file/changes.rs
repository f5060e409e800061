//! The changes that applying a project file makes, in words: for each object its outcome, and for each changed field the old
//! and the new value.

use super::project_state::{ObjectKey, ObjectKind, ProjectState, SEALED};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// What happens to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It is created.
    Made,
    /// Some of its fields change.
    Changed,
    /// It is deleted.
    Removed,
    /// The file does not list it, and it stays.
    Stays,
}

/// A changed field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// The field's path, as in the file: `columns › delay › label`.
    pub field: String,
    /// The old value. `None` when it was not set.
    pub old: Option<String>,
    /// The new value. `None` when it is no longer set.
    pub new: Option<String>,
}

/// The change of one object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Its kind.
    pub kind: ObjectKind,
    /// Its name.
    pub name: String,
    /// What happens to it.
    pub outcome: Outcome,
    /// Its changed fields. Empty unless the outcome is `Changed`.
    pub fields: Vec<FieldChange>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = match self.outcome {
            Outcome::Made => "created",
            Outcome::Changed => "changed",
            Outcome::Removed => "removed",
            Outcome::Stays => "stays, although the file does not list it",
        };
        write!(f, "{} {}: {told}", self.kind, self.name)?;
        for field in &self.fields {
            write!(f, "\n  {field}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FieldChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => write!(f, "{}: {old} → {new}", self.field),
            (None, Some(new)) => write!(f, "{}: {new} (new)", self.field),
            (Some(old), None) => write!(f, "{}: {old} (removed)", self.field),
            (None, None) => f.write_str(&self.field),
        }
    }
}

/// The differences between two states of a project, before and after applying a file: created, changed and deleted objects,
/// then those that stay although the file does not list them.
pub fn between(before: &ProjectState, after: &ProjectState, file: &ProjectState) -> Vec<Change> {
    let change = |(kind, name): &ObjectKey, outcome, fields| Change { kind: *kind, name: name.clone(), outcome, fields };
    let came_or_stayed = after.0.iter().filter_map(|(thing, new)| {
        let Some(old) = before.0.get(thing) else { return Some(change(thing, Outcome::Made, Vec::new())) };
        let fields = differences(old, new);
        if !fields.is_empty() {
            return Some(change(thing, Outcome::Changed, fields));
        }
        (!file.0.contains_key(thing) && stands_by_itself(thing)).then(|| change(thing, Outcome::Stays, Vec::new()))
    });
    let gone = before.0.keys().filter(|thing| !after.0.contains_key(*thing));
    let gone = gone.map(|thing| change(thing, Outcome::Removed, Vec::new()));
    let mut all: Vec<_> = came_or_stayed.chain(gone).collect();
    all.sort_by_key(|change| change.outcome);
    all
}

/// Whether a kind is listed on its own. Tables stay with their connection, dashboards with their application.
const fn stands_by_itself((kind, _): &ObjectKey) -> bool {
    !matches!(kind, ObjectKind::Table | ObjectKind::Metric | ObjectKind::Dashboard)
}

fn differences(old: &Map<String, Value>, new: &Map<String, Value>) -> Vec<FieldChange> {
    let mut found = Vec::new();
    compare("", old, new, &mut found);
    found
}

fn compare(place: &str, old: &Map<String, Value>, new: &Map<String, Value>, found: &mut Vec<FieldChange>) {
    let come = new.keys().filter(|name| !old.contains_key(*name));
    for name in old.keys().chain(come) {
        let field = if place.is_empty() { name.clone() } else { format!("{place} › {name}") };
        let sides = [old.get(name), new.get(name)].map(|side| side.filter(|value| !is_empty(value)));
        match sides {
            [old, new] if old == new => {}
            [Some(Value::Object(old)), Some(Value::Object(new))] if old.contains_key(SEALED) && new.contains_key(SEALED) => {
                found.push(FieldChange { field, old: None, new: Some("another address".to_owned()) });
            }
            [Some(Value::Object(old)), Some(Value::Object(new))] => compare(&field, old, new, found),
            [old, new] => found.push(FieldChange { field, old: old.map(said), new: new.map(said) }),
        }
    }
}

/// Whether a value is empty, in any notation.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// A value in words.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(said).collect::<Vec<_>>().join(", "),
        Value::Object(fields) if fields.contains_key(SEALED) => "a hidden address".to_owned(),
        Value::Object(fields) => {
            let parts = fields.iter().filter(|(_, value)| !is_empty(value));
            parts.map(|(name, value)| format!("{name}: {}", said(value))).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn project_state(things: &[(ObjectKind, &str, Value)]) -> ProjectState {
        let fields = |value: &Value| value.as_object().expect("fields").clone();
        ProjectState(things.iter().map(|(kind, name, value)| ((*kind, (*name).to_owned()), fields(value))).collect())
    }

    #[test]
    fn each_thing_is_told_by_what_becomes_of_it() {
        let before = project_state(&[
            (ObjectKind::Connection, "ledger", json!({})),
            (ObjectKind::Table, "ledger.rows", json!({})),
            (ObjectKind::Table, "shop.notes", json!({})),
            (ObjectKind::Role, "Viewer", json!({"permissions": {"addChart": true, "drillDown": false}})),
        ]);
        let after = project_state(&[
            (ObjectKind::Connection, "ledger", json!({})),
            (ObjectKind::Table, "ledger.rows", json!({})),
            (ObjectKind::Role, "Viewer", json!({"permissions": {"addChart": false, "drillDown": false}})),
            (ObjectKind::Role, "Watcher", json!({"permissions": {}})),
        ]);
        let file = project_state(&[(ObjectKind::Role, "Viewer", json!({})), (ObjectKind::Role, "Watcher", json!({}))]);
        let told: Vec<_> = between(&before, &after, &file).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "role Watcher: created",
                "role Viewer: changed\n  permissions › addChart: true → false",
                "table shop.notes: removed",
                "connection ledger: stays, although the file does not list it",
            ]
        );
        assert_eq!(between(&after, &after, &after), Vec::new());
    }

    #[test]
    fn a_field_that_comes_or_goes_is_told_whole() {
        let fields = |value: Value| value.as_object().expect("fields").clone();
        let told = |old, new| differences(&fields(old), &fields(new)).iter().map(ToString::to_string).collect::<Vec<_>>();
        let tile = json!({"charts": {"Count": {"x": 0, "y": 4}}});
        assert_eq!(told(json!({"charts": {}}), tile.clone()), ["charts: Count: x: 0, y: 4 (new)"]);
        assert_eq!(
            told(tile, json!({"charts": {"Rates": {"x": 1}}})),
            ["charts › Count: x: 0, y: 4 (removed)", "charts › Rates: x: 1 (new)"]
        );
        assert_eq!(told(json!({"label": null, "synonyms": []}), json!({})), Vec::<String>::new());
        assert_eq!(told(json!({"url": {SEALED: "a"}}), json!({"url": {SEALED: "b"}})), ["url: another address (new)"]);
    }
}
