//! The types of fields: texts, numbers, ids, lists, each with its limits.

use super::{
    BodyField, Components, FromValue, Reader,
    field::{nullable, reference, referenced},
};
use inlay_contract::{
    ids,
    lifetime::{Lifetime, UnknownLifetime},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt::Display;
use utoipa::{
    ToSchema,
    openapi::{
        KnownFormat, RefOr, Schema, SchemaFormat, Type,
        schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, SchemaType},
    },
};

/// A name or an identifier: at least one character.
#[derive(Debug)]
pub struct Text<const LONGEST: usize = 512>(pub String);

impl<const LONGEST: usize> FromValue for Text<LONGEST> {
    fn from_value(value: &Value) -> Result<Self, String> {
        let FreeText(text) = FreeText::from_value(value)?;
        match text.chars().count() {
            0 => Err("must not be empty".to_owned()),
            length if length > LONGEST => Err(format!("must have at most {LONGEST} characters")),
            _ => Ok(Self(text)),
        }
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).min_length(Some(1)).max_length(Some(LONGEST)).into()
    }
}

/// A text of any length, possibly empty.
#[derive(Debug)]
pub struct FreeText(pub String);

impl FromValue for FreeText {
    fn from_value(value: &Value) -> Result<Self, String> {
        value.as_str().map(|text| Self(text.to_owned())).ok_or_else(|| "must be a string".to_owned())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).into()
    }
}

/// A text for which missing, null and empty mean the same.
#[derive(Debug)]
pub struct Written<const LONGEST: usize = { usize::MAX }>(pub Option<String>);

impl<const LONGEST: usize> BodyField for Written<LONGEST> {
    const REQUIRED: bool = false;

    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let FreeText(text) = BodyField::read(sent, path, reader)?;
        if text.trim().is_empty() {
            return Some(Self(None));
        }
        if text.chars().count() > LONGEST {
            reader.problem(path, format!("must have at most {LONGEST} characters"));
            return None;
        }
        Some(Self(Some(text)))
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self(None))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        let most = Some(LONGEST).filter(|longest| *longest < usize::MAX);
        nullable(simple(Type::String, about).max_length(most).into())
    }
}

impl FromValue for bool {
    fn from_value(value: &Value) -> Result<Self, String> {
        value.as_bool().ok_or_else(|| "must be true or false".to_owned())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::Boolean, about).into()
    }
}

/// A boolean with a default.
#[derive(Debug)]
pub struct Switch<const DEFAULT: bool>(pub bool);

impl<const DEFAULT: bool> BodyField for Switch<DEFAULT> {
    const REQUIRED: bool = false;

    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        BodyField::read(sent, path, reader).map(Self)
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self(DEFAULT))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        nullable(simple(Type::Boolean, about).default(Some(DEFAULT.into())).into())
    }
}

/// A whole number with a minimum.
#[derive(Debug)]
pub struct Integer<const LEAST: i64>(pub i64);

impl<const LEAST: i64> FromValue for Integer<LEAST> {
    fn from_value(value: &Value) -> Result<Self, String> {
        let number = value.as_i64().filter(|number| *number >= LEAST);
        number.map(Self).ok_or_else(|| format!("must be an integer of at least {LEAST}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        integer(KnownFormat::Int64, about).minimum(Some(LEAST)).into()
    }
}

/// A position in a list, from 0. Defaults to the first.
#[derive(Debug)]
pub struct Position(pub usize);

impl BodyField for Position {
    const REQUIRED: bool = false;

    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let number = sent.as_u64().and_then(|number| usize::try_from(number).ok());
        if number.is_none() {
            reader.problem(path, "must be an integer of at least 0");
        }
        number.map(Self)
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self(0))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        nullable(integer(KnownFormat::Int32, about).minimum(Some(0)).default(Some(0.into())).into())
    }
}

/// Any object.
impl FromValue for Map<String, Value> {
    fn from_value(value: &Value) -> Result<Self, String> {
        value.as_object().cloned().ok_or_else(|| "must be an object".to_owned())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        let anything = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
        let object = simple(Type::Object, about).property_names(Some(ObjectBuilder::new().schema_type(Type::String)));
        object.additional_properties(Some(AdditionalProperties::from(anything))).into()
    }
}

impl FromValue for Lifetime {
    fn from_value(value: &Value) -> Result<Self, String> {
        value.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| UnknownLifetime.to_string())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        reference::<Self>(about)
    }

    fn components(components: &mut Components) {
        referenced::<Self>(components);
    }
}

macro_rules! id_fields {
    ($($id:ident),+ $(,)?) => {$(
        impl FromValue for ids::$id {
            fn from_value(value: &Value) -> Result<Self, String> {
                value.as_str().and_then(|text| text.parse().ok()).ok_or_else(|| "must be a UUID".to_owned())
            }

            fn schema(about: &str) -> RefOr<Schema> {
                reference::<Self>(about)
            }

            fn components(components: &mut Components) {
                referenced::<Self>(components);
            }
        }
    )+};
}

id_fields!(
    ProjectId,
    ProjectUserId,
    RoleId,
    ConnectionId,
    ChartId,
    DashboardId,
    WorkspaceId,
    AgentId,
    TenantId,
    ThreadId,
    MessageId,
);

/// A list with a minimum and a maximum length.
#[derive(Debug)]
pub struct List<T, const LEAST: usize, const MOST: usize>(pub Vec<T>);

impl<T: BodyField, const LEAST: usize, const MOST: usize> BodyField for List<T, LEAST, MOST> {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        list(sent, path, reader, LEAST, MOST).map(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        let list = ArrayBuilder::new().items(T::describe("")).description(Some(about));
        list.min_items(Some(LEAST).filter(|least| *least > 0)).max_items(Some(MOST)).into()
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

/// A list of charts: at least one, and at most as many as the operator allows.
#[derive(Debug)]
pub struct Charts<T>(pub Vec<T>);

impl<T: BodyField> BodyField for Charts<T> {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let most = reader.limits.max_charts;
        list(sent, path, reader, 1, most).map(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        ArrayBuilder::new().items(T::describe("")).description(Some(about)).min_items(Some(1)).into()
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

fn list<T: BodyField>(sent: &Value, path: &str, reader: &mut Reader<'_>, least: usize, most: usize) -> Option<Vec<T>> {
    let problem = match sent.as_array() {
        Some(items) if (least..=most).contains(&items.len()) => return reader.items(items, path),
        _ if least == 0 => format!("must be a list of at most {most} items"),
        Some(_) => format!("must have {least} to {most} items"),
        None => "must be a list".to_owned(),
    };
    reader.problem(path, problem);
    None
}

/// A value that may appear only once in the body.
#[derive(Debug)]
pub struct Once<T>(pub T);

impl<T: BodyField + Display> BodyField for Once<T> {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let read = T::read(sent, path, reader)?;
        if !reader.is_first(read.to_string()) {
            reader.problem(path, "appears twice");
            return None;
        }
        Some(Self(read))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        T::describe(about)
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

/// An object that is reported as missing itself, instead of its required fields.
#[derive(Debug)]
pub struct Whole<T>(pub T);

impl<T: BodyField> BodyField for Whole<T> {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        T::read(sent, path, reader).map(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        T::describe(about)
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

/// A type of the contract, deserialized as it defines.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + ToSchema> FromValue for Json<T> {
    fn from_value(value: &Value) -> Result<Self, String> {
        T::deserialize(value).map(Self).map_err(|problem| format!("cannot be read: {problem}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        reference::<T>(about)
    }

    fn components(components: &mut Components) {
        referenced::<T>(components);
    }
}

/// A field that older callers send and that is ignored. Every value is accepted.
#[derive(Debug)]
pub struct Ignored;

impl BodyField for Ignored {
    const REQUIRED: bool = false;

    fn read(_: &Value, _: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self)
    }

    fn missing(_: &str, _: &mut Reader<'_>) -> Option<Self> {
        Some(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        anything(about)
    }
}

/// The schema of a field that takes every value.
pub fn anything(about: &str) -> RefOr<Schema> {
    ObjectBuilder::new().schema_type(SchemaType::AnyValue).description(Some(about)).into()
}

/// A schema of a primitive type.
pub fn simple(kind: Type, about: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(kind).description(Some(about).filter(|about| !about.is_empty()))
}

fn integer(format: KnownFormat, about: &str) -> ObjectBuilder {
    simple(Type::Integer, about).format(Some(SchemaFormat::KnownFormat(format)))
}
