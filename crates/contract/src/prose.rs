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

impl Block {
    /// The block as lines of plain text, for paper. Items of lists have a bullet or their number, cells of a row stand apart.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::Paragraph(spans) | Self::Heading(spans) => line(spans).split('\n').map(str::to_owned).collect(),
            Self::List { ordered, items } => {
                let item = |(at, blocks): (usize, &Vec<Self>)| {
                    let mark = if *ordered { format!("{}. ", at + 1) } else { "• ".to_owned() };
                    let lines = blocks.iter().flat_map(Self::lines).enumerate();
                    lines.map(move |(at, line)| if at == 0 { format!("{mark}{line}") } else { line }).collect::<Vec<_>>()
                };
                items.iter().enumerate().flat_map(item).collect()
            }
            Self::Quote(blocks) => blocks.iter().flat_map(Self::lines).collect(),
            Self::Code(text) => text.lines().map(str::to_owned).collect(),
            Self::Table { head, rows } => {
                let row = |cells: &Vec<Vec<Span>>| cells.iter().map(|cell| line(cell)).collect::<Vec<_>>().join(" · ");
                std::iter::once(head).chain(rows).map(row).collect()
            }
        }
    }
}

/// A line of text, as plain text.
fn line(spans: &[Span]) -> String {
    let text = |span: &Span| match span {
        Span::Text(text) | Span::Strong(text) | Span::Emphasis(text) | Span::Code(text) | Span::Link { text, .. } => {
            text.clone()
        }
        Span::Break => "\n".to_owned(),
    };
    spans.iter().map(text).collect()
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
