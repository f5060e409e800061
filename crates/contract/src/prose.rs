//! Text as pages draw it: read from Markdown by the server, drawn node by node, so that no markup of its author reaches the
//! page. It holds no pictures, and links only where a person of the organization wrote it: texts on dashboards.

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
    /// A link to the web. The server keeps no other.
    Link {
        /// What it says.
        text: String,
        /// `https:`, `http:` or `mailto:`.
        address: String,
    },
    /// A line break.
    Break,
}
