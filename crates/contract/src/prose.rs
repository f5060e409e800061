//! An answer's text as pages draw it: read from Markdown by the server, drawn node by node, so that no markup of a model's
//! reaches the page. There are no links and no pictures in it.

use serde::{Deserialize, Serialize};

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Block {
    /// A paragraph.
    Paragraph(Vec<Span>),
    /// A heading.
    Heading(Vec<Span>),
    /// A list.
    List {
        /// Whether its items are numbered.
        ordered: bool,
        /// Its items.
        items: Vec<Vec<Block>>,
    },
    /// Something quoted.
    Quote(Vec<Block>),
    /// Lines as they are.
    Code(String),
    /// A table.
    Table {
        /// The heads of its columns.
        head: Vec<Vec<Span>>,
        /// Its rows.
        rows: Vec<Vec<Vec<Span>>>,
    },
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Span {
    /// As it is.
    Text(String),
    /// Strong.
    Strong(String),
    /// Emphasized.
    Emphasis(String),
    /// A name or a value.
    Code(String),
    /// A new line.
    Break,
}
