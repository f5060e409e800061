//! A schema as rows of a table: nested objects by their paths, types in words.

use serde_json::Value;

/// A field, or a parameter.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// Its path: `user.externalId`, `charts[].chartId`.
    pub path: String,
    /// Its type, in words.
    pub kind: String,
    /// Whether it must be sent, or is always returned.
    pub required: bool,
    /// Its description.
    pub told: String,
}

/// The schemas that references point to.
#[derive(Clone, Copy)]
pub struct Schemas<'d>(pub &'d Value);

/// A schema that has its own section instead of being repeated.
const APART: &str = "#/components/schemas/Permissions";

impl<'d> Schemas<'d> {
    /// The schema that a reference points to, or the schema itself.
    fn resolve(self, schema: &'d Value) -> &'d Value {
        let name = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix("#/components/schemas/"));
        name.map_or(schema, |name| &self.0[name])
    }

    /// A nullable schema without its null.
    fn present(self, schema: &'d Value) -> &'d Value {
        let choices = schema["oneOf"].as_array().into_iter().flatten();
        let mut others = choices.filter(|choice| choice["type"] != "null");
        match (others.next(), others.next()) {
            (Some(only), None) => only,
            _ => schema,
        }
    }

    /// The fields of an object, and of nested objects.
    pub fn of(self, schema: &'d Value) -> Vec<Field> {
        let mut fields = Vec::new();
        self.gather(schema, "", &mut fields);
        fields
    }

    fn gather(self, schema: &'d Value, prefix: &str, fields: &mut Vec<Field>) {
        let object = self.resolve(self.present(schema));
        let required: Vec<&str> = object["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, property) in object["properties"].as_object().into_iter().flatten() {
            let field = self.field(format!("{prefix}{name}"), property, required.contains(&name.as_str()));
            let path = field.path.clone();
            fields.push(field);
            let inner = self.present(property);
            if inner["$ref"] == APART {
                continue;
            }
            match self.resolve(inner)["items"] {
                Value::Null => self.gather(inner, &format!("{path}."), fields),
                ref items => self.gather(items, &format!("{path}[]."), fields),
            }
        }
    }

    /// A field with this schema.
    pub fn field(self, path: String, schema: &'d Value, required: bool) -> Field {
        let inner = self.present(schema);
        let told = [schema, inner, self.resolve(inner)].into_iter().find_map(|schema| schema["description"].as_str());
        Field { path, kind: self.kind(schema), required, told: told.unwrap_or_default().to_owned() }
    }

    /// A type in words, with its limits.
    fn kind(self, schema: &'d Value) -> String {
        let inner = self.present(schema);
        let null = schema["type"].as_array().is_some_and(|types| types.iter().any(|kind| kind == "null")) || inner != schema;
        let or_null = if null { " or null" } else { "" };
        let own = self.resolve(inner);
        if inner["$ref"] == APART {
            return format!("permissions{or_null}");
        }
        if let Some(values) = own["enum"].as_array() {
            let values: Vec<_> = values.iter().filter_map(Value::as_str).map(|value| format!("`{value}`")).collect();
            return format!("{}{or_null}{}", values.join(" "), default(own));
        }
        let kinds = own["oneOf"].as_array().or_else(|| own["anyOf"].as_array());
        if let Some(kinds) = kinds {
            let kinds: Vec<_> = kinds.iter().map(|kind| self.kind(kind)).collect();
            return format!("{}{or_null}", kinds.join(" or "));
        }
        let named = own["type"]
            .as_str()
            .or_else(|| own["type"].as_array()?.iter().filter_map(Value::as_str).find(|kind| *kind != "null"));
        let kind = match (named, own["format"].as_str()) {
            (_, Some("uuid")) => "UUID".to_owned(),
            (_, Some("date-time")) => "time".to_owned(),
            (Some("array"), _) => format!("list of {}", self.kind(&own["items"])),
            (Some(kind), _) => kind.to_owned(),
            (None, _) => "any JSON".to_owned(),
        };
        format!("{kind}{or_null}{}{}", limits(own), default(own))
    }
}

fn limits(schema: &Value) -> String {
    let Some(schema) = schema.as_object() else { return String::new() };
    let of = |least: &str, most: &str, unit: &str| {
        let bounds =
            (schema.get(least).and_then(Value::as_u64).filter(|least| *least > 0), schema.get(most).and_then(Value::as_u64));
        match bounds {
            (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
            (Some(least), None) => format!(", at least {least}{unit}"),
            (None, Some(most)) => format!(", at most {most}{unit}"),
            (None, None) => String::new(),
        }
    };
    of("minLength", "maxLength", " characters") + &of("minItems", "maxItems", " items") + &of("minimum", "maximum", "")
}

fn default(schema: &Value) -> String {
    let value = schema.get("default").map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    value.map(|value| format!(", default `{value}`")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nested_fields_are_told_by_their_paths_and_in_words() {
        let schemas = json!({
            "Id": { "type": "string", "format": "uuid", "description": "An id." },
            "Life": { "type": "string", "enum": ["1h", "7d"], "default": "1h" },
            "Item": { "type": "object", "required": ["id"], "properties": {
                "id": { "$ref": "#/components/schemas/Id" },
                "version": { "type": ["integer", "null"], "minimum": 1 } } },
        });
        let body = json!({ "type": "object", "required": ["items"], "properties": {
            "name": { "type": ["string", "null"], "minLength": 1, "maxLength": 9, "description": "A name." },
            "items": { "type": "array", "minItems": 1, "items": { "$ref": "#/components/schemas/Item" } },
            "life": { "oneOf": [{ "$ref": "#/components/schemas/Life", "description": "How long." }, { "type": "null" }] },
            "replace": { "type": "boolean", "default": true } } });
        let told = Schemas(&schemas).of(&body);
        let rows: Vec<_> = told.iter().map(|field| (&*field.path, &*field.kind, field.required, &*field.told)).collect();
        assert_eq!(
            rows,
            [
                ("name", "string or null, 1 to 9 characters", false, "A name."),
                ("items", "list of object, at least 1 items", true, ""),
                ("items[].id", "UUID", true, "An id."),
                ("items[].version", "integer or null, at least 1", false, ""),
                ("life", "`1h` `7d` or null, default `1h`", false, "How long."),
                ("replace", "boolean, default `true`", false, ""),
            ]
        );
    }
}
