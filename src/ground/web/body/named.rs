//! Fields with names that the caller chooses.

use super::{BodyField, Components, Reader, Text, simple};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::openapi::{
    RefOr, Schema, Type,
    schema::{ArrayBuilder, OneOfBuilder},
};

/// Objects by names that the caller chooses, at most so many.
#[derive(Debug)]
pub struct ByName<T, const MOST: usize>(pub BTreeMap<String, T>);

impl<T: BodyField, const MOST: usize> BodyField for ByName<T, MOST> {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let Some(sent) = sent.as_object().filter(|sent| sent.len() <= MOST) else {
            reader.problem(path, format!("must be an object of at most {MOST} fields"));
            return None;
        };
        // Read all first, so that each invalid one is reported.
        let read: Vec<Option<(String, T)>> =
            sent.iter().map(|(name, value)| Some((name.clone(), T::read(value, &format!("{path}.{name}"), reader)?))).collect();
        read.into_iter().collect::<Option<_>>().map(Self)
    }

    fn describe(about: &str) -> RefOr<Schema> {
        simple(Type::Object, about).additional_properties(Some(T::describe(""))).into()
    }

    fn components(components: &mut Components) {
        T::components(components);
    }
}

/// A name, or a list of at most so many.
#[derive(Debug)]
pub struct Names<const MOST: usize>(pub Vec<String>);

impl<const MOST: usize> BodyField for Names<MOST> {
    fn read(sent: &Value, path: &str, reader: &mut Reader<'_>) -> Option<Self> {
        let names: Vec<Text> = match sent.as_array() {
            Some(items) if (1..=MOST).contains(&items.len()) => reader.items(items, path)?,
            None if sent.is_string() => vec![BodyField::read(sent, path, reader)?],
            _ => {
                reader.problem(path, format!("must be a name, or a list of 1 to {MOST} names"));
                return None;
            }
        };
        Some(Self(names.into_iter().map(|Text(name)| name).collect()))
    }

    fn describe(about: &str) -> RefOr<Schema> {
        let name = || <Text as BodyField>::describe("");
        let list = ArrayBuilder::new().items(name()).min_items(Some(1)).max_items(Some(MOST));
        OneOfBuilder::new().item(name()).item(list).description(Some(about)).into()
    }
}
