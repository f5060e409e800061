//! `limit` and `after` of lists.

use super::{
    Body,
    body::{BodyObject, FromValue, body, simple},
};
use crate::ground::{
    config::limits::Limits,
    error::Result,
    paging::{self, LONGEST_CURSOR, MOST},
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::openapi::{KnownFormat, RefOr, Schema, SchemaFormat, Type};

body! {
    /// A part of a list.
    pub struct PageQuery {
        /// The maximum number of entries of the answer.
        limit: Option<PageLimit>,
        /// The `next` of the answer before. Without it the list begins.
        after: Option<Cursor>,
    }
}

/// A number of entries.
struct PageLimit(usize);

impl FromValue for PageLimit {
    fn from_value(value: &Value) -> Result<Self, String> {
        let number = value.as_str().and_then(|text| text.parse().ok()).filter(|number| (1..=MOST).contains(number));
        number.map(Self).ok_or_else(|| format!("must be an integer from 1 to {MOST}"))
    }

    fn schema(about: &str) -> RefOr<Schema> {
        let number = simple(Type::Integer, about).format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)));
        number.minimum(Some(1)).maximum(Some(i32::try_from(MOST).unwrap_or(i32::MAX))).into()
    }
}

/// A cursor. The list that reads it checks it.
struct Cursor(String);

impl FromValue for Cursor {
    fn from_value(value: &Value) -> Result<Self, String> {
        let text = value.as_str().filter(|text| (1..=LONGEST_CURSOR).contains(&text.len()));
        text.map(|text| Self(text.to_owned())).ok_or_else(|| "is not the `next` of an answer".to_owned())
    }

    fn schema(about: &str) -> RefOr<Schema> {
        simple(Type::String, about).min_length(Some(1)).max_length(Some(LONGEST_CURSOR)).into()
    }
}

impl PageQuery {
    /// The part that a request asks for.
    ///
    /// # Errors
    /// 400 for an invalid `limit` or `after`.
    pub fn read(query: &Body, limits: &Limits) -> Result<Self> {
        Self::of(query, limits)
    }

    /// The maximum number of entries.
    pub fn most(&self) -> usize {
        self.most_or(MOST)
    }

    /// The maximum number of entries, with the list's own default.
    pub fn most_or(&self, default: usize) -> usize {
        self.limit.as_ref().map_or(default, |limit| limit.0)
    }

    /// Whether the request asks for a part. The lists of v1 are whole otherwise.
    pub const fn is_asked(&self) -> bool {
        self.limit.is_some() || self.after.is_some()
    }

    /// The maximum number of entries of a list that is whole unless parts are asked for.
    pub fn most_of_whole(&self) -> usize {
        if self.is_asked() { self.most() } else { usize::MAX }
    }

    /// The key behind which the part begins.
    ///
    /// # Errors
    /// 400 for a cursor that is not of this list.
    pub fn after<K: DeserializeOwned>(&self, list: &str) -> Result<Option<K>> {
        self.after.as_ref().map(|cursor| paging::key(list, &cursor.0)).transpose()
    }
}
