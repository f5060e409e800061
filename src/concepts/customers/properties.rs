//! Properties: a host's data about a customer or user, and how a call changes it.

use serde_json::{Map, Value};

/// Key → any JSON value except null.
pub type Properties = Map<String, Value>;

/// Merges sent properties into stored ones: a sent key replaces its value, null removes the key, a missing key is kept
/// (docs/spec/service.md, "embed-token"). Returns whether anything changed.
pub fn merge(stored: &mut Properties, sent: &Properties) -> bool {
    let mut changed = false;
    for (key, value) in sent {
        if value.is_null() {
            changed |= stored.shift_remove(key).is_some();
        } else if stored.get(key) != Some(value) {
            stored.insert(key.clone(), value.clone());
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Properties {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn keys_are_replaced_removed_and_kept() {
        for (stored, sent, expected, changed) in [
            (json!({"a": 1, "b": 2}), json!({"a": 3}), json!({"a": 3, "b": 2}), true),
            (json!({"a": 1, "b": 2}), json!({"a": null}), json!({"b": 2}), true),
            (json!({"a": 1}), json!({"missing": null}), json!({"a": 1}), false),
            (json!({"a": 1}), json!({}), json!({"a": 1}), false),
            (json!({"a": 1}), json!({"a": 1}), json!({"a": 1}), false),
            (json!({"a": {"x": 1, "y": 2}}), json!({"a": {"x": 3}}), json!({"a": {"x": 3}}), true),
            (json!({}), json!({"a": [null, {"b": null}]}), json!({"a": [null, {"b": null}]}), true),
        ] {
            let mut merged = object(stored.clone());
            assert_eq!(merge(&mut merged, &object(sent.clone())), changed, "{stored} + {sent}");
            assert_eq!(merged, object(expected));
        }
    }

    #[test]
    fn null_in_the_first_call_leaves_no_key() {
        let mut stored = Properties::new();
        merge(&mut stored, &object(json!({"a": null, "b": 1})));
        assert_eq!(stored, object(json!({"b": 1})));
    }
}
