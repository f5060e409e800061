//! The text of an answer. The server parses it from Markdown, and pages draw it node by node, so that a model's markup never
//! reaches the page. It has no links or images.

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
    /// A quote.
    Quote(Vec<Block>),
    /// A code block.
    Code(String),
    /// A table.
    Table {
        /// The heads of its columns.
        head: Vec<Vec<Span>>,
        /// Its rows.
        rows: Vec<Vec<Vec<Span>>>,
    },
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Span {
    /// Plain text.
    Text(String),
    /// Strong.
    Strong(String),
    /// Emphasized.
    Emphasis(String),
    /// Inline code.
    Code(String),
    /// A line break.
    Break,
}
