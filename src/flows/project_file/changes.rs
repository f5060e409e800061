//! What applying a project file changes, in words: for each thing what becomes of it, and for each changed field what it said
//! and says.

use super::standing::{Kind, Named, SEALED, Standing};
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt;

/// What becomes of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// It was not there.
    Made,
    /// Some of its fields say something else.
    Changed,
    /// It goes.
    Removed,
    /// The file does not name it, and it stays as it is.
    Stays,
}

/// A field that says something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FieldChange {
    /// Which one, as the file calls it, with what it stands in: `columns › delay › label`.
    pub field: String,
    /// What it said; none when it was not there.
    pub old: Option<String>,
    /// What it says; none when it is gone.
    pub new: Option<String>,
}

/// What becomes of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// What it is.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// What becomes of it.
    pub outcome: Outcome,
    /// Its changed fields; empty unless it is changed.
    pub fields: Vec<FieldChange>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = match self.outcome {
            Outcome::Made => "made",
            Outcome::Changed => "changed",
            Outcome::Removed => "removed",
            Outcome::Stays => "stays, though the file does not name it",
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
            (Some(old), None) => write!(f, "{}: {old} (gone)", self.field),
            (None, None) => f.write_str(&self.field),
        }
    }
}

/// What lies between two states of a project, the second being what a file made of the first: made, changed and removed
/// things, then those that stay though the file does not name them.
pub fn between(before: &Standing, after: &Standing, file: &Standing) -> Vec<Change> {
    let change = |(kind, name): &Named, outcome, fields| Change { kind: *kind, name: name.clone(), outcome, fields };
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

/// Tables stay with their connection, dashboards with their application: only these are told.
const fn stands_by_itself((kind, _): &Named) -> bool {
    !matches!(kind, Kind::Table | Kind::Dashboard)
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

/// Nothing, however it is written.
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
        Value::Object(fields) if fields.contains_key(SEALED) => "an address that is not shown".to_owned(),
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

    fn standing(things: &[(Kind, &str, Value)]) -> Standing {
        let fields = |value: &Value| value.as_object().expect("fields").clone();
        Standing(things.iter().map(|(kind, name, value)| ((*kind, (*name).to_owned()), fields(value))).collect())
    }

    #[test]
    fn each_thing_is_told_by_what_becomes_of_it() {
        let before = standing(&[
            (Kind::Connection, "ledger", json!({})),
            (Kind::Table, "ledger.rows", json!({})),
            (Kind::Table, "shop.notes", json!({})),
            (Kind::Role, "Viewer", json!({"permissions": {"addChart": true, "drillDown": false}})),
        ]);
        let after = standing(&[
            (Kind::Connection, "ledger", json!({})),
            (Kind::Table, "ledger.rows", json!({})),
            (Kind::Role, "Viewer", json!({"permissions": {"addChart": false, "drillDown": false}})),
            (Kind::Role, "Watcher", json!({"permissions": {}})),
        ]);
        let file = standing(&[(Kind::Role, "Viewer", json!({})), (Kind::Role, "Watcher", json!({}))]);
        let told: Vec<_> = between(&before, &after, &file).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "role Watcher: made",
                "role Viewer: changed\n  permissions › addChart: true → false",
                "table shop.notes: removed",
                "connection ledger: stays, though the file does not name it",
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
            ["charts › Count: x: 0, y: 4 (gone)", "charts › Rates: x: 1 (new)"]
        );
        assert_eq!(told(json!({"label": null, "synonyms": []}), json!({})), Vec::<String>::new());
        assert_eq!(told(json!({"url": {SEALED: "a"}}), json!({"url": {SEALED: "b"}})), ["url: another address (new)"]);
    }
}
