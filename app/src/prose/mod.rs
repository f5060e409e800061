//! Texts of answers and of dashboards, drawn node by node.

#[cfg(feature = "ssr")]
pub mod markdown;

use crate::ui::part::{IntoPart, IntoParts, Part};
use inlay_contract::prose::{Block, Span};
use leptos::prelude::*;

/// Blocks of text.
#[must_use]
pub fn blocks(blocks: &[Block]) -> Part {
    blocks.iter().map(block).parts()
}

fn block(block: &Block) -> Part {
    match block {
        Block::Paragraph(line) => view! { <p>{spans(line)}</p> }.part(),
        Block::Heading(line) => view! { <h3>{spans(line)}</h3> }.part(),
        Block::Quote(inner) => view! { <blockquote>{blocks(inner)}</blockquote> }.part(),
        Block::Code(text) => view! { <pre><code>{text.clone()}</code></pre> }.part(),
        Block::List { ordered, items } => {
            let items = items.iter().map(|item| view! { <li>{blocks(item)}</li> }).parts();
            if *ordered { view! { <ol>{items}</ol> }.part() } else { view! { <ul>{items}</ul> }.part() }
        }
        Block::Table { head, rows } => {
            let head = head.iter().map(|cell| view! { <th scope="col">{spans(cell)}</th> }).parts();
            let row = |row: &Vec<Vec<Span>>| {
                let cells = row.iter().map(|cell| view! { <td>{spans(cell)}</td> }).parts();
                view! { <tr>{cells}</tr> }
            };
            let rows = rows.iter().map(row).parts();
            view! {
                <div class="prose-table" tabindex="0">
                    <table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>
                </div>
            }
            .part()
        }
    }
}

fn spans(spans: &[Span]) -> Part {
    let span = |span: &Span| match span {
        Span::Text(text) => text.clone().part(),
        Span::Strong(text) => view! { <strong>{text.clone()}</strong> }.part(),
        Span::Emphasis(text) => view! { <em>{text.clone()}</em> }.part(),
        Span::Code(text) => view! { <code>{text.clone()}</code> }.part(),
        Span::Link { text, address } => {
            let (text, address) = (text.clone(), address.clone());
            view! { <a href=address target="_blank" rel="noopener noreferrer nofollow">{text}</a> }.part()
        }
        Span::Break => view! { <br /> }.part(),
    };
    spans.iter().map(span).parts()
}

/// The plain text, for the clipboard.
#[must_use]
pub fn plain(blocks: &[Block]) -> String {
    let mut text = String::new();
    write(blocks, "", &mut text);
    text.trim_end().to_owned()
}

fn write(blocks: &[Block], indent: &str, text: &mut String) {
    for block in blocks {
        match block {
            Block::Paragraph(line) | Block::Heading(line) => write_line(indent, &words(line), text),
            Block::Quote(inner) => write(inner, indent, text),
            Block::Code(code) => code.lines().for_each(|line| write_line(indent, line, text)),
            Block::List { ordered, items } => {
                for (number, item) in (1..).zip(items) {
                    let mark = if *ordered { format!("{number}. ") } else { "- ".to_owned() };
                    let mut inner = String::new();
                    write(item, &format!("{indent}  "), &mut inner);
                    text.push_str(indent);
                    text.push_str(&mark);
                    text.push_str(inner.trim_start());
                }
            }
            Block::Table { head, rows } => {
                for row in std::iter::once(head).chain(rows) {
                    let cells: Vec<String> = row.iter().map(|cell| words(cell)).collect();
                    write_line(indent, &cells.join("\t"), text);
                }
            }
        }
    }
}

fn write_line(indent: &str, line: &str, text: &mut String) {
    text.push_str(indent);
    text.push_str(line);
    text.push('\n');
}

fn words(spans: &[Span]) -> String {
    let word = |span: &Span| match span {
        Span::Text(text) | Span::Strong(text) | Span::Emphasis(text) | Span::Code(text) | Span::Link { text, .. } => {
            text.clone()
        }
        Span::Break => "\n".to_owned(),
    };
    spans.iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copied_text_reads_as_it_looks() {
        let line = |text: &str| Block::Paragraph(vec![Span::Text(text.into())]);
        let inner = Block::List { ordered: true, items: vec![vec![line("c")]] };
        let list = Block::List { ordered: false, items: vec![vec![line("a")], vec![line("b"), inner]] };
        let cell = |text: &str| vec![Span::Strong(text.into())];
        let table = Block::Table { head: vec![cell("x"), cell("y")], rows: vec![vec![cell("1"), cell("2")]] };
        assert_eq!(plain(&[line("Head"), list, table]), "Head\n- a\n- b\n  1. c\nx\ty\n1\t2");
    }
}
