//! A page that is requested after the first HTML: with its token by message, or again.

use serde::{Deserialize, Serialize};

/// A page that is requested after the first HTML, with the data for the document around it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened<P> {
    /// The page.
    pub page: P,
    /// The theme's custom properties, for the `style` of `<html>`.
    pub style: String,
    /// The document's title.
    pub title: String,
}
