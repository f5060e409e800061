//! `body!`: one declaration of a body creates the reader, the API description and the struct.

use super::BodyField;
use utoipa::openapi::{
    Required,
    path::{Parameter, ParameterBuilder, ParameterIn},
};

/// Declares the body of a request, or an object within one:
///
/// ```ignore
/// body! {
///     /// A role to create.
///     pub struct RoleBody {
///         /// Unique within the project.
///         name: Text,
///         /// The role's permissions.
///         permissions: RolePermissions,
///     }
/// }
/// ```
///
/// `RoleBody::of(&body, &limits)?` reads a body and reports all invalid fields at once. `request_body = RoleBody` describes it;
/// for a GET, whose query is read as an object of texts, `params(…)` does. A field's type determines the accepted values and
/// their limits. Its JSON name is its own in camelCase; `struct RoleBody as "v1.RoleBody"` and `kind as "type": …` set other
/// names. A leading underscore marks a field that is read and described, but that the handler combines with other fields or
/// ignores.
macro_rules! body {
    (
        $(#[doc = $about:literal])+
        $visibility:vis struct $body:ident $(as $name:literal)? {
            $($(#[doc = $doc:literal])+ $field:ident $(as $wire:literal)?: $kind:ty),+ $(,)?
        }
    ) => {
        $(#[doc = $about])+
        $visibility struct $body {
            $($(#[doc = $doc])+ $field: $kind),+
        }

        impl $crate::ground::web::body::BodyObject for $body {
            fn fields(
                sent: &$crate::ground::web::Body,
                path: &str,
                reader: &mut $crate::ground::web::body::Reader<'_>,
            ) -> Option<Self> {
                // Read all fields before a missing one ends the reading.
                $(let $field = reader.field(sent, path, $crate::ground::web::body::wire_name!($field $(as $wire)?));)+
                Some(Self { $($field: $field?),+ })
            }
        }

        impl $crate::ground::web::body::BodyField for $body {
            fn read(
                sent: &serde_json::Value,
                path: &str,
                reader: &mut $crate::ground::web::body::Reader<'_>,
            ) -> Option<Self> {
                let Some(sent) = sent.as_object() else {
                    reader.problem(path, "must be an object");
                    return None;
                };
                <Self as $crate::ground::web::body::BodyObject>::fields(sent, path, reader)
            }

            fn missing(path: &str, reader: &mut $crate::ground::web::body::Reader<'_>) -> Option<Self> {
                // Report its required fields by their own paths.
                <Self as $crate::ground::web::body::BodyObject>::fields(&$crate::ground::web::Body::new(), path, reader)
            }

            fn describe(about: &str) -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::ground::web::body::reference::<Self>(about)
            }

            fn components(components: &mut $crate::ground::web::body::Components) {
                $crate::ground::web::body::referenced::<Self>(components);
            }
        }

        impl utoipa::PartialSchema for $body {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                use $crate::ground::web::body::{BodyField, declare::about, wire_name};
                let object = utoipa::openapi::ObjectBuilder::new().description(Some(about(&[$($about),+])));
                $(
                    let name = wire_name!($field $(as $wire)?);
                    let object = object.property(name, <$kind as BodyField>::describe(&about(&[$($doc),+])));
                    let object = if <$kind as BodyField>::REQUIRED { object.required(name) } else { object };
                )+
                object.into()
            }
        }

        impl utoipa::IntoParams for $body {
            fn into_params(_: impl Fn() -> Option<utoipa::openapi::path::ParameterIn>) -> Vec<utoipa::openapi::path::Parameter> {
                use $crate::ground::web::body::{declare::{about, query_parameter}, wire_name};
                vec![$(query_parameter::<$kind>(wire_name!($field $(as $wire)?), about(&[$($doc),+]))),+]
            }
        }

        impl utoipa::ToSchema for $body {
            fn name() -> std::borrow::Cow<'static, str> {
                $crate::ground::web::body::schema_name!($body $(as $name)?).into()
            }

            fn schemas(components: &mut $crate::ground::web::body::Components) {
                $(<$kind as $crate::ground::web::body::BodyField>::components(components);)+
            }
        }
    };
}
pub(crate) use body;

/// The JSON name of a field.
macro_rules! wire_name {
    ($field:ident as $wire:literal) => {
        $wire
    };
    ($field:ident) => {{
        const FIELD: &str = stringify!($field);
        const NAME: [u8; $crate::ground::web::body::declare::camel_length(FIELD)] =
            $crate::ground::web::body::declare::camel_case(FIELD);
        const { $crate::ground::web::body::declare::text(&NAME) }
    }};
}
pub(crate) use wire_name;

/// The name of a body's schema.
macro_rules! schema_name {
    ($body:ident as $name:literal) => {
        $name
    };
    ($body:ident) => {
        stringify!($body)
    };
}
pub(crate) use schema_name;

/// The length of a field's name in camelCase.
pub const fn camel_length(field: &str) -> usize {
    let (letters, mut at, mut length) = (field.as_bytes(), 0, 0);
    while at < letters.len() {
        length += (letters[at] != b'_') as usize;
        at += 1;
    }
    length
}

/// A field's name in camelCase.
pub const fn camel_case<const LENGTH: usize>(field: &str) -> [u8; LENGTH] {
    let letters = field.as_bytes();
    let (mut name, mut at, mut length) = ([0; LENGTH], 0, 0);
    while at < letters.len() {
        if letters[at] != b'_' {
            let begins_word = length > 0 && letters[at - 1] == b'_';
            name[length] = if begins_word { letters[at].to_ascii_uppercase() } else { letters[at] };
            length += 1;
        }
        at += 1;
    }
    name
}

/// Bytes as text.
pub const fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a field's name is ASCII"),
    }
}

/// A field of a query, as the API description shows it.
pub fn query_parameter<T: BodyField>(name: &str, about: String) -> Parameter {
    let required = if T::REQUIRED { Required::True } else { Required::False };
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(required);
    parameter.description(Some(about)).schema(Some(T::describe(""))).build()
}

/// A doc comment as text.
pub fn about(lines: &[&str]) -> String {
    lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join("\n")
}
