//! How pages read JSON. `serde_json` parses the text into a `Value`, and `Tree` reads a type from that. `Tree` knows what pages
//! need and no more: structs are objects, and an error carries no text. `serde_json::from_slice` also reads each struct from an
//! array and describes each error, in code that the compiler repeats for every type: 11.9 kB (brotli) of the view-only wasm.

use serde::{
    Deserializer,
    de::{
        self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor,
        value::{MapDeserializer, SeqDeserializer, StringDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::Value;
use std::fmt;

/// Reads a value; `None` if the text is not JSON or not of this type.
#[must_use]
pub fn read<T: DeserializeOwned>(json: &[u8]) -> Option<T> {
    let value = serde_json::from_slice(json).ok()?;
    T::deserialize(Tree(value)).ok()
}

/// The value is not of the type.
#[derive(Debug)]
struct Unread;

impl fmt::Display for Unread {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl std::error::Error for Unread {}

impl de::Error for Unread {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A value that a type is read from.
struct Tree(Value);

impl<'de> IntoDeserializer<'de, Unread> for Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! forward {
    ($to:ident: $($from:ident)+) => {
        $(
            fn $from<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
                self.$to(visitor)
            }
        )+
    };
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Unread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Array(_) => self.deserialize_seq(visitor),
            Value::Object(_) => self.deserialize_map(visitor),
            Value::String(_) => self.deserialize_string(visitor),
            Value::Bool(_) => self.deserialize_bool(visitor),
            Value::Number(_) => self.deserialize_f64(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Value::Bool(value) = self.0 else { return Err(Unread) };
        visitor.visit_bool(value)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Value::Number(number) = self.0 else { return Err(Unread) };
        number.deserialize_any(visitor).map_err(|_| Unread)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Value::String(text) = self.0 else { return Err(Unread) };
        visitor.visit_string(text)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Value::Array(items) = self.0 else { return Err(Unread) };
        visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(Tree)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        let Value::Object(fields) = self.0 else { return Err(Unread) };
        visitor.visit_map(MapDeserializer::new(fields.into_iter().map(|(name, value)| (name, Tree(value)))))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        self.deserialize_map(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unread> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unread> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Variant { name, content: Value::Null }),
            Value::Object(fields) if fields.len() == 1 => {
                let (name, content) = fields.into_iter().next().ok_or(Unread)?;
                visitor.visit_enum(Variant { name, content })
            }
            _ => Err(Unread),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        visitor.visit_unit()
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unread> {
        if self.0.is_null() { visitor.visit_unit() } else { Err(Unread) }
    }

    forward! { deserialize_string: deserialize_str deserialize_char deserialize_identifier }
    forward! {
        deserialize_f64: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8 deserialize_u16
        deserialize_u32 deserialize_u64 deserialize_f32
    }
    forward_to_deserialize_any! { bytes byte_buf unit_struct tuple_struct }
}

/// A variant of an enum: its name alone, or an object with its name and content.
struct Variant {
    name: String,
    content: Value,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Unread;
    type Variant = Tree;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Tree), Unread> {
        let name: StringDeserializer<Unread> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Tree(self.content)))
    }
}

impl<'de> VariantAccess<'de> for Tree {
    type Error = Unread;

    fn unit_variant(self) -> Result<(), Unread> {
        if self.0.is_null() { Ok(()) } else { Err(Unread) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unread> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unread> {
        self.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Unread> {
        self.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::{Map, json};
    use std::collections::BTreeMap;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Row {
        id: u16,
        offset: i64,
        size: f64,
        #[serde(default)]
        is_open: bool,
        note: Option<String>,
        pair: (u32, char),
        kinds: Vec<Kind>,
        named: BTreeMap<String, Value>,
        rest: Option<Box<Map<String, Value>>>,
        none: (),
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    enum Kind {
        Plain,
        One(Box<Kind>),
        Two(u8, u8),
        Named { name: String },
    }

    fn given() -> Value {
        json!({
            "id": 7, "offset": -3, "size": 2, "note": null, "pair": [4_000_000_000_u32, "é"], "none": null, "unknown": [{}],
            "kinds": ["plain", {"one": {"one": "plain"}}, {"two": [1, 2]}, {"named": {"name": "a\"b"}}],
            "named": {"z": [1, -1, 0.5, u64::MAX], "a": {"b": [true, null]}}, "rest": {"y": 1, "x": 2}
        })
    }

    #[test]
    fn a_type_is_read_as_serde_json_reads_it() {
        let text = given().to_string();
        assert_eq!(read::<Row>(text.as_bytes()), serde_json::from_str(&text).ok());
        assert_eq!(read::<Value>(text.as_bytes()), Some(given()));
        let (kinds, rest) = read::<Row>(text.as_bytes()).map(|row| (row.kinds.len(), row.rest)).expect("a row");
        let order: Vec<String> = rest.expect("fields").into_iter().map(|(name, _)| name).collect();
        assert_eq!((kinds, order), (4, vec!["y".to_owned(), "x".to_owned()]));
    }

    #[test]
    fn what_does_not_fit_is_none() {
        for (field, value) in [
            ("id", json!(70_000)),
            ("id", json!("7")),
            ("offset", json!(0.5)),
            ("isOpen", json!(1)),
            ("pair", json!([1])),
            ("kinds", json!(["other"])),
            ("kinds", json!([{"plain": 1}])),
            ("kinds", json!([{"named": {}}])),
            ("kinds", json!({})),
            ("none", json!(0)),
            ("size", Value::Null),
        ] {
            let mut other = given();
            other[field] = value;
            let text = other.to_string();
            assert!(serde_json::from_str::<Row>(&text).is_err(), "{field}");
            assert_eq!(read::<Row>(text.as_bytes()), None, "{field}");
        }
        for text in ["", "{", "[]", "{} {}"] {
            assert_eq!(read::<Row>(text.as_bytes()), None, "{text}");
        }
        assert_eq!(read::<Vec<u8>>("[".repeat(100_000).as_bytes()), None, "endless nesting ends");
    }
}
