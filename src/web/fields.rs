//! Reads fields out of a body and reports every invalid one at once (docs/spec/contract.md, section 1).

use super::Body;
use crate::error::{Code, Error, Result};
use inlay_contract::{
    ids,
    lifetime::Lifetime,
    permissions::{Flag, RolePermissions},
};
use serde_json::{Map, Value};

/// The longest text that names or identifies something.
const LONGEST_TEXT: usize = 512;

/// Something that a field can hold. The error completes «`field` …».
pub trait FromField: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// The value is of another type or form.
    fn from_field(value: &Value) -> Result<Self, String>;
}

/// A text with at least one character.
#[derive(Debug)]
pub struct Text(pub String);

/// A text of any length, possibly empty.
#[derive(Debug)]
pub struct FreeText(pub String);

impl FromField for Text {
    fn from_field(value: &Value) -> Result<Self, String> {
        let text = value.as_str().ok_or("must be a string")?;
        match text.chars().count() {
            0 => Err("must not be empty".to_owned()),
            length if length > LONGEST_TEXT => Err(format!("must have at most {LONGEST_TEXT} characters")),
            _ => Ok(Self(text.to_owned())),
        }
    }
}

impl FromField for FreeText {
    fn from_field(value: &Value) -> Result<Self, String> {
        value.as_str().map(|text| Self(text.to_owned())).ok_or_else(|| "must be a string".to_owned())
    }
}

impl FromField for bool {
    fn from_field(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "must be true or false".to_owned())
    }
}

impl FromField for Map<String, Value> {
    fn from_field(value: &Value) -> Result<Self, String> {
        value.as_object().cloned().ok_or_else(|| "must be an object".to_owned())
    }
}

impl FromField for Lifetime {
    fn from_field(value: &Value) -> Result<Self, String> {
        let unknown = || inlay_contract::lifetime::UnknownLifetime.to_string();
        value.as_str().and_then(|text| text.parse().ok()).ok_or_else(unknown)
    }
}

impl FromField for Value {
    fn from_field(value: &Value) -> Result<Self, String> {
        Ok(value.clone())
    }
}

macro_rules! id_fields {
    ($($id:ident),+) => {$(
        impl FromField for ids::$id {
            fn from_field(value: &Value) -> Result<Self, String> {
                value.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| "must be a UUID".to_owned())
            }
        }
    )+};
}

id_fields!(
    OrganizationId,
    ProjectId,
    CustomerId,
    ProjectUserId,
    RoleId,
    ConnectionId,
    ChartId,
    ApplicationId,
    DashboardId,
    WorkspaceId,
    TenantId,
    ThreadId,
    MessageId
);

/// The fields of a body, and what was wrong with those read so far.
#[derive(Debug)]
pub struct Fields<'b> {
    body: &'b Body,
    problems: Vec<(String, String)>,
}

impl<'b> Fields<'b> {
    /// Starts reading.
    pub const fn of(body: &'b Body) -> Self {
        Self { body, problems: Vec::new() }
    }

    /// A field that must be there. `None` was noted as a problem.
    pub fn required<T: FromField>(&mut self, path: &str) -> Option<T> {
        match self.find(path)? {
            None | Some(Value::Null) => {
                self.problem(path, "is required");
                None
            }
            Some(value) => self.read(path, value),
        }
    }

    /// A field that may be left out or null.
    pub fn optional<T: FromField>(&mut self, path: &str) -> Option<T> {
        match self.find(path)? {
            None | Some(Value::Null) => None,
            Some(value) => self.read(path, value),
        }
    }

    /// A field whose absence and null differ.
    pub fn nullable<T: FromField>(&mut self, path: &str) -> inlay_contract::field::Field<T> {
        use inlay_contract::field::Field;
        match self.find(path).flatten() {
            None => Field::Absent,
            Some(Value::Null) => Field::Null,
            Some(value) => self.read(path, value).map_or(Field::Absent, Field::Value),
        }
    }

    /// A list with at least one and at most `most` items.
    pub fn list<'v>(&mut self, path: &str, most: usize) -> Option<&'v Vec<Value>>
    where
        'b: 'v,
    {
        match self.find(path)? {
            Some(Value::Array(items)) if (1..=most).contains(&items.len()) => return Some(items),
            Some(Value::Array(_)) => self.problem(path, format!("must have 1 to {most} items")),
            None | Some(Value::Null) => self.problem(path, "is required"),
            Some(_) => self.problem(path, "must be a list"),
        }
        None
    }

    /// A role's permission flags. Each bad one is told by its own path; `None` was noted as a problem, or nothing was sent.
    pub fn permissions(&mut self, path: &str) -> Option<RolePermissions> {
        let sent = self.optional::<Map<String, Value>>(path)?;
        let mut permissions = RolePermissions::default();
        let mut good = true;
        for (name, value) in &sent {
            match (Flag::named(name), value.as_bool()) {
                (Some(flag), Some(on)) => permissions.set(flag, on),
                (Some(_), None) => {
                    self.problem(&format!("{path}.{name}"), "must be true or false");
                    good = false;
                }
                (None, _) => {
                    self.problem(&format!("{path}.{name}"), "is not a permission flag");
                    good = false;
                }
            }
        }
        good.then_some(permissions)
    }

    /// A role's permission flags that must be there.
    pub fn required_permissions(&mut self, path: &str) -> Option<RolePermissions> {
        self.required::<Value>(path)?;
        self.permissions(path)
    }

    /// Reads a value that stands at a path, for items of lists.
    pub fn read<T: FromField>(&mut self, path: &str, value: &Value) -> Option<T> {
        match T::from_field(value) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problem(path, problem);
                None
            }
        }
    }

    /// Notes a problem.
    pub fn problem(&mut self, path: &str, problem: impl Into<String>) {
        if self.problems.iter().all(|(known, _)| known != path) {
            self.problems.push((path.to_owned(), problem.into()));
        }
    }

    /// Ends reading with what was wrong, for items of lists whose fields are told by their place there.
    pub fn into_problems(self) -> Vec<(String, String)> {
        self.problems
    }

    /// Ends reading.
    ///
    /// # Errors
    /// 400 `VALIDATION_FAILED` when any field was bad.
    pub fn finish(self) -> Result<()> {
        let Some((path, problem)) = self.problems.first() else { return Ok(()) };
        let message = format!("`{path}` {problem}");
        let details = self.problems.into_iter().map(|(path, problem)| (path, Value::String(problem))).collect();
        Err(Error::new(Code::ValidationFailed, message).with_details(details))
    }

    /// Ends reading with what must be there.
    ///
    /// # Errors
    /// 400 `VALIDATION_FAILED` when any field was bad.
    pub fn finish_with<T>(self, required: Option<T>) -> Result<T> {
        self.finish()?;
        required.ok_or_else(|| Error::internal("a required field was neither read nor refused"))
    }

    /// The value at a path; the outer `None` says that a parent is no object, which was noted.
    fn find(&mut self, path: &str) -> Option<Option<&'b Value>> {
        let mut place = self.body;
        let mut start = 0;
        while let Some(dot) = path[start..].find('.') {
            let parent = &path[..start + dot];
            match place.get(&path[start..start + dot]) {
                Some(Value::Object(inner)) => place = inner,
                None | Some(Value::Null) => return Some(None),
                Some(_) => {
                    self.problem(parent, "must be an object");
                    return None;
                }
            }
            start += dot + 1;
        }
        Some(place.get(&path[start..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use inlay_contract::{field::Field, ids::RoleId};
    use serde_json::json;

    fn body(value: Value) -> Body {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn every_bad_field_is_told() {
        let body = body(json!({"projectId": "x", "organization": 5, "user": {"externalId": ""}}));
        let mut fields = Fields::of(&body);
        assert!(fields.required::<ids::ProjectId>("projectId").is_none());
        assert!(fields.required::<Text>("organization.externalId").is_none());
        assert!(fields.optional::<Text>("organization.name").is_none());
        assert!(fields.required::<Text>("user.externalId").is_none());
        assert!(fields.required::<Text>("name").is_none());
        let error = fields.finish().expect_err("bad fields");
        assert_eq!(error.message, "`projectId` must be a UUID");
        let details = serde_json::to_value(error.details).expect("JSON");
        assert_eq!(
            details,
            json!({"projectId": "must be a UUID", "organization": "must be an object", "user.externalId": "must not be empty", "name": "is required"})
        );
    }

    #[test]
    fn absent_and_null_differ() {
        let body = body(json!({"user": {"a": null}}));
        let mut fields = Fields::of(&body);
        assert_eq!(fields.nullable::<RoleId>("user.a"), Field::Null);
        assert_eq!(fields.nullable::<RoleId>("user.b"), Field::Absent);
        assert_eq!(fields.nullable::<RoleId>("other.b"), Field::Absent);
        assert!(fields.finish().is_ok());
    }
}
