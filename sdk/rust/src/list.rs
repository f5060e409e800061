//! Lists, which the service gives in parts.

use crate::{client::Inlay, error::Error};
use reqwest::Method;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::VecDeque;

/// The entries of a list. The next part is asked for when the last one is read to its end; entries that come and go meanwhile
/// move no others.
#[derive(Debug)]
pub struct List<'c, T> {
    inlay: &'c Inlay,
    path: String,
    field: String,
    left: VecDeque<T>,
    /// The path of the next part. `None` at the end.
    next: Option<String>,
}

impl<'c, T: DeserializeOwned> List<'c, T> {
    pub(crate) fn new(inlay: &'c Inlay, path: &str, field: &str) -> Self {
        let (path, field) = (path.to_owned(), field.to_owned());
        Self { inlay, next: Some(path.clone()), path, field, left: VecDeque::new() }
    }

    /// The next entry. `None` at the end of the list.
    ///
    /// # Errors
    /// See [`Inlay::embed_token`].
    pub async fn next(&mut self) -> Result<Option<T>, Error> {
        while self.left.is_empty() {
            let Some(path) = self.next.take() else { return Ok(None) };
            let mut part: Map<String, Value> = self.inlay.call(Method::GET, &path, Value::Null).await?;
            let sign = if self.path.contains('?') { '&' } else { '?' };
            // A cursor consists of letters, digits, `-` and `_`.
            self.next = part.get("next").and_then(Value::as_str).map(|after| format!("{}{sign}after={after}", self.path));
            let entries = part.remove(&self.field).unwrap_or_else(|| Value::Array(Vec::new()));
            self.left = serde_json::from_value(entries).map_err(Error::Answer)?;
        }
        Ok(self.left.pop_front())
    }

    /// All entries.
    ///
    /// # Errors
    /// See [`Inlay::embed_token`].
    pub async fn all(mut self) -> Result<Vec<T>, Error> {
        let mut all = Vec::new();
        while let Some(entry) = self.next().await? {
            all.push(entry);
        }
        Ok(all)
    }
}
