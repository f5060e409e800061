//! The fields of a body: how each type is read and how the API description shows it.

use super::{Body, Reader};
use crate::ground::{config::limits::Limits, error::Result};
use inlay_contract::field::Field;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{
        Ref, RefOr, Schema, Type,
        schema::{ObjectBuilder, OneOfBuilder, SchemaType},
    },
};

/// Schemas by name, for the components of the API description.
pub type Components = Vec<(String, RefOr<Schema>)>;

/// A field of a body.
pub trait BodyField: Sized {
    /// Whether it is required.
    const REQUIRED: bool = true;

    /// Reads the value at a path. `None` means that a problem was added.
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self>;

    /// The value when the field is missing. `None` means that a problem was added.
    fn missing(path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        reader.problem(path, "is required");
        None
    }

    /// The value when the field is null. `None` means that a problem was added.
    fn null(path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        Self::missing(path, reader)
    }

    /// Its schema, with a description.
    fn describe(about: &str) -> RefOr<Schema>;

    /// Adds the schemas that its own schema refers to.
    fn components(_: &mut Components) {}
}

/// An object of fields. `body!` implements it.
pub trait BodyObject: BodyField {
    /// Reads the fields of an object at a path. `None` means that a problem was added.
    fn fields(sent: &Body, path: &str, reader: &mut Reader<'_>) -> Option<Self>;

    /// Reads a request's body.
    ///
    /// # Errors
    /// 400 `VALIDATION_FAILED` with each invalid field.
    fn of(body: &Body, limits: &Limits) -> Result<Self> {
        let mut reader = Reader::new(limits);
        let read = Self::fields(body, "", &mut reader);
        reader.finish(read)
    }
}

/// A type that is read from one JSON value. As a field it is required.
pub trait FromValue: Sized {
    /// Reads a value. The error completes «`field` …».
    fn from_value(value: &Value) -> Result<Self, String>;

    /// Its schema, with a description.
    fn schema(about: &str) -> RefOr<Schema>;

    /// Adds the schemas that its own schema refers to.
    fn components(_: &mut Components) {}
}

impl<T: FromValue> BodyField for T {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        match T::from_value(sent) {
            Ok(read) => Some(read),
            Err(problem) => {
                reader.problem(path, problem);
                None
            }
        }
    }

    fn describe(about: &str) -> RefOr<Schema> {
        T::schema(about)
    }

    fn components(components: &mut Components) {
        <T as FromValue>::components(components);
    }
}

/// Optional: missing and null mean the same.
impl<T: BodyField> BodyField for Option<T> {
    const REQUIRED: bool = false;

    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        T::read(sent, path, reader).map(Some)
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(None)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        nullable(T::describe(about))
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

/// Optional: missing and null differ.
impl<T: BodyField> BodyField for Field<T> {
    const REQUIRED: bool = false;

    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        T::read(sent, path, reader).map(Self::Value)
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self::Absent)
    }

    fn null(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self::Null)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        nullable(T::describe(about))
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

/// The schema of a field that may be null.
pub fn nullable(schema: RefOr<Schema>) -> RefOr<Schema> {
    let or_null = |kind: SchemaType| match kind {
        SchemaType::Type(kind) => SchemaType::from_iter([kind, Type::Null]),
        other => other,
    };
    match schema {
        RefOr::T(Schema::Object(mut object)) => {
            object.schema_type = or_null(object.schema_type);
            Schema::Object(object).into()
        }
        RefOr::T(Schema::Array(mut array)) => {
            array.schema_type = or_null(array.schema_type);
            Schema::Array(array).into()
        }
        other => OneOfBuilder::new().item(other).item(ObjectBuilder::new().schema_type(Type::Null)).into(),
    }
}

/// A reference to a type's own schema.
pub fn reference<T: ToSchema>(about: &str) -> RefOr<Schema> {
    let mut reference = Ref::from_schema_name(T::name());
    about.clone_into(&mut reference.description);
    RefOr::Ref(reference)
}

/// Adds a type's own schema and those that it refers to.
pub fn referenced<T: ToSchema>(components: &mut Components) {
    components.push((T::name().into_owned(), T::schema()));
    T::schemas(components);
}
