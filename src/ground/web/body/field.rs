//! What a field of a body is: how it is read and how the API description shows it, in one place.

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
    /// Whether it must be sent.
    const REQUIRED: bool = true;

    /// Reads what was sent at a path. `None` was noted as a problem.
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self>;

    /// What it is when nothing was sent. `None` was noted as a problem.
    fn missing(path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        reader.problem(path, "is required");
        None
    }

    /// What it is when null was sent. `None` was noted as a problem.
    fn null(path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        Self::missing(path, reader)
    }

    /// Its schema, with what it is for.
    fn describe(about: &str) -> RefOr<Schema>;

    /// Adds the schemas that its own refers to.
    fn components(_: &mut Components) {}
}

/// An object of fields; `body!` makes it of a declaration.
pub trait BodyObject: BodyField {
    /// Reads the fields of an object that stands at a path. `None` was noted as a problem.
    fn fields(sent: &Body, path: &str, reader: &mut Reader<'_>) -> Option<Self>;

    /// Reads a request's body.
    ///
    /// # Errors
    /// 400 `VALIDATION_FAILED` with each bad field.
    fn of(body: &Body, limits: &Limits) -> Result<Self> {
        let mut reader = Reader::new(limits);
        let read = Self::fields(body, "", &mut reader);
        reader.finish(read)
    }
}

/// Something that one JSON value is read into; as a field it must be sent.
pub trait FromValue: Sized {
    /// Reads it. The error completes «`field` …».
    ///
    /// # Errors
    /// The value is of another type or form.
    fn from_value(value: &Value) -> Result<Self, String>;

    /// Its schema, with what it is for.
    fn schema(about: &str) -> RefOr<Schema>;

    /// Adds the schemas that its own refers to.
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

/// May be left out or null, which is the same.
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

/// May be left out or null, which differ.
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

/// The same schema for a field that may be null.
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
