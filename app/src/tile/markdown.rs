//! The part of Markdown that a text on a dashboard needs: headings, paragraphs, lists, bold, italic, code, links to the web.
//! Drawn as elements, never as HTML of the text's own: whatever else stands in it is text.

use crate::ui::part::{IntoPart, IntoParts, Part};
use leptos::prelude::*;

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    Heading(Vec<Span>),
    Paragraph(Vec<Span>),
    List { ordered: bool, items: Vec<Vec<Span>> },
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Span {
    Text(String),
    Strong(String),
    Emphasis(String),
    Code(String),
    Link { text: String, address: String },
}

/// The elements of a text.
pub fn view(markdown: &str) -> Part {
    blocks(markdown).into_iter().map(block_view).parts()
}

fn block_view(block: Block) -> Part {
    let items = |items: Vec<Vec<Span>>| items.into_iter().map(|item| view! { <li>{spans_view(item)}</li> }).parts();
    match block {
        Block::Heading(spans) => view! { <h3>{spans_view(spans)}</h3> }.part(),
        Block::Paragraph(spans) => view! { <p>{spans_view(spans)}</p> }.part(),
        Block::List { ordered: true, items: lines } => view! { <ol>{items(lines)}</ol> }.part(),
        Block::List { ordered: false, items: lines } => view! { <ul>{items(lines)}</ul> }.part(),
    }
}

fn spans_view(spans: Vec<Span>) -> Part {
    let span = |span| match span {
        Span::Text(text) => text.part(),
        Span::Strong(text) => view! { <strong>{text}</strong> }.part(),
        Span::Emphasis(text) => view! { <em>{text}</em> }.part(),
        Span::Code(text) => view! { <code>{text}</code> }.part(),
        Span::Link { text, address } => {
            view! { <a href=address target="_blank" rel="noopener noreferrer nofollow">{text}</a> }.part()
        }
    };
    spans.into_iter().map(span).parts()
}

fn blocks(markdown: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in markdown.lines().map(str::trim) {
        if line.is_empty() {
            open = false;
            continue;
        }
        let heading = line.strip_prefix('#').map(|rest| rest.trim_start_matches('#'));
        if let Some(text) = heading.filter(|rest| rest.starts_with(' ')) {
            blocks.push(Block::Heading(spans(text.trim())));
            open = false;
        } else if let Some((is_ordered, item)) = list_item(line) {
            match blocks.last_mut() {
                Some(Block::List { ordered, items }) if open && *ordered == is_ordered => items.push(spans(item)),
                _ => blocks.push(Block::List { ordered: is_ordered, items: vec![spans(item)] }),
            }
            open = true;
        } else {
            match blocks.last_mut() {
                Some(Block::Paragraph(text)) if open => {
                    text.push(Span::Text(" ".into()));
                    text.extend(spans(line));
                }
                _ => blocks.push(Block::Paragraph(spans(line))),
            }
            open = true;
        }
    }
    blocks
}

fn list_item(line: &str) -> Option<(bool, &str)> {
    if let Some(item) = ["- ", "* ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet)) {
        return Some((false, item.trim()));
    }
    let (number, item) = line.split_once(". ")?;
    (!number.is_empty() && number.len() < 4 && number.bytes().all(|digit| digit.is_ascii_digit())).then(|| (true, item.trim()))
}

fn spans(line: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut text = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        if let Some((span, after)) = marked(rest) {
            if !text.is_empty() {
                spans.push(Span::Text(std::mem::take(&mut text)));
            }
            spans.push(span);
            rest = after;
        } else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    if !text.is_empty() {
        spans.push(Span::Text(text));
    }
    spans
}

/// The marked part that a text starts with, and what follows it.
fn marked(text: &str) -> Option<(Span, &str)> {
    let between = |mark: &str| {
        let (inside, after) = text.strip_prefix(mark)?.split_once(mark)?;
        let solid = !inside.is_empty() && !inside.starts_with(' ') && !inside.ends_with(' ');
        solid.then(|| (inside.to_owned(), after))
    };
    if let Some((inside, after)) = between("`") {
        return Some((Span::Code(inside), after));
    }
    if let Some((inside, after)) = between("**") {
        return Some((Span::Strong(inside), after));
    }
    if let Some((inside, after)) = between("*") {
        return Some((Span::Emphasis(inside), after));
    }
    let (name, after) = text.strip_prefix('[')?.split_once("](")?;
    let (address, after) = after.split_once(')')?;
    let is_web = ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme));
    is_web.then(|| (Span::Link { text: name.to_owned(), address: address.to_owned() }, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Span {
        Span::Text(text.into())
    }

    #[test]
    fn blocks_are_told_apart() {
        let read = blocks("## Head\nfirst\nsecond\n\n- a\n- b\n1. c\n#hash");
        assert_eq!(
            read,
            [
                Block::Heading(vec![text("Head")]),
                Block::Paragraph(vec![text("first"), text(" "), text("second")]),
                Block::List { ordered: false, items: vec![vec![text("a")], vec![text("b")]] },
                Block::List { ordered: true, items: vec![vec![text("c")]] },
                Block::Paragraph(vec![text("#hash")]),
            ]
        );
    }

    #[test]
    fn marks_make_spans_and_lone_marks_stay() {
        assert_eq!(
            spans("a **b** *c* `d*` 2 * 3"),
            [
                text("a "),
                Span::Strong("b".into()),
                text(" "),
                Span::Emphasis("c".into()),
                text(" "),
                Span::Code("d*".into()),
                text(" 2 * 3")
            ]
        );
    }

    #[test]
    fn links_lead_to_the_web_alone() {
        let link = Span::Link { text: "x".into(), address: "https://example.com".into() };
        assert_eq!(spans("[x](https://example.com)"), [link]);
        assert_eq!(spans("[x](javascript:alert(1))"), [text("[x](javascript:alert(1))")]);
        assert_eq!(spans("<img onerror=x>"), [text("<img onerror=x>")]);
    }
}
